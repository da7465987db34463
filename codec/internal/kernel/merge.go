// SPDX-License-Identifier: Apache-2.0

package kernel

import "slices"

// Merged is the program on runs of n blocks as on one block, nil where there is none. Vector
// code then fills its registers with lanes of several blocks, where one has too few.
func (p *Program) Merged(n int) *Program {
	p = p.placed().gathered()
	m := &merger{p, n}
	out := &Program{Stride: n * p.Stride, Lanes: n * p.Lanes}
	for _, b := range p.Buffers {
		out.Buffers = append(out.Buffers, Buffer{b.Kind, n * b.Lanes})
	}
	for _, op := range p.Ops {
		made := m.op(op)
		if made == nil {
			return nil
		}
		out.Ops = append(out.Ops, made)
	}
	return out
}

// gathered is a program whose epilogues take codes of few lanes from a buffer: of several blocks they lie
// apart, and a loop has vectors of them only once they are gathered.
func (p *Program) gathered() *Program {
	out := &Program{Stride: p.Stride, Lanes: p.Lanes, Buffers: slices.Clone(p.Buffers)}
	for _, op := range p.Ops {
		if k, ok := op.(*Epilogue); ok && k.Source.Codes.InPlace != nil && k.Lanes < eightLanes && k.Source.Kind != FromTable {
			to := BufferID(len(out.Buffers))
			out.Buffers = append(out.Buffers, Buffer{U8, k.Lanes})
			out.Ops = append(out.Ops, &Plane{Rows: k.Source.Codes.InPlace, Width: 8, To: Target{Buffer: to}})
			own := *k
			own.Source.Codes = Buf(to)
			op = &own
		}
		out.Ops = append(out.Ops, op)
	}
	return out
}

// merger makes the ops of a program those of n blocks.
type merger struct {
	*Program
	n int
}

// op is nil where an op cannot be merged: one that does not write all lanes of its
// target, or whose operands do not go on from block to block.
func (m *merger) op(op Op) Op {
	switch k := op.(type) {
	case *Plane:
		out := *k
		out.Rows = m.rows(k.Rows, m.Buffers[k.To.Buffer].Lanes)
		return only(&out, out.Rows != nil)
	case *Spread:
		out := *k
		out.Bits = m.places(k.Bits, 8*m.Stride)
		return only(&out, len(k.Bits) == m.Buffers[k.To.Buffer].Lanes)
	case *Field:
		out := *k
		out.Lanes = m.parts(k.Lanes)
		return only(&out, len(k.Lanes) == m.Buffers[k.To.Buffer].Lanes)
	case *Scalar:
		out := *k
		out.Bytes = m.places(k.Bytes, m.Stride)
		return only(&out, len(k.Bytes) == m.Buffers[k.To].Lanes)
	case *Wide:
		out := *k
		out.Bits = m.places(k.Bits, 8*m.Stride)
		return only(&out, len(k.Bits) == m.Buffers[k.To].Lanes)
	case *Loose:
		out := *k
		if out.Parts = m.parts(k.Parts); k.Signs != nil {
			out.Signs = slices.Repeat(k.Signs, m.n)
		}
		return only(&out, len(k.Parts) == m.Buffers[k.To].Lanes)
	case *Transpose:
		out := *k
		out.Bytes = m.places(k.Bytes, m.Stride)
		return only(&out, len(k.Bytes)*k.Rows*k.Cols == m.Buffers[k.To].Lanes)
	case *Fill:
		out := *k
		out.Values = slices.Repeat(k.Values, m.n)
		return only(&out, len(k.Values) == m.Buffers[k.To].Lanes)
	case *Epilogue:
		return m.epilogue(k)
	case *Expression:
		return m.expression(k)
	case *Place:
		return m.place(k)
	case *Pick:
		return m.pick(k)
	case *Patch:
		return m.patch(k)
	default:
		return m.codeOp(op)
	}
}

// only is an op under a condition.
func only(op Op, ok bool) Op {
	if !ok {
		return nil
	}
	return op
}

// codeOp is op for what maps and combines codes.
func (m *merger) codeOp(op Op) Op {
	ok, own := false, true
	switch k := op.(type) {
	case *Affine:
		out := *k
		out.From, ok = m.mapped(k.From, k.Lanes, k.To)
		out.Lanes *= m.n
		return only(&out, ok)
	case *Lut:
		out := *k
		out.From, ok = m.mapped(k.From, k.Lanes, k.To)
		out.Lanes *= m.n
		return only(&out, ok)
	case *Steps:
		out := *k
		out.From, ok = m.mapped(k.From, k.Lanes, k.To)
		out.Lanes *= m.n
		return only(&out, ok)
	case *Binary:
		out := *k
		out.From, ok = m.mapped(k.From, k.Lanes, k.To)
		out.With, own = m.operand(k.With, k.Lanes)
		out.Lanes *= m.n
		return only(&out, ok && own)
	case *Sign:
		out := *k
		out.From, ok = m.mapped(k.From, k.Lanes, k.To)
		out.With, own = m.operand(k.With, k.Lanes)
		out.Lanes *= m.n
		return only(&out, ok && own)
	case *Rows:
		out := *k
		out.Count *= m.n
		return only(&out, m.Buffers[k.From].Lanes == k.Count && m.Buffers[k.To].Lanes == k.Count*k.R)
	}
	return nil
}

// places are offsets in every block.
func (m *merger) places(at []int, stride int) []int {
	out := make([]int, 0, m.n*len(at))
	for b := range m.n {
		for _, o := range at {
			if o >= 0 {
				o += b * stride
			}
			out = append(out, o)
		}
	}
	return out
}

func (m *merger) parts(lanes [][]Segment) [][]Segment {
	out := make([][]Segment, 0, m.n*len(lanes))
	for b := range m.n {
		for _, lane := range lanes {
			moved := slices.Clone(lane)
			for i := range moved {
				moved[i].Bit += 8 * b * m.Stride
			}
			out = append(out, moved)
		}
	}
	return out
}

// rows are nil where they are not all lanes.
func (m *merger) rows(rows []Row, lanes int) []Row {
	all := 0
	for _, r := range rows {
		all += r.Len
	}
	if all != lanes {
		return nil
	}
	out := make([]Row, 0, m.n*len(rows))
	for b := range m.n {
		for _, r := range rows {
			r.Byte, r.Lane = r.Byte+b*m.Stride, r.Lane+b*lanes
			out = append(out, r)
		}
	}
	return out
}

func (m *merger) codes(c Codes, lanes int) (Codes, bool) {
	if c.InPlace == nil {
		return c, m.Buffers[c.Buffer].Lanes == lanes
	}
	c.InPlace = m.rows(c.InPlace, lanes)
	return c, c.InPlace != nil
}

// mapped is the source of an op whose target has the same lanes.
func (m *merger) mapped(from Codes, lanes int, to BufferID) (Codes, bool) {
	out, ok := m.codes(from, lanes)
	return out, ok && m.Buffers[to].Lanes == lanes
}

func (m *merger) operand(o Operand, lanes int) (Operand, bool) {
	if o.Constant != nil {
		row := make([]byte, lanes)
		for l := range row {
			row[l] = o.Constant[l%len(o.Constant)]
		}
		return Operand{Constant: row}, true
	}
	o.Group = min(o.Group, lanes)
	return o, o.Group > 0 && m.Buffers[o.Buffer].Lanes*o.Group == lanes
}

// parameter is an operand of float lanes.
func (m *merger) parameter(p Parameter, lanes int) (Parameter, bool) {
	switch {
	case p.Kind == None || p.Kind == Const:
		return p, true
	case p.Kind == Period && p.N == 1:
		p = Parameter{Kind: Group, N: lanes, Buffer: p.Buffer}
	case p.Kind == Period && p.N >= lanes:
		p = Parameter{Kind: Group, N: 1, Buffer: p.Buffer}
	case p.Kind == Period && lanes%p.N == 0 && len(m.fills(p.Buffer)) == p.N && m.Buffers[p.Buffer].Lanes == p.N:
		p.N *= m.n // the same in every block
		return p, true
	case p.Kind == Period:
		return p, false
	}
	p.N = min(p.N, lanes)
	return p, p.N > 0 && m.Buffers[p.Buffer].Lanes*p.N == lanes
}

func (m *merger) epilogue(k *Epilogue) Op {
	out := *k
	if k.ToOut && (k.Lane != 0 || k.Lanes != m.Lanes) || !k.ToOut && k.Lanes != m.Buffers[k.To].Lanes {
		return nil
	}
	switch s := k.Source; {
	case s.Kind == FromHeld:
		if out.Source.Each == 0 {
			out.Source.Each = k.Lanes // each block has a table of its own
		}
		if !k.held() || m.Buffers[s.From].Lanes*out.Source.Each != s.Entries*k.Lanes || m.Buffers[s.Codes.Buffer].Lanes != k.Lanes {
			return nil
		}
	case s.hasCodes():
		codes, ok := m.codes(s.Codes, k.Lanes)
		if out.Source.Codes = codes; !ok {
			return nil
		}
	case m.Buffers[s.From].Lanes*max(s.R, 1) != k.Lanes:
		return nil
	}
	for _, p := range []*Parameter{&out.Z, &out.A, &out.B, &out.S} {
		merged, ok := m.parameter(*p, k.Lanes)
		if *p = merged; !ok {
			return nil
		}
	}
	out.Lanes *= m.n
	return &out
}
