// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/internal/gen/testdata/formats"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// generated holds a value of every generated type.
func generated() map[string]any {
	return map[string]any{
		"ggml.q4_0": new(formats.Q4_0), "ggml.q8_0": new(formats.Q8_0), "ggml.q3_K": new(formats.Q3K), "ggml.q6_K": new(formats.Q6K),
		"ggml.iq4_nl": new(formats.Iq4Nl), "ggml.iq1_m": new(formats.Iq1M), "ggml.bf16": new(formats.Bf16), "mx.fp4": new(formats.Fp4),
		"mx.fp6_e2m3": new(formats.Fp6E2m3), "mx.fp8_e4m3": new(formats.Fp8E4m3), "linear.affine[bits=3]": new(formats.AffineBits3),
		"test.odd": new(formats.Odd), "test.plain": new(formats.Plain), "test.random0": new(formats.Random0), "test.random1": new(formats.Random1),
		"test.random2": new(formats.Random2), "test.random3": new(formats.Random3), "test.random4": new(formats.Random4),
		"test.random5": new(formats.Random5), "test.random6": new(formats.Random6), "test.random7": new(formats.Random7),
		"test.random8": new(formats.Random8), "test.random9": new(formats.Random9), "test.random10": new(formats.Random10),
		"test.random11": new(formats.Random11),
	}
}

// subject is a generated type beside a View of its bytes.
type subject struct {
	*rapid.T
	root  *structview.Type
	plan  *goWriter
	value reflect.Value // pointer to an array of bytes
	bytes []byte        // its memory
}

// TestAccessorsAgreeWithViews: on random payloads, every accessor returns the bits that
// a View reads, and every setter changes those bits and no others.
func TestAccessorsAgreeWithViews(t *testing.T) {
	values := generated()
	for name, root := range sources(t) {
		t.Run(name, func(t *testing.T) {
			plan, err := newPlan(root, Options{Source: name})
			if err != nil {
				t.Fatal(err)
			}
			writer, err := newGoWriter(plan)
			if err != nil {
				t.Fatal(err)
			}
			value := reflect.ValueOf(values[name])
			rapid.Check(t, func(rt *rapid.T) {
				s := subject{rt, root, writer, value, value.Elem().Slice(0, value.Elem().Len()).Bytes()}
				copy(s.bytes, rapid.SliceOfN(rapid.Byte(), len(s.bytes), len(s.bytes)).Draw(rt, "payload"))
				for i := range writer.leaves {
					s.leaf(&writer.leaves[i])
				}
			})
		})
	}
}

// leaf checks one element of a leaf.
func (s *subject) leaf(l *leaf) {
	if l.Element == tensor.String || l.Constant != nil && len(l.Constant.Bytes()) > maxConstant {
		return
	}
	ref := s.root.Layout().Ref(l.Leaf)
	var indices []reflect.Value
	for _, d := range l.Dims {
		i := rapid.Uint64Range(0, d.Len-1).Draw(s.T, "index")
		one, err := ref.Index(i)
		if err != nil {
			s.Fatal(err)
		}
		ref = one
		if d.Len > 1 {
			indices = append(indices, reflect.ValueOf(int(i)))
		}
	}
	view, err := structview.NewView(s.root, s.bytes)
	if err != nil {
		s.Fatal(err)
	}
	want, err := view.AppendBits(nil, ref)
	if err != nil {
		s.Fatal(err)
	}
	got := s.value.MethodByName(l.name).Call(indices)[0]
	if bits := s.bits(got, l.Width); !bytes.Equal(bits, canonical(want, l)) {
		s.Fatalf("%s%v: %x, want %x", l.Path, indices, bits, want)
	}
	s.float(l, view, ref, indices)
	s.outside(l, indices)
	if l.Constant == nil {
		s.set(l, ref, indices, got)
	}
}

// canonical makes a BOOL 0 or 1.
func canonical(bits []byte, l *leaf) []byte {
	if l.Element == tensor.Bool {
		bits[0] = min(bits[0], 1)
	}
	return bits
}

// bits returns the bits of what an accessor returned.
func (s *subject) bits(v reflect.Value, width uint64) []byte {
	var b []byte
	switch x := v.Interface().(type) {
	case float32:
		b = binary.LittleEndian.AppendUint32(nil, math.Float32bits(x))
	case float64:
		b = binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
	case complex64:
		b = binary.LittleEndian.AppendUint32(nil, math.Float32bits(real(x)))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(imag(x)))
	case complex128:
		b = binary.LittleEndian.AppendUint64(nil, math.Float64bits(real(x)))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(x)))
	case bool:
		if b = []byte{0}; x {
			b[0] = 1
		}
	default:
		switch {
		case v.CanUint():
			b = binary.LittleEndian.AppendUint64(nil, v.Uint())
		case v.CanInt():
			b = binary.LittleEndian.AppendUint64(nil, uint64(v.Int())&(^uint64(0)>>(64-width)))
		default: // an array of bytes
			b = reflect.AppendSlice(reflect.ValueOf(b), addressable(v).Slice(0, v.Len())).Bytes()
		}
		for _, rest := range b[(width+7)/8:] {
			if rest != 0 {
				s.Fatalf("%x has more than %d bits", b, width)
			}
		}
	}
	return b[:(width+7)/8]
}

func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// float compares the conversion of codes.
func (s *subject) float(l *leaf, view structview.View, ref structview.Ref, indices []reflect.Value) {
	method := s.value.MethodByName(l.name + "Float32")
	if !method.IsValid() {
		if l.Element.IsFloat() && l.Element != tensor.Float && l.Element != tensor.Double {
			s.Fatalf("%s has no conversion", l.Path)
		}
		return
	}
	want, err := view.Float64(ref)
	if err != nil {
		s.Fatal(err)
	}
	got := float64(method.Call(indices)[0].Interface().(float32))
	if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		s.Fatalf("%s%v: %v, want %v", l.Path, indices, got, want)
	}
}

// outside checks that an index out of range panics.
func (s *subject) outside(l *leaf, indices []reflect.Value) {
	for k, d := range l.dims {
		for _, bad := range []int{-1, int(d.Len)} {
			wrong := append([]reflect.Value{}, indices...)
			wrong[k] = reflect.ValueOf(bad)
			if !panics(func() { s.value.MethodByName(l.name).Call(wrong) }) {
				s.Fatalf("%s: index %d of %d does not panic", l.Path, bad, d.Len)
			}
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return
}

// set writes a value over other bits, and looks at all of them.
func (s *subject) set(l *leaf, ref structview.Ref, indices []reflect.Value, value reflect.Value) {
	read := bytes.Clone(s.bytes)
	for i := range s.bytes {
		s.bytes[i] ^= byte(i*37 + 11)
	}
	other := bytes.Clone(s.bytes)
	s.value.MethodByName("Set" + l.name).Call(append(indices, value))
	for bit := range s.root.Bits() {
		want := other[bit/8] >> (bit % 8) & 1
		if k := bit - ref.Offset(); k < l.Width { // so that a bit before it is none: it wraps around
			want = read[bit/8] >> (bit % 8) & 1
			if l.Element == tensor.Bool {
				want = s.bits(value, l.Width)[0] >> k & 1
			}
		}
		if s.bytes[bit/8]>>(bit%8)&1 != want {
			s.Fatalf("Set%s%v: bit %d", l.name, indices, bit)
		}
	}
	copy(s.bytes, read)
}
