// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
)

// imports gives the version that each domain is imported in.
func imports(opsets []*onnxpb.OperatorSetIdProto) map[string]int64 {
	m := make(map[string]int64, len(opsets))
	for _, o := range opsets {
		m[domainOf(o.GetDomain())] = o.GetVersion()
	}
	return m
}

// versions checks the imports of one function: every node's domain has one (SV045), and it gives
// each operator the schema version that the model's import gives (SV054), as stock checkers demand
// it. A domain that the model does not import is not compared.
func (b *builder) versions(fn *onnxpb.FunctionProto, at string, f *faults) {
	own := imports(fn.GetOpsetImport())
	eachNode(fn.GetNode(), at, func(n *onnxpb.NodeProto, path string) {
		domain := domainOf(n.GetDomain())
		version, imported := own[domain]
		_, call := b.functions.called(n)
		switch model, ok := b.opsets[domain]; {
		case !imported:
			f.add(ErrCodec, path, "%s: the function has no opset_import for domain %q", describe(n), domain)
		case call || domain == structview.Domain:
		case !onnx(domain):
			f.add(ErrCodec, path, "%s: unknown operator: the model has no such function, and %q is no domain of ONNX", describe(n), domain)
		case ok && model != version && !sameVersion(domain, n.GetOpType(), version, model):
			f.add(ErrVersion, path, "%s: opset %d, which the function imports, and opset %d, which the model imports, have different versions of it",
				describe(n), version, model)
		}
	})
}

// onnx reports whether a domain's operators are ONNX's own.
func onnx(domain string) bool { return domain == "" || strings.HasPrefix(domain, "ai.onnx.") }

// sameVersion reports whether two versions of an operator set have one version of an operator.
func sameVersion(domain, op string, function, model int64) bool {
	here, known := eval.SinceVersion(domain, op, function)
	there, also := eval.SinceVersion(domain, op, model)
	return here == there && known == also
}
