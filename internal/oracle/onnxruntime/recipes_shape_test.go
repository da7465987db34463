// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func shapes() map[string]recipe {
	return map[string]recipe{
		"Concat": concat, "Constant": constant, "ConstantOfShape": constantOfShape, "DepthToSpace": depthToSpace,
		"Expand": expand, "EyeLike": eyeLike, "Flatten": flatten, "Pad": pad, "Reshape": reshape,
		"Shape": shapeOf, "Size": unary(anything), "Slice": slice, "Split": split, "Squeeze": squeeze, "Tile": tile,
		"Transpose": transpose, "Trilu": trilu, "Unsqueeze": unsqueeze, "If": branch, "Loop": loop, "Range": rangeOf,
	}
}

func product(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

// axis is an axis of a rank, negative in half of the cases.
func (g *generator) axis(rank int) (at int, written int64) {
	at = g.IntN(rank)
	written = int64(at)
	if g.IntN(2) == 0 {
		written -= int64(rank)
	}
	return at, written
}

func concat(g *generator, typ tensor.Type) error {
	x := g.take(typ, 1, 4, anything)
	at, written := g.axis(x.t.Rank())
	in := []value{x}
	for range g.IntN(3) {
		dims := slices.Clone(x.t.Dims())
		dims[at] = int64(g.IntN(4))
		in = append(in, g.like(typ, dims, anything))
	}
	return g.one(bound{}, in, intAttr("axis", written))
}

func constant(g *generator, typ tensor.Type) error {
	t := random(g.Rand, typ, g.shape(0, 4), anything)
	return g.one(bound{}, nil, tensorAttr("value", t))
}

func constantOfShape(g *generator, typ tensor.Type) error {
	dims := g.ints(g.shape(0, 4)...)
	return g.one(bound{}, []value{dims}, tensorAttr("value", random(g.Rand, typ, []int64{1}, anything)))
}

func depthToSpace(g *generator, typ tensor.Type) error {
	block := int64(1 + g.IntN(2))
	dims := []int64{int64(1 + g.IntN(2)), block * block * int64(1+g.IntN(3)), int64(1 + g.IntN(3)), int64(1 + g.IntN(3))}
	mode := []string{"DCR", "CRD"}[g.IntN(2)]
	return g.one(bound{}, []value{g.like(typ, dims, anything)}, intAttr("blocksize", block), stringAttr("mode", mode))
}

func expand(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 3, anything)
	to := slices.Clone(x.t.Dims())
	for i := range to {
		switch {
		case to[i] == 1:
			to[i] = int64(1 + g.IntN(3))
		case g.IntN(3) == 0:
			to[i] = 1
		}
	}
	if g.IntN(2) == 0 {
		to = append([]int64{int64(1 + g.IntN(3))}, to...)
	}
	return g.one(bound{}, []value{x, g.ints(to...)})
}

func eyeLike(g *generator, typ tensor.Type) error {
	x := g.take(typ, 2, 2, anything)
	return g.one(bound{}, []value{x}, intAttr("k", int64(g.IntN(5)-2)))
}

func flatten(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 4, anything)
	return g.one(bound{}, []value{x}, intAttr("axis", int64(g.IntN(x.t.Rank()+1))))
}

func pad(g *generator, typ tensor.Type) error {
	x := g.take(typ, 1, 4, anything)
	pads := make([]int64, 2*x.t.Rank())
	for i := range pads {
		pads[i] = int64(g.IntN(3))
	}
	in := []value{x, g.ints(pads...)}
	if g.IntN(2) == 0 {
		in = append(in, g.fresh(typ, nil, anything))
	}
	return g.one(bound{}, in, stringAttr("mode", "constant"))
}

func reshape(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 4, anything)
	n := x.t.Len()
	to := []int64{n}
	switch {
	case n == 0:
		to = []int64{0, 3}
		return g.one(bound{}, []value{x, g.ints(to...)}, intAttr("allowzero", 1))
	case n%2 == 0 && g.IntN(2) == 0:
		to = []int64{2, n / 2, 1}
	}
	if g.IntN(2) == 0 {
		to[g.IntN(len(to))] = -1
	}
	return g.one(bound{}, []value{x, g.ints(to...)})
}

func shapeOf(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 4, anything)
	var attrs []*onnxpb.AttributeProto
	if g.IntN(2) == 0 {
		attrs = append(attrs, intAttr("start", int64(g.IntN(5)-2)))
	}
	if g.IntN(2) == 0 {
		attrs = append(attrs, intAttr("end", int64(g.IntN(7)-3)))
	}
	return g.one(bound{}, []value{x}, attrs...)
}

func slice(g *generator, typ tensor.Type) error {
	x := g.take(typ, 1, 4, anything)
	var axes, starts, ends, steps []int64
	for _, at := range g.Perm(x.t.Rank())[:1+g.IntN(x.t.Rank())] {
		axes = append(axes, int64(at)-int64(g.IntN(2)*x.t.Rank()))
		starts = append(starts, int64(g.IntN(9)-4))
		ends = append(ends, int64(g.IntN(11)-5))
		steps = append(steps, []int64{1, 1, 2, -1, -2, 3}[g.IntN(6)])
	}
	in := []value{x, g.ints(starts...), g.ints(ends...), g.ints(axes...), g.ints(steps...)}
	return g.one(bound{}, in)
}

func split(g *generator, typ tensor.Type) error {
	x := g.take(typ, 1, 4, anything)
	at, written := g.axis(x.t.Rank())
	left := x.t.Dims()[at]
	var parts []int64
	for range g.IntN(3) {
		p := int64(g.IntN(int(left) + 1))
		parts = append(parts, p)
		left -= p
	}
	parts = append(parts, left)
	return g.emit(len(parts), bound{}, []value{x, g.ints(parts...)}, nil, intAttr("axis", written))
}

func squeeze(g *generator, typ tensor.Type) error {
	dims := g.shape(1, 3)
	at := g.IntN(len(dims))
	dims[at] = 1
	x := g.like(typ, dims, anything)
	if g.IntN(3) == 0 {
		return g.one(bound{}, []value{x})
	}
	return g.one(bound{}, []value{x, g.ints(int64(at - g.IntN(2)*len(dims)))})
}

func unsqueeze(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 3, anything)
	_, written := g.axis(x.t.Rank() + 1)
	return g.one(bound{}, []value{x, g.ints(written)})
}

func tile(g *generator, typ tensor.Type) error {
	x := g.take(typ, 1, 3, anything)
	repeats := make([]int64, x.t.Rank())
	for i := range repeats {
		repeats[i] = int64(g.IntN(4))
	}
	return g.one(bound{}, []value{x, g.ints(repeats...)})
}

func transpose(g *generator, typ tensor.Type) error {
	x := g.take(typ, 1, 4, anything)
	if g.IntN(3) == 0 {
		return g.one(bound{}, []value{x})
	}
	var perm []int64
	for _, p := range g.Perm(x.t.Rank()) {
		perm = append(perm, int64(p))
	}
	return g.one(bound{}, []value{x}, intsAttr("perm", perm...))
}

func trilu(g *generator, typ tensor.Type) error {
	x := g.take(typ, 2, 4, anything)
	in := []value{x}
	if g.IntN(2) == 0 {
		in = append(in, g.scalar(int64(g.IntN(7)-3)))
	}
	return g.one(bound{}, in, intAttr("upper", int64(g.IntN(2))))
}

func rangeOf(g *generator, typ tensor.Type) error {
	step := []int{1, 2, 3, -1, -2}[g.IntN(5)]
	in := []value{
		g.fresh(typ, nil, between(-5, 5)), g.fresh(typ, nil, between(-9, 9)), g.fresh(typ, nil, between(step, step)),
	}
	return g.one(bound{}, in)
}

func identity(from, to string) *onnxpb.NodeProto {
	return &onnxpb.NodeProto{OpType: "Identity", Input: []string{from}, Output: []string{to}}
}

// branch is If: its subgraphs read values from outside.
func branch(g *generator, typ tensor.Type) error {
	a, b := g.take(typ, 0, 4, anything), g.take(typ, 0, 4, anything)
	side := func(v value) *onnxpb.GraphProto {
		return &onnxpb.GraphProto{
			Name: "side", Node: []*onnxpb.NodeProto{identity(v.name, "inner")},
			Output: []*onnxpb.ValueInfoProto{valueInfo("inner", typ)},
		}
	}
	condition := g.fresh(tensor.Bool, nil, anything)
	return g.emit(1, bound{}, []value{condition}, []value{a, b},
		graphAttr("then_branch", side(a)), graphAttr("else_branch", side(b)))
}

// loop carries a value, which the first iteration replaces by one from outside.
func loop(g *generator, typ tensor.Type) error {
	a := g.take(typ, 0, 4, anything)
	b := g.like(typ, a.t.Dims(), anything)
	body := &onnxpb.GraphProto{
		Name: "body",
		Input: []*onnxpb.ValueInfoProto{
			valueInfo("iteration", tensor.Int64), valueInfo("condition", tensor.Bool), valueInfo("carried", typ),
		},
		Node:   []*onnxpb.NodeProto{identity("condition", "next"), identity(b.name, "replaced")},
		Output: []*onnxpb.ValueInfoProto{valueInfo("next", tensor.Bool), valueInfo("replaced", typ)},
	}
	body.Input[0].Type.GetTensorType().Shape = &onnxpb.TensorShapeProto{}
	body.Input[1].Type.GetTensorType().Shape = &onnxpb.TensorShapeProto{}
	count := g.scalar(int64(g.IntN(3)))
	condition := g.fresh(tensor.Bool, nil, anything)
	return g.emit(1, bound{}, []value{count, condition, a}, []value{b}, graphAttr("body", body))
}
