// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package kernel

// vector narrows the first of the floats and returns how many.
func (w Narrowing) vector([]float32, []byte, bool) int { return 0 }
