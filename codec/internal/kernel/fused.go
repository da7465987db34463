// SPDX-License-Identifier: Apache-2.0

package kernel

// fused runs the commonest forms in one loop: codes times a group's scale, with
// or without a group's offset. It reports whether it did.
func (k *Epilogue) fused(f *Frame, b int, out []float32) bool {
	if k.Source.Kind > FromI8 || k.A.Kind != Group || k.Div || k.Z.Kind != None || k.S.Kind != None ||
		k.B.Kind != None && (k.B.Kind != Group || k.B.N != k.A.N) {
		return false
	}
	scales := f.f32[k.A.Buffer][b*f.pitch[k.A.Buffer]:]
	var offsets []float32
	if k.B.Kind == Group {
		offsets = f.f32[k.B.Buffer][b*f.pitch[k.B.Buffer]:]
	}
	k.Source.Codes.segments(f, b, len(out), func(lane int, codes []byte) {
		k.segment(out, lane, codes, scales, offsets)
	})
	return true
}

// segment goes through a run of codes group by group.
func (k *Epilogue) segment(out []float32, lane int, codes []byte, scales, offsets []float32) {
	for len(codes) > 0 {
		g := lane / k.A.N
		n := min((g+1)*k.A.N-lane, len(codes))
		switch signed := k.Source.Kind == FromI8; {
		case offsets == nil && signed:
			scaleI8(out[lane:lane+n], codes[:n], scales[g])
		case offsets == nil:
			scaleU8(out[lane:lane+n], codes[:n], scales[g])
		case signed:
			scaleAddI8(out[lane:lane+n], codes[:n], scales[g], k.offset(offsets[g]))
		default:
			scaleAddU8(out[lane:lane+n], codes[:n], scales[g], k.offset(offsets[g]))
		}
		lane, codes = lane+n, codes[n:]
	}
}

// offset is what is added: x - b is x + (-b), bit for bit (a NaN for a NaN).
func (k *Epilogue) offset(b float32) float32 {
	if k.SubB {
		return -b
	}
	return b
}

func scaleI8(out []float32, codes []byte, a float32) {
	out = out[:len(codes)]
	for j, c := range codes {
		out[j] = float32(int8(c)) * a
	}
}

func scaleU8(out []float32, codes []byte, a float32) {
	out = out[:len(codes)]
	for j, c := range codes {
		out[j] = float32(c) * a
	}
}

func scaleAddI8(out []float32, codes []byte, a, b float32) {
	out = out[:len(codes)]
	for j, c := range codes {
		out[j] = float32(float32(int8(c))*a) + b
	}
}

func scaleAddU8(out []float32, codes []byte, a, b float32) {
	out = out[:len(codes)]
	for j, c := range codes {
		out[j] = float32(float32(c)*a) + b
	}
}
