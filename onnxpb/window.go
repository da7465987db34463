// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"fmt"
	"io"
)

const (
	minRead = 1 << 10
	maxRead = 256 << 10
)

// window reads a file through one buffer, mostly forward. It reads more at a
// time while it goes on without a gap, and little after a jump: what follows a
// skipped payload is short, and often another payload.
type window struct {
	r     io.ReaderAt
	size  int64
	start int64
	buf   []byte // the file's bytes from start
	read  int    // length of the last read
}

// view returns n bytes at offset, valid until the next call. The caller has
// checked that they lie inside the file.
func (w *window) view(offset int64, n int) ([]byte, error) {
	if from := offset - w.start; from >= 0 && from+int64(n) <= int64(len(w.buf)) {
		return w.buf[from:][:n], nil
	}
	if err := w.fill(offset, n); err != nil {
		return nil, err
	}
	return w.buf[:n], nil
}

// fill reads at least n bytes at offset into the buffer.
func (w *window) fill(offset int64, n int) error {
	if offset >= w.start && offset <= w.start+int64(len(w.buf)) {
		w.read = min(2*w.read, maxRead)
	} else {
		w.read = 0
	}
	w.read = max(w.read, minRead)
	want := int(min(int64(max(n, w.read)), w.size-offset))
	if want > cap(w.buf) || cap(w.buf) > maxRead {
		w.buf = make([]byte, max(want, minRead))
	}
	w.start, w.buf = offset, w.buf[:want]
	got, err := w.r.ReadAt(w.buf, offset)
	if got == want {
		return nil
	}
	w.buf = w.buf[:0]
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("onnxpb: byte %d: %d bytes expected, %d read: %w", offset, want, got, err)
}
