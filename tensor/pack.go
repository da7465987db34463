// SPDX-License-Identifier: Apache-2.0

package tensor

import "fmt"

// Unpack returns the codes of a tensor of 8-, 4- or 2-bit elements, one a byte,
// zero-extended. Those of 8-bit types alias the tensor: read only. Other types are a
// mistake of the calling code: Unpack panics.
func Unpack(t *Tensor) []uint8 {
	switch t.typ.Bits() {
	case 8:
		return t.data
	case 4:
		return unpack4(t.data, int(t.n))
	case 2:
		return unpack2(t.data, int(t.n))
	default:
		panic(fmt.Sprintf("tensor: Unpack of %v", t.typ))
	}
}

func unpack4(data []byte, n int) []uint8 {
	codes := make([]uint8, 2*len(data))
	for i, b := range data {
		codes[2*i], codes[2*i+1] = b&15, b>>4
	}
	return codes[:n]
}

func unpack2(data []byte, n int) []uint8 {
	codes := make([]uint8, 4*len(data))
	for i, b := range data {
		c := codes[4*i : 4*i+4 : 4*i+4]
		c[0], c[1], c[2], c[3] = b&3, b>>2&3, b>>4&3, b>>6
	}
	return codes[:n]
}

// UnpackInt8 returns the values of an INT8, INT4, UINT4, INT2 or UINT2 tensor,
// sign-extended where the type is signed. Those of INT8 may alias the tensor: read
// only. Other types are a mistake of the calling code: UnpackInt8 panics.
func UnpackInt8(t *Tensor) []int8 {
	if t.typ == Int8 {
		return Slice[int8](t)
	}
	if !t.typ.IsInteger() || t.typ.Bits() > 4 {
		panic(fmt.Sprintf("tensor: UnpackInt8 of %v", t.typ))
	}
	var sign uint8
	if t.typ.IsSigned() {
		sign = 1 << (t.typ.Bits() - 1)
	}
	codes := Unpack(t)
	for i, c := range codes {
		codes[i] = c ^ sign - sign
	}
	return elements[int8](codes)
}

// Pack is the inverse of [Unpack]: one code a byte in, a packed tensor out; it takes
// over the codes of 8-bit types. Bits above the type's width are ignored, so int8
// values converted to uint8 pack as they are.
func Pack(typ Type, dims []int64, codes []uint8) (*Tensor, error) {
	n, err := Count(dims)
	if err != nil {
		return nil, err
	}
	if int64(len(codes)) != n {
		return nil, fmt.Errorf("tensor: %v%s has %d elements, got %d", typ, dimsText(dims), n, len(codes))
	}
	switch typ.Bits() {
	case 8:
		return New(typ, dims, codes)
	case 4, 2:
		return New(typ, dims, pack(codes, uint(typ.Bits())))
	default:
		return nil, fmt.Errorf("tensor: %v has no codes of 8 bits or fewer", typ)
	}
}

// pack packs codes of 4 or 2 bits, the first in the low bits.
func pack(codes []uint8, width uint) []byte {
	perByte := 8 / width
	mask := uint8(1)<<width - 1
	data := make([]byte, (uint(len(codes))+perByte-1)/perByte)
	for i, c := range codes {
		data[uint(i)/perByte] |= c & mask << (uint(i) % perByte * width)
	}
	return data
}
