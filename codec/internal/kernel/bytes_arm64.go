// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// byteCalls makes the kernels on codes ready. What lies in the payload is copied into the
// target first; a flat loop then runs over whole buffers.
func (f *Frame) byteCalls(op Op) calls {
	switch k := op.(type) {
	case *Affine:
		post := Post{Affine: &k.Map}
		loop := flatAffine
		if post.kind() == postAdd {
			loop = flatAdd
		}
		return f.flat(k.From, k.To, loop, func(c *call) { c.args.post(post) })
	case *Lut:
		return f.lut(k)
	case *Steps:
		return f.steps(k)
	case *Binary:
		loop := [...]func(*unpackArgs){binaryAdd, binarySub, binaryAnd, binaryOr, binaryXor, binaryMul}[k.Op]
		return f.binary(loop, k.From, k.With, k.Lanes, k.To)
	case *Sign:
		return f.binary(binaryMul, k.From, k.With, k.Lanes, k.To)
	case *Rows:
		return f.rows(k)
	default:
		return nil
	}
}

// flat is a loop over all codes of a buffer, 32 at a time.
func (f *Frame) flat(from Codes, to BufferID, loop func(*unpackArgs), set func(*call)) calls {
	var out calls
	src := to
	if from.InPlace == nil {
		src = from.Buffer
	} else if out = f.unpack(rowBits(from.InPlace), 8, Target{Buffer: to}); out == nil {
		return nil
	}
	if f.pitch[src] != f.pitch[to] {
		return nil
	}
	c := &call{loop: loop, flat: f.pitch[to]}
	c.args.src, c.args.dst = address(f.u8[src]), address(f.u8[to])
	c.args.stride, c.args.pitch, c.args.count = 32, 32, 1
	set(c)
	return append(out, c.cut(alike(32)))
}

func (f *Frame) lut(k *Lut) calls {
	if n := len(k.Table); n <= 16 {
		return f.flat(k.From, k.To, flatLut, func(c *call) {
			for i := range c.args.lut {
				c.args.lut[i] = k.Table[i%n]
			}
			c.args.mask = 15
		})
	}
	table := make([]byte, 256)
	for i := range table {
		table[i] = k.Table[i%len(k.Table)]
	}
	return f.flat(k.From, k.To, flatLut256, func(c *call) { c.args.with = address(table) })
}

func (f *Frame) steps(k *Steps) calls {
	loop := flatSteps2
	if len(k.Thresholds) > 2 {
		loop = flatSteps4
	}
	return f.flat(k.From, k.To, loop, func(c *call) {
		c.args.add = k.Base
		for i, t := range k.Thresholds {
			c.args.lut[i], c.args.lut[8+i] = t, k.Step
		}
	})
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
	made := f.flat(from, to, loop, func(c *call) { c.args.a, c.args.aPitch = address(second), 32 })
	if made == nil {
		return nil
	}
	return append(before, made...)
}

// repeatBytes spreads an operand by group over lanes of a buffer: fields of 8 bits.
func (f *Frame) repeatBytes(with Operand, lanes int, to []byte, pitch int) calls {
	u := &unpacking{bits: make([]int, lanes), width: 8}
	for l := range u.bits {
		u.bits[l] = 8 * (l / with.Group)
	}
	for at := 0; at < lanes; at += chunkLanes {
		u.chunk(at, min(at+chunkLanes, lanes))
	}
	c := &call{loop: oneByteLoops[0][0][postNone], size: sizeOf[oneByteLanes]()}
	c.args = unpackArgs{
		src: address(f.u8[with.Buffer]), stride: f.pitch[with.Buffer], dst: address(to), pitch: pitch,
		desc: address(u.bytes), count: len(u.bytes), mask: 0xff,
	}
	return calls{c.cut(alike(chunkLanes))}
}

// rows copies rows of 4 and 8 bytes.
func (f *Frame) rows(k *Rows) calls {
	if k.R != 4 && k.R != 8 || k.Count == 0 {
		return nil
	}
	place, size := 0, 1
	src := address(f.u8[k.From])
	if f.u16[k.From] != nil {
		place, size, src = 1, 2, address(f.u16[k.From])
	}
	loop := map[int][2]func(*unpackArgs){4: {rows4U8, rows4U16}, 8: {rows8U8, rows8U16}}[k.R][place]
	c := &call{loop: loop, srcSize: size, dstSize: k.R}
	c.args = unpackArgs{
		src: src, stride: size * f.pitch[k.From], dst: address(f.u8[k.To]), pitch: f.pitch[k.To],
		with: address(k.Table), count: k.Count, low: uint32(len(k.Table)/k.R - 1),
	}
	return calls{c.cut(alike(k.R))}
}
