// SPDX-License-Identifier: Apache-2.0

package render

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/structview/structview/tensor"
)

// Elements writes the first elements of a tensor, at most limit of them, in the
// shortest form that reads back as the same value.
func Elements(t *tensor.Tensor, limit int) []string {
	n := int(min(t.Len(), int64(limit)))
	out := make([]string, n)
	for i := range n {
		out[i] = Element(t, i)
	}
	return out
}

// Element writes element i of a tensor, counted row by row.
func Element(t *tensor.Tensor, i int) string {
	switch typ := t.Type(); {
	case typ == tensor.String:
		return strconv.Quote(string(t.Strings()[i]))
	case typ.IsComplex():
		return complexElement(t, i)
	default:
		return code(typ, codeAt(t, i))
	}
}

// codeAt returns the bits of one element of at most 64 bits.
func codeAt(t *tensor.Tensor, i int) uint64 {
	width := int(t.Type().Bits())
	data := t.Bytes()
	if width < 8 {
		perByte := 8 / width
		return uint64(data[i/perByte]>>(i%perByte*width)) & (1<<width - 1)
	}
	var buffer [8]byte
	copy(buffer[:], data[i*width/8:(i+1)*width/8])
	return binary.LittleEndian.Uint64(buffer[:])
}

func code(typ tensor.Type, bits uint64) string {
	switch {
	case typ == tensor.Bool:
		return strconv.FormatBool(bits != 0)
	case typ == tensor.Double:
		return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
	case typ.IsFloat():
		return strconv.FormatFloat(tensor.ToFloat(typ, bits), 'g', -1, 32)
	case typ.IsSigned():
		shift := 64 - typ.Bits()
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	default:
		return strconv.FormatUint(bits, 10)
	}
}

func complexElement(t *tensor.Tensor, i int) string {
	data := t.Bytes()
	if t.Type() == tensor.Complex64 {
		re := math.Float32frombits(binary.LittleEndian.Uint32(data[8*i:]))
		im := math.Float32frombits(binary.LittleEndian.Uint32(data[8*i+4:]))
		return strconv.FormatComplex(complex(float64(re), float64(im)), 'g', -1, 64)
	}
	re := math.Float64frombits(binary.LittleEndian.Uint64(data[16*i:]))
	im := math.Float64frombits(binary.LittleEndian.Uint64(data[16*i+8:]))
	return strconv.FormatComplex(complex(re, im), 'g', -1, 128)
}

// Bits writes the bytes of a value too wide for a number, most significant
// first, as a hexadecimal number.
func Bits(littleEndian []byte) string {
	out := make([]byte, 0, 2+2*len(littleEndian))
	out = append(out, "0x"...)
	for i := len(littleEndian) - 1; i >= 0; i-- {
		out = fmt.Appendf(out, "%02x", littleEndian[i])
	}
	return string(out)
}
