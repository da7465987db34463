// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"

	"github.com/structview/structview"
	"github.com/structview/structview/internal/render"
)

type layoutCommand struct {
	Source string `arg:"" name:"FILE|TYPE" help:"A file, or a type: a catalogue name or a text file."`
	Name   string `arg:"" optional:"" name:"NAME" help:"The value, if a file is given."`
	Shape  string `help:"Logical shape of a whole value, if a type is given: D0,D1,…"`
}

// Bounds of one table: a declaration of a few bytes may have billions of leaves.
const (
	maxLeaves      = 10_000
	constantValues = 8
)

// Run prints one line a leaf.
func (c *layoutCommand) Run(a *app) error {
	t, name, err := c.find(a)
	if err != nil {
		return err
	}
	leaves, more := render.Layout(t, maxLeaves, constantValues)
	if a.json {
		return a.writeJSON(struct {
			Name   string        `json:"name"`
			Type   string        `json:"type"`
			Bits   uint64        `json:"bits"`
			Leaves []render.Leaf `json:"leaves"`
			More   bool          `json:"more,omitempty"`
		}{name, render.Type(t), t.Bits(), append([]render.Leaf{}, leaves...), more})
	}
	fmt.Fprintf(a.stdout, "%s: %s, %s\n", render.Name(name), render.Type(t), render.Size(t.Bits()))
	if err := a.writeTable(layoutTable(leaves), 0, 1); err != nil {
		return err
	}
	if more {
		fmt.Fprintf(a.stdout, "… more than %d leaves\n", maxLeaves)
	}
	return nil
}

// find resolves FILE NAME or TYPE.
func (c *layoutCommand) find(a *app) (*structview.Type, string, error) {
	if c.Name == "" {
		return c.fromType()
	}
	if c.Shape != "" {
		return nil, "", usage("--shape goes with a type, not with a file's value")
	}
	s, err := a.openSource(c.Source)
	if err != nil {
		return nil, "", err
	}
	defer s.Close()
	v, path, err := s.find(c.Name)
	if err != nil {
		return nil, "", in(c.Source, "", err)
	}
	if path != "" {
		return nil, "", at(c.Source, v, path, usage("layout takes a whole value; 'structview show' takes paths"))
	}
	if v.structp == nil {
		return nil, "", at(c.Source, v, "", invalid("an ordinary tensor has no declaration: its elements lie row by row"))
	}
	t, err := s.structType(v)
	return t, v.name, at(c.Source, v, "", err)
}

func (c *layoutCommand) fromType() (*structview.Type, string, error) {
	e, err := entryOrFile(c.Source)
	if err != nil {
		return nil, "", err
	}
	if c.Shape == "" {
		return e.Type(), e.Name, nil
	}
	shape, err := shapeOf(e, c.Shape)
	if err != nil {
		return nil, "", err
	}
	whole, err := instantiate(e, shape)
	return whole.root, e.Name + shapeText(shape), err
}

func layoutTable(leaves []render.Leaf) [][]string {
	table := [][]string{{"BYTE", "BITS", "TYPE", "SHAPE", "EVERY (BYTES)", "PATH"}}
	for _, l := range leaves {
		if l.Constant {
			table = append(table, []string{"-", "0", l.Element, l.Shape(), "constant", l.Path + " = " + l.Text()})
			continue
		}
		table = append(table, []string{
			render.Position(l.Offset), strconv.FormatUint(l.Width, 10), l.Element, l.Shape(), l.Strides(), l.Path,
		})
	}
	return table
}
