// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// wantAll runs one operator and compares all of its outputs.
func wantAll(t *testing.T, version int64, op string, in []Value, want []*tensor.Tensor, attrs ...*onnxpb.AttributeProto) {
	t.Helper()
	out, err := runNode(t, version, op, in, len(want), attrs...)
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	for i := range want {
		if got, ok := out[i].(*tensor.Tensor); !ok || !tensor.EqualValues(got, want[i]) {
			t.Errorf("%s output %d: got %s, want %s", op, i, text(out[i]), text(want[i]))
		}
	}
}

func TestTopK(t *testing.T) {
	m := f32s([]int64{2, 3}, 4, 9, 4, 5, float32(nan), 7)
	two := i64s([]int64{1}, 2)
	wantAll(t, 11, "TopK", []Value{m, two}, []*tensor.Tensor{
		f32s([]int64{2, 2}, 9, 4, float32(nan), 7), i64s([]int64{2, 2}, 1, 0, 1, 2),
	})
	wantAll(t, 24, "TopK", []Value{m, two}, []*tensor.Tensor{
		f32s([]int64{2, 2}, 4, 4, 5, 7), i64s([]int64{2, 2}, 0, 2, 0, 2),
	}, intAttribute("largest", 0), intAttribute("sorted", 0))
	wantAll(t, 10, "TopK", []Value{m, i64s([]int64{1}, 1)}, []*tensor.Tensor{
		f32s([]int64{1, 3}, 5, float32(nan), 7), i64s([]int64{1, 3}, 1, 1, 1),
	}, intAttribute("axis", 0))
	wantAll(t, 1, "TopK", []Value{m}, []*tensor.Tensor{f32s([]int64{2, 1}, 9, float32(nan)), i64s([]int64{2, 1}, 1, 1)}, intAttribute("k", 1))
	wantAll(t, 11, "TopK", []Value{tensor.Of([]int64{2}, uint64(1), math.MaxUint64), two}, []*tensor.Tensor{
		tensor.Of([]int64{2}, uint64(math.MaxUint64), 1), i64s([]int64{2}, 1, 0),
	})
	wantAll(t, 24, "TopK", []Value{codes16(t, tensor.BFloat16, []uint16{0xbf80, 0x8000}), i64s([]int64{1}, 1)}, []*tensor.Tensor{
		codes16(t, tensor.BFloat16, []uint16{0x8000}), i64s([]int64{1}, 1),
	})
	wantAll(t, 11, "TopK", []Value{m, i64s([]int64{1}, 0)}, []*tensor.Tensor{f32s([]int64{2, 0}), i64s([]int64{2, 0})})
	wantError(t, 11, "TopK", []Value{m, i64s([]int64{1}, 4)}, "node 0 (TopK): the input K is 4, axis 1 of FLOAT[2,3] has 3 elements")
	wantError(t, 11, "TopK", []Value{m, i64s([]int64{1}, -1)}, "node 0 (TopK): the input K is -1, expected 0 or more")
}

func TestUnique(t *testing.T) {
	x := strs([]int64{5}, "b", "a", "b", "c", "a")
	wantAll(t, 11, "Unique", []Value{x}, []*tensor.Tensor{
		strs([]int64{3}, "a", "b", "c"), i64s([]int64{3}, 1, 0, 3), i64s([]int64{5}, 1, 0, 1, 2, 0), i64s([]int64{3}, 2, 2, 1),
	})
	wantAll(t, 11, "Unique", []Value{x}, []*tensor.Tensor{
		strs([]int64{3}, "b", "a", "c"), i64s([]int64{3}, 0, 1, 3), i64s([]int64{5}, 0, 1, 0, 2, 1), i64s([]int64{3}, 2, 2, 1),
	}, intAttribute("sorted", 0))
	m := f32s([]int64{3, 2}, 1, 9, 0, 5, 1, 9)
	wantAll(t, 11, "Unique", []Value{m}, []*tensor.Tensor{
		f32s([]int64{2, 2}, 0, 5, 1, 9), i64s([]int64{2}, 1, 0), i64s([]int64{3}, 1, 0, 1), i64s([]int64{2}, 1, 2),
	}, intAttribute("axis", 0))
	wantAll(t, 11, "Unique", []Value{m}, []*tensor.Tensor{
		m, i64s([]int64{2}, 0, 1), i64s([]int64{2}, 0, 1), i64s([]int64{2}, 1, 1),
	}, intAttribute("axis", -1))
	zero := float32(math.Copysign(0, -1))
	wantAll(t, 11, "Unique", []Value{f32s([]int64{4}, float32(nan), zero, 0, float32(nan))}, []*tensor.Tensor{
		f32s([]int64{2}, zero, float32(nan)), i64s([]int64{2}, 1, 0), i64s([]int64{4}, 1, 0, 0, 1), i64s([]int64{2}, 2, 2),
	})
	wantAll(t, 11, "Unique", []Value{tensor.Of([]int64{3}, 1i, 2, 1i)}, []*tensor.Tensor{
		tensor.Of([]int64{2}, 1i, 2), i64s([]int64{2}, 0, 1),
	})
	wantAll(t, 11, "Unique", []Value{f32s([]int64{0})}, []*tensor.Tensor{f32s([]int64{0}), i64s([]int64{0}), i64s([]int64{0}), i64s([]int64{0})})
	wantAll(t, 11, "Unique", []Value{f32s(nil, 5)}, []*tensor.Tensor{f32s([]int64{1}, 5), i64s([]int64{1}, 0), i64s([]int64{1}, 0)})
}

// TestUniqueRebuilds: the unique elements at the inverse indices are the input, and the counts add up.
func TestUniqueRebuilds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v := rapid.SliceOfN(rapid.Int64Range(-3, 3), 0, 30).Draw(r, "v")
		sorted := rapid.Int64Range(0, 1).Draw(r, "sorted")
		out, err := runNode(t, 11, "Unique", []Value{i64s([]int64{int64(len(v))}, v...)}, 4, intAttribute("sorted", sorted))
		if err != nil {
			r.Fatal(err)
		}
		list := make([][]int64, 4)
		for i := range out {
			list[i] = tensor.Slice[int64](out[i].(*tensor.Tensor))
		}
		counts := make([]int64, len(list[0]))
		for i, g := range list[2] {
			if list[0][g] != v[i] {
				r.Fatalf("element %d is %d, rebuilt %d", i, v[i], list[0][g])
			}
			if counts[g] == 0 && list[1][g] != int64(i) {
				r.Fatalf("the first of group %d is %d, not %d", g, i, list[1][g])
			}
			counts[g]++
		}
		for g := range counts {
			if counts[g] != list[3][g] {
				r.Fatalf("group %d has %d elements, counted %d", g, counts[g], list[3][g])
			}
			if sorted == 1 && g > 0 && list[0][g-1] >= list[0][g] {
				r.Fatalf("not in ascending order: %v", list[0])
			}
		}
	})
}
