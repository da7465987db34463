// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

// TestLaneLoops has operands of groups of an odd number of half vectors, and any others, and of every lane.
func TestLaneLoops(t *testing.T) {
	b := newBench(t, 31)
	for range 5 * trials {
		size := []int{4, 12, 20, 28, 8, 16, 24, 32, 64, 40, 36, 44, 100, 2, 3, 5, 6, 10, 18, 25, 50}[b.IntN(21)]
		lanes := b.orMany(size * (1 + b.IntN(8)))
		if b.IntN(2) == 0 {
			lanes *= 8
		}
		r := &trial{lanes: lanes, toOut: b.IntN(3) > 0}
		r.program.Stride = 1
		k := &Epilogue{Lanes: lanes, SubB: b.IntN(2) == 0, Div: b.IntN(8) == 0, ToOut: r.toOut}
		k.Source = b.source(r, lanes)
		own := b.IntN(2) == 0
		for _, p := range []*Parameter{&k.Z, &k.A, &k.B} {
			switch {
			case b.IntN(3) == 0:
			case b.IntN(5) == 0:
				*p = Parameter{Kind: Const, Value: b.float()}
			case own && b.IntN(4) == 0:
				*p = Parameter{Kind: Group, N: 1, Buffer: r.buffer(F32, lanes)}
			case own && b.IntN(4) == 0:
				n := []int{8, 16, size, lanes}[b.IntN(4)]
				*p = Parameter{Kind: Group, N: n, Buffer: r.buffer(F32, (lanes+n-1)/n)}
			case own && b.IntN(4) == 0:
				n := []int{2, 3, 4, 6, size}[b.IntN(5)]
				*p = Parameter{Kind: Period, N: n, Buffer: r.buffer(F32, n)}
			case own && b.IntN(3) > 0:
				*p = Parameter{Kind: Period, N: size, Buffer: r.buffer(F32, size)}
			default:
				*p = Parameter{Kind: Group, N: size, Buffer: r.buffer(F32, lanes/size)}
			}
		}
		r.program.Lanes = 1
		if r.toOut {
			k.Lane = []int{0, 0, 1, 8, 32}[b.IntN(5)]
			r.program.Lanes = k.Lane + lanes + []int{0, 0, 1, 8, 32}[b.IntN(5)]
		} else {
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		stream := r.toOut && k.Lane%8 == 0 && r.program.Lanes%8 == 0 && b.IntN(2) == 0
		b.check(t, r, k, stream)
	}
}

// TestChained multiplies floats again that another epilogue made.
func TestChained(t *testing.T) {
	b := newBench(t, 35)
	joined := 0
	for range 3 * trials {
		size := []int{8, 16, 24, 32, 64, 256}[b.IntN(6)]
		lanes := b.orMany(size * (1 + b.IntN(4)))
		r := &trial{lanes: lanes, toOut: b.IntN(3) > 0}
		r.program.Stride, r.program.Lanes = 1, lanes+8*b.IntN(2)
		first := &Epilogue{Lanes: lanes, Source: b.source(r, lanes)}
		first.To = r.buffer(F32, lanes)
		second := &Epilogue{Source: Source{Kind: FromF32, From: first.To}, Lanes: lanes, Div: b.IntN(3) == 0, ToOut: r.toOut, SubB: b.IntN(2) == 0}
		for _, p := range []*Parameter{&first.A, &second.A} {
			switch n := []int{size, 8, lanes}[b.IntN(3)]; b.IntN(5) {
			case 0:
				*p = Parameter{Kind: Const, Value: b.float()}
			case 1:
				*p = Parameter{Kind: Period, N: n, Buffer: r.buffer(F32, n)}
			case 2:
				*p = Parameter{Kind: Group, N: 1, Buffer: r.buffer(F32, lanes)}
			default:
				*p = Parameter{Kind: Group, N: n, Buffer: r.buffer(F32, lanes/n)}
			}
		}
		if b.IntN(8) == 0 {
			first.A = Parameter{}
		}
		if !r.toOut {
			r.target = r.buffer(F32, lanes)
			second.To = r.target
		}
		between := &Fill{Values: []float32{b.float()}, To: r.buffer(F32, 1)}
		if b.IntN(2) == 0 {
			second.A = Parameter{Kind: Group, N: lanes, Buffer: between.To}
		}
		b.checkAll(t, r, b.IntN(2) == 0, first, between, second)
		if f := r.program.NewFrame(1); madeWith(f, 2) {
			joined++
		}
	}
	t.Logf("%d times one loop", joined)
}

// TestFilled has operands whose elements are known.
func TestFilled(t *testing.T) {
	b := newBench(t, 34)
	for range trials {
		n := 1 + b.IntN(6)
		lanes := b.orMany([]int{n, 24, 32, 48, 96}[b.IntN(5)] * (1 + b.IntN(6)))
		r := &trial{lanes: lanes, toOut: true}
		r.program.Stride, r.program.Lanes = 1, lanes
		k := &Epilogue{Lanes: lanes, Div: b.IntN(2) == 0, ToOut: true, Source: Source{Kind: FromI8, Codes: Codes{InPlace: []Row{{Len: lanes}}}}}
		r.program.Stride = lanes + b.IntN(2)
		ops := []Op{}
		for _, p := range []*Parameter{&k.Z, &k.A, &k.B} {
			fill := &Fill{To: r.buffer(F32, n)}
			for range n {
				fill.Values = append(fill.Values, b.float())
			}
			if b.IntN(4) > 0 {
				*p, ops = Parameter{Kind: Period, N: n, Buffer: fill.To}, append(ops, fill)
			}
		}
		b.checkAll(t, r, lanes%8 == 0 && b.IntN(2) == 0, append(ops, k)...)
	}
}

// TestApart reads numbers that are equally far apart.
func TestApart(t *testing.T) {
	b := newBench(t, 32)
	for range trials {
		r := &trial{lanes: 8 * (1 + b.IntN(6))}
		k := &Scalar{Format: Format(b.IntN(int(Uint64) + 1)), To: r.buffer(F32, r.lanes)}
		first, distance := b.IntN(9), k.Format.size()+b.IntN(40)
		for l := range r.lanes {
			k.Bytes = append(k.Bytes, first+l*distance)
		}
		r.target = k.To
		r.program.Stride = k.Bytes[r.lanes-1] + k.Format.size() + b.IntN(3)
		b.check(t, r, k, false)
	}
}

// TestWindows takes 32 lanes and more out of several windows.
func TestWindows(t *testing.T) {
	b := newBench(t, 33)
	for range 5 * trials {
		lanes, width := 32*(1+b.IntN(3))+[]int{0, 0, 8, 5}[b.IntN(4)], 1+b.IntN(8)
		r := &trial{lanes: lanes}
		k := &Spread{Width: width, To: Target{Left: b.IntN(9 - width), Or: b.IntN(2) == 1}}
		k.Bits, r.program.Stride = b.runsOfFields(lanes, width)
		r.target = r.buffer(U8, lanes)
		if k.To.Post = b.post(1 << (width + k.To.Left)); k.To.Post.Lut != nil {
			r.codes = 16
		}
		k.To.Buffer = r.target
		b.check(t, r, k, false)
		b.check(t, r, k.asField(), false)
	}
}

// asField is the same fields in the form that takes any.
func (k *Spread) asField() *Field {
	out := &Field{To: k.To}
	out.To.Left = 0
	for _, bit := range k.Bits {
		var lane []Segment
		if bit >= 0 {
			lane = []Segment{{Bit: bit, Width: k.Width, Left: k.To.Left}}
		}
		out.Lanes = append(out.Lanes, lane)
	}
	return out
}

// runsOfFields is fields one after the other, with holes between: within bytes at one of two places, or at any bit.
func (b *bench) runsOfFields(lanes, width int) (bits []int, size int) {
	inBytes, other := b.IntN(2) == 0, b.IntN(9-width)
	at, hole := b.IntN(20), 1+b.IntN(30)
	for len(bits) < lanes {
		bit := at
		switch {
		case !inBytes:
			at += width
		case b.IntN(2) == 0:
			bit, at = at&^7+other, at+8
		default:
			bit, at = at&^7, at+8*b.IntN(2)
		}
		if b.IntN(hole) == 0 {
			at += b.IntN(100)
		}
		if b.IntN(60) == 0 {
			bit = -1
		}
		bits, size = append(bits, bit), max(size, (bit+width+7)/8)
	}
	return bits, max(size, 1)
}
