// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// fusing reports whether epilogues take numbers as they are read.
func fusing() bool { return vectors() }

// fuses reports whether some epilogue of the frame does.
func (f *Frame) fuses() bool { return len(f.made) > 0 }
