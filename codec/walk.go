// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"

	"github.com/structview/structview/onnxpb"
)

// eachNode calls visit for every node below nodes, those of subgraphs included,
// with its path below prefix.
func eachNode(nodes []*onnxpb.NodeProto, prefix string, visit func(n *onnxpb.NodeProto, path string)) {
	for i, n := range nodes {
		path := fmt.Sprintf("%s.node[%d]", prefix, i)
		visit(n, path)
		subgraphs(n, path, func(g *onnxpb.GraphProto, at string) {
			eachNode(g.GetNode(), at, visit)
		})
	}
}

// subgraphs calls visit for the graphs among a node's attributes.
func subgraphs(n *onnxpb.NodeProto, path string, visit func(g *onnxpb.GraphProto, at string)) {
	for j, a := range n.GetAttribute() {
		at := child(path, "attribute", j)
		if a.GetG() != nil {
			visit(a.GetG(), at+".g")
		}
		for k, g := range a.GetGraphs() {
			visit(g, child(at, "graphs", k))
		}
	}
}

// topGraphs calls visit for the graphs of a model that are not within another.
func topGraphs(m *onnxpb.ModelProto, visit func(g *onnxpb.GraphProto, at string)) {
	visit(m.GetGraph(), "graph")
	for i, t := range m.GetTrainingInfo() {
		visit(t.GetInitialization(), child("", "training_info", i)+".initialization")
		visit(t.GetAlgorithm(), child("", "training_info", i)+".algorithm")
	}
}

// child is the path of an element of a repeated field.
func child(at, name string, i int) string {
	if at != "" {
		at += "."
	}
	return fmt.Sprintf("%s%s[%d]", at, name, i)
}
