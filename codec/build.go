// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
)

// builder makes the codecs of one root. Its methods collect every fault, so that one
// look tells all of them.
type builder struct {
	root      *structview.Type
	env       Env
	functions functions
	opsets    map[string]int64 // the model's imports
	callees   bool             // look at the versions of called functions too; a model's check does so once for all
}

func newBuilder(root *structview.Type, env Env) *builder {
	return &builder{root: root, env: env, functions: indexFunctions(env.Functions), opsets: imports(env.Opsets)}
}

// compile does what decoders and encoders share: the function's own form, its calls and
// its operators. The program is nil if something is wrong.
func (b *builder) compile(fn *onnxpb.FunctionProto, at string, f *faults) *eval.Program {
	before := len(*f)
	signature(fn, at, f)
	b.versions(fn, at, f)
	b.calls(fn, at, f)
	if len(*f) > before {
		return nil
	}
	p, err := eval.Compile(fn, b.env.eval())
	if err != nil {
		f.wrap(at, err)
		return nil
	}
	return p
}

// signature refuses what nobody could call: attributes without a value, since a codec gets
// none, and names that are given twice.
func signature(fn *onnxpb.FunctionProto, at string, f *faults) {
	for i, name := range fn.Attribute {
		f.add(ErrCodec, child(at, "attribute", i), "attribute %q has no default, and a codec is called without attributes", name)
	}
	unique(fn.Input, at, "input", f)
	unique(fn.Output, at, "output", f)
}

func unique(names []string, at, kind string, f *faults) {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		switch {
		case name == "":
			f.add(ErrCodec, child(at, kind, i), "the %s has no name", kind)
		case seen[name]:
			f.add(ErrCodec, child(at, kind, i), "%s %q occurs twice", kind, name)
		}
		seen[name] = true
	}
}

// calls follows the calls of fn: recursion (SV046) and operators that draw random numbers
// (SV048) are faults wherever they are.
func (b *builder) calls(fn *onnxpb.FunctionProto, at string, f *faults) {
	draws(fn, at, at, "", f)
	cycle := b.functions.reach(fn, func(i int) {
		name, callee := b.functions.name(i), b.functions.list[i]
		draws(callee, child("", "functions", i), at, ", called through "+name, f)
		if b.callees {
			b.versions(callee, child("", "functions", i), f)
		}
	})
	if cycle != "" {
		f.add(ErrRecursion, at, "functions recurse: %s", cycle)
	}
}

// draws refuses random operators in fn, which the codec at calls.
func draws(fn *onnxpb.FunctionProto, place, at, how string, f *faults) {
	eachNode(fn.GetNode(), place, func(n *onnxpb.NodeProto, path string) {
		if !isRandom(n) {
			return
		}
		if how == "" {
			at = path
		}
		f.add(ErrLimit, at, "%s%s: a codec draws no random numbers", describe(n), how)
	})
}

// eval is what eval needs of the surroundings. Versions are compared here, finding by finding.
func (e Env) eval() eval.Env { return eval.Env{Functions: e.Functions, Limits: e.Limits} }
