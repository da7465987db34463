// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// typeOfProto returns the type that a graph declares; a structured type is opaque and
// described by its *onnxpb.StructTypeProto.
func typeOfProto(p *onnxpb.TypeProto) ValueType {
	switch {
	case p.GetTensorType() != nil:
		return tensorOfProto(p.GetTensorType())
	case p.GetSequenceType() != nil:
		return SequenceType(typeOfProto(p.GetSequenceType().GetElemType()))
	case p.GetOptionalType() != nil:
		return OptionalType(typeOfProto(p.GetOptionalType().GetElemType()))
	case p.GetStructType() != nil:
		return OpaqueType(p.GetStructType())
	}
	return ValueType{}
}

func tensorOfProto(p *onnxpb.TypeProto_Tensor) ValueType {
	t := UnrankedType(tensor.Type(p.GetElemType()))
	if p.GetShape() == nil {
		return t
	}
	t.Ranked = true
	for _, d := range p.GetShape().GetDim() {
		v := unknown
		if dv, ok := d.GetValue().(*onnxpb.TensorShapeProto_Dimension_DimValue); ok && dv.DimValue >= 0 {
			v = dv.DimValue
		}
		t.Dims = append(t.Dims, v)
	}
	return t
}
