// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Env is what surrounds a function: the model functions that it may call, the limits, and what the
// caller adds. The zero value has nothing but ONNX's operators.
type Env struct {
	// Functions are the model's functions.
	Functions []*onnxpb.FunctionProto
	// Opsets are the model's imports. If there are any, each operator of a function must resolve to the same
	// schema version through them as through the function's own imports (SV054).
	Opsets []*onnxpb.OperatorSetIdProto
	Limits Limits
	// Operators are further operators, such as Decode and Encode of domain structview.
	Operators []Operator
	// Struct makes the value of a struct_initializer for CompileModel; nil refuses them.
	Struct func(*onnxpb.StructProto) (Value, ValueType, error)
	// Tensor reads an initializer for CompileModel; nil stands for tensor.FromProto, which refuses
	// external data.
	Tensor func(*onnxpb.TensorProto) (*tensor.Tensor, error)
}

// Operator is an operator that the caller of Compile adds.
type Operator struct {
	Domain, Name string
	Since        int64 // the first version of the domain's operator set that has it
	Inputs       int   // number of inputs, all required
	Outputs      int
	Attributes   []string // the names that a node may give
	// Infer returns the types of the outputs.
	Infer func(c *Invocation) ([]ValueType, error)
	// Run returns the outputs.
	Run func(ctx context.Context, c *Invocation) ([]Value, error)
}

// Invocation is a node of a caller's operator. Inputs is nil while types are inferred.
type Invocation struct {
	Types  []ValueType
	Inputs []Value
	Limits Limits // what is left
	attr   *attributes
	meter  *meter
}

// Call runs another program under the limits of the one that runs the operator: what it uses up counts there, and
// nesting goes on from there. p's own limits do not matter.
func (c *Invocation) Call(p *Program, inputs []Value) ([]Value, error) {
	if c.meter == nil {
		return nil, errors.New("eval: Call while types are inferred")
	}
	return p.run(c.meter, inputs)
}

// Int returns an INT attribute, false if the node does not give it.
func (c *Invocation) Int(name string) (int64, bool) { return c.attr.int(name), c.attr.has(name) }

// Text returns a STRING attribute, false if the node does not give it.
func (c *Invocation) Text(name string) (string, bool) { return c.attr.string(name), c.attr.has(name) }

// Attribute returns an attribute as a message, nil if the node does not give it.
func (c *Invocation) Attribute(name string) *onnxpb.AttributeProto { return c.attr.protos[name] }

// UnsupportedError says that a valid operator, version or type is not implemented here.
type UnsupportedError struct {
	Domain  string // "" for ai.onnx
	Op      string
	Version int64  // of the operator set that the node's surroundings import
	Node    string // where: "node 3 \"name\" (Conv)" or "node 3 (Conv, which gives \"y\")", through function calls and subgraphs
	Reason  string // what exactly is lacking; empty: the operator
}

func (e *UnsupportedError) Error() string {
	reason := e.Reason
	if reason == "" {
		reason = "is not implemented"
	}
	return fmt.Sprintf("%s: unsupported: operator %s of opset %s %d %s",
		e.Node, opText(key{e.Domain, e.Op}), domainText(e.Domain), e.Version, reason)
}

// OpsetError says that a function and the model resolve an operator to different
// versions (SV054).
type OpsetError struct {
	Domain, Op      string
	Function, Model int64 // imported versions
	Node            string
}

func (e *OpsetError) Error() string {
	return fmt.Sprintf("%s: %s differs between opset %s %d, which the function imports, and %d, which the model imports",
		e.Node, opText(key{e.Domain, e.Op}), domainText(e.Domain), e.Function, e.Model)
}

func opText(k key) string {
	if k.domain == "" {
		return k.name
	}
	return k.domain + "." + k.name
}

func domainText(domain string) string {
	if domain == "" {
		return "ai.onnx"
	}
	return domain
}

// normal returns the one spelling of a domain.
func normal(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

// operator turns a caller's operator into an entry of the table.
func (o Operator) operator() *operator {
	op := &operator{domain: normal(o.Domain), name: o.Name, since: o.Since, control: true}
	op.vars = map[string]types{"V": tAllIR13 | tSequence | tOptional | tOpaque}
	for i := range o.Inputs {
		op.in = append(op.in, param{name: fmt.Sprintf("input %d", i), typ: "V", mixed: true})
	}
	for i := range o.Outputs {
		op.out = append(op.out, param{name: fmt.Sprintf("output %d", i), typ: "V", mixed: true})
	}
	for _, name := range o.Attributes {
		op.attrs = append(op.attrs, attribute{name: name})
	}
	op.infer = func(c *typing) error {
		out, err := o.Infer(&Invocation{Types: c.in, attr: c.attr})
		for i := range min(len(out), len(c.out)) {
			c.set(i, out[i])
		}
		return err
	}
	op.run = func(c *call) error {
		in := &Invocation{Types: c.in, Inputs: c.values, Limits: c.meter.left, attr: c.attr, meter: c.meter}
		in.Limits.Depth = c.meter.limits.Depth - c.meter.left.Depth
		out, err := o.Run(c.meter.ctx, in)
		if err == nil && len(out) != o.Outputs {
			err = fmt.Errorf("%d outputs, expected %d", len(out), o.Outputs)
		}
		for i := range min(len(out), len(c.results)) {
			c.put(i, out[i])
		}
		return err
	}
	return op
}
