// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// stored runs stores without ops in front: buffers hold what the test put there.
func stored(f *Frame, n, width int, stores ...Store) []byte {
	out := make([]byte, n*width)
	f.RunStores(f.payload, n, stores, width, out)
	return out
}

// frameOf is a frame of n blocks of stride bytes that has a payload and one buffer.
func frameOf(b Buffer, n, stride int, payload ...byte) *Frame {
	f := (&Program{Stride: stride, Buffers: []Buffer{b}}).NewFrame(n)
	f.payload = append(payload, make([]byte, n*stride-len(payload))...)
	return f
}

// little is elements of so many bytes.
func little(width int, elements ...uint64) []byte {
	var out []byte
	for _, e := range elements {
		out = append(out, binary.LittleEndian.AppendUint64(nil, e)[:width]...)
	}
	return out
}

func wantBytes(t *testing.T, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("got % x\nwant % x", got, want)
	}
}

// Rounding is to nearest, ties to even; infinities, both zeros and denormal numbers stay
// what they are.
func TestFloatStore(t *testing.T) {
	inf := float32(math.Inf(1))
	values := []float32{1, -2.5, 65519, 65520, inf, -inf, 0x1p-24, 0x1p-25, 0x1.8p-25, float32(math.Copysign(0, -1)), 1 + 0x1p-11, 1 + 0x3p-11, 0x1.FEp127}
	for _, c := range []struct {
		format Format
		want   []uint64
	}{
		{F16, []uint64{0x3c00, 0xc100, 0x7bff, 0x7c00, 0x7c00, 0xfc00, 1, 0, 1, 0x8000, 0x3c00, 0x3c02, 0x7c00}},
		{BF16, []uint64{0x3f80, 0xc020, 0x4780, 0x4780, 0x7f80, 0xff80, 0x3380, 0x3300, 0x3340, 0x8000, 0x3f80, 0x3f80, 0x7f7f}},
	} {
		f := frameOf(Buffer{F32, len(values)}, 1, 1)
		copy(f.f32[0], values)
		k := &FloatStore{From: 0, Format: c.format, Lanes: len(values), Lane: 1}
		wantBytes(t, stored(f, 1, 2*len(values)+4, k), little(2, append(append([]uint64{0}, c.want...), 0)...))
	}
	f := frameOf(Buffer{F32, 3}, 2, 1)
	f.f32[0][0], f.f32[0][1], f.f32[0][2], f.f32[0][8], f.f32[0][9], f.f32[0][10] = 1, 0x1p-149, -inf, 2, 3, -4
	got := stored(f, 2, 24, &FloatStore{From: 0, Format: Float64, Lanes: 3})
	var want []uint64
	for _, x := range []float64{1, 0x1p-149, math.Inf(-1), 2, 3, -4} {
		want = append(want, math.Float64bits(x))
	}
	wantBytes(t, got, little(8, want...))
}

// TestFloatStoreVector compares with the twin, lane numbers and places of all sorts.
func TestFloatStoreVector(t *testing.T) {
	b := newRandom(5)
	for range trials {
		lanes, lane, n := 1+b.IntN(40), b.IntN(3), 1+b.IntN(5)
		format := []Format{F16, BF16, Float64}[b.IntN(3)]
		f := frameOf(Buffer{F32, lanes}, n, 1)
		for i := range f.f32[0] {
			f.f32[0][i] = b.float()
		}
		k := &FloatStore{From: 0, Format: format, Lanes: lanes, Lane: lane}
		size := format.size()
		width := (lane + lanes + b.IntN(3)) * size
		got, want := stored(f, n, width, k), make([]byte, n*width)
		for block := range n {
			k.store(f, block, want[block*width:][:width])
		}
		for i := 0; i < len(want); i += size {
			x, y := element(format, got[i:]), element(format, want[i:])
			if !bytes.Equal(got[i:i+size], want[i:i+size]) && !(x != x && y != y) {
				t.Fatalf("%s, %d blocks of %d: element %d is %v, not %v", k, n, width, i/size, x, y)
			}
		}
	}
}

// element reads a number; two NaN are alike.
func element(format Format, p []byte) float64 {
	if format == Float64 {
		return math.Float64frombits(binary.LittleEndian.Uint64(p))
	}
	return float64(format.read(p))
}

// A table has an element for each code; codes lie in a buffer or in the payload.
func TestTableStore(t *testing.T) {
	for _, width := range []int{1, 2, 4, 8} {
		var cells []uint64
		for i := range uint64(256) {
			cells = append(cells, i*0x0101010101010101^0x55)
		}
		k := &TableStore{Codes: Buf(0), Table: little(width, cells...), Width: width, Lanes: 3, Lane: 1}
		f := frameOf(Buffer{U8, 3}, 2, 4, 7, 8, 9, 10, 11, 12, 13, 14)
		copy(f.u8[0], []byte{0, 255, 3, 0, 0, 0, 0, 0, 2, 1, 128})
		wantBytes(t, stored(f, 2, 4*width, k), little(width, 0, cells[0], cells[255], cells[3], 0, cells[2], cells[1], cells[128]))
		k.Codes = Codes{InPlace: []Row{{Byte: 2, Lane: 0, Len: 2}, {Byte: 0, Lane: 2, Len: 1}}}
		wantBytes(t, stored(f, 2, 4*width, k), little(width, 0, cells[9], cells[10], cells[7], 0, cells[13], cells[14], cells[11]))
	}
}

// Bits are gathered from anywhere, set where they are always 1, and extended by a sign.
func TestBitStore(t *testing.T) {
	for _, c := range []struct {
		k    BitStore
		want []uint64
	}{
		{BitStore{Parts: [][]Segment{{{Bit: 4, Width: 8}}, {{Bit: 1, Width: 3, Left: 2}, {Bit: 9, Width: 2}}}, Width: 1}, []uint64{0xef, 0x1f}},
		{BitStore{Parts: [][]Segment{{{Bit: 0, Width: 16}}, {}}, Ones: []uint64{0, 0x8001}, Width: 2}, []uint64{0xdefe, 0x8001}},
		{BitStore{Parts: [][]Segment{{{Bit: 3, Width: 13}}, {{Bit: 0, Width: 12}}}, Sign: 13, Width: 4}, []uint64{0xfffffbdf, 0xefe}},
		{BitStore{Parts: [][]Segment{{{Bit: 0, Width: 64}}, {{Bit: 3, Width: 61}}}, Width: 8}, []uint64{0x080706050403defe, 0x080706050403defe >> 3}},
	} {
		c.k.Lane = 1
		f := frameOf(Buffer{U8, 1}, 1, 8, 0xfe, 0xde, 3, 4, 5, 6, 7, 8)
		wantBytes(t, stored(f, 1, 3*c.k.Width, &c.k), little(c.k.Width, append([]uint64{0}, c.want...)...))
	}
}

func TestFixedStore(t *testing.T) {
	f := frameOf(Buffer{U8, 1}, 2, 1)
	wantBytes(t, stored(f, 2, 6, &FixedStore{Elements: []byte{1, 2, 3, 4}, Width: 2, Lane: 1}), []byte{0, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4})
}

// TestWholeStore writes integers, as elements that have a sign or have none.
func TestWholeStore(t *testing.T) {
	b := newRandom(6)
	for range trials {
		lanes, lane, n, width := 1+b.IntN(40), b.IntN(3), 1+b.IntN(5), []int{1, 2, 4, 8}[b.IntN(4)]
		f := frameOf(Buffer{F32, lanes}, n, 1)
		for i := range f.f32[0] {
			f.f32[0][i] = float32(b.IntN(1<<25+1) - 1<<24)
			if width < 4 {
				f.f32[0][i] = float32(b.IntN(3<<(8*width-1)) - 1<<(8*width-1))
			}
		}
		k := &ConvertStore{Code: func(x float32) uint64 { return uint64(int64(x)) }, Width: width, Lanes: lanes, Lane: lane, Whole: true}
		size := (lane + lanes + b.IntN(3)) * width
		want := make([]byte, n*size)
		for block := range n {
			k.store(f, block, want[block*size:][:size])
		}
		wantBytes(t, stored(f, n, size, k), want)
	}
}
