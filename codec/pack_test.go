// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// integer is the payload as the one little-endian integer that it is.
func integer(payload []byte) *big.Int {
	b := slices.Clone(payload)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

func TestOrBits(t *testing.T) {
	for width := uint32(1); width <= 64; width++ {
		for off := range uint64(16) {
			v := uint64(0x9e3779b97f4a7c15) >> (64 - width)
			dst := make([]byte, 12)
			orBits(dst, off, width, v)
			want := new(big.Int).Lsh(new(big.Int).SetUint64(v), uint(off))
			if integer(dst).Cmp(want) != 0 {
				t.Errorf("width %d at %d: % x", width, off, dst)
			}
			if got := readBits(dst, off, width); got != v {
				t.Errorf("width %d at %d: read %x, want %x", width, off, got, v)
			}
		}
	}
}

func TestOrRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "src")
		from := rapid.Uint64Range(0, 63).Draw(t, "from")
		to := rapid.Uint64Range(0, 63).Draw(t, "to")
		n := rapid.Uint64Range(0, 190).Draw(t, "n")
		dst := make([]byte, 32)
		orRun(dst, to, src, from, n)
		want := new(big.Int).Rsh(integer(src), uint(from))
		mask := new(big.Int).Lsh(big.NewInt(1), uint(n))
		want.And(want, mask.Sub(mask, big.NewInt(1)))
		want.Lsh(want, uint(to))
		if integer(dst).Cmp(want) != 0 {
			t.Errorf("% x", dst)
		}
	})
}

func TestPack(t *testing.T) {
	dims := func(pairs ...uint64) (list []structview.Dim) {
		for ; len(pairs) > 0; pairs = pairs[2:] {
			list = append(list, structview.Dim{Len: pairs[0], Stride: pairs[1]})
		}
		return list
	}
	for _, test := range []struct {
		name string
		leaf structview.Leaf
		x    *tensor.Tensor
		want []byte
	}{
		{
			"3 bits, end to end",
			structview.Leaf{IsComponent: true, Width: 3, Dims: dims(8, 3)},
			tensor.Of([]int64{8}, uint8(0), 1, 2, 3, 4, 5, 6, 7),
			[]byte{0x88, 0xc6, 0xfa},
		},
		{
			"12 bits at bit 4",
			structview.Leaf{IsComponent: true, Width: 12, Offset: 4, Dims: dims(2, 12)},
			tensor.Of([]int64{2}, uint16(0x123), 0x456),
			[]byte{0x30, 0x12, 0x56, 0x04},
		},
		{
			"FLOAT16 at bit 4 of each of two rows",
			structview.Leaf{Element: tensor.Float16, Width: 16, Offset: 4, Dims: dims(2, 24)},
			mustTensor(tensor.Float16, []int64{2}, 0x21, 0x43, 0x65, 0x87),
			[]byte{0x10, 0x32, 0x04, 0x50, 0x76, 0x08},
		},
		{
			"INT4 in rows that have a gap",
			structview.Leaf{Element: tensor.Int4, Width: 4, Dims: dims(2, 16, 3, 4)},
			mustTensor(tensor.Int4, []int64{2, 3}, 0x21, 0x83, 0x0f),
			[]byte{0x21, 0x03, 0xf8, 0x00},
		},
		{
			"COMPLEX128 at bit 1",
			structview.Leaf{Element: tensor.Complex128, Width: 128, Offset: 1},
			mustTensor(tensor.Complex128, nil, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x7f),
			[]byte{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 0xfe, 0},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := make([]byte, len(test.want))
			if err := pack(got, test.leaf, test.x); err != nil || !bytes.Equal(got, test.want) {
				t.Errorf("got % x, %v; want % x", got, err, test.want)
			}
		})
	}
}

func TestPackRefuses(t *testing.T) {
	for width := uint64(1); width < 64; width++ {
		leaf := structview.Leaf{IsComponent: true, Width: width, Dims: []structview.Dim{{Len: 2, Stride: width}}}
		most := uint64(1)<<width - 1
		dst := make([]byte, 16)
		if err := pack(dst, leaf, tensor.Of([]int64{2}, most, most)); err != nil {
			t.Errorf("%d bits: %v", width, err)
		}
		if err := pack(dst, leaf, tensor.Of([]int64{2}, most, most+1)); err == nil {
			t.Errorf("%d bits hold %d", width, most+1)
		}
	}
}

func mustTensor(typ tensor.Type, dims []int64, data ...byte) *tensor.Tensor {
	t, err := tensor.New(typ, dims, data)
	if err != nil {
		panic(err)
	}
	return t
}
