// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

const benchBlocks = 1_000_000

func benchView(b *testing.B) structview.View {
	root := resolved(b, q4(), array(ref(0), benchBlocks))
	payload := make([]byte, root.Bits()/8)
	for i := range payload {
		payload[i] = byte(i * 7)
	}
	return view(b, root, payload)
}

// BenchmarkRead reads one leaf by a prepared path: at most 20 ns, no allocation.
func BenchmarkRead(b *testing.B) {
	v := benchView(b)
	for _, path := range []string{"[777].d", "[777].qs[3].hi"} {
		b.Run(path, func(b *testing.B) {
			r, err := v.At(path)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			var sum uint64
			for b.Loop() {
				x, err := v.Uint64(r)
				if err != nil {
					b.Fatal(err)
				}
				sum += x
			}
			_ = sum
		})
	}
	b.Run("guarded", func(b *testing.B) {
		r, err := v.At("[777].d")
		if err != nil {
			b.Fatal(err)
		}
		guarded := v.Guarded()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := guarded.Uint64(r); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("random d", func(b *testing.B) {
		r, err := v.At("d")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		i := uint64(1)
		for b.Loop() {
			i = i * 2862933555777941757 % benchBlocks
			one, err := r.Index(i)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := v.Uint64(one); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBind copies what a codec sees out of a million blocks.
func BenchmarkBind(b *testing.B) {
	v := benchView(b)
	for _, path := range []string{"d", "qs.lo", "qs.hi"} {
		b.Run(path, func(b *testing.B) {
			b.SetBytes(18 * benchBlocks)
			for b.Loop() {
				if _, err := structview.Bind(v, path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("d by hand", func(b *testing.B) {
		payload := make([]byte, 18*benchBlocks)
		b.SetBytes(18 * benchBlocks)
		for b.Loop() {
			dst := make([]byte, 2*benchBlocks)
			for i := range benchBlocks {
				binary.LittleEndian.PutUint16(dst[2*i:], binary.LittleEndian.Uint16(payload[18*i:]))
			}
		}
	})
}

// BenchmarkBindBits copies leaves that begin in the middle of a byte.
func BenchmarkBindBits(b *testing.B) {
	root := resolved(b, structure(
		member("bit", inline(packing(1, part("bit", 1)))),
		member("i4", leaf(tensor.Int4, 1<<20)),
		member("rows", inline(array(inline(structure(member("i2", leaf(tensor.Int2, 3)), member("f", leaf(tensor.Float)))), 1<<16))),
		member("five", inline(packing(1<<20, part("c", 5)))),
		member("pad", inline(packing(1, part("bits", 7)))),
	))
	v := view(b, root, make([]byte, root.Bits()/8))
	for _, path := range []string{"i4", "rows.i2", "rows.f", "five.c"} {
		b.Run(path, func(b *testing.B) {
			l, err := root.Layout().Leaf(path)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := structview.BindLeaf(v, l); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// manyModel has n declarations, each a block and every hundredth with references to
// ten others, and n values.
func manyModel(n int) *model {
	m := &model{Graph: &graph{}}
	for i := range n {
		d := named(fmt.Sprint("t", i), structure(
			member("d", leaf(tensor.Float16)),
			member("qs", inline(packing(16, part("lo", 4), part("hi", 4)))),
		))
		if i%100 == 99 {
			for k := range 10 {
				s := d.GetStructure()
				s.Field = append(s.Field, member(fmt.Sprint("r", k), ref(int32(i-1-k))))
			}
		}
		size := 18
		if i%100 == 99 {
			size = 11 * 18
		}
		m.StructTypes = append(m.StructTypes, d)
		m.Graph.StructInitializer = append(m.Graph.StructInitializer, &value{
			Name: fmt.Sprint("v", i), Type: int32(i), RawData: make([]byte, size),
		})
	}
	return m
}

// BenchmarkCheck checks declarations and as many values: 100,000 in under a second,
// ten times as long as 10,000.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		m := manyModel(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if findings := structview.Check(m, structview.CheckOptions{}); findings != nil {
					b.Fatal(findings[0])
				}
			}
		})
	}
}

// BenchmarkElements walks 33 elements of each of a thousand blocks, in constant memory.
func BenchmarkElements(b *testing.B) {
	root := resolved(b, q4(), array(ref(0), 1000))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for e := range root.Layout().Elements(0, root.Bits()) {
			n += int(e.Width)
		}
		if uint64(n) != root.Bits() {
			b.Fatal(n)
		}
	}
}

// BenchmarkLeaf looks a leaf up by its path.
func BenchmarkLeaf(b *testing.B) {
	root := resolved(b, q4(), array(ref(0), 1000))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := root.Layout().Leaf("qs.hi"); err != nil {
			b.Fatal(err)
		}
	}
}
