// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// binding is a leaf of the root under the name that a codec gives it.
type binding struct {
	leaf structview.Leaf
	typ  eval.ValueType // SV042 to SV044; a constant is known
}

// errNoPath says that a name is no path of the root.
type errNoPath struct{ error }

func (e errNoPath) Unwrap() error { return e.error }

// bind looks a name up.
func bind(layout *structview.Layout, name string) (binding, error) {
	leaf, err := layout.Leaf(name)
	switch {
	case err != nil:
		return binding{}, errNoPath{err}
	case leaf.Constant != nil:
		return binding{leaf, eval.TypeOf(leaf.Constant)}, nil
	}
	dims, err := leaf.TensorDims()
	return binding{leaf, eval.TensorType(leaf.Element, dims...)}, err
}

// because is what an error of bind says, without the rule and the path, and its rule.
func because(err error) (string, structview.Rule) {
	var no errNoPath
	var d *structview.Diagnostic
	switch is := errors.As(err, &d); {
	case errors.As(err, &no) && is:
		return d.Message, ErrCodec
	case is:
		return d.Message, structview.Rule(d.Rule)
	}
	return err.Error(), ErrCodec
}

// declared is the type that a function states for one of its names in its value_info,
// unknown if it states none.
func declared(fn *onnxpb.FunctionProto, name string) eval.ValueType {
	for _, info := range fn.GetValueInfo() {
		if info.GetName() != name {
			continue
		}
		if t := info.GetType().GetTensorType(); t != nil {
			return tensorType(t)
		}
	}
	return eval.ValueType{}
}

func tensorType(p *onnxpb.TypeProto_Tensor) eval.ValueType {
	t := eval.UnrankedType(tensor.Type(p.GetElemType()))
	if p.GetShape() == nil {
		return t
	}
	t.Ranked = true
	for _, d := range p.GetShape().GetDim() {
		size := int64(-1)
		if v, ok := d.GetValue().(*onnxpb.TensorShapeProto_Dimension_DimValue); ok {
			size = v.DimValue
		}
		t.Dims = append(t.Dims, size)
	}
	return t
}
