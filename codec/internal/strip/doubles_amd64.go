// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

// twoDoubles reports whether an operation of DOUBLE has two operands.
func twoDoubles(code Code) bool {
	return code >= AddD && code <= EqualD || code >= FirstW && code <= HighD
}

// crosses reports whether the results of an operation lie elsewhere than its operands.
func crosses(code Code) bool { return code >= FirstD && code <= HighD }

// doubles reports whether the results are lanes of DOUBLE.
func (p *Program) doubles() bool { return p.Columns != nil && p.OutBytes == 8 }

// whole takes results of 64 bits, which are given as words, from the strips that hold them together.
func (g *graph) whole() {
	if p := g.program; p.doubles() {
		x, y := g.strips[p.Out[0]], g.strips[p.Out[1]]
		g.out = []Row{Row(len(g.strips)), Row(len(g.strips)) + 1}
		g.strips = append(g.strips, g.put(value{code: FirstW, args: [3]int32{x, y, none}}), g.put(value{code: LastW, args: [3]int32{x, y, none}}))
	}
}

// apart takes words apart that have been put together, or the other way round.
func (g *graph) apart(v *value) int32 {
	x, y := g.values[v.args[0]], g.values[v.args[1]]
	if v.code == FirstW || v.code == LastW {
		if x.code == LowD && y.code == HighD && x.args == y.args {
			return x.args[v.code-FirstW]
		}
		return none
	}
	if x.code == FirstW && y.code == LastW && x.args == y.args {
		return x.args[v.code-LowD]
	}
	return none
}
