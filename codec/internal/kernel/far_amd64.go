// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// farCodes makes op i ready if its codes are bytes of the payload that are equally far apart, and one epilogue alone, a function
// of codes, reads them: each is looked up where it is.
func (f *Frame) farCodes(i int) (runner, int) {
	d, to, ok := distantCodes(f.program.Ops[i])
	if !ok || d.width != 8 || d.first%8 != 0 || d.apart%8 != 0 || f.lanes == 0 {
		return nil, 0
	}
	j := f.reader(to.Buffer, i)
	if j < 0 {
		return nil, 0
	}
	k, ok := f.program.Ops[j].(*Epilogue)
	if !ok || !k.ofCodes() || k.Lanes != d.lanes || d.lanes != f.program.Buffers[to.Buffer].Lanes {
		return nil, 0
	}
	f.made[j] = calls{f.farTable(k, d.first/8, d.apart/8)}
	return calls{}, 1
}

// farTable is the look-up of an epilogue's codes from a byte of the block on, each so many bytes behind the one before.
func (f *Frame) farTable(k *Epilogue, first, apart int) *call {
	c := &call{loop: farTable, payload: true, at: first, out: k.ToOut, lane: k.Lane}
	if c.args = (unpackArgs{stride: f.stride, pitch: 4 * f.lanes}); !k.ToOut {
		c.args = f.floatTarget(k.To)
	}
	c.args.with, c.args.count, c.args.step = address(k.values()), k.Lanes, apart
	c.pace = pace{units: slowLanes, src: apart, dst: 4}
	return c
}
