// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// gatherWide makes Wide ready: neighbours of 16 bits as words, others by gathering.
func (f *Frame) gatherWide(k *Wide) calls {
	if k.words() {
		c := &call{
			loop: runWord, stream: runWordNT, payload: true, at: k.Bits[0] / 8, args: f.floatTarget(k.To),
			pace: pace{units: pieceLanes, src: 2, dst: 4},
		}
		c.args.count, c.args.low, c.args.plus = len(k.Bits), k.Xor, uint32(k.Add)
		return calls{c}
	}
	u := &unpacking{size: 4, width: k.Width}
	for at := 0; at < len(k.Bits); at += eightLanes {
		u.fields = append(u.fields, u.gather(k.Bits[at:min(at+eightLanes, len(k.Bits))], at))
	}
	c := &call{loop: gatherFloat, payload: true, pace: pace{units: slowLanes / eightLanes, desc: sizeOf[fields]()}}
	c.args = f.floatTarget(k.To)
	c.args.desc, c.args.count = address(u.fields), len(u.fields)
	c.args.low, c.args.plus = k.Xor, uint32(k.Add)
	return calls{c}
}

// floatTarget is the arguments of a kernel that writes floats.
func (f *Frame) floatTarget(to BufferID) unpackArgs {
	return unpackArgs{stride: f.stride, pitch: 4 * f.pitch[to], dst: address(f.f32[to])}
}

// numbers are the loops that convert neighbours, and one number at a time.
func (x Format) loops() (run, stream, single func(*unpackArgs)) {
	switch x {
	case F16:
		return runF16, runF16NT, scalarF16
	case BF16:
		return runBF16, runBF16NT, scalarBF16
	case Float32:
		return runF32, runF32NT, scalarF32
	case Int32:
		return runI32, runI32NT, scalarI32
	case Float64:
		return runF64, runF64NT, scalarF64
	case Uint32:
		return nil, nil, scalarU32
	case Int64:
		return nil, nil, scalarI64
	default:
		return nil, nil, nil
	}
}

// scalars makes Scalar ready.
func (f *Frame) scalars(k *Scalar) calls {
	run, stream, single := k.Format.loops()
	c := &call{payload: true, args: f.floatTarget(k.To)}
	offsets := make([]int32, len(k.Bytes))
	for i, o := range k.Bytes {
		offsets[i] = int32(o)
	}
	c.args.count, c.args.offsets = len(offsets), address(offsets)
	switch {
	case k.neighbours() && run != nil:
		c.loop, c.stream = run, stream
		c.at = k.Bytes[0]
		c.pace = pace{units: pieceLanes, src: k.Format.size(), dst: 4}
	case k.farApart():
		c.loop = [...]func(*unpackArgs){F16: apartF16, BF16: apartBF16, Float32: apartF32}[k.Format]
		c.at, c.args.step, c.args.count = k.Bytes[0], k.distance(), len(offsets)/eightLanes
		c.pace = pace{units: slowLanes, src: eightLanes * k.distance(), dst: 4 * eightLanes}
	case single != nil && len(offsets) > 0:
		c.loop = single
		c.pace = pace{units: slowLanes, offsets: 4, dst: 4}
	default:
		return nil
	}
	return calls{c}
}

// farApart reports whether the numbers are equally far apart, and too far for windows.
func (k *Scalar) farApart() bool {
	return k.Format <= Float32 && len(k.Bytes) > 0 && len(k.Bytes)%eightLanes == 0 && 3*k.distance()+k.Format.size() > windowBytes
}

// distance is how far apart the numbers are, 0 if not equally.
func (k *Scalar) distance() int {
	for i, o := range k.Bytes {
		if o != k.Bytes[0]+i*(k.Bytes[1]-k.Bytes[0]) {
			return 0
		}
	}
	return max(k.Bytes[1]-k.Bytes[0], 0)
}

// halves makes Halves ready.
func (f *Frame) halves(k *Halves) calls {
	run, _, _ := k.Format.loops()
	c := &call{loop: run, args: f.floatTarget(k.To), pace: pace{units: pieceLanes, src: 2, dst: 4}}
	c.args.src, c.args.stride = address(f.u16[k.From]), 2*f.pitch[k.From]
	c.args.count = (k.Lanes + 7) &^ 7
	return calls{c}
}

// direct makes numbers of the payload, op i, ready to be written into the output
// without a buffer between, if the op behind does nothing but copy them there.
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
		if k.words() {
			made, to = f.gatherWide(k), k.To
		}
	}
	e, ok := ops[i+1].(*Epilogue)
	if made == nil || !ok || !e.copies(to) || reads(ops[i+2:], to) || e.Lanes != f.program.Buffers[to].Lanes {
		return nil, 0
	}
	c := made[0]
	c.out, c.lane, c.args.pitch = true, e.Lane, 4*f.lanes
	if f.lanes%eightLanes != 0 || e.Lane%eightLanes != 0 {
		c.stream = nil
	}
	return made, 2
}
