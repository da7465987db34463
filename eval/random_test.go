// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// source makes random programs. It reads bytes where a fuzzer gives them.
type source struct{ rnd *rand.Rand }

func (s source) n(n int) int { return s.rnd.IntN(n) }

func (s source) dims(giant bool) []int64 {
	dims := make([]int64, s.n(5))
	for i := range dims {
		dims[i] = int64(s.n(4))
		if s.n(3) > 0 {
			dims[i] = int64(1 + s.n(3))
		}
	}
	if giant && len(dims) > 1 {
		k := s.n(len(dims))
		dims[k], dims[(k+1)%len(dims)] = 0, 1<<(20+s.n(22))
	}
	return dims
}

func (s source) tensor(typ tensor.Type, dims []int64) *tensor.Tensor {
	n, err := product(dims)
	if err != nil || n > 1<<12 {
		n, dims = 0, []int64{0}
	}
	if typ == tensor.String {
		v := make([][]byte, n)
		for i := range v {
			v[i] = []byte([]string{"a", "bc", "1.5", "", "-7"}[s.n(5)])
		}
		t, _ := tensor.NewStrings(dims, v)
		return t
	}
	v := make([]int64, n)
	small := s.n(2) == 0
	for i := range v {
		v[i] = int64(s.n(9)) - 4
		if !small {
			v[i] = int64(s.rnd.Uint64())
		}
	}
	if typ.IsComplex() {
		return freshCells(typ, n).mustTensor(dims)
	}
	t, err := tensor.Convert(tensor.Of(dims, v...), typ, false, tensor.RoundNearest)
	if err != nil {
		panic(err)
	}
	return t
}

func (c cells) mustTensor(dims []int64) *tensor.Tensor {
	t, err := c.tensor(dims)
	if err != nil {
		panic(err)
	}
	return t
}

func (s source) pick(set types) tensor.Type {
	var list []tensor.Type
	for t := tensor.Float; t < 61; t++ {
		if set.has(t) {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return tensor.Float
	}
	return list[s.n(len(list))]
}

func (s source) value(op *operator, p param, bound map[string]tensor.Type, shape []int64, giant bool) Value {
	set := op.vars[p.typ]
	typ, ok := bound[p.typ]
	if !ok || p.mixed {
		typ = s.pick(set)
		bound[p.typ] = typ
	}
	dims := shape
	switch s.n(5) {
	case 0:
		dims = s.dims(giant)
	case 1:
		dims = []int64{int64(s.n(4))}
	case 2:
		dims = shape[:s.n(len(shape)+1)]
	}
	t := s.tensor(typ, dims)
	switch {
	case set&tSequence != 0 && (set&^(tSequence|tOptional) == 0 || s.n(3) == 0):
		return &Sequence{Elem: UnrankedType(typ), Values: []Value{t, s.tensor(typ, dims)}[:s.n(3)]}
	case set == tOptional || set&tOptional != 0 && s.n(3) == 0:
		return &Optional{Elem: UnrankedType(typ), Value: []Value{nil, t}[s.n(2)]}
	}
	return t
}

func (s source) attribute(a attribute) *onnxpb.AttributeProto {
	p := &onnxpb.AttributeProto{Name: a.name, Type: a.kind}
	switch a.kind {
	case aInt:
		p.I = int64(s.n(7)) - 3
		if a.name == "to" || strings.HasSuffix(a.name, "dtype") || a.name == "precision" {
			p.I = int64(s.n(27))
		}
		if s.n(40) == 0 {
			p.I = int64(s.rnd.Uint64())
		}
	case aInts:
		for range s.n(4) {
			p.Ints = append(p.Ints, int64(s.n(7))-3)
		}
	case aFloat:
		p.F = float32(s.n(9)) - 4
	case aString:
		words := []string{"", "none", "add", "mul", "max", "min", "LEFT", "RIGHT", "edge", "reflect", "wrap", "up", "tanh", "DCR", "CRD", "ij,jk->ik", "...i->i...", "i,i", "ii->i"}
		p.S = []byte(words[s.n(len(words))])
	case aTensor:
		p.T = s.tensor(s.pick(tNumericBF|tBool|tString), []int64{1}).Proto("")
	default:
		return nil
	}
	return p
}

// node makes inputs and a node for an operator: mostly wrong, often enough right.
func (s source) node(op *operator, giant bool) (*onnxpb.NodeProto, []Value) {
	shape := s.dims(giant)
	bound := map[string]tensor.Type{}
	var in []Value
	for _, p := range op.in {
		for range 1 + s.n(3)*btoi(p.variadic) {
			if (p.optional || s.n(60) == 0) && s.n(2) == 0 {
				in = append(in, nil)
				continue
			}
			in = append(in, s.value(op, p, bound, shape, giant))
		}
	}
	n := &onnxpb.NodeProto{OpType: op.name, Domain: op.domain}
	for i, v := range in {
		n.Input = append(n.Input, fmt.Sprintf("x%d", i))
		if v == nil {
			n.Input[i] = ""
		}
	}
	outputs := len(op.out)
	if op.out[outputs-1].variadic {
		outputs += s.n(3)
	}
	for i := range outputs {
		n.Output = append(n.Output, fmt.Sprintf("y%d", i))
	}
	for _, a := range op.attrs {
		if a.required || s.n(2) == 0 {
			if p := s.attribute(a); p != nil {
				n.Attribute = append(n.Attribute, p)
			}
		}
	}
	return n, in
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// check compiles, infers and runs one random node: nothing panics, hangs or breaks a promise. It reports whether
// the node ran.
func (s source) check(t testing.TB, op *operator, giant bool) bool {
	n, in := s.node(op, giant)
	names := make([]string, len(in))
	types := make([]ValueType, len(in))
	for i, v := range in {
		names[i] = fmt.Sprintf("x%d", i)
		types[i] = TypeOf(v)
		types[i].Known = nil
	}
	f := &onnxpb.FunctionProto{
		Name: "f", Input: names, Output: n.Output, Node: []*onnxpb.NodeProto{n},
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: op.since, Domain: op.domain}},
	}
	p, err := Compile(f, Env{Limits: Limits{Elements: 1 << 24, Bytes: 1 << 24, Nodes: 1 << 10}})
	if err != nil {
		return false
	}
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s-%d: panic %v: %v %v\n%s", op.name, op.since, r, n, types, debug.Stack())
		}
	}()
	start := time.Now()
	inferred, inferErr := p.Infer(types)
	out, err := p.Run(context.Background(), in)
	if d := time.Since(start); d > 5*time.Second {
		t.Fatalf("%s-%d took %v: %v %v", op.name, op.since, d, n, types)
	}
	if err != nil {
		if strings.Contains(err.Error(), "internal") {
			t.Errorf("%v: %v %v", err, n, types)
		}
		return false
	}
	if inferErr != nil && !errors.Is(inferErr, ErrLimit) {
		t.Errorf("inference refuses what runs: %v: %v %v", inferErr, n, types)
		return true
	}
	for i := range inferred {
		if out[i] != nil {
			checkInferred(t, inferred[i], out[i])
		}
	}
	return true
}

// TestRandomNodes runs every entry of the table on random inputs and attributes.
func TestRandomNodes(t *testing.T) {
	s := source{rand.New(rand.NewPCG(1, 2))}
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	var keys []key
	for k := range builtin() {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return strings.Compare(a.domain+a.name, b.domain+b.name) })
	for _, k := range keys {
		ran := 0
		for _, op := range builtin()[k] {
			if op.run == nil || op.control {
				continue
			}
			for i := range rounds {
				if s.check(t, op, i%4 == 0) {
					ran++
				}
			}
		}
		if ran == 0 && builtin()[k][0].run != nil && !builtin()[k][0].control {
			t.Logf("%s never ran", k.name)
		}
	}
}
