// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// eight is up to eight lanes that follow each other, and where their operands are: offsets
// in bytes from the block's begin, and for each lane an element of the eight from there.
type eight struct {
	src, dst               int32
	z, a, b                int32
	mask                   int32 // of lanes that are stored, where these are not eight
	zIndex, aIndex, bIndex [8]int32
}

// laneMasks are the first 0 to 8 lanes.
func laneMasks() *[9][8]uint32 {
	masks := new([9][8]uint32)
	for n := range masks {
		for i := range n {
			masks[n][i] = 1<<32 - 1
		}
	}
	return masks
}

// eights makes an epilogue ready whose lanes take operands of their own. It is false where
// eight lanes take elements too far apart.
func (f *Frame) eights(k *Epilogue, c *epilogueCall, source, form int) bool {
	rows, size, skip := f.sourceRows(k)
	list, rest, aligned, few := []eight{}, []eight{}, true, true
	for _, r := range rows {
		for j := 0; j < r.Len; j += eightLanes {
			lane, n := r.Lane+j, min(r.Len-j, eightLanes)
			e := eight{src: int32(size * (r.Byte + j)), dst: int32(4 * lane)}
			if !(k.Z.window(lane, n, &e.z, &e.zIndex) && k.A.window(lane, n, &e.a, &e.aIndex) && k.B.window(lane, n, &e.b, &e.bIndex)) {
				return false
			}
			// What is written too much, the next eight overwrites, except at the end.
			if k.ToOut && lane+eightLanes > k.Lanes {
				e.mask = int32(32 * n)
				rest = append(rest, e)
			} else {
				list = append(list, e)
			}
			aligned = aligned && lane%eightLanes == 0
			few = few && e.few()
		}
	}
	a := &c.args
	c.lanes, c.listed = k.Lanes, sizeOf[eight]()
	a.count, a.rest, a.masks = len(list), len(rest), address(laneMasks()[0][:])
	a.runs = address(append(list, rest...))
	a.srcSkip, a.dstSkip = skip, 4*f.destination(k, c)
	f.laneOperands(k, c)
	loops := epilogueLanes[source][form]
	if series := epilogueSeries[source][form]; len(rows) == 1 && aligned && few && len(rest) == 0 && series[0] != nil {
		loops, c.at, c.srcEach, c.dstEach = series, rows[0].Byte, eightLanes, 4*eightLanes
		a.srcSkip, a.dstSkip, a.groups = a.srcSkip-8*len(list), a.dstSkip-32*len(list), 1
		c.patterns(k, len(list))
	}
	if c.loop = loops[0]; aligned && len(rest) == 0 && f.lanes%eightLanes == 0 && k.Lane%eightLanes == 0 {
		c.stream = loops[1]
	}
	return true
}

// sourceRows is where an epilogue's source has its lanes: rows in elements of some bytes, and
// the bytes from block to block.
func (f *Frame) sourceRows(k *Epilogue) (rows []Row, size, skip int) {
	whole := []Row{{Len: k.Lanes}}
	switch s := k.Source; {
	case s.Kind == FromF32:
		return whole, 4, 4 * f.pitch[s.From]
	case s.Kind == FromU16:
		return whole, 2, 2 * f.pitch[s.From]
	case s.Codes.InPlace != nil:
		return s.Codes.InPlace, 1, f.stride
	default:
		return whole, 1, f.pitch[s.Codes.Buffer]
	}
}

// laneOperands sets where the operands of a loop over eights begin. One that is the same
// for all is a row of eight.
func (f *Frame) laneOperands(k *Epilogue, c *epilogueCall) {
	operands := f.operands(k, c)
	a := &c.args
	for i, o := range []struct {
		at   **byte
		skip *int
	}{{&a.z, &a.zSkip}, {&a.a, &a.aSkip}, {&a.b, &a.bSkip}} {
		if *o.skip = operands[i].pitch; operands[i].group == 0 {
			row := make([]float32, eightLanes)
			for l := range row {
				row[l] = c.constant[i]
			}
			*o.at = address(row)
		}
	}
}

// window finds the eight elements that have those of n lanes.
func (p Parameter) window(lane, n int, at *int32, index *[8]int32) bool {
	if p.Kind == None || p.Kind == Const {
		return true
	}
	low, high := p.element(lane), p.element(lane)
	for l := lane; l < lane+n; l++ {
		low, high = min(low, p.element(l)), max(high, p.element(l))
	}
	*at = int32(4 * low)
	for i := range n {
		index[i] = int32(p.element(lane+i) - low)
	}
	return high-low < eightLanes
}

// ownOperands reports whether lanes have operands that no loop over groups takes.
func (k *Epilogue) ownOperands() bool {
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind != None && !p.broadcast(k.Lanes) {
			return true
		}
	}
	return false
}

// ragged reports whether runs of lanes that share their operands are so short that loops over
// eights are better.
func (f *Frame) ragged(k *Epilogue) bool {
	rows, _, _ := f.sourceRows(k)
	return k.Lanes < eightLanes*3*len(runsOf(rows, 1, [3]int{k.Z.group(), k.A.group(), k.B.group()}))
}
