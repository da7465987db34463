// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/structview/structview/onnxpb"
	"google.golang.org/protobuf/proto"
)

// ErrConflict is wrapped by the errors of [Merge]: two models give one name different meanings.
var ErrConflict = errors.New("conflict")

// MergeOptions say how [Merge] treats conflicts. The zero value refuses them.
type MergeOptions struct {
	// Rename gives a declaration of src another name, because dst has one of its name
	// with another structural hash. "" refuses.
	Rename func(name string) string
}

// Merge adds everything that src holds to dst: declarations, functions, imported
// operator sets, and the graph's inputs, outputs, values and nodes. Declarations of one
// name and one structural hash ([Hash]) are shared, and so are equal functions; every
// type_index is renumbered. Declarations of one name with different hashes are refused
// unless they are renamed; functions of one name that differ, versions of one operator
// set that differ, and names that both graphs define are refused (SV049, SV050).
//
// src is taken over, not copied, since its payloads may be large: it must not be used
// afterwards. Metadata and documentation of dst stay as they are, those of src are lost,
// and so is its training information. If there is an error, both models are unchanged.
func Merge(dst, src *onnxpb.ModelProto, opts MergeOptions) error {
	m := merger{dst: dst, src: src, opts: opts}
	for _, step := range []func() error{m.opsets, m.functions, m.declarations, m.references, m.names} {
		if err := step(); err != nil {
			return err
		}
	}
	m.apply()
	return nil
}

// merger collects what is to be added before it changes anything.
type merger struct {
	dst, src     *onnxpb.ModelProto
	opts         MergeOptions
	addOpsets    []*onnxpb.OperatorSetIdProto
	addFunctions []*onnxpb.FunctionProto
	addTypes     []int // entries of src that are added, in their order
	newNames     map[int]string
	to           []int32 // the new index of each entry of src
}

func (m *merger) opsets() error {
	have := map[string]int64{}
	for _, o := range m.dst.GetOpsetImport() {
		have[domainName(o.GetDomain())] = o.GetVersion()
	}
	for _, o := range m.src.GetOpsetImport() {
		domain := domainName(o.GetDomain())
		version, ok := have[domain]
		if ok && version != o.GetVersion() {
			return fmt.Errorf("%w: opset_import: versions %d and %d of domain %s", ErrConflict, version, o.GetVersion(), quoteName(domain))
		}
		if !ok {
			have[domain] = o.GetVersion()
			m.addOpsets = append(m.addOpsets, o)
		}
	}
	return nil
}

func (m *merger) functions() error {
	have := map[functionKey]*onnxpb.FunctionProto{}
	for _, f := range m.dst.GetFunctions() {
		have[keyOf(f)] = f
	}
	for _, f := range m.src.GetFunctions() {
		switch old := have[keyOf(f)]; {
		case old == nil:
			m.addFunctions = append(m.addFunctions, f)
		case !proto.Equal(old, f):
			return fmt.Errorf("%w: two functions %s of domain %s differ", ErrConflict, quoteName(f.GetName()), quoteName(f.GetDomain()))
		}
	}
	return nil
}

// identity is what makes two declarations the same.
type identity struct {
	name string
	hash [32]byte
}

func (m *merger) declarations() error {
	mine, err := identities(m.dst)
	if err != nil {
		return fmt.Errorf("the model to add to: %w", err)
	}
	theirs, err := identities(m.src)
	if err != nil {
		return fmt.Errorf("the model to add: %w", err)
	}
	index, named := map[identity]int32{}, map[string]bool{}
	for i, id := range mine {
		if _, ok := index[id]; !ok {
			index[id] = int32(i)
		}
		named[id.name] = true
	}
	m.newNames = map[int]string{}
	m.to = make([]int32, len(theirs))
	for i, id := range theirs {
		old, shared := index[id]
		if !shared {
			if id.name, err = m.free(id.name, named); err != nil {
				return err
			}
			if id.name != theirs[i].name {
				m.newNames[i], named[id.name] = id.name, true
			}
			old = int32(len(mine) + len(m.addTypes))
			m.addTypes = append(m.addTypes, i)
		}
		m.to[i] = old
	}
	return nil
}

func identities(m *onnxpb.ModelProto) ([]identity, error) {
	d, findings := Resolve(m.GetStructTypes())
	if err := Errors(findings); err != nil {
		return nil, err
	}
	ids := make([]identity, d.Len())
	for i := range ids {
		t, err := d.At(i)
		if err != nil {
			return nil, err
		}
		ids[i] = identity{t.Name(), Hash(t, m.GetFunctions())}
	}
	return ids, nil
}

// free returns a name for a declaration that dst does not use for another one.
func (m *merger) free(name string, named map[string]bool) (string, error) {
	if name == "" || !named[name] {
		return name, nil
	}
	other := ""
	if m.opts.Rename != nil {
		other = m.opts.Rename(name)
	}
	if other == "" || named[other] {
		return "", fmt.Errorf("%w: two declarations %s have different structural hashes", ErrConflict, quoteName(name))
	}
	return other, nil
}

// references refuses indices that lead nowhere, since they might lead somewhere in dst.
func (m *merger) references() error {
	var err error
	Renumber(m.src, func(i int32) int32 {
		if (i < 0 || int(i) >= len(m.to)) && err == nil {
			err = &Diagnostic{Rule: string(ErrReference), Message: fmt.Sprintf("index %d in the model to add names no declaration: %s", i, have(len(m.to)))}
		}
		return i
	})
	return err
}

// names refuses names that both graphs define.
func (m *merger) names() error {
	have := definedNames(m.dst.GetGraph())
	for _, name := range slices.Sorted(maps.Keys(definedNames(m.src.GetGraph()))) {
		if have[name] {
			return fmt.Errorf("%w: both graphs define %s", ErrConflict, quoteName(name))
		}
	}
	return nil
}

// definedNames are those of inputs, initializers, values and outputs of nodes.
func definedNames(g *onnxpb.GraphProto) map[string]bool {
	names := map[string]bool{}
	for _, v := range g.GetInput() {
		names[v.GetName()] = true
	}
	for name := range takenNames(g) {
		names[name] = true
	}
	for _, v := range g.GetStructInitializer() {
		names[v.GetName()] = true
	}
	for _, n := range g.GetNode() {
		for _, output := range n.GetOutput() {
			names[output] = true
		}
	}
	delete(names, "")
	return names
}

// apply adds what was collected.
func (m *merger) apply() {
	Renumber(m.src, func(i int32) int32 { return m.to[i] })
	for _, i := range m.addTypes {
		d := m.src.StructTypes[i]
		if name, ok := m.newNames[i]; ok {
			d.Name = name
		}
		m.dst.StructTypes = append(m.dst.StructTypes, d)
	}
	m.dst.OpsetImport = append(m.dst.OpsetImport, m.addOpsets...)
	m.dst.Functions = append(m.dst.Functions, m.addFunctions...)
	m.dst.IrVersion = max(m.dst.IrVersion, m.src.GetIrVersion())
	from := m.src.GetGraph()
	if from == nil {
		return
	}
	if m.dst.Graph == nil {
		m.dst.Graph = &onnxpb.GraphProto{Name: from.Name}
	}
	g := m.dst.Graph
	g.Input = append(g.Input, from.Input...)
	g.Output = append(g.Output, from.Output...)
	g.ValueInfo = append(g.ValueInfo, from.ValueInfo...)
	g.Initializer = append(g.Initializer, from.Initializer...)
	g.SparseInitializer = append(g.SparseInitializer, from.SparseInitializer...)
	g.StructInitializer = append(g.StructInitializer, from.StructInitializer...)
	g.QuantizationAnnotation = append(g.QuantizationAnnotation, from.QuantizationAnnotation...)
	g.Node = append(g.Node, from.Node...)
}
