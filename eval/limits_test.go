// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func graphAttribute(name string, g *onnxpb.GraphProto) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: aGraph, G: g}
}

func graphProto(in, out []string, nodes ...*onnxpb.NodeProto) *onnxpb.GraphProto {
	g := &onnxpb.GraphProto{Name: "body", Node: nodes}
	for _, name := range in {
		g.Input = append(g.Input, &onnxpb.ValueInfoProto{Name: name})
	}
	for _, name := range out {
		g.Output = append(g.Output, &onnxpb.ValueInfoProto{Name: name})
	}
	return g
}

func constantProto(name string, t *tensor.Tensor) *onnxpb.NodeProto {
	return nodeProto("Constant", nil, []string{name}, tensorAttribute("value", t))
}

// bomb is a function without inputs that must end with an error at once.
type bomb struct {
	name      string
	functions []*onnxpb.FunctionProto
	nodes     []*onnxpb.NodeProto
	want      string
}

// chain returns n functions, each of which calls the next one times times.
func chain(n, times int) []*onnxpb.FunctionProto {
	var list []*onnxpb.FunctionProto
	for i := range n {
		f := functionProto(21, []string{"x"}, []string{"y"})
		f.Name, f.Domain = fmt.Sprintf("f%d", i), "d"
		f.OpsetImport = append(f.OpsetImport, &onnxpb.OperatorSetIdProto{Domain: "d", Version: 1})
		name := "x"
		for k := range times {
			next := fmt.Sprintf("x%d", k)
			n := &onnxpb.NodeProto{Domain: "d", OpType: fmt.Sprintf("f%d", i+1), Input: []string{name}, Output: []string{next}}
			f.Node = append(f.Node, n)
			name = next
		}
		f.Node = append(f.Node, nodeProto("Identity", []string{name}, []string{"y"}))
		list = append(list, f)
	}
	list[n-1].Node = []*onnxpb.NodeProto{nodeProto("Identity", []string{"x"}, []string{"y"})}
	return list
}

func bombs() []bomb {
	i64 := func(v ...int64) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }
	one := constantProto("one", tensor.Of(nil, float32(1)))
	call := []*onnxpb.NodeProto{one, {Domain: "d", OpType: "f0", Input: []string{"one"}, Output: []string{"y"}}}
	loop := func(nodes []*onnxpb.NodeProto, out ...string) []*onnxpb.NodeProto {
		body := graphProto([]string{"i", "c", "s"}, append([]string{"c"}, out...), nodes...)
		outputs := []string{"y", "z"}[:len(out)]
		return []*onnxpb.NodeProto{one, nodeProto("Loop", []string{"", "", "one"}, outputs, graphAttribute("body", body))}
	}
	var doubling []*onnxpb.NodeProto
	doubling = append(doubling, constantProto("x0", i64(1)))
	for i := range 50 {
		x := fmt.Sprintf("x%d", i)
		doubling = append(doubling, nodeProto("Concat", []string{x, x}, []string{fmt.Sprintf("x%d", i+1)}, intAttribute("axis", 0)))
	}
	doubling = append(doubling, nodeProto("Identity", []string{"x50"}, []string{"y"}))
	return []bomb{
		{"expand", nil, []*onnxpb.NodeProto{
			one, constantProto("s", i64(1<<40)), nodeProto("Expand", []string{"one", "s"}, []string{"y"}),
		}, "node 2 (Expand, which gives \"y\"): limit exceeded: "},
		{"expand beyond int64", nil, []*onnxpb.NodeProto{
			one, constantProto("s", i64(1<<40, 1<<40)), nodeProto("Expand", []string{"one", "s"}, []string{"y"}),
		}, "node 2 (Expand, which gives \"y\"): limit exceeded: "},
		{"constant of shape", nil, []*onnxpb.NodeProto{
			constantProto("s", i64(1<<20, 1<<20)), nodeProto("ConstantOfShape", []string{"s"}, []string{"y"}),
		}, "node 1 (ConstantOfShape, which gives \"y\"): limit exceeded: "},
		{"tile", nil, []*onnxpb.NodeProto{
			constantProto("x", i64(1, 2, 3)), constantProto("s", i64(1<<50)), nodeProto("Tile", []string{"x", "s"}, []string{"y"}),
		}, "node 2 (Tile, which gives \"y\"): limit exceeded: "},
		{"range", nil, []*onnxpb.NodeProto{
			constantProto("a", tensor.Of(nil, int64(-1<<62))), constantProto("b", tensor.Of(nil, int64(1<<62))),
			constantProto("c", tensor.Of(nil, int64(1))), nodeProto("Range", []string{"a", "b", "c"}, []string{"y"}),
		}, "node 3 (Range, which gives \"y\"): limit exceeded: "},
		{"pad", nil, []*onnxpb.NodeProto{
			constantProto("x", i64(7)), constantProto("s", i64(1<<55, 1<<55)), nodeProto("Pad", []string{"x", "s"}, []string{"y"}),
		}, "node 2 (Pad, which gives \"y\"): limit exceeded: "},
		{"doubling", nil, doubling, "limit exceeded: "},
		{"endless loop of nothing", nil, loop(nil, "s"), "limit exceeded: more than 65536 executed nodes"},
		{
			"endless loop", nil, loop([]*onnxpb.NodeProto{nodeProto("Add", []string{"s", "s"}, []string{"t"})}, "t"),
			"limit exceeded: more than 65536 executed nodes",
		},
		{"endless scan outputs", nil, loop(nil, "s", "s"), "limit exceeded: more than 65536 executed nodes"},
		{"long chain", chain(200, 1), call, "limit exceeded: nesting deeper than 64"},
		{"exponential calls", chain(40, 2), call, "limit exceeded: more than 65536 executed nodes"},
		{"recursion", recursive(), call, "recursion: function d.f0 calls itself"},
	}
}

// recursive returns two functions that call each other.
func recursive() []*onnxpb.FunctionProto {
	list := chain(3, 1)
	list[1].Node[0].OpType = "f0"
	return list
}

// TestBombs runs programs that would use up any machine: each ends in well under a second and without the memory.
func TestBombs(t *testing.T) {
	for _, b := range bombs() {
		t.Run(b.name, func(t *testing.T) {
			f := functionProto(21, nil, []string{"y"}, b.nodes...)
			f.OpsetImport = append(f.OpsetImport, &onnxpb.OperatorSetIdProto{Domain: "d", Version: 1})
			start := time.Now()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p, err := Compile(f, Env{Functions: b.functions})
			if err == nil {
				_, err = p.Run(context.Background(), nil)
				if _, inferErr := p.Infer(nil); inferErr != nil && !errors.Is(inferErr, ErrLimit) {
					t.Errorf("inference: %v", inferErr)
				}
			}
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), b.want) {
				t.Fatalf("got error %v, want %s", err, b.want)
			}
			if !errors.Is(err, ErrLimit) && b.name != "recursion" {
				t.Errorf("%v is no ErrLimit", err)
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
			if used := after.HeapSys - before.HeapSys; used > 256<<20 && after.HeapSys > before.HeapSys {
				t.Errorf("the heap grew by %d bytes", used)
			}
			t.Log(time.Since(start), err)
		})
	}
}

// TestContextEnds cancels a run.
func TestContextEnds(t *testing.T) {
	b := bombs()[7]
	p, err := Compile(functionProto(21, nil, []string{"y"}, b.nodes...), Env{Limits: Limits{Nodes: 1 << 50}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err = p.Run(ctx, nil)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
}

// TestMemoryOfChains runs a chain whose values together exceed the limit, though never two at a time do.
func TestMemoryOfChains(t *testing.T) {
	nodes := []*onnxpb.NodeProto{}
	for i := range 100 {
		in, out := fmt.Sprintf("x%d", i), fmt.Sprintf("x%d", i+1)
		nodes = append(nodes, nodeProto("Add", []string{in, "one"}, []string{out}))
	}
	f := functionProto(21, []string{"x0", "one"}, []string{"x100"}, nodes...)
	x := tensor.Of([]int64{1 << 16}, make([]float32, 1<<16)...)
	one := tensor.Of(nil, float32(1))
	run := func(bytes int64) ([]Value, error) {
		p, err := Compile(f, Env{Limits: Limits{Bytes: bytes}})
		if err != nil {
			t.Fatal(err)
		}
		return p.Run(context.Background(), []Value{x, one})
	}
	out, err := run(3 << 18)
	if err != nil || tensor.Slice[float32](out[0].(*tensor.Tensor))[5] != 100 {
		t.Errorf("%v", err)
	}
	if _, err := run(1 << 17); !errors.Is(err, ErrLimit) {
		t.Errorf("got %v", err)
	}
}

// TestMemoryOfLoops lets a loop keep ever more: in a sequence, in scan outputs, in a state that doubles.
func TestMemoryOfLoops(t *testing.T) {
	big := constantProto("big", tensor.Of([]int64{1 << 18}, make([]float32, 1<<18)...)) // 1 MiB
	loop := func(start *onnxpb.NodeProto, out []string, nodes ...*onnxpb.NodeProto) *onnxpb.FunctionProto {
		body := graphProto([]string{"i", "c", "s"}, append([]string{"c"}, out...), nodes...)
		outputs := []string{"y", "z"}[:len(out)]
		return functionProto(21, nil, []string{"y"}, big, start, nodeProto("Loop", []string{"", "", start.GetOutput()[0]}, outputs, graphAttribute("body", body)))
	}
	neg := nodeProto("Neg", []string{"big"}, []string{"n"})
	for name, f := range map[string]*onnxpb.FunctionProto{
		"sequence": loop(nodeProto("SequenceEmpty", nil, []string{"e"}), []string{"t"}, neg,
			nodeProto("SequenceInsert", []string{"s", "n"}, []string{"t"})),
		"scan": loop(nodeProto("Identity", []string{"big"}, []string{"e"}), []string{"s", "n"}, neg),
		"state": loop(nodeProto("Identity", []string{"big"}, []string{"e"}), []string{"t"},
			nodeProto("Concat", []string{"s", "s"}, []string{"t"}, intAttribute("axis", 0))),
	} {
		p, err := Compile(f, Env{Limits: Limits{Bytes: 1 << 24}})
		if err != nil {
			t.Fatal(name, err)
		}
		_, err = p.Run(context.Background(), nil)
		if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "bytes") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestManyDimensions takes a rank whose square nobody wants to wait for.
func TestManyDimensions(t *testing.T) {
	const rank = 1 << 20
	ones := make([]int64, rank)
	for i := range ones {
		ones[i] = 1
	}
	p, err := Compile(functionProto(21, []string{"x", "shape"}, []string{"z"},
		nodeProto("Reshape", []string{"x", "shape"}, []string{"y"}), nodeProto("Transpose", []string{"y"}, []string{"z"})), Env{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(context.Background(), []Value{f32s(nil, 7), i64s([]int64{rank}, ones...)})
	if want := "node 1 (Transpose, which gives \"z\"): input 0 (data): limit exceeded: 1048576 dimensions (1024 at most)"; !errors.Is(err, ErrLimit) || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	axes := make([]int64, rank)
	for i := range axes {
		axes[i] = int64(i)
	}
	out, err := runNode(t, 21, "Unsqueeze", []Value{f32s(nil, 7), i64s([]int64{rank}, axes...)}, 1)
	if err != nil || out[0].(*tensor.Tensor).Rank() != rank {
		t.Errorf("Unsqueeze: %v", err)
	}
}

// TestWithin: the same program under other limits, and the old ones stay.
func TestWithin(t *testing.T) {
	fn := &onnxpb.FunctionProto{
		Name: "f", Input: []string{"x"}, Output: []string{"y"}, OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 26}},
		Node: []*onnxpb.NodeProto{{OpType: "Add", Input: []string{"x", "x"}, Output: []string{"y"}}},
	}
	p, err := Compile(fn, Env{})
	if err != nil {
		t.Fatal(err)
	}
	in := []Value{tensor.Of([]int64{4}, float32(1), 2, 3, 4)}
	if _, err := p.Within(Limits{Elements: 3}).Run(t.Context(), in); !errors.Is(err, ErrLimit) {
		t.Errorf("3 elements: %v", err)
	}
	if _, err := p.Run(t.Context(), in); err != nil {
		t.Error(err)
	}
}
