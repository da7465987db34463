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

// mostHelp is how many wrong names of one codec get the nearest name, whose search is dear.
const mostHelp = 8

// errNoPath says that a name is no path of the root.
type errNoPath struct{ error }

func (e errNoPath) Unwrap() error { return e.error }

// binder binds the names of one codec to the leaves of its root.
type binder struct {
	layout   *structview.Layout
	declared map[string]eval.ValueType
	wrong    int // names so far that are no path
}

func newBinder(root *structview.Type, fn *onnxpb.FunctionProto) *binder {
	return &binder{layout: root.Layout(), declared: declared(fn)}
}

// bind looks a name up.
func (b *binder) bind(name string) (binding, error) {
	leaf, ok := b.layout.Find(name)
	switch {
	case !ok:
		return binding{}, errNoPath{b.unknown(name)}
	case leaf.Constant != nil:
		return binding{leaf, eval.TypeOf(leaf.Constant)}, nil
	}
	dims, err := leaf.TensorDims()
	return binding{leaf, eval.TensorType(leaf.Element, dims...)}, err
}

func (b *binder) unknown(name string) error {
	if b.wrong++; b.wrong <= mostHelp {
		if _, err := b.layout.Leaf(name); err != nil {
			return err
		}
	}
	return errors.New("no such path")
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

// declared are the types that a function states for its names in its value_info.
func declared(fn *onnxpb.FunctionProto) map[string]eval.ValueType {
	types := make(map[string]eval.ValueType, len(fn.GetValueInfo()))
	for _, info := range fn.GetValueInfo() {
		if t := info.GetType().GetTensorType(); t != nil {
			types[info.GetName()] = tensorType(t)
		}
	}
	return types
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
