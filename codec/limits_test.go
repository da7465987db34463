// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// count is {n: INT64} with a decoder of the given nodes, which compute y.
func count(nodes ...*onnxpb.NodeProto) *onnxpb.StructTypeProto {
	return with(structure(field("n", leaf(tensor.Int64))), function(names("n"), names("y"), nodes...), nil)
}

func vector(name string, v ...int64) *onnxpb.NodeProto {
	return value(name, tensor.Of([]int64{int64(len(v))}, v...))
}

// A bomb that shows in the types is refused, at the latest when it is run, before memory is taken for it.
func TestStaticBombs(t *testing.T) {
	for name, nodes := range map[string][]*onnxpb.NodeProto{
		"Expand":          {vector("s", 1<<40), node("Expand", names("n", "s"), names("y"))},
		"Expand overflow": {vector("s", 1<<40, 1<<40), node("Expand", names("n", "s"), names("y"))},
		"ConstantOfShape": {vector("s", 1<<20, 1<<20), node("ConstantOfShape", names("s"), names("y"))},
	} {
		begin := time.Now()
		c, err := codec.New(root(t, count(nodes...)), codec.Env{})
		if err == nil {
			_, err = c.Decode(t.Context(), make([]byte, 8))
		}
		if !errors.Is(err, eval.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
		if d := time.Since(begin); d > time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}

// One that depends on the payload ends the run.
func TestPayloadBombs(t *testing.T) {
	loop := func() *onnxpb.NodeProto {
		return node("Loop", names("n", "true", "one"), names("y"), &onnxpb.AttributeProto{
			Name: "body", Type: onnxpb.AttributeProto_GRAPH, G: &onnxpb.GraphProto{
				Input: []*onnxpb.ValueInfoProto{info("i", leaf(tensor.Int64)), info("go", leaf(tensor.Bool)), info("v", leaf(tensor.Int64))},
				Node: []*onnxpb.NodeProto{
					node("Identity", names("go"), names("on")), node("Add", names("v", "v"), names("w")),
				},
				Output: []*onnxpb.ValueInfoProto{info("on", leaf(tensor.Bool)), info("w", leaf(tensor.Int64))},
			},
		})
	}
	for name, nodes := range map[string][]*onnxpb.NodeProto{
		"Expand": {
			vector("one", 1), node("Reshape", names("n", "one"), names("s")), node("Expand", names("n", "s"), names("y")),
		},
		"Loop": {
			value("true", tensor.Of([]int64{}, true)), value("one", tensor.Of([]int64{}, int64(1))), loop(),
		},
	} {
		c, err := codec.New(root(t, count(nodes...)), codec.Env{Limits: eval.Limits{Nodes: 10000}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		payload := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00} // 2^56-1
		begin := time.Now()
		if _, err := c.Decode(t.Context(), payload); !errors.Is(err, eval.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
		if d := time.Since(begin); d > time.Second {
			t.Errorf("%s took %v", name, d)
		}
		if _, err := c.Decode(t.Context(), []byte{2, 0, 0, 0, 0, 0, 0, 0}); err != nil {
			t.Errorf("%s of 2: %v", name, err)
		}
	}
}

// Calls nest only so deep.
func TestDeepCalls(t *testing.T) {
	chain := func(n int) codec.Env {
		env := codec.Env{}
		for i := range n - 1 {
			env.Functions = append(env.Functions, modelFunction(fmt.Sprint("f", i), fmt.Sprint("f", i+1)))
		}
		env.Functions = append(env.Functions, modelFunction(fmt.Sprint("f", n-1)))
		return env
	}
	decl := byteAnd(calling("f0", "alpha", "y"), nil)
	if _, err := codec.New(root(t, decl), chain(20)); err != nil {
		t.Errorf("20 calls: %v", err)
	}
	_, err := codec.New(root(t, decl), chain(200))
	if !errors.Is(err, codec.ErrLimit) || !strings.Contains(err.Error(), "deeper than 64") {
		t.Errorf("200 calls: %.200v", err)
	}
}
