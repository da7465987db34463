// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"strings"

	"github.com/structview/structview"
)

// Node is a value or a part of one, with what it holds.
type Node struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Offset uint64   `json:"bit_offset"`
	Bits   uint64   `json:"bits"` // size of the whole, 0 for a constant
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
// path is one of structview.ParsePath, "" for all of v.
func Tree(v structview.View, path string, limits Limits) (Node, error) {
	ref, err := v.At(path)
	if err != nil {
		return Node{}, err
	}
	r := reader{v, limits, limits.Nodes}
	node, err := r.part(ref, path)
	node.Name = path
	return node, err
}

type reader struct {
	view   structview.View
	limits Limits
	left   int
}

// part shows what stands at ref: path leads to it.
func (r *reader) part(ref structview.Ref, path string) (Node, error) {
	r.left--
	t := ref.Type()
	if t == nil || scalars(t) {
		return r.values(ref)
	}
	node := Node{Type: Type(t), Offset: ref.Offset(), Bits: t.Bits()}
	if t.Kind() == structview.KindStructure && len(ref.Dims()) == 0 {
		for _, f := range t.Fields() {
			if err := r.child(&node, path, "."+name(f.Name), name(f.Name)); err != nil {
				return node, err
			}
		}
		return node, nil
	}
	if t.Kind() == structview.KindBitPacking {
		for _, c := range t.Components() {
			if err := r.child(&node, path, "."+name(c.Name), name(c.Name)); err != nil {
				return node, err
			}
		}
		return node, nil
	}
	return node, r.elements(&node, ref, t, path)
}

// elements shows the first elements of an array of structures.
func (r *reader) elements(node *Node, ref structview.Ref, t *structview.Type, path string) error {
	n := t.Len()
	if t.Kind() != structview.KindArray && len(ref.Dims()) > 0 {
		n = ref.Dims()[0].Len
	}
	shown := min(n, uint64(r.limits.Elements))
	for i := range shown {
		index := fmt.Sprintf("[%d]", i)
		if err := r.child(node, path, index, index); err != nil {
			return err
		}
	}
	node.More += n - uint64(len(node.Fields))
	return nil
}

// child adds the part one step below path, unless the limit on lines is reached.
func (r *reader) child(node *Node, path, step, name string) error {
	if r.left <= 0 {
		return nil
	}
	if path == "" {
		step = strings.TrimPrefix(step, ".")
	}
	ref, err := r.view.At(path + step)
	if err != nil {
		return err
	}
	child, err := r.part(ref, path+step)
	child.Name = name
	node.Fields = append(node.Fields, child)
	return err
}

// scalars tells whether t is a leaf or nested arrays of a leaf: one run of
// values.
func scalars(t *structview.Type) bool {
	for t.Kind() == structview.KindArray {
		t = t.Elem()
	}
	return t.Kind() == structview.KindTensor
}

// Text writes a node's values in one line.
func (n Node) Text() string { return line(n.Values, n.More) }
