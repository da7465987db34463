// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"encoding/binary"
	"fmt"
	"math"
)

// choices are what random programs are made from: bytes, 0 when they end.
type choices struct{ data []byte }

func (c *choices) intN(n int) int {
	v := 0
	for limit := 1; limit < n; limit <<= 8 {
		v <<= 8
		if len(c.data) > 0 {
			v |= int(c.data[0])
			c.data = c.data[1:]
		}
	}
	return v % n
}

func pickOf[E any](c *choices, s ...E) E { return s[c.intN(len(s))] }

func (c *choices) word() uint32 {
	switch c.intN(4) {
	case 0:
		return uint32(c.intN(1<<16))<<16 | uint32(c.intN(1<<16))
	case 1:
		return c.moderate()
	default:
		return special[c.intN(len(special))]
	}
}

// moderate is a float of some hundreds.
func (c *choices) moderate() uint32 { return math.Float32bits(float32(c.intN(1<<16)-1<<15) / 64) }

// maker makes a random program.
type maker struct {
	*choices
	p     *Program
	kinds []kind
	fixed []bool // strips that steps must not write
	last  map[kind]Row
}

func makeProgram(c *choices) (*Program, []kind) {
	m := &maker{choices: c, p: &Program{}, last: map[kind]Row{}}
	p := m.p
	if p.InBytes = pickOf(c, 4, 1, 2, 3, 8, 20, 64, 37, 132, 5, 128, 12); c.intN(4) == 0 {
		p.InBytes = 1 + c.intN(160)
	}
	p.In = m.strips(words(p.InBytes), isInt, true)
	if more := p.InBytes % 4; more != 0 {
		last := p.In + Row(words(p.InBytes)) - 1
		m.kinds[last] = isNothing
		p.Ops = append(p.Ops, Op{Code: Bits, Steps: []Step{{Dst: m.strips(1, isInt, false), X: last, Mask: 1<<(8*more) - 1, First: true}}})
	}
	for range c.intN(4) {
		r := m.strips(1, pickOf(c, isInt, isFloat), true)
		p.Constants = append(p.Constants, Constant{r, c.word()})
	}
	for range c.intN(3) {
		p.Doubles = append(p.Doubles, Double{m.strips(1, isDouble, true), uint64(c.word())<<32 | uint64(c.word())})
	}
	for _, k := range []kind{isInt, isInt, isInt, isFloat, isFloat, isFloat, isHalf, isBrain, isDouble, isDouble} {
		x := m.operand(isInt)
		r := m.strips(1, k, false)
		p.Ops = append(p.Ops, Op{Code: Bits, Steps: []Step{{Dst: r, X: x, Mask: pickOf[uint32](c, 7, 255, 1<<32-1), First: true}}})
	}
	for range 1 + c.intN(30) {
		m.op()
	}
	p.Rows = len(m.kinds)
	return p, m.results()
}

func (m *maker) strips(n int, k kind, fixed bool) Row {
	r := Row(len(m.kinds))
	for range n {
		m.kinds, m.fixed = append(m.kinds, k), append(m.fixed, fixed)
	}
	return r
}

// operand is a strip of a kind; those of the input are floats too.
func (m *maker) operand(k kind) Row {
	if r, ok := m.last[k]; ok && m.intN(3) == 0 {
		return r // chains
	}
	var of []Row
	for r, has := range m.kinds {
		if has == k || k == isFloat && has == isInt && r < words(m.p.InBytes) {
			of = append(of, Row(r))
		}
	}
	return pickOf(m.choices, of...)
}

// result is a strip to write.
func (m *maker) result(k kind) Row {
	for range 8 {
		if r := m.operand(k); m.kinds[r] == k && !m.fixed[r] {
			m.last[k] = r
			return r
		}
	}
	x := m.operand(isInt)
	r := m.strips(1, k, false)
	m.p.Ops = append(m.p.Ops, Op{Code: Bits, Steps: []Step{{Dst: r, X: x, Right: 1, First: true}}})
	m.last[k] = r
	return r
}

func (m *maker) op() {
	switch m.intN(16) {
	case 0, 1:
		m.magnitudes()
		return
	case 2:
		m.nearest()
		return
	}
	op := Op{Code: Code(m.intN(int(numCodes)))}
	if op.Code == Table {
		op.Table = make([]uint32, pickOf(m.choices, 1, 2, 5, 8, 9, 16, 17, 100))
		for i := range op.Table {
			op.Table[i] = m.word()
		}
	}
	for range 1 + m.intN(6) {
		op.Steps = append(op.Steps, m.step(&op))
	}
	m.p.Ops = append(m.p.Ops, op)
}

// magnitudes adds a greatest absolute value.
func (m *maker) magnitudes() {
	a, b := m.result(isFloat), m.result(isFloat)
	m.p.Ops = append(m.p.Ops, Op{Code: AbsF, Steps: []Step{{Dst: a, X: m.operand(isFloat)}, {Dst: b, X: m.operand(isFloat)}}},
		Op{Code: MaxF, Steps: []Step{{Dst: a, X: a, Y: b}, {Dst: m.result(isFloat), X: m.operand(isFloat), Y: a}, {Dst: b, X: b, Y: a}}})
}

// nearest adds a search for the number of a list that is nearest to another; sometimes one
// step of it is other.
func (m *maker) nearest() {
	x, at, best := m.operand(isFloat), m.result(isInt), m.strips(1, isNothing, true)
	for i := range 1 + m.intN(6) {
		d, w := m.strips(1, isNothing, true), m.strips(1, isInt, true)
		m.p.Constants = append(m.p.Constants, Constant{w, m.word()})
		s := Step{Dst: d, X: m.operand(isFloat), Y: x}
		if m.intN(2) == 0 {
			s.X, s.Y = s.Y, s.X
		}
		if m.intN(8) == 0 {
			s.Y = m.operand(isFloat)
		}
		m.p.Ops = append(m.p.Ops, Op{Code: SubF, Steps: []Step{s}}, Op{Code: AbsF, Steps: []Step{{Dst: d, X: d}}})
		if i == 0 {
			m.p.Ops = append(m.p.Ops, Op{Code: Copy, Steps: []Step{{Dst: best, X: d}, {Dst: at, X: w}}})
		} else {
			m.p.Ops = append(m.p.Ops, Op{Code: ArgMinF, Steps: []Step{{Dst: best, X: d, Y: at, Z: w}}})
		}
	}
	m.last[isInt] = at
}

func (m *maker) step(op *Op) Step {
	s := Step{Mask: pickOf(m.choices, 15, 1, 255, m.word()), Right: uint8(pickOf(m.choices, 0, m.intN(32))), Left: uint8(pickOf(m.choices, 0, m.intN(32)))}
	set := func(dst, x, y, z kind) Step {
		s.Dst, s.X, s.Y, s.Z = m.result(dst), m.operand(x), m.operand(y), m.operand(z)
		return s
	}
	free := pickOf(m.choices, isInt, isFloat)
	switch code := op.Code; {
	case code == Bits:
		s.First = m.intN(2) == 0
		return set(isInt, isInt, isInt, isInt)
	case code == Check:
		if m.intN(8) > 0 {
			s.Mask = math.MaxUint32
		}
		return set(isInt, isInt, isInt, isInt)
	case code == Table:
		return m.lookup(op)
	case code == ByF:
		return m.quotient()
	case code == ArgMaxF || code == ArgMinF:
		s = set(isFloat, isFloat, free, free)
		s.Y = m.result(free)
		return s
	case code == Pick:
		return set(free, free, isInt, isInt)
	case code == Select:
		return set(free, free, free, isInt)
	case code == LessF || code == AtMostF || code == EqualF || code == Int || code == Cut:
		return set(isInt, isFloat, isFloat, isInt)
	case code == Half:
		return set(isHalf, isFloat, isFloat, isInt)
	case code == BFloat:
		return set(isBrain, isFloat, isFloat, isInt)
	case code == FromHalf:
		return set(isFloat, isHalf, isHalf, isInt)
	case code == Float:
		return set(isFloat, isInt, isInt, isInt)
	case code == Copy:
		return set(free, free, free, isInt)
	case code < AddI:
		return set(isFloat, isFloat, isFloat, isInt)
	case code >= AddD:
		k := operandKinds(code)
		return set(k[0], k[1], k[2], k[3])
	}
	return set(isInt, isInt, isInt, isInt)
}

// lookup looks a word up that is in range.
func (m *maker) lookup(op *Op) Step {
	x := m.operand(isInt)
	at, limit := m.strips(1, isInt, false), m.strips(1, isInt, true)
	m.p.Constants = append(m.p.Constants, Constant{limit, uint32(len(op.Table) - 1)})
	m.p.Ops = append(m.p.Ops,
		Op{Code: Bits, Steps: []Step{{Dst: at, X: x, Mask: 127, First: true}}},
		Op{Code: MinI, Steps: []Step{{Dst: at, X: at, Y: limit}}})
	m.fixed[at] = true
	return Step{Dst: m.result(isInt), X: at}
}

// quotient divides an integer, which is not too small.
func (m *maker) quotient() Step {
	x := m.strips(1, isFloat, true)
	m.p.Ops = append(m.p.Ops, Op{Code: Float, Steps: []Step{{Dst: x, X: m.operand(isInt)}}})
	y, z := m.strips(1, isNothing, true), m.strips(1, isNothing, true)
	m.p.Constants = append(m.p.Constants, reciprocals(m.intN(256), y, z)...)
	return Step{Dst: m.result(isFloat), X: x, Y: y, Z: z}
}

// reciprocals are the operands of one of the divisors.
func reciprocals(n int, y, z Row) []Constant {
	high, low, _ := Reciprocal(divisors[n%len(divisors)])
	return []Constant{{y, math.Float32bits(high)}, {z, math.Float32bits(low)}}
}

// results chooses the words of a result.
func (m *maker) results() []kind {
	p := m.p
	if p.OutBytes = pickOf(m.choices, 4, 1, 2, 3, 8, 18, 34, 22, 64, 5); m.intN(4) == 0 {
		p.OutBytes = 1 + m.intN(80)
	}
	var kinds []kind
	for w := range words(p.OutBytes) {
		k := pickOf(m.choices, isInt, isFloat, isFloat, isHalf, isBrain)
		if 4*w+4 > p.OutBytes {
			k = isInt
		}
		p.Out = append(p.Out, m.operand(k))
		kinds = append(kinds, k)
	}
	return kinds
}

// sameBlocks compares results of n blocks: NaN with NaN.
func sameBlocks(got, want []byte, size int, kinds []kind) error {
	for i := 0; i < len(want); i += size {
		for w, k := range kinds {
			g, x := tail(got[i:i+size], 4*w), tail(want[i:i+size], 4*w)
			if g != x && !(isNaN(g, k) && isNaN(x, k)) {
				return fmt.Errorf("block %d, word %d: %#x, expected %#x", i/size, w, g, x)
			}
		}
	}
	return nil
}

func tail(block []byte, from int) uint32 {
	var b [4]byte
	copy(b[:], block[from:])
	return binary.LittleEndian.Uint32(b[:])
}
