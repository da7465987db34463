// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

func refTo(t testing.TB, v structview.View, path string) structview.Ref {
	t.Helper()
	r, err := v.At(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunsOfBlocks(t *testing.T) {
	root := resolved(t, q4(), array(ref(0), 4), array(ref(1), 3))
	payload := randomBytes(rand.New(rand.NewPCG(5, 6)), 12*18)
	v := view(t, root, payload)
	d, err := structview.BytesOf[tensor.F16](v, refTo(t, v, "d"))
	if err != nil || d.Len() != 12 {
		t.Fatal(d.Len(), err)
	}
	var want []tensor.F16
	for i := range 12 {
		want = append(want, tensor.F16(binary.LittleEndian.Uint16(payload[i*18:])))
	}
	if got := d.AppendTo(nil); !slices.Equal(got, want) {
		t.Errorf("d = %v, want %v", got, want)
	}
	if got := slices.Collect(d.All()); !slices.Equal(got, want) {
		t.Errorf("d = %v, want %v", got, want)
	}
	if x, err := d.At(7); x != want[7] || err != nil {
		t.Errorf("d[7] = %v, %v", x, err)
	}
	if _, err := d.At(12); err == nil || err.Error() != "SV041 error: d: element 12 does not exist: there are 12 elements, 0 to 11" {
		t.Error(err)
	}
	if _, ok := d.Alias(); ok {
		t.Error("d has gaps and was aliased")
	}
	part, err := structview.BytesOf[uint16](v, refTo(t, v, "[1][1:3].d"))
	if err != nil || !slices.Equal(part.AppendTo(nil), []uint16{uint16(want[5]), uint16(want[6])}) {
		t.Error(part, err)
	}
}

func TestRunsOfBits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		decls := declarations(rt)
		bits, err := structview.BitSize(decls, decls[len(decls)-1])
		if err != nil {
			rt.Fatal(err)
		}
		root := resolved(t, padded(decls, bits)...)
		v := view(t, root, randomBytes(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)), int(root.Bits()/8)))
		for l := range root.Layout().Leaves() {
			r := root.Layout().Ref(l)
			run, err := v.Run(r)
			if l.Width > 64 {
				if err == nil {
					rt.Fatalf("a run of %d bits", l.Width)
				}
				continue
			}
			if err != nil {
				rt.Fatal(err)
			}
			var want []uint64
			eachElement(rt, r, func(one structview.Ref) {
				x, err := v.Uint64(one)
				if err != nil {
					rt.Fatal(err)
				}
				want = append(want, x)
			})
			if got := run.AppendTo(nil); !slices.Equal(got, want) {
				rt.Fatalf("%s: %v, want %v", l.Path, got, want)
			}
			for i, w := range want {
				if x, err := run.At(uint64(i)); x != w || err != nil {
					rt.Fatalf("%s at %d: %d, %v, want %d", l.Path, i, x, err, w)
				}
			}
		}
	})
}

// eachElement fixes every open dimension in turn.
func eachElement(t *rapid.T, r structview.Ref, visit func(structview.Ref)) {
	if len(r.Dims()) == 0 {
		visit(r)
		return
	}
	for i := range r.Dims()[0].Len {
		next, err := r.Index(i)
		if err != nil {
			t.Fatal(err)
		}
		eachElement(t, next, visit)
	}
}

func TestAlias(t *testing.T) {
	root := resolved(t, structure(member("f", leaf(tensor.Float, 3)), member("b", leaf(tensor.Bool, 2)), member("u", leaf(tensor.Uint16))))
	payload := slices.Concat(
		binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5)), binary.LittleEndian.AppendUint32(nil, math.Float32bits(-2)),
		binary.LittleEndian.AppendUint32(nil, math.Float32bits(1e9)), []byte{1, 0, 7, 8},
	)
	v := view(t, root, payload)
	f, err := structview.BytesOf[float32](v, refTo(t, v, "f"))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := f.Alias(); ok && !slices.Equal(got, []float32{1.5, -2, 1e9}) {
		t.Error(got)
	}
	if b, err := structview.BytesOf[uint8](v, refTo(t, v, "b")); err != nil || !slices.Equal(b.AppendTo(nil), []uint8{1, 0}) {
		t.Error(b, err)
	}
	if _, err := structview.BytesOf[int16](v, refTo(t, v, "u")); err == nil ||
		err.Error() != "SV041 error: u: UINT16 (16 bits) cannot be read as INT16: T is uint16" {
		t.Error(err)
	}
}

func BenchmarkRun(b *testing.B) {
	v := benchView(b)
	payload := make([]byte, 18*benchBlocks)
	b.Run("by hand", func(b *testing.B) {
		for b.Loop() {
			var sum float32
			for i := range benchBlocks {
				sum += tensor.F16ToF32(binary.LittleEndian.Uint16(payload[18*i:]))
			}
			_ = sum
		}
	})
	b.Run("Bytes", func(b *testing.B) {
		d, err := structview.BytesOf[tensor.F16](v, refTo(b, v, "d"))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			var sum float32
			for x := range d.All() {
				sum += tensor.F16ToF32(uint16(x))
			}
			_ = sum
		}
	})
	b.Run("Run", func(b *testing.B) {
		d, err := v.Run(refTo(b, v, "d"))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			var sum float32
			for x := range d.All() {
				sum += tensor.F16ToF32(uint16(x))
			}
			_ = sum
		}
	})
}

// TestBytesOfEveryType reads each element type as its Go type, with a gap after each.
func TestBytesOfEveryType(t *testing.T) {
	bytesOf[float32](t)
	bytesOf[float64](t)
	bytesOf[int8](t)
	bytesOf[int16](t)
	bytesOf[int32](t)
	bytesOf[int64](t)
	bytesOf[uint8](t)
	bytesOf[uint16](t)
	bytesOf[uint32](t)
	bytesOf[uint64](t)
	bytesOf[tensor.F16](t)
	bytesOf[tensor.BF16](t)
	bytesOf[tensor.E4M3FN](t)
	bytesOf[tensor.E4M3FNUZ](t)
	bytesOf[tensor.E5M2](t)
	bytesOf[tensor.E5M2FNUZ](t)
	bytesOf[tensor.E8M0](t)
}

func bytesOf[T structview.Fixed](t *testing.T) {
	e := tensor.TypeOf[T]()
	root := resolved(t, array(inline(structure(member("gap", leaf(tensor.Int8)), member("x", leaf(e)))), 5))
	payload := randomBytes(rand.New(rand.NewPCG(9, uint64(e))), int(root.Bits()/8))
	v := view(t, root, payload)
	run, err := structview.BytesOf[T](v, refTo(t, v, "x"))
	if err != nil {
		t.Fatal(err)
	}
	bound, err := structview.Bind(v, "x")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range tensor.Slice[T](bound) {
		if got, err := run.At(uint64(i)); err != nil || got != want && got == got {
			t.Errorf("%v %d: %v, want %v (%v)", e, i, got, want, err)
		}
	}
	tight := resolved(t, array(leaf(e), 5))
	v = view(t, tight, payload[:tight.Bits()/8])
	run, err = structview.BytesOf[T](v, refTo(t, v, "value"))
	if err != nil {
		t.Fatal(err)
	}
	if alias, ok := run.Alias(); ok && len(alias) != 5 {
		t.Errorf("%v: %d elements", e, len(alias))
	}
}
