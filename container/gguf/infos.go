// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Tensor is one tensor info.
type Tensor struct {
	Name string
	NE   []uint64 // dimensions as stored, the fastest-varying first
	Type Type
	// Offset is where the data begins, in bytes from the start of the data section; Size is its length in bytes.
	Offset, Size uint64

	At       int64 // byte of the file where the info begins
	offsetAt int64 // and its field offset
}

// Shape returns the dimensions in C order, the slowest-varying first.
func (t *Tensor) Shape() []int64 {
	shape := make([]int64, len(t.NE))
	for i, n := range t.NE {
		shape[len(shape)-1-i] = int64(n)
	}
	return shape
}

func (t *Tensor) subject() string { return fmt.Sprintf("tensor %q", t.Name) }

// infos reads the tensor infos. n has been compared with the size of the file.
func (c *cursor) infos(h *Header, n uint64) error {
	seen := map[string]bool{}
	for i := range n {
		c.subject = fmt.Sprintf("tensor %d", i)
		t := Tensor{At: c.at}
		var err error
		if t.Name, err = c.name("name", longestName); err != nil {
			return err
		}
		c.subject = t.subject()
		if seen[t.Name] {
			return c.fail(t.At, "the name occurs twice")
		}
		seen[t.Name] = true
		if err := c.info(&t, h.Alignment); err != nil {
			return err
		}
		h.Tensors = append(h.Tensors, t)
	}
	return nil
}

// info reads what follows the name.
func (c *cursor) info(t *Tensor, alignment uint32) error {
	at := c.at
	rank, err := c.u32("rank")
	if err != nil {
		return err
	}
	if rank > highestRank {
		return c.fail(at, "%d dimensions (%d at most)", rank, highestRank)
	}
	dimsAt := c.at
	for range rank {
		at := c.at
		n, err := c.u64("dimensions")
		if err != nil {
			return err
		}
		if n > math.MaxInt64 {
			return c.fail(at, "dimension %d is negative", int64(n))
		}
		t.NE = append(t.NE, n)
	}
	at = c.at
	id, err := c.u32("type")
	if err != nil {
		return err
	}
	t.Type = Type(id)
	if err := extent(t, at, dimsAt); err != nil {
		return err
	}
	t.offsetAt = c.at
	if t.Offset, err = c.u64("offset"); err != nil {
		return err
	}
	if t.Offset%uint64(alignment) != 0 {
		return c.fail(t.offsetAt, "offset %d is not a multiple of the alignment %d", t.Offset, alignment)
	}
	return nil
}

// extent checks type and dimensions, and computes the size of the data.
func extent(t *Tensor, typeAt, dimsAt int64) error {
	values, bytes := t.Type.Block()
	switch {
	case values == 0 && uint64(t.Type) < uint64(len(typeInfos)):
		return fault(t.subject(), typeAt, "type id %d was removed from the format", uint32(t.Type))
	case values == 0:
		return fault(t.subject(), typeAt, "type id %d does not exist (0 to %d expected)", uint32(t.Type), len(typeInfos)-1)
	}
	row, rows := uint64(1), uint64(1)
	if len(t.NE) > 0 {
		row = t.NE[0]
	}
	if row%values != 0 {
		return fault(t.subject(), dimsAt, "rows of %d values (a multiple of %d expected for %v)", row, values, t.Type)
	}
	count, empty, over := max(row, 1), row == 0, false
	for _, n := range t.NE[min(1, len(t.NE)):] {
		empty = empty || n == 0
		high, low := bits.Mul64(count, max(n, 1)) // a 0 hides no overflow
		over = over || high != 0
		count, rows = low, rows*n
	}
	if over || count > math.MaxInt64 {
		return fault(t.subject(), dimsAt, "dimensions %v: 2^63 values or more", t.NE)
	}
	if empty {
		return nil
	}
	high, low := bits.Mul64(row/values*rows, bytes)
	if high != 0 || low > math.MaxInt64 {
		return fault(t.subject(), dimsAt, "dimensions %v: 2^63 bytes or more", t.NE)
	}
	t.Size = low
	return nil
}

// places checks that the data of every tensor lies in the file, and that no two overlap.
func places(h *Header) error {
	room := uint64(max(h.Size-h.DataStart, 0))
	for i := range h.Tensors {
		t := &h.Tensors[i]
		switch {
		case t.Size == 0:
		case t.Offset >= room:
			return fault(t.subject(), t.offsetAt, "offset %d lies beyond the end of the file (the data section has %d bytes)", t.Offset, room)
		case t.Size > room-t.Offset:
			return fault(t.subject(), h.DataStart+int64(t.Offset), "the file ends in the data (%d bytes expected, %d left)", t.Size, room-t.Offset)
		}
	}
	return overlaps(h)
}

func overlaps(h *Header) error {
	order := make([]*Tensor, 0, len(h.Tensors))
	for i := range h.Tensors {
		if h.Tensors[i].Size > 0 {
			order = append(order, &h.Tensors[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *Tensor) int { return cmp.Compare(a.Offset, b.Offset) })
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		if b.Offset-a.Offset >= a.Size {
			continue
		}
		first, second := a, b
		if b.At < a.At {
			first, second = b, a
		}
		return fault(second.subject(), second.offsetAt, "bytes %d to %d of the data section overlap those of tensor %q, %d to %d",
			second.Offset, second.Offset+second.Size, first.Name, first.Offset, first.Offset+first.Size)
	}
	return nil
}
