// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package kernel

// spreading writes an operand for each lane.
func (*Frame) spreading(p Parameter, lanes int, to []float32, pitch int) runner {
	return &spread{p, lanes, pitch, to}
}
