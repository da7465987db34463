// SPDX-License-Identifier: Apache-2.0

package render

import (
	"strconv"
	"strings"

	"github.com/structview/structview"
)

// Leaf is one row of a layout: a named leaf, where it lies, and how it repeats.
type Leaf struct {
	Path     string `json:"path"`
	Element  string `json:"element"`    // element type, or "bits" for a component
	Width    uint64 `json:"bit_width"`  // of one element
	Offset   uint64 `json:"bit_offset"` // of the first element
	Dims     []Dim  `json:"dims"`
	Constant bool   `json:"constant,omitempty"`
	// Values are the first values of a constant.
	Values []string `json:"values,omitempty"`
	More   uint64   `json:"more,omitempty"` // further values of a constant
}

// Dim is one dimension of a leaf.
type Dim struct {
	Len    uint64 `json:"len"`
	Stride uint64 `json:"bit_stride"`
}

// Layout returns the leaves of a type in the order of declaration, at most limit
// of them, and whether there are more. Constants show at most values elements.
func Layout(t *structview.Type, limit, values int) (rows []Leaf, more bool) {
	for leaf := range t.Layout().Leaves() {
		if len(rows) == limit {
			return rows, true
		}
		rows = append(rows, leafRow(leaf, values))
	}
	return rows, false
}

func leafRow(leaf structview.Leaf, values int) Leaf {
	row := Leaf{
		Path: leaf.Path, Element: leaf.Element.Text(), Width: leaf.Width, Offset: leaf.Offset,
		Dims: []Dim{},
	}
	if leaf.IsComponent {
		row.Element = "bits"
	}
	for _, d := range leaf.Dims {
		row.Dims = append(row.Dims, Dim{d.Len, d.Stride})
	}
	if leaf.Constant != nil {
		row.Constant = true
		row.Values = Elements(leaf.Constant, values)
		row.More = uint64(leaf.Constant.Len()) - uint64(len(row.Values))
	}
	return row
}

// Shape writes a leaf's dimensions: "[16]", "" for a scalar.
func (l Leaf) Shape() string {
	if len(l.Dims) == 0 {
		return ""
	}
	shape := make([]uint64, len(l.Dims))
	for i, d := range l.Dims {
		shape[i] = d.Len
	}
	return dims(shape)
}

// Strides writes the distances between neighbours in bytes, or bytes and bits,
// outermost first: "18 x 1".
func (l Leaf) Strides() string {
	parts := make([]string, len(l.Dims))
	for i, d := range l.Dims {
		parts[i] = Position(d.Stride)
	}
	return strings.Join(parts, " x ")
}

// Text writes the values of a constant in one line.
func (l Leaf) Text() string { return line(l.Values, l.More) }

func line(values []string, more uint64) string {
	text := strings.Join(values, " ")
	if more > 0 {
		text += " … " + strconv.FormatUint(more, 10) + " more"
	}
	return text
}
