// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// attributes are the attributes of one node, references resolved, defaults filled in.
type attributes struct { // maps are nil until something is in them
	protos  map[string]*onnxpb.AttributeProto
	tensors map[string]*tensor.Tensor
	graphs  map[string]*graph
}

// has reports whether the attribute is given or has a default.
func (a *attributes) has(name string) bool { return a.protos[name] != nil }

func (a *attributes) int(name string) int64 { return a.protos[name].GetI() }

func (a *attributes) flag(name string) bool { return a.protos[name].GetI() != 0 }

func (a *attributes) float(name string) float32 { return a.protos[name].GetF() }

func (a *attributes) string(name string) string { return string(a.protos[name].GetS()) }

func (a *attributes) ints(name string) []int64 { return a.protos[name].GetInts() }

func (a *attributes) floats(name string) []float32 { return a.protos[name].GetFloats() }

func (a *attributes) strings(name string) [][]byte { return a.protos[name].GetStrings() }

func (a *attributes) typ(name string) *onnxpb.TypeProto { return a.protos[name].GetTp() }

// tensor returns a TENSOR attribute, nil if it is not given.
func (a *attributes) tensor(name string) *tensor.Tensor { return a.tensors[name] }

// graph returns a GRAPH attribute, nil if it is not given.
func (a *attributes) graph(name string) *graph { return a.graphs[name] }

// set adds an attribute and reads its tensor.
func (a *attributes) set(p *onnxpb.AttributeProto, name string) error {
	a.give(name, p)
	if p.GetT() == nil {
		return nil
	}
	t, err := tensor.FromProto(p.GetT())
	if err != nil {
		return fmt.Errorf("attribute %q: %w", name, err)
	}
	if a.tensors == nil {
		a.tensors = map[string]*tensor.Tensor{}
	}
	a.tensors[name] = t
	return nil
}

func (a *attributes) give(name string, p *onnxpb.AttributeProto) {
	if a.protos == nil {
		a.protos = map[string]*onnxpb.AttributeProto{}
	}
	a.protos[name] = p
}

// filled refuses a given attribute that names a graph or tensor and holds none. Fields of the other kinds have a
// zero, which is a value.
func (a *attributes) filled(d *attribute) error {
	if d.kind == aGraph && a.graphs[d.name] == nil || d.kind == aTensor && a.tensors[d.name] == nil {
		return fmt.Errorf("attribute %q holds no %v", d.name, d.kind)
	}
	return nil
}

// checkKind refuses an attribute of another type than the schema's. Old writers left the type
// out; the field that is set tells then.
func checkKind(p *onnxpb.AttributeProto, want onnxpb.AttributeProto_AttributeType) error {
	got := p.GetType()
	if got == onnxpb.AttributeProto_UNDEFINED || want == onnxpb.AttributeProto_UNDEFINED || got == want {
		return nil
	}
	return fmt.Errorf("attribute %q is %v, the operator takes %v", p.GetName(), got, want)
}
