// SPDX-License-Identifier: Apache-2.0

package kernel

// runner is an op made ready for one frame.
type runner interface {
	// run works on every block of the frame.
	run(f *Frame)
}

// prepare makes the program's ops ready: as vector code where there is some, which
// may stand for several ops that follow each other, as they are otherwise.
func (f *Frame) prepare() {
	for i := 0; i < len(f.program.Ops); {
		made, n := f.vector(i)
		if n == 0 {
			made, n = f.program.Ops[i].ready(f), 1
		}
		f.ops = append(f.ops, made)
		i += n
	}
}
