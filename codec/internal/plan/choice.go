// SPDX-License-Identifier: Apache-2.0

package plan

// sumsOfChoice is b + condition*(a-b), where a and b are apart by a number.
func (g *graph) sumsOfChoice(l lanes, depth int) ([]linear, bool) {
	condition, ok1 := g.truths(l.operand(0), depth+1)
	a, ok2 := g.linears(l.operand(1), depth+1)
	if !ok1 || !ok2 {
		return nil, false
	}
	b, ok := g.linears(l.operand(2), depth+1)
	if !ok {
		return nil, false
	}
	out, in := make([]linear, len(a)), &room{}
	for i := range out {
		apart := a[i].plus(b[i], -1, in)
		if len(apart.terms) > 0 {
			return nil, false
		}
		if out[i] = b[i]; apart.offset != 0 {
			out[i] = b[i].plus(condition[i], apart.offset, in)
		}
	}
	return out, true
}

// truths are conditions as sums that are 0 or 1.
func (g *graph) truths(l lanes, depth int) ([]linear, bool) {
	if list, ok := g.linearTable(l); ok {
		for _, x := range list {
			if s := x.span(); s.lo < 0 || s.hi > 1 {
				return nil, false
			}
		}
		return list, true
	}
	if l.v.kind != kOp || len(l.v.args) != 2 {
		return nil, false
	}
	x, ok1 := g.linears(l.operand(0), depth+1)
	y, ok2 := g.linears(l.operand(1), depth+1)
	if !ok1 || !ok2 {
		return nil, false
	}
	out, in := make([]linear, len(x)), &room{}
	for i := range out {
		var ok bool
		if out[i], ok = comparison(l.v.run.node.OpType, x[i], y[i], in); !ok {
			return nil, false
		}
	}
	return out, true
}

// comparison is x ? y, if one bit of their difference decides.
func comparison(name string, x, y linear, in *room) (linear, bool) {
	d := x.plus(y, -1, in)
	switch name {
	case "GreaterOrEqual": // d >= 0
	case "Greater": // d-1 >= 0
		d.offset--
	case "LessOrEqual":
		d = linear{}.plus(d, -1, in)
	case "Less":
		d = linear{offset: -1}.plus(d, -1, in)
	default:
		return linear{}, false
	}
	all := d.span()
	for _, t := range d.terms {
		rest := span{all.lo - min(t.weight, 0), all.hi - max(t.weight, 0)}
		switch {
		case rest.hi < 0 && rest.lo+t.weight >= 0:
			return linear{0, []weighted{{t.bit, 1}}}, true
		case rest.lo >= 0 && rest.hi+t.weight < 0:
			return linear{1, []weighted{{t.bit, -1}}}, true
		}
	}
	return linear{}, false
}
