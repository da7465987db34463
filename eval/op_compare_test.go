// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/tensor"
)

func TestCompareKnown(t *testing.T) {
	f, b := tensor.Of[float32], tensor.Of[bool]
	nan := float32(math.NaN())
	x, y := f([]int64{4}, 1, 2, nan, 4), f([]int64{4}, 2, 2, nan, 3)
	wantNode(t, 19, "Equal", []Value{x, y}, b([]int64{4}, false, true, false, false))
	wantNode(t, 13, "Less", []Value{x, y}, b([]int64{4}, true, false, false, false))
	wantNode(t, 13, "Greater", []Value{x, y}, b([]int64{4}, false, false, false, true))
	wantNode(t, 16, "LessOrEqual", []Value{x, y}, b([]int64{4}, true, true, false, false))
	wantNode(t, 16, "GreaterOrEqual", []Value{x, y}, b([]int64{4}, false, true, false, true))
	p, q := b([]int64{2, 1}, true, false), b([]int64{2}, true, false)
	wantNode(t, 13, "And", []Value{p, q}, b([]int64{2, 2}, true, false, false, false))
	wantNode(t, 13, "Or", []Value{p, q}, b([]int64{2, 2}, true, true, true, false))
	wantNode(t, 13, "Xor", []Value{p, q}, b([]int64{2, 2}, false, true, true, false))
	wantNode(t, 13, "Not", []Value{q}, b([]int64{2}, false, true))
	wantNode(t, 20, "IsNaN", []Value{x}, b([]int64{4}, false, false, true, false))
	inf := float32(math.Inf(1))
	wantNode(t, 20, "IsInf", []Value{f([]int64{3}, inf, -inf, 7)}, b([]int64{3}, false, true, false), intAttribute("detect_positive", 0))
	s, err := tensor.NewStrings([]int64{2}, [][]byte{[]byte("ab"), []byte("c")})
	if err != nil {
		t.Fatal(err)
	}
	one, err := tensor.NewStrings(nil, [][]byte{[]byte("c")})
	if err != nil {
		t.Fatal(err)
	}
	wantNode(t, 19, "Equal", []Value{s, one}, b([]int64{2}, false, true))
	wantNode(t, 16, "Where", []Value{p, s, one}, mustStrings(t, []int64{2, 2}, "ab", "c", "c", "c"))
	wantNode(t, 16, "Where", []Value{p, f([]int64{2}, 1, 2), f([]int64{2, 1}, 3, 4)}, f([]int64{2, 2}, 1, 2, 4, 4))
	c := tensor.Of[complex128]
	wantNode(t, 16, "Where", []Value{q, c([]int64{2}, 1i, 2), c(nil, 5)}, c([]int64{2}, 1i, 5))
}

func mustStrings(t *testing.T, dims []int64, v ...string) *tensor.Tensor {
	t.Helper()
	list := make([][]byte, len(v))
	for i, s := range v {
		list[i] = []byte(s)
	}
	out, err := tensor.NewStrings(dims, list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBitwiseKnown(t *testing.T) {
	u8, i16 := tensor.Of[uint8], tensor.Of[int16]
	wantNode(t, 18, "BitwiseAnd", []Value{u8([]int64{2}, 0xF3, 0x5A), u8(nil, 0x0F)}, u8([]int64{2}, 3, 0x0A))
	wantNode(t, 18, "BitwiseOr", []Value{i16([]int64{2}, 0x0F00, -256), i16(nil, 0x0F)}, i16([]int64{2}, 0x0F0F, -241))
	wantNode(t, 18, "BitwiseXor", []Value{u8([]int64{2}, 0xF3, 0x5A), u8(nil, 0xFF)}, u8([]int64{2}, 0x0C, 0xA5))
	wantNode(t, 18, "BitwiseNot", []Value{i16([]int64{2}, 5, -1)}, i16([]int64{2}, -6, 0))
	wantNode(t, 13, "BitShift", []Value{u8([]int64{4}, 0x81, 0x81, 0x81, 1), u8([]int64{4}, 0, 1, 7, 8)},
		u8([]int64{4}, 0x81, 2, 0x80, 0), stringAttribute("direction", "LEFT"))
	wantNode(t, 13, "BitShift", []Value{u8([]int64{3}, 0x81, 0x81, 0xFF), u8([]int64{3}, 1, 7, 200)},
		u8([]int64{3}, 0x40, 1, 0), stringAttribute("direction", "RIGHT"))
	wantNode(t, 26, "BitCast", []Value{tensor.Of([]int64{2}, uint32(0x3F800000), 0xC0000000)},
		tensor.Of([]int64{2}, float32(1), -2), intAttribute("to", 1))
	wantError(t, 26, "BitCast", []Value{u8(nil, 1)}, "node 0 (BitCast): UINT8 has 8 bits, FLOAT has 32: BitCast keeps the width", intAttribute("to", 1))
	wantError(t, 13, "BitShift", []Value{u8(nil, 1), u8(nil, 1)},
		"node 0 (BitShift): attribute \"direction\" is \"left\", expected LEFT or RIGHT", stringAttribute("direction", "left"))
}
