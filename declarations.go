// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"

	"github.com/structview/structview/onnxpb"
)

// Declarations are the resolved entries of ModelProto.struct_types. They are
// immutable and safe for concurrent use.
type Declarations struct{ resolver *resolver }

// Resolve checks and resolves the declarations of a model (SV003, SV005 to SV016,
// SV020, SV025). It returns every finding, in the order of the entries; entries that
// are in order stay usable when others are not. Time and memory grow with the size of
// the messages, whatever the dimensions are and however often a declaration is used.
//
// The messages are kept, not copied: the caller must not change them afterwards.
func Resolve(decls []*onnxpb.StructTypeProto) (*Declarations, []Diagnostic) {
	var r report
	resolver := newResolver(decls, &r)
	resolver.resolve()
	SortDiagnostics(r.list)
	return &Declarations{resolver}, r.list
}

// Len returns the number of declarations, invalid ones included.
func (d *Declarations) Len() int { return len(d.resolver.types) }

// At returns the declaration of an index. The error is the [Diagnostic] that makes it
// invalid, or ErrReference if there is no such index.
func (d *Declarations) At(i int) (*Type, error) {
	if i < 0 || i >= d.Len() {
		return nil, &Diagnostic{Rule: string(ErrReference), Message: fmt.Sprintf("no declaration %d: %s", i, have(d.Len()))}
	}
	if t := d.resolver.types[i]; t != nil {
		return t, nil
	}
	return nil, d.resolver.fault(int32(i))
}

// Root resolves an inline root, whose references lead into d. The type is nil if
// there is a finding of severity Error.
func (d *Declarations) Root(p *onnxpb.StructTypeProto) (*Type, []Diagnostic) {
	var r report
	t, fault := d.root(p, &r, &place{nil, "struct_type", -1})
	SortDiagnostics(r.list)
	if t == nil && len(r.list) == 0 {
		r.list = append(r.list, *fault)
	}
	return t, r.list
}

// root resolves an inline root into r. Without a type it returns the error that is
// the reason; one of an entry that the root refers to is not reported again.
func (d *Declarations) root(p *onnxpb.StructTypeProto, r *report, at *place) (*Type, *Diagnostic) {
	inner := *d.resolver
	inner.report = r
	t, fault := inner.root(p, -1, at)
	if t == nil && fault == nil {
		fault = inner.fault(inner.needs)
	}
	return t, fault
}

// TypeOf returns the type that a value selects (SV001, SV002). An inline root is
// resolved at each call.
func (d *Declarations) TypeOf(v *onnxpb.StructProto) (*Type, error) {
	var r report
	t, fault := d.typeOf(v, &r, nil)
	if t == nil {
		return nil, fault
	}
	return t, nil
}

func (d *Declarations) typeOf(v *onnxpb.StructProto, r *report, at *place) (*Type, *Diagnostic) {
	r.first = nil
	i, inline := v.GetType(), v.GetStructType()
	switch {
	case i == -1 && inline != nil:
		return d.root(inline, r, at.child("struct_type"))
	case i == -1:
		r.error(ErrSelection, at, "type is -1, which needs a struct_type; there is none")
	case inline != nil:
		r.error(ErrSelection, at, "type %d and a struct_type: a value selects one of them (an inline type has type -1)", i)
	case i < 0 || int(i) >= d.Len():
		r.error(ErrSelection, at, "type %d names no declaration: %s", i, have(d.Len()))
	case d.resolver.types[i] == nil:
		return nil, d.resolver.fault(i)
	default:
		return d.resolver.types[i], nil
	}
	return nil, r.first
}

// BitSize returns the size of a concrete root in bits, without looking at any
// payload. Findings in declarations that root does not use are no error.
func BitSize(decls []*onnxpb.StructTypeProto, root *onnxpb.StructTypeProto) (uint64, error) {
	d, _ := Resolve(decls)
	t, findings := d.Root(root)
	if t == nil {
		return 0, Errors(findings)
	}
	return t.Bits(), nil
}
