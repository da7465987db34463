// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

func writer(t testing.TB, root *structview.Type) structview.Writer {
	t.Helper()
	w, err := structview.NewWriter(root)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWritesEqualTheOracle writes a random value by each way of writing, into memory
// that holds something else, and finds it there bit by bit.
func TestWritesEqualTheOracle(t *testing.T) {
	ways := map[string]func(*rapid.T, structview.Writer, structview.View){
		"element": writeElements, "shuffled": writeShuffled, "tensor": writeTensors, "run": writeRuns,
		"parts": writeParts, "value": writeWhole,
	}
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				source := randomValue(t, rt)
				want, err := source.Bits()
				if err != nil {
					rt.Fatal(err)
				}
				w, err := structview.NewWriterInto(source.Type(), bytes.Repeat([]byte{0xA5}, len(want)))
				if err != nil {
					rt.Fatal(err)
				}
				ways[name](rt, w, source)
				got, err := w.Bytes()
				if err != nil || !bytes.Equal(got, want) {
					rt.Fatalf("% x (%v), want % x", got, err, want)
				}
			})
		})
	}
}

// randomValue draws declarations and a payload, in which every BOOL is 0 or 1.
func randomValue(t *testing.T, rt *rapid.T) structview.View {
	decls := declarations(rt)
	bits, err := structview.BitSize(decls, decls[len(decls)-1])
	if err != nil {
		rt.Fatal(err)
	}
	root := resolved(t, padded(decls, bits)...)
	payload := randomBytes(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)), int(root.Bits()/8))
	w, err := structview.Patch(root, payload)
	if err != nil {
		rt.Fatal(err)
	}
	for e := range root.Layout().Elements(0, root.Bits()) {
		if e.Type == tensor.Bool {
			ok(rt, w.SetUint64(elementRef(rt, w.View(), e), uint64(e.Offset)&1))
		}
	}
	return view(t, root, payload)
}

func ok(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func elementRef(t *rapid.T, v structview.View, e structview.Element) structview.Ref {
	path, _, err := v.Type().Layout().At(e.Offset)
	ok(t, err)
	r, err := v.Type().Layout().Resolve(path)
	ok(t, err)
	return r
}

func writeElements(t *rapid.T, w structview.Writer, source structview.View) {
	for e := range source.Type().Layout().Elements(0, source.Type().Bits()) {
		writeElement(t, w, source, e)
	}
}

func writeShuffled(t *rapid.T, w structview.Writer, source structview.View) {
	all := slices.Collect(source.Type().Layout().Elements(0, source.Type().Bits()))
	for k, i := range rapid.Permutation(indices(len(all))).Draw(t, "order") {
		if _, err := w.Bytes(); err == nil {
			t.Fatalf("complete after %d of %d elements", k, len(all))
		}
		writeElement(t, w, source, all[i])
	}
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// writeElement writes one element as it is read in one of the ways that suit it.
func writeElement(t *rapid.T, w structview.Writer, source structview.View, e structview.Element) {
	from, r := elementRef(t, source, e), elementRef(t, w.View(), e)
	bits, err := source.AppendBits(nil, from)
	ok(t, err)
	whole := e.Type.IsInteger() || e.Type == tensor.Bool
	way := rapid.IntRange(0, 4).Draw(t, "way")
	switch x, err := source.Uint64(from); {
	case way == 0 || err != nil:
		ok(t, w.SetBits(r, bits))
	case way == 1 && whole && e.Width < 64:
		n, err := source.Int64(from)
		ok(t, err)
		ok(t, w.SetInt64(r, n))
	case way == 2 && whole && e.Width <= 53:
		f, err := source.Float64(from)
		ok(t, err)
		ok(t, w.SetFloat64(r, f))
	case way == 3 && whole && e.Width < 64:
		n, err := source.Int64(from)
		ok(t, err)
		ok(t, w.SetAt(r, n))
	default:
		ok(t, w.SetUint64(r, x))
	}
}

func writeTensors(t *rapid.T, w structview.Writer, source structview.View) {
	for l := range source.Type().Layout().Leaves() {
		if l.Constant != nil {
			continue
		}
		r := source.Type().Layout().Ref(l)
		if _, cannot := l.TensorDims(); cannot != nil {
			eachElement(t, r, func(one structview.Ref) {
				bits, err := source.AppendBits(nil, one)
				ok(t, err)
				ok(t, w.SetBits(one, bits))
			})
			continue
		}
		x, err := structview.BindLeaf(source, l)
		ok(t, err)
		if rapid.Bool().Draw(t, "sliced") && len(r.Dims()) > 0 {
			for i := range r.Dims()[0].Len { // by slices along the first dimension
				row, err := r.Index(i)
				ok(t, err)
				x, err := source.Tensor(row)
				ok(t, err)
				ok(t, w.SetTensor(row, x))
			}
			continue
		}
		ok(t, w.SetTensor(r, x))
	}
}

func writeRuns(t *rapid.T, w structview.Writer, source structview.View) {
	for l := range source.Type().Layout().Leaves() {
		if l.Constant != nil {
			continue
		}
		r := source.Type().Layout().Ref(l)
		run, err := source.Run(r)
		if err != nil {
			eachElement(t, r, func(one structview.Ref) {
				bits, err := source.AppendBits(nil, one)
				ok(t, err)
				ok(t, w.SetBits(one, bits))
			})
			continue
		}
		if l.Element == tensor.Uint8 && rapid.Bool().Draw(t, "all") {
			var all []uint8
			for x := range run.All() {
				all = append(all, uint8(x))
			}
			ok(t, structview.SetAll(w, r, all))
			continue
		}
		ok(t, w.SetRun(r, run.All()))
	}
}

// writeParts copies or enters the parts of a value, down to its elements.
func writeParts(t *rapid.T, w structview.Writer, source structview.View) {
	if source.Type().Kind() != structview.KindStructure || rapid.IntRange(0, 4).Draw(t, "elements") == 0 {
		writeElements(t, w, source)
		return
	}
	for i, f := range source.Type().Fields() {
		if f.Type == nil {
			continue
		}
		r, err := w.Type().Layout().Resolve(structview.Path{structview.Name(f.Name)})
		ok(t, err)
		part, err := source.Field(i)
		ok(t, err)
		if rapid.Bool().Draw(t, "copy") {
			ok(t, w.Copy(r, part))
			continue
		}
		sub, err := w.Sub(r)
		ok(t, err)
		if k := f.Type.Kind(); k != structview.KindArray && k != structview.KindBitPacking {
			writeParts(t, sub, part)
			continue
		}
		for k := range f.Type.Len() {
			if f.Type.Bits() == 0 {
				break
			}
			inner, err := sub.Index(k)
			ok(t, err)
			element, err := part.Index(k)
			ok(t, err)
			writeParts(t, inner, element)
		}
	}
}

func mustBits(t *rapid.T, v structview.View) []byte {
	b, err := v.Bits()
	ok(t, err)
	return b
}

func writeWhole(t *rapid.T, w structview.Writer, source structview.View) {
	ok(t, w.Set("", source))
}

// TestPatchTouchesNothingElse writes one element in the middle of a random value.
func TestPatchTouchesNothingElse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		source := randomValue(t, rt)
		root := source.Type()
		payload := randomBytes(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "other"), 1)), int(root.Bits()/8))
		before := slices.Clone(payload)
		e := firstAfter(root, rapid.Uint64Range(0, root.Bits()-1).Draw(rt, "bit"))
		w, err := structview.Patch(root, payload)
		ok(rt, err)
		if rapid.Bool().Draw(rt, "zero") {
			ok(rt, w.ZeroAt(elementRef(rt, source, e)))
			bits := bigBits(bigOf(payload), e.Offset, e.Width)
			if bits.Sign() != 0 {
				rt.Fatalf("%v is %x", e, bits)
			}
		} else {
			writeElement(rt, w, source, e)
			got, want := bigBits(bigOf(payload), e.Offset, e.Width), bigBits(bigOf(mustBits(rt, source)), e.Offset, e.Width)
			if got.Cmp(want) != 0 {
				rt.Fatalf("%v is %x, want %x", e, got, want)
			}
		}
		changed := bigOf(payload)
		changed.Xor(changed, bigOf(before))
		for bit := range changed.BitLen() {
			if changed.Bit(bit) != 0 && (uint64(bit) < e.Offset || uint64(bit) >= e.End()) {
				rt.Fatalf("bit %d changed, outside %v", bit, e)
			}
		}
	})
}

func firstAfter(root *structview.Type, bit uint64) structview.Element {
	for e := range root.Layout().Elements(bit, bit+1) {
		return e
	}
	return structview.Element{}
}

// TestEveryWidthWrittenAtEveryStartBit writes ones between zeros and zeros between ones.
func TestEveryWidthWrittenAtEveryStartBit(t *testing.T) {
	for width := uint64(1); width <= 64; width++ {
		for start := range uint64(17) {
			pad := 8 - (start+width)%8
			root := resolved(t, packing(1, slices.DeleteFunc(
				[]*comp{part("before", uint32(start)), part("x", uint32(width)), part("after", uint32(pad))},
				func(c *comp) bool { return c.BitWidth == 0 },
			)...))
			for _, fill := range []byte{0, 0xFF} {
				payload := bytes.Repeat([]byte{fill}, int(root.Bits()/8))
				want := bigOf(payload)
				w, err := structview.Patch(root, payload)
				if err != nil {
					t.Fatal(err)
				}
				x := (math.MaxUint64 ^ -uint64(fill&1)) >> (64 - width)
				if err := w.Set("[0].x", x); err != nil {
					t.Fatal(err)
				}
				for b := start; b < start+width; b++ {
					want.SetBit(want, int(b), uint(1-fill&1))
				}
				if bigOf(payload).Cmp(want) != 0 {
					t.Fatalf("width %d at bit %d: % x, want %x", width, start, payload, want)
				}
			}
		}
	}
}

// TestNumbersOfEveryType writes each representable value of the types of up to 8 bits,
// and reads it back, as float and as integer.
func TestNumbersOfEveryType(t *testing.T) {
	for e := tensor.Float; e.Valid(); e++ {
		if e.Bits() > 8 || e == tensor.String {
			continue
		}
		root := resolved(t, structure(member("pad", inline(packing(1, part("p", 3)))), member("x", leaf(e, 8)), member("end", inline(packing(1, part("p", 5))))))
		payload := make([]byte, root.Bits()/8)
		w, err := structview.Patch(root, payload)
		if err != nil {
			t.Fatal(err)
		}
		r := refTo(t, w.View(), "x[3]")
		for code := range uint64(1) << e.Bits() {
			if e == tensor.Bool && code > 1 {
				break
			}
			if err := w.SetUint64(r, code); err != nil {
				t.Fatal(err)
			}
			x, err := w.View().Float64(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.SetUint64(r, 0); err != nil {
				t.Fatal(err)
			}
			if err := w.SetFloat64(r, x); err != nil {
				t.Fatalf("%v %v: %v", e, x, err)
			}
			if got, _ := w.View().Uint64(r); got != code && x == x { // of a NaN the sign is kept, not the code
				t.Errorf("%v: %v is %#x, want %#x", e, x, got, code)
			}
			if e.IsInteger() || e == tensor.Bool {
				if err := w.Set("x[3]", int16(x)); err != nil {
					t.Fatal(err)
				}
				if got, _ := w.View().Uint64(r); got != code {
					t.Errorf("%v: %v is %#x, want %#x", e, x, got, code)
				}
			}
		}
	}
}
