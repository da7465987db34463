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
// # Who owns the bytes
//
// The caller owns the payload. A view only reads it, never copies it as a whole, and never
// writes it. Where elements lie in the payload as they do in a tensor, [Bind] and
// [View.Tensor] do not copy either: the tensor then aliases the payload. So the payload must
// neither change nor be unmapped as long as a view, or a tensor made from one, is in use.
// Messages given to Resolve are kept, too.
//
// Types, layouts, references and views are immutable, and safe for concurrent use.
//
// # What can fail
//
// [Resolve] and [Check] return findings: a [Diagnostic] each, with the id of the rule, the
// place in the model, what was expected and what was found. docs/SPEC.md describes the
// rules; errors.Is(err, ErrReference) and its like tell them apart. A view can fail to
// be made ([ErrLength], [ErrAlignment]). Reading can fail for a path that leads nowhere, an
// index that does not exist, a reference made for another type, or a number that does not
// fit the Go type asked for. Nothing in this package panics on input, loops over a
// dimension that has no bits, or allocates by a length that a file only claims.
package structview
