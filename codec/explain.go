// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"strings"
)

// Explanation says how a decoder runs.
type Explanation struct {
	Output          string   `json:"output"`                    // element type and dimensions of the logical value
	Fused           bool     `json:"fused"`                     // as kernels over tiles; otherwise through eval
	Kernels         []string `json:"kernels,omitempty"`         // in order, with their parameters
	Blocks          int64    `json:"blocks,omitempty"`          // of the value
	BlockBytes      int      `json:"block_bytes,omitempty"`     // of the payload
	BlockValues     int      `json:"block_values,omitempty"`    // of the output
	BytesPerValue   float64  `json:"bytes_per_value,omitempty"` // of the payload
	RowsIndependent bool     `json:"rows_independent"`          // rows can be decoded by themselves
	Rows            string   `json:"rows,omitempty"`            // why they cannot
	Reasons         []string `json:"reasons,omitempty"`         // what stood in the way of kernels, or of finer blocks
}

// Explain plans the decoder, if that has not been done, and tells the result. Without a decoder the
// error is [ErrNoDecoder].
func (c *Codec) Explain() (Explanation, error) {
	if c.decoder == nil {
		return Explanation{}, ErrNoDecoder
	}
	d := c.decoder
	k := d.fused()
	e := Explanation{Output: plain(d.output).String(), Reasons: d.reasons, Fused: k != nil}
	if err := c.RowIndependent(); err != nil {
		e.Rows = err.Error()
	} else {
		e.RowsIndependent = true
	}
	if k == nil {
		return e, nil
	}
	e.Kernels = strings.Split(strings.TrimSpace(k.plan.Program.String()), "\n")
	e.Blocks, e.BlockBytes, e.BlockValues = k.plan.Blocks, k.plan.Stride, k.plan.Lanes
	e.BytesPerValue = float64(e.BlockBytes) / float64(e.BlockValues)
	return e, nil
}

// String writes the explanation for a reader.
func (e Explanation) String() string {
	var b strings.Builder
	if e.Fused {
		fmt.Fprintf(&b, "%s as kernels: %d blocks of %d bytes and %d values (%.4g bytes a value)\n",
			e.Output, e.Blocks, e.BlockBytes, e.BlockValues, e.BytesPerValue)
	} else {
		fmt.Fprintf(&b, "%s through the evaluator, operator by operator\n", e.Output)
	}
	for _, k := range e.Kernels {
		fmt.Fprintf(&b, "  %s\n", k)
	}
	if e.RowsIndependent {
		b.WriteString("rows are independent\n")
	} else {
		fmt.Fprintf(&b, "rows are not independent: %s\n", e.Rows)
	}
	for _, r := range e.Reasons {
		fmt.Fprintf(&b, "not better: %s\n", r)
	}
	return b.String()
}
