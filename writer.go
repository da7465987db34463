// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"errors"
	"fmt"

	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// Writer fills the payload of a value: element by element, or in bulk. A new Writer
// counts what has been written, and [Writer.Bytes] gives the payload only when there is
// nothing left: bits are not 0 because nobody thought of them, but because somebody
// wrote 0 or said so with [Writer.Zero]. A Writer of [Patch] counts nothing.
//
// Places are named by a path ([Writer.Set], [Writer.Zero]), or by a [Ref] that was
// prepared once ([Writer.At]); references of a [View] of the same type serve, too. What does
// not fit is refused with an error that says what would: nothing is cut off, wrapped
// around or rounded to an integer. An error leaves the payload as it was, except where
// a method says otherwise.
//
// A Writer is a small value; copies of it, and those of [Writer.Sub], write into the same
// payload. It is not safe for concurrent use, neither are two Writers into one payload.
type Writer struct {
	Overflow Overflow         // what becomes of floats that are too large for their type
	Round    tensor.RoundMode // how FLOAT8E8M0 rounds; all other types round to nearest, ties to even

	typ     *Type
	data    []byte
	base    uint64   // bits: where the value begins in data
	names   int      // fields between the whole value and this part of it
	filled  *tracker // nil: nothing is counted
	part    bool     // made by Sub or Index
	guarded bool
}

// Overflow says what becomes of a float that its type cannot hold.
type Overflow uint8

const (
	// Refuse makes it an error: a finite number beyond the largest of the type, an
	// infinity or NaN in a type that has none, and a sign or zero in FLOAT8E8M0.
	Refuse Overflow = iota
	// Saturate converts as ONNX's Cast does with saturate = 1: types of 8 bits and less
	// give their largest finite value, wider ones an infinity (see [tensor.FromFloat]).
	Saturate
	// Infinite converts as ONNX's Cast does with saturate = 0: to an infinity, or to NaN
	// where the type has none. FLOAT4E2M1, which has neither, saturates.
	Infinite
)

// ErrFit says that a value does not fit the element that it was to be written to.
const ErrFit Rule = "SV047"

// largestNew is the largest payload in bytes that NewWriter makes.
const largestNew = 1 << 30

// NewWriter returns a Writer of a value of t, whose size is whole bytes (SV021), with
// memory of its own. Since declarations come from files, it makes no more than 1 GiB: for a
// larger value, or to write into other memory, see [NewWriterInto].
func NewWriter(t *Type) (Writer, error) {
	if t == nil {
		return Writer{}, pathError("", "a writer needs a type")
	}
	size, _ := t.Bytes()
	if size > largestNew {
		return Writer{}, pathError("", "%s takes %d bytes, more than the %d that NewWriter makes: use NewWriterInto with memory of your own",
			t.title(), size, int64(largestNew))
	}
	return NewWriterInto(t, make([]byte, size))
}

// NewWriterInto returns a Writer into the caller's memory, which has exactly the size of
// t in bytes (SV021, SV022). What stands there does not count as written. The Writer
// keeps it; the caller may read it at any time.
func NewWriterInto(t *Type, payload []byte) (Writer, error) {
	w, err := writerOf(t, payload)
	if err == nil {
		w.filled = newTracker(t)
	}
	return w, err
}

func writerOf(t *Type, payload []byte) (Writer, error) {
	if t == nil {
		return Writer{}, pathError("", "a writer needs a type")
	}
	var r report
	if !r.payload(t, uint64(len(payload)), "the payload", nil) {
		return Writer{}, r.first
	}
	return Writer{typ: t, data: payload, guarded: fault.Mapped(payload)}, nil
}

// Type returns the type of the value, nil of the zero Writer.
func (w Writer) Type() *Type { return w.typ }

// At prepares a path (see [ParsePath]) into values of w's type, as [View.At] does.
func (w Writer) At(path string) (Ref, error) {
	if w.typ == nil {
		return Ref{}, w.empty()
	}
	return w.View().At(path)
}

// View returns a view of the value as it is so far.
func (w Writer) View() View {
	return View{typ: w.typ, data: w.data, base: w.base, guarded: w.guarded}
}

// Sub returns a Writer of the value at r, which has a type of its own (see [View.Sub]).
// What it writes counts for w.
func (w Writer) Sub(r Ref) (Writer, error) {
	if err := w.writable(r); err != nil {
		return Writer{}, err
	}
	v, err := w.View().Sub(r)
	if err != nil {
		return Writer{}, r.errorf("the path does not lead to one value with a type of its own: give an index for each dimension, or write elements with Writer.SetTensor or Writer.Set")
	}
	return w.within(v, r.info.names), nil
}

// Index returns a Writer of one element of an array, row of a bit packing, or slice of
// a tensor leaf. What it writes counts for w.
func (w Writer) Index(i uint64) (Writer, error) {
	if w.typ == nil {
		return Writer{}, w.empty()
	}
	v, err := w.View().Index(i)
	if err != nil {
		return Writer{}, err
	}
	return w.within(v, 0), nil
}

func (w Writer) within(v View, names int) Writer {
	w.typ, w.base, w.names, w.part = v.typ, v.base, w.names+names, true
	return w
}

// Bytes returns the payload: of a new Writer, only if every bit has been written; the
// error is an [*UnsetError] otherwise. The payload is not copied, and w can go on writing it.
func (w Writer) Bytes() ([]byte, error) {
	switch {
	case w.typ == nil:
		return nil, w.empty()
	case w.part:
		return nil, pathError("", "this is a part of a value: ask the writer of the whole value for its bytes")
	}
	if err := w.filled.complete(); err != nil {
		return nil, err
	}
	return w.data, nil
}

func (w Writer) empty() error {
	return pathError("", "the writer is empty: make one with NewWriter or Patch")
}

// writable checks that r was prepared for the type of w, and leads to its payload.
func (w Writer) writable(r Ref) error {
	switch {
	case w.typ == nil:
		return w.empty()
	case r.info == nil:
		return pathError("", "the reference is empty: prepare one with Writer.At")
	case r.info.root != w.typ:
		return w.View().foreign(r)
	case r.info.constant != nil:
		return r.errorf("a constant is a part of the declaration and cannot be written: change it there")
	}
	return nil
}

// guard runs write, which writes the payload.
func (w Writer) guard(write func()) error {
	if !w.guarded {
		write()
		return nil
	}
	err := fault.Guard(func() error {
		write()
		return nil
	})
	if errors.Is(err, ErrTruncated) {
		return fmt.Errorf("structview: a mapped payload gives no access (to write, it has to be mapped for writing): %w", err)
	}
	return err
}
