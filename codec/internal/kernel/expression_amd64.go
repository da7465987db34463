// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// spreading writes an operand for each lane.
func (f *Frame) spreading(p Parameter, lanes int, to []float32, pitch int) runner {
	if !vectors() {
		return &spread{p, lanes, pitch, to}
	}
	return f.repeatFloats(p, lanes, to, pitch)
}
