// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// The oracle reads a payload as the rules say it: as one big integer.

func bigOf(payload []byte) *big.Int {
	reversed := slices.Clone(payload)
	slices.Reverse(reversed)
	return new(big.Int).SetBytes(reversed)
}

func bigBits(payload *big.Int, offset, width uint64) *big.Int {
	x := new(big.Int).Rsh(payload, uint(offset))
	ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1))
	return x.And(x, ones)
}

// bigBytes returns the integer in as many bytes as width bits need.
func bigBytes(x *big.Int, width uint64) []byte {
	b := make([]byte, (width+7)/8)
	x.FillBytes(b)
	slices.Reverse(b)
	return b
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func TestEveryWidthAtEveryStartBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for width := uint64(1); width <= 64; width++ {
		for start := range uint64(72) {
			pad := (8 - (start+width)%8) % 8
			root := resolved(t, packing(1, slices.DeleteFunc(
				[]*comp{part("before", uint32(start)), part("x", uint32(width)), part("after", uint32(pad))},
				func(c *comp) bool { return c.BitWidth == 0 },
			)...))
			payload := randomBytes(rng, int(root.Bits()/8))
			v := view(t, root, payload)
			want := bigBits(bigOf(payload), start, width)
			if got := uintAt(t, v, "[0].x"); got != want.Uint64() {
				t.Fatalf("width %d at bit %d: %#x, want %#x", width, start, got, want)
			}
			if bound, err := structview.Bind(v, "x"); err != nil {
				t.Fatal(err)
			} else if got := bigOf(bound.Bytes()); got.Cmp(want) != 0 {
				t.Fatalf("bound: width %d at bit %d: %#x, want %#x", width, start, got, want)
			}
		}
	}
}

func TestWideElements(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, width := range []uint32{65, 71, 100, 127, 128, 1000} {
		for start := uint32(1); start <= 9; start++ {
			pad := 8 - (start+width)%8
			root := resolved(t, packing(1, part("before", start), part("x", width), part("after", pad)))
			payload := randomBytes(rng, int(root.Bits()/8))
			v := view(t, root, payload)
			r, _ := v.At("[0].x")
			got, err := v.AppendBits([]byte{0xEE}, r)
			want := append([]byte{0xEE}, bigBytes(bigBits(bigOf(payload), uint64(start), uint64(width)), uint64(width))...)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("width %d at bit %d: % x (%v), want % x", width, start, got, err, want)
			}
		}
	}
}

// declarations draws a list of declarations, each of which may use earlier ones.
func declarations(t *rapid.T) []*decl {
	n := rapid.IntRange(1, 4).Draw(t, "declarations")
	var list []*decl
	for i := range n {
		list = append(list, drawConcrete(t, i, 3))
	}
	return list
}

func drawConcrete(t *rapid.T, earlier, depth int) *decl {
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		return array(drawType(t, earlier, depth-1), rapid.Uint64Range(0, 4).Draw(t, "dimension"))
	case 1:
		n := rapid.IntRange(0, 3).Draw(t, "components")
		var parts []*comp
		for i := range n {
			parts = append(parts, part(fmt.Sprintf("c%d", i), rapid.Uint32Range(1, 70).Draw(t, "width")))
		}
		return packing(rapid.Uint64Range(0, 5).Draw(t, "dimension"), parts...)
	default:
		n := rapid.IntRange(0, 4).Draw(t, "fields")
		var fields []*field
		for i := range n {
			name := []string{"a", "b c", "d.e", "ü"}[i]
			if rapid.IntRange(0, 9).Draw(t, "constant") == 0 {
				fields = append(fields, constant(name, tensor.Of([]int64{2}, int32(i), int32(7))))
				continue
			}
			fields = append(fields, member(name, drawType(t, earlier, depth-1)))
		}
		return structure(fields...)
	}
}

func drawType(t *rapid.T, earlier, depth int) *typ {
	choice := rapid.IntRange(0, 5).Draw(t, "type")
	switch {
	case choice < 2 && earlier > 0:
		return ref(int32(rapid.IntRange(0, earlier-1).Draw(t, "reference")))
	case choice < 4 && depth > 0:
		return inline(drawConcrete(t, earlier, depth))
	}
	elements := []tensor.Type{
		tensor.Int2, tensor.Uint4, tensor.Int4, tensor.Bool, tensor.Int8, tensor.Float16, tensor.Float, tensor.Int64, tensor.Complex128,
	}
	dims := rapid.SliceOfN(rapid.Int64Range(0, 3), 0, 2).Draw(t, "shape")
	return leaf(rapid.SampledFrom(elements).Draw(t, "element"), dims...)
}

// oracleElement is one element as a straight walk over the messages finds it.
type oracleElement struct {
	path          string // names only
	offset, width uint64
}

type oracle struct {
	decls []*decl
	at    uint64
	found []oracleElement
}

func (o *oracle) concrete(d *decl, path structview.Path) {
	switch {
	case d.GetArray() != nil:
		for range d.GetArray().Dimension {
			o.typ(d.GetArray().ElementType, path)
		}
	case d.GetBitPacking() != nil:
		for range d.GetBitPacking().Dimension {
			for _, c := range d.GetBitPacking().Component {
				o.element(append(path[:len(path):len(path)], structview.Name(c.Name)), uint64(c.BitWidth))
			}
		}
	case d.GetStructure() != nil:
		for _, f := range d.GetStructure().Field {
			if f.GetType() != nil {
				o.typ(f.GetType(), append(path[:len(path):len(path)], structview.Name(f.Name)))
			}
		}
	default:
		o.concrete(o.decls[d.GetTypeIndex()], path)
	}
}

func (o *oracle) typ(tp *typ, path structview.Path) {
	if d := tp.GetStructType(); d != nil {
		o.concrete(d, path)
		return
	}
	n := int64(1)
	for _, d := range tp.GetTensorType().Shape.Dim {
		n *= d.GetDimValue()
	}
	if len(path) == 0 {
		path = structview.Path{structview.Name("value")}
	}
	for range n {
		o.element(path, tensor.Type(tp.GetTensorType().ElemType).Bits())
	}
}

func (o *oracle) element(path structview.Path, width uint64) {
	o.found = append(o.found, oracleElement{path.String(), o.at, width})
	o.at += width
}

// padded appends a declaration that adds what is missing to a whole byte.
func padded(decls []*decl, bits uint64) []*decl {
	return append(decls, structure(
		member("root", ref(int32(len(decls)-1))),
		member("pad", inline(packing(1, part("bits", uint32(8-bits%8))))),
	))
}

func TestReadsEqualTheOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		decls := declarations(rt)
		bits, err := structview.BitSize(decls, decls[len(decls)-1])
		if err != nil {
			rt.Fatal(err)
		}
		decls = padded(decls, bits)
		root := resolved(t, decls...)
		o := oracle{decls: decls}
		o.concrete(decls[len(decls)-1], nil)
		if o.at != root.Bits() {
			rt.Fatalf("%d bits, the oracle counts %d", root.Bits(), o.at)
		}
		payload := randomBytes(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)), int(root.Bits()/8))
		v := view(t, root, payload)
		checkElements(rt, v, o.found, bigOf(payload))
		checkLeaves(rt, v, o.found, bigOf(payload))
	})
}

// checkElements compares order, place and bits of every element.
func checkElements(t *rapid.T, v structview.View, want []oracleElement, payload *big.Int) {
	i := 0
	for e := range v.Type().Layout().Elements(0, v.Type().Bits()) {
		if i >= len(want) || e.Offset != want[i].offset || e.Width != want[i].width {
			t.Fatalf("element %d is %v, want %+v", i, e, want[i])
		}
		path, at, err := v.Type().Layout().At(e.Offset + e.Width - 1)
		if err != nil || at != e {
			t.Fatalf("At of element %d: %v, %v", i, at, err)
		}
		r, err := v.At(path.String())
		if err != nil {
			t.Fatalf("%v: %v", path, err)
		}
		got, err := v.AppendBits(nil, r)
		if err != nil || !bytes.Equal(got, bigBytes(bigBits(payload, e.Offset, e.Width), e.Width)) {
			t.Fatalf("%v: % x (%v)", path, got, err)
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("%d elements, want %d", i, len(want))
	}
}

// checkLeaves compares every bound tensor with the elements of its path in their order.
func checkLeaves(t *rapid.T, v structview.View, want []oracleElement, payload *big.Int) {
	byPath := map[string][]oracleElement{}
	for _, e := range want {
		byPath[e.path] = append(byPath[e.path], e)
	}
	for l := range v.Type().Layout().Leaves() {
		if l.Constant != nil || l.Element == tensor.Undefined {
			continue
		}
		again, err := v.Type().Layout().Leaf(l.Path)
		if err != nil || again.Offset != l.Offset || !slices.Equal(again.Dims, l.Dims) {
			t.Fatalf("Leaf(%s) = %+v, %v, want %+v", l.Path, again, err, l)
		}
		bound, err := structview.Bind(v, l.Path)
		if err != nil {
			t.Fatal(err)
		}
		size := l.Element.Bits()
		all := new(big.Int)
		for i, e := range byPath[l.Path] {
			all.Or(all, new(big.Int).Lsh(bigBits(payload, e.offset, e.width), uint(i)*uint(size)))
		}
		if bound.Len() != int64(len(byPath[l.Path])) || bigOf(bound.Bytes()).Cmp(all) != 0 {
			t.Fatalf("%s: % x, want %x", l.Path, bound.Bytes(), all)
		}
	}
}

func TestElementsOfARange(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		decls := declarations(rt)
		root := resolved(t, decls...)
		from := rapid.Uint64Range(0, root.Bits()).Draw(rt, "from")
		to := rapid.Uint64Range(0, root.Bits()+3).Draw(rt, "to")
		var want, got []structview.Element
		for e := range root.Layout().Elements(0, root.Bits()) {
			if e.End() > from && e.Offset < to {
				want = append(want, e)
			}
		}
		for e := range root.Layout().Elements(from, to) {
			got = append(got, e)
		}
		if !slices.Equal(want, got) {
			rt.Fatalf("%v, want %v", got, want)
		}
	})
}
