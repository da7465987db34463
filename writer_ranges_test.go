// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview"
	"pgregory.net/rapid"
)

// TestRangesTouchNothingElse writes a random part of a random leaf, in bulk, into the middle
// of another value: exactly the bits of its elements become those of the source.
func TestRangesTouchNothingElse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		source := randomValue(t, rt)
		root := source.Type()
		payload := randomBytes(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "other"), 2)), int(root.Bits()/8))
		before := slices.Clone(payload)
		leaves := slices.DeleteFunc(slices.Collect(root.Layout().Leaves()), func(l structview.Leaf) bool { return l.Constant != nil })
		r, err := root.Layout().Resolve(somePath(rt, root, rapid.SampledFrom(leaves).Draw(rt, "leaf")))
		ok(rt, err)
		w := must(structview.Patch(root, payload)).Unguarded()
		writeRange(rt, w, r, source)

		want, from := bigOf(before), bigOf(mustBits(rt, source))
		eachElement(rt, r, func(one structview.Ref) {
			for bit := one.Offset(); bit < one.Offset()+one.Width(); bit++ {
				want.SetBit(want, int(bit), from.Bit(int(bit)))
			}
		})
		if got := bigOf(payload); got.Cmp(want) != 0 {
			rt.Fatalf("%s: changed %x, want %x", r.Path(), new(big.Int).Xor(got, bigOf(before)), want.Xor(want, bigOf(before)))
		}
		if r.Len() == 0 && !bytes.Equal(payload, before) {
			rt.Fatal("an empty range changes something")
		}
	})
}

// somePath draws an index or a range for some dimensions of a leaf.
func somePath(t *rapid.T, root *structview.Type, l structview.Leaf) structview.Path {
	if slices.ContainsFunc(l.Dims, func(d structview.Dim) bool { return d.Len == 0 }) {
		return must(structview.ParsePath(l.Path))
	}
	full, _, err := root.Layout().At(l.Offset)
	ok(t, err)
	var path structview.Path
	k := 0
	for _, step := range full {
		if step.Name != "" {
			path = append(path, step)
			continue
		}
		n := l.Dims[k].Len
		k++
		from := rapid.Uint64Range(0, n-1).Draw(t, "from")
		switch rapid.IntRange(0, 3).Draw(t, "step") {
		case 0:
			path = append(path, structview.Index(from))
		case 1:
			path = append(path, structview.Step{IsRange: true, From: from, To: rapid.Uint64Range(from, n).Draw(t, "to")})
		default:
			path = append(path, structview.Step{IsRange: true, To: structview.ToEnd})
		}
	}
	return path
}

// writeRange writes what stands in source at r.
func writeRange(t *rapid.T, w structview.Writer, r structview.Ref, source structview.View) {
	x, err := source.Tensor(r)
	run, cannot := source.Run(r)
	switch {
	case err != nil: // a component of more than 64 bits
		eachElement(t, r, func(one structview.Ref) {
			bits, err := source.AppendBits(nil, one)
			ok(t, err)
			ok(t, w.SetBits(one, bits))
		})
	case cannot == nil && rapid.Bool().Draw(t, "run"):
		ok(t, w.SetRun(r, run.All()))
	default:
		ok(t, w.SetTensor(r, x))
	}
}
