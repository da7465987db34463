// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"

	"github.com/structview/structview/codec/internal/strip"
)

// program shares rows: a row is free again after its last use, and the next result takes it.
// Steps of one code that follow each other become one operation.
func (s *stripper) program(out []row, outBytes int) (*strip.Program, error) {
	a := &allocation{place: make([]row, s.next), last: make([]int, s.next)}
	for i := range a.place {
		a.place[i], a.last[i] = noRow, -1
	}
	for i := range s.steps.n {
		step := &s.steps.at(i).step
		for _, r := range [...]row{step.Dst, step.X, step.Y, step.Z} {
			if r != noRow {
				a.last[r] = i
			}
		}
	}
	for _, r := range out {
		a.last[r] = s.steps.n
	}
	p := &strip.Program{InBytes: s.in, OutBytes: outBytes}
	if a.inputs(row((s.in + 3) / 4)); s.columns != nil {
		a.inputs(row(len(s.columns.inputs)))
	}
	for _, w := range s.words {
		if r := s.constants[w]; a.last[r] >= 0 {
			a.last[r] = s.steps.n
			a.place[r] = a.rows
			a.rows++
			p.Constants = append(p.Constants, strip.Constant{Row: a.place[r], Word: w})
		}
	}
	for _, bits := range s.doubleWords {
		if r := s.doubles[bits]; a.last[r] >= 0 {
			a.last[r] = s.steps.n
			a.place[r] = a.rows
			a.rows++
			p.Doubles = append(p.Doubles, strip.Double{Row: a.place[r], Bits: bits})
		}
	}
	steps := make([]strip.Step, s.steps.n) // of all operations
	for i := range steps {
		steps[i] = a.step(i, s.steps.at(i))
	}
	p.Ops = s.operations(steps)
	for _, r := range out {
		p.Out = append(p.Out, a.place[r])
	}
	if p.Rows = int(a.rows); p.Rows > maxStripRows {
		return nil, fmt.Errorf("more than %d strips are needed at once", maxStripRows)
	}
	return p, nil
}

// prune drops steps whose results nobody reads.
func (s *stripper) prune(out []row) {
	read := make([]bool, s.next)
	for _, r := range out {
		read[r] = true
	}
	var kept []stripStep // the last first
	for i := s.steps.n - 1; i >= 0; i-- {
		step := *s.steps.at(i)
		changes := step.code == strip.Bits || step.code >= strip.Check && step.code <= strip.Pick // what others write as well
		if !changes && !read[step.step.Dst] {
			continue
		}
		for _, r := range [...]row{step.step.Dst, step.step.X, step.step.Y, step.step.Z} {
			if r != noRow {
				read[r] = true
			}
		}
		kept = append(kept, step)
	}
	s.steps = stepList{}
	for _, step := range slices.Backward(kept) {
		s.steps.add(step)
	}
}

// operations are steps, one operation for those that follow each other and are of one code and table.
func (s *stripper) operations(steps []strip.Step) []strip.Op {
	var ops []strip.Op
	for from, to := 0, 0; from < len(steps); from = to {
		first := s.steps.at(from)
		for to < len(steps) && s.steps.at(to).code == first.code && s.steps.at(to).table == first.table {
			to++
		}
		op := strip.Op{Code: first.code, Steps: steps[from:to:to]}
		if first.table > 0 {
			op.Table = s.tables[first.table-1]
		}
		ops = append(ops, op)
	}
	return ops
}

// allocation gives places to rows.
type allocation struct {
	place []row
	last  []int // step of the last use; -1: none
	free  []row
	rows  row // places so far
}

// inputs places the words of a block; unused ones are free at once.
func (a *allocation) inputs(n row) {
	for r := range n {
		a.place[r] = r
		if a.last[r] < 0 {
			a.free = append(a.free, r)
		}
	}
	a.rows = n
}

// take finds a place for a row.
func (a *allocation) take(r row) row {
	if n := len(a.free); n > 0 && a.last[r] >= 0 {
		a.place[r], a.free = a.free[n-1], a.free[:n-1]
		return a.place[r]
	}
	a.place[r] = a.rows
	a.rows++
	return a.place[r]
}

// step places the rows of a step. Its result may take the place of an operand that is not
// used again.
func (a *allocation) step(i int, from *stripStep) strip.Step {
	step := from.step
	at := func(r row) row {
		if r == noRow {
			return 0
		}
		return a.place[r]
	}
	step.X, step.Y, step.Z = at(step.X), at(step.Y), at(step.Z)
	operands := [...]row{from.step.X, from.step.Y, from.step.Z}
	for k, r := range operands {
		if r != noRow && a.last[r] == i && r != from.step.Dst && !(k > 0 && r == operands[0]) && !(k > 1 && r == operands[1]) {
			a.free = append(a.free, a.place[r])
		}
	}
	switch dst := from.step.Dst; {
	case dst == noRow:
		step.Dst = 0
	case a.place[dst] != noRow:
		step.Dst = a.place[dst]
	default:
		step.Dst = a.take(dst)
	}
	if dst := from.step.Dst; dst != noRow && a.last[dst] == i { // written and never read
		a.free = append(a.free, a.place[dst])
	}
	return step
}
