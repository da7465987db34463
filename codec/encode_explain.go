// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"strings"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/codec/internal/strip"
)

// EncoderExplanation says how an encoder runs.
type EncoderExplanation struct {
	Input         string   `json:"input"`                     // element type and dimensions of the logical value
	How           string   `json:"how"`                       // in words
	Strips        bool     `json:"strips"`                    // block by block, as a program; otherwise through eval on the whole value
	Operations    []string `json:"operations,omitempty"`      // of the program, with how often each occurs
	Steps         int      `json:"steps,omitempty"`           // of a block
	Blocks        int64    `json:"blocks,omitempty"`          // of the value
	BlockBytes    int      `json:"block_bytes,omitempty"`     // of the payload
	BlockValues   int      `json:"block_values,omitempty"`    // of the value
	BytesPerValue float64  `json:"bytes_per_value,omitempty"` // of the payload
	Reasons       []string `json:"reasons,omitempty"`         // what stood in the way of strips or of finer blocks, naming the node
}

// ExplainEncoder plans the encoder, if that has not been done, and tells the result. Without an encoder that
// runs here the error is [ErrNoEncoder] or what Encode would say.
func (c *Codec) ExplainEncoder() (EncoderExplanation, error) {
	if c.encoder == nil {
		return EncoderExplanation{}, c.lacking
	}
	s := c.encoder.strips()
	e := EncoderExplanation{Input: plain(c.encoder.input).String(), Reasons: c.encoder.reasons, How: "the evaluator, on the whole value"}
	if s == nil {
		return e, nil
	}
	e.Strips, e.How = true, "strips of lanes"
	e.Operations, e.Steps = plan.Operations(s.plan.Program), steps(s.plan.Program)
	e.Blocks, e.BlockBytes, e.BlockValues = s.plan.Blocks, s.plan.Stride, s.plan.Values
	e.BytesPerValue = float64(e.BlockBytes) / float64(e.BlockValues)
	return e, nil
}

// steps counts the steps of a program.
func steps(p *strip.Program) int {
	n := 0
	for _, op := range p.Ops {
		n += len(op.Steps)
	}
	return n
}

// String writes the explanation for a reader.
func (e EncoderExplanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "encoder of %s by %s", e.Input, e.How)
	if e.Strips {
		fmt.Fprintf(&b, ": %s of %s and %s (%s bytes a value), %s steps a value",
			counted(e.Blocks, "block"), counted(e.BlockValues, "value"), counted(e.BlockBytes, "byte"), number(e.BytesPerValue, 4),
			number(float64(e.Steps)/float64(e.BlockValues), 3))
	}
	b.WriteString("\n")
	if len(e.Operations) > 0 {
		fmt.Fprintf(&b, "  %s\n", strings.Join(e.Operations, " "))
	}
	for _, r := range e.Reasons {
		fmt.Fprintf(&b, "not better: %s\n", r)
	}
	return b.String()
}
