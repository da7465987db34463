// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// rounded puts a declaration into a structure whose size is a whole number of bytes.
func rounded(t *testing.T, inner *typ) *structview.Type {
	bits, err := structview.BitSize(nil, structure(member("x", inner)))
	if err != nil {
		t.Fatal(err)
	}
	if bits%8 == 0 {
		return resolved(t, structure(member("x", inner)))
	}
	return resolved(t, structure(member("x", inner), member("pad", inline(packing(1, part("pad", uint32(8-bits%8)))))))
}

func TestKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		name    string
		inner   *typ
		path    string
		payload []byte
		want    []int64
	}{
		{"INT4", leaf(tensor.Int4, 5), "x", []byte{0x21, 0x83, 0x0F}, []int64{1, 2, 3, -8, -1}},
		{"INT2", leaf(tensor.Int2, 5), "x", []byte{0xE4, 0x03}, []int64{0, 1, -2, -1, -1}},
		{"3 bits", inline(packing(8, part("c", 3))), "x.c", []byte{0x88, 0xC6, 0xFA}, []int64{0, 1, 2, 3, 4, 5, 6, 7}},
		{"5 bits", inline(packing(8, part("c", 5))), "x.c", []byte{0x41, 0x0C, 0x52, 0xCC, 0x41}, []int64{1, 2, 3, 4, 5, 6, 7, 8}},
		{"12 bits", inline(packing(2, part("c", 12))), "x.c", []byte{0x23, 0x61, 0x45}, []int64{0x123, 0x456}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := view(t, rounded(t, c.inner), c.payload)
			open, err := v.At(c.path)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for i := range open.Len() {
				r, err := open.Index(i)
				if err != nil {
					t.Fatal(err)
				}
				x, err := v.Int64(r)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, x)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			bound, err := v.Tensor(open)
			if err != nil {
				t.Fatal(err)
			}
			values, err := tensor.Int64s(bound)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, values); diff != "" {
				t.Error("bound:", diff)
			}
		})
	}
}

func TestComponentsOfOneByte(t *testing.T) {
	v := view(t, resolved(t, packing(1, part("a", 3), part("b", 5))), []byte{0x35})
	if a, b := uintAt(t, v, "[0].a"), uintAt(t, v, "[0].b"); a != 5 || b != 6 {
		t.Errorf("a, b = %d, %d, want 5, 6", a, b)
	}
}

func TestNestedValueBeginsInsideAByte(t *testing.T) {
	root := resolved(t, structure(
		member("first", inline(packing(1, part("bit", 1)))),
		member("nested", inline(structure(member("x", inline(packing(1, part("c", 12))))))),
		member("last", inline(packing(1, part("c", 3)))),
	))
	if root.Bits() != 16 {
		t.Fatalf("%d bits, want 16", root.Bits())
	}
	if root.Fields()[1].Offset != 1 {
		t.Errorf("nested begins at bit %d, want 1", root.Fields()[1].Offset)
	}
	v := view(t, root, []byte{0x01 | 0xBC<<1&0xFF, 0xABC>>7 | 0b101<<5})
	if got := uintAt(t, v, "nested.x[0].c"); got != 0xABC {
		t.Errorf("nested.x[0].c = %#x, want 0xabc", got)
	}
	if got := uintAt(t, v, "last[0].c"); got != 0b101 {
		t.Errorf("last[0].c = %b, want 101", got)
	}
}

// TestProposalExample is the example of the proposal, 64 bytes, and the same type with
// the scale and zero point in the payload, 76 bytes.
func TestProposalExample(t *testing.T) {
	values := inline(array(leaf(tensor.Int4), 128))
	payload := make([]byte, 64, 76)
	for i := range payload {
		payload[i] = byte(i*2%16 | (i*2+1)%16<<4)
	}
	root := resolved(t, named("LINEAR_INT4_128", structure(
		member("values", values),
		constant("scale", tensor.Of(nil, float32(0.125))),
		constant("zero_point", tensor.Of(nil, int64(0))),
	)))
	v := view(t, root, payload)
	for i := range 128 {
		want := int64(i % 16)
		if want > 7 {
			want -= 16
		}
		if got := intAt(t, v, fmt.Sprintf("values[%d]", i)); got != want {
			t.Errorf("values[%d] = %d, want %d", i, got, want)
		}
	}
	scale, err := structview.Bind(v, "scale")
	if err != nil || !tensor.Equal(scale, tensor.Of(nil, float32(0.125))) {
		t.Errorf("scale = %v, %v", scale, err)
	}

	in := resolved(t, structure(member("values", values), member("scale", leaf(tensor.Float)), member("zero_point", leaf(tensor.Int64))))
	payload = binary.LittleEndian.AppendUint32(payload, math.Float32bits(0.375))
	payload = binary.LittleEndian.AppendUint64(payload, uint64(math.MaxUint64-6))
	v = view(t, in, payload)
	zero, err := in.Layout().Leaf("zero_point")
	if err != nil || zero.Offset != 68*8 {
		t.Errorf("zero_point at bit %d (%v), want byte 68", zero.Offset, err)
	}
	if got := intAt(t, v, "zero_point"); got != -7 {
		t.Errorf("zero_point = %d, want -7", got)
	}
	r, _ := v.At("scale")
	if got, err := v.Float64(r); got != 0.375 || err != nil {
		t.Errorf("scale = %v, %v", got, err)
	}
}

func TestBindDimensions(t *testing.T) {
	root := resolved(t, q4(), array(ref(0), 3))
	payload := make([]byte, 3*18)
	for i := range payload {
		payload[i] = byte(i + 1)
	}
	v := view(t, root, payload)
	for path, want := range map[string]string{"d": "FLOAT16[3]", "qs.lo": "UINT8[3 16]", "qs.hi": "UINT8[3 16]"} {
		b, err := structview.Bind(v, path)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%v%v", b.Type(), b.Dims()); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	lo, _ := structview.Bind(v, "qs.lo")
	for n, c := range lo.Bytes() {
		if want := payload[n/16*18+2+n%16] & 15; c != want {
			t.Errorf("qs.lo[%d] = %d, want %d", n, c, want)
		}
	}
}
