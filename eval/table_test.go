// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// sampleOf is a tensor of any type with the elements 1, 0, 1, 0, ….
func sampleOf(t testing.TB, typ tensor.Type, dims ...int64) *tensor.Tensor {
	t.Helper()
	n, err := product(dims)
	if err != nil {
		t.Fatal(err)
	}
	c := freshCells(typ, n)
	for i := int64(0); i < n; i += 2 {
		switch {
		case typ == tensor.String:
			c.text[i] = []byte("1")
		case typ.IsComplex():
			one := cellsOf(tensor.Of(nil, complex64(1)))
			if typ == tensor.Complex128 {
				one = cellsOf(tensor.Of(nil, complex128(1)))
			}
			c.copy(i, one, 0, 1)
		default:
			one, err := tensor.Convert(tensor.Of(nil, int8(1)), typ, true, tensor.RoundNearest)
			if err != nil {
				t.Fatal(err)
			}
			c.copy(i, cellsOf(one), 0, 1)
		}
	}
	v, err := c.tensor(dims)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// given is an entry with a type for each of its variables.
type given struct {
	testing.TB
	op   *operator
	vars map[string]tensor.Type
}

// sample is a tensor of a variable's type.
func (g given) sample(variable string, dims ...int64) *tensor.Tensor {
	return sampleOf(g.TB, g.vars[variable], dims...)
}

// ints is a vector of a variable's integer type, INT64 if there is no such variable.
func (g given) ints(variable string, v ...int64) *tensor.Tensor {
	t := i64s([]int64{int64(len(v))}, v...)
	if typ, ok := g.vars[variable]; ok {
		var err error
		if t, err = tensor.Convert(t, typ, true, tensor.RoundNearest); err != nil {
			g.Fatal(err)
		}
	}
	return t
}

// hasAttr reports whether the entry declares an attribute.
func (g given) hasAttr(name string) bool {
	return slices.ContainsFunc(g.op.attrs, func(a attribute) bool { return a.name == name })
}

// recipe gives an operator inputs beyond a first one of shape [2,4], and attributes.
type recipe struct {
	first []int64 // shape of input 0, if it is another one
	rest  func(g given) []Value
	attrs func(g given) []*onnxpb.AttributeProto
}

func rest(v ...Value) func(given) []Value { return func(given) []Value { return v } }

func attrs(list ...*onnxpb.AttributeProto) func(given) []*onnxpb.AttributeProto {
	return func(given) []*onnxpb.AttributeProto { return list }
}

// typed gives inputs of a type variable.
func typed(variable string, shapes ...[]int64) func(given) []Value {
	return func(g given) []Value {
		var list []Value
		for _, s := range shapes {
			list = append(list, g.sample(variable, s...))
		}
		return list
	}
}

// typeAttr is an INT attribute with the type of a variable.
func typeAttr(name, variable string) func(given) []*onnxpb.AttributeProto {
	return func(g given) []*onnxpb.AttributeProto {
		if !g.hasAttr(name) {
			return nil
		}
		return []*onnxpb.AttributeProto{intAttribute(name, int64(g.vars[variable]))}
	}
}

// recipes are those of the operators that need more than one input or an attribute. Inputs that an entry does
// not have are left out.
func recipes() map[string]recipe {
	all := map[string]recipe{}
	for _, part := range []map[string]recipe{numberRecipes(), matrixRecipes(), pickRecipes(), conversionRecipes(), shapeRecipes()} {
		for name, r := range part {
			all[name] = r
		}
	}
	return all
}

func numberRecipes() map[string]recipe {
	list := map[string]recipe{
		"CumSum":  {rest: rest(i64s(nil, 1))},
		"CumProd": {rest: rest(i64s(nil, 1))},
		"Pow":     {rest: func(g given) []Value { return []Value{g.sample(g.op.in[1].typ)} }},
		"Where":   {rest: typed("T", []int64{4}, []int64{1})},
		"Mod": {rest: typed("T", []int64{1}), attrs: func(g given) []*onnxpb.AttributeProto {
			return []*onnxpb.AttributeProto{intAttribute("fmod", int64(fromBool(g.vars["T"].IsFloat())))}
		}},
		"BitShift":                  {rest: typed("T", []int64{4}), attrs: attrs(stringAttribute("direction", "LEFT"))},
		"LayerNormalization":        {rest: typed("T", []int64{4}), attrs: typeAttr("stash_type", "U")},
		"RMSNormalization":          {rest: typed("V", []int64{4})},
		"MeanVarianceNormalization": {first: []int64{1, 2, 1, 2}},
		"PRelu":                     {rest: typed("T", []int64{4})},
	}
	for _, name := range strings.Fields(`Add Sub Mul Div And Or Xor Equal Less Greater LessOrEqual GreaterOrEqual
		BitwiseAnd BitwiseOr BitwiseXor`) {
		list[name] = recipe{rest: typed("T", []int64{1})}
	}
	return list
}

func matrixRecipes() map[string]recipe {
	square := []int64{2, 2}
	return map[string]recipe{
		"MatMul":        {rest: typed("T", []int64{4, 1})},
		"Gemm":          {first: square, rest: typed("T", square, square)},
		"Einsum":        {attrs: attrs(stringAttribute("equation", "ij->j"))},
		"MatMulInteger": {rest: typed("T2", []int64{4, 2})},
		"QLinearMatMul": {rest: func(g given) []Value {
			return []Value{
				g.sample("TS"), g.sample("T1"), g.sample("T2", 4, 2), g.sample("TS"), g.sample("T2"), g.sample("TS"), g.sample("T3"),
			}
		}},
		"DepthToSpace": {first: []int64{1, 4, 1, 2}, attrs: attrs(intAttribute("blocksize", 2))},
		"SpaceToDepth": {first: []int64{1, 1, 2, 4}, attrs: attrs(intAttribute("blocksize", 2))},
		"EyeLike":      {attrs: typeAttr("dtype", "T2")},
	}
}

func pickRecipes() map[string]recipe {
	indices := func(shape ...int64) func(g given) []Value {
		return func(g given) []Value {
			v, err := g.ints("Tind", 1).Reshape([]int64{1, 1})
			if err != nil {
				g.Fatal(err)
			}
			return []Value{v, g.sample("T", shape...)}
		}
	}
	one := func(g given) []Value { return indices()(g)[:1] }
	return map[string]recipe{
		"TopK": {rest: rest(i64s([]int64{1}, 2)), attrs: func(g given) []*onnxpb.AttributeProto {
			if len(g.op.in) > 1 {
				return nil
			}
			return []*onnxpb.AttributeProto{intAttribute("k", 2)}
		}},
		"OneHot":          {rest: func(g given) []Value { return []Value{g.sample("T2"), g.sample("T3", 2)} }},
		"Compress":        {rest: rest(tensor.Of([]int64{2}, true, true))},
		"ReverseSequence": {rest: rest(i64s([]int64{4}, 1, 2, 2, 1))},
		"CenterCropPad":   {rest: rest(i64s([]int64{2}, 3, 3))},
		"Gather":          {rest: one},
		"GatherElements":  {rest: one},
		"GatherND":        {rest: one},
		"Scatter":         {rest: indices(1, 1)},
		"ScatterElements": {rest: indices(1, 1)},
		"ScatterND":       {rest: indices(1, 4)},
		"Slice":           {rest: func(g given) []Value { v := g.ints(g.op.in[1].typ, 1); return []Value{v, v} }},
		"Pad":             {rest: rest(i64s([]int64{4}, 1, 0, -1, 2))},
	}
}

func conversionRecipes() map[string]recipe {
	return map[string]recipe{
		"Cast":     {first: []int64{1}, attrs: typeAttr("to", "T2")},
		"CastLike": {first: []int64{1}, rest: typed("T2", nil)},
		"BitCast":  {attrs: typeAttr("to", "T2")},
		"QuantizeLinear": {rest: func(g given) []Value {
			zero, err := freshCells(g.vars["T2"], 1).tensor(nil)
			if err != nil {
				g.Fatal(err)
			}
			return []Value{g.sample(g.op.in[1].typ), zero}
		}},
		"DequantizeLinear": {rest: func(g given) []Value { return []Value{g.sample("T2")} }, attrs: typeAttr("output_dtype", "T3")},
	}
}

func shapeRecipes() map[string]recipe {
	axis := func(g given) []*onnxpb.AttributeProto {
		if !g.hasAttr("axes") {
			return nil
		}
		return []*onnxpb.AttributeProto{intsAttribute("axes", 0)}
	}
	return map[string]recipe{
		"Reshape":   {rest: rest(i64s([]int64{1}, 8))},
		"Concat":    {rest: typed("T", []int64{2, 4}), attrs: attrs(intAttribute("axis", -1))},
		"Squeeze":   {first: []int64{1, 2, 4}, rest: rest(i64s([]int64{1}, 0)), attrs: axis},
		"Unsqueeze": {rest: rest(i64s([]int64{1}, 0)), attrs: axis},
		"Expand":    {rest: rest(i64s([]int64{3}, 3, 1, 4))},
		"Tile":      {rest: rest(i64s([]int64{2}, 2, 1))},
		"Split": {attrs: func(g given) []*onnxpb.AttributeProto {
			if !g.hasAttr("num_outputs") {
				return nil
			}
			return []*onnxpb.AttributeProto{intAttribute("num_outputs", 1)}
		}},
		"ConstantOfShape": {first: []int64{2}, attrs: func(g given) []*onnxpb.AttributeProto {
			return []*onnxpb.AttributeProto{tensorAttribute("value", g.sample("T2", 1))}
		}},
		"Range": {first: []int64{}, rest: typed("T", nil, nil)},
	}
}

// coveredFamilies are the entries of the table that compute tensors of tensors.
func coveredFamilies() []operator {
	list := slices.Concat(constantFamily(), arithmeticFamily(), unaryFamily(), compareFamily(), bitwiseFamily(), castFamily(),
		quantizeFamily(), shapeFamily(), axesFamily(), sliceFamily(), gatherFamily(), scatterFamily(), padFamily(),
		transcendentalFamily(), activationFamily(), reduceFamily(), argFamily(), cumulativeFamily(),
		softmaxFamily(), matmulFamily(), quantizedMatmulFamily(), einsumFamily(), normFamily(), triangleFamily(),
		depthFamily(), oneHotFamily(), selectFamily(), orderFamily())
	return slices.DeleteFunc(list, func(op operator) bool { return op.run == nil || len(op.in) == 0 || op.control })
}

// TestEveryType runs each entry for each type of each of its variables: what the table declares, a kernel computes.
func TestEveryType(t *testing.T) {
	made := recipes()
	for _, op := range coveredFamilies() {
		for name := range op.vars {
			for typ := tensor.Float; typ < 61; typ++ {
				if !op.vars[name].has(typ) {
					continue
				}
				vars := map[string]tensor.Type{}
				for other, set := range op.vars {
					vars[other] = set.first()
				}
				vars[name] = typ
				switch {
				case op.name == "BitCast": // widths must agree
					vars["T1"], vars["T2"] = typ, typ
				case op.name == "QuantizeLinear" && name != "T2" && op.vars["S"].has(typ) && op.vars["T1"].has(typ):
					vars["T1"], vars["S"] = typ, typ // of one type before version 23
				}
				if err := runEntry(given{t, &op, vars}, made[op.name]); err != nil {
					t.Errorf("%s-%d, %s = %v: %v", op.name, op.since, name, typ, err)
				}
			}
		}
	}
}

func (s types) first() tensor.Type {
	for t := tensor.Float; t < 61; t++ {
		if s.has(t) {
			return t
		}
	}
	return tensor.Undefined
}

// inputs are the inputs of a recipe behind a first one, as far as the entry has them.
func (r recipe) inputs(g given, first *tensor.Tensor) []Value {
	in := []Value{first}
	if r.rest != nil {
		in = append(in, r.rest(g)...)
	}
	if last := g.op.in[len(g.op.in)-1]; !last.variadic {
		in = in[:min(len(in), len(g.op.in))]
	}
	return in
}

func runEntry(g given, r recipe) error {
	g.Helper()
	dims := r.first
	if dims == nil {
		dims = []int64{2, 4}
	}
	var list []*onnxpb.AttributeProto
	if r.attrs != nil {
		list = r.attrs(g)
	}
	in := r.inputs(g, g.sample(g.op.in[0].typ, dims...))
	_, err := runNode(g.TB, g.op.since, g.op.name, in, len(g.op.out), list...)
	return err
}

// TestEmptyGiants gives inputs without elements whose other dimension is astronomic. Each node ends at once, with or
// without an error, and allocates nothing large.
func TestEmptyGiants(t *testing.T) {
	made := recipes()
	for _, op := range coveredFamilies() {
		for _, dims := range [][]int64{{1 << 40, 0}, {0, 1 << 40}, {1 << 20, 1 << 20, 0}, {0, 1 << 40, 1 << 20, 4}} {
			for _, axis := range []int64{0, 1} {
				start := time.Now()
				err := runGiant(t, op, made[op.name], dims, axis)
				if d := time.Since(start); d > time.Second {
					t.Fatalf("%s-%d of %v took %v", op.name, op.since, dims, d)
				}
				if err != nil && strings.Contains(err.Error(), "internal") {
					t.Errorf("%s-%d of %v: %v", op.name, op.since, dims, err)
				}
			}
		}
	}
}

func runGiant(t *testing.T, op operator, r recipe, dims []int64, axis int64) error {
	t.Helper()
	g := given{t, &op, map[string]tensor.Type{}}
	for name, set := range op.vars {
		g.vars[name] = set.first()
	}
	in := r.inputs(g, g.sample(op.in[0].typ, dims...))
	switch op.name {
	case "MatMul", "MatMulInteger", "Gemm":
		columns := int64(3)
		if dims[len(dims)-1] > 4 {
			columns = 0
		}
		in[1] = g.sample(op.in[1].typ, dims[len(dims)-1], columns)
	case "Concat":
		in[1] = in[0]
	}
	var list []*onnxpb.AttributeProto
	if r.attrs != nil {
		list = r.attrs(g)
	}
	list = slices.DeleteFunc(list, func(a *onnxpb.AttributeProto) bool { return a.GetName() == "axis" || a.GetName() == "axes" })
	for _, a := range op.attrs {
		switch a.name {
		case "axis":
			list = append(list, intAttribute("axis", axis))
		case "axes":
			list = append(list, intsAttribute("axes", axis))
		}
	}
	p, err := Compile(functionProto(op.since, letters(len(in)), []string{"y"},
		nodeProto(op.name, letters(len(in)), []string{"y"}, list...)), Env{})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err = p.Run(ctx, in)
	if errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s-%d of %v does not end", op.name, op.since, dims)
	}
	return err
}

func letters(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("x%d", i)
	}
	return list
}
