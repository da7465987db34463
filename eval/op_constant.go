// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// constantFamily has Constant (versions 1, 9, 11; 12 with value_int and the like; 13, 19, 21, 23, 24, 25) and Identity (1, 13;
// 14 for sequences, 16 for optionals; 19, 21, 23, 24, 25).
func constantFamily() []operator {
	op := operator{
		name: "Constant", out: params("output:T"), infer: inferConstant,
		attrs: []attribute{optionalAttr("value", aTensor)},
		run:   func(c *call) error { c.put(0, c.out[0].Known); return nil },
	}
	list := versions(op, at(1, tAll), at(9, tAll))
	op.attrs = append(op.attrs, optionalAttr("sparse_value", onnxpb.AttributeProto_SPARSE_TENSOR))
	list = append(list, versions(op, at(11, tAll))...)
	op.attrs = append(op.attrs, optionalAttr("value_int", aInt), optionalAttr("value_ints", aInts),
		optionalAttr("value_float", aFloat), optionalAttr("value_floats", aFloats),
		optionalAttr("value_string", aString), optionalAttr("value_strings", aStrings))
	list = append(list, versions(op, append([]version{at(12, tAll)}, allTypes(13)...)...)...)
	return append(list, identity()...)
}

func inferConstant(c *typing) error {
	if len(c.attr.protos) != 1 {
		return errors.New("exactly one attribute with a value is expected")
	}
	t, err := c.constant()
	if err != nil {
		return err
	}
	if !c.op.vars["T"].has(t.Type()) {
		return errors.New(t.Type().String() + " is not allowed")
	}
	c.set(0, TypeOf(t))
	return nil
}

func (c *typing) constant() (*tensor.Tensor, error) {
	a := c.attr
	count := func(n int) []int64 { return []int64{int64(n)} }
	switch {
	case a.tensor("value") != nil:
		return a.tensor("value"), nil
	case a.has("value_int"):
		return tensor.Of(nil, a.int("value_int")), nil
	case a.has("value_ints"):
		v := a.ints("value_ints")
		return tensor.FromSlice(tensor.Int64, count(len(v)), append([]int64{}, v...))
	case a.has("value_float"):
		return tensor.Of(nil, a.float("value_float")), nil
	case a.has("value_floats"):
		v := a.floats("value_floats")
		return tensor.FromSlice(tensor.Float, count(len(v)), append([]float32{}, v...))
	case a.has("value_string"):
		return tensor.NewStrings(nil, [][]byte{[]byte(a.string("value_string"))})
	case a.has("value_strings"):
		v := a.strings("value_strings")
		return tensor.NewStrings(count(len(v)), append([][]byte{}, v...))
	case a.has("sparse_value"):
		return dense(a.protos["sparse_value"].GetSparseTensor())
	}
	return nil, errors.New("the attribute has no value")
}

func identity() []operator {
	op := operator{
		name: "Identity", in: params("input:V"), out: params("output:V"), infer: inferIdentity,
		run: func(c *call) error { c.put(0, c.values[0]); return nil },
	}
	set := func(since int64, t types) version { return version{since, map[string]types{"V": t | tOpaque}} }
	list := []version{set(1, tAll), set(13, tAllBF), set(14, tAllBF|tSequence), set(16, tAllBF|tSequence|tOptional)}
	for _, v := range allTypes(19) {
		list = append(list, set(v.since, v.vars["T"]|tSequence|tOptional))
	}
	return versions(op, list...)
}

func inferIdentity(c *typing) error {
	c.set(0, c.in[0])
	return nil
}
