// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// row is a strip before rows are shared: each is written by one step, but for searches and packed
// words, which several steps write.
type row = strip.Row

const noRow row = -1

// stripper lowers lanes to a program of package strip: each lane of a value is a strip. Lanes are
// made when they are first asked for, some at a time, so that few strips are alive at once.
type stripper struct {
	g         *graph
	rows      map[*value][]row
	constants map[uint32]row
	words     []uint32 // of the constants, in the order of their rows
	known     map[stripStep]row
	lasts     map[row]row // of lanes of DOUBLE
	doubles   map[uint64]row
	steps     stepList
	tables    [][]uint32
	numbers   map[tableID]int

	doubleWords []uint64 // of doubles, in the order of their rows

	tableWords int
	next       row
	in         int        // bytes of a block
	columns    *columnist // not nil: a strip is a list of lanes
}

// stripStep is a step on rows that are not shared yet. Rows that an operation does not have
// are noRow.
type stripStep struct {
	code  strip.Code
	step  strip.Step
	table int32 // of stripper.tables, from 1 on; 0: none
}

type tableID struct {
	elem  tensor.Type
	table int // the number of a known table from 1 on, or 0 for what small floats are
	value int // otherwise that of a value from 1 on, and which class of its lanes
	class int32
}

// atATime is how many lanes of a value are made one after the other.
const atATime = 32

// Caps of strip programs; beyond them a function runs through eval.
const (
	maxStripSteps = 1 << 17
	maxStripRows  = 1 << 12
	maxTableWords = 1 << 20 // of all tables
)

func newStripper(g *graph, in int) *stripper {
	return &stripper{
		g: g, rows: map[*value][]row{}, constants: map[uint32]row{}, known: map[stripStep]row{},
		lasts: map[row]row{}, doubles: map[uint64]row{}, numbers: map[tableID]int{}, next: row((in + 3) / 4), in: in,
	}
}

// noStrip says which value has no strips and why.
func noStrip(v *value, format string, args ...any) error {
	return fmt.Errorf("no strips for %s: %s", v, fmt.Sprintf(format, args...))
}

// of returns the rows of lanes, which it makes if they are not there yet.
func (s *stripper) of(v *value, m []int32) ([]row, error) {
	if s.columns != nil {
		return s.columns.of(lanes{v, m})
	}
	all := s.rows[v]
	if all == nil {
		if err := s.holds(v); err != nil {
			return nil, err
		}
		all = slices.Repeat([]row{noRow}, v.n)
		s.rows[v] = all
	}
	var missing []int32
	for _, l := range m {
		if all[l] == noRow {
			missing, all[l] = append(missing, l), noRow-1
		}
	}
	for part := range slices.Chunk(missing, atATime) {
		made, err := s.make(v, part)
		if err != nil {
			return nil, err
		}
		for i, l := range part {
			all[l] = made[i]
		}
		if s.steps.n > maxStripSteps {
			return nil, noStrip(v, "more than %d steps", maxStripSteps)
		}
	}
	out := make([]row, len(m))
	for i, l := range m {
		out[i] = all[l]
	}
	return out, nil
}

// argument returns the rows of an operand of some lanes.
func (s *stripper) argument(v *value, k int, m []int32) ([]row, error) {
	a := v.args[k]
	return s.of(a.v, a.pick(m).m)
}

// holds reports whether a word holds the lanes of a value: INT64 and UINT64 must be known to fit.
func (s *stripper) holds(v *value) error {
	switch {
	case v.elem.IsComplex() || v.elem.Bits() == 0 || v.elem == tensor.Double && (v.kind == kFold || v.kind == kPick):
		return noStrip(v, "there is no arithmetic on %v", v.elem)
	case v.elem.Bits() < 64 || v.elem == tensor.Double || !s.g.demands(obHolds):
		return nil
	}
	r, ok := s.g.interval(v)
	if ok && (r.lo >= math.MinInt32 && r.hi <= math.MaxInt32 || r.lo >= 0 && r.hi <= math.MaxUint32) {
		return nil
	}
	return noStrip(v, "it is not known to fit 32 bits")
}

func (s *stripper) make(v *value, m []int32) ([]row, error) {
	switch v.kind {
	case kConst:
		return s.knownLanes(v, m)
	case kBits:
		return s.payloadBits(v, m)
	case kLeaf:
		return s.leaves(v, m)
	case kTab:
		return s.looked(v, m)
	case kSel:
		return s.selected(v, m)
	case kFold:
		return s.reduced(v, m)
	case kPick:
		return s.picked(v, m)
	}
	return s.operator(v, m)
}

// word is how a strip holds an element.
func word(elem tensor.Type, code uint64) (uint32, bool) {
	switch {
	case elem == tensor.Bool:
		if code != 0 {
			return math.MaxUint32, true
		}
		return 0, true
	case elem.IsFloat():
		return uint32(code), elem.Bits() <= 32
	}
	n, ok := integer(elem, code)
	return uint32(n), ok && n >= math.MinInt32 && n <= math.MaxUint32
}

// constant returns the row of a known word.
func (s *stripper) constant(w uint32) row {
	r, ok := s.constants[w]
	if !ok {
		r = s.row()
		s.constants[w] = r
		s.words = append(s.words, w)
	}
	return r
}

func (s *stripper) float(x float32) row { return s.constant(math.Float32bits(x)) }

func (s *stripper) row() row {
	s.next++
	return s.next - 1
}

func (s *stripper) knownLanes(v *value, m []int32) ([]row, error) {
	out := make([]row, len(m))
	for i, l := range m {
		code := codeAt(v.data.Bytes(), int(v.elem.Bits()), int(l))
		if v.elem == tensor.Double {
			out[i] = s.doubleBits(code)[0]
			continue
		}
		w, ok := word(v.elem, code)
		if !ok {
			return nil, noStrip(v, "a word does not hold a lane")
		}
		out[i] = s.constant(w)
	}
	return out, nil
}

func (s *stripper) selected(v *value, m []int32) ([]row, error) {
	out := make([]row, len(m))
	for i := 0; i < len(m); {
		p, lane := v.piece(m[i])
		part := []int32{lane}
		for i+len(part) < len(m) {
			next, lane := v.piece(m[i+len(part)])
			if next != p {
				break
			}
			part = append(part, lane)
		}
		made, err := s.of(v.args[p].v, part)
		if err != nil {
			return nil, err
		}
		i += copy(out[i:], made)
	}
	return out, nil
}

// op adds a step for each of the rows x; operands of one row serve all. Equal steps are one.
func (s *stripper) op(code strip.Code, operands ...[]row) []row {
	out := make([]row, len(operands[0]))
	for _, o := range operands {
		if len(o) > len(out) {
			out = make([]row, len(o))
		}
	}
	for i := range out {
		at := [3]row{noRow, noRow, noRow}
		for k, o := range operands {
			at[k] = o[min(i, len(o)-1)]
		}
		out[i] = s.pure(stripStep{code: code, step: strip.Step{X: at[0], Y: at[1], Z: at[2]}})
	}
	return out
}

// pure adds a step that writes a new row, unless it is there.
func (s *stripper) pure(step stripStep) row {
	if r, ok := s.known[step]; ok {
		return r
	}
	r := s.row()
	s.known[step] = r
	step.step.Dst = r
	s.steps.add(step)
	return r
}

// stepList is steps in parts: there may be tens of thousands.
type stepList struct {
	parts [][]stripStep
	n     int
}

const stepsOfPart = 512

func (l *stepList) at(i int) *stripStep { return &l.parts[i/stepsOfPart][i%stepsOfPart] }

func (l *stepList) add(step stripStep) {
	if l.n%stepsOfPart == 0 {
		l.parts = append(l.parts, make([]stripStep, 0, min(max(l.n, 16), stepsOfPart)))
	}
	last := &l.parts[len(l.parts)-1]
	*last = append(*last, step)
	l.n++
}

// into adds a step that changes a row that is there.
func (s *stripper) into(code strip.Code, step strip.Step) {
	s.steps.add(stripStep{code: code, step: step})
}

// fresh is a copy of a row, which later steps may change.
func (s *stripper) fresh(from row) row {
	r := s.row()
	s.into(strip.Copy, strip.Step{Dst: r, X: from, Y: noRow, Z: noRow})
	return r
}

func one(r row) []row { return []row{r} }

// table adds steps that look rows up.
func (s *stripper) table(x []row, id tableID, cells func() ([]uint32, bool)) ([]row, bool) {
	n, ok := s.numbers[id]
	if !ok {
		words, ok := cells()
		if s.tableWords += len(words); !ok || s.tableWords > maxTableWords {
			return nil, false
		}
		s.tables = append(s.tables, words)
		n = len(s.tables)
		s.numbers[id] = n
	}
	out := make([]row, len(x))
	for i, r := range x {
		out[i] = s.pure(stripStep{code: strip.Table, step: strip.Step{X: r, Y: noRow, Z: noRow}, table: int32(n)})
	}
	return out, true
}

// looked are elements of a known table.
func (s *stripper) looked(v *value, m []int32) ([]row, error) {
	x, err := s.argument(v, 0, m)
	if err != nil {
		return nil, err
	}
	if v.cols > 1 {
		columns, err := s.argument(v, 1, m)
		if err != nil {
			return nil, err
		}
		x = s.op(strip.AddI, s.op(strip.MulI, x, one(s.constant(uint32(v.cols)))), columns)
	}
	out, ok := s.table(x, tableID{elem: v.elem, table: v.table + 1}, func() ([]uint32, bool) { return wordsOf(v.elem, codes(v.data)) })
	if !ok {
		return nil, noStrip(v, "a word does not hold the elements of the table")
	}
	return out, nil
}

func wordsOf(elem tensor.Type, list []uint64) ([]uint32, bool) {
	words := make([]uint32, len(list))
	for i, code := range list {
		w, ok := word(elem, code)
		if !ok {
			return nil, false
		}
		words[i] = w
	}
	return words, true
}
