// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// CheckPayload reads a payload and warns of BOOL elements other than 0 and 1 (SV030):
// one finding for the value, which names the first of them. Its Path is left to the
// caller. Only the parts that hold BOOL elements are read.
func CheckPayload(v View) ([]Diagnostic, error) {
	if v.typ == nil {
		return nil, nil
	}
	w := boolWalk{data: v.data, has: map[*Type]bool{}}
	err := v.guard(func() error {
		w.walk(v.typ, v.base)
		return nil
	})
	if err != nil || w.count == 0 {
		return nil, err
	}
	path, _, err := v.typ.Layout().At(w.first - v.base)
	if err != nil {
		return nil, err
	}
	return []Diagnostic{{
		Rule: string(ErrBool), Severity: Warning, Help: "other bytes read as true",
		Message: fmt.Sprintf("%d BOOL elements are neither 0 nor 1; the first is %s: %#x", w.count, path, w.value),
	}}, nil
}

// boolWalk looks at every BOOL element.
type boolWalk struct {
	data  []byte
	has   map[*Type]bool // whether a type has BOOL elements
	count uint64
	first uint64 // bit of the first one that is neither 0 nor 1
	value uint64
}

func (w *boolWalk) holds(t *Type) bool {
	if t.bits == 0 {
		return false
	}
	if has, ok := w.has[t]; ok {
		return has
	}
	has := t.kind == KindTensor && t.element == tensor.Bool || t.kind == KindArray && w.holds(t.elem)
	for i := range t.fields {
		if f := t.fields[i].Type; !has && f != nil {
			has = w.holds(f)
		}
	}
	w.has[t] = has
	return has
}

func (w *boolWalk) walk(t *Type, base uint64) {
	if !w.holds(t) {
		return
	}
	switch t.kind {
	case KindArray:
		for i := range t.length {
			w.walk(t.elem, base+i*t.stride)
		}
	case KindStructure:
		for i := range t.fields {
			if f := &t.fields[i]; f.Type != nil {
				w.walk(f.Type, base+f.Offset)
			}
		}
	default:
		for at := base; at < base+t.bits; at += tensor.Bool.Bits() {
			if x := readBits(w.data, at, tensor.Bool.Bits()); x > 1 {
				if w.count == 0 {
					w.first, w.value = at, x
				}
				w.count++
			}
		}
	}
}
