// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"bytes"
	"fmt"
	"testing"
)

// TestBitStoreWords compares words with bits, of any width and place, in blocks that end where memory does.
func TestBitStoreWords(t *testing.T) {
	b := newRandom(71)
	ways := map[string]int{}
	for range 4 * trials {
		stride, n := 1+b.IntN(40), 1+b.IntN(4)
		k := &BitStore{Width: 1 << b.IntN(4), Lane: b.IntN(3)}
		b.storedParts(k, stride, 1+b.IntN(150))
		payload := guarded(t, n*stride)
		for i := range payload {
			payload[i] = byte(b.Uint32())
		}
		f := frameOf(Buffer{U8, 1}, n, stride)
		f.payload = payload
		width := k.Width * (k.Lane + len(k.Parts) + b.IntN(2))
		want, got := make([]byte, n*width), guarded(t, n*width)
		for block := range n {
			k.store(f, block, want[block*width:][:width])
		}
		k.Ready(stride)
		for block := range n {
			k.store(f, block, got[block*width:][:width])
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%s, %d blocks of %d bytes: got % x\nwant % x", k, n, stride, got, want)
		}
		ways[fmt.Sprint(k.rows != nil, k.words != nil)]++
	}
	if len(ways) != 3 {
		t.Errorf("only %v", ways)
	}
}

// storedParts sets what lanes consist of.
func (b random) storedParts(k *BitStore, stride, lanes int) {
	size, whole := 8*k.Width, b.IntN(8) == 0 && k.Width <= stride
	if !whole && b.IntN(2) == 0 {
		k.Sign = 1 + b.IntN(size)
	}
	if !whole && b.IntN(4) == 0 && k.Sign == 0 {
		for range lanes {
			k.Ones = append(k.Ones, b.Uint64()>>(64-size))
		}
	}
	for range lanes {
		if whole {
			k.Parts = append(k.Parts, []Segment{{Bit: 8 * b.IntN(stride-k.Width+1), Width: size}})
			continue
		}
		var parts []Segment
		top := size
		if k.Sign != 0 {
			top = k.Sign
		}
		for left := 0; left < top && len(parts) < 4; {
			width := min(1+b.IntN(64), top-left, 8*stride)
			parts = append(parts, Segment{b.IntN(8*stride - width + 1), width, left})
			left += width + b.IntN(3)
		}
		k.Parts = append(k.Parts, parts)
	}
}

// TestWordStore compares with the twin; nothing behind the elements is written.
func TestWordStore(t *testing.T) {
	b := newRandom(72)
	for range 2 * trials {
		k := &WordStore{Width: 1 << b.IntN(4), Lanes: 1 + b.IntN(40), Lane: b.IntN(3)}
		switch b.IntN(3) {
		case 0:
			k.Sign = 1 + b.IntN(min(32, 8*k.Width))
		case 1:
			k.Ones = b.Uint32() >> (32 - min(32, 8*k.Width))
		}
		n := 1 + b.IntN(5)
		f := frameOf(Buffer{F32, k.Lanes}, n, 1)
		for i := range f.f32[0] {
			f.f32[0][i] = b.float()
		}
		width := k.Width * (k.Lane + k.Lanes + b.IntN(2))
		want, got := make([]byte, n*width), guarded(t, n*width)
		for block := range n {
			k.store(f, block, want[block*width:][:width])
		}
		f.RunStores(f.payload, n, []Store{k}, width, got)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s, %d blocks: got % x\nwant % x", k, n, got, want)
		}
	}
}
