// SPDX-License-Identifier: Apache-2.0

package kernel

// runner is an op made ready for one frame.
type runner interface{ run(f *Frame) }

// prepare makes the program's ops ready: as vector code where there is some, as they
// are otherwise.
func (f *Frame) prepare() {
	for i, op := range f.program.Ops {
		var made runner = op
		if fast := f.vector(i); fast != nil {
			made = fast
		}
		f.ops = append(f.ops, made)
	}
}
