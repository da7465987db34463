// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"

	"github.com/structview/structview/tensor"
)

// sequenceFamily has SequenceEmpty, SequenceConstruct, SequenceInsert, SequenceErase, SequenceAt, SequenceLength,
// ConcatFromSequence (all version 11), SplitToSequence (11, 24) and SequenceMap (17).
func sequenceFamily() []operator {
	any := func(since int64) []version {
		return []version{{since, map[string]types{
			"S": tSequence, "T": tAllIR13, "I": tInt32 | tInt64, "L": tInt64, "V": tAllIR13 | tSequence,
		}}}
	}
	list := versions(operator{
		name: "SequenceEmpty", out: params("output:S"), attrs: []attribute{intAttr("dtype", int64(tensor.Float))},
		infer: inferSequenceEmpty,
		run: func(c *call) error {
			c.put(0, &Sequence{Elem: UnrankedType(tensor.Type(c.attr.int("dtype")))})
			return nil
		},
	}, any(11)...)
	for _, op := range []operator{
		{name: "SequenceConstruct", in: params("inputs...:T"), out: params("output_sequence:S"), infer: inferSequenceConstruct, run: runSequenceConstruct},
		{
			name: "SequenceInsert", in: params("input_sequence:S tensor:T position?:I"), out: params("output_sequence:S"),
			infer: inferSequenceInsert, run: runSequenceInsert,
		},
		{
			name: "SequenceErase", in: params("input_sequence:S position?:I"), out: params("output_sequence:S"),
			infer: inferIdentity, run: runSequenceErase,
		},
		{name: "SequenceAt", in: params("input_sequence:S position:I"), out: params("tensor:T"), infer: inferSequenceAt, run: runSequenceAt},
		{
			name: "SequenceLength", in: params("input_sequence:S"), out: params("length:L"),
			infer: func(c *typing) error { c.setDims(0); return nil },
			run: func(c *call) error {
				c.put(0, tensor.Of(nil, int64(len(c.sequence(0).Values))))
				return nil
			},
		},
	} {
		list = append(list, versions(op, any(11)...)...)
	}
	list = append(list, sequenceTensors()...)
	return append(list, versions(operator{
		name: "SequenceMap", in: params("input_sequence:S additional_inputs?...:*V"), out: params("out_sequence...:S"), control: true,
		attrs: []attribute{requiredAttr("body", aGraph)}, infer: inferSequenceMap, run: runSequenceMap,
	}, any(17)...)...)
}

func inferSequenceEmpty(c *typing) error {
	t := tensor.Type(c.attr.int("dtype"))
	if !tAllIR13.has(t) {
		return fmt.Errorf("attribute \"dtype\" is %d", t)
	}
	c.set(0, SequenceType(UnrankedType(t)))
	return nil
}

func inferSequenceConstruct(c *typing) error {
	elem := c.in[0]
	elem = elem.valueless()
	for _, t := range c.in[1:] {
		var err error
		if elem, err = merge(elem, t); err != nil {
			return err
		}
	}
	c.set(0, SequenceType(elem))
	return nil
}

func runSequenceConstruct(c *call) error {
	c.put(0, &Sequence{Elem: *c.out[0].Elem, Values: append([]Value{}, c.values...)})
	return nil
}

func inferSequenceInsert(c *typing) error {
	s := c.in[0]
	t := c.in[1]
	t = t.valueless()
	if s.Elem != nil {
		elem, err := merge(*s.Elem, t)
		if err != nil {
			return err
		}
		s.Elem = &elem
	}
	c.set(0, s)
	return nil
}

// position returns a possibly negative position in a sequence of n elements.
func (c *call) position(i int, n int64, end int64) (int64, error) {
	t := c.tensor(i)
	if t == nil {
		return end, nil
	}
	list, err := tensor.Int64s(t)
	if err != nil {
		return 0, err
	}
	if len(list) != 1 {
		return 0, fmt.Errorf("position has %d elements, expected a scalar", len(list))
	}
	p := list[0]
	if p < -n || p > end {
		return 0, fmt.Errorf("position %d is not in [%d, %d]", p, -n, end)
	}
	if p < 0 {
		p += n
	}
	return p, nil
}

func runSequenceInsert(c *call) error {
	s := c.sequence(0)
	p, err := c.position(2, int64(len(s.Values)), int64(len(s.Values)))
	if err != nil {
		return err
	}
	values := append(append([]Value{}, s.Values[:p]...), c.values[1])
	elem := s.Elem
	if c.out[0].Elem != nil {
		elem = *c.out[0].Elem
	}
	c.put(0, &Sequence{Elem: elem, Values: append(values, s.Values[p:]...)})
	return nil
}

func runSequenceErase(c *call) error {
	s := c.sequence(0)
	n := int64(len(s.Values))
	p, err := c.position(1, n, n-1)
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("the sequence is empty")
	}
	c.put(0, &Sequence{Elem: s.Elem, Values: append(append([]Value{}, s.Values[:p]...), s.Values[p+1:]...)})
	return nil
}

func inferSequenceAt(c *typing) error {
	if e := c.in[0].Elem; e != nil {
		t := *e
		t = t.valueless()
		c.set(0, t)
	}
	return nil
}

func runSequenceAt(c *call) error {
	s := c.sequence(0)
	n := int64(len(s.Values))
	p, err := c.position(1, n, n-1)
	if err != nil {
		return err
	}
	c.out[0] = ValueType{} // elements may differ in shape
	c.put(0, s.Values[p])
	return nil
}

// SequenceMap runs its body once for each element; additional inputs that are sequences give
// their elements, tensors are the same for all.
func inferSequenceMap(c *typing) error {
	in := make([]ValueType, len(c.in))
	for i, t := range c.in {
		in[i] = t
		if t.Kind == KindSequence {
			in[i] = ValueType{}
			if t.Elem != nil {
				in[i] = *t.Elem
			}
		}
	}
	g := c.attr.graph("body")
	out, err := c.subgraph(g, in)
	if err != nil {
		return within(g.name, err)
	}
	if len(out) != len(c.out) {
		return fmt.Errorf("the body %q has %d outputs, the node %d", g.name, len(out), len(c.out))
	}
	for i, t := range out {
		t = t.valueless()
		c.set(i, SequenceType(t))
	}
	return nil
}

func runSequenceMap(c *call) error {
	g := c.attr.graph("body")
	if len(g.inputs) != len(c.values) || len(g.outputs) != len(c.results) {
		return fmt.Errorf("the body %q has %d inputs and %d outputs, expected %d and %d",
			g.name, len(g.inputs), len(g.outputs), len(c.values), len(c.results))
	}
	n := len(c.sequence(0).Values)
	results := make([][]Value, len(c.results))
	kept := newCollector(c, 0)
	defer kept.release()
	for k := range n {
		in := make([]Value, len(c.values))
		for i, v := range c.values {
			in[i] = v
			if s, ok := v.(*Sequence); ok {
				if len(s.Values) != n {
					return fmt.Errorf("input %d has %d elements, the first %d", i, len(s.Values), n)
				}
				in[i] = s.Values[k]
			}
		}
		if err := c.meter.node(); err != nil {
			return err
		}
		out, err := c.run(g, in)
		if err != nil {
			return fmt.Errorf("element %d: %w", k, err)
		}
		for i, v := range out {
			size := valueSize(v)
			if err := c.meter.take(size); err != nil {
				return err
			}
			kept.bytes += size
			results[i] = append(results[i], v)
		}
	}
	return c.putSequences(results)
}

func (c *call) putSequences(results [][]Value) error {
	for i, values := range results {
		s := &Sequence{Values: values}
		for k, v := range values {
			t := TypeOf(v)
			t = t.valueless()
			if k == 0 {
				s.Elem = t
				continue
			}
			var err error
			if s.Elem, err = merge(s.Elem, t); err != nil {
				return err
			}
		}
		c.put(i, s)
	}
	return nil
}
