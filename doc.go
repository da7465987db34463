// SPDX-License-Identifier: Apache-2.0

// Package structview gives typed, bounds-checked access to every bit of a byte
// buffer, by a declaration of its layout that travels in an ONNX model.
//
// # What a type is
//
// A declaration (onnxpb.StructTypeProto) is an array, a bit packing or a structure.
// Their leaves are ONNX scalars and ordinary tensors; declarations nest inline or by
// reference to an entry of ModelProto.struct_types; a structure may also have constants,
// which occupy no bits. [Resolve] checks the declarations of a model and turns each into
// a [Type]: its size in bits, and where each part begins relative to its own first bit.
// Types form a shared graph. Nothing is expanded: a dimension of 2^60 costs as little as
// one of 2, and thirty declarations that each use the next one twice cost thirty types.
//
// The payload is one little-endian integer. Bit k of the payload is bit k%8 of byte k/8; an
// element of w bits at bit offset o is the bits o to o+w-1, least significant first.
// Nothing is aligned: a FLOAT16 may begin at bit 4 of a byte. Padding exists only as a field.
//
//	struct q4 {                  byte 0      1       2       3          17
//	  float16 d                  ┌───────────────┬───────┬───────┬───┬─────────┐
//	  bits(lo: 4, hi: 4)[16] qs  │       d       │lo₀ hi₀│lo₁ hi₁│ … │lo₁₅ hi₁₅│
//	}                            └───────────────┴───────┴───────┴───┴─────────┘
//
// # Where things lie
//
// [Type.Layout] answers where a leaf lies. [Layout.Leaf] finds one by its name path, as
// codecs name it: "qs.lo"; the answer is symbolic, an offset and dimensions with strides,
// all in bits. [Layout.At] turns it round: which element does a bit belong to? A [Path]
// is a name path with indices, `[17].qs[3].lo`; indices may be left out or be ranges,
// and then it leads to many elements at once: `d` is the scale of every block.
//
// # What a view is
//
// A [View] is a type laid over a payload. It exists only if the payload has exactly the
// type's size, so that every place the layout gives lies within it: bounds are proved
// once, and only indices and paths are checked afterwards.
//
// To read one element, prepare its path once ([View.At], or [Ref.Index] of a reference
// to many) and read through the [Ref] as often as needed, without cost for the path and
// without allocation: [View.Uint64], [View.Int64], [View.Float64], and [View.AppendBits] for
// any width. To read many, [View.Tensor] and [Bind] make a tensor of them; [View.Run]
// reads them in order without one. [Layout.Elements] walks all elements in the order of
// the payload with constant memory.
//
// # Go types
//
// [TypeOf] derives a type from a Go struct; [As] and [From] move whole values between Go and
// a payload, at any bit and past a check that the paths, widths and places are the same.
// [Alias] shares the memory instead, where Go's layout is the payload's. [GoTypeOf] prepares
// this for many values. The command "structview gen" goes the other way, and writes Go
// accessors for a declaration that cost what reads written by hand cost.
//
// # Writing
//
// A [Writer] is the way back. It has the same paths and references as a view, and refuses
// what does not fit: an INT4 of 9, a component beyond its width, 1.5 for an integer, a float
// beyond the largest of its type unless [Writer.Overflow] says what shall become of it.
// Nothing is cut off or wrapped around, and no bit outside of the element changes.
//
//	w, err := structview.NewWriter(t)
//	err = w.Set("blocks[3].d", 0.25)                // one element, converted to FLOAT16
//	err = w.Set("blocks.qs.lo", codes)              // a tensor, for all blocks
//	err = w.Zero("blocks.pad")                      // padding is 0 because somebody says so
//	payload, err := w.Bytes()                       // an error that lists what is unset
//
// A new value is complete when every bit has been written or declared 0, and only then does
// [Writer.Bytes] give it away; [Writer.Unset] lists what is missing. What has been written is
// known by name and range, so that a tensor for a whole leaf costs one note, whatever its
// size; elements that are written here and there cost a bit each, until their page of 32,768
// is complete. Of blocks that are written one by one that is a few KiB for each leaf.
//
// In a loop, prepare references once ([Writer.At], [Ref.Index]), or go from part to part
// ([Writer.Index], [Writer.Sub]): the typed methods [Writer.SetUint64], [Writer.SetInt64],
// [Writer.SetFloat64] and [Writer.SetBits] are those of [View] turned round. In bulk write
// [Writer.SetTensor], [SetAll], [Writer.SetRun], and [Writer.Copy] for a part of another value.
// [Patch] changes an existing value in place, [PatchCopy] a copy of it.
//
// # Building
//
// Declarations can be made without messages: [Structure], [Array] and [Bits] of [Scalar],
// [Tensor], [Constant] and each other, nested inline or, with [RefTo], as an entry that
// others share. A decoder is a FunctionProto; syntax.ParseFunction reads one from text.
//
//	block := structview.Structure(
//		structview.FieldOf("d", structview.Scalar(tensor.Float16)).Doc("scale"),
//		structview.FieldOf("qs", structview.Bits(16, structview.ComponentOf("lo", 4), structview.ComponentOf("hi", 4))),
//	).Named("q4").Decoder(decoder)
//	t, err := structview.Array(1000, structview.RefTo(block)).Type()
//
// A [ModelBuilder] makes a model of declarations, functions and values, whose payloads are in
// the model or in files beside it ([NewModel], [ExtendModel]); what it builds passes [Check].
// [Declare] makes the entries alone.
//
// # Who owns the bytes
//
// The caller owns the payload. A view only reads it, never copies it as a whole, and never
// writes it. A writer writes into memory of its own ([NewWriter], [PatchCopy]) or into the
// caller's ([NewWriterInto], [Patch]), and [Writer.Bytes] returns that very memory. Where elements lie in the payload as they do in a tensor, [Bind] and
// [View.Tensor] do not copy either: the tensor then aliases the payload. So the payload must
// neither change nor be unmapped as long as a view, or a tensor made from one, is in use.
// Messages given to Resolve are kept, too.
//
// Types, layouts, references and views are immutable, and safe for concurrent use. Writers
// are not, nor is reading what one is writing.
//
// # What can fail
//
// [Resolve] and [Check] return findings: a [Diagnostic] each, with the id of the rule, the
// place in the model, what was expected and what was found. docs/SPEC.md describes the
// rules; errors.Is(err, ErrReference) and its like tell them apart. A view can fail to
// be made ([ErrLength], [ErrAlignment]). Reading can fail for a path that leads nowhere, an
// index that does not exist, a reference made for another type, or a number that does not
// fit the Go type asked for ([ErrPath]); writing also for a value that does not fit the
// element ([ErrFit]), and a value can be incomplete ([*UnsetError]). The messages name the
// path with its indices, and what to write instead. Where a file that package container
// mapped gives no access, the error is [ErrTruncated]; who maps files by other means asks for
// that with [View.Guarded]. Nothing in this package panics on input, loops over a
// dimension that has no bits, or allocates by a length that a file only claims.
package structview
