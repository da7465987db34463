// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"math"
)

// scalars is Scalar made ready for formats that are read lane by lane in all blocks.
type scalars struct{ *Scalar }

func (k *Scalar) fast(*Frame) runner {
	if k.Format > Float32 {
		return nil
	}
	return scalars{k}
}

func (k scalars) run(f *Frame) {
	to, pitch := f.f32[k.To], f.pitch[k.To]
	for l, at := range k.Bytes {
		switch from := f.payload[at:]; k.Format {
		case F16:
			halvesAt(to[l:], from, f.n, pitch, f.stride)
		case BF16:
			for b := range f.n {
				to[l+b*pitch] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(from[b*f.stride:])) << 16)
			}
		default:
			for b := range f.n {
				to[l+b*pitch] = math.Float32frombits(binary.LittleEndian.Uint32(from[b*f.stride:]))
			}
		}
	}
}

// halvesAt widens n halves, stride bytes apart, to every pitch-th float.
func halvesAt(to []float32, from []byte, n, pitch, stride int) {
	s, d := 0, 0
	for range n {
		h := uint32(binary.LittleEndian.Uint16(from[s : s+2 : s+2]))
		if e := h & 0x7c00; e-0x400 < 0x7800 {
			to[d] = math.Float32frombits(h&0x8000<<16 | (h&0x7fff<<13 + 112<<23))
		} else {
			to[d] = halfToFloat(uint16(h))
		}
		s, d = s+stride, d+pitch
	}
}
