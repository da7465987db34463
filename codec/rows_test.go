// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// grid is an array of 6 rows of 4 structures {a: INT32[5], b: INT32} with a constant k, and a decoder of the given
// nodes, which compute y from a: INT32[6,4,5], b: INT32[6,4] and k: INT32[4,1].
func grid(nodes ...*onnxpb.NodeProto) *onnxpb.StructTypeProto {
	block := structure(
		field("a", leaf(tensor.Int32, 5)), field("b", leaf(tensor.Int32)),
		constant("k", tensor.Of([]int64{4, 1}, int32(1), 20, 300, 4000)),
	)
	return with(array(6, inline(array(4, inline(block)))), function(names("a", "b", "k"), names("y"), nodes...), nil)
}

func ints(name string, v ...int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INTS, Ints: v}
}

// Each operator's rule has a case that keeps the rows and one that does not.
func TestRowRules(t *testing.T) {
	for _, test := range []struct {
		name  string
		mixes string // what breaks the batch; "": nothing does
		nodes []*onnxpb.NodeProto
	}{
		{"elementwise", "", []*onnxpb.NodeProto{node("Neg", names("a"), names("y"))}},
		{"broadcast from the right", "", []*onnxpb.NodeProto{
			vector("axes", -1), node("Unsqueeze", names("b", "axes"), names("b1")), node("Mul", names("a", "b1"), names("y")),
		}},
		{"constant along the second dimension", "", []*onnxpb.NodeProto{node("Mul", names("a", "k"), names("y"))}},
		{"constant along the rows", `node 1 (Mul, which gives "y"): constant input 1 varies along the rows`, []*onnxpb.NodeProto{
			value("c", tensor.Of([]int64{6, 1, 1}, int32(1), 2, 3, 4, 5, 6)), node("Mul", names("a", "c"), names("y")),
		}},
		{"rows against another dimension", `node 4 (Mul, which gives "y"): its inputs have the rows in different dimensions`, []*onnxpb.NodeProto{
			vector("s1", 6, 1, 4), node("Reshape", names("b", "s1"), names("b1")),
			vector("s2", 1, 6, 4), node("Reshape", names("b", "s2"), names("b2")),
			node("Mul", names("b1", "b2"), names("y")),
		}},
		{"new first dimension", `node 1 (Mul, which gives "m"): constant input 1 varies along the rows`, []*onnxpb.NodeProto{
			value("c", tensor.Of([]int64{2, 1, 1, 1}, int32(1), 2)), node("Mul", names("a", "c"), names("m")),
			vector("axis", 0), node("ReduceSum", names("m", "axis"), names("y"), integer("keepdims", 0)),
		}},
		{"transpose inside", "", []*onnxpb.NodeProto{node("Transpose", names("a"), names("y"), ints("perm", 0, 2, 1))}},
		{"transpose of rows", `node 0 (Transpose, which gives "t"): it moves the dimensions that hold the rows`, []*onnxpb.NodeProto{
			node("Transpose", names("a"), names("t"), ints("perm", 1, 0, 2)),
			vector("s", 6, 20), node("Reshape", names("t", "s"), names("y")),
		}},
		{"sum inside", "", []*onnxpb.NodeProto{vector("axes", -1), node("ReduceSum", names("a", "axes"), names("y"))}},
		{"sum of a row", "", []*onnxpb.NodeProto{vector("axes", 1, 2), node("ReduceSum", names("a", "axes"), names("y"))}},
		{"sum over rows", `node 1 (ReduceSum, which gives "s"): axis 0 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			vector("axes", 0), node("ReduceSum", names("a", "axes"), names("s")), node("Add", names("a", "s"), names("y")),
		}},
		{"sum of all", `node 0 (ReduceSum, which gives "s"): it reduces all dimensions`, []*onnxpb.NodeProto{
			node("ReduceSum", names("a"), names("s")), node("Add", names("a", "s"), names("y")),
		}},
		{"running sum inside", "", []*onnxpb.NodeProto{
			value("axis", tensor.Of([]int64{}, int64(1))), node("CumSum", names("a", "axis"), names("y")),
		}},
		{"running sum over rows", `node 1 (CumSum, which gives "y"): axis -3 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			value("axis", tensor.Of([]int64{}, int64(-3))), node("CumSum", names("a", "axis"), names("y")),
		}},
		{"running product inside", "", []*onnxpb.NodeProto{
			value("axis", tensor.Of([]int64{}, int64(2))), node("CumProd", names("a", "axis"), names("y")),
		}},
		{"triangles", "", []*onnxpb.NodeProto{node("Trilu", names("a"), names("y"))}},
		{"a triangle of rows", `node 0 (Trilu, which gives "y"): axis -2 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			node("Trilu", names("b"), names("y")),
		}},
		{"concat inside", "", []*onnxpb.NodeProto{node("Concat", names("a", "a"), names("y"), integer("axis", 1))}},
		{"concat of rows", `node 0 (Concat, which gives "c"): axis 0 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			node("Concat", names("a", "a"), names("c"), integer("axis", 0)), node("Identity", names("c"), names("y")),
		}},
		{"slice inside", "", []*onnxpb.NodeProto{
			vector("from", 1), vector("to", 4), vector("axis", -1), node("Slice", names("a", "from", "to", "axis"), names("y")),
		}},
		{"slice of rows", `node 4 (Slice, which gives "y"): axis 0 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			vector("from", -1), vector("to", math.MinInt64), vector("axis", 0), vector("step", -1),
			node("Slice", names("a", "from", "to", "axis", "step"), names("y")),
		}},
		{"gather inside", "", []*onnxpb.NodeProto{vector("i", 3, 0, 3), node("Gather", names("a", "i"), names("y"), integer("axis", 2))}},
		{"gather of rows", `node 1 (Gather, which gives "y"): axis 0 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			vector("i", 5, 4, 3, 2, 1, 0), node("Gather", names("a", "i"), names("y"), integer("axis", 0)),
		}},
		{"codebook", "", []*onnxpb.NodeProto{
			value("mask", tensor.Of([]int64{}, int32(3))), node("BitwiseAnd", names("b", "mask"), names("i")),
			node("Gather", names("k", "i"), names("y"), integer("axis", 0)),
		}},
		{"gather by the payload in the payload", `node 2 (Gather, which gives "g"): both inputs depend on the payload`, []*onnxpb.NodeProto{
			value("mask", tensor.Of([]int64{}, int32(3))), node("BitwiseAnd", names("b", "mask"), names("i")),
			node("Gather", names("a", "i"), names("g"), integer("axis", 0)), node("Identity", names("g"), names("y")),
		}},
		{"flat and back", "", []*onnxpb.NodeProto{
			vector("flat", -1), node("Reshape", names("a", "flat"), names("f")), node("Neg", names("f"), names("n")),
			vector("back", 6, 20), node("Reshape", names("n", "back"), names("y")),
		}},
		{"flat", "", []*onnxpb.NodeProto{
			vector("flat", -1), node("Reshape", names("a", "flat"), names("y")),
		}},
		{"flat running sum", `node 3 (CumSum, which gives "s"): rows are merged into one dimension before it`, []*onnxpb.NodeProto{
			vector("flat", -1), node("Reshape", names("a", "flat"), names("f")),
			value("axis", tensor.Of([]int64{}, int64(0))), node("CumSum", names("f", "axis"), names("s")),
			vector("back", 6, 20), node("Reshape", names("s", "back"), names("y")),
		}},
		{"pairs of rows", "", []*onnxpb.NodeProto{
			vector("pairs", 12, 10), node("Reshape", names("a", "pairs"), names("y")),
		}},
		{"half rows in front", "the output has 3 rows, the payload 6", []*onnxpb.NodeProto{
			vector("pairs", 3, 40), node("Reshape", names("a", "pairs"), names("y")),
		}},
		{"size of the payload", "", []*onnxpb.NodeProto{
			node("Size", names("a"), names("n")), cast(tensor.Int32, "n", "n32"), node("Add", names("a", "n32"), names("y")),
		}},
		{"target from the shape", "", []*onnxpb.NodeProto{
			node("Shape", names("b"), names("s")), vector("two", 2, -1), node("Concat", names("s", "two"), names("t"), integer("axis", 0)),
			vector("axes", 3), node("Unsqueeze", names("a", "axes"), names("u")),
			vector("e", 6, 4, 5, 2), node("Expand", names("u", "e"), names("x")), node("Reshape", names("x", "t"), names("y")),
		}},
		{"mat mul", "", []*onnxpb.NodeProto{
			value("m", tensor.Of([]int64{5, 2}, int32(1), 2, 3, 4, 5, 6, 7, 8, 9, 10)), node("MatMul", names("a", "m"), names("y")),
		}},
		{"gather along a constant's second dimension", `node 2 (Gather, which gives "g"): the result INT32[4,6,4] does not keep the 6 blocks in front`, []*onnxpb.NodeProto{
			value("zero", tensor.Of([]int64{}, int32(0))), node("Mul", names("b", "zero"), names("i")),
			node("Gather", names("k", "i"), names("g"), integer("axis", 1)),
			vector("s", 6, 16), node("Reshape", names("g", "s"), names("y")),
		}},
		{"gather elements", "", []*onnxpb.NodeProto{
			node("ArgMax", names("a"), names("i"), integer("axis", -1)),
			node("GatherElements", names("a", "i"), names("y"), integer("axis", -1)),
		}},
		{"gather elements of rows", `node 0 (ArgMax, which gives "i"): axis 0 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			node("ArgMax", names("a"), names("i"), integer("axis", 0)),
			node("GatherElements", names("a", "i"), names("g"), integer("axis", 0)), node("Add", names("a", "g"), names("y")),
		}},
		{"tile inside", "", []*onnxpb.NodeProto{vector("n", 1, 1, 3), node("Tile", names("a", "n"), names("y"))}},
		{"tile of rows", `node 1 (Tile, which gives "y"): it changes dimension 0, which holds rows`, []*onnxpb.NodeProto{
			vector("n", 2, 1, 1), node("Tile", names("a", "n"), names("y")),
		}},
		{"pad inside", "", []*onnxpb.NodeProto{vector("n", 0, 1, 0, 0, 0, 2), node("Pad", names("a", "n"), names("y"))}},
		{"pad of rows", `node 1 (Pad, which gives "p"): it changes dimension 0, which holds rows`, []*onnxpb.NodeProto{
			vector("n", 0, 0, 0, 6, 0, 0), node("Pad", names("a", "n"), names("p")), node("Identity", names("p"), names("y")),
		}},
		{"scale along an inner axis", "", []*onnxpb.NodeProto{
			value("s", tensor.Of([]int64{5}, float32(1), 2, 3, 4, 5)), node("DequantizeLinear", names("a", "s"), names("y"), integer("axis", 2)),
		}},
		{"scale along the rows", `node 1 (DequantizeLinear, which gives "y"): axis 0 is the dimension that holds the rows`, []*onnxpb.NodeProto{
			value("s", tensor.Of([]int64{6}, float32(1), 2, 3, 4, 5, 6)), node("DequantizeLinear", names("a", "s"), names("y"), integer("axis", 0)),
		}},
		{"scales in the payload", "", []*onnxpb.NodeProto{
			cast(tensor.Float, "b", "f"), vector("axis", -1), node("Unsqueeze", names("f", "axis"), names("s")),
			node("DequantizeLinear", names("a", "s"), names("y"), integer("axis", 2), integer("block_size", 5)),
		}},
		{"no rule", `node 1 (ReverseSequence, which gives "y"): nothing is known about its rows`, []*onnxpb.NodeProto{
			vector("lengths", 6, 5, 4, 3), node("ReverseSequence", names("a", "lengths"), names("y")),
		}},
		{"what only a plan sees", "", []*onnxpb.NodeProto{
			value("eye", tensor.Of([]int64{6, 4, 2}, slices.Repeat([]int64{0, 1, 1, 2, 2, 4, 3, 3}, 6)...)),
			vector("from", 0), vector("to", 2), vector("axis", 2), node("Slice", names("a", "from", "to", "axis"), names("two")),
			node("ScatterElements", names("a", "eye", "two"), names("y"), integer("axis", 2)),
		}},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			c, err := codec.New(root(t, grid(test.nodes...)), codec.Env{})
			if err != nil {
				t.Fatal(err)
			}
			switch err := c.RowIndependent(); {
			case test.mixes == "" && err != nil:
				t.Errorf("RowIndependent: %v", err)
			case test.mixes != "" && (err == nil || err.Error() != test.mixes):
				t.Errorf("RowIndependent: %v, want %s", err, test.mixes)
			}
			payload := make([]byte, 6*4*6*4)
			for i := range payload {
				payload[i] = byte(i*i*31 + i>>3)
			}
			sameRows(t, c, payload)
		})
	}
}

// sameRows compares every range of rows with the whole value.
func sameRows(t testing.TB, c *codec.Codec, payload []byte) {
	t.Helper()
	whole := decode(t, c, payload)
	rows := whole.Dims()[0]
	each := int64(whole.Type().Bits()/8) * whole.Len() / rows
	for a := range rows + 1 {
		for b := a; b <= rows; b++ {
			part, err := c.DecodeRows(t.Context(), payload, a, b)
			if err != nil {
				t.Fatal(err)
			}
			want, err := tensor.New(whole.Type(), append([]int64{b - a}, whole.Dims()[1:]...), whole.Bytes()[a*each:b*each])
			if err != nil {
				t.Fatal(err)
			}
			if !tensor.EqualValues(part, want) {
				t.Errorf("rows %d:%d: %v% x, want %v% x", a, b, part.Dims(), part.Bytes(), want.Dims(), want.Bytes())
			}
		}
	}
}

func TestRowRange(t *testing.T) {
	c := build(t, grid(node("Neg", names("a"), names("y"))))
	for _, r := range [][2]int64{{-1, 2}, {3, 2}, {0, 7}, {7, 7}, {math.MinInt64, math.MaxInt64}} {
		if _, err := c.DecodeRows(t.Context(), make([]byte, 576), r[0], r[1]); err == nil || !strings.HasSuffix(err.Error(), "are not within 0:6") {
			t.Errorf("rows %d:%d: %v", r[0], r[1], err)
		}
	}
}

// Rows of packed elements that do not begin at a byte are moved to one.
func TestPackedRows(t *testing.T) {
	c := build(t, with(array(6, leaf(tensor.Int4, 3)), identity("value", "y"), nil))
	if err := c.RowIndependent(); err != nil {
		t.Fatal(err)
	}
	payload := []byte{0x21, 0x43, 0x65, 0x87, 0xa9, 0xcb, 0xed, 0x0f, 0x12}
	for a := range int64(7) {
		for b := a; b <= 6; b++ {
			part, err := c.DecodeRows(t.Context(), payload, a, b)
			if err != nil {
				t.Fatal(err)
			}
			whole := tensor.Unpack(decode(t, c, payload))
			if got := tensor.Unpack(part); !slices.Equal(got, whole[3*a:3*b]) {
				t.Errorf("rows %d:%d: %v of %v", a, b, got, whole)
			}
		}
	}
}

// What is proved is so: random decoders of a few operators that move elements about, on the grid.
func TestRandomRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes, last, dims := []*onnxpb.NodeProto{}, "a", []int64{6, 4, 5}
		for i := range rapid.IntRange(1, 6).Draw(t, "nodes") {
			out := fmt.Sprint("v", i)
			var more []*onnxpb.NodeProto
			more, dims = drawNode(t, last, out, dims)
			nodes, last = append(nodes, more...), out
		}
		nodes = append(nodes, node("Identity", names(last), names("y")))
		all, _ := structview.Resolve(one(grid(nodes...)))
		r, err := all.At(0)
		if err != nil {
			t.Fatal(err)
		}
		c, err := codec.New(r, codec.Env{})
		if err != nil {
			t.Fatal(err)
		}
		payload := make([]byte, r.Bits()/8)
		for i := range payload {
			payload[i] = byte(i * 7)
		}
		whole, err := c.Decode(t.Context(), payload)
		if err != nil {
			t.Fatal(err)
		}
		independent := c.RowIndependent() == nil
		rows := int64(0)
		if len(dims) > 0 {
			rows = dims[0]
		}
		for a := range rows {
			part, err := c.DecodeRows(t.Context(), payload, a, a+1)
			if err != nil {
				t.Fatal(err)
			}
			each := int64(len(whole.Bytes())) / rows
			if !bytes.Equal(part.Bytes(), whole.Bytes()[a*each:(a+1)*each]) {
				t.Fatalf("independent %v: row %d is % x, want % x", independent, a, part.Bytes(), whole.Bytes()[a*each:(a+1)*each])
			}
		}
	})
}

// drawNode appends one operator to a value of dims.
func drawNode(t *rapid.T, in, out string, dims []int64) ([]*onnxpb.NodeProto, []int64) {
	axis := func() int { return rapid.IntRange(0, len(dims)-1).Draw(t, "axis") }
	switch k := rapid.IntRange(0, 6).Draw(t, "kind"); {
	case k == 0 && len(dims) > 0: // another shape of as many elements
		n := int64(1)
		for _, d := range dims {
			n *= d
		}
		var shape []int64
		for n > 1 {
			d := rapid.SampledFrom(divisors(n)).Draw(t, "dimension")
			shape, n = append(shape, d), n/d
		}
		return []*onnxpb.NodeProto{vector(out+" shape", shape...), node("Reshape", names(in, out+" shape"), names(out))}, shape
	case k == 1 && len(dims) > 1:
		perm := rapid.Permutation(count64(len(dims))).Draw(t, "perm")
		shape := make([]int64, len(dims))
		for i, p := range perm {
			shape[i] = dims[p]
		}
		return []*onnxpb.NodeProto{node("Transpose", names(in), names(out), ints("perm", perm...))}, shape
	case k == 2 && len(dims) > 1:
		a := axis()
		return []*onnxpb.NodeProto{
			vector(out+" axis", int64(a)), node("ReduceSum", names(in, out+" axis"), names(out), integer("keepdims", 0)),
		}, slices.Delete(slices.Clone(dims), a, a+1)
	case k == 3 && len(dims) > 0:
		a := axis()
		shape := slices.Clone(dims)
		shape[a] *= 2
		return []*onnxpb.NodeProto{node("Concat", names(in, in), names(out), integer("axis", int64(a)))}, shape
	case k == 4 && len(dims) > 0:
		a := axis()
		c := make([]int32, dims[a])
		for i := range c {
			c[i] = int32(3*i + 1)
		}
		shape := make([]int64, len(dims)-a)
		for i := range shape {
			shape[i] = 1
		}
		shape[0] = dims[a]
		return []*onnxpb.NodeProto{value(out+" c", tensor.Of(shape, c...)), node("Mul", names(in, out+" c"), names(out))}, dims
	case k == 5 && len(dims) < 5:
		a := rapid.IntRange(0, len(dims)).Draw(t, "axis")
		return []*onnxpb.NodeProto{vector(out+" axis", int64(a)), node("Unsqueeze", names(in, out+" axis"), names(out))},
			slices.Insert(slices.Clone(dims), a, 1)
	}
	return []*onnxpb.NodeProto{node("Neg", names(in), names(out))}, dims
}

func divisors(n int64) (list []int64) {
	for d := int64(2); d <= n; d++ {
		if n%d == 0 {
			list = append(list, d)
		}
	}
	return list
}

func count64(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i)
	}
	return list
}
