// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"encoding/binary"
	"unsafe"
)

// hostIsLittle reports whether this machine stores numbers as blocks do.
var hostIsLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Bytes returns the memory of floats as the bytes that Run writes, so that it writes them in place.
// It is false where the host's byte order is another.
//
// The conversion is sound: every byte of a float32 may be written, a byte has no alignment, and the
// slice keeps the same allocation alive.
func Bytes(floats []float32) ([]byte, bool) {
	if !hostIsLittle {
		return nil, false
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(floats))), uintptr(len(floats))*unsafe.Sizeof(float32(0))), true
}
