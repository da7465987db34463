// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// grouped makes a loop of runs one over groups, if the lanes of a block follow each other and are
// whole groups of a multiple of 16, each with operands of its own. size is that of a lane of the
// source.
func (f *Frame) grouped(k *Epilogue, c *call, source, size int) bool {
	rows := k.Source.Codes.InPlace
	if source > sourceLut || k.Lanes > pieceLanes || len(rows) > 1 || source == sourceF32 && !k.hasSteps() {
		return false
	}
	group := k.Lanes
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if n := p.group(); n != 0 && n < k.Lanes {
			if group < k.Lanes && n != group {
				return false
			}
			group = n
		}
	}
	if group%chunkLanes != 0 || k.Lanes%group != 0 {
		return false
	}
	a := &c.args
	a.count, a.chunks = k.Lanes/group, group/chunkLanes
	a.srcSkip, a.dstSkip = a.stride-size*k.Lanes, a.pitch-4*k.Lanes
	for _, o := range []struct {
		p          Parameter
		pitch      int
		step, skip *int
	}{{k.Z, a.zPitch, &a.zStep, &a.zSkip}, {k.A, a.aPitch, &a.aStep, &a.aSkip}, {k.B, a.bPitch, &a.bStep, &a.bSkip}} {
		if *o.skip = o.pitch; o.p.group() == group {
			*o.step, *o.skip = 4, o.pitch-4*a.count
		}
	}
	if len(rows) == 1 {
		c.at = rows[0].Byte
	}
	c.loop = groupLoops[source][k.form()]
	c.pieces, c.blocks = []piece{{0, a.count}}, max(pieceLanes/k.Lanes, 1)
	return true
}
