// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// batchedScanFamily has Scan, version 8: states and scanned tensors have a leading batch dimension, scanned ones
// then the sequence. Each batch is one Scan of version 9. Behind the end of a shorter sequence, scan outputs are 0.
func batchedScanFamily() []operator {
	return []operator{{
		name: "Scan", since: 8, in: params("sequence_lens?:I inputs...:*V"), out: params("outputs...:*V"),
		vars: map[string]types{"I": tInt64, "V": tAll},
		attrs: []attribute{
			requiredAttr("body", aGraph), requiredAttr("num_scan_inputs", aInt), optionalAttr("directions", aInts),
		},
		control: true, infer: inferBatchedScan, run: runBatchedScan,
	}}
}

// perBatch is what the Scan of one batch sees: the inputs behind sequence_lens, and the direction
// attribute under its later name.
func (c *typing) perBatch() (typing, error) {
	one := *c
	if len(c.in) == 0 {
		return one, fmt.Errorf("no inputs")
	}
	one.attr = newAttributes()
	for name, p := range c.attr.protos {
		one.attr.protos[name] = p
	}
	one.attr.protos["scan_input_directions"] = c.attr.protos["directions"]
	one.attr.graphs = c.attr.graphs
	one.in = make([]ValueType, len(c.in)-1)
	for i, t := range c.in[1:] {
		t = t.valueless()
		if t.Kind == KindTensor && t.Ranked {
			if len(t.Dims) == 0 {
				return one, fmt.Errorf("input %d is %v, expected a batch dimension", i+1, t)
			}
			t.Dims = t.Dims[1:]
		}
		one.in[i] = t
	}
	one.out = make([]ValueType, len(c.out))
	return one, nil
}

// batches returns the common batch dimension, -1 if it is not known.
func (c *typing) batches() (int64, error) {
	n := unknown
	for i := range c.in {
		d, ok := c.dims(i)
		if !ok || len(d) == 0 {
			continue
		}
		if n >= 0 && d[0] >= 0 && d[0] != n {
			return 0, fmt.Errorf("input %d is %v, the batch dimension of others is %d", i, c.in[i], n)
		}
		n = max(n, d[0])
	}
	return n, nil
}

func inferBatchedScan(c *typing) error {
	n, err := c.batches()
	if err != nil {
		return err
	}
	one, err := c.perBatch()
	if err != nil {
		return err
	}
	if err := inferScan(&one); err != nil {
		return err
	}
	states := len(one.in) - int(c.attr.int("num_scan_inputs"))
	for i, t := range one.out {
		if i >= states && c.given(0) && t.Ranked && len(t.Dims) > 0 {
			t.Dims[0] = unknown // the longest sequence
		}
		if t, err = stacked(t, 0, n); err != nil {
			return err
		}
		c.set(i, t)
	}
	return nil
}

func runBatchedScan(c *call) error {
	n, err := c.batches()
	if err != nil {
		return err
	}
	if n < 1 {
		return fmt.Errorf("the batch dimension is %d, expected at least 1", n)
	}
	one, err := c.perBatch()
	if err != nil {
		return err
	}
	scans := newCollector(c, len(c.results))
	defer scans.release()
	for b := range n {
		inner := *c
		inner.typing = one
		inner.results = make([]Value, len(c.results))
		for i := range inner.out {
			inner.out[i].Kind = KindUnknown // every output is wanted
		}
		if inner.values, err = c.batch(b, len(one.in)-int(c.attr.int("num_scan_inputs"))); err != nil {
			return err
		}
		inner.in = typesOf(inner.values)
		if err := runScan(&inner); err != nil {
			return fmt.Errorf("batch %d: %w", b, err)
		}
		if err := scans.add(inner.results); err != nil {
			return err
		}
	}
	if err := c.padScans(scans.parts, len(one.in)-int(c.attr.int("num_scan_inputs"))); err != nil {
		return err
	}
	return c.putScans(scans, 0, func(int) scanOutput { return scanOutput{} }, nil)
}

// batch returns the inputs of one batch, scanned ones cut to the length of its sequence.
func (c *call) batch(b int64, states int) ([]Value, error) {
	list := make([]Value, len(c.values)-1)
	for i := range list {
		t := c.tensor(i + 1)
		if t == nil || t.Rank() == 0 {
			return nil, fmt.Errorf("input %d is no tensor with a batch dimension", i+1)
		}
		dims := append([]int64{}, t.Dims()[1:]...)
		whole, _ := product(dims)
		if lengths := c.tensor(0); i >= states && lengths != nil {
			if lengths.Rank() != 1 { // its one dimension is the batch
				return nil, fmt.Errorf("sequence_lens is %v, expected one dimension", TypeOf(lengths))
			}
			length := tensor.Slice[int64](lengths)[b]
			if len(dims) == 0 || length < 0 || length > dims[0] {
				return nil, fmt.Errorf("sequence length %d does not fit %v", length, TypeOf(t))
			}
			dims[0] = length
		}
		if err := c.reserve(t.Type(), dims); err != nil {
			return nil, err
		}
		n, _ := product(dims)
		src := cellsOf(t)
		dst := src.fresh(n)
		dst.copy(0, src, b*whole, n)
		part, err := dst.tensor(dims)
		if err != nil {
			return nil, err
		}
		list[i] = part
	}
	return list, nil
}

// padScans brings the scan outputs of all batches to the length of the longest one.
func (c *call) padScans(parts [][]*tensor.Tensor, states int) error {
	for _, list := range parts[states:] {
		longest := int64(0)
		for _, t := range list {
			longest = max(longest, t.Dims()[0])
		}
		for i, t := range list {
			if t.Dims()[0] == longest {
				continue
			}
			dims := append([]int64{longest}, t.Dims()[1:]...)
			if err := c.reserve(t.Type(), dims); err != nil {
				return err
			}
			n, _ := product(dims)
			dst := freshCells(t.Type(), n)
			dst.copy(0, cellsOf(t), 0, t.Len())
			padded, err := dst.tensor(dims)
			if err != nil {
				return err
			}
			list[i] = padded
		}
	}
	return nil
}
