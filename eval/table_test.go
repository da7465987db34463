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
func sampleOf(t *testing.T, typ tensor.Type, dims ...int64) *tensor.Tensor {
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

// recipe gives an operator of the table inputs beyond a first one of shape [2,4].
type recipe struct {
	first []int64 // shape of input 0, if it is another one
	rest  func(t *testing.T, vars map[string]tensor.Type) []Value
	attrs []*onnxpb.AttributeProto
}

func rest(v ...Value) func(*testing.T, map[string]tensor.Type) []Value {
	return func(*testing.T, map[string]tensor.Type) []Value { return v }
}

// typed gives inputs of a type variable.
func typed(variable string, shapes ...[]int64) func(*testing.T, map[string]tensor.Type) []Value {
	return func(t *testing.T, vars map[string]tensor.Type) []Value {
		var list []Value
		for _, s := range shapes {
			list = append(list, sampleOf(t, vars[variable], s...))
		}
		return list
	}
}

// recipes are those of the operators that need more than one input or an attribute.
func recipes() map[string]recipe {
	square := []int64{2, 2}
	quantized := func(t *testing.T, v map[string]tensor.Type) []Value {
		s := func(name string, dims ...int64) Value { return sampleOf(t, v[name], dims...) }
		return []Value{s("TS"), s("T1"), s("T2", 4, 2), s("TS"), s("T2"), s("TS"), s("T3")}
	}
	return map[string]recipe{
		"PRelu":                     {rest: typed("T", []int64{4})},
		"CumSum":                    {rest: rest(i64s(nil, 1))},
		"CumProd":                   {rest: rest(i64s(nil, 1))},
		"TopK":                      {rest: rest(i64s([]int64{1}, 2))},
		"MatMul":                    {rest: typed("T", []int64{4, 1})},
		"Gemm":                      {first: square, rest: typed("T", square, square)},
		"Einsum":                    {attrs: []*onnxpb.AttributeProto{stringAttribute("equation", "ij->j")}},
		"MatMulInteger":             {rest: typed("T2", []int64{4, 2})},
		"QLinearMatMul":             {rest: quantized},
		"LayerNormalization":        {rest: typed("T", []int64{4})},
		"RMSNormalization":          {rest: typed("V", []int64{4})},
		"MeanVarianceNormalization": {first: []int64{1, 2, 1, 2}},
		"DepthToSpace":              {first: []int64{1, 4, 1, 2}, attrs: []*onnxpb.AttributeProto{intAttribute("blocksize", 2)}},
		"SpaceToDepth":              {first: []int64{1, 1, 2, 4}, attrs: []*onnxpb.AttributeProto{intAttribute("blocksize", 2)}},
		"OneHot": {rest: func(t *testing.T, v map[string]tensor.Type) []Value {
			return []Value{sampleOf(t, v["T2"]), sampleOf(t, v["T3"], 2)}
		}},
		"Compress":        {rest: rest(tensor.Of([]int64{2}, true, true))},
		"ReverseSequence": {rest: rest(i64s([]int64{4}, 1, 2, 2, 1))},
		"CenterCropPad":   {rest: rest(i64s([]int64{2}, 3, 3))},
	}
}

// families are the operators that the recipes cover.
func coveredFamilies() []operator {
	return slices.Concat(transcendentalFamily(), activationFamily(), reduceFamily(), argFamily(), cumulativeFamily(),
		softmaxFamily(), matmulFamily(), quantizedMatmulFamily(), einsumFamily(), normFamily(), triangleFamily(),
		depthFamily(), oneHotFamily(), selectFamily(), orderFamily())
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
				if err := runEntry(t, op, made[op.name], vars); err != nil {
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

func runEntry(t *testing.T, op operator, r recipe, vars map[string]tensor.Type) error {
	t.Helper()
	dims := r.first
	if dims == nil {
		dims = []int64{2, 4}
	}
	in := []Value{sampleOf(t, vars[op.in[0].typ], dims...)}
	attrs := slices.Clone(r.attrs)
	switch {
	case len(op.in) == 1 && op.name == "TopK":
		attrs = append(attrs, intAttribute("k", 2))
	case r.rest != nil:
		in = append(in, r.rest(t, vars)...)
	}
	if op.name == "EyeLike" {
		attrs = append(attrs, intAttribute("dtype", int64(vars["T2"])))
	}
	if op.name == "LayerNormalization" {
		attrs = append(attrs, intAttribute("stash_type", int64(vars["U"])))
	}
	_, err := runNode(t, op.since, op.name, in, len(op.out), attrs...)
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
	vars := map[string]tensor.Type{}
	for name, set := range op.vars {
		vars[name] = set.first()
	}
	in := []Value{sampleOf(t, vars[op.in[0].typ], dims...)}
	if r.rest != nil && len(op.in) > 1 {
		in = append(in, r.rest(t, vars)...)
	}
	if len(op.in) > 1 && (op.name == "MatMul" || op.name == "MatMulInteger" || op.name == "Gemm") {
		columns := int64(3)
		if dims[len(dims)-1] > 4 {
			columns = 0
		}
		in[1] = sampleOf(t, vars[op.in[1].typ], dims[len(dims)-1], columns)
	}
	attrs := slices.Clone(r.attrs)
	for _, a := range op.attrs {
		switch {
		case a.name == "axis":
			attrs = append(attrs, intAttribute("axis", axis))
		case a.name == "axes":
			attrs = append(attrs, intsAttribute("axes", axis))
		case a.required && a.name == "k":
			attrs = append(attrs, intAttribute("k", 0))
		}
	}
	p, err := Compile(functionProto(op.since, letters(len(in)), []string{"y"},
		nodeProto(op.name, letters(len(in)), []string{"y"}, attrs...)), Env{})
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
