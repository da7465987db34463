// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// fusing reports whether epilogues take numbers as they are read.
func fusing() bool { return vectors() }

// fuses reports whether some epilogue of the frame does.
func (f *Frame) fuses() bool { return len(f.made) > 0 }

// readsDistant reports whether a loop of the frame is over numbers that are equally far apart.
func (f *Frame) readsDistant() bool {
	for _, op := range f.ops {
		if _, ok := op.(*distantCall); ok {
			return true
		}
	}
	return false
}
