// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"io"
	"math/bits"
)

const (
	magic = "GGUF"

	defaultAlignment = 32
	alignmentKey     = "general.alignment"

	fixedSize   = 24 // of magic, version and counts
	leastEntry  = 14 // bytes of a metadata entry: key length, one byte of key, type, one byte of value
	leastInfo   = 24 // bytes of a tensor info: name length, rank, type, offset
	longestKey  = 1<<16 - 1
	longestName = 64
	highestRank = 4
)

// Header is what a file holds before its tensor data.
type Header struct {
	Version   uint32 // 2 or 3
	Alignment uint32 // of the data section and of each tensor in it, a power of two
	Metadata  []Entry
	Tensors   []Tensor

	End       int64 // where the tensor infos end
	DataStart int64 // where the data section begins: End rounded up to Alignment, or End if there are no tensors
	Size      int64 // of the file
}

// ReadHeader reads the header of a file of size bytes and checks it, and that every tensor's data lies in the file
// and that no two overlap. Errors about the content are of type [*Error]; they name the key or tensor and the byte offset.
//
// What ggml's reader demands beyond that is not demanded: offsets may have any order and gaps, and the padding after the
// last tensor may be missing.
func ReadHeader(r io.ReaderAt, size int64) (*Header, error) {
	h, err := parse(r, size)
	if err != nil {
		return nil, err
	}
	if err := places(h); err != nil {
		return nil, err
	}
	return h, nil
}

// parse reads a header from the first size bytes of a file, and does not ask whether the data is there.
func parse(r io.ReaderAt, size int64) (*Header, error) {
	c := newCursor(r, size)
	h := &Header{Alignment: defaultAlignment, Size: size}
	tensors, entries, err := c.fixed(h)
	if err != nil {
		return nil, err
	}
	if err := c.metadata(h, entries); err != nil {
		return nil, err
	}
	if err := c.infos(h, tensors); err != nil {
		return nil, err
	}
	h.End, h.DataStart = c.at, c.at
	if len(h.Tensors) > 0 {
		h.DataStart = roundUp(c.at, h.Alignment)
	}
	return h, nil
}

// roundUp cannot overflow: a file's size and an alignment of 32 bits leave room.
func roundUp(n int64, alignment uint32) int64 {
	mask := int64(alignment) - 1
	return (n + mask) &^ mask
}

// fixed reads magic, version and counts.
func (c *cursor) fixed(h *Header) (tensors, entries uint64, err error) {
	if err := c.magic(); err != nil {
		return 0, 0, err
	}
	if err := c.version(h); err != nil {
		return 0, 0, err
	}
	if tensors, err = c.count("tensor count", leastInfo); err != nil {
		return 0, 0, err
	}
	if entries, err = c.count("metadata count", leastEntry); err != nil {
		return 0, 0, err
	}
	return tensors, entries, nil
}

func (c *cursor) magic() error {
	c.subject = "magic"
	b, err := c.next(int64(len(magic)), "magic")
	if err != nil {
		return err
	}
	switch string(b) {
	case magic:
		return nil
	case "FUGG":
		return c.fail(0, "found %q, the magic in reverse (%q expected)", b, magic)
	case "ggml", "ggmf", "ggjt", "ggla", "lmgg", "fmgg", "tjgg", "algg":
		return c.fail(0, "found %q, a format older than GGUF (%q expected)", b, magic)
	default:
		return c.fail(0, "found %q (%q expected)", b, magic)
	}
}

func (c *cursor) version(h *Header) error {
	c.subject = "version"
	at := c.at
	version, err := c.u32("version")
	if err != nil {
		return err
	}
	h.Version = version
	switch {
	case version == 2 || version == 3:
		return nil
	case version&0xFFFF == 0 && version != 0:
		return c.fail(at, "found %#08x, which looks like version %d in big-endian byte order (little-endian 2 or 3 expected)", version, bits.ReverseBytes32(version))
	case version == 1:
		return c.fail(at, "found 1, which has 32-bit counts and is no longer supported (2 or 3 expected)")
	default:
		return c.fail(at, "found %d (2 or 3 expected)", version)
	}
}

// count reads the number of parts that take at least least bytes each.
func (c *cursor) count(what string, least uint64) (uint64, error) {
	c.subject = what
	at := c.at
	n, err := c.u64("count")
	if err != nil {
		return 0, err
	}
	// what follows the counts, whichever of the two this is
	if room := uint64(max(c.size-fixedSize, 0)) / least; n > room {
		return 0, c.fail(at, "found %d (%d at most: the file has %d bytes)", n, room, c.size)
	}
	return n, nil
}
