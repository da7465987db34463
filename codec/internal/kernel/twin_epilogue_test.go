// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"math"
	"testing"
)

func TestEpilogue(t *testing.T) {
	b := newBench(t, 8)
	for range 20 * trials {
		b.epilogue(t, b.lanesOf())
	}
}

// epilogue checks one random epilogue.
func (b *bench) epilogue(t *testing.T, lanes int) {
	r := &trial{lanes: lanes}
	r.program.Stride = 1
	k := &Epilogue{Lanes: lanes, Div: b.IntN(8) == 0, SubB: b.IntN(2) == 0, ToOut: b.IntN(3) > 0}
	k.Source = b.source(r, lanes)
	group := []int{8, 16, 32, lanes, 24, 4, 1 + b.IntN(lanes), 64}[b.IntN(8)]
	for _, p := range []*Parameter{&k.Z, &k.A, &k.B} {
		if b.IntN(3) > 0 {
			*p = b.parameter(r, lanes, group)
		}
	}
	if b.IntN(8) == 0 {
		k.S = b.parameter(r, lanes, 1)
	}
	r.program.Lanes = 1
	if r.toOut = k.ToOut; r.toOut {
		k.Lane = []int{0, 0, 1, 8, 32}[b.IntN(5)]
		r.program.Lanes = k.Lane + lanes + []int{0, 0, 1, 8, 32}[b.IntN(5)]
	} else {
		r.target = r.buffer(F32, lanes)
		k.To = r.target
	}
	b.check(t, r, k, false)
}

func TestHeldGroups(t *testing.T) {
	b := newBench(t, 17)
	for range 8 * trials {
		each, entries := 8*(1+b.IntN(12)), 2<<b.IntN(4)
		lanes := b.orMany(each * (1 + b.IntN(9)))
		r := &trial{lanes: lanes, codes: entries, toOut: b.IntN(2) == 0}
		r.program.Stride, r.program.Lanes = 1, 1
		k := &Epilogue{Lanes: lanes, ToOut: r.toOut, Source: Source{Kind: FromHeld, Entries: entries, Each: each}}
		k.Source.Codes, k.Source.From = Buf(r.buffer(U8, lanes)), r.buffer(F32, lanes/each*entries)
		if k.ToOut {
			r.program.Lanes = lanes
		} else {
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		b.check(t, r, k, true)
	}
}

func (b *bench) source(r *trial, lanes int) Source {
	s := Source{Kind: SourceKind(b.IntN(7))}
	switch s.Kind {
	case FromF32:
		s.From = r.buffer(F32, lanes)
	case FromU16:
		s.From = r.buffer(U16, lanes)
	case FromRows:
		s.R = 1 + b.IntN(16)
		kind, width := []Kind{U8, U16}[b.IntN(2)], 1+b.IntN(7)
		if b.IntN(4) == 0 {
			kind, s.R, r.bits = Kind(1+b.IntN(2)), 1, len(r.program.Buffers)+1
		}
		s.From = r.buffer(kind, (lanes+s.R-1)/s.R)
		s.Table = make([]float32, s.R<<width)
		r.codes = 1 << width
	case FromHeld:
		s.Codes, s.Entries = b.codes(r, lanes), 256
		if s.Codes.InPlace == nil {
			s.Entries = 1 + b.IntN(1<<(1+b.IntN(8)))
			r.codes = s.Entries
		}
		if b.IntN(2) == 0 { // groups with a table each
			s.Each = []int{8, 16, 32, 40, 1 + b.IntN(lanes)}[b.IntN(5)]
			s.Entries = min(s.Entries, 16)
			if s.Codes.InPlace != nil {
				s.Codes = Codes{Buffer: r.buffer(U8, lanes)}
			}
			r.codes = s.Entries
		}
		tables := 1
		if s.Each != 0 {
			tables = (lanes + s.Each - 1) / s.Each
		}
		s.From = r.buffer(F32, s.Entries*tables)
	case FromTable:
		s.Table = make([]float32, 2<<b.IntN(8))
		s.Codes = b.codes(r, lanes)
	default:
		s.Codes = b.codes(r, lanes)
	}
	zero := 8 * b.IntN(3) // bits of every float
	for i := range s.Table {
		s.Table[i] = math.Float32frombits(math.Float32bits(b.float()) >> zero << zero)
	}
	if s.Kind == FromTable && b.IntN(2) == 0 {
		s.Table = b.minifloats()
	}
	return s
}

// minifloats is a table of floats of a few bits, some of them NaN.
func (b *bench) minifloats() []float32 {
	width, sign := 5+b.IntN(4), b.IntN(2)
	fraction := b.IntN(width - sign)
	exponent := width - sign - fraction
	table := make([]float32, 1<<width)
	for c := range table {
		m, e := c&(1<<fraction-1), c>>fraction&(1<<exponent-1)
		x := math.Ldexp(float64(m), 1-fraction)
		if e > 0 {
			x = math.Ldexp(float64(m+1<<fraction), e-fraction)
		}
		if sign == 1 && c>>(width-1) == 1 {
			x = -x
		}
		table[c] = float32(x * 0.75)
	}
	switch b.IntN(4) {
	case 0:
		table[len(table)-1], table[len(table)/2-1] = float32(math.NaN()), float32(math.NaN())
	case 1:
		table[len(table)/2] = float32(math.NaN())
	}
	return table
}

func (b *bench) parameter(r *trial, lanes, group int) Parameter {
	switch b.IntN(8) {
	case 0:
		return Parameter{Kind: Const, Value: b.float()}
	case 1:
		n := 1 + b.IntN(lanes)
		return Parameter{Kind: Period, N: n, Buffer: r.buffer(F32, n)}
	case 2:
		group = 1 + b.IntN(lanes)
	}
	return Parameter{Kind: Group, N: group, Buffer: r.buffer(F32, (lanes+group-1)/group)}
}

// TestStream stores past the caches: aligned output only.
func TestStream(t *testing.T) {
	b := newBench(t, 9)
	for range trials {
		lanes := b.orMany(32 * (1 + b.IntN(8)))
		r := &trial{toOut: true, lanes: lanes}
		r.program.Lanes = lanes
		k := &Epilogue{Lanes: lanes, ToOut: true, Source: Source{Kind: FromI8, Codes: b.codes(r, lanes)}}
		r.program.Stride = max(r.program.Stride, 1)
		k.A = b.parameter(r, lanes, []int{8, 16, 32, lanes}[b.IntN(4)])
		b.check(t, r, k, true)
	}
}

func TestFill(t *testing.T) {
	b := newBench(t, 11)
	r := &trial{}
	r.program.Stride = 1
	k := &Fill{Values: []float32{1, 2, 3}}
	k.To = r.buffer(F32, 3)
	r.program.Ops = []Op{k}
	f := r.program.NewFrame(4)
	f.Run(b.payload, 3, nil)
	for i := range 3 {
		sameFloats(t, "fill", f.f32[k.To][8*i:8*i+3], k.Values)
	}
}

// TestDirect writes numbers of the payload into the output.
func TestDirect(t *testing.T) {
	b := newBench(t, 13)
	for range trials {
		lanes := b.lanesOf()
		r := &trial{toOut: true, lanes: lanes}
		lane := []int{0, 0, 1, 8}[b.IntN(4)]
		r.program.Lanes = lane + lanes + []int{0, 0, 1, 8}[b.IntN(4)]
		to := r.buffer(F32, lanes)
		stream := lane%8 == 0 && r.program.Lanes%8 == 0
		copied := &Epilogue{Source: Source{Kind: FromF32, From: to}, Lanes: lanes, ToOut: true, Lane: lane}
		scalar := &Scalar{Format: Format(b.IntN(int(Uint64) + 1)), To: to}
		wide := &Wide{Width: 16, Xor: 1 << 15, Add: -1 << 15, To: to}
		for l := range lanes {
			scalar.Bytes = append(scalar.Bytes, l*scalar.Format.size())
			wide.Bits = append(wide.Bits, 16*l)
		}
		r.program.Stride = lanes*scalar.Format.size() + b.IntN(2)
		b.checkAll(t, r, stream, scalar, copied)
		r.program.Stride = 2*lanes + b.IntN(2)
		b.checkAll(t, r, stream, wide, copied)
	}
}

// TestPlanesOfEpilogue takes codes from planes of the payload.
func TestPlanesOfEpilogue(t *testing.T) {
	b := newBench(t, 14)
	taken := 0
	for range 4 * trials {
		rows := 1 + b.IntN(6)
		lanes := b.orMany(32 * rows)
		r := &trial{lanes: lanes, toOut: b.IntN(4) > 0}
		codes := r.buffer(U8, lanes)
		k := &Epilogue{Source: Source{Kind: SourceKind(b.IntN(2)), Codes: Buf(codes)}, Lanes: lanes, SubB: b.IntN(2) == 0, ToOut: r.toOut}
		ops := b.planes(r, codes, lanes, 1+b.IntN(2))
		k.A = b.groupOf(r, lanes)
		if b.IntN(2) == 0 {
			k.B = Parameter{Kind: Group, N: k.A.N, Buffer: r.buffer(F32, (lanes+k.A.N-1)/k.A.N)}
		}
		r.program.Lanes = 8
		if r.toOut {
			k.Lane = 8 * b.IntN(3)
			r.program.Lanes = k.Lane + lanes + 8*b.IntN(3)
		} else {
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		b.checkAll(t, r, b.IntN(2) == 0, append(ops, k)...)
		if f := r.program.NewFrame(1); len(f.ops) < len(ops)+1 {
			taken++
		}
	}
	t.Logf("%d times two planes in one loop", taken)
}

// planes fills a buffer with rows of 32.
func (b *bench) planes(r *trial, codes BufferID, lanes, segments int) []Op {
	var ops []Op
	width := 8
	for i := range segments {
		k := &Plane{Width: 1 + b.IntN(width/2), To: Target{Buffer: codes, Or: i > 0}}
		if i > 0 {
			k.To.Left = 4
		}
		for at := 0; at < lanes; at += 16 {
			row := Row{Byte: b.IntN(60), Lane: at, Len: 16, Shift: b.IntN(9 - k.Width)}
			k.Rows = append(k.Rows, row)
			r.program.Stride = max(r.program.Stride, row.Byte+16)
		}
		if i == segments-1 {
			if k.To.Post = b.post(1 << (k.Width + k.To.Left)); segments > 1 && k.To.Post.Lut != nil {
				k.To.Post = Post{}
			}
		}
		ops = append(ops, k)
	}
	return ops
}

func (b *bench) groupOf(r *trial, lanes int) Parameter {
	n := []int{32, 64, lanes, 16, 96}[b.IntN(5)]
	return Parameter{Kind: Group, N: n, Buffer: r.buffer(F32, (lanes+n-1)/n)}
}

// TestPlacedCodes looks up codes of the payload that lie apart.
func TestPlacedCodes(t *testing.T) {
	b := newBench(t, 15)
	for range trials {
		lanes := b.lanesOf()
		r := &trial{lanes: lanes}
		k := &Epilogue{Lanes: lanes, Source: Source{Kind: FromTable, Table: make([]float32, 256)}}
		for i := range k.Source.Table {
			k.Source.Table[i] = b.float()
		}
		for l := 0; l < lanes; {
			row := Row{Byte: b.IntN(100), Lane: l, Len: min(1+b.IntN(3), lanes-l)}
			k.Source.Codes.InPlace = append(k.Source.Codes.InPlace, row)
			r.program.Stride = max(r.program.Stride, row.Byte+row.Len)
			l += row.Len
		}
		r.target = r.buffer(F32, lanes)
		k.To = r.target
		b.check(t, r, k, false)
	}
}

// TestShortRows takes codes in rows that are equally far apart.
func TestShortRows(t *testing.T) {
	b := newBench(t, 16)
	for range 4 * trials {
		n, apart := 8<<b.IntN(2), 0
		rows := b.orMany(n*(2+b.IntN(20))) / n
		lanes := n * rows
		r := &trial{lanes: lanes, toOut: b.IntN(3) > 0}
		k := &Epilogue{Lanes: lanes, Div: b.IntN(8) == 0, SubB: b.IntN(2) == 0, ToOut: r.toOut}
		k.Source = b.source(r, lanes)
		if apart = n + b.IntN(4); !k.Source.hasCodes() || k.Source.Kind == FromHeld {
			k.Source = Source{Kind: FromI8}
		}
		first := b.IntN(4)
		k.Source.Codes = Codes{}
		for i := range rows {
			k.Source.Codes.InPlace = append(k.Source.Codes.InPlace, Row{Byte: first + i*apart, Lane: i * n, Len: n})
		}
		r.program.Stride = rows*apart + []int{0, first, 3}[b.IntN(3)]
		r.program.Stride = max(r.program.Stride, first+(rows-1)*apart+n)
		for _, p := range []*Parameter{&k.Z, &k.A, &k.B} {
			if b.IntN(2) > 0 {
				*p = b.parameter(r, lanes, []int{n, n, lanes}[b.IntN(3)])
			}
		}
		r.program.Lanes = 1
		if r.toOut {
			k.Lane = []int{0, 0, 1, 8}[b.IntN(4)]
			r.program.Lanes = k.Lane + lanes + []int{0, 0, 1, 8}[b.IntN(4)]
		} else {
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		b.check(t, r, k, b.IntN(2) == 0)
	}
}

// TestShuffledTables looks bytes of floats up, in groups of whole units.
func TestShuffledTables(t *testing.T) {
	b := newBench(t, 17)
	for range 4 * trials {
		lanes := b.orMany(32 * (1 + b.IntN(8)))
		r := &trial{lanes: lanes, toOut: true}
		k := &Epilogue{Lanes: lanes, SubB: b.IntN(2) == 0, ToOut: true}
		k.Source = Source{Kind: FromTable, Table: make([]float32, 16<<b.IntN(4)), Codes: b.codes(r, lanes)}
		zero := 8 * b.IntN(3)
		for i := range k.Source.Table {
			k.Source.Table[i] = math.Float32frombits(math.Float32bits(b.float()) >> zero << zero)
		}
		k.A = b.groupOf(r, lanes)
		if b.IntN(2) == 0 {
			*[]*Parameter{&k.Z, &k.B}[b.IntN(2)] = Parameter{Kind: Group, N: k.A.N, Buffer: r.buffer(F32, (lanes+k.A.N-1)/k.A.N)}
		}
		k.Lane = 8 * b.IntN(3)
		r.program.Stride = max(r.program.Stride, 1)
		r.program.Lanes = k.Lane + lanes + 8*b.IntN(3)
		b.check(t, r, k, b.IntN(2) == 0)
	}
}
