// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"github.com/structview/structview/onnxpb"
	"google.golang.org/protobuf/proto"
)

// CheckOptions tell [Check] about what is not in the message. The zero value checks
// a message that is complete, and measures no external file.
type CheckOptions struct {
	// Inline returns the length in bytes of the raw_data of a *StructProto that was
	// left in the file, ok false if it is in the message.
	Inline func(m proto.Message) (length uint64, ok bool)

	// External measures an external file, in bytes. It is called once for each
	// location. An error is a finding of SV024, or of its own rule if it is a
	// *Diagnostic. nil: ranges are not measured.
	External func(location string) (size int64, err error)

	// Disabled names rules whose findings are not reported: {"SV008": true}.
	Disabled map[string]bool
}

// Check reports everything that is wrong with the structured types and values of a
// model (SV002 to SV025, SV040 to SV044 as far as the declaration tells, SV050,
// SV052, SV053, SV057): in the declarations, in all graphs, and in all functions and codecs.
// Findings come in the order of [SortDiagnostics]. The model is not changed.
//
// What a codec computes is not looked at; codec.Check does that too.
func Check(m *onnxpb.ModelProto, opts CheckOptions) []Diagnostic {
	c := &checker{
		report: &report{disabled: opts.Disabled}, opts: opts, decls: m.GetStructTypes(),
		measured: map[string]measurement{},
	}
	c.declarations()
	c.graph(m.GetGraph(), (*place)(nil).child("graph"), nil)
	for i, t := range m.GetTrainingInfo() {
		at := (*place)(nil).at("training_info", i)
		c.graph(t.GetInitialization(), at.child("initialization"), nil)
		c.graph(t.GetAlgorithm(), at.child("algorithm"), nil)
	}
	for i, f := range m.GetFunctions() {
		c.function(f, (*place)(nil).at("functions", i))
	}
	c.overlaps()
	c.unused()
	c.counts(m)
	SortDiagnostics(c.list)
	return c.list
}

// checker walks a model.
type checker struct {
	*report
	opts     CheckOptions
	decls    []*onnxpb.StructTypeProto
	resolved *Declarations
	ranges   []externalRange
	measured map[string]measurement
}

// declarations checks the entries and their codecs.
func (c *checker) declarations() {
	r := newResolver(c.decls, c.report)
	r.used = make([]bool, len(c.decls))
	r.resolve()
	c.resolved = &Declarations{r}
	for i, p := range c.decls {
		if p.GetDecoder() != nil || p.GetEncoder() != nil {
			c.codecs(p, r.types[i], (*place)(nil).at("struct_types", i))
		}
	}
}

// unused warns of entries that nothing uses and that no value could have (SV021).
func (c *checker) unused() {
	r := c.resolved.resolver
	for i, t := range r.types {
		if t != nil && t.bits%8 != 0 && !r.used[i] {
			c.warn(ErrAlignment, (*place)(nil).at("struct_types", i),
				"%s has %d bits, which is not a whole number of bytes, and nothing uses it", t.title(), t.bits)
		}
	}
}

// codecs checks the decoder and encoder of a root; t is nil if the root is invalid.
func (c *checker) codecs(p *onnxpb.StructTypeProto, t *Type, at *place) {
	if f := p.GetDecoder(); f != nil {
		here := at.child("decoder")
		if len(f.Output) != 1 {
			c.error(ErrCodecOutput, here, "a decoder has one output; found %d", len(f.Output))
		}
		c.bound(t, f.Input, "input", here)
		c.function(f, here)
	}
	if f := p.GetEncoder(); f != nil {
		here := at.child("encoder")
		c.bound(t, f.Input, "input", here)
		c.bound(t, f.Output, "output", here)
		c.function(f, here)
	}
}

// bound checks that the paths among the names can be bound to tensors (SV011, SV042).
func (c *checker) bound(t *Type, names []string, what string, at *place) {
	if t == nil {
		return
	}
	for i, name := range names {
		leaf, ok := t.Layout().Find(name)
		if !ok {
			continue // no path: SV045 and SV047 are about those
		}
		if _, err := leaf.TensorDims(); err != nil {
			d := err.(*Diagnostic)
			c.error(Rule(d.Rule), at.at(what, i), "%s: %s", leaf.Path, d.Message)
		}
	}
}
