// SPDX-License-Identifier: Apache-2.0

package tensor

// Unpack returns the codes of a 4- or 2-bit tensor, one a byte, zero-extended. For
// 8-bit types it returns the bytes themselves.
func Unpack(t *Tensor) []uint8 { panic("not yet") }

// UnpackInt8 returns the values of an integer tensor of at most 8 bits that int8 holds
// (UINT4, INT4, UINT2, INT2, INT8), sign-extended where the type is signed.
func UnpackInt8(t *Tensor) []int8 { panic("not yet") }

// Pack is the inverse of [Unpack]: one code a byte in, packed tensor out. Bits above the
// type's width are ignored, so that int8 values converted to uint8 pack as they are.
func Pack(typ Type, dims []int64, codes []uint8) (*Tensor, error) { panic("not yet") }
