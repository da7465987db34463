// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"strings"
)

// SourceKind is how an epilogue turns what it reads into floats.
type SourceKind uint8

// The sources of an epilogue.
const (
	FromU8    SourceKind = iota // codes as 0 … 255
	FromI8                      // codes as -128 … 127
	FromF32                     // a float buffer
	FromTable                   // Table[code]
	FromRows                    // rows of R floats by index: Table[index*R + lane mod R]
	FromU16                     // a U16 buffer
	FromHeld                    // element code of a table that each block has in a float buffer
)

func (k SourceKind) String() string {
	return [...]string{"u8", "i8", "f32", "lutf", "rowsf", "u16", "held"}[k]
}

// Source is the first operand of an epilogue.
type Source struct {
	Kind    SourceKind
	Codes   Codes    // FromU8, FromI8, FromTable, FromHeld: those are below Entries
	From    BufferID // FromF32, FromU16: a buffer of those; FromRows: of indices, U8, U16 or (R is 1) F32; FromHeld: the table
	Table   []float32
	R       int // FromRows
	Entries int // FromHeld: of a table, at most 256
	Each    int // FromHeld: lanes of a table, where a block has several, one behind the other; 0: it has one
}

// OperandKind is which element of a parameter belongs to a lane.
type OperandKind uint8

// The kinds of parameters.
const (
	None   OperandKind = iota
	Group              // element lane/N of a float buffer; a last group may be short
	Period             // element lane mod N of a float buffer
	Const              // one value
)

// Parameter is an operand of an epilogue at a rate of its own.
type Parameter struct {
	Kind   OperandKind
	N      int
	Buffer BufferID
	Value  float32
}

func (p Parameter) String() string {
	switch p.Kind {
	case Group:
		return fmt.Sprintf("b%d g%d", p.Buffer, p.N)
	case Period:
		return fmt.Sprintf("b%d p%d", p.Buffer, p.N)
	case Const:
		return fmt.Sprint(p.Value)
	default:
		return "none"
	}
}

// Epilogue is where codes become floats, in one pass over the lanes: with x the
// source's value
//
//	x = x - Z; x = x * A (or x / A if Div); x = x + B (or x - B if SubB); x = x * S
//
// each step only if its parameter is there, in this order, each rounded to
// float32. It writes lanes Lane to Lane+Lanes-1 of the output, or all lanes of a
// float buffer.
type Epilogue struct {
	Source  Source
	Z, A, B Parameter
	S       Parameter
	Div     bool
	SubB    bool
	Lanes   int
	ToOut   bool
	Lane    int      // ToOut: first output lane
	To      BufferID // otherwise an F32 buffer
}

func (k *Epilogue) last(*Program) int {
	last, excess := 0, 0
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind == Group && p.N < k.Lanes && p.N%eightLanes != 0 {
			excess = eightLanes - 1
		}
	}
	// Codes are read by eights.
	for _, r := range k.Source.Codes.InPlace {
		if r.Len%eightLanes != 0 || r.Lane%eightLanes != 0 {
			excess = eightLanes - 1
		}
		last = max(last, r.Byte+r.Len)
	}
	if last == 0 {
		return 0
	}
	return last + excess
}

// Form names the source and the steps: "i8.sub_mul".
func (k *Epilogue) Form() string {
	var steps []string
	for _, s := range []struct {
		p    Parameter
		name string
	}{{k.Z, "sub"}, {k.A, "mul"}, {k.B, "add"}, {k.S, "sign"}} {
		if s.p.Kind == None {
			continue
		}
		if s.name == "mul" && k.Div {
			s.name = "div"
		}
		if s.name == "add" && k.SubB {
			s.name = "sub"
		}
		steps = append(steps, s.name)
	}
	if len(steps) == 0 {
		return k.Source.Kind.String()
	}
	return k.Source.Kind.String() + "." + strings.Join(steps, "_")
}

func (k *Epilogue) String() string {
	text := "epi " + k.Form() + " " + k.Source.String()
	for _, s := range []struct {
		p    Parameter
		name string
	}{{k.Z, "Z"}, {k.A, "A"}, {k.B, "B"}, {k.S, "S"}} {
		if s.p.Kind != None {
			text += fmt.Sprintf(" %s %s", s.name, s.p)
		}
	}
	if !k.ToOut {
		return fmt.Sprintf("%s -> b%d", text, k.To)
	}
	return fmt.Sprintf("%s -> out %d..%d", text, k.Lane, k.Lane+k.Lanes)
}

func (s Source) String() string {
	switch s.Kind {
	case FromF32, FromU16:
		return fmt.Sprintf("b%d", s.From)
	case FromRows:
		return fmt.Sprintf("b%d r%d [%d]", s.From, s.R, len(s.Table)/s.R)
	case FromTable:
		return fmt.Sprintf("%s [%d]", s.Codes, len(s.Table))
	case FromHeld:
		if s.Each != 0 {
			return fmt.Sprintf("%s b%d[%d] g%d", s.Codes, s.From, s.Entries, s.Each)
		}
		return fmt.Sprintf("%s b%d[%d]", s.Codes, s.From, s.Entries)
	default:
		return s.Codes.String()
	}
}

func (k *Epilogue) ready(*Frame) runner { return k }

func (k *Epilogue) run(f *Frame) {
	for b := range f.n {
		out := k.target(f, b)
		k.Source.load(f, b, out)
		k.steps(f, b, out)
	}
}

// steps are what is done with the source's values.
func (k *Epilogue) steps(f *Frame, b int, out []float32) {
	k.Z.each(f, b, out, subRow)
	if k.Div {
		k.A.each(f, b, out, divRow)
	} else {
		k.A.each(f, b, out, mulRow)
	}
	if k.SubB {
		k.B.each(f, b, out, subRow)
	} else {
		k.B.each(f, b, out, addRow)
	}
	k.S.each(f, b, out, mulRow)
}

// target is where block b's lanes go.
func (k *Epilogue) target(f *Frame, b int) []float32 {
	if k.ToOut {
		return f.out[b*f.lanes+k.Lane:][:k.Lanes]
	}
	return f.f32[k.To][b*f.pitch[k.To]:][:k.Lanes]
}

// load writes the source's values.
func (s Source) load(f *Frame, b int, out []float32) {
	switch s.Kind {
	case FromF32:
		copy(out, f.f32[s.From][b*f.pitch[s.From]:])
	case FromU16:
		for i, c := range f.u16[s.From][b*f.pitch[s.From]:][:len(out)] {
			out[i] = float32(c)
		}
	case FromRows:
		at := b * f.pitch[s.From]
		for i := 0; i*s.R < len(out); i++ {
			index := f.index(s.From, at+i)
			copy(out[i*s.R:min(i*s.R+s.R, len(out))], s.Table[index*s.R:index*s.R+s.R])
		}
	default:
		if s.Kind == FromHeld {
			s.Table = f.f32[s.From][b*f.pitch[s.From]:]
		}
		for r := range s.Codes.runs() {
			lane, codes := s.Codes.run(f, b, len(out), r)
			s.widen(out[lane:lane+len(codes)], lane, codes)
		}
	}
}

// widen writes the numbers of codes, of which the first belongs to a lane.
func (s Source) widen(out []float32, lane int, codes []byte) {
	out = out[:len(codes)]
	switch s.Kind {
	case FromU8:
		for j, c := range codes {
			out[j] = float32(c)
		}
	case FromI8:
		for j, c := range codes {
			out[j] = float32(int8(c))
		}
	case FromHeld:
		for j, c := range codes {
			out[j] = s.Table[s.tableOf(lane+j)+int(c)]
		}
	default:
		mask := len(s.Table) - 1
		for j, c := range codes {
			out[j] = s.Table[int(c)&mask]
		}
	}
}

// tableOf is where the table of a lane begins.
func (s Source) tableOf(lane int) int {
	if s.Each == 0 {
		return 0
	}
	return lane / s.Each * s.Entries
}

// each applies a step to runs of lanes that share a value, or lane by lane.
func (p Parameter) each(f *Frame, b int, out []float32, step func(out []float32, value float32)) {
	switch p.Kind {
	case Const:
		step(out, p.Value)
	case Group:
		values := f.f32[p.Buffer][b*f.pitch[p.Buffer]:]
		for g := 0; g*p.N < len(out); g++ {
			step(out[g*p.N:min(g*p.N+p.N, len(out))], values[g])
		}
	case Period:
		values := f.f32[p.Buffer][b*f.pitch[p.Buffer]:][:p.N]
		for l := range out {
			step(out[l:l+1], values[l%p.N])
		}
	}
}

func subRow(out []float32, z float32) {
	for j := range out {
		out[j] -= z
	}
}

func mulRow(out []float32, a float32) {
	for j := range out {
		out[j] *= a
	}
}

func divRow(out []float32, a float32) {
	for j := range out {
		out[j] /= a
	}
}

func addRow(out []float32, b float32) {
	for j := range out {
		out[j] += b
	}
}
