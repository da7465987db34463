// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/internal/nearest"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// value is one value of a file: an ordinary initializer or a structured value.
type value struct {
	name    string
	tensor  *onnxpb.TensorProto
	structp *onnxpb.StructProto
}

// message is the value as container.File knows it.
func (v value) message() proto.Message {
	if v.tensor != nil {
		return v.tensor
	}
	return v.structp
}

// values lists the values of the main graph: ordinary ones first.
func (s *source) values() []value {
	graph := s.Model.GetGraph()
	all := make([]value, 0, len(graph.GetInitializer())+len(graph.GetStructInitializer()))
	for _, t := range graph.GetInitializer() {
		all = append(all, value{name: t.GetName(), tensor: t})
	}
	for _, v := range graph.GetStructInitializer() {
		all = append(all, value{name: v.GetName(), structp: v})
	}
	return all
}

// find splits NAME[PATH] and returns the value and the path into it. The name is
// the longest existing one that is followed by the end, '[' or '.'; a JSON string
// forces it.
func (s *source) find(argument string) (value, string, error) {
	all := s.values()
	name, path, quoted, err := splitQuoted(argument)
	if err != nil {
		return value{}, "", err
	}
	var best value
	found := false
	for _, v := range all {
		if quoted {
			if v.name == name {
				return v, path, nil
			}
			continue
		}
		if rest, ok := strings.CutPrefix(argument, v.name); ok && (!found || len(v.name) > len(best.name)) &&
			(rest == "" || rest[0] == '[' || rest[0] == '.') {
			best, path, found = v, rest, true
		}
	}
	if found {
		return best, path, nil
	}
	if !quoted {
		name, _, _ = strings.Cut(argument, "[")
	}
	return value{}, "", noSuchValue(name, all)
}

// splitQuoted takes a JSON string off the front of an argument.
func splitQuoted(argument string) (name, path string, quoted bool, err error) {
	if !strings.HasPrefix(argument, `"`) {
		return "", "", false, nil
	}
	decoder := json.NewDecoder(strings.NewReader(argument))
	if err := decoder.Decode(&name); err != nil {
		return "", "", false, usage("%s: the quoted name is no JSON string: %v", argument, err)
	}
	path = argument[decoder.InputOffset():]
	if path != "" && path[0] != '[' && path[0] != '.' {
		return "", "", false, usage("%s: expected . or [ after the quoted name, found %q", argument, path)
	}
	return name, path, true, nil
}

func noSuchValue(name string, all []value) error {
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = v.name
	}
	if near, ok := nearest.Of(name, names); ok {
		return invalid("no value is named %q; the nearest name is %q", name, near)
	}
	for _, longer := range names {
		if name != "" && strings.HasPrefix(longer, name) {
			return invalid("no value is named %q; one that begins so is %q", name, longer)
		}
	}
	if len(all) == 0 {
		return invalid("no value is named %q: the file has no values", name)
	}
	return invalid("no value is named %q; 'structview ls' lists %s", name, plural(len(all), "name"))
}

// structType resolves the type of a structured value.
func (s *source) structType(v value) (*structview.Type, error) {
	return s.declarations.TypeOf(v.structp)
}

// view overlays a structured value's type on its payload.
func (s *source) view(v value) (structview.View, error) {
	t, err := s.structType(v)
	if err != nil {
		return structview.View{}, err
	}
	payload, err := s.Bytes(v.structp)
	if err != nil {
		return structview.View{}, err
	}
	return structview.NewView(t, payload)
}

// dense reads an ordinary initializer wherever its data is.
func (s *source) dense(v value) (*tensor.Tensor, error) {
	if v.tensor.GetDataLocation() != onnxpb.TensorProto_EXTERNAL && len(v.tensor.GetRawData()) == 0 {
		if place, err := s.Place(v.tensor); err != nil || place.Offset < 0 {
			return tensor.FromProto(v.tensor)
		}
	}
	payload, err := s.Bytes(v.tensor)
	if err != nil {
		return nil, err
	}
	return tensor.New(tensor.Type(v.tensor.GetDataType()), v.tensor.GetDims(), payload)
}

// shapeText writes dimensions as ONNX's text does: "[2, 3]"; "?" is unknown.
func shapeText[T int64 | uint64](dims []T) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = fmt.Sprint(d)
		if parts[i] == "-1" {
			parts[i] = "?"
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
