// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// scan is Scan since version 9: no batch dimension.
func scan() operator {
	return operator{
		name: "Scan", in: params("initial_state_and_scan_inputs...:*V"), out: params("final_state_and_scan_outputs...:*V"),
		attrs: []attribute{
			requiredAttr("body", aGraph), requiredAttr("num_scan_inputs", aInt),
			optionalAttr("scan_input_axes", aInts), optionalAttr("scan_input_directions", aInts),
			optionalAttr("scan_output_axes", aInts), optionalAttr("scan_output_directions", aInts),
		},
		control: true, infer: inferScan, run: runScan,
	}
}

// scanPlan is what the attributes of a Scan node say.
type scanPlan struct {
	body           *graph
	states         int
	inAxes, inDirs []int64
	outs           []scanOutput
}

func (c *typing) scanPlan() (scanPlan, error) {
	p := scanPlan{body: c.attr.graph("body")}
	n, k := c.attr.int("num_scan_inputs"), len(c.out)
	if n < 1 || n > int64(len(c.in)) {
		return p, fmt.Errorf("num_scan_inputs is %d of %d inputs", n, len(c.in))
	}
	p.states = len(c.in) - int(n)
	if len(p.body.inputs) != len(c.in) || len(p.body.outputs) != k || k < p.states {
		return p, fmt.Errorf("the body %q has %d inputs and %d outputs, expected %d and %d",
			p.body.name, len(p.body.inputs), len(p.body.outputs), len(c.in), k)
	}
	lists := make([][]int64, 4)
	for i, name := range []string{"scan_input_axes", "scan_input_directions", "scan_output_axes", "scan_output_directions"} {
		want := int(n)
		if i >= 2 {
			want = k - p.states
		}
		if lists[i] = c.attr.ints(name); len(lists[i]) == 0 {
			lists[i] = make([]int64, want)
		}
		if len(lists[i]) != want {
			return p, fmt.Errorf("attribute %q has %d entries, expected %d", name, len(lists[i]), want)
		}
	}
	p.inAxes, p.inDirs = lists[0], lists[1]
	for i := range lists[2] {
		p.outs = append(p.outs, scanOutput{lists[2][i], lists[3][i] != 0})
	}
	return p, nil
}

// bodyTypes infers the body from the types of the Scan's inputs; steps is the length of the scan, -1 if unknown.
func (c *typing) bodyTypes(p scanPlan) (state, out []ValueType, steps int64, err error) {
	steps = unknown
	var parts []ValueType
	for i, t := range c.in[p.states:] {
		t = t.valueless()
		if t.Kind == KindTensor && t.Ranked {
			k, err := axis(p.inAxes[i], len(t.Dims))
			if err != nil {
				return nil, nil, 0, fmt.Errorf("scan input %d: %w", i, err)
			}
			n := t.Dims[k]
			if steps >= 0 && n >= 0 && n != steps {
				return nil, nil, 0, fmt.Errorf("scan input %d has %d elements along its axis, others %d", i, n, steps)
			}
			steps = max(steps, n)
			t.Dims = append(append([]int64{}, t.Dims[:k]...), t.Dims[k+1:]...)
		}
		parts = append(parts, t)
	}
	state, out, err = c.carried(p.body, nil, c.in[:p.states], parts, 0)
	return state, out, steps, err
}

func inferScan(c *typing) error {
	p, err := c.scanPlan()
	if err != nil {
		return err
	}
	state, out, steps, err := c.bodyTypes(p)
	if err != nil {
		return err
	}
	for i := range c.out {
		if i < p.states {
			c.set(i, state[i])
			continue
		}
		t, err := stacked(out[i], p.outs[i-p.states].axis, steps)
		if err != nil {
			return err
		}
		c.set(i, t)
	}
	return nil
}

func runScan(c *call) error {
	p, err := c.scanPlan()
	if err != nil {
		return err
	}
	inputs, steps, err := c.scanInputs(p)
	if err != nil {
		return err
	}
	state := c.values[:p.states]
	scans := newCollector(c, len(c.results)-p.states)
	defer scans.release()
	for i := range steps {
		if err := c.meter.node(); err != nil {
			return err
		}
		in := append([]Value{}, state...)
		for _, s := range inputs {
			part, err := s.part(c, i, steps)
			if err != nil {
				return err
			}
			in = append(in, part)
		}
		out, err := c.run(p.body, in)
		if err != nil {
			return fmt.Errorf("iteration %d: %w", i, err)
		}
		state = out[:p.states]
		if err := scans.hold(state); err != nil {
			return err
		}
		if err := scans.add(out[p.states:]); err != nil {
			return err
		}
	}
	for i, v := range state {
		c.put(i, v)
	}
	return c.putScans(scans, p.states, func(i int) scanOutput { return p.outs[i] }, func() ([]ValueType, error) {
		_, out, _, err := c.bodyTypes(p)
		return out[min(len(out), p.states):], err
	})
}

// scanInput is cut along an axis, one part an iteration.
type scanInput struct {
	cells   cells
	dims    []int64 // of a part
	strides []int64 // of a part
	step    int64   // from a part to the next
	reverse bool
}

func (c *call) scanInputs(p scanPlan) ([]scanInput, int64, error) {
	var list []scanInput
	steps := int64(-1)
	for i := range c.values[p.states:] {
		t := c.tensor(p.states + i)
		if t == nil {
			return nil, 0, fmt.Errorf("scan input %d is no tensor", i)
		}
		k, err := axis(p.inAxes[i], len(t.Dims()))
		if err != nil {
			return nil, 0, fmt.Errorf("scan input %d: %w", i, err)
		}
		if n := t.Dims()[k]; steps >= 0 && n != steps {
			return nil, 0, fmt.Errorf("scan input %d has %d elements along its axis, others %d", i, n, steps)
		}
		steps = t.Dims()[k]
		strides := contiguous(t.Dims())
		drop := func(v []int64) []int64 { return append(append([]int64{}, v[:k]...), v[k+1:]...) }
		list = append(list, scanInput{cellsOf(t), drop(t.Dims()), drop(strides), strides[k], p.inDirs[i] != 0})
	}
	return list, steps, nil
}

func (s *scanInput) part(c *call, i, steps int64) (*tensor.Tensor, error) {
	if s.reverse {
		i = steps - 1 - i
	}
	n, err := product(s.dims)
	if err != nil {
		return nil, err
	}
	if err := c.reserve(s.cells.typ, s.dims); err != nil {
		return nil, err
	}
	dst := s.cells.fresh(n)
	dst.view(s.cells, s.dims, s.strides, i*s.step)
	return dst.tensor(s.dims)
}
