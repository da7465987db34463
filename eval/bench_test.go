// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// benchNode measures one operator; bytes are those of the output.
func benchNode(b *testing.B, op string, inputs []Value, attrs ...*onnxpb.AttributeProto) {
	b.Helper()
	names := []string{"a", "b", "c", "d"}[:len(inputs)]
	p, err := Compile(functionProto(25, names, []string{"y"}, nodeProto(op, names, []string{"y"}, attrs...)), Env{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		out, err := p.Run(context.Background(), inputs)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(out[0].(*tensor.Tensor).Bytes())))
	}
}

func ramp[T tensor.Native](dims []int64, f func(i int) T) *tensor.Tensor {
	n, _ := product(dims)
	v := make([]T, n)
	for i := range v {
		v[i] = f(i)
	}
	return tensor.Of(dims, v...)
}

func BenchmarkOperators(b *testing.B) {
	rows, cols := int64(1<<15), int64(128)
	f := ramp([]int64{rows, cols}, func(i int) float32 { return float32(i%1000) - 500 })
	one := tensor.Of(nil, float32(3))
	perRow := ramp([]int64{rows, 1}, func(i int) float32 { return float32(i%7) + 1 })
	perColumn := ramp([]int64{cols}, func(i int) float32 { return float32(i%7) + 1 })
	bytes := ramp([]int64{rows, cols}, func(i int) uint8 { return uint8(i) })
	half, err := tensor.Convert(f, tensor.Float16, false, tensor.RoundNearest)
	if err != nil {
		b.Fatal(err)
	}
	blocks := ramp([]int64{rows, cols / 32}, func(i int) float32 { return float32(i%7) + 1 })
	codes := ramp([]int64{256}, func(i int) float32 { return float32(i) })
	i64 := func(v ...int64) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }
	for _, c := range []struct {
		name, op string
		in       []Value
		attrs    []*onnxpb.AttributeProto
	}{
		{"same", "Mul", []Value{f, f}, nil},
		{"scalar", "Mul", []Value{f, one}, nil},
		{"rows", "Mul", []Value{f, perRow}, nil},
		{"columns", "Mul", []Value{f, perColumn}, nil},
		{"float16", "Mul", []Value{half, half}, nil},
		{"uint8", "BitwiseAnd", []Value{bytes, tensor.Of(nil, uint8(15))}, nil},
		{"toFloat", "Cast", []Value{bytes}, []*onnxpb.AttributeProto{intAttribute("to", 1)}},
		{"fromHalf", "Cast", []Value{half}, []*onnxpb.AttributeProto{intAttribute("to", 1)}},
		{"lastAxis", "Concat", []Value{f, f}, []*onnxpb.AttributeProto{intAttribute("axis", -1)}},
		{"two", "Transpose", []Value{f}, []*onnxpb.AttributeProto{intsAttribute("perm", 1, 0)}},
		{"bytes", "Transpose", []Value{bytes}, []*onnxpb.AttributeProto{intsAttribute("perm", 1, 0)}},
		{"every2nd", "Slice", []Value{f, i64(0), i64(1 << 40), i64(1)}, nil},
		{"codes", "Gather", []Value{codes, ramp([]int64{rows, cols}, func(i int) int32 { return int32(i % 256) })}, nil},
		{"mask", "Where", []Value{ramp([]int64{rows, cols}, func(i int) bool { return i%3 == 0 }), f, one}, nil},
		{"blocks", "DequantizeLinear", []Value{bytes, blocks}, []*onnxpb.AttributeProto{intAttribute("axis", 1), intAttribute("block_size", 32)}},
		{"max", "ReduceMax", []Value{f, i64(-1)}, nil},
		{"sum", "ReduceSum", []Value{f, i64(-1)}, nil},
		{"argmax", "ArgMax", []Value{f}, []*onnxpb.AttributeProto{intAttribute("axis", -1)}},
	} {
		b.Run(c.op+"/"+c.name, func(b *testing.B) { benchNode(b, c.op, c.in, c.attrs...) })
	}
}

// BenchmarkNode measures what a node costs beside its elements.
func BenchmarkNode(b *testing.B) {
	nodes := []*onnxpb.NodeProto{}
	for i := range 100 {
		nodes = append(nodes, nodeProto("Add", []string{fmt.Sprintf("x%d", i), "one"}, []string{fmt.Sprintf("x%d", i+1)}))
	}
	p, err := Compile(functionProto(21, []string{"x0", "one"}, []string{"x100"}, nodes...), Env{})
	if err != nil {
		b.Fatal(err)
	}
	in := []Value{tensor.Of([]int64{8}, make([]float32, 8)...), tensor.Of(nil, float32(1))}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Run(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
}
