// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// scaled is a call that makes a few codes, or with the two ops behind it one that makes floats at once: codes times
// a half that the block has. It returns the number of ops from op i on.
func (f *Frame) scaled(i int, c *call, segments []smallLanes, lanes int, to Target) (calls, int) {
	n := len(segments)
	ops := f.program.Ops[i+n:]
	if f.lanes == 0 || len(ops) < 2 || !to.Post.none() {
		return calls{c}, n
	}
	scale, ok := ops[0].(*Scalar)
	k, also := ops[1].(*Epilogue)
	switch {
	case !ok || !also || scale.Format != F16 || len(scale.Bytes) != 1:
		return calls{c}, n
	case k.ToOut || k.Source.Kind != FromU8 || k.Source.Codes.InPlace != nil || k.Source.Codes.Buffer != to.Buffer || k.Lanes != lanes:
		return calls{c}, n
	case k.form() != formMul || k.S.Kind != None || k.A.Kind != Group || k.A.N < k.Lanes || k.A.Buffer != scale.To:
		return calls{c}, n
	case f.program.Buffers[to.Buffer].Lanes != lanes || reads(ops[2:], scale.To):
		return calls{c}, n
	}
	for _, op := range ops[2:] {
		if uses(op, to.Buffer) {
			return calls{c}, n
		}
	}
	args := f.floatTarget(k.To)
	args.desc, args.even = c.args.desc, scale.Bytes[0]
	c.loop, c.args = scaledLoops[(lanes-1)/eightLanes][n-1], args
	return calls{c}, n + 2
}
