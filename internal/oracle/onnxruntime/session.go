// SPDX-License-Identifier: Apache-2.0

// Package onnxruntime runs ONNX functions in stock onnxruntime, as a referee
// for package eval.
package onnxruntime

import (
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Library is the loaded onnxruntime. A process has one.
type Library struct{}

// Open loads the shared library at a path, unless the process has loaded one already. It must not be called concurrently.
func Open(path string) (Library, error) {
	if ort.IsInitialized() {
		return Library{}, nil
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return Library{}, fmt.Errorf("onnxruntime: %w", err)
	}
	return Library{}, nil
}

// Run loads a model, with optimisation off, and runs it once. The model has one input, which is fed with x, and outputs
// of rank 1 and of element types that Go has.
func (Library) Run(m *onnxpb.ModelProto, x []int64) ([]*tensor.Tensor, error) {
	data, err := proto.Marshal(m)
	if err != nil {
		return nil, err
	}
	options, err := cheapSession()
	if err != nil {
		return nil, err
	}
	defer options.Destroy()
	var names []string
	for _, v := range m.Graph.Output {
		names = append(names, v.Name)
	}
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(data, []string{m.Graph.Input[0].Name}, names, options)
	if err != nil {
		return nil, err
	}
	defer s.Destroy()
	in, err := ort.NewTensor(ort.NewShape(int64(len(x))), x)
	if err != nil {
		return nil, err
	}
	defer in.Destroy()
	out := make([]ort.Value, len(names))
	if err := s.Run([]ort.Value{in}, out); err != nil {
		return nil, err
	}
	return collect(out)
}

func cheapSession() (*ort.SessionOptions, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	for _, err := range []error{
		o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelDisableAll),
		o.SetIntraOpNumThreads(1),
		o.SetInterOpNumThreads(1),
		o.SetMemPattern(false),
	} {
		if err != nil {
			o.Destroy()
			return nil, err
		}
	}
	return o, nil
}

func collect(values []ort.Value) ([]*tensor.Tensor, error) {
	list := make([]*tensor.Tensor, len(values))
	for i, v := range values {
		t, err := vector(v)
		if err != nil {
			return nil, fmt.Errorf("output %d: %w", i, err)
		}
		list[i] = t
		if err := v.Destroy(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func vector(v ort.Value) (*tensor.Tensor, error) {
	dims := v.GetShape()
	if len(dims) != 1 {
		return nil, fmt.Errorf("dimensions %v", dims)
	}
	switch v := v.(type) {
	case *ort.Tensor[float32]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[float64]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[int8]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[int16]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[int32]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[int64]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[uint8]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[uint16]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[uint32]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[uint64]:
		return tensor.Of(dims, v.GetData()...), nil
	case *ort.Tensor[bool]:
		return tensor.Of(dims, v.GetData()...), nil
	}
	return nil, fmt.Errorf("value of an unexpected type %T", v)
}
