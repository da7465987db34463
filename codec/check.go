// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
)

// Check reports everything that [structview.Check] does, and what is wrong with the codecs of
// all declarations and inline roots, with the operators that model functions import, and with the Decode and Encode
// nodes of graphs and functions (SV045 to SV048, SV054), in the order of the file. A codec that is valid ONNX but
// needs an operator that eval lacks is reported with severity Unsupported.
func Check(m *onnxpb.ModelProto, opts structview.CheckOptions) []structview.Diagnostic {
	found := structview.Check(m, opts)
	declarations, _ := structview.Resolve(m.GetStructTypes())
	c := checker{
		model: m, declarations: declarations, disabled: opts.Disabled, known: map[finding]bool{},
		builder: newBuilder(nil, Env{Functions: m.GetFunctions(), Opsets: m.GetOpsetImport()}),
	}
	for _, d := range found {
		c.known[finding{d.Rule, d.Path}] = true
	}
	c.roots()
	c.modelFunctions()
	topGraphs(m, func(g *onnxpb.GraphProto, at string) {
		c.graph(g, at)
		c.nodes(g.GetNode(), at, c.builder.opsets, true)
	})
	if len(c.list) == 0 {
		return found
	}
	found = append(found, c.list...)
	structview.SortDiagnostics(found)
	return found
}

// finding identifies what the checks of two packages may both report.
type finding struct{ rule, path string }

type checker struct {
	model        *onnxpb.ModelProto
	declarations *structview.Declarations
	builder      *builder // without a root
	disabled     map[string]bool
	known        map[finding]bool // reported by package structview
	list         []structview.Diagnostic
}

func (c *checker) report(f faults) {
	for _, one := range f {
		if !c.disabled[one.Rule] && !c.known[finding{one.Rule, one.Path}] {
			c.list = append(c.list, one.Diagnostic)
		}
	}
}

// roots checks the codecs of every declaration. One that is invalid itself has its findings.
func (c *checker) roots() {
	for i, p := range c.model.GetStructTypes() {
		if p.GetDecoder() == nil && p.GetEncoder() == nil {
			continue
		}
		if t, err := c.declarations.At(i); err == nil {
			c.codecs(t, fmt.Sprintf("struct_types[%d]", i))
		}
	}
}

func (c *checker) codecs(root *structview.Type, at string) {
	b := *c.builder
	b.root = root
	d, decode := b.decoder(at + ".decoder")
	_, encode := b.encoder(at+".encoder", d)
	c.report(decode)
	c.report(encode)
}

// modelFunctions checks the versions that model functions import, called by a codec or not.
func (c *checker) modelFunctions() {
	for i, fn := range c.model.GetFunctions() {
		at := child("", "functions", i)
		var f faults
		c.builder.versions(fn, at, &f)
		c.report(f)
		c.nodes(fn.GetNode(), at, imports(fn.GetOpsetImport()), false)
		c.inner(fn.GetNode(), at)
	}
}

// graph checks the inline roots of a graph and of the graphs within it.
func (c *checker) graph(g *onnxpb.GraphProto, at string) {
	for i, v := range g.GetStructInitializer() {
		p := v.GetStructType()
		if p.GetDecoder() == nil && p.GetEncoder() == nil {
			continue
		}
		if t, _ := c.declarations.Root(p); t != nil {
			c.codecs(t, child(at, "struct_initializer", i)+".struct_type")
		}
	}
	c.inner(g.GetNode(), at)
}

func (c *checker) inner(nodes []*onnxpb.NodeProto, at string) {
	for i, n := range nodes {
		subgraphs(n, child(at, "node", i), c.graph)
	}
}

// nodes checks the form of Decode and Encode nodes. Functions have their imports checked
// node by node already.
func (c *checker) nodes(list []*onnxpb.NodeProto, at string, opsets map[string]int64, graph bool) {
	eachNode(list, at, func(n *onnxpb.NodeProto, path string) {
		if n.GetDomain() != structview.Domain {
			return
		}
		if _, ok := c.builder.functions.called(n); ok {
			return
		}
		var f faults
		switch version, ok := opsets[structview.Domain]; {
		case !ok && graph:
			f.add(ErrCodec, path, "%s: the model has no opset_import for domain %q", describe(n), structview.Domain)
		case ok && version != Version:
			f.add(ErrCodec, path, "%s: opset_import %q is version %d, and there is version %d alone", describe(n), structview.Domain, version, Version)
		}
		form(n, path, &f)
		c.report(f)
	})
}

// form checks a node of the domain by itself. What Encode's type_index names is in
// the hands of package structview.
func form(n *onnxpb.NodeProto, path string, f *faults) {
	op := n.GetOpType()
	if op != "Decode" && op != "Encode" {
		f.add(ErrCodec, path, "domain %q has the operators Decode and Encode, not %q", structview.Domain, op)
		return
	}
	if in := n.GetInput(); len(in) != 1 || in[0] == "" {
		f.add(ErrCodec, path, "%s has one input, found %q", op, in)
	}
	if out := n.GetOutput(); len(out) != 1 || out[0] == "" {
		f.add(ErrCodec, path, "%s has one output, found %q", op, out)
	}
	for i, a := range n.GetAttribute() {
		if op != "Encode" || a.GetName() != typeIndex {
			f.add(ErrCodec, child(path, "attribute", i), "%s has no attribute %q", op, a.GetName())
		}
	}
}
