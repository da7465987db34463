// SPDX-License-Identifier: Apache-2.0

// Package gen writes what a program in Go, C or Python needs to read and write the
// values of a declaration: accessors whose offsets are constants. The output depends on
// the declaration and the options alone.
package gen

import (
	"errors"
	"fmt"
	"slices"

	"github.com/structview/structview"
)

// Language is what is written.
type Language string

const (
	Go    Language = "go"    // a type over an array of bytes, with accessors
	C     Language = "c"     // a header: a packed struct, or bytes with inline accessors
	Numpy Language = "numpy" // a Python file with a dtype
)

// Languages returns all languages.
func Languages() []Language { return []Language{Go, C, Numpy} }

// Options say what is written. Lang and Source are needed.
type Options struct {
	Lang    Language
	Source  string // the declaration as people name it: "format.block"; stands in comments
	Name    string // of the type; "": made from Source
	Package string // of the Go file; "": "formats"
}

// Bounds of one output. A declaration of a few bytes may describe far more.
const (
	maxBytes    = 1 << 26 // of a value: offsets in bits fit 32 bits
	maxLeaves   = 1 << 10
	maxConstant = 1 << 16 // bytes of a constant that is written out
)

// ErrName says that Options.Name or Options.Package cannot be used in the language.
var ErrName = errors.New("not a usable name")

// Generate returns the source text of a type. A type that has no whole number of bytes,
// no bits at all, more than 1024 leaves or more than 64 MiB is refused, and so is what the
// language cannot express; the error names the leaf.
func Generate(t *structview.Type, o Options) ([]byte, error) {
	write, ok := map[Language]func(*plan) ([]byte, error){Go: writeGo, C: writeC, Numpy: writeNumpy}[o.Lang]
	if !ok {
		return nil, fmt.Errorf("no language %q: there are %v", o.Lang, Languages())
	}
	p, err := newPlan(t, o)
	if err != nil {
		return nil, err
	}
	return write(p)
}

// plan is a declaration that can be written: few leaves, a sensible size.
type plan struct {
	Options
	root   *structview.Type
	size   uint64
	leaves []leaf // that have elements, in the order of declaration
}

// leaf is one leaf with its names and the dimensions that need an index.
type leaf struct {
	structview.Leaf
	names []string         // of the path
	dims  []structview.Dim // with more than one element
	name  string           // of the accessor
}

func newPlan(t *structview.Type, o Options) (*plan, error) {
	bytes, whole := t.Bytes()
	switch {
	case !whole:
		return nil, fmt.Errorf("%s has %d bits, which is not a whole number of bytes: add a bit field that fills the last one", o.Source, t.Bits())
	case bytes == 0:
		return nil, fmt.Errorf("%s has no bits: there is nothing to read", o.Source)
	case bytes > maxBytes:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d of one generated type: generate the type of its elements", o.Source, bytes, maxBytes)
	case t.Layout().Len() > maxLeaves:
		return nil, fmt.Errorf("%s has %s leaves, more than the %d of one generated type: generate the types of its parts", o.Source, count(t.Layout().Len()), maxLeaves)
	}
	p := &plan{Options: o, root: t, size: bytes}
	for l := range t.Layout().Leaves() {
		path, err := structview.ParsePath(l.Path)
		if err != nil {
			return nil, err
		}
		one := leaf{Leaf: l}
		for _, step := range path {
			one.names = append(one.names, step.Name)
		}
		for _, d := range l.Dims {
			if d.Len != 1 {
				one.dims = append(one.dims, d)
			}
		}
		if !slices.ContainsFunc(l.Dims, func(d structview.Dim) bool { return d.Len == 0 }) {
			p.leaves = append(p.leaves, one)
		}
	}
	return p, nil
}

func count(n uint64) string {
	if n == 1<<64-1 {
		return "2^64 or more"
	}
	return fmt.Sprint(n)
}

// elements returns the number of elements of a constant: its dimensions are bounded by its data.
func (l *leaf) elements() uint64 {
	n := uint64(1)
	for _, d := range l.Dims {
		n *= d.Len
	}
	return n
}

// kind describes the elements for a comment: "float16", "4 bits".
func (l *leaf) kind() string {
	if l.IsComponent {
		return plural(l.Width, "bit")
	}
	return l.Element.Text()
}

func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// shape lists the dimensions for a comment: "[2 16]".
func (l *leaf) shape() string {
	if len(l.Dims) == 0 {
		return ""
	}
	list := make([]uint64, len(l.Dims))
	for i, d := range l.Dims {
		list[i] = d.Len
	}
	return fmt.Sprint(list)
}

// place is an offset for a comment: "byte 2", "byte 2 bit 4".
func (l *leaf) place() string {
	switch {
	case l.Constant != nil:
		return "constant"
	case l.Offset%8 == 0:
		return fmt.Sprintf("byte %d", l.Offset/8)
	default:
		return fmt.Sprintf("byte %d bit %d", l.Offset/8, l.Offset%8)
	}
}

// table lists the leaves for a comment.
func (p *plan) table() []string {
	rows := make([][4]string, len(p.leaves))
	var widths [4]int
	for i := range p.leaves {
		l := &p.leaves[i]
		rows[i] = [4]string{l.place(), comment(l.Path), l.kind(), l.shape()}
		for k, cell := range rows[i] {
			widths[k] = max(widths[k], len([]rune(cell)))
		}
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = trimRight(fmt.Sprintf("%-*s  %-*s  %-*s  %s", widths[0], r[0], widths[1], r[1], widths[2], r[2], r[3]))
	}
	return lines
}
