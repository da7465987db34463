// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/structview/structview/codec/internal/strip"
)

// Expression is elementwise operators on lanes: what no epilogue takes. It is a program of
// strips whose blocks are lanes of the tile, so that what one operator gives the next one stays
// in registers. Elements of a float buffer that are not FLOAT are words, as package strip has them.
type Expression struct {
	In      []Input
	program *strip.Program
	Lanes   int
	ToOut   bool     // lanes Lane to Lane+Lanes-1 of the output
	Lane    int      //
	To      BufferID // otherwise an F32 buffer
	Pairs   bool     // lanes are DOUBLE, two elements of To each
}

// Input is an operand of an Expression: codes of its lanes, or words at a rate of their own.
type Input struct {
	Kind  SourceKind // FromU8, FromI8, FromU16; FromF32: Words
	From  BufferID   // a buffer of as many lanes
	Words Parameter  // Group or Period
	Pairs bool       // Words are DOUBLE, two elements each: one for whole tiles of lanes
	Place *InPlace   // not nil: of the payload, Kind does not count
}

// InPlace is numbers of the payload as they lie there, 32 one behind the other, or words that lanes share.
type InPlace struct {
	Bytes  []int // of each lane, the first
	Size   int   // 1, 2 or 4 bytes
	Signed bool  // of 1 and 2
	Shared int   // how many lanes, in whole tiles, share each number of 4 bytes, or of 8: a DOUBLE. 0: Bytes are those of lanes
}

// Follows reports whether numbers at bytes of a block lie as InPlace wants it.
func Follows(bytes []int, size int) bool {
	for i, at := range bytes {
		if i%strip.TileLanes != 0 && at != bytes[i-1]+size {
			return false
		}
	}
	return len(bytes)%strip.TileLanes == 0 && (size == 1 || size == 2 || size == 4)
}

// column is the kind of column that numbers in place are.
func (x *InPlace) column() strip.Column {
	switch {
	case x.Size == 8:
		return strip.AtDouble
	case x.Shared > 0:
		return strip.AtOne
	case x.Size == 4:
		return strip.AtWords
	case x.Size == 2 && x.Signed:
		return strip.AtShorts
	case x.Size == 2:
		return strip.AtHalves
	case x.Signed:
		return strip.AtSigned
	}
	return strip.AtBytes
}

// places are where the numbers of each tile begin.
func (x *InPlace) places(f *Frame) []int32 {
	lanes, each := x.lanes(), max(x.Shared, 1)
	at := make([]int32, 0, f.tile*lanes/strip.TileLanes)
	for b := range f.tile {
		for l := 0; l < lanes; l += strip.TileLanes {
			at = append(at, int32(b*f.stride+x.Bytes[l/each]))
		}
	}
	return at
}

// lanes is how many there are numbers for.
func (x *InPlace) lanes() int { return len(x.Bytes) * max(x.Shared, 1) }

func (x Input) String() string {
	if x.Place != nil {
		sign := "u"
		if x.Place.Signed {
			sign = "i"
		}
		if n := x.Place.Shared; n > 0 {
			return fmt.Sprintf("w%d @%d g%d", 8*x.Place.Size, x.Place.Bytes[0], n)
		}
		return fmt.Sprintf("%s%d @%d", sign, 8*x.Place.Size, x.Place.Bytes[0])
	}
	if x.Pairs {
		return "f64 " + x.Words.String()
	}
	if x.Kind == FromF32 {
		return x.Words.String()
	}
	return fmt.Sprintf("%s b%d", x.Kind, x.From)
}

// NewExpression makes an Expression. Word i of the program's blocks is input i.
func NewExpression(program *strip.Program, in []Input, lanes int) *Expression {
	columns := make([]strip.Column, len(in))
	for i, x := range in {
		columns[i] = x.column(lanes)
	}
	return &Expression{In: in, program: program.OfColumns(columns), Lanes: lanes}
}

// column is how the words of an input lie in memory.
func (x Input) column(lanes int) strip.Column {
	switch p := x.Words; {
	case x.Place != nil:
		return x.Place.column()
	case x.Pairs:
		return strip.AtDouble
	case x.Kind == FromU8:
		return strip.OfBytes
	case x.Kind == FromI8:
		return strip.OfSigned
	case x.Kind == FromU16:
		return strip.OfHalves
	case p.Kind == Group && lanes%strip.TileLanes == 0 && (p.N%strip.TileLanes == 0 || p.N >= lanes):
		return strip.AtOne
	case p.Kind == Group && p.N > 1 && (p.N%eightLanes == 0 || p.N >= lanes):
		return strip.OfShared
	case p.Kind == Period && p.N < lanes && p.N%eightLanes == 0:
		return strip.OfEights
	default:
		return strip.OfWords
	}
}

func (k *Expression) last(*Program) int {
	last := 0
	for _, x := range k.In {
		if x.Place != nil {
			last = max(last, slices.Max(x.Place.Bytes)+x.Place.Size)
		}
	}
	return last
}

// Operations lists the operations by name, in their order.
func (k *Expression) Operations() string {
	var names []string
	for _, op := range k.program.Ops {
		name := op.Code.String()
		if n := len(op.Steps); n > 1 {
			name = fmt.Sprintf("%sx%d", name, n)
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func (k *Expression) String() string {
	var in []string
	for _, x := range k.In {
		in = append(in, x.String())
	}
	text := fmt.Sprintf("lanes [%s] of %s", k.Operations(), strings.Join(in, ", "))
	if k.ToOut {
		return fmt.Sprintf("%s -> out %d..%d", text, k.Lane, k.Lane+k.Lanes)
	}
	return fmt.Sprintf("%s -> b%d", text, k.To)
}

// pitch is the distance between blocks: lanes of all blocks are one series.
func (k *Expression) pitch() int { return Buffer{F32, k.Lanes}.Pitch() }

func (k *Expression) ready(f *Frame) runner { return k.on(f, k.program.PlainFrame()) }

func (k *Expression) fast(f *Frame) runner { return k.on(f, k.program.NewFrame()) }

// on makes an Expression ready: the sources, which are the same in every run.
func (k *Expression) on(f *Frame, strips *strip.Frame) runner {
	r := &lanesOfTile{Expression: k, frame: strips, sources: make([]strip.Source, len(k.In))}
	size := f.tile*k.pitch() + slack
	for i, x := range k.In {
		if x.Place != nil {
			r.sources[i].At, r.payload = x.Place.places(f), append(r.payload, i)
			continue
		}
		r.sources[i] = r.source(f, x, k.program.Columns[i], size)
	}
	switch {
	case !k.ToOut:
		r.to = f.f32[k.To]
	case k.Lane != 0 || k.Lanes != f.lanes || k.Lanes != k.pitch():
		r.to = make([]float32, size)
	}
	return r
}

// lanesOfTile is an Expression with its memory.
type lanesOfTile struct {
	*Expression
	before  []runner
	frame   *strip.Frame
	sources []strip.Source
	payload []int     // sources in place
	to      []float32 // nil: the output
}

func (r *lanesOfTile) source(f *Frame, x Input, column strip.Column, size int) strip.Source {
	switch column {
	case strip.OfBytes, strip.OfSigned:
		return strip.Source{Bytes: f.u8[x.From]}
	case strip.OfHalves:
		return strip.Source{Halves: f.u16[x.From]}
	}
	from, p := f.f32[x.Words.Buffer], x.Words
	switch {
	case column != strip.OfWords:
		return strip.Source{Words: from, At: r.places(f, p, column)}
	case p.Kind == Group && p.N == 1 || p.Kind == Period && p.N >= r.Lanes:
		return strip.Source{Words: from}
	}
	to := make([]float32, size)
	r.before = append(r.before, f.spreading(p, r.Lanes, to, r.pitch()))
	return strip.Source{Words: to}
}

// places are where the words of each eight lanes, or of each tile, begin, in bytes.
func (r *lanesOfTile) places(f *Frame, p Parameter, column strip.Column) []int32 {
	pitch, step, size := r.pitch(), eightLanes, 4
	switch column {
	case strip.AtOne:
		step = strip.TileLanes
	case strip.AtDouble:
		step, size = strip.TileLanes, 8
	}
	var at []int32
	for b := range f.tile {
		for l := 0; l < pitch; l += step {
			at = append(at, int32(4*b*f.pitch[p.Buffer]+size*p.elementOf(min(l, r.Lanes-1))))
		}
	}
	for range slack / eightLanes {
		at = append(at, at[len(at)-1])
	}
	return at
}

// elementOf is the index of a lane's element.
func (p Parameter) elementOf(lane int) int {
	if p.Kind == Period {
		return lane % p.N
	}
	return lane / p.N
}

func (r *lanesOfTile) run(f *Frame) {
	for _, k := range r.before {
		k.run(f)
	}
	for _, i := range r.payload {
		r.sources[i].Bytes = f.payload
	}
	n := f.n * r.pitch()
	if r.Pairs {
		r.pairs(n)
		return
	}
	if r.to == nil {
		r.frame.Floats(r.sources, n, f.out, f.stream)
		return
	}
	r.frame.Floats(r.sources, n, r.to, false)
	if r.ToOut {
		for b := range f.n {
			copy(f.out[b*f.lanes+r.Lane:][:r.Lanes], r.to[b*r.pitch():])
		}
	}
}

// pairs writes lanes of DOUBLE as words.
func (r *lanesOfTile) pairs(n int) {
	if bytes, ok := strip.Bytes(r.to); ok {
		r.frame.Lanes(r.sources, n, bytes, false)
		return
	}
	words := make([]byte, 8*n)
	r.frame.Lanes(r.sources, n, words, false)
	for i := range 2 * n {
		r.to[i] = math.Float32frombits(binary.LittleEndian.Uint32(words[4*i:]))
	}
}

// spread is an operand that is written once for each lane.
type spread struct {
	Parameter
	lanes, pitch int
	to           []float32
}

func (s *spread) run(f *Frame) {
	for b := range f.n {
		from, to := s.values(f, b), s.to[b*s.pitch:][:s.lanes]
		for l := range to {
			to[l] = from[s.elementOf(l)]
		}
	}
}

// expression is an Expression of the lanes of n blocks.
func (m *merger) expression(k *Expression) Op {
	if k.Pairs || k.ToOut && (k.Lane != 0 || k.Lanes != m.Lanes) || !k.ToOut && k.Lanes != m.Buffers[k.To].Lanes {
		return nil
	}
	in := slices.Clone(k.In)
	for i, x := range in {
		ok := false
		if x.Place != nil {
			own := *x.Place
			own.Bytes, ok = m.places(own.Bytes, m.Stride), own.lanes() == k.Lanes
			in[i].Place = &own
		} else if x.Pairs {
			in[i].Words.N = min(x.Words.N, k.Lanes)
			ok = m.Buffers[x.Words.Buffer].Lanes*in[i].Words.N == 2*k.Lanes
		} else if x.Kind == FromF32 {
			in[i].Words, ok = m.parameter(x.Words, k.Lanes)
		} else {
			ok = m.Buffers[x.From].Lanes == k.Lanes
		}
		if !ok {
			return nil
		}
	}
	out := NewExpression(k.program, in, m.n*k.Lanes)
	out.ToOut, out.To = k.ToOut, k.To
	return out
}
