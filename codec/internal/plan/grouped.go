// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
)

const (
	// maxOwnBits is how many payload bits lanes may have for themselves, so that a table of their values is small.
	maxOwnBits = 4
	// Costs of epilogues, and of operators by themselves, from which on tables for groups of lanes are looked for.
	costGrouped = 64
	costTabled  = costEpilogue + costLutF
)

// grouped is lanes that depend on a few payload bits of their own and on what a group of lanes shares: each group gets
// the values for all those bits, by the lanes' own operators, and the lanes are looked up there. It does not matter
// how many operators there are and what they do: equal operands have equal results.
func (g *graph) grouped(l lanes, depth int) (floatPlan, bool) {
	if l.v.kind != kOp || depth > maxMatch || !g.spend(2*len(l.m)) {
		return floatPlan{}, false
	}
	s := &grouping{g: g, n: len(l.m), parts: memory[part]{}, made: memory[lanes]{}}
	if !s.split(l) || s.group == 0 || s.group%8 != 0 || s.n%s.group != 0 || len(s.own) == 0 {
		return floatPlan{}, false
	}
	table, ok := s.entries(l)
	if !ok || table.v.kind == kSel {
		return floatPlan{}, false
	}
	codes, ok := unpack(s.bits(), kernel.Post{})
	if !ok {
		return floatPlan{}, false
	}
	was := g.fusedOnly
	g.fusedOnly = was && 4*len(table.m) > s.n
	floats, ok := g.floatAt(table, signed_, depth+1)
	g.fusedOnly = was
	source := kernel.Source{Kind: kernel.FromHeld, Entries: 1 << len(s.own), Each: s.group}
	if s.group == s.n {
		source.Each = 0
	}
	cost := codes.cost + costEntries(source.Entries) + (floats.cost+costFloatBytes)*float64(max(len(table.m), 8))/float64(s.n)
	return from(s.n, cost, func(e *emitter) kernel.Source {
		own := source
		own.From, own.Codes = floats.buffer(e, table), kernel.Buf(inBuffer(e, codes.emit(e), s.n))
		return own
	}), ok
}

// grouping takes lanes apart: into what groups share, functions of few bits, and operators on them.
type grouping struct {
	g     *graph
	n     int
	group int       // lanes that share operands
	own   [][]int32 // bits that lanes have for themselves, each lane by lane
	parts memory[part]
	made  memory[lanes] // the entries of lanes
}

// part is what lanes are.
type part struct {
	kind    partKind
	columns []int    // of own: which bits the code has, from the lowest on
	cells   []uint64 // by the code
}

type partKind uint8

const (
	neither  partKind = iota
	shared            // one value for each group
	own               // one function of few bits
	operated          // an operator of such lanes
)

func (s *grouping) split(x lanes) bool {
	p, ok := s.parts.find(x)
	if !ok {
		s.parts.keep(x, part{})
		p = s.find(x)
		s.parts.replace(x, p)
	}
	return p.kind != neither
}

func (s *grouping) find(x lanes) part {
	if group := groupOf(x.m); group%8 == 0 || group == s.n {
		if x.v.kind != kConst || group < s.n {
			s.group = gcd(s.group, group)
		}
		return part{kind: shared}
	}
	if p := s.function(x); p.kind == own {
		return p
	}
	if x.v.kind == kLeaf && !s.g.demands(obGroups) {
		return part{kind: shared}
	}
	if x.v.kind != kOp || !s.harmless(x.v) {
		return part{}
	}
	for i := range x.v.args {
		if !s.split(x.operand(i)) {
			return part{}
		}
	}
	return part{kind: operated}
}

// function is lanes that are one function of few bits.
func (s *grouping) function(x lanes) part {
	if x.v.kind == kConst || x.v.support().least > maxOwnBits {
		return part{}
	}
	t := s.g.tabulate(x.v, smallTable)
	if t == nil || t.width == 0 || t.width > maxOwnBits || !t.uniformOn(x.m) && s.g.demands(obUniform) {
		return part{}
	}
	p, rows := part{kind: own, cells: t.cells[t.class[x.m[0]]]}, t.support.rows(x.m, t.width)
	for column := range t.width {
		bits := make([]int32, s.n)
		for i := range bits {
			bits[i] = rows.row(i)[column]
		}
		at := slices.IndexFunc(s.own, func(known []int32) bool { return slices.Equal(known, bits) })
		if at < 0 {
			at, s.own = len(s.own), append(s.own, bits)
		}
		p.columns = append(p.columns, at)
	}
	if len(s.own) > maxOwnBits {
		return part{}
	}
	return p
}

// harmless reports whether an operator has a result for codes that no lane has.
func (s *grouping) harmless(v *value) bool {
	switch v.run.node.OpType {
	case "Div", "Mod":
		if by, ok := s.g.interval(v.args[1].v); ok && by.lo > 0 {
			return true
		}
	case "BitShift":
		return true
	}
	return total(v)
}

// bits are the codes of the lanes.
func (s *grouping) bits() matrix {
	m := matrix{width: len(s.own), begin: make([]int32, s.n), bits: make([]int32, 0, s.n*len(s.own))}
	for i := range m.begin {
		m.begin[i] = int32(len(m.bits))
		for _, column := range s.own {
			m.bits = append(m.bits, column[i])
		}
	}
	return m
}

// entries are the values of lanes for each code, group by group.
func (s *grouping) entries(x lanes) (lanes, bool) {
	if known, ok := s.made.find(x); ok {
		return known, known.v != nil
	}
	made := s.make(x)
	s.made.keep(x, made)
	return made, made.v != nil
}

func (s *grouping) make(x lanes) lanes {
	p, _ := s.parts.find(x)
	n := 1 << len(s.own)
	index := make([]int32, s.n/s.group*n)
	switch p.kind {
	case shared:
		for i := range index {
			index[i] = int32(i / n * s.group)
		}
		return x.pick(index)
	case own:
		for i := range index {
			for k, column := range p.columns {
				index[i] |= int32(i>>column&1) << k
			}
		}
		return s.g.constant(fromCodes(x.v.elem, p.cells)).pick(index)
	}
	operands := make([]lanes, len(x.v.args))
	for i := range operands {
		var ok bool
		if operands[i], ok = s.entries(x.operand(i)); !ok {
			return lanes{}
		}
	}
	made, err := s.g.apply(operator{x.v.elem, x.v.run}, operands)
	if err != nil {
		return lanes{}
	}
	return made
}
