// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/structview/structview/codec"
)

type explainCommand struct {
	Source string `arg:"" name:"FILE|TYPE" help:"A file, or a type: a catalogue name or a text file."`
	Name   string `arg:"" optional:"" name:"NAME" help:"The value, if a file is given."`
	Shape  string `help:"Logical shape, if a type is given; by default four blocks, or eight if those are no whole bytes."`
}

// Run says how a decoder will run.
func (c *explainCommand) Run(a *app) error {
	made, name, done, err := c.find(a)
	if err != nil {
		return err
	}
	defer done()
	if !made.CanDecode() {
		return in(c.Source, "", invalid("%s has no decoder; 'structview layout' shows its fields", name))
	}
	explanation, err := made.Explain()
	if err != nil {
		return in(name, "", err)
	}
	if a.json {
		return a.writeJSON(explanation)
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s", name, explanation)
	return err
}

func (c *explainCommand) find(a *app) (*codec.Codec, string, func(), error) {
	if c.Name == "" {
		return c.fromType()
	}
	if c.Shape != "" {
		return nil, "", nil, usage("--shape goes with a type, not with a file's value")
	}
	s, err := a.openSource(c.Source)
	if err != nil {
		return nil, "", nil, err
	}
	v, path, err := s.find(c.Name)
	if err == nil && path != "" {
		err = usage("%s%s: explain takes a whole value", v.name, path)
	}
	if err == nil && v.structp == nil {
		err = invalid("%s: an ordinary tensor has no decoder", v.name)
	}
	var made *codec.Codec
	if err == nil {
		made, _, err = s.decoder(v)
	}
	if err != nil {
		s.Close()
		return nil, "", nil, in(c.Source, "", err)
	}
	return made, v.name, func() { s.Close() }, nil
}

func (c *explainCommand) fromType() (*codec.Codec, string, func(), error) {
	e, err := entryOrFile(c.Source)
	if err != nil {
		return nil, "", nil, err
	}
	shape := []int64{4 * e.Values}
	if e.Type().Bits()%2 != 0 { // four blocks are no whole bytes
		shape[0] *= 2
	}
	if c.Shape != "" || e.Values == 0 {
		if shape, err = shapeOf(e, c.Shape); err != nil {
			return nil, "", nil, err
		}
	}
	whole, err := instantiate(e, shape)
	if err == nil {
		_, err = whole.bytes(e)
		err = in(e.Name+shapeText(shape), "", err)
	}
	return whole.codec, e.Name, func() {}, err
}
