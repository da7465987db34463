// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/structview/structview/codec/internal/plan"
)

// Explanation says how a decoder runs.
type Explanation struct {
	Output          string   `json:"output"`                    // element type and dimensions of the logical value
	Step            int      `json:"step"`                      // 1 to 6, how it runs: see How
	How             string   `json:"how"`                       // the step in words
	Fused           bool     `json:"fused"`                     // as kernels over tiles (steps 1 to 4); otherwise through eval
	Kernels         []string `json:"kernels,omitempty"`         // in order, with their parameters
	Blocks          int64    `json:"blocks,omitempty"`          // of the value
	BlockBytes      int      `json:"block_bytes,omitempty"`     // of the payload
	BlockValues     int      `json:"block_values,omitempty"`    // of the output
	BytesPerValue   float64  `json:"bytes_per_value,omitempty"` // of the payload
	RowsIndependent bool     `json:"rows_independent"`          // rows can be decoded by themselves
	Rows            string   `json:"rows,omitempty"`            // why they cannot
	Reasons         []string `json:"reasons,omitempty"`         // what stood in the way of a better step or of finer blocks, naming the node

	Encoder *EncoderExplanation `json:"encoder,omitempty"` // nil if there is none that runs here
}

// ladder names the steps, from the best to the slowest.
var ladder = [...]string{
	plan.Fused:    "fused kernels",
	plan.LowRate:  "fused kernels, with parameters made operator by operator",
	plan.Strips:   "strips of lanes",
	plan.Lanewise: "kernels, with operators that no epilogue takes by themselves",
	plan.ByRows:   "the evaluator, on ranges of rows",
	plan.Whole:    "the evaluator, on the whole value",
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
	step, alone := d.step()
	e.Step, e.How = int(step), ladder[step]
	if k != nil && k.plan.Evaluates() {
		e.How += ", some by the evaluator"
	}
	for _, op := range alone {
		e.Reasons = append(slices.Clip(e.Reasons), "no epilogue takes "+op)
	}
	if encoder, err := c.ExplainEncoder(); err == nil {
		e.Encoder = &encoder
	}
	if k == nil {
		return e, nil
	}
	e.Kernels = k.plan.Kernels()
	e.Blocks, e.BlockBytes, e.BlockValues = k.plan.Blocks, k.plan.Stride, k.plan.Lanes
	e.BytesPerValue = float64(e.BlockBytes) / float64(e.BlockValues)
	return e, nil
}

// step says how the decoder runs, and which operators run by themselves.
func (d *decoder) step() (plan.Step, []string) {
	if k := d.fused(); k != nil {
		return k.plan.Step()
	}
	if p, err := d.proof(); err == nil {
		if _, err := p.program(1); err == nil {
			return plan.ByRows, nil
		}
	}
	return plan.Whole, nil
}

// String writes the explanation for a reader.
func (e Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s", e.Output, e.How)
	if e.Fused {
		fmt.Fprintf(&b, ": %s of %s and %s (%s bytes a value)",
			counted(e.Blocks, "block"), counted(e.BlockBytes, "byte"), counted(e.BlockValues, "value"), number(e.BytesPerValue, 4))
	}
	b.WriteString("\n")
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
	if e.Encoder != nil {
		b.WriteString(e.Encoder.String())
	}
	return b.String()
}
