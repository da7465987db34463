// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// part is a run of bytes of a block; lanes tells which values bit b of byte j of the run may change.
// The table below states each block's layout a second time, by byte and bit, apart from the declarations.
type part struct {
	bytes int
	lanes func(j, b int) []int
}

func run(start, n int) []int {
	lanes := make([]int, n)
	for i := range lanes {
		lanes[i] = start + i
	}
	return lanes
}

func all(n int) func(j, b int) []int { return func(_, _ int) []int { return run(0, n) } }

func none(_, _ int) []int { return nil }

// groups: each byte belongs to the n values from n j on.
func groups(n int) func(j, b int) []int { return func(j, _ int) []int { return run(n*j, n) } }

// half: each nibble belongs to the n values from n (2j + nibble) on.
func half(n int) func(j, b int) []int { return func(j, b int) []int { return run(n*(2*j+b/4), n) } }

// planes: in groups of w bytes, value p w + j is the p-th field of bits bits of byte j.
func planes(bits, w int) func(j, b int) []int {
	return func(j, b int) []int { return []int{j/w*w*8/bits + b/bits*w + j%w} }
}

func bitEach(j, b int) []int { return []int{8*j + b} }

// stream: codes of some bits one after the other.
func stream(bits int) func(j, b int) []int {
	return func(j, b int) []int { return []int{(8*j + b) / bits} }
}

// signs7: 7-bit sign indices from bit 0 of a word on; the eighth sign is the parity of the seven.
func signs7(first, t int) []int { return []int{first + t/7*8 + t%7, first + t/7*8 + 7} }

var layouts = map[string][]part{
	"f32": {{4, all(1)}}, "f64": {{8, all(1)}}, "f16": {{2, all(1)}}, "bf16": {{2, all(1)}},
	"i8": {{1, all(1)}}, "i16": {{2, all(1)}}, "i32": {{4, all(1)}}, "i64": {{8, all(1)}},
	"q4_0":   {{2, all(32)}, {16, planes(4, 16)}},
	"q4_1":   {{4, all(32)}, {16, planes(4, 16)}},
	"q5_0":   {{2, all(32)}, {4, bitEach}, {16, planes(4, 16)}},
	"q5_1":   {{4, all(32)}, {4, bitEach}, {16, planes(4, 16)}},
	"q8_0":   {{2, all(32)}, {32, groups(1)}},
	"q8_1":   {{2, all(32)}, {2, none}, {32, groups(1)}},
	"q8_K":   {{4, all(256)}, {256, groups(1)}, {32, none}},
	"q1_0":   {{2, all(128)}, {16, bitEach}},
	"q2_0":   {{2, all(64)}, {16, func(j, b int) []int { return []int{4*j + b/2} }}},
	"mxfp4":  {{1, all(32)}, {16, planes(4, 16)}},
	"nvfp4":  {{4, groups(16)}, {32, planes(4, 8)}},
	"iq4_nl": {{2, all(32)}, {16, planes(4, 16)}},
	"tq1_0":  {{48, ternary}, {4, ternaryHigh}, {2, all(256)}},
	"tq2_0":  {{64, planes(2, 32)}, {2, all(256)}},
	"q2_K":   {{16, groups(16)}, {64, planes(2, 32)}, {4, all(256)}},
	"q3_K":   {{32, planes(1, 32)}, {64, planes(2, 32)}, {12, scalesQ3}, {2, all(256)}},
	"q4_K":   {{4, all(256)}, {12, scalesQ4}, {128, planes(4, 32)}},
	"q5_K":   {{4, all(256)}, {12, scalesQ4}, {32, planes(1, 32)}, {128, planes(4, 32)}},
	"q6_K":   {{128, planes(4, 64)}, {64, planes(2, 32)}, {16, groups(16)}, {2, all(256)}},
	"iq2_xxs": {{2, all(256)}, {64, func(j, b int) []int {
		pair, in := 32*(j/8), j%8
		if in < 4 {
			return run(pair+8*in, 8)
		}
		if t := 8*(in-4) + b; t < 28 {
			return signs7(pair, t)
		}
		return run(pair, 32)
	}}},
	"iq2_xs": {{2, all(256)}, {64, func(j, b int) []int {
		if t := 8*(j%2) + b; t >= 9 {
			return signs7(8*(j/2), t-9)
		}
		return run(8*(j/2), 8)
	}}, {8, half(16)}},
	"iq2_s": {
		{2, all(256)},
		{32, groups(8)},
		{32, bitEach},
		{8, func(j, b int) []int { return run(8*(4*j+b/2), 8) }},
		{8, half(16)},
	},
	"iq3_xxs": {{2, all(256)}, {64, groups(4)}, {32, func(j, b int) []int {
		pair := 32 * (j / 4)
		if t := 8*(j%4) + b; t < 28 {
			return signs7(pair, t)
		}
		return run(pair, 32)
	}}},
	"iq3_s": {
		{2, all(256)},
		{64, groups(4)},
		{8, func(j, b int) []int { return run(4*(8*j+b), 4) }},
		{32, bitEach},
		{4, half(32)},
	},
	"iq1_s": {{2, all(256)}, {32, groups(8)}, {16, func(j, b int) []int {
		pair := 32 * (j / 2)
		if t := 8*(j%2) + b; t < 12 {
			return run(pair+t/3*8, 8)
		}
		return run(pair, 32)
	}}},
	"iq1_m": {{32, groups(8)}, {16, half(8)}, {8, func(j, b int) []int {
		if t := 8*(j%2) + b; t < 12 {
			return run(64*(j/2)+t/3*16, 16)
		}
		return run(0, 256)
	}}},
	"iq4_xs": {
		{2, all(256)},
		{2, func(j, b int) []int { return run(32*(4*j+b/2), 32) }},
		{4, half(32)},
		{128, planes(4, 16)},
	},
	"mx.fp4":        {{1, all(32)}, {16, stream(4)}},
	"mx.fp6_e2m3":   {{1, all(32)}, {24, stream(6)}},
	"mx.fp6_e3m2":   {{1, all(32)}, {24, stream(6)}},
	"mx.fp8_e4m3":   {{1, all(32)}, {32, groups(1)}},
	"mx.fp8_e5m2":   {{1, all(32)}, {32, groups(1)}},
	"mx.int8":       {{1, all(32)}, {32, groups(1)}},
	"linear.affine": {{4, all(32)}, {16, stream(4)}},
}

func ternary(j, _ int) []int {
	first, step := j, 32
	if j >= 32 {
		first, step = 160+j-32, 16
	}
	return []int{first, first + step, first + 2*step, first + 3*step, first + 4*step}
}

func ternaryHigh(j, _ int) []int { return []int{240 + j, 244 + j, 248 + j, 252 + j} }

func scalesQ3(j, b int) []int {
	k := j + b/4*8
	if j >= 8 {
		k = j - 8 + b/2*4
	}
	return run(16*k, 16)
}

func scalesQ4(j, b int) []int {
	k := j
	switch {
	case j < 4 && b >= 6:
		k = j + 4
	case j >= 4 && j < 8 && b < 6, j >= 8:
		k = j - 4
	}
	return run(32*k, 32)
}

// lanesOf returns the lanes that a bit of a block may change.
func lanesOf(parts []part, bit int) []int {
	j := bit / 8
	for _, p := range parts {
		if j < p.bytes {
			return p.lanes(j, bit%8)
		}
		j -= p.bytes
	}
	return nil
}

// Flipping a bit of a block changes none but the lanes of its part, and every bit that has
// lanes changes one of them under some payload.
func TestFlippedBits(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts, ok := layouts[strings.TrimPrefix(name, "ggml.")]
			if !ok {
				t.Fatal("no lanes written down")
			}
			e, err := catalog.Builtin().Entry(name)
			if err != nil {
				t.Fatal(err)
			}
			checkFlips(t, e, parts)
		})
	}
}

func checkFlips(t *testing.T, e *catalog.Entry, parts []part) {
	bits := int(e.Type().Bits())
	total := 0
	for _, p := range parts {
		total += 8 * p.bytes
	}
	if total != bits {
		t.Fatalf("block of %d bits, %d written down", bits, total)
	}
	c := codecOf(t, e, []int64{int64(bits+1) * e.Values})
	changed := make([]bool, bits)
	missing := func(k int) bool { return len(lanesOf(parts, k)) > 0 && !changed[k] }
	random := rand.New(rand.NewPCG(1, uint64(bits)))
	for round := range 12 {
		block := make([]byte, bits/8)
		for i := range block {
			block[i] = byte(random.Uint32())
		}
		if telling := tellingBlocks[e.Name]; round < len(telling) {
			copy(block, telling[round])
		}
		flipAll(t, c, block, parts, changed)
		if !slices.ContainsFunc(run(0, bits), missing) {
			return
		}
	}
	for k := range bits {
		if missing(k) {
			t.Errorf("bit %d never changes a lane", k)
		}
	}
}

// tellingBlocks begin blocks in which bits show that random ones hide: ties, whose rounding the lowest bit decides, and the
// one scale byte of nvfp4 whose highest bit counts.
var tellingBlocks = map[string][][]byte{
	"ggml.f64": {
		{0, 0, 0, 0x10, 0, 0, 0xf0, 0x3f}, // 1 + 2^-24
		{0, 0, 0, 0x30, 0, 0, 0xf0, 0x3f}, // 1 + 3 * 2^-24
	},
	"ggml.i32":   {{0x40, 0, 0, 0x40}},             // 2^30 + 2^6
	"ggml.i64":   {{0, 0, 0, 0, 0x40, 0, 0, 0x40}}, // 2^62 + 2^38
	"ggml.nvfp4": {{0x7f, 0x7f, 0x7f, 0x7f}},
}

// flipAll decodes a block as it is and with each of its bits flipped, and notes which bits change a value.
func flipAll(t *testing.T, c *codec.Codec, block []byte, parts []part, changed []bool) {
	bits := len(changed)
	payload := slices.Repeat(block, bits+1)
	for k := range bits {
		payload[(k+1)*len(block)+k/8] ^= 1 << (k % 8)
	}
	y := tensor.Slice[float32](decode(t, c, payload))
	n := len(y) / (bits + 1)
	for k := range bits {
		allowed := lanesOf(parts, k)
		flipped := y[(k+1)*n : (k+2)*n]
		for lane := range n {
			if sameFloats(y[lane:lane+1], flipped[lane:lane+1]) == nil {
				continue
			}
			changed[k] = true
			if !slices.Contains(allowed, lane) {
				t.Fatalf("bit %d changes lane %d, expected only %v", k, lane, allowed)
			}
		}
	}
}
