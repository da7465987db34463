// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"math"
)

// scalarLines is Scalar made ready: numbers at the same distance from each other go over
// blocks or over the numbers, whichever are more.
type scalarLines struct {
	*Scalar
	lines []fieldLine
}

func (k *Scalar) fast(*Frame) runner {
	if k.Format > Float32 {
		return nil
	}
	made := &scalarLines{Scalar: k}
	for l, at := range k.Bytes {
		made.lines = appendField(made.lines, wordUnit{src: at, dst: l})
	}
	return made
}

func (k *scalarLines) run(f *Frame) {
	payload, to := f.payload, f.f32[k.To]
	for i := range k.lines {
		k.lines[i].each(f.n, f.stride, f.pitch[k.To], func(s, d, n, stride, pitch int) {
			switch k.Format {
			case F16:
				halvesAt(to, payload, s, d, n, stride, pitch)
			case BF16:
				for range n {
					to[d] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(payload[s:s+2:s+2])) << 16)
					s, d = s+stride, d+pitch
				}
			default:
				for range n {
					to[d] = math.Float32frombits(binary.LittleEndian.Uint32(payload[s : s+4 : s+4]))
					s, d = s+stride, d+pitch
				}
			}
		})
	}
}

// halvesAt widens n halves, from byte s on and stride bytes apart, to every pitch-th float
// from d on.
func halvesAt(to []float32, from []byte, s, d, n, stride, pitch int) {
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
