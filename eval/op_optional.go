// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"

	"github.com/structview/structview/tensor"
)

// optionalFamily has Optional (version 15), OptionalHasElement and OptionalGetElement (15; 18, where tensors and
// sequences count as optionals that hold themselves).
func optionalFamily() []operator {
	element := tAllIR13 | tSequence
	set := func(since int64, o types) version {
		return version{since, map[string]types{"V": element, "O": o, "B": tBool}}
	}
	list := versions(operator{
		name: "Optional", in: params("input?:V"), out: params("output:O"), attrs: []attribute{optionalAttr("type", aType)},
		infer: inferOptional, run: runOptional,
	}, set(15, tOptional))
	has := operator{
		name: "OptionalHasElement", in: params("input:O"), out: params("output:B"),
		infer: func(c *typing) error { c.setDims(0); return nil },
		run:   runOptionalHas,
	}
	list = append(list, versions(has, set(15, tOptional))...)
	has.in = params("input?:O")
	list = append(list, versions(has, set(18, tOptional|element))...)
	return append(list, versions(operator{
		name: "OptionalGetElement", in: params("input:O"), out: params("output:V"), infer: inferOptionalGet, run: runOptionalGet,
	}, set(15, tOptional), set(18, tOptional|element))...)
}

func inferOptional(c *typing) error {
	elem := ValueType{}
	switch {
	case c.given(0):
		elem = c.in[0]
		elem = elem.valueless()
	case c.attr.has("type"):
		elem = typeOfProto(c.attr.typ("type"))
	default:
		return errors.New("neither an input nor the attribute \"type\" is given")
	}
	c.set(0, OptionalType(elem))
	return nil
}

func runOptional(c *call) error {
	o := &Optional{Elem: *c.out[0].Elem}
	if c.given(0) {
		o.Value = c.values[0]
	}
	c.put(0, o)
	return nil
}

func runOptionalHas(c *call) error {
	has := c.given(0)
	if has {
		if o, ok := c.values[0].(*Optional); ok {
			has = o.Value != nil
		}
	}
	c.put(0, tensor.Of(nil, has))
	return nil
}

func inferOptionalGet(c *typing) error {
	t := c.in[0]
	if t.Kind == KindOptional {
		if t.Elem == nil {
			return nil
		}
		t = *t.Elem
	}
	c.set(0, t)
	return nil
}

func runOptionalGet(c *call) error {
	v := c.values[0]
	if o, ok := v.(*Optional); ok {
		if v = o.Value; v == nil {
			return errors.New("the optional holds no value")
		}
	}
	c.out[0] = ValueType{}
	c.put(0, v)
	return nil
}
