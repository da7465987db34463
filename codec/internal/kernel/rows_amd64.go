// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// planes is one or two planes that fill a buffer, whose only reader is an epilogue.
// They need not run by themselves: the epilogue takes the codes from the payload.
type planes struct {
	segments [][]planeLanes
	masks    [2]byte
	last     Target
}

// postponed makes planes from op i on part of the epilogue that reads them. It
// returns the number of ops, 0 if they must run by themselves.
func (f *Frame) postponed(i int) int {
	if f.lanes == 0 {
		return 0 // a Store, which is not among the ops, may read the buffer
	}
	p := &planes{}
	for _, op := range f.program.Ops[i:] {
		k, ok := op.(*Plane)
		if !ok || len(p.segments) == 2 || len(p.segments) > 0 && (!k.To.Or || k.To.Buffer != p.last.Buffer || !p.last.Post.none()) {
			break
		}
		if len(p.segments) == 0 && k.To.Or || !p.add(f, k) {
			return 0
		}
	}
	if len(p.segments) == 0 || p.last.Post.kind() == postAffine {
		return 0
	}
	n := len(p.segments)
	reader := -1
	for j, op := range f.program.Ops[i+n:] {
		if uses(op, p.last.Buffer) {
			if reader >= 0 {
				return 0
			}
			reader = i + n + j
		}
	}
	if reader < 0 {
		return 0
	}
	k, ok := f.program.Ops[reader].(*Epilogue)
	if !ok || f.rowEpilogue(k, p) == nil {
		return 0
	}
	f.pending[reader] = p
	return n
}

// add takes a plane whose lanes are rows of 32, all of the buffer, in order.
func (p *planes) add(f *Frame, k *Plane) bool {
	u := &unpacking{bits: rowBits(k.Rows), width: k.Width, to: k.To, size: 1}
	if f.u16[k.To.Buffer] != nil || k.Width+k.To.Left > 8 || len(u.bits) != f.program.Buffers[k.To.Buffer].Lanes {
		return false
	}
	for at := 0; at < len(u.bits); at += 2 * chunkLanes {
		u.chunks(at)
	}
	if len(u.rows) == 0 || 2*chunkLanes*len(u.rows) != len(u.bits) || len(p.segments) == 0 && left(u.rows) != 0 {
		return false
	}
	p.masks[len(p.segments)] = byte((1<<k.Width - 1) << k.To.Left)
	p.segments, p.last = append(p.segments, u.rows), k.To
	return true
}

// rowEpilogue makes an epilogue ready that takes its codes from planes; nil if it is
// none of those forms.
func (f *Frame) rowEpilogue(k *Epilogue, p *planes) *epilogueCall {
	form, group := k.form(), k.Lanes
	switch {
	case k.Source.Kind != FromU8 && k.Source.Kind != FromI8 || form > formMulSub || k.S.Kind != None || k.Lanes != 2*chunkLanes*len(p.segments[0]):
		return nil
	case len(p.segments) == 1 && (k.Source.Kind == FromI8 || len(p.segments[0]) == 1):
		return nil // signs, and descriptors for a few lanes, cost what the buffer would
	case k.A.Kind != Group || k.B.Kind != None && (k.B.Kind != Group || k.B.N != k.A.N):
		return nil
	case k.A.N < k.Lanes:
		group = k.A.N
	}
	if group%(2*chunkLanes) != 0 {
		return nil
	}
	var list []planeLanes
	for i := range p.segments[0] {
		for _, rows := range p.segments {
			r := rows[i]
			r.operand = int32(4 * (2 * chunkLanes * i / group))
			list = append(list, r)
		}
	}
	c := &epilogueCall{out: k.ToOut, lane: k.Lane, payload: true}
	a := &c.args
	a.runs, a.count = address(list), len(p.segments[0])
	c.lanes, c.listed, c.dstEach = k.Lanes, sizeOf[planeLanes]()*len(p.segments), 4*2*chunkLanes
	a.srcSkip, a.dstSkip = f.stride, 4*(f.destination(k, c)-k.Lanes)
	a.mask = p.masks
	a.a, a.aSkip = address(f.f32[k.A.Buffer]), 4*f.pitch[k.A.Buffer]
	if k.B.Kind == Group {
		a.b, a.bSkip = address(f.f32[k.B.Buffer]), 4*f.pitch[k.B.Buffer]
	}
	post := p.last.Post
	if post.Affine != nil {
		a.add = post.Affine.Add
	}
	if post.Lut != nil {
		a.lut = *post.Lut
	}
	loops := &rowLoops[k.Source.Kind][len(p.segments)-1][post.kind()][form]
	if c.loop = loops[0]; a.streams() && f.lanes%eightLanes == 0 && k.Lane%eightLanes == 0 {
		c.stream = loops[1]
	}
	return c
}
