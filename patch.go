// SPDX-License-Identifier: Apache-2.0

package structview

// Patch returns a Writer that changes an existing value in place: the caller's bytes, of
// exactly the size of t (SV021, SV022). Nothing has to be written, and bits that are not
// written stay as they are. [Writer.Bytes] returns payload itself.
//
// The payload may be a file that is mapped for writing. Where it is mapped for reading
// only, or became shorter, a write is an error that wraps [ErrTruncated]: the Writer is
// guarded over any memory.
func Patch(t *Type, payload []byte) (Writer, error) {
	w, err := writerOf(t, payload)
	w.guarded = true
	return w, err
}

// PatchCopy returns a Writer that changes a copy of a value of whole bytes, which may be
// a part of a larger one. [Writer.Bytes] returns the copy; v and its payload stay as they are.
func PatchCopy(v View) (Writer, error) {
	payload, err := v.Bits()
	if err != nil {
		return Writer{}, err
	}
	return writerOf(v.typ, payload)
}

// Unguarded returns a Writer that does not look out for memory faults (see [View.Unguarded]),
// for a payload that is no mapped file.
func (w Writer) Unguarded() Writer {
	w.guarded = false
	return w
}
