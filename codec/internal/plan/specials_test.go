// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// specials are the elements of a float type at which something changes: zeros, the least
// and the greatest of each kind, infinities and NaN, each with both signs.
func specials(elem tensor.Type) []uint64 {
	exponent, mantissa := 5, 10
	switch elem {
	case tensor.BFloat16:
		exponent, mantissa = 8, 7
	case tensor.Float:
		exponent, mantissa = 8, 23
	case tensor.Double:
		exponent, mantissa = 11, 52
	}
	one, top := uint64(1)<<mantissa, uint64(1)<<exponent-1
	list := []uint64{0, 1, one - 1, one, one + 1, top / 2 * one, top/2*one + 1, (top - 1) * one, top*one - 1, top * one, top*one + 1, top*one + one/2}
	for _, x := range list[:len(list):len(list)] {
		list = append(list, x|1<<(exponent+mantissa))
	}
	return list
}

// scatter writes elements of the float leaves of a payload, chosen among the special ones.
func scatter(random *rand.Rand, root *structview.Type, payload []byte) {
	for leaf := range root.Layout().Leaves() {
		switch leaf.Element {
		case tensor.Float16, tensor.BFloat16, tensor.Float, tensor.Double:
		default:
			continue
		}
		if leaf.Constant != nil || leaf.Offset%8 != 0 {
			continue
		}
		list := specials(leaf.Element)
		var each func(dims []structview.Dim, at uint64)
		each = func(dims []structview.Dim, at uint64) {
			if len(dims) > 0 {
				for range dims[0].Len {
					each(dims[1:], at)
					at += dims[0].Stride
				}
				return
			}
			code := list[random.IntN(len(list))]
			for i := range leaf.Width / 8 {
				payload[at/8+i] = byte(code >> (8 * i))
			}
		}
		each(leaf.Dims, leaf.Offset)
	}
}

// TestSpecialScales decodes every format with scales of every special value, and every
// range of its rows.
func TestSpecialScales(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Block.GetDecoder() == nil {
			continue
		}
		const rows = 4
		in, root := instance(t, entry, []int64{rows, 3 * max(entry.Values, 1)})
		env := codec.Env{Functions: in.Functions, Opsets: in.Opsets}
		fused, err := codec.New(root, env)
		if err != nil {
			t.Fatal(err)
		}
		env.Literal = true
		literal, err := codec.New(root, env)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := root.Bytes()
		random := rand.New(rand.NewPCG(6, 6))
		for try := range 12 {
			payload := fill(random, int(size), try)
			scatter(random, root, payload)
			want, err := literal.Decode(t.Context(), payload)
			if err != nil {
				t.Fatal(err)
			}
			for a := int64(0); a <= rows; a++ {
				for b := a; b <= rows; b++ {
					got, err := fused.DecodeRows(t.Context(), payload, a, b)
					if err != nil {
						t.Fatal(err)
					}
					each := want.Len() / rows
					cut := tensor.Slice[float32](want)[a*each : b*each]
					compare(t, tensor.Slice[float32](got), cut)
				}
			}
		}
	}
}
