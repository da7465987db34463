// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func indexed() map[string]recipe {
	return map[string]recipe{
		"ArgMax": arg, "ArgMin": arg, "Compress": compress, "Gather": gather, "GatherElements": gatherElements,
		"GatherND": gatherND, "NonZero": unaryRank1, "OneHot": oneHot, "ScatterElements": scatterElements,
		"ScatterND": scatterND, "TopK": topK, "Unique": unique,
		"CumSum": cumSum, "ReduceSum": reduceSum, "ReduceProd": reduceProd, "ReduceMax": reduceOrder,
		"ReduceMin": reduceOrder, "Einsum": einsum, "Gemm": gemm, "MatMul": matMul,
	}
}

// full is a shape without dimensions of 0, of which the peer's reductions keep those that they should reduce.
func (g *generator) full(lo, hi int) []int64 {
	dims := g.shape(lo, hi)
	for i := range dims {
		dims[i] = max(dims[i], 1)
	}
	return dims
}

func (g *generator) takeFull(typ tensor.Type, lo, hi int, n numbers) value {
	return g.takeIf(typ, n, func(t *tensor.Tensor) bool {
		return t.Rank() >= lo && t.Rank() <= hi && t.Len() > 0
	}, func() []int64 { return g.full(lo, hi) })
}

func arg(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 4, ordered)
	_, written := g.axis(x.t.Rank())
	return g.one(bound{}, []value{x}, intAttr("axis", written), intAttr("keepdims", int64(g.IntN(2))),
		intAttr("select_last_index", int64(g.IntN(2))))
}

func compress(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 4, anything)
	if g.IntN(3) == 0 {
		return g.one(bound{}, []value{x, g.like(tensor.Bool, []int64{x.t.Len()}, anything)})
	}
	at, written := g.axis(x.t.Rank())
	condition := g.like(tensor.Bool, []int64{x.t.Dims()[at]}, anything)
	return g.one(bound{}, []value{x, condition}, intAttr("axis", written))
}

// indices are valid ones for a dimension, negative ones included.
func (g *generator) indices(dims []int64, size int64) value {
	typ := []tensor.Type{tensor.Int64, tensor.Int32}[g.IntN(2)]
	return g.like(typ, dims, between(-int(size), int(size)-1))
}

func gather(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 2, 4, anything)
	return g.one(bound{}, []value{x, g.indices(g.shape(0, 2), x.t.Dims()[1])}, intAttr("axis", 1))
}

func gatherElements(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 4, anything)
	at, written := g.axis(x.t.Rank())
	dims := slices.Clone(x.t.Dims())
	dims[at] = int64(1 + g.IntN(4))
	return g.one(bound{}, []value{x, g.indices(dims, x.t.Dims()[at])}, intAttr("axis", written))
}

// tuples are index tuples into the first k dimensions of dims, one for each element of batch.
func (g *generator) tuples(batch, dims []int64, k int) value {
	list := make([]int64, product(batch)*int64(k))
	for i := range list {
		d := int(dims[i%k])
		list[i] = int64(g.IntN(2*d) - d)
	}
	return g.input(tensor.Of(append(slices.Clone(batch), int64(k)), list...))
}

func gatherND(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 4, anything)
	k := 1 + g.IntN(x.t.Rank())
	return g.one(bound{}, []value{x, g.tuples(g.full(0, 2), x.t.Dims(), k)})
}

func unaryRank1(g *generator, typ tensor.Type) error {
	return g.one(bound{}, []value{g.take(typ, 1, 4, anything)})
}

func oneHot(g *generator, typ tensor.Type) error {
	depth := 1 + g.IntN(4)
	x := g.take(tensor.Int64, 1, 3, between(-depth-1, depth+1))
	_, written := g.axis(x.t.Rank() + 1)
	return g.one(bound{}, []value{x, g.scalar(int64(depth)), g.like(typ, []int64{2}, anything)}, intAttr("axis", written))
}

// scatterElements writes each place once: in which order an element is written twice is undefined.
func scatterElements(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 4, ordered)
	at, written := g.axis(x.t.Rank())
	dims := slices.Clone(x.t.Dims())
	size := dims[at]
	dims[at] = int64(1 + g.IntN(int(size)))
	inner := product(dims[at+1:])
	list := make([]int64, product(dims))
	order := g.Perm(int(size))
	for i := range list {
		list[i] = int64(order[int64(i)/inner%dims[at]])
	}
	in := []value{x, g.input(tensor.Of(dims, list...)), g.like(typ, dims, ordered)}
	return g.one(bound{}, in, intAttr("axis", written))
}

func scatterND(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 4, anything)
	dims := x.t.Dims()
	rows := g.Perm(int(dims[0]))[:1+g.IntN(int(dims[0]))]
	list := make([]int64, len(rows))
	for i, r := range rows {
		list[i] = int64(r)
	}
	updates := append([]int64{int64(len(rows))}, dims[1:]...)
	in := []value{x, g.input(tensor.Of([]int64{int64(len(rows)), 1}, list...)), g.like(typ, updates, anything)}
	return g.one(bound{}, in)
}

func topK(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 4, ordered)
	at, written := g.axis(x.t.Rank())
	k := g.ints(int64(g.IntN(int(x.t.Dims()[at]) + 1)))
	return g.emit(2, bound{}, []value{x, k}, nil, intAttr("axis", written),
		intAttr("largest", int64(g.IntN(2))), intAttr("sorted", 1))
}

func unique(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 1, 3, ordered)
	attrs := []*onnxpb.AttributeProto{intAttr("sorted", int64(g.IntN(2)))}
	if g.IntN(2) == 0 {
		_, written := g.axis(x.t.Rank())
		attrs = append(attrs, intAttr("axis", written))
	}
	return g.emit(4, bound{}, []value{x}, nil, attrs...)
}

func cumSum(g *generator, typ tensor.Type) error {
	x := g.take(typ, 1, 4, ordinary)
	at, written := g.axis(x.t.Rank())
	return g.sum(int(x.t.Dims()[at]), []value{x, g.scalar(written)},
		intAttr("exclusive", int64(g.IntN(2))), intAttr("reverse", int64(g.IntN(2))))
}

// reduction is the axes input and the attributes of a reduction of a rank.
func (g *generator) reduction(x value) ([]value, []*onnxpb.AttributeProto) {
	attrs := []*onnxpb.AttributeProto{intAttr("keepdims", int64(g.IntN(2)))}
	if x.t.Rank() == 0 || g.IntN(4) == 0 {
		return []value{x}, attrs
	}
	var axes []int64
	for _, at := range g.Perm(x.t.Rank())[:1+g.IntN(x.t.Rank())] {
		axes = append(axes, int64(at-g.IntN(2)*x.t.Rank()))
	}
	return []value{x, g.ints(axes...)}, attrs
}

func reduceSum(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 0, 4, ordinary)
	in, attrs := g.reduction(x)
	return g.sum(int(x.t.Len()), in, attrs...)
}

// reduceProd multiplies small integers, so that products of a few are exact; more have a bound of their number in ulps.
func reduceProd(g *generator, typ tensor.Type) error {
	x := g.takeIf(typ, between(-2, 2), func(t *tensor.Tensor) bool {
		return t.Len() > 0 && t.Len() <= 24
	}, func() []int64 { return g.full(0, 2) })
	in, attrs := g.reduction(x)
	b := bound{}
	if typ.IsFloat() {
		b.ulps = x.t.Len() + 1
	}
	return g.one(b, in, attrs...)
}

func reduceOrder(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, 0, 4, unsignedZero)
	in, attrs := g.reduction(x)
	return g.one(bound{}, in, attrs...)
}

func einsum(g *generator, typ tensor.Type) error {
	i, j, k := int64(1+g.IntN(4)), int64(1+g.IntN(4)), int64(1+g.IntN(4))
	equations := []struct {
		text string
		dims [][]int64
		n    int64
	}{
		{"ij,jk->ik", [][]int64{{i, j}, {j, k}}, j},
		{"ij->ji", [][]int64{{i, j}}, 1},
		{"ij->i", [][]int64{{i, j}}, j},
		{"i,i->", [][]int64{{i}, {i}}, i},
		{"i,j->ij", [][]int64{{i}, {j}}, 1},
		{"bij,bjk->bik", [][]int64{{2, i, j}, {2, j, k}}, j},
		{"...ij,...jk->...ik", [][]int64{{2, i, j}, {2, j, k}}, j},
		{"ii->i", [][]int64{{i, i}}, 1},
		{"ii->", [][]int64{{i, i}}, i},
	}
	e := equations[g.IntN(len(equations))]
	var in []value
	for _, dims := range e.dims {
		in = append(in, g.like(typ, dims, ordinary))
	}
	return g.sum(int(e.n), in, stringAttr("equation", e.text))
}

func gemm(g *generator, typ tensor.Type) error {
	m, k, n := int64(1+g.IntN(4)), int64(1+g.IntN(4)), int64(1+g.IntN(4))
	a, b := []int64{m, k}, []int64{k, n}
	transA, transB := int64(g.IntN(2)), int64(g.IntN(2))
	if transA == 1 {
		slices.Reverse(a)
	}
	if transB == 1 {
		slices.Reverse(b)
	}
	in := []value{g.like(typ, a, ordinary), g.like(typ, b, ordinary)}
	if g.IntN(2) == 0 {
		c := [][]int64{{m, n}, {n}, {1, n}, {m, 1}, {}}[g.IntN(5)]
		in = append(in, g.like(typ, c, ordinary))
	}
	alpha := []float32{1, 0.5, 2}[g.IntN(3)]
	beta := []float32{1, 0.5, 3}[g.IntN(3)]
	return g.sum(int(k)+3, in, floatAttr("alpha", alpha), floatAttr("beta", beta),
		intAttr("transA", transA), intAttr("transB", transB))
}

func matMul(g *generator, typ tensor.Type) error {
	m, k, n := int64(1+g.IntN(4)), int64(1+g.IntN(4)), int64(1+g.IntN(4))
	a := [][]int64{{m, k}, {k}, {2, m, k}, {2, 3, m, k}, {1, m, k}}[g.IntN(5)]
	b := [][]int64{{k, n}, {k}, {2, k, n}, {3, k, n}}[g.IntN(4)]
	if len(a) == 3 && len(b) == 3 && a[0] != 1 {
		b[0] = 2
	}
	if len(a) == 4 && len(b) == 3 {
		b[0] = 3
	}
	return g.sum(int(k), []value{g.like(typ, a, ordinary), g.like(typ, b, ordinary)})
}
