// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// memory is a value as the index describes it: one member is set.
type memory struct {
	Struct   *string         `json:"struct"` // the name of a structured value of the model
	Tensor   *Elements       `json:"tensor"`
	Sequence []memory        `json:"sequence"`
	Optional json.RawMessage `json:"optional"` // null, or a value
	Map      *struct {
		Key    string   `json:"key"`
		Values []memory `json:"values"`
	} `json:"map"`
}

func (f *fixture) structured(name string) *onnxpb.StructProto {
	for _, v := range f.file.Model.GetGraph().GetStructInitializer() {
		if v.GetName() == name {
			return v
		}
	}
	return nil
}

// accepts compares the verdict of a static type on a value.
func (f *fixture) accepts() error {
	var static *onnxpb.TypeProto
	for _, info := range f.file.Model.GetGraph().GetInput() {
		if info.GetName() == f.Static {
			static = info.GetType()
		}
	}
	v, err := f.value(f.Value)
	if err != nil {
		return err
	}
	found := f.rule(f.declarations.Accepts(static, v))
	want := ""
	if !f.Accepted {
		want = string(structview.ErrNotAccepted)
	}
	return compare("refused by", want, found)
}

func (f *fixture) value(text json.RawMessage) (structview.Value, error) {
	var m memory
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	return f.inMemory(m)
}

func (f *fixture) inMemory(m memory) (structview.Value, error) {
	switch {
	case m.Struct != nil:
		v := f.structured(*m.Struct)
		if v == nil {
			return nil, fmt.Errorf("value: the model has no value %q", *m.Struct)
		}
		return structview.Struct{Proto: v}, nil
	case m.Tensor != nil:
		return m.Tensor.zeros()
	case m.Sequence != nil:
		list, err := f.inMemoryAll(m.Sequence)
		return structview.Sequence(list), err
	case m.Map != nil:
		list, err := f.inMemoryAll(m.Map.Values)
		return structview.Map{Keys: keys(m.Map.Key, len(list)), Values: list}, err
	case m.Optional == nil || string(m.Optional) == "null":
		return structview.Optional{}, nil
	}
	v, err := f.value(m.Optional)
	return structview.Optional{Value: v}, err
}

func (f *fixture) inMemoryAll(list []memory) ([]structview.Value, error) {
	all := make([]structview.Value, len(list))
	for i, m := range list {
		var err error
		if all[i], err = f.inMemory(m); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// keys are n keys of a map, all different.
func keys(element string, n int) *tensor.Tensor {
	if element == tensor.String.String() {
		names := make([][]byte, n)
		for i := range names {
			names[i] = strconv.AppendInt(nil, int64(i), 10)
		}
		t, _ := tensor.NewStrings([]int64{int64(n)}, names)
		return t
	}
	numbers := make([]int64, n)
	for i := range numbers {
		numbers[i] = int64(i)
	}
	return tensor.Of([]int64{int64(n)}, numbers...)
}

// zeros is a tensor of which only element type and dimensions matter.
func (e *Elements) zeros() (*tensor.Tensor, error) {
	t, dims, n, err := e.form()
	if err != nil {
		return nil, err
	}
	return tensor.New(t, dims, make([]byte, (uint64(n)*t.Bits()+7)/8))
}
