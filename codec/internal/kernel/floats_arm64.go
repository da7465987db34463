// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// floatTarget is the arguments of a kernel that writes floats.
func (f *Frame) floatTarget(to BufferID) unpackArgs {
	return unpackArgs{stride: f.stride, pitch: 4 * f.pitch[to], dst: address(f.f32[to]), unit: 1}
}

// neighbouring is numbers of size bytes that follow each other at src.
func neighbouring(source, lanes, size int, args unpackArgs) *call {
	list := cutRuns([]run{{n: int32(lanes)}}, size)
	c := &call{loop: copyLoops[source], args: args, size: sizeOf[run]()}
	c.args.desc, c.args.count = address(list), len(list)
	return c.cut(func(i int) int { return int(list[i].n) })
}

// scalars makes Scalar ready.
func (f *Frame) scalars(k *Scalar) calls {
	if len(k.Bytes) == 0 {
		return nil
	}
	var c *call
	if source := k.Format.copied(); k.neighbours() && source >= 0 {
		c = neighbouring(source, len(k.Bytes), k.Format.size(), f.floatTarget(k.To))
		c.at = k.Bytes[0]
	} else {
		offsets := make([]int32, len(k.Bytes))
		for i, o := range k.Bytes {
			offsets[i] = int32(o)
		}
		c = &call{loop: numberLoops[k.Format][0], args: f.floatTarget(k.To), size: 4, dstSize: 4}
		c.args.desc, c.args.count = address(offsets), len(offsets)
		c.cut(alike(pieceLanes / slowLanes))
	}
	c.payload = true
	return calls{c}
}

// copied is the source of numbers that follow each other, -1 if there is none.
func (x Format) copied() int {
	switch x {
	case F16:
		return sourceF16
	case BF16:
		return sourceBF16
	case Float32:
		return sourceF32
	case Int32:
		return sourceI32
	default:
		return -1
	}
}

// wide makes Wide ready: as a row of words, or one by one.
func (f *Frame) wide(k *Wide) calls {
	if !k.words() {
		return f.wideFields(k)
	}
	c := neighbouring(sourceWide, len(k.Bits), 2, f.floatTarget(k.To))
	c.payload, c.at = true, k.Bits[0]/8
	c.args.low, c.args.plus = k.Xor, uint32(k.Add)
	return calls{c}
}

// halves makes Halves ready.
func (f *Frame) halves(k *Halves) calls {
	if k.Lanes == 0 {
		return nil
	}
	args := f.floatTarget(k.To)
	args.src, args.stride = address(f.u16[k.From]), 2*f.pitch[k.From]
	return calls{neighbouring(k.Format.copied(), k.Lanes, 2, args)}
}

// direct makes numbers of the payload, op i, ready to be written into the output without a
// buffer between, if the op behind does nothing but copy them there.
func (f *Frame) direct(i int) (calls, int) {
	ops := f.program.Ops
	if i+1 >= len(ops) {
		return nil, 0
	}
	var made calls
	var to BufferID
	switch k := ops[i].(type) {
	case *Scalar:
		made, to = f.scalars(k), k.To
	case *Wide:
		made, to = f.wide(k), k.To
	}
	e, ok := ops[i+1].(*Epilogue)
	if made == nil || !ok || !e.copies(to) || reads(ops[i+2:], to) || e.Lanes != f.program.Buffers[to].Lanes {
		return nil, 0
	}
	c := made[0]
	c.out, c.lane, c.args.pitch = true, e.Lane, 4*f.lanes
	return made, 2
}
