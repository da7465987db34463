// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"github.com/structview/structview/onnxpb"
)

// hashVersion begins every declaration's encoding; another encoding gets another one.
const hashVersion = "structview 1"

// Hash returns the structural hash of a declaration (SV049; the encoding is written
// down in docs/HASH.md): of the layout with its names and constants, of the decoder
// and encoder, and of the functions among those given that they call, directly or not.
// Name, documentation and metadata of the declaration do not count, nor does it matter
// whether a part is inline or a reference.
func Hash(t *Type, functions []*onnxpb.FunctionProto) [32]byte {
	h := hasher{types: map[*Type][32]byte{}, entries: t.entries, functions: map[functionKey]*onnxpb.FunctionProto{}}
	for _, f := range functions {
		h.functions[keyOf(f)] = f
	}
	h.calls = map[functionKey]bool{}
	h.text(hashVersion)
	layout := h.layout(t)
	h.b = append(h.b, layout[:]...)
	for _, f := range []*onnxpb.FunctionProto{t.Decoder(), t.Encoder()} {
		h.flag(f != nil)
		if f != nil {
			h.function(f)
		}
	}
	h.calledFunctions()
	return sha256.Sum256(h.b)
}

// LayoutHash returns the hash of the layout alone: sizes, names and constants.
func LayoutHash(t *Type) [32]byte {
	h := hasher{types: map[*Type][32]byte{}}
	return h.layout(t)
}

// functionKey is how a node names a function.
type functionKey struct{ domain, name, overload string }

func keyOf(f *onnxpb.FunctionProto) functionKey {
	return functionKey{domainName(f.GetDomain()), f.GetName(), f.GetOverload()}
}

// domainName gives ONNX's own domain its one spelling.
func domainName(s string) string {
	if s == "ai.onnx" {
		return ""
	}
	return s
}

func (k functionKey) compare(o functionKey) int {
	return cmp.Or(cmp.Compare(k.domain, o.domain), cmp.Compare(k.name, o.name), cmp.Compare(k.overload, o.overload))
}

// hasher writes the canonical encoding.
type hasher struct {
	encoding
	types     map[*Type][32]byte
	entries   []*Type
	functions map[functionKey]*onnxpb.FunctionProto
	calls     map[functionKey]bool // of the functions, those that were called
}

// layout returns the hash of a type. Each is encoded once, with the hashes of its
// parts in their place, so that shared parts cost nothing.
func (h *hasher) layout(t *Type) [32]byte {
	if sum, ok := h.types[t]; ok {
		return sum
	}
	var e encoding
	e.text(t.kind.String())
	switch t.kind {
	case KindTensor:
		e.number(uint64(t.element))
		e.number(uint64(len(t.shape)))
		for _, d := range t.shape {
			e.number(d)
		}
	case KindArray:
		e.number(t.length)
		h.part(&e, t.elem)
	case KindBitPacking:
		e.number(t.length)
		e.number(uint64(len(t.parts)))
		for _, c := range t.parts {
			e.text(c.Name)
			e.number(uint64(c.Width))
		}
	case KindStructure:
		h.structure(&e, t)
	}
	sum := sha256.Sum256(e.b)
	h.types[t] = sum
	return sum
}

func (h *hasher) structure(e *encoding, t *Type) {
	e.number(uint64(len(t.fields)))
	for _, f := range t.fields {
		e.text(f.Name)
		e.flag(f.Constant != nil)
		if f.Constant != nil {
			e.tensor(f.Constant)
		} else {
			h.part(e, f.Type)
		}
	}
}

func (h *hasher) part(e *encoding, t *Type) {
	sum := h.layout(t)
	e.b = append(e.b, sum[:]...)
}

// calledFunctions writes every function that was called, in the order of their names.
func (h *hasher) calledFunctions() {
	written := map[functionKey][]byte{}
	for {
		todo := len(written)
		for key := range h.calls {
			if written[key] != nil {
				continue
			}
			rest := h.b
			h.b = nil
			h.text(key.domain)
			h.text(key.name)
			h.text(key.overload)
			h.function(h.functions[key])
			written[key], h.b = h.b, rest
		}
		if len(written) == todo {
			break
		}
	}
	keys := make([]functionKey, 0, len(written))
	for key := range written {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, functionKey.compare)
	h.number(uint64(len(keys)))
	for _, key := range keys {
		h.b = append(h.b, written[key]...)
	}
}
