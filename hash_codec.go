// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// encoding is the bytes of a canonical encoding: numbers in 8 bytes, texts and lists
// after their length.
type encoding struct{ b []byte }

func (e *encoding) number(n uint64) { e.b = binary.LittleEndian.AppendUint64(e.b, n) }

func (e *encoding) flag(f bool) {
	if f {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

func (e *encoding) text(s string) {
	e.number(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoding) texts(list []string) {
	e.number(uint64(len(list)))
	for _, s := range list {
		e.text(s)
	}
}

// tensor writes the elements packed as raw_data, whichever field held them.
func (e *encoding) tensor(t *tensor.Tensor) {
	e.number(uint64(t.Type()))
	e.number(uint64(len(t.Dims())))
	for _, d := range t.Dims() {
		e.number(uint64(d))
	}
	if t.Type() == tensor.String {
		e.number(uint64(t.Len()))
		for _, s := range t.Strings() {
			e.text(string(s))
		}
		return
	}
	e.text(string(t.Bytes()))
	if used := uint64(t.Len()) * t.Type().Bits() % 8; used != 0 {
		e.b[len(e.b)-1] &= byte(1)<<used - 1 // the padding has no meaning
	}
}

func (e *encoding) tensorProto(p *onnxpb.TensorProto) {
	t, err := tensor.FromProto(p)
	e.flag(err == nil)
	if err == nil {
		e.tensor(t)
		return
	}
	e.number(uint64(p.GetDataType()))
	e.pairs(p.GetExternalData())
}

func (e *encoding) pairs(list []*onnxpb.StringStringEntryProto) {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b *onnxpb.StringStringEntryProto) int {
		return cmp.Or(cmp.Compare(a.GetKey(), b.GetKey()), cmp.Compare(a.GetValue(), b.GetValue()))
	})
	e.number(uint64(len(sorted)))
	for _, s := range sorted {
		e.text(s.GetKey())
		e.text(s.GetValue())
	}
}

// function writes what a function computes: not its name, documentation, metadata or
// value_info.
func (h *hasher) function(f *onnxpb.FunctionProto) {
	h.texts(f.GetInput())
	h.texts(f.GetOutput())
	h.texts(slices.Sorted(slices.Values(f.GetAttribute())))
	h.attributes(f.GetAttributeProto())
	opsets := slices.SortedFunc(slices.Values(f.GetOpsetImport()), func(a, b *onnxpb.OperatorSetIdProto) int {
		return cmp.Or(cmp.Compare(domainName(a.GetDomain()), domainName(b.GetDomain())), cmp.Compare(a.GetVersion(), b.GetVersion()))
	})
	h.number(uint64(len(opsets)))
	for _, o := range opsets {
		h.text(domainName(o.GetDomain()))
		h.number(uint64(o.GetVersion()))
	}
	h.nodes(f.GetNode())
}

func (h *hasher) nodes(list []*onnxpb.NodeProto) {
	h.number(uint64(len(list)))
	for _, n := range list {
		key := functionKey{domainName(n.GetDomain()), n.GetOpType(), n.GetOverload()}
		if h.functions[key] != nil {
			h.calls[key] = true
		}
		h.text(key.domain)
		h.text(key.name)
		h.text(key.overload)
		h.texts(n.GetInput())
		h.texts(n.GetOutput())
		h.attributes(n.GetAttribute())
	}
}

func (h *hasher) attributes(list []*onnxpb.AttributeProto) {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b *onnxpb.AttributeProto) int { return cmp.Compare(a.GetName(), b.GetName()) })
	h.number(uint64(len(sorted)))
	for _, a := range sorted {
		h.attribute(a)
	}
}

func (h *hasher) attribute(a *onnxpb.AttributeProto) {
	h.text(a.GetName())
	h.text(a.GetRefAttrName())
	h.number(uint64(a.GetType()))
	switch a.GetType() {
	case onnxpb.AttributeProto_FLOAT:
		h.number(uint64(math.Float32bits(a.GetF())))
	case onnxpb.AttributeProto_INT:
		h.number(uint64(a.GetI()))
	case onnxpb.AttributeProto_STRING:
		h.text(string(a.GetS()))
	case onnxpb.AttributeProto_TENSOR:
		h.tensorProto(a.GetT())
	case onnxpb.AttributeProto_GRAPH:
		h.graph(a.GetG())
	case onnxpb.AttributeProto_SPARSE_TENSOR:
		h.sparse(a.GetSparseTensor())
	case onnxpb.AttributeProto_TYPE_PROTO:
		h.typeProto(a.GetTp())
	default:
		h.lists(a)
	}
}

// lists writes the repeated forms of attribute values, of which one is in use.
func (h *hasher) lists(a *onnxpb.AttributeProto) {
	each(h, a.GetFloats(), func(v float32) { h.number(uint64(math.Float32bits(v))) })
	each(h, a.GetInts(), func(v int64) { h.number(uint64(v)) })
	each(h, a.GetStrings(), func(v []byte) { h.text(string(v)) })
	each(h, a.GetTensors(), h.tensorProto)
	each(h, a.GetGraphs(), h.graph)
	each(h, a.GetSparseTensors(), h.sparse)
	each(h, a.GetTypeProtos(), h.typeProto)
}

func each[T any](h *hasher, list []T, write func(T)) {
	h.number(uint64(len(list)))
	for _, v := range list {
		write(v)
	}
}

func (h *hasher) sparse(p *onnxpb.SparseTensorProto) {
	h.tensorProto(p.GetValues())
	h.tensorProto(p.GetIndices())
	each(h, p.GetDims(), func(d int64) { h.number(uint64(d)) })
}

func (h *hasher) graph(g *onnxpb.GraphProto) {
	info := func(v *onnxpb.ValueInfoProto) { h.text(v.GetName()) }
	each(h, g.GetInput(), info)
	each(h, g.GetOutput(), info)
	each(h, g.GetInitializer(), func(t *onnxpb.TensorProto) { h.text(t.GetName()); h.tensorProto(t) })
	each(h, g.GetSparseInitializer(), func(t *onnxpb.SparseTensorProto) { h.text(t.GetValues().GetName()); h.sparse(t) })
	each(h, g.GetStructInitializer(), func(v *onnxpb.StructProto) {
		h.text(v.GetName())
		h.entry(int64(v.GetType()))
		h.text(string(v.GetRawData()))
		h.pairs(v.GetExternalData())
	})
	h.nodes(g.GetNode())
}

// entry writes the layout of a declaration, so that it does not matter where it stands.
func (h *hasher) entry(i int64) {
	known := i >= 0 && i < int64(len(h.entries)) && h.entries[i] != nil
	h.flag(known)
	if known {
		h.part(&h.encoding, h.entries[i])
	} else {
		h.number(uint64(i))
	}
}

func (h *hasher) typeProto(tp *onnxpb.TypeProto) {
	h.text(valueName(tp))
	switch v := tp.GetValue().(type) {
	case *onnxpb.TypeProto_TensorType:
		h.tensorType(v.TensorType.GetElemType(), v.TensorType.GetShape())
	case *onnxpb.TypeProto_SparseTensorType:
		h.tensorType(v.SparseTensorType.GetElemType(), v.SparseTensorType.GetShape())
	case *onnxpb.TypeProto_SequenceType:
		h.typeProto(v.SequenceType.GetElemType())
	case *onnxpb.TypeProto_OptionalType:
		h.typeProto(v.OptionalType.GetElemType())
	case *onnxpb.TypeProto_MapType:
		h.number(uint64(v.MapType.GetKeyType()))
		h.typeProto(v.MapType.GetValueType())
	case *onnxpb.TypeProto_OpaqueType:
		h.text(v.OpaqueType.GetDomain())
		h.text(v.OpaqueType.GetName())
	case *onnxpb.TypeProto_StructType:
		k, exact := v.StructType.GetKind().(*onnxpb.StructTypeProto_TypeIndex)
		h.flag(exact)
		if exact {
			h.entry(int64(k.TypeIndex))
		}
	}
}

func (h *hasher) tensorType(element int32, shape *onnxpb.TensorShapeProto) {
	h.number(uint64(element))
	h.flag(shape != nil)
	each(h, shape.GetDim(), func(d *onnxpb.TensorShapeProto_Dimension) {
		_, static := d.GetValue().(*onnxpb.TensorShapeProto_Dimension_DimValue)
		h.flag(static)
		if static {
			h.number(uint64(d.GetDimValue()))
		} else {
			h.text(d.GetDimParam())
		}
	})
}
