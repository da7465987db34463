// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"iter"

	"github.com/structview/structview/tensor"
)

// Layout answers where the leaves of a type lie. It is symbolic: an array of a
// million structures is one entry with a dimension of a million, so that every
// answer takes time and memory by the depth of the declaration alone.
type Layout struct{ root *Type }

// Dim is one dimension of a leaf: how many, and how many bits apart.
type Dim struct {
	Len    uint64
	Stride uint64 // bits
}

// Leaf says where one named leaf lies within a value of its root.
type Leaf struct {
	Path        string      // canonical (SV041): "qs.lo", "value"
	Element     tensor.Type // ONNX element type; of a component the smallest UINT that holds it (SV043), Undefined above 64 bits
	Width       uint64      // bits of one element
	IsComponent bool
	Offset      uint64         // bits, of the first element
	Dims        []Dim          // enclosing arrays and bit packings outermost first, then the leaf's own shape
	Constant    *tensor.Tensor // not nil: no bits of the payload; Dims is the constant's own shape
}

// Root returns the type whose layout this is.
func (l *Layout) Root() *Type { return l.root }

// Leaf returns the leaf of a canonical name path (SV041).
func (l *Layout) Leaf(path string) (Leaf, error) { panic("not yet") }

// Leaves returns the leaves in the order of declaration.
func (l *Layout) Leaves() iter.Seq[Leaf] { panic("not yet") }

// Resolve prepares a path for reading.
func (l *Layout) Resolve(p Path) (Ref, error) { panic("not yet") }
