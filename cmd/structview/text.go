// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
)

type compileCommand struct {
	In    string `arg:"" name:"IN.onnxtxt" help:"A model in the text form."`
	Out   string `short:"o" required:"" name:"out" help:"The model to write, .onnx."`
	Force bool   `help:"Replace an existing OUT."`
}

// Run turns text into a binary model.
func (c *compileCommand) Run(a *app) error {
	text, err := readText(c.In)
	if err != nil {
		return err
	}
	// A family of formats is compiled with the defaults of its parameters.
	if text, err = catalog.Expand(c.In, text); err != nil {
		return err
	}
	m, err := syntax.Parse(c.In, text)
	if err != nil {
		return err
	}
	return a.writeFile(c.Out, c.Force, func(w io.Writer) error {
		return onnxpb.WriteModel(w, m)
	})
}

type printCommand struct {
	File    string `arg:"" name:"FILE" help:"Model or container."`
	Abridge int    `help:"Show only the first N values of a constant; the result cannot be compiled."`
}

// Run writes a model in the text form.
func (c *printCommand) Run(a *app) error {
	if c.Abridge < 0 {
		return usage("--abridge takes a number from 0")
	}
	file, err := a.open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	options := syntax.Options{
		Abridge: c.Abridge,
		Payload: func(m proto.Message) ([]byte, bool, error) { return inlinePayload(file, m) },
	}
	if !a.json {
		return in(c.File, "", syntax.Fprint(a.raw, file.Model, options))
	}
	var text strings.Builder
	if err := syntax.Fprint(&text, file.Model, options); err != nil {
		return in(c.File, "", err)
	}
	return a.writeJSON(textDocument{c.File, text.String()})
}

// textDocument is a text as --json wraps it.
type textDocument struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// inlinePayload reads what was left in the model's own file; external data stays
// external.
func inlinePayload(file *container.File, m proto.Message) ([]byte, bool, error) {
	place, err := file.Place(m)
	if err != nil || place.Location != "" || place.Offset < 0 {
		return nil, false, err
	}
	data, err := file.Bytes(m)
	return data, true, err
}

type fmtCommand struct {
	File  string `arg:"" name:"FILE" help:"A model in the text form."`
	Write bool   `short:"w" help:"Rewrite the file instead of printing."`
}

// Run writes text in its canonical form; comments are kept.
func (c *fmtCommand) Run(a *app) error {
	text, err := readText(c.File)
	if err != nil {
		return err
	}
	formatted, err := syntax.Format(c.File, text)
	if err != nil {
		return err
	}
	switch {
	case !c.Write && a.json:
		return a.writeJSON(textDocument{c.File, string(formatted)})
	case !c.Write:
		_, err := a.raw.Write(formatted)
		return err
	}
	if bytes.Equal(formatted, text) {
		return nil
	}
	return a.writeFile(c.File, true, func(w io.Writer) error {
		_, err := w.Write(formatted)
		return err
	})
}
