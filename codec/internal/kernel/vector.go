// SPDX-License-Identifier: Apache-2.0

package kernel

// runner is an op made ready for one frame.
type runner interface {
	// run works on every block of the frame.
	run(f *Frame)
}

// prepare makes the program's ops ready: as vector code where there is some, which
// may stand for several ops that follow each other, or as the portable loops.
func (f *Frame) prepare() {
	if !vectors() {
		f.ops = f.portable()
		return
	}
	for i := 0; i < len(f.program.Ops); {
		made, n := f.vector(i)
		if n == 0 {
			made, n = f.loop(f.program.Ops[i]), 1
		}
		f.ops = append(f.ops, made)
		i += n
	}
}

// portable is the program as portable loops.
func (f *Frame) portable() []runner {
	var made []runner
	joined := f.join()
	for i, op := range f.program.Ops {
		switch j := joined[i]; {
		case !j.done:
			made = append(made, f.loop(op))
		case j.all != nil:
			made = append(made, j.all)
		}
	}
	return made
}

// loop is an op as the fastest portable loop for it.
func (f *Frame) loop(op Op) runner {
	if k, ok := op.(interface{ fast(f *Frame) runner }); ok {
		if made := k.fast(f); made != nil {
			return made
		}
	}
	return op.ready(f)
}
