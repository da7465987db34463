// SPDX-License-Identifier: Apache-2.0

package kernel

import "fmt"

// Transpose reads matrices of bytes that lie by columns: the lanes of each, Rows of Cols, follow each other, and row i
// of column j is byte i + j*Step from the matrix's begin on.
type Transpose struct {
	Bytes            []int // where each matrix begins
	Rows, Cols, Step int
	To               BufferID // U8
}

func (k *Transpose) last(*Program) int {
	last := 0
	for _, at := range k.Bytes {
		last = max(last, at+k.Rows+(k.Cols-1)*k.Step)
	}
	return last
}

func (k *Transpose) String() string {
	return fmt.Sprintf("transpose %d of %dx%d @%d by %d -> b%d", len(k.Bytes), k.Rows, k.Cols, k.Bytes[0], k.Step, k.To)
}

func (k *Transpose) ready(*Frame) runner { return k }

func (k *Transpose) run(f *Frame) {
	for b := range f.n {
		dst := f.u8[k.To][b*f.pitch[k.To]:]
		for _, at := range k.Bytes {
			matrix := f.payload[b*f.stride+at:]
			for i := range k.Rows {
				for j := range dst[:k.Cols] {
					dst[j] = matrix[i+j*k.Step]
				}
				dst = dst[k.Cols:]
			}
		}
	}
}
