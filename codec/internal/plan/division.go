// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// Caps of divisions by known numbers.
const (
	maxTried    = 1 << 8 // quotients that are compared one by one
	maxGrained  = 12     // operators below each other that a grain is looked for in
	costProduct = costColumn
)

// known are the elements of lanes that are known, as numbers of DOUBLE, which hold those that are divided by.
func (l lanes) known() []float64 {
	list := l.v.data
	out := make([]float64, list.Len())
	for i, c := range codes(list) {
		if n, ok := integer(l.v.elem, c); ok {
			out[i] = float64(n)
		} else {
			out[i] = tensor.ToFloat(l.v.elem, c)
		}
	}
	return out
}

// floatsFor are lanes of FLOAT, one for each element of known lanes.
func (g *graph) floatsFor(l lanes, of func(c float64) float32) lanes {
	var list []uint64
	for _, c := range l.known() {
		list = append(list, uint64(math.Float32bits(of(c))))
	}
	return g.constant(fromCodes(tensor.Float, list)).pick(l.m)
}

// inverted are factors that do what the divisors of a quotient of FLOAT do, if there are such: of powers of two, or of
// few integers, for which it is tried.
func (g *graph) inverted(l lanes) (lanes, bool) {
	if l.v.args[1].v.kind != kConst || l.v.elem != tensor.Float {
		return lanes{}, false
	}
	y := l.operand(1)
	x, ranged := g.interval(l.v.args[0].v)
	for _, c := range y.known() {
		fraction, exponent := math.Frexp(c)
		if math.Abs(fraction) == 0.5 && exponent > -125 && exponent < 125 {
			continue
		}
		if !ranged || !x.within(maxTried) || !g.spend(maxTried/16) || !isProduct(float32(c), max(-x.lo, x.hi)) && g.demands(obTried) {
			return lanes{}, false
		}
	}
	return g.floatsFor(y, func(c float64) float32 { return float32(1 / c) }), true
}

// isProduct reports whether integers up to one divided by c are products, rounded once.
func isProduct(c float32, most int64) bool {
	factor := 1 / c
	for x := range most + 1 {
		if float32(x)*factor != float32(x)/c {
			return false
		}
	}
	return true
}

// grain is a power of two of which all finite lanes of a float type are multiples, if one is known.
func (g *graph) grain(v *value, depth int) (int, bool) {
	if p, ok := g.precision(v); ok {
		return p.low, true
	}
	if v.kind != kOp || depth > maxGrained || !g.spend(1) || v.elem != tensor.Float {
		return 0, false
	}
	args := v.args
	switch v.run.node.OpType {
	case "Where":
		args = args[1:]
	case "Add", "Sub", "Mul", "Neg", "Abs", "Max", "Min", "Clip", "Relu", "Sum", "Identity":
	default:
		return 0, false
	}
	least, sum := math.MaxInt, 0
	for _, a := range args {
		n, ok := g.grain(a.v, depth+1)
		if !ok {
			return 0, false
		}
		least, sum = min(least, n), sum+n
	}
	if v.run.node.OpType == "Mul" {
		return sum, sum >= -149 // else it may be rounded to less
	}
	return least, true
}

// quotient is how a quotient by known numbers is found without a division, and what that costs.
type quotient struct {
	find  func(s *stripper, v *value, m []int32) ([]row, bool, error)
	cost  float64
	whole bool // of integers
}

// quotientOf finds that out.
func (g *graph) quotientOf(l lanes) (quotient, bool) {
	if l.v.kind != kOp || len(l.v.args) != 2 || l.v.args[1].v.kind != kConst {
		return quotient{}, false
	}
	switch name := l.v.run.node.OpType; {
	case name != "Div" && name != "Mod":
	case l.v.elem.IsInteger() && name == "Mod" && powersOfTwo(l.v.args[1].v):
		return quotient{}, false // a mask
	case l.v.elem.IsInteger():
		if _, ok := g.shiftFor(l.v); ok {
			return quotient{cost: 3 * costProduct, find: (*stripper).cutDigits, whole: true}, true
		}
	case name == "Div" && l.v.elem != tensor.Double:
		_, uniform := uniform(l.operand(1))
		if _, ok := g.inverted(l); ok {
			return quotient{cost: costProduct, find: (*stripper).inverted}, true
		}
		if uniform && g.reciprocals(l.v) {
			return quotient{cost: 2 * costProduct, find: (*stripper).reciprocals}, true
		}
	}
	return quotient{}, false
}

// reciprocals reports whether strip.Reciprocal has all divisors, and what is divided is large enough.
func (g *graph) reciprocals(v *value) bool {
	for _, c := range (lanes{v: v.args[1].v}).known() {
		if _, _, ok := strip.Reciprocal(float32(c)); !ok {
			return false
		}
	}
	grain, ok := g.grain(v.args[0].v, 0)
	return ok && math.Ldexp(1, grain) >= strip.LeastDividend || !g.demands(obDividend)
}

// inverted multiplies.
func (s *stripper) inverted(v *value, m []int32) ([]row, bool, error) {
	x, err := s.dividend(v, m)
	if x == nil || err != nil {
		return nil, err != nil, err
	}
	by, ok := s.g.inverted(lanes{v, m})
	if !ok {
		return nil, true, noStrip(v, "%v", errWork) // it was found before
	}
	y, err := s.of(by.v, by.m)
	if err != nil {
		return nil, true, err
	}
	out, fits := s.narrowed(v.elem, s.op(strip.MulF, x, y))
	return out, fits, nil
}

// dividend is what a quotient of floats divides, as FLOAT; nil if it is of another type.
func (s *stripper) dividend(v *value, m []int32) ([]row, error) {
	x, err := s.operand(v, 0, m)
	if err != nil || s.asFloats(v, 0) {
		return x, err
	}
	x, _ = s.widened(v.args[0].v.elem, x)
	return x, nil
}

// reciprocals divides by two products.
func (s *stripper) reciprocals(v *value, m []int32) ([]row, bool, error) {
	x, err := s.dividend(v, m)
	if x == nil || err != nil {
		return nil, err != nil, err
	}
	c := lanes{v: v.args[1].v}.known()[v.args[1].m[m[0]]]
	high, low, _ := strip.Reciprocal(float32(c))
	out, ok := s.narrowed(v.elem, s.op(strip.ByF, x, one(s.float(high)), one(s.float(low))))
	return out, ok, nil
}

// shiftFor is what makes integers that a quotient or a remainder by known ones divides 0 at least, as a multiple of any divisor, if those can be found
// in FLOAT with one product each: with a factor r, which is 1 / c rounded up, less than 2^-23 of it too large. For x = k*c + m the product
// is k at least, rounded or not. It is less than x / c + x / c * 2^-23 and therefore rounds to less than k + 1, which x / c is
// 1 / c away from at least, if x * 2^-23 + (x + c) * 2^-24, half the distance of numbers below k + 1, is less than 1. Towards zero, negative
// numbers are like others.
func (g *graph) shiftFor(v *value) (int64, bool) {
	x, ok := g.interval(v.args[0].v)
	by, known := g.interval(v.args[1].v)
	if !ok || !known || by.lo < 1 || by.hi > 1<<22 || !x.within(1<<32) || v.elem == tensor.Bool {
		return 0, false
	}
	shift := int64(0)
	switch most := max(-x.lo, x.hi); v.run.node.OpType {
	case "Mod":
		if x.lo < 0 {
			if attributeInt(v.run.node, "fmod", 0) != 0 {
				return 0, false
			}
			shift = -x.lo + by.hi
		}
		return shift, 3*(x.hi+shift)+by.hi < 1<<24 || !g.demands(obProduct)
	default:
		return 0, 3*most+by.hi < 1<<24 || !g.demands(obProduct)
	}
}

// upwards is 1 / c, rounded up.
func upwards(c float64) float32 {
	r := float32(1 / c)
	if float64(r)*c < 1 { // which DOUBLE holds
		r = math.Nextafter32(r, 2)
	}
	return r
}

// products are what is divided, as FLOAT, and what cut or rounded down is the quotient.
func (s *stripper) products(v *value, m []int32) (x, product []row, err error) {
	l := lanes{v, m}
	wide, ok := s.g.castTo(tensor.Float, l.operand(0))
	if !ok {
		return nil, nil, noStrip(v, "an operand is no FLOAT")
	}
	if x, err = s.of(wide.v, wide.m); err != nil {
		return nil, nil, err
	}
	if shift, _ := s.g.shiftFor(v); shift > 0 {
		more, err := s.each(l.operand(1), func(c float64) float32 { return float32(c * math.Floor(float64(shift)/c)) })
		if err != nil {
			return nil, nil, err
		}
		x = s.op(strip.AddF, x, more)
	}
	factor, err := s.each(l.operand(1), upwards)
	if err != nil {
		return nil, nil, err
	}
	return x, s.op(strip.MulF, x, factor), nil
}

// each makes rows of a function of known lanes.
func (s *stripper) each(l lanes, of func(c float64) float32) ([]row, error) {
	made := s.g.floatsFor(l, of)
	return s.of(made.v, made.m)
}

// digits are quotients or remainders of integers as FLOAT.
func (s *stripper) digits(v *value, m []int32) ([]row, error) {
	x, product, err := s.products(v, m)
	if err != nil {
		return nil, err
	}
	if v.run.node.OpType == "Div" {
		if r, _ := s.g.interval(v.args[0].v); r.lo < 0 {
			return s.op(strip.Float, s.op(strip.Cut, product)), nil // no -0
		}
		return s.op(strip.FloorF, product), nil
	}
	by, err := s.each(v.args[1].pick(m), func(c float64) float32 { return float32(c) })
	if err != nil {
		return nil, err
	}
	return s.op(strip.SubF, x, s.op(strip.MulF, s.op(strip.FloorF, product), by)), nil
}

// cutDigits are digits as integers.
func (s *stripper) cutDigits(v *value, m []int32) ([]row, bool, error) {
	if v.run.node.OpType == "Div" {
		_, product, err := s.products(v, m)
		if err != nil {
			return nil, true, err
		}
		return s.op(strip.Cut, product), true, nil
	}
	out, err := s.digits(v, m)
	if err != nil {
		return nil, true, err
	}
	return s.op(strip.Cut, out), true, nil
}

// byKnown is a quotient or a remainder by known numbers, or one of integers that is cast to floats: as it is found as
// FLOAT. It is not done for others.
func (s *stripper) byKnown(v *value, m []int32) (out []row, done bool, err error) {
	l := lanes{v, m}
	if v.run.node.OpType != "Cast" {
		if q, ok := s.g.quotientOf(l); ok {
			return q.find(s, v, m)
		}
		return nil, false, nil
	}
	from := l.operand(0)
	if q, ok := s.g.quotientOf(from); !ok || !q.whole || !v.elem.IsFloat() || v.elem.Bits() <= 8 || v.elem.Bits() > 32 ||
		s.columns != nil && !s.g.choose(from, s.columns.depth).down {
		return nil, false, nil
	}
	if out, err = s.digits(from.v, from.m); err != nil {
		return nil, true, err
	}
	out, ok := s.narrowed(v.elem, out)
	return out, ok, nil
}

// powersOfTwo reports whether known integers are all powers of two.
func powersOfTwo(v *value) bool {
	if v.kind != kConst {
		return false
	}
	for _, c := range (lanes{v: v}).known() {
		if fraction, _ := math.Frexp(c); fraction != 0.5 {
			return false
		}
	}
	return true
}
