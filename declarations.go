// SPDX-License-Identifier: Apache-2.0

package structview

import "github.com/structview/structview/onnxpb"

// Declarations are the resolved entries of ModelProto.struct_types.
type Declarations struct{ types []*Type }

// Resolve checks and resolves the declarations of a model.
func Resolve(decls []*onnxpb.StructTypeProto) (*Declarations, []Diagnostic) { panic("not yet") }

// Len returns the number of declarations.
func (d *Declarations) Len() int { return len(d.types) }

// At returns the declaration of an index.
func (d *Declarations) At(i int) (*Type, error) { panic("not yet") }

// Root resolves an inline root, whose references lead into d.
func (d *Declarations) Root(p *onnxpb.StructTypeProto) (*Type, []Diagnostic) { panic("not yet") }

// TypeOf returns the type that a value selects (SV001, SV002).
func (d *Declarations) TypeOf(v *onnxpb.StructProto) (*Type, error) { panic("not yet") }

// BitSize returns the size of a concrete root in bits.
func BitSize(decls []*onnxpb.StructTypeProto, root *onnxpb.StructTypeProto) (uint64, error) {
	panic("not yet")
}
