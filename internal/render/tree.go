// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"

	"github.com/structview/structview"
)

// Node is a value or a part of one, with what it holds.
type Node struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Offset uint64   `json:"bit_offset"`
	Bits   uint64   `json:"bits"`             // size of the whole, 0 for a constant
	Spread bool     `json:"spread,omitempty"` // other bits lie between its own
	Values []string `json:"values,omitempty"`
	Fields []Node   `json:"fields,omitempty"` // fields, components or elements
	More   uint64   `json:"more,omitempty"`   // values or elements that are not shown
}

// Limits bound what Tree shows.
type Limits struct {
	Values   int // values of one leaf
	Elements int // structures of one array
	Nodes    int // lines in all
}

// Tree reads the part of v at path and everything below it, within limits. The
// path is one of structview.ParsePath, "" for all of v; a range or an index left
// out leads to several parts, shown as the elements of an array.
func Tree(v structview.View, path string, limits Limits) (Node, error) {
	steps, err := structview.ParsePath(path)
	if err != nil {
		return Node{}, err
	}
	ref, err := v.Type().Layout().Resolve(steps)
	if err != nil {
		return Node{}, err
	}
	r := reader{limits, limits.Nodes}
	node, err := r.part(v, ref, starts(v.Type().Layout(), steps))
	node.Name = path
	return node, err
}

type reader struct {
	limits Limits
	left   int
}

// starts returns the index of the first element in each dimension that a path to
// structures leaves open: where its range begins, 0 where it has no index.
func starts(layout *structview.Layout, path structview.Path) []uint64 {
	var first []uint64
	for i, step := range path {
		ref, err := layout.Resolve(path[:i+1])
		if err != nil || ref.IsLeaf() {
			return first
		}
		for len(first) < len(ref.Dims()) {
			first = append(first, step.From)
		}
	}
	return first
}

// part shows what stands at ref in v. first is the index that the first element
// goes by in each of ref's dimensions.
func (r *reader) part(v structview.View, ref structview.Ref, first []uint64) (Node, error) {
	r.left--
	if ref.IsLeaf() {
		return r.values(v, ref)
	}
	if len(ref.Dims()) > 0 {
		return r.several(v, ref, first)
	}
	sub, err := v.Sub(ref)
	if err != nil {
		return Node{}, err
	}
	t := sub.Type()
	node := Node{Type: Type(t), Offset: sub.Offset(), Bits: t.Bits()}
	switch t.Kind() {
	case structview.KindStructure:
		names := make([]string, len(t.Fields()))
		for i, f := range t.Fields() {
			names[i] = f.Name
		}
		return node, r.named(&node, sub, names)
	case structview.KindBitPacking:
		names := make([]string, len(t.Components()))
		for i, c := range t.Components() {
			names[i] = c.Name
		}
		return node, r.named(&node, sub, names)
	default:
		return node, r.elements(&node, t.Len(), 0, func(i uint64) (Node, error) {
			ref, err := sub.Type().Layout().Resolve(structview.Path{structview.Index(i)})
			if err != nil {
				return Node{}, err
			}
			return r.part(sub, ref, nil)
		})
	}
}

// several shows the parts that a path with open dimensions leads to.
func (r *reader) several(v structview.View, ref structview.Ref, first []uint64) (Node, error) {
	text := Type(ref.Type())
	for i := len(ref.Dims()) - 1; i >= 0; i-- {
		text = fmt.Sprintf("array(%s, %d)", text, ref.Dims()[i].Len)
	}
	node := Node{
		Type: text, Offset: v.Offset() + ref.Offset(), Bits: ref.Len() * ref.Width(),
		Spread: !dense(ref.Dims(), ref.Width()),
	}
	return node, r.elements(&node, ref.Dims()[0].Len, first[0], func(i uint64) (Node, error) {
		one, err := ref.Index(i)
		if err != nil {
			return Node{}, err
		}
		return r.part(v, one, first[1:])
	})
}

// dense tells whether elements of a width lie side by side.
func dense(dims []structview.Dim, width uint64) bool {
	for i := len(dims) - 1; i >= 0; i-- {
		if dims[i].Len != 1 && dims[i].Stride != width {
			return false
		}
		width *= dims[i].Len
	}
	return true
}

// elements shows the first of n parts; from is the index of the first one.
func (r *reader) elements(node *Node, n, from uint64, part func(i uint64) (Node, error)) error {
	for i := range min(n, uint64(r.limits.Elements)) {
		if r.left <= 0 {
			break
		}
		child, err := part(i)
		child.Name = fmt.Sprintf("[%d]", from+i)
		node.Fields = append(node.Fields, child)
		if err != nil {
			return err
		}
	}
	node.More = n - uint64(len(node.Fields))
	return nil
}

// named shows the fields of a structure, or the components of a bit packing.
func (r *reader) named(node *Node, v structview.View, names []string) error {
	for i, name := range names {
		if r.left <= 0 {
			node.More = uint64(len(names) - i)
			break
		}
		ref, err := v.Type().Layout().Resolve(structview.Path{structview.Name(name)})
		if err != nil {
			return err
		}
		child, err := r.part(v, ref, nil)
		child.Name = fieldName(name)
		node.Fields = append(node.Fields, child)
		if err != nil {
			return err
		}
	}
	return nil
}

// Text writes a node's values in one line.
func (n Node) Text() string { return line(n.Values, n.More) }
