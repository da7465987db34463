// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/tensor"
)

// guideFile returns the n-th file that docs/ADD-A-FORMAT.md shows.
func guideFile(t *testing.T, n int) []byte {
	t.Helper()
	text, err := os.ReadFile("../docs/ADD-A-FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "```onnxtxt\n")
	if len(parts) != 5 {
		t.Fatalf("%d files in docs/ADD-A-FORMAT.md", len(parts)-1)
	}
	file, _, _ := strings.Cut(parts[n+1], "```")
	return []byte(file)
}

func guideEntry(t *testing.T, n int, declaration string) *catalog.Entry {
	t.Helper()
	e, err := catalog.Load("guide.onnxtxt", guideFile(t, n), declaration)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// bitsOf reads a field of a payload as one little-endian integer.
func bitsOf(payload []byte, first, width int) uint64 {
	n := new(big.Int)
	for i := len(payload) - 1; i >= 0; i-- {
		n.Lsh(n, 8).Or(n, big.NewInt(int64(payload[i])))
	}
	n.Rsh(n, uint(first))
	return n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1))).Uint64()
}

func f16(code uint64) float32 { return tensor.F16ToF32(uint16(code)) }

func TestGuideCodebook(t *testing.T) {
	e := guideEntry(t, 0, "")
	shape := []int64{2, 16}
	c := codecOf(t, e, shape)
	book := []float32{-1, -0.5, -0.25, -0.125, 0.125, 0.25, 0.5, 1}
	var payload []byte
	var want []float32
	for block, scale := range []float32{3, 5, 0.5, 1e-3} {
		payload = binary.LittleEndian.AppendUint32(payload, math.Float32bits(scale))
		word := uint32(0)
		for i := range 8 {
			k := (3*i + block) % 8 // every code, so that the largest magnitude occurs
			word |= uint32(k) << (3 * i)
			want = append(want, book[k]*scale)
		}
		payload = append(payload, byte(word), byte(word>>8), byte(word>>16))
	}
	checkGuide(t, decode(t, c, payload), want)
	if again := encode(t, c, shape, floatBytes(want)); string(again) != string(payload) {
		t.Errorf("encoded %x, expected %x", again, payload)
	}
}

func TestGuidePlanes(t *testing.T) {
	e := guideEntry(t, 1, "acme.planes")
	shape := []int64{3, 1, 64}
	c := codecOf(t, e, shape)
	var payload []byte
	var want []float32
	for block := range 3 {
		b := make([]byte, 26)
		binary.LittleEndian.PutUint16(b, tensor.F32ToF16(float32(block)+0.5))
		for i := range 64 {
			code := 1 + (5*i+block)%7
			for p := range 3 {
				b[2+8*p+i/8] |= byte(code>>p&1) << (i % 8)
			}
			want = append(want, float32(code-4)*(float32(block)+0.5))
		}
		payload = append(payload, b...)
	}
	checkGuide(t, decode(t, c, payload), want)
	if again := encode(t, c, shape, floatBytes(want)); string(again) != string(payload) {
		t.Errorf("encoded %x, expected %x", again, payload)
	}
	zeros := encode(t, c, []int64{3, 1, 64}, make([]byte, 4*3*64))
	for _, v := range tensor.Slice[float32](decode(t, c, zeros)) {
		if v != 0 {
			t.Fatalf("zeros decode to %v", v)
		}
	}
}

func TestGuideMiddleOfByte(t *testing.T) {
	for declaration, n := range map[string]int{"": 7, "[codes=15,bits=12]": 15, "acme.packed[bits=4]": 7} {
		e := guideEntry(t, 2, declaration)
		width := (int(e.Type().Bits()) - 20) / n
		c := codecOf(t, e, []int64{2, 2 * int64(n)})
		var payload []byte
		var want []float32
		for block := range 4 {
			b := make([]byte, e.Type().Bits()/8)
			for i := range b {
				b[i] = byte(37*i + 101*block + 11)
			}
			b[2] &^= 0x04 // a finite scale: its exponent is bits 14 to 18
			for i := range n {
				q := float32(bitsOf(b, 20+width*i, width)) - float32(int(1)<<(width-1))
				v := float32(q * f16(bitsOf(b, 4, 16)))
				want = append(want, float32(v*float32(math.Ldexp(1, int(bitsOf(b, 0, 4))))))
			}
			payload = append(payload, b...)
		}
		checkGuide(t, decode(t, c, payload), want)
	}
}

func TestGuideTile(t *testing.T) {
	const channels, tokens = 16, 32
	c := codecOf(t, guideEntry(t, 3, ""), []int64{3, 2, 2 * channels * tokens})
	var payload []byte
	var want []float32
	for block := range 12 {
		b := make([]byte, 2*channels+channels*tokens/2)
		for i := range b {
			b[i] = byte(29*i + 57*block + i*i/7)
		}
		for token := range tokens {
			for channel := range channels {
				b[2*channel] &^= 0x40 // a finite scale
				code := b[2*channels+channel*tokens/2+token/2]
				if token%2 == 0 {
					code >>= 4
				}
				scale := f16(uint64(b[2*channel])<<8 | uint64(b[2*channel+1]))
				want = append(want, float32(float32(int(code&15)-8)*scale))
			}
		}
		payload = append(payload, b...)
	}
	checkGuide(t, decode(t, c, payload), want)
}

// TestGuideTypes compares the numbers of element types with the program's.
func TestGuideTypes(t *testing.T) {
	text, err := os.ReadFile("../docs/ADD-A-FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "(Numbers of types:")
	list, _, _ = strings.Cut(list, ".)")
	pairs := strings.Split(list, ",")
	for _, pair := range pairs {
		var n int32
		var name string
		if _, err := fmt.Sscan(pair, &n, &name); err != nil || tensor.Type(n).String() != name {
			t.Errorf("%q: the type %d is %v", pair, n, tensor.Type(n))
		}
	}
	if len(pairs) < 20 {
		t.Errorf("%d types", len(pairs))
	}
}

func checkGuide(t *testing.T, y *tensor.Tensor, want []float32) {
	t.Helper()
	if err := sameFloats(tensor.Slice[float32](y), want); err != nil {
		t.Error(err)
	}
}
