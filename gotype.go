// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"math"
	"reflect"
	"sync/atomic"

	"github.com/structview/structview/onnxpb"
)

// TypeOf derives a type from a Go type, a struct or an array. A struct is a structure
// whose fields are the Go fields in their order, without the gaps that Go puts between
// them; a struct type that occurs more than once is declared once. Field types are
//
//	float32 float64 int8 … int64 uint8 … uint64 bool complex64 complex128
//	tensor.F16 and the other code types of package tensor
//	arrays of these: tensor leaves with a shape
//	structs, arrays of structs
//
// and named types of those kinds. Nothing else has a fixed size: the error names the
// field and says what to write instead. The tag `structview:"…"` has options separated
// by commas:
//
//	bits=N      an unsigned integer or a bool of N bits (a bool of 1). A struct all of whose
//	            fields are single ones is a row of a bit packing, an array of it a bit packing.
//	            Elsewhere, the field is a bit packing with one component, called value.
//	type=NAME   an element type that Go lacks, held by the Go integer of the next size: int4 and int2
//	            by int8; uint4, uint2 and the code of a float4e2m1 by uint8; a float16's by uint16
//	name=NAME   the name of the field, instead of Go's; the last option, NAME may have commas
//	-           the field has no bits in the payload
//
// Fields must be exported, since values move between them and payloads. Blank fields
// (_ [3]byte) are padding: written as zeros, not read, and called _, _2, _3, … An embedded
// struct is a field with the name of its type.
func TypeOf[T any]() (*Type, error) {
	t := reflect.TypeFor[T]()
	decls, err := declareGo(t)
	if err != nil {
		return nil, err
	}
	d, findings := Resolve(decls)
	if err := Errors(findings); err != nil {
		return nil, fmt.Errorf("structview: Go type %v: %w", t, err)
	}
	return d.At(d.Len() - 1)
}

// DeclarationsOf returns the declarations that [TypeOf] resolves, for a model: references
// are relative to the list, T is the last entry, and each struct type is one. The caller owns them.
func DeclarationsOf[T any]() ([]*onnxpb.StructTypeProto, error) {
	return declareGo(reflect.TypeFor[T]())
}

// GoType moves values of T, see [TypeOf], between Go and payloads. Making one looks at T
// once; it is immutable then, and safe for concurrent use. [As], [From] and [Alias] make
// one at each call. T may be a single number, too, or an array of numbers: a leaf.
type GoType[T any] struct {
	form    goForm
	matches atomic.Pointer[Type] // the type that was last found to have T's leaves
}

// GoTypeOf prepares T. The errors are those of [TypeOf].
func GoTypeOf[T any]() (*GoType[T], error) {
	form, err := formOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return &GoType[T]{form: *form}, nil
}

// Bits returns the size of a value in a payload, in bits.
func (g *GoType[T]) Bits() uint64 { return g.form.leaf.bits }

// As copies the value of v, at whatever bit it begins, into a T. Its type must have the leaves of
// T: paths, element types, widths and places; constants do not matter. An unsigned
// integer takes the bits of any element of its width. A BOOL other than 0 is true.
func (g *GoType[T]) As(v View) (T, error) {
	var value T
	if err := g.match(v.typ); err != nil {
		return value, err
	}
	err := v.guard(func() error {
		g.form.read(addressOf(&value), v.data, v.base)
		return nil
	})
	return value, err
}

// AppendAs appends the elements of v, an array of what [GoType.As] takes, to dst.
func (g *GoType[T]) AppendAs(dst []T, v View) ([]T, error) {
	d, err := g.elements(v.typ)
	if err != nil || d.Len == 0 {
		return dst, err
	}
	n := len(dst)
	dst = append(dst, make([]T, d.Len)...)
	err = v.guard(func() error {
		for i := range d.Len {
			g.form.read(addressOf(&dst[n:][i]), v.data, v.base+i*d.Stride)
		}
		return nil
	})
	return dst, err
}

// As copies a whole value into a T: see [GoType.As].
func As[T any](v View) (T, error) {
	g, err := GoTypeOf[T]()
	if err != nil {
		var zero T
		return zero, err
	}
	return g.As(v)
}

// AppendAs appends the elements of an array to dst: see [GoType.AppendAs].
func AppendAs[T any](dst []T, v View) ([]T, error) {
	g, err := GoTypeOf[T]()
	if err != nil {
		return dst, err
	}
	return g.AppendAs(dst, v)
}

// match checks that values of t are values of T.
func (g *GoType[T]) match(t *Type) error {
	if t == nil {
		return pathError("", "the view is empty: make one with NewView")
	}
	if g.matches.Load() == t {
		return nil
	}
	if err := g.form.match(t); err != nil {
		return err
	}
	g.matches.Store(t)
	return nil
}

// elements checks that t has elements that are values of T.
func (g *GoType[T]) elements(t *Type) (Dim, error) {
	if t == nil {
		return Dim{}, g.match(nil)
	}
	d, inner, ok := t.outermost()
	if !ok {
		return Dim{}, fmt.Errorf("structview: %s has no elements: move it as one value", t.describeOne())
	}
	switch size := uint64(g.form.typ.Size()); {
	case d.Len > 0 && d.Stride == 0:
		return Dim{}, fmt.Errorf("structview: %v has no bits: a slice of %d of them holds nothing", g.form.typ, d.Len)
	case size > 0 && d.Len > math.MaxInt/size:
		return Dim{}, fmt.Errorf("structview: %d values of %v, %d bytes each, do not fit this machine's memory", d.Len, g.form.typ, size)
	}
	return d, g.match(inner)
}
