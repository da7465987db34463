// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// folding says what a kFold does with the elements of a lane, which it takes in index order.
type folding uint8

const (
	noFold  folding = iota
	addFold         // from +0 on
	mulFold
	maxFold
	minFold
	argMaxFold // the index of the first greatest element; NaN is greater than numbers
	argMinFold
	lastMaxFold // the last of equals
	lastMinFold
)

var foldNames = [...]string{"", "fold add", "fold mul", "fold max", "fold min", "argmax", "argmin", "argmax last", "argmin last"}

// maxFolded bounds the elements of a block that reductions and searches take.
const maxFolded = 1 << 16

// reductionFor returns the rule of a reduction or a search.
func reductionFor(op string) rule {
	switch op {
	case "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare":
		return reductionRule
	case "ArgMax", "ArgMin":
		return searchRule
	}
	return nil
}

// reductionRule is a reduction over axes within a block.
func reductionRule(t *tracer, s *step) ([]*symbol, error) {
	if t.unrolls(s) {
		return foldRule(t, s)
	}
	return reduceRule(t, s)
}

// unrolls reports whether a reduction becomes a few operators, which the kernels of decoders
// know, and not a fold of its own.
func (t *tracer) unrolls(s *step) bool {
	x := s.in[0]
	axes, err := foldAxes(s, len(x.dims))
	if err != nil || t.encoding || x.batch < 0 {
		return false
	}
	n := int64(1)
	for _, a := range axes {
		n *= x.dims[a]
	}
	return n <= maxUnrolled && s.node.OpType != "ReduceL2"
}

// reduceRule is a reduction as a fold, in the order and with the roundings of eval.
func reduceRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	axes, err := foldAxes(s, len(x.dims))
	if err != nil {
		return nil, err
	}
	elem := x.elem
	if isHalf(elem) { // in FLOAT, rounded once
		if x, err = t.cast(s.scope, x, tensor.Float); err != nil {
			return nil, err
		}
	}
	if x, err = t.prepared(s, x); err != nil {
		return nil, err
	}
	how, ok := map[string]folding{"ReduceProd": mulFold, "ReduceMax": maxFold, "ReduceMin": minFold}[s.node.OpType]
	if !ok {
		how = addFold
	}
	n := count(x.inner())
	if x, err = t.folded(x, axes, how, x.elem); err != nil {
		return nil, err
	}
	if x, err = t.finished(s, x, n/int64(len(x.lanes.m))); err != nil {
		return nil, err
	}
	if x, err = t.cast(s.scope, x, elem); err != nil {
		return nil, err
	}
	return []*symbol{t.reshape(x, dims[0])}, nil
}

// prepared is what the elements of a sum are.
func (t *tracer) prepared(s *step, x *symbol) (*symbol, error) {
	switch s.node.OpType {
	case "ReduceL1":
		return t.elementwise(&onnxpb.NodeProto{OpType: "Abs", Input: []string{"a"}, Output: []string{"b"}}, s.scope, []*symbol{x})
	case "ReduceSumSquare", "ReduceL2":
		return t.binary("Mul", s.scope, x, x)
	}
	return x, nil
}

// finished is what becomes of a sum of n elements.
func (t *tracer) finished(s *step, x *symbol, n int64) (*symbol, error) {
	switch s.node.OpType {
	case "ReduceMean":
		if x.elem != tensor.Float {
			return nil, refuse("a mean of %v", x.elem)
		}
		return t.binary("Div", s.scope, x, known(tensor.Of([]int64{}, float32(n))))
	case "ReduceL2":
		if x.elem != tensor.Float {
			return nil, refuse("a root of %v", x.elem)
		}
		return t.elementwise(&onnxpb.NodeProto{OpType: "Sqrt", Input: []string{"a"}, Output: []string{"b"}}, s.scope, []*symbol{x})
	}
	return x, nil
}

// folded reduces axes within a block, which stay with length 1.
func (t *tracer) folded(x *symbol, axes []int64, how folding, elem tensor.Type) (*symbol, error) {
	inner := x.inner()
	strides := rowMajor(inner)
	outer := slices.Clone(inner)
	var dims, steps []int64
	for _, a := range axes {
		at, err := t.innerAxis(x, a)
		if err != nil {
			return nil, err
		}
		dims, steps = append(dims, inner[at]), append(steps, strides[at])
		outer[at] = 1
	}
	each := strided(0, dims, steps)
	if len(each) == 0 || count(inner) > maxFolded {
		return nil, refuse("a reduction of %d elements", count(inner))
	}
	var index []int32
	for _, base := range strided(0, outer, strides) {
		for _, o := range each {
			index = append(index, base+o)
		}
	}
	made, err := t.g.reduction(x.lanes.pick(index), len(each), how, elem)
	if err != nil {
		return nil, refuse("%v", err)
	}
	return x.with(outer, made), nil
}

// reduction folds runs of each lanes. Runs of the same lanes are folded once.
func (g *graph) reduction(x lanes, each int, how folding, elem tensor.Type) (lanes, error) {
	if !g.spend(len(x.m)) {
		return lanes{}, errWork
	}
	run := func(i int) []int32 { return x.m[i*each : (i+1)*each] }
	inverse, first := numbered(len(x.m)/each, func(i int) uint64 { return mixInts(seed, run(i)) },
		func(i, j int) bool { return slices.Equal(run(i), run(j)) })
	var kept []int32
	for _, i := range first {
		kept = append(kept, run(int(i))...)
	}
	v := &value{kind: kFold, elem: elem, n: len(first), args: []arg{{x.v, kept}}, fold: how}
	return lanes{g.intern(v), inverse}, nil
}

// searchRule is ArgMax and ArgMin along an axis within a block.
func searchRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	how := argMaxFold
	if s.node.OpType == "ArgMin" {
		how = argMinFold
	}
	if attributeInt(s.node, "select_last_index", 0) != 0 {
		how += lastMaxFold - argMaxFold
	}
	axis := attributeInt(s.node, "axis", 0)
	if x, err = t.folded(x, []int64{axis}, how, tensor.Int64); err != nil {
		return nil, err
	}
	return []*symbol{t.reshape(x, dims[0])}, nil
}

// pickElementsRule is GatherElements by indices that are lanes.
func pickElementsRule(t *tracer, s *step) ([]*symbol, error) {
	data, index := s.in[0], s.in[1]
	if data.batch != index.batch || data.fold != index.fold || !slices.Equal(data.dims[:max(data.batch, 0)], index.dims[:max(index.batch, 0)]) {
		return nil, refuse("indices of shape %v do not have their blocks where data of shape %v have them", index.dims, data.dims)
	}
	axis, err := t.innerAxis(data, attributeInt(s.node, "axis", 0))
	if err != nil {
		return nil, err
	}
	inner, dims := data.inner(), index.inner()
	for i := range dims {
		if i != axis && dims[i] > inner[i] {
			return nil, refuse("indices of shape %v for data of shape %v", index.dims, data.dims)
		}
	}
	strides := rowMajor(inner)
	along, n := strides[axis], inner[axis]
	strides[axis] = 0
	picked, err := t.picked(s.scope, data, index, strided(0, dims, strides), along, n)
	if err != nil {
		return nil, err
	}
	return []*symbol{data.with(dims, picked)}, nil
}

// pickRule is Gather along an axis within a block by indices that are lanes of the block.
func pickRule(t *tracer, s *step) ([]*symbol, error) {
	data, index := s.in[0], s.in[1]
	if data.batch < 0 || index.batch < 0 || data.fold > 1 || index.fold > 1 || t.blocks > 1 {
		return nil, refuse("both the data and the indices depend on the payload")
	}
	axis, err := t.innerAxis(data, attributeInt(s.node, "axis", 0))
	if err != nil {
		return nil, err
	}
	inner := data.inner()
	dims := slices.Concat(inner[:axis], index.inner(), inner[axis+1:])
	if err := t.room(count(dims)); err != nil {
		return nil, err
	}
	strides := rowMajor(inner)
	var bases, at []int32
	for o := range count(inner[:axis]) {
		for i := range int32(len(index.lanes.m)) {
			for e := range strides[axis] {
				bases, at = append(bases, int32(o*strides[axis]*inner[axis]+e)), append(at, i)
			}
		}
	}
	spread := &symbol{elem: index.elem, dims: dims, lanes: index.lanes.pick(at)}
	picked, err := t.picked(s.scope, data, spread, bases, strides[axis], inner[axis])
	if err != nil {
		return nil, err
	}
	return []*symbol{data.with(dims, picked)}, nil
}

// picked chooses, for each index, one of the n lanes base, base+along, ….
func (t *tracer) picked(s *scope, data, index *symbol, bases []int32, along, n int64) (lanes, error) {
	runs, first := renumber(len(bases), len(data.lanes.m), func(i int) int { return int(bases[i]) })
	if int64(len(first))*n > maxFolded || n == 0 {
		return lanes{}, refuse("%d runs of %d elements are chosen from", len(first), n)
	}
	index, err := t.wrapped(s, index, []int64{n}, 0)
	if err != nil {
		return lanes{}, err
	}
	r, ok := t.g.interval(index.lanes.v)
	if !ok || r.lo < 0 || r.hi >= n {
		return lanes{}, refuse("an index of a dimension of %d is not proven to lie inside", n)
	}
	candidates := make([]int32, 0, len(first)*int(n))
	for _, k := range first {
		for i := range n {
			candidates = append(candidates, data.lanes.m[bases[k]+int32(i*along)])
		}
	}
	t.g.spend(len(candidates))
	t.g.picks = true
	v := &value{
		kind: kPick, elem: data.elem, n: len(bases), args: []arg{{data.lanes.v, candidates}, index.lanes}, cols: int(n), picked: runs,
	}
	return lanes{t.g.intern(v), iota32(len(bases))}, nil
}

// foldSpan is the span of a reduction of integers, or of a search.
func (g *graph) foldSpan(v *value) (span, bool) {
	each := int64(len(v.args[0].m) / v.n)
	if v.fold >= argMaxFold {
		return span{0, each - 1}, true
	}
	s, ok := g.interval(v.args[0].v)
	if !ok {
		return typeSpan(v.elem)
	}
	switch v.fold {
	case maxFold, minFold:
		return s, true
	case addFold:
		if s.within(1 << 40) {
			s = span{each * s.lo, each * s.hi}
		} else {
			ok = false
		}
	default:
		ok = false
	}
	if v.elem.IsFloat() {
		return s, ok && s.within(exactUpTo(v.elem))
	}
	if whole, fits := typeSpan(v.elem); !ok || !whole.has(s.lo) || !whole.has(s.hi) {
		return whole, fits
	}
	return s, true
}

// isTruth reports whether an operator gives 0 and 1 alone, whatever its operands are.
func isTruth(v *value) bool {
	if v.kind != kOp {
		return false
	}
	switch v.run.node.OpType {
	case "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or", "Xor", "Not", "IsNaN", "IsInf":
		return true
	case "Cast":
		return v.elem == tensor.Bool || v.args[0].v.elem == tensor.Bool
	}
	return false
}

// movedSpan is the span of a shift to the right, a quotient or a remainder by known numbers.
func movedSpan(v *value, in []span) (span, bool) {
	x, y := in[0], in[len(in)-1]
	switch name := v.run.node.OpType; {
	case x.lo < 0 || y.lo < 0 || v.elem.IsFloat():
	case name == "BitShift" && attributeString(v.run.node, "direction") == "RIGHT":
		return span{x.lo >> min(uint64(y.hi), 63), x.hi >> min(uint64(y.lo), 63)}, true
	case name == "Div" && y.lo > 0:
		return span{x.lo / y.hi, x.hi / y.lo}, true
	case name == "Mod" && y.lo > 0:
		return span{0, min(x.hi, y.hi-1)}, true
	}
	return span{}, false
}
