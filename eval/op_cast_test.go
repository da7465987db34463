// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/tensor"
)

func to(t tensor.Type) int64 { return int64(t) }

func mustPack(t *testing.T, typ tensor.Type, dims []int64, codes ...uint8) *tensor.Tensor {
	t.Helper()
	out, err := tensor.Pack(typ, dims, codes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCastKnown(t *testing.T) {
	f := tensor.Of[float32]
	wantNode(t, 25, "Cast", []Value{f([]int64{3}, 1.9, -2.9, 300)}, tensor.Of([]int64{3}, uint8(1), 254, 44), intAttribute("to", to(tensor.Uint8)))
	wantNode(t, 25, "Cast", []Value{tensor.Of([]int64{3}, int32(-1), 200, 77)}, tensor.Of([]int64{3}, int8(-1), -56, 77), intAttribute("to", to(tensor.Int8)))
	wantNode(t, 25, "Cast", []Value{f([]int64{3}, 0, 0.25, float32(math.NaN()))}, tensor.Of([]int64{3}, false, true, true), intAttribute("to", to(tensor.Bool)))
	wantNode(t, 25, "Cast", []Value{mustPack(t, tensor.Int4, []int64{3}, 7, 8, 15)}, f([]int64{3}, 7, -8, -1), intAttribute("to", 1))
	wantNode(t, 25, "Cast", []Value{mustPack(t, tensor.Uint2, []int64{5}, 0, 1, 2, 3, 2)}, tensor.Of([]int64{5}, int64(0), 1, 2, 3, 2), intAttribute("to", 7))
	e4, err := tensor.New(tensor.Float8E4M3FN, []int64{2}, []byte{0x7E, 0x38})
	if err != nil {
		t.Fatal(err)
	}
	wantNode(t, 25, "Cast", []Value{f([]int64{2}, 1e6, 1)}, e4, intAttribute("to", to(tensor.Float8E4M3FN)))
	nan, err := tensor.New(tensor.Float8E4M3FN, []int64{2}, []byte{0x7F, 0x38})
	if err != nil {
		t.Fatal(err)
	}
	wantNode(t, 25, "Cast", []Value{f([]int64{2}, 1e6, 1)}, nan, intAttribute("to", to(tensor.Float8E4M3FN)), intAttribute("saturate", 0))
	for mode, code := range map[string]byte{"up": 129, "down": 128, "nearest": 129} {
		e8, err := tensor.New(tensor.Float8E8M0, []int64{1}, []byte{code})
		if err != nil {
			t.Fatal(err)
		}
		wantNode(t, 25, "Cast", []Value{f([]int64{1}, 3.5)}, e8, intAttribute("to", to(tensor.Float8E8M0)), stringAttribute("round_mode", mode))
	}
	wantNode(t, 25, "CastLike", []Value{f([]int64{2}, 1.5, 2.5), tensor.Of[int64](nil, 9)}, tensor.Of([]int64{2}, int64(1), 2))
}

func TestCastStrings(t *testing.T) {
	f := tensor.Of[float32]
	inf := float32(math.Inf(1))
	wantNode(t, 13, "Cast", []Value{mustStrings(t, []int64{7}, "3.14", "1e-5", "1E8", "INF", "+inf", "-INF", "NaN")},
		f([]int64{7}, 3.14, 1e-5, 1e8, inf, inf, -inf, float32(math.NaN())), intAttribute("to", 1))
	wantNode(t, 13, "Cast", []Value{mustStrings(t, []int64{3}, "12", "-3", "100.5")}, tensor.Of([]int64{3}, int32(12), -3, 100), intAttribute("to", 6))
	wantNode(t, 13, "Cast", []Value{f([]int64{6}, 3.14, 1e-5, 1e20, 2, -inf, float32(math.NaN()))},
		mustStrings(t, []int64{6}, "3.14", "1e-05", "1e+20", "2.0", "-inf", "nan"), intAttribute("to", 8))
	wantNode(t, 13, "Cast", []Value{tensor.Of([]int64{2}, uint64(math.MaxUint64), 7)}, mustStrings(t, []int64{2}, "18446744073709551615", "7"), intAttribute("to", 8))
	wantNode(t, 13, "Cast", []Value{halves(tensor.Float16, []int64{2}, 0.1, 3)}, mustStrings(t, []int64{2}, "0.1", "3.0"), intAttribute("to", 8))
	wantError(t, 13, "Cast", []Value{mustStrings(t, []int64{1}, "Hello")}, "node 0 (Cast): element 0, \"Hello\", is no number", intAttribute("to", 1))
}

func TestCastErrors(t *testing.T) {
	f := tensor.Of[float32](nil, 1)
	wantError(t, 18, "Cast", []Value{f},
		"node 0 (Cast): attribute \"to\" is 17, which is not one of FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, STRING, BOOL, FLOAT16, DOUBLE, UINT32, UINT64, BFLOAT16",
		intAttribute("to", 17))
	wantError(t, 18, "Cast", []Value{f}, "node 0 (Cast): attribute \"to\" is missing")
	wantError(t, 18, "Cast", []Value{f}, "node 0 (Cast): attribute \"to\" is FLOAT, the operator takes INT", floatAttribute("to", 1))
	wantError(t, 25, "Cast", []Value{f}, "node 0 (Cast): attribute \"round_mode\" is \"odd\", expected up, down or nearest",
		intAttribute("to", 1), stringAttribute("round_mode", "odd"))
}
