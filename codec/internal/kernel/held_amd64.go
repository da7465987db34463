// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "math/bits"

// lut makes a Lut ready: in one or two registers, as two halves, or by shuffles of each sixteen entries.
func (f *Frame) lut(k *Lut) calls {
	size := max(len(k.Table), 16)
	table := make([]byte, size)
	for i := range table {
		table[i] = k.Table[i%len(k.Table)]
	}
	loop, mask := flatLut, size-1
	switch size {
	case 32:
		loop = flatLut32
	case 64:
		loop = flatLut64
	case 128:
		loop, mask = flatLut128, 15
	case 256:
		loop, mask = flatLut256, 15
	}
	if size > 32 {
		if halves, ok := halvesOf(table, false); ok {
			loop, table, mask = flatHalvesXOR, halves[:], 15
		} else if halves, ok := halvesOf(table, true); ok {
			loop, table, mask = flatHalvesADDB, halves[:], 15
		}
	}
	return f.flat(k.From, k.Lanes, k.To, loop, func(a *unpackArgs) {
		copy(a.lut[:], table)
		a.with, a.mask = address(table), uint16(mask)
	})
}

// held makes a Held ready. Codes in the payload are copied into the target first.
func (f *Frame) held(k *Held) calls {
	var made calls
	src := k.To
	if k.From.InPlace == nil {
		src = k.From.Buffer
	} else {
		if k.Lanes%32 != 0 { // what is written too much would be the next block's codes
			src = f.scratch(Buffer{U8, k.Lanes})
		}
		made = f.unpack(rowBits(k.From.InPlace), 8, Target{Buffer: src})
	}
	if k.Entries > 256 || f.u8[k.Table] == nil || f.u8[src] == nil || k.Table == k.To {
		return nil
	}
	size := max(bits.Len(uint(k.Entries-1)), 4)
	c := &call{
		loop: heldLoops[size-4], tables: f.pitch[k.Table], pace: pace{units: pieceLanes / 32, src: 32, dst: 32},
		args: unpackArgs{
			src: address(f.u8[src]), stride: f.pitch[src], dst: address(f.u8[k.To]), pitch: f.pitch[k.To],
			with: address(f.u8[k.Table]), step: f.pitch[k.Table], count: (k.Lanes + 31) / 32, mask: 15,
		},
	}
	return append(made, c)
}

// entries is single floats of a table by words or by floats; where they go is not set.
func (f *Frame) entries(k *Epilogue) *call {
	id := k.Source.From
	c := &call{loop: wordTable, pace: pace{units: slowLanes, src: 2, dst: 4}}
	c.args = unpackArgs{src: address(f.u16[id]), stride: 2 * f.pitch[id], with: address(k.Source.Table), count: k.Lanes}
	if f.u16[id] == nil {
		c.loop, c.pace.src = floatTable, 4
		c.args.src, c.args.stride = address(f.f32[id]), 4*f.pitch[id]
	}
	return c
}
