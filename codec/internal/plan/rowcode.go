// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// Bounds of tables of rows.
const (
	maxRow      = 16
	maxRowBytes = 16 << 10
)

// rowGroup is lanes that come in runs of r sharing their payload bits, with the
// same table in every run: rows of a table by an index.
type rowGroup struct {
	r     int
	index matrix     // per run: the bits of the index
	cells [][]uint64 // per place in the run
}

// rowGroups looks for such runs, the longest first, whose table has at most most
// cells.
func (g *graph) rowGroups(l lanes, most int) (rowGroup, *table, bool) {
	longest := sharedRun(l)
	if (longest < 2 || 2<<len(l.v.support().of(l.m[0])) > most) && g.demands(obSharedBits) {
		return rowGroup{}, nil, false // before a large table is made in vain
	}
	t := g.tabulate(l.v, maxTable)
	if t == nil || t.width == 0 {
		return rowGroup{}, nil, false
	}
	for r := maxRow; r > 1; r-- {
		if !g.demands(obSharedBits) && r&(r-1) != 0 {
			continue
		}
		if len(l.m)%r == 0 && (longest%r == 0 && t.sharedRuns(l.m, r) || !g.demands(obSharedBits)) {
			group := rowGroup{r: r}
			group.index = t.support.rows(l.every(r).m, t.width)
			for _, k := range l.m[:r] {
				group.cells = append(group.cells, t.cells[t.class[k]])
			}
			return group, t, group.r<<t.width <= most
		}
	}
	return rowGroup{}, nil, false
}

// sharedRun is the largest number of lanes of which each run of so many depends on the
// same few payload bits: all lengths of runs are its divisors.
func sharedRun(l lanes) int {
	support, run := l.v.support(), 0
	for i := range l.m {
		s := support.of(l.m[i])
		if isTooMany(s) {
			return 0
		}
		if i > 0 && !slices.Equal(s, support.of(l.m[i-1])) {
			if run = gcd(run, i); run == 1 {
				return 1
			}
		}
	}
	return gcd(run, len(l.m))
}

func (t *table) sharedRuns(m []int32, r int) bool {
	for i := range m {
		first := i - i%r
		if !slices.Equal(t.support.of(m[i]), t.support.of(m[first])) || t.class[m[i]] != t.class[m[i%r]] {
			return false
		}
	}
	return true
}

// Costs of row look-ups per 32 lanes.
const costRow = 3

// rowCode is rows of codes by an index of up to 12 bits: grids, sign masks,
// digit expansions.
func (g *graph) rowCode(l lanes) (codePlan, bool) {
	if l.v.kind == kBits {
		return codePlan{}, false
	}
	group, t, ok := g.rowGroups(l, maxRowBytes)
	if !ok {
		return codePlan{}, false
	}
	rows := make([]byte, group.r<<t.width)
	for k, cells := range group.cells {
		column, ok := bytesOf(l.v.elem, cells)
		if !ok {
			return codePlan{}, false
		}
		for i, c := range column {
			rows[i*group.r+k] = c
		}
	}
	index, ok := unpackIndex(group.index)
	if !ok {
		return codePlan{}, false
	}
	cost := index.cost/float64(group.r) + costRow*32/float64(group.r)
	return codePlan{cost, func(e *emitter) kernel.Codes {
		from := index.emit(e)
		to := e.buffer(kernel.U8, len(l.m))
		e.op(&kernel.Rows{From: from, Count: len(group.index.begin), R: group.r, Table: rows, To: to})
		return kernel.Buf(to)
	}}, true
}

// ringCode is arithmetic on codes, which holds modulo 256 in any integer type; in a
// float type both operands have to be known integers.
func (g *graph) ringCode(l lanes, depth int) (codePlan, bool) {
	if l.v.kind != kOp {
		return codePlan{}, false
	}
	op, ok := map[string]kernel.ByteOp{
		"Add": kernel.Add, "Sub": kernel.Sub, "Mul": kernel.Mul,
		"BitwiseAnd": kernel.And, "BitwiseOr": kernel.Or, "BitwiseXor": kernel.Xor,
	}[l.v.run.node.OpType]
	if !ok {
		return g.castCode(l, depth)
	}
	if l.v.elem.IsFloat() && !g.exact(l.v) {
		return codePlan{}, false
	}
	x, y := l.operand(0), l.operand(1)
	if op == kernel.And {
		if mask, ok := uniform(y); ok && mask&255 == 255 {
			return g.codeAt(x, depth+1)
		}
		if mask, ok := uniform(x); ok && mask&255 == 255 {
			return g.codeAt(y, depth+1)
		}
	}
	if op != kernel.Sub && (x.v.kind == kConst || rate(x) < rate(y)) {
		x, y = y, x
	}
	return g.binaryCode(op, l, x, y, depth)
}

// castCode is a cast that changes nothing modulo 256.
func (g *graph) castCode(l lanes, depth int) (codePlan, bool) {
	name := l.v.run.node.OpType
	if name != "Cast" && name != "BitCast" {
		return codePlan{}, false
	}
	from := l.operand(0)
	if name == "BitCast" && !(from.v.elem.IsInteger() && l.v.elem.IsInteger()) {
		return codePlan{}, false
	}
	if l.v.elem == tensor.Bool || !l.v.elem.IsInteger() && !l.v.elem.IsFloat() || l.v.elem.IsInteger() && l.v.elem.Bits() < 8 {
		return codePlan{}, false
	}
	if l.v.elem.IsFloat() && !g.exact(l.v) || !g.zeroOrOne(from.v) {
		return codePlan{}, false
	}
	if from.v.elem.IsFloat() {
		s, ok := g.interval(from.v)
		t, fits := typeSpan(l.v.elem)
		if l.v.elem.IsInteger() && !(ok && fits && t.has(s.lo) && t.has(s.hi)) {
			return codePlan{}, false
		}
	}
	return g.codeAt(from, depth+1)
}

// zeroOrOne reports that no element is a BOOL whose byte is neither 0 nor 1: all others are what a cast makes of them.
func (g *graph) zeroOrOne(v *value) bool {
	if v.elem != tensor.Bool {
		return true
	}
	s, ok := g.interval(v)
	return ok && s.hi <= 1
}

// operand returns the lanes of an operator's operand.
func (l lanes) operand(i int) lanes { return lanes{l.v.args[i].v, l.v.args[i].m}.pick(l.m) }

// rate is the number of distinct lanes.
func rate(l lanes) int {
	seen, n := make([]bool, l.v.n), 0
	for _, k := range l.m {
		if !seen[k] {
			seen[k] = true
			n++
		}
	}
	return n
}

// uniform returns the element of constant lanes that are all the same.
func uniform(l lanes) (uint64, bool) {
	if l.v.kind != kConst {
		return 0, false
	}
	for _, k := range l.m {
		if k != l.m[0] {
			return 0, false
		}
	}
	return codeAt(l.v.data.Bytes(), int(l.v.elem.Bits()), int(l.m[0])), true
}

// binaryCode combines codes with an operand per lane, per group, or a constant row.
func (g *graph) binaryCode(op kernel.ByteOp, l, x, y lanes, depth int) (codePlan, bool) {
	left, ok := g.codeAt(x, depth+1)
	if !ok {
		return codePlan{}, false
	}
	with, cost, ok := g.byteOperand(y, depth)
	if !ok {
		return codePlan{}, false
	}
	n := len(l.m)
	sign := op == kernel.Mul && g.isSign(y)
	cost += left.cost + map[bool]float64{true: 4, false: 4}[sign]
	if op == kernel.Mul && !sign {
		cost += 7
	}
	return codePlan{cost, func(e *emitter) kernel.Codes {
		from, operand := left.emit(e), with(e)
		to := e.buffer(kernel.U8, n)
		if sign {
			e.op(&kernel.Sign{From: from, With: operand, Lanes: n, To: to})
		} else {
			e.op(&kernel.Binary{Op: op, From: from, With: operand, Lanes: n, To: to})
		}
		return kernel.Buf(to)
	}}, true
}

// byteOperand matches the second operand of a byte kernel at its own rate.
func (g *graph) byteOperand(y lanes, depth int) (func(*emitter) kernel.Operand, float64, bool) {
	if y.v.kind == kConst {
		row, ok := bytesOf(y.v.elem, y.codes())
		row = row[:period(row)]
		return func(*emitter) kernel.Operand { return kernel.Operand{Constant: row} }, 0, ok
	}
	group := groupOf(y.m)
	own := y.every(group)
	plan, ok := g.codeAt(own, depth+1)
	return func(e *emitter) kernel.Operand {
		return kernel.Operand{Buffer: inBuffer(e, plan.emit(e), len(own.m)), Group: group}
	}, plan.cost/float64(group) + repeatCost(group), ok
}

// repeatCost is that of spreading an operand over its group: a pass of its own.
func repeatCost(group int) float64 {
	if group == 1 {
		return 0
	}
	return 8
}

// isSign reports whether lanes hold only 1 and -1.
func (g *graph) isSign(l lanes) bool {
	if s, ok := g.interval(l.v); !ok || s.lo < -1 || s.hi > 1 {
		return false
	}
	t := g.tabulate(l.v, maxTable)
	if t == nil {
		return false
	}
	for _, cells := range t.cells {
		for _, c := range cells {
			if n, ok := integer(l.v.elem, c); !ok || n != 1 && n != -1 {
				return false
			}
		}
	}
	return true
}

// period is the shortest length after which a row repeats: what is left without its longest
// border, which is its beginning and its end.
func period[T comparable](row []T) int {
	for p, tried := 1, 0; tried < 4*len(row); p++ { // most rows tell without more ado
		if p > len(row)/2 {
			return len(row)
		}
		n := 0
		for n < len(row)-p && row[n] == row[n+p] {
			n++
		}
		if n == len(row)-p {
			return p
		}
		tried += n + 1
	}
	border := make([]int, len(row)+1) // of each beginning of the row
	for i := 1; i < len(row); i++ {
		b := border[i]
		for b > 0 && row[i] != row[b] {
			b = border[b]
		}
		if row[i] == row[b] {
			b++
		}
		border[i+1] = b
	}
	if p := len(row) - border[len(row)]; p <= len(row)/2 {
		return p
	}
	return len(row)
}

// groupOf returns the largest G such that lanes are constant over [kG, (k+1)G); the
// last run may be short.
func groupOf(m []int32) int {
	group := 0
	for i := 1; i < len(m); i++ {
		if m[i] == m[i-1] || group > 1 && i%group == 0 {
			continue
		}
		if group = gcd(group, i); group == 1 {
			break
		}
	}
	if group == 0 {
		return len(m)
	}
	return group
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// every keeps one lane of each group.
func (l lanes) every(group int) lanes {
	if group == 1 {
		return l
	}
	index := make([]int32, 0, (len(l.m)+group-1)/group)
	for i := 0; i < len(l.m); i += group {
		index = append(index, int32(i))
	}
	return l.pick(index)
}
