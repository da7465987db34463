// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// FuzzWriter: no path and no number makes a write panic, change a bit that the path does
// not lead to, or leave anything else than what it says; a refused one changes nothing.
func FuzzWriter(f *testing.F) {
	for i, path := range []string{
		"", "[1]", "[0].blocks[3].qs[15].lo", `[1]."a b"`, "codes[1][1]", "[1].m[1][2]", "blocks[1:3].qs[:2].hi", "[18446744073709551615]",
		"blocks.qs.lo", "[1:].m[:][1:2]", `"\u0061 b"`, "[0].wide[1].x", "wide.y", "[0].ok", "[1:1].h", "h", "z", "z.q", "[0].blocks[2]", "[1].e4",
	} {
		f.Add(path, byte(i), int64(i*5-3), 1.5*float64(i))
	}
	root := resolved(f, q4(), array(inline(structure(
		member("blocks", inline(array(ref(0), 4))),
		member("m", leaf(tensor.Int4, 2, 3)),
		member("wide", inline(packing(2, part("x", 70), part("y", 3)))),
		member("a b", leaf(tensor.Complex128)), member("ok", leaf(tensor.Bool)),
		member("h", leaf(tensor.Float16)), member("e4", leaf(tensor.Float8E4M3FN)), member("i", leaf(tensor.Int64)),
		constant("codes", tensor.Of([]int64{2, 2}, int8(1), -2, 3, -4)),
		member("z", inline(array(inline(structure(member("q", leaf(tensor.Int8)))), 0))),
		member("pad", inline(packing(1, part("p", 6)))),
	)), 2))
	start := randomBytes(rand.New(rand.NewPCG(31, 32)), int(root.Bits()/8))
	f.Fuzz(func(t *testing.T, path string, way byte, whole int64, x float64) {
		payload := slices.Clone(start)
		w := must(structview.Patch(root, payload)).Unguarded()
		w.Overflow = structview.Overflow(way / 64 % 3)
		counted := must(structview.NewWriter(root))
		r, err := w.At(path)
		if err != nil {
			return
		}
		err = write(w, r, way, whole, x)
		again := write(counted, r, way, whole, x)
		if (err == nil) != (again == nil) && way/64%3 == 0 {
			t.Fatalf("%q: %v, and %v", path, err, again)
		}
		if err != nil && !bytes.Equal(payload, start) {
			t.Fatalf("%q: changed, and %v", path, err)
		}
		checkFuzzed(t, root, path, start, payload)
		if again != nil || way/64%3 != 0 {
			return
		}
		left := map[uint64]bool{}
		inside := bitsOf(t, root, path)
		for b := range root.Bits() {
			left[b] = !inside[b]
		}
		for u := range counted.Unset() {
			checkUnset(t, counted, u, left)
		}
	})
}

// write writes in one of several ways.
func write(w structview.Writer, r structview.Ref, way byte, whole int64, x float64) error {
	switch way % 8 {
	case 0:
		return w.ZeroAt(r)
	case 1:
		return w.SetInt64(r, whole)
	case 2:
		return w.SetFloat64(r, x)
	case 3:
		return w.SetUint64(r, uint64(whole))
	case 4:
		return w.SetAt(r, complex(x, float64(whole)))
	case 5:
		return w.SetAt(r, slices.Repeat([]int64{whole}, int(min(r.Len(), 1000))))
	case 6:
		return w.SetBits(r, slices.Repeat([]byte{byte(whole)}, int(min(64, (r.Width()+7)/8))))
	default:
		source := must(structview.NewView(w.Type(), slices.Repeat([]byte{byte(whole)}, int(w.Type().Bits()/8))))
		if x, err := source.Tensor(r); err == nil {
			return w.SetTensor(r, x)
		}
		sub, err := source.Sub(r)
		if err != nil {
			return err
		}
		return w.Copy(r, sub)
	}
}

// checkFuzzed compares two payloads outside of a path.
func checkFuzzed(t *testing.T, root *structview.Type, path string, before, after []byte) {
	if bytes.Equal(before, after) {
		return
	}
	inside := bitsOf(t, root, path)
	for i := range before {
		for changed := before[i] ^ after[i]; changed != 0; changed &= changed - 1 {
			bit := uint64(8*i) + uint64(trailing(changed))
			if !inside[bit] {
				t.Fatalf("%q: bit %d changed", path, bit)
			}
		}
	}
}

func trailing(b byte) (n int) {
	for ; b&1 == 0; b >>= 1 {
		n++
	}
	return n
}
