// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

func TestUnset(t *testing.T) {
	root := misuseRoot(t)
	const rest = ": write them, or say Writer.Zero of what shall be 0"
	for _, c := range []struct {
		zero string // paths
		want string
	}{
		{"", "the value"},
		{"blocks[0]", "blocks (2 of 3, from blocks[1] on); i4; pad; u8; i64; ok; h; f; and more"},
		{"i4 pad u8 i64 ok h f e fn tiny c wide m \"a b\"", "blocks (all 3)"},
		{"i4 pad u8 i64 ok h f e fn tiny c wide.y m[1] \"a b\" blocks", "wide.x; m (3 of 6, from m[0][0] on)"},
		{"blocks[1].qs[3].lo i4 pad u8 i64 ok h f e fn tiny c wide m \"a b\"", "blocks.d (all 3); blocks.qs.lo (47 of 48, from blocks[0].qs[0].lo on); blocks.qs.hi (all 48)"},
		{"blocks.d blocks[0].qs blocks[1:].qs[:7] blocks[1].qs.lo i4 pad u8 i64 ok h f e fn tiny c wide m \"a b\"", "blocks.qs.lo (9 of 48, from blocks[2].qs[7].lo on); blocks.qs.hi (18 of 48, from blocks[1].qs[7].hi on)"},
		{"blocks.d blocks[0].qs blocks[1:].qs i4 pad u8 i64 ok h f e fn tiny c wide m", `"a b"`},
	} {
		w := writer(t, root)
		for path := range splitPaths(c.zero) {
			if err := w.Zero(path); err != nil {
				t.Fatal(err)
			}
		}
		_, err := w.Bytes()
		want := "structview: the value is not complete; unset: " + c.want + rest
		var unset *structview.UnsetError
		if !errors.As(err, &unset) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", c.zero, err, want)
		}
	}
	w := writer(t, root)
	if err := w.Zero(""); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bytes(); err != nil {
		t.Error(err)
	}
}

// splitPaths yields the paths of a list; blanks within quotes are part of one.
func splitPaths(list string) func(func(string) bool) {
	return func(yield func(string) bool) {
		quoted := false
		for _, path := range strings.FieldsFunc(list, func(c rune) bool {
			quoted = quoted != (c == '"')
			return c == ' ' && !quoted
		}) {
			if !yield(path) {
				return
			}
		}
	}
}

// TestNothingToWrite: values without bits are complete at once, however many there are.
func TestNothingToWrite(t *testing.T) {
	empty := inline(array(inline(array(inline(structure()), 1<<62)), 1<<62))
	root := resolved(t, structure(member("e", empty), member("z", leaf(tensor.Float, 0, 1<<40)), constant("c", tensor.Of(nil, int8(1)))))
	w := writer(t, root)
	for _, path := range []string{"", "e", "e[7]", "z"} {
		if err := w.Zero(path); err != nil {
			t.Error(err)
		}
	}
	if got, err := w.Bytes(); len(got) != 0 || err != nil {
		t.Error(got, err)
	}
}

// TestManyDeclarationsUnset: thirty declarations that each use the next one twice have 2^30 leaves.
func TestManyDeclarationsUnset(t *testing.T) {
	decls := []*decl{structure(member("x", leaf(tensor.Uint2, 4)))}
	for i := range int32(24) {
		decls = append(decls, structure(member("a", ref(i)), member("b", ref(i))))
	}
	w := writer(t, resolved(t, decls...))
	if err := w.Set(strings.Repeat("b.", 24)+"x", []int{0, 1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	n := 0
	for range w.Unset() {
		n++
	}
	if n != 24 {
		t.Errorf("%d parts are unset", n)
	}
	var unset *structview.UnsetError
	if _, err := w.Bytes(); !errors.As(err, &unset) || unset.More || unset.Parts[1].Path != "b.a" {
		t.Error(err)
	}
}

func TestUnsetIsBounded(t *testing.T) {
	var fields []*field
	for i := range 100 {
		fields = append(fields, member(fmt.Sprint("f", i), leaf(tensor.Int8)))
	}
	w := writer(t, resolved(t, structure(fields...)))
	if err := w.Set("f0", 1); err != nil {
		t.Fatal(err)
	}
	_, err := w.Bytes()
	var unset *structview.UnsetError
	if !errors.As(err, &unset) || len(unset.Parts) != 64 || !unset.More {
		t.Error(err)
	}
}

// TestTrackingMemory writes many blocks in their order and then in a random one.
func TestTrackingMemory(t *testing.T) {
	const n = 50_000
	root := resolved(t, q4(), array(ref(0), n))
	payload := make([]byte, root.Bits()/8)
	for _, order := range []string{"forward", "random"} {
		w, err := structview.NewWriterInto(root, payload)
		if err != nil {
			t.Fatal(err)
		}
		at := func(i uint64) uint64 { return i }
		if order == "random" {
			at = func(i uint64) uint64 { return (i*611_953 + 7) % n } // 611953 is prime
		}
		d, lo, hi := must(w.At("d")), must(w.At("qs.lo")), must(w.At("qs.hi"))
		codes := tensor.Of([]int64{16}, slices.Collect(func(yield func(uint8) bool) {
			for i := range uint8(16) {
				if !yield(i) {
					return
				}
			}
		})...)
		before := heap()
		for i := range uint64(n) {
			if err := errors.Join(w.SetUint64(must(d.Index(at(i))), i&0xFFFF),
				w.SetTensor(must(lo.Index(at(i))), codes), w.SetTensor(must(hi.Index(at(i))), codes)); err != nil {
				t.Fatal(err)
			}
			if i == n/2 {
				// 33 elements of a block: 33 bits of 18 bytes at worst
				if used := int64(heap()) - int64(before); used > n*33/8*12/10 || order == "forward" && used > 1<<18 {
					t.Errorf("%s: tracking takes %d bytes", order, used)
				}
				if _, err := w.Bytes(); err == nil {
					t.Error("complete at half")
				}
			}
		}
		if _, err := w.Bytes(); err != nil {
			t.Error(err)
		}
		if used := int64(heap()) - int64(before); used > 1<<18 {
			t.Errorf("%s: tracking takes %d bytes in the end", order, used)
		}
		runtime.KeepAlive(w)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestTrackingOfRanges writes random ranges of a leaf that is longer than a page.
func TestTrackingOfRanges(t *testing.T) {
	const n = 100_000
	root := resolved(t, array(leaf(tensor.Uint8), n))
	rng := rand.New(rand.NewPCG(21, 22))
	for range 20 {
		w := writer(t, root)
		set := make([]bool, n)
		for range 1 + rng.IntN(40) {
			from := rng.IntN(n)
			to := min(n, from+1+rng.IntN(1<<rng.IntN(17)))
			if err := w.Zero(fmt.Sprintf("[%d:%d]", from, to)); err != nil {
				t.Fatal(err)
			}
			for i := from; i < to; i++ {
				set[i] = true
			}
		}
		want := structview.Unset{Of: n}
		for i, s := range set {
			if !s {
				if want.Count == 0 {
					want.First = fmt.Sprintf("[%d]", i)
				}
				want.Count++
			}
		}
		for u := range w.Unset() {
			if u != want {
				t.Fatalf("%+v, want %+v", u, want)
			}
		}
	}
}

// BenchmarkWrite writes one element by a prepared path, counted and not.
func BenchmarkWrite(b *testing.B) {
	root := resolved(b, q4(), array(ref(0), benchBlocks))
	payload := make([]byte, root.Bits()/8)
	for _, kind := range []string{"counted", "patch"} {
		w := must(structview.NewWriterInto(root, payload))
		if kind == "patch" {
			w = must(structview.Patch(root, payload)).Unguarded()
		}
		for _, path := range []string{"d", "qs[:].hi"} {
			r := must(w.At(path))
			b.Run(kind+" "+path, func(b *testing.B) {
				b.ReportAllocs()
				i := uint64(0)
				for b.Loop() {
					i++
					one, _ := r.Index(i % benchBlocks)
					if len(one.Dims()) > 0 {
						one, _ = one.Index(i % 16)
					}
					if err := w.SetUint64(one, i&7); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSetTensor writes whole leaves of a million blocks.
func BenchmarkSetTensor(b *testing.B) {
	v := benchView(b)
	w := must(structview.NewWriterInto(v.Type(), make([]byte, v.Type().Bits()/8)))
	for _, path := range []string{"d", "qs.lo"} {
		r, x := must(w.At(path)), must(structview.Bind(v, path))
		b.Run(path, func(b *testing.B) {
			b.SetBytes(18 * benchBlocks)
			for b.Loop() {
				if err := w.SetTensor(r, x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSetBlocks writes the codes of one block after the other.
func BenchmarkSetBlocks(b *testing.B) {
	root := resolved(b, q4(), array(ref(0), benchBlocks))
	w := must(structview.NewWriterInto(root, make([]byte, root.Bits()/8)))
	lo, codes := must(w.At("qs.lo")), tensor.Of([]int64{16}, make([]uint8, 16)...)
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		i++
		if err := w.SetTensor(must(lo.Index(i%benchBlocks)), codes); err != nil {
			b.Fatal(err)
		}
	}
}
