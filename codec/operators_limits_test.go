// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"errors"
	"testing"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// The limits of a graph hold for all that its Decode nodes run.
func TestGraphLimits(t *testing.T) {
	body := &onnxpb.GraphProto{
		Input:  []*onnxpb.ValueInfoProto{info("i", leaf(tensor.Int64)), info("go", leaf(tensor.Bool)), info("old", leaf(tensor.Float, 1, 4))},
		Node:   []*onnxpb.NodeProto{node("Identity", names("go"), names("on")), sv("Decode", "w", "new")},
		Output: []*onnxpb.ValueInfoProto{info("on", leaf(tensor.Bool)), info("new", leaf(tensor.Float, 1, 4))},
	}
	m := model([]*onnxpb.StructTypeProto{linear(1)}, &onnxpb.GraphProto{
		StructInitializer: []*onnxpb.StructProto{structured("w", 0, 0x00, 0x3c, 0x91, 0x5a)},
		Node: []*onnxpb.NodeProto{
			value("true", tensor.Of([]int64{}, true)), value("n", tensor.Of([]int64{}, int64(100))),
			value("zeros", tensor.Of([]int64{1, 4}, float32(0), 0, 0, 0)),
			node("Loop", names("n", "true", "zeros"), names("y"), &onnxpb.AttributeProto{Name: "body", Type: onnxpb.AttributeProto_GRAPH, G: body}),
		},
		Output: []*onnxpb.ValueInfoProto{info("y", leaf(tensor.Float, 1, 4))},
	})
	env := codec.Operators(m, nil)
	env.Limits = eval.Limits{Nodes: 500}
	p, err := eval.CompileModel(m, env)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context(), nil); !errors.Is(err, eval.ErrLimit) {
		t.Errorf("got %v", err)
	}
}
