// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Error says what is wrong with a file, and where.
type Error struct {
	Offset  int64  // byte of the file
	Subject string // the header field, key or tensor at fault: `tensor "a.weight"`
	Message string // what was expected and what was found
}

func (e *Error) Error() string {
	return fmt.Sprintf("gguf: byte %d: %s: %s", e.Offset, e.Subject, e.Message)
}

// cursor reads a header from front to back through a buffer of fixed size.
type cursor struct {
	r       io.ReaderAt
	size    int64 // of the file
	at      int64 // of the next byte
	subject string

	buffer []byte // the file's bytes from start
	start  int64
	room   []byte
}

const bufferSize = 64 << 10

func newCursor(r io.ReaderAt, size int64) *cursor {
	return &cursor{r: r, size: size, room: make([]byte, min(bufferSize, size))}
}

func (c *cursor) left() int64 { return c.size - c.at }

// fail makes an error about the current subject.
func (c *cursor) fail(at int64, format string, args ...any) error {
	return fault(c.subject, at, format, args...)
}

func fault(subject string, at int64, format string, args ...any) error {
	return &Error{Offset: at, Subject: subject, Message: fmt.Sprintf(format, args...)}
}

// next returns the next n bytes, at most bufferSize; they are valid until the next call.
func (c *cursor) next(n int64, what string) ([]byte, error) {
	if n > c.left() {
		return nil, c.fail(c.at, "the file ends in the %s (%d bytes expected, %d left)", what, n, c.left())
	}
	if c.at < c.start || c.at+n > c.start+int64(len(c.buffer)) {
		c.start = c.at
		c.buffer = c.room[:min(int64(len(c.room)), c.left())]
		if got, err := c.r.ReadAt(c.buffer, c.at); got < len(c.buffer) {
			return nil, c.unreadable(err)
		}
	}
	from := c.at - c.start
	c.at += n
	return c.buffer[from : from+n : from+n], nil
}

// unreadable reports a read that failed although the file is long enough.
func (c *cursor) unreadable(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("gguf: byte %d: %s: %w", c.at, c.subject, err)
}

func (c *cursor) u32(what string) (uint32, error) {
	b, err := c.next(4, what)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (c *cursor) u64(what string) (uint64, error) {
	b, err := c.next(8, what)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

// skip passes n bytes unread.
func (c *cursor) skip(n uint64, what string) error {
	if n > uint64(c.left()) {
		return c.fail(c.at, "the file ends in the %s (%d bytes expected, %d left)", what, n, c.left())
	}
	c.at += int64(n)
	return nil
}

// length reads the length of a string and makes sure that the string is in the file.
func (c *cursor) length(what string) (int64, error) {
	at := c.at
	n, err := c.u64("length of a string")
	if err != nil {
		return 0, err
	}
	if n > uint64(c.size) {
		return 0, c.fail(at, "the length of the %s is %d (the file has %d bytes)", what, n, c.size)
	}
	if n > uint64(c.left()) {
		return 0, c.fail(c.at, "the file ends in the %s (%d bytes expected, %d left)", what, n, c.left())
	}
	return int64(n), nil
}

// name reads a string of at most limit bytes, limit at most bufferSize.
func (c *cursor) name(what string, limit int64) (string, error) {
	at := c.at
	n, err := c.length(what)
	if err != nil {
		return "", err
	}
	if n > limit {
		return "", c.fail(at, "the %s has %d bytes (%d at most)", what, n, limit)
	}
	b, err := c.next(n, what)
	return string(b), err
}
