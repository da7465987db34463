// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"math"
	"math/rand/v2"
)

// joiner makes programs in which columns are used once, by operations that take them as operands.
type joiner struct {
	*Program
	r        *rand.Rand
	computed []Row // by steps
}

// mostJoined is more than the columns of such a program.
const mostJoined = 40

// joinedProgram is a random program of that kind, on floats or on integers.
func joinedProgram(r *rand.Rand) (*Program, []kind) {
	j := &joiner{Program: &Program{Rows: mostJoined + 1, OutBytes: 4, Constants: []Constant{{mostJoined, uint32(r.IntN(2)) * 0x3f800000}}}, r: r}
	if r.IntN(4) == 0 {
		for range 1 + r.IntN(4) {
			j.step([]Code{AddI, SubI}[r.IntN(2)], j.operand(false), j.operand(false), 0)
		}
		return j.finished(), []kind{isInt}
	}
	for range 1 + r.IntN(5) {
		x, y := j.operand(true), j.operand(true)
		switch r.IntN(7) {
		case 0, 1:
			product := j.step(MulF, x, y, 0)
			j.step(AddF, product, j.operand(true), 0)
		case 2:
			j.choose(x, y)
		case 3:
			j.digits(x)
		default:
			j.step([]Code{MulF, AddF, SubF, DivF}[r.IntN(4)], x, y, 0)
		}
	}
	return j.finished(), []kind{isFloat}
}

// known is a strip of one known word.
func (j *joiner) known(x float32) Row {
	j.Constants = append(j.Constants, Constant{Row(j.Rows), math.Float32bits(x)})
	j.Rows++
	return Row(j.Rows - 1)
}

// digits divides: floats by a known number, or for a quotient, a remainder or both.
func (j *joiner) digits(x Row) {
	c := divisors[j.r.IntN(18)]
	if j.r.IntN(3) == 0 {
		of := j.step(Float, j.column([]Column{OfWords, OfBytes, AtShorts}[j.r.IntN(3)]), 0, 0)
		if j.r.IntN(2) == 0 {
			j.step(NegF, of, 0, 0)
		}
		high, low, _ := Reciprocal(c)
		j.step(ByF, of, j.known(high), j.known(low))
		return
	}
	product := j.step(MulF, x, j.known(1/c), 0)
	if j.r.IntN(3) == 0 {
		j.step(Float, j.step(Cut, product, 0, 0), 0, 0)
		return
	}
	q := j.step(FloorF, product, 0, 0)
	rest := j.step(SubF, x, j.step(MulF, q, j.known(c), 0), 0)
	if j.r.IntN(3) == 0 {
		j.step(AddF, q, rest, 0)
	}
}

// choose makes a choice whose mask is computed now or was before.
func (j *joiner) choose(x, y Row) {
	code, other := LessF, j.operand(true)
	if j.r.IntN(2) == 0 {
		code, other = EqualI, mostJoined // the constant
	}
	mask := j.step(code, j.operand(true), other, 0)
	j.computed = j.computed[:len(j.computed)-1]
	if j.r.IntN(3) == 0 { // something stands between
		x = j.step(SubF, j.operand(true), j.operand(true), 0)
	}
	if j.r.IntN(3) == 0 {
		y = j.column(AtOne)
	}
	j.step(Select, x, y, mask)
}

// step adds an operation with a strip of its own, behind the columns.
func (j *joiner) step(code Code, x, y, z Row) Row {
	to := Row(j.Rows)
	j.Rows++
	j.Ops = append(j.Ops, Op{Code: code, Steps: []Step{{Dst: to, X: x, Y: y, Z: z}}})
	j.computed = append(j.computed, to)
	return to
}

// column is one that nothing else uses.
func (j *joiner) column(kind Column) Row {
	j.Columns = append(j.Columns, kind)
	return Row(len(j.Columns) - 1)
}

// operand is a column, integers of a column as floats, or what was computed.
func (j *joiner) operand(float bool) Row {
	full := len(j.Columns) >= mostJoined-5
	switch n := len(j.computed); {
	case n > 0 && (full || j.r.IntN(3) == 0):
		return j.computed[n-1]
	case n > 0 && j.r.IntN(3) == 0:
		return j.computed[j.r.IntN(n)]
	case float && !full && j.r.IntN(2) == 0:
		kind := []Column{OfWords, OfHalves, OfBytes, OfSigned, AtHalves, AtShorts, AtBytes, AtSigned, OfBytes, OfSigned}[j.r.IntN(10)]
		x := j.step(Float, j.column(kind), 0, 0)
		j.computed = j.computed[:n] // used once
		return x
	}
	return j.column([]Column{OfWords, OfEights, OfShared, AtOne}[j.r.IntN(4)])
}

// finished makes the last value the result.
func (j *joiner) finished() *Program {
	j.Out = []Row{Row(j.Rows - 1)}
	return j.Program
}
