// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// byteCalls makes the kernels on codes ready. What lies in the payload is copied
// into the target first; a flat loop then runs over whole buffers.
func (f *Frame) byteCalls(op Op) calls {
	switch k := op.(type) {
	case *Affine:
		post := Post{Affine: &k.Map}
		return f.flat(k.From, k.Lanes, k.To, [...]func(*unpackArgs){nil, flatAdd, nil, flatAffine}[post.kind()],
			func(a *unpackArgs) { a.post(post) })
	case *Lut:
		return f.lut(k)
	case *Steps:
		return f.steps(k)
	case *Binary:
		return f.binary(k.Op.loop(), k.From, k.With, k.Lanes, k.To)
	case *Sign:
		return f.binary(binarySign, k.From, k.With, k.Lanes, k.To)
	case *Rows:
		return f.rows(k)
	case *Held:
		return f.held(k)
	default:
		return nil
	}
}

// flat is a loop over all codes of a buffer.
func (f *Frame) flat(from Codes, lanes int, to BufferID, loop func(*unpackArgs), set func(*unpackArgs)) calls {
	var out calls
	src := to
	if from.InPlace != nil {
		out = f.unpack(rowBits(from.InPlace), 8, Target{Buffer: to})
	} else {
		src = from.Buffer
	}
	if f.pitch[src] != f.pitch[to] {
		return nil
	}
	c := &call{loop: loop, flat: f.pitch[to], pace: pace{units: pieceLanes / 32, src: 32, dst: 32}}
	c.args.src, c.args.dst = address(f.u8[src]), address(f.u8[to])
	set(&c.args)
	return append(out, c)
}

func (f *Frame) steps(k *Steps) calls {
	loop := flatSteps2
	if len(k.Thresholds) > 2 {
		loop = flatSteps4
	}
	return f.flat(k.From, k.Lanes, k.To, loop, func(a *unpackArgs) {
		a.add = k.Base
		for i, t := range k.Thresholds {
			a.lut[i], a.lut[8+i] = t, k.Step
		}
	})
}

func (o ByteOp) loop() func(*unpackArgs) {
	return [...]func(*unpackArgs){binaryAdd, binarySub, binaryAnd, binaryOr, binaryXor, binaryMul}[o]
}

// binary is a loop over two buffers: what is not one code a lane is spread first.
func (f *Frame) binary(loop func(*unpackArgs), from Codes, with Operand, lanes int, to BufferID) calls {
	if with.Constant == nil && (with.Buffer == to || f.u8[with.Buffer] == nil) {
		return nil
	}
	second, before := f.u8[with.Buffer], calls(nil)
	switch {
	case with.Constant != nil:
		second = f.constantRow(with.Constant, f.pitch[to])
	case with.Group > 1 || f.pitch[with.Buffer] != f.pitch[to]:
		second = make([]byte, f.tile*f.pitch[to]+slack)
		before = f.repeatBytes(with, lanes, second, f.pitch[to])
	}
	made := f.flat(from, lanes, to, loop, func(a *unpackArgs) { a.with = address(second) })
	if made == nil {
		return nil
	}
	made[len(made)-1].pace.with = 32
	return append(before, made...)
}

// repeatBytes spreads an operand by group over lanes of a buffer.
func (f *Frame) repeatBytes(with Operand, lanes int, to []byte, pitch int) calls {
	var list []window
	for from := 0; from < lanes; from += 2 * chunkLanes {
		end := min(from+2*chunkLanes, lanes)
		middle := min(from+chunkLanes, end)
		w := window{dst: int32(from), units: int32((end - from + 7) / 8), first: int32(from / with.Group), second: int32(from / with.Group)}
		if middle < end {
			w.second = int32(middle / with.Group)
		}
		for i := range end - from {
			base := w.first
			if i >= chunkLanes {
				base = w.second
			}
			w.shuffle[i] = byte((from+i)/with.Group - int(base))
		}
		list = append(list, w)
	}
	c := &call{loop: repeatBytes, pace: pace{units: pieceLanes / 32, desc: sizeOf[window]()}}
	c.args = unpackArgs{
		src: address(f.u8[with.Buffer]), stride: f.pitch[with.Buffer], dst: address(to), pitch: pitch,
		desc: address(list), count: len(list),
	}
	return calls{c}
}

// rows pads the table's rows to 4, 8 or 16 bytes: what a row writes too much, the
// next one overwrites.
func (f *Frame) rows(k *Rows) calls {
	size := 4
	for size < k.R {
		size *= 2
	}
	if size > 16 {
		return nil
	}
	count := len(k.Table) / k.R
	entries, loop := 1<<8, map[int]func(*unpackArgs){4: rows4U8, 8: rows8U8, 16: rows16U8}[size]
	src, stride := address(f.u8[k.From]), f.pitch[k.From]
	if f.u16[k.From] != nil {
		entries, loop = 1<<16, map[int]func(*unpackArgs){4: rows4U16, 8: rows8U16, 16: rows16U16}[size]
		src, stride = address(f.u16[k.From]), 2*f.pitch[k.From]
		entries = count
	}
	table := k.Table
	if size != k.R || entries != count {
		table = make([]byte, entries*size)
		for i := range entries {
			copy(table[i*size:], k.Table[i%count*k.R:][:k.R])
		}
	}
	c := &call{loop: loop, pace: pace{units: slowLanes, src: stride / f.pitch[k.From], dst: k.R}}
	c.args = unpackArgs{
		src: src, stride: stride, dst: address(f.u8[k.To]), pitch: f.pitch[k.To],
		with: address(table), count: k.Count, step: k.R,
	}
	return calls{c}
}
