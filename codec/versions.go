// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"strconv"
	"strings"

	"github.com/structview/structview/onnxpb"
)

// imports gives the version that each domain is imported in.
func imports(opsets []*onnxpb.OperatorSetIdProto) map[string]int64 {
	m := make(map[string]int64, len(opsets))
	for _, o := range opsets {
		m[domainOf(o.Domain)] = o.Version
	}
	return m
}

// versions checks the imports of one function: every node's domain has one (SV045), and it gives
// each operator the schema version that the model's import gives (SV054), as stock checkers demand
// it. A domain that the model does not import is not compared, nor is one without schemas.
func (b *builder) versions(fn *onnxpb.FunctionProto, at string, f *faults) {
	own := imports(fn.OpsetImport)
	eachNode(fn.Node, at, func(n *onnxpb.NodeProto, path string) {
		domain := domainOf(n.Domain)
		version, ok := own[domain]
		if !ok {
			f.add(ErrCodec, path, "%s: the function has no opset_import for domain %q", describe(n), domain)
			return
		}
		if _, ok := b.functions.called(n); ok || domain == Domain {
			return
		}
		if !onnx(domain) {
			f.add(ErrCodec, path, "%s: unknown operator: the model has no such function, and %q is no domain of ONNX", describe(n), domain)
			return
		}
		model, ok := b.opsets[domain]
		if !ok || model == version {
			return
		}
		here, known := sinceVersion(domain, n.OpType, version)
		there, knownThere := sinceVersion(domain, n.OpType, model)
		if here != there || known != knownThere {
			f.add(ErrVersion, path, "%s: opset %d of the function gives version %s, opset %d of the model gives version %s",
				describe(n), version, sinceText(here, known), model, sinceText(there, knownThere))
		}
	})
}

func sinceText(version int64, known bool) string {
	if !known {
		return "none"
	}
	return strconv.FormatInt(version, 10)
}

// onnx reports whether a domain's operators are ONNX's own.
func onnx(domain string) bool { return domain == "" || strings.HasPrefix(domain, "ai.onnx.") }
