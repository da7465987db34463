// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// maxChain bounds the operators that are tabulated at once.
const maxChain = 12

// chainCode is a function of one value in [0, 255], the same in all lanes: the
// function is tabulated over that value. Of the values along the chain the one
// with the cheapest codes is taken, if that is cheaper than what there is.
func (g *graph) chainCode(l lanes, depth int, best codePlan, have bool) (codePlan, bool) {
	better, x := false, l
	for range maxChain {
		next, ok := onlyOperand(x)
		if !ok {
			break
		}
		x = next
		s, ok := g.interval(x.v)
		if !ok || s.lo < 0 || s.hi > 255 {
			continue
		}
		from, ok := g.codeAt(x, depth+1)
		if !ok || have && from.cost >= best.cost {
			continue // before the chain is evaluated in vain
		}
		if plan, ok := g.chainFrom(l, x, s.hi, from); ok && (!have || plan.cost < best.cost) {
			best, have, better = plan, true, true
		}
	}
	return best, better
}

// onlyOperand returns the operand that an operator's result depends on, if the
// others are constants that are the same in all lanes.
func onlyOperand(l lanes) (lanes, bool) {
	if l.v.kind != kOp {
		return lanes{}, false
	}
	var found lanes
	for i := range l.v.args {
		x := l.operand(i)
		switch {
		case x.v.kind == kConst:
			if _, ok := uniform(x); !ok {
				return lanes{}, false
			}
		case found.v == nil:
			found = x
		case found.v != x.v || !slices.Equal(found.m, x.m):
			return lanes{}, false
		}
	}
	return found, found.v != nil
}

// chainFrom tabulates l over the values 0 to high of x, whose codes are there.
func (g *graph) chainFrom(l, x lanes, high int64, from codePlan) (codePlan, bool) {
	cells, ok := g.chainCells(l, x, high)
	if !ok {
		return codePlan{}, false
	}
	if isIdentity(cells[:high+1]) {
		return from, true
	}
	make, cost := tableOp(cells)
	if m, ok := affine(cells[:high+1]); ok {
		cost = 2
		make = func(codes kernel.Codes, lanes int, to kernel.BufferID) kernel.Op {
			return &kernel.Affine{From: codes, Lanes: lanes, Map: m, To: to}
		}
	}
	return codePlan{from.cost + cost, func(e *emitter) kernel.Codes {
		codes := from.emit(e)
		to := e.buffer(kernel.U8, len(l.m))
		e.op(make(codes, len(l.m), to))
		return kernel.Buf(to)
	}}, true
}

// chainCells evaluates lane 0 of l for every value of x: 16 or 256 cells.
func (g *graph) chainCells(l, x lanes, high int64) ([]byte, bool) {
	from := laneID{x.v, x.m[0]}
	c := g.chains[from]
	if c == nil {
		c = newChain(from, high)
		g.chains[from] = c
	}
	result := c.eval(l.v, l.m[0])
	if result == nil {
		return nil, false
	}
	return bytesOf(l.v.elem, codes(result))
}

// newChain begins with the values 0 to high of a lane.
func newChain(from laneID, high int64) *chain {
	n := 256
	if high < 16 {
		n = 16
	}
	values := make([]int64, n)
	for i := range values {
		values[i] = min(int64(i), high)
	}
	list, err := tensor.Convert(tensor.Of([]int64{int64(n)}, values...), from.v.elem, true, tensor.RoundMode(0))
	if err != nil {
		list = nil
	}
	return &chain{n: n, memo: map[laneID]*tensor.Tensor{from: list}}
}

// chain evaluates lanes for many values of one other lane.
type chain struct {
	n    int
	memo map[laneID]*tensor.Tensor
}

type laneID struct {
	v *value
	l int32
}

// eval returns a tensor [n], nil if an operator fails on some value.
func (c *chain) eval(v *value, l int32) *tensor.Tensor {
	if known, ok := c.memo[laneID{v, l}]; ok {
		return known
	}
	made := c.make(v, l)
	c.memo[laneID{v, l}] = made
	return made
}

func (c *chain) make(v *value, l int32) *tensor.Tensor {
	if v.kind == kConst {
		code := codeAt(v.data.Bytes(), int(v.elem.Bits()), int(l))
		return fromCodes(v.elem, slices.Repeat([]uint64{code}, c.n))
	}
	inputs := make([]*tensor.Tensor, len(v.args))
	for i, a := range v.args {
		if inputs[i] = c.eval(a.v, a.m[l]); inputs[i] == nil {
			return nil
		}
	}
	results, err := v.run.call(inputs...)
	if err != nil || results[0].Len() != int64(c.n) || results[0].Type() != v.elem {
		return nil
	}
	return results[0]
}
