// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// ofCodes reports whether an epilogue is one function of codes: its operands are known.
func (k *Epilogue) ofCodes() bool {
	for _, p := range []Parameter{k.Z, k.A, k.B, k.S} {
		if p.Kind != None && p.Kind != Const {
			return false
		}
	}
	return k.Source.Kind == FromTable || k.Source.Kind == FromU8 || k.Source.Kind == FromI8
}

// values are the floats of all codes.
func (k *Epilogue) values() []float32 {
	codes, out := make([]byte, 256), make([]float32, 256)
	for c := range codes {
		codes[c] = byte(c)
	}
	k.Source.widen(out, 0, codes)
	k.steps(nil, 0, out)
	return out
}
