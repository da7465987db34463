// SPDX-License-Identifier: Apache-2.0

package catalog

import "github.com/structview/structview/onnxpb"

// references calls visit for each static reference within a declaration, so that it can be followed or changed.
func references(d *onnxpb.StructTypeProto, visit func(*onnxpb.StructTypeProto)) {
	switch kind := d.GetKind().(type) {
	case *onnxpb.StructTypeProto_TypeIndex:
		visit(d)
	case *onnxpb.StructTypeProto_Array_:
		typeReferences(kind.Array.GetElementType(), visit)
	case *onnxpb.StructTypeProto_Structure_:
		for _, f := range kind.Structure.GetField() {
			typeReferences(f.GetType(), visit)
		}
	}
}

func typeReferences(t *onnxpb.TypeProto, visit func(*onnxpb.StructTypeProto)) {
	if inner := t.GetStructType(); inner != nil {
		references(inner, visit)
	}
}

// reachable returns the indices that a declaration needs, itself last, each after those that it refers to.
// References must be acyclic.
func reachable(types []*onnxpb.StructTypeProto, root int) []int {
	seen := make([]bool, len(types))
	var order []int
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		references(types[i], func(ref *onnxpb.StructTypeProto) { visit(int(ref.GetTypeIndex())) })
		order = append(order, i)
	}
	visit(root)
	return order
}

// renumber changes the references within d by a map from old to new indices.
func renumber(d *onnxpb.StructTypeProto, to map[int32]int32) {
	references(d, func(ref *onnxpb.StructTypeProto) {
		ref.Kind = &onnxpb.StructTypeProto_TypeIndex{TypeIndex: to[ref.GetTypeIndex()]}
	})
}

// calledFunctions returns those of functions that a codec calls, directly or through another, in their order.
func calledFunctions(functions []*onnxpb.FunctionProto, codecs ...*onnxpb.FunctionProto) []*onnxpb.FunctionProto {
	type key struct{ domain, name, overload string }
	byKey := map[key]int{}
	for i, f := range functions {
		byKey[key{f.Domain, f.Name, f.Overload}] = i
	}
	called := make([]bool, len(functions))
	var walk func(nodes []*onnxpb.NodeProto)
	walk = func(nodes []*onnxpb.NodeProto) {
		for _, n := range nodes {
			if i, ok := byKey[key{n.Domain, n.OpType, n.Overload}]; ok && !called[i] {
				called[i] = true
				walk(functions[i].Node)
			}
			for _, a := range n.Attribute {
				walk(a.GetG().GetNode())
				for _, g := range a.GetGraphs() {
					walk(g.GetNode())
				}
			}
		}
	}
	for _, c := range codecs {
		walk(c.GetNode())
	}
	var result []*onnxpb.FunctionProto
	for i, f := range functions {
		if called[i] {
			result = append(result, f)
		}
	}
	return result
}
