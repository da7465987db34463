// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"errors"
	"fmt"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

// ErrConflict is wrapped by the error of [Instance.AddTo] when a model has another declaration, function or
// version under a name that the instance needs.
var ErrConflict = errors.New("conflict")

// AddTo puts the instance into a model and returns the index of its root in m.StructTypes. Declarations and
// functions that m has already, equal in content, are shared. A declaration or function of the same name with other content, or another
// version of an operator set, is refused, and m is left as it was. m's IR version is raised to that of the codecs if it is lower.
func (in *Instance) AddTo(m *onnxpb.ModelProto) (int32, error) {
	opsets, err := in.missingOpsets(m)
	if err != nil {
		return 0, err
	}
	functions, err := in.missingFunctions(m)
	if err != nil {
		return 0, err
	}
	types, root, err := in.missingTypes(m)
	if err != nil {
		return 0, err
	}
	m.OpsetImport = append(m.OpsetImport, opsets...)
	m.Functions = append(m.Functions, functions...)
	m.StructTypes = append(m.StructTypes, types...)
	m.IrVersion = max(m.IrVersion, irVersion)
	return root, nil
}

func (in *Instance) missingOpsets(m *onnxpb.ModelProto) ([]*onnxpb.OperatorSetIdProto, error) {
	var missing []*onnxpb.OperatorSetIdProto
	for _, want := range in.Opsets {
		found := false
		for _, have := range m.OpsetImport {
			if operatorDomain(have.Domain) != operatorDomain(want.Domain) {
				continue
			}
			found = true
			if have.Version != want.Version {
				return nil, fmt.Errorf("%w: opset_import: the model has version %d of domain %q, the format's codecs need %d",
					ErrConflict, have.Version, have.Domain, want.Version)
			}
		}
		if !found {
			missing = append(missing, proto.CloneOf(want))
		}
	}
	return missing, nil
}

// operatorDomain returns the one spelling of ONNX's own domain.
func operatorDomain(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

func (in *Instance) missingFunctions(m *onnxpb.ModelProto) ([]*onnxpb.FunctionProto, error) {
	type key struct{ domain, name, overload string }
	have := make(map[key]*onnxpb.FunctionProto, len(m.Functions))
	for _, f := range m.Functions {
		have[key{f.Domain, f.Name, f.Overload}] = f
	}
	var missing []*onnxpb.FunctionProto
	for _, f := range in.Functions {
		switch old := have[key{f.Domain, f.Name, f.Overload}]; {
		case old == nil:
			missing = append(missing, proto.CloneOf(f))
		case !proto.Equal(old, f):
			return nil, fmt.Errorf("%w: the model has another function %s.%s", ErrConflict, f.Domain, f.Name)
		}
	}
	return missing, nil
}

// missingTypes returns the declarations to append, references renumbered, and where the root is then.
func (in *Instance) missingTypes(m *onnxpb.ModelProto) (missing []*onnxpb.StructTypeProto, root int32, err error) {
	byName := make(map[string][]int32, len(m.StructTypes))
	for i, d := range m.StructTypes {
		byName[d.Name] = append(byName[d.Name], int32(i))
	}
	to := map[int32]int32{}
	for i, d := range in.Types {
		d = proto.CloneOf(d)
		renumber(d, to)
		index := int32(-1)
		for _, j := range byName[d.Name] {
			if proto.Equal(m.StructTypes[j], d) {
				index = j
			}
		}
		if index < 0 && d.Name != "" && len(byName[d.Name]) > 0 {
			return nil, 0, fmt.Errorf("%w: the model has another declaration %s, struct_types[%d]", ErrConflict, strconv.Quote(d.Name), byName[d.Name][0])
		}
		if index < 0 {
			index = int32(len(m.StructTypes) + len(missing))
			missing = append(missing, d)
		}
		to[int32(i)] = index
		root = index
	}
	return missing, root, nil
}
