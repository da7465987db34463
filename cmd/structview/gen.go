// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/structview/structview"
	"github.com/structview/structview/internal/gen"
	"github.com/structview/structview/internal/nearest"
)

type genCommand struct {
	Type    string `arg:"" name:"TYPE" help:"A catalogue name or a text file."`
	Out     string `short:"o" required:"" name:"out" help:"The file to write, or - for standard output."`
	Lang    string `default:"go" help:"go: a type with accessors; c: a header; numpy: a dtype."`
	Package string `help:"The Go package; by default the name of OUT's folder."`
	Name    string `help:"The name of the type; by default made from TYPE."`
	Shape   string `help:"Logical shape of a whole value: D0,D1,…; by default one block."`
	Force   bool   `help:"Replace an existing OUT."`
}

// Run writes source text that reads and writes values of TYPE.
func (c *genCommand) Run(a *app) error {
	if err := c.usage(); err != nil {
		return err
	}
	t, name, err := c.find()
	if err != nil {
		return err
	}
	text, err := gen.Generate(t, gen.Options{
		Lang: gen.Language(c.Lang), Source: name, Name: c.Name, Package: c.goPackage(),
	})
	if errors.Is(err, gen.ErrName) {
		return usage("%w", err)
	}
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { _, err := w.Write(text); return err }
	if c.Out == "-" {
		return write(a.raw)
	}
	return a.writeFile(c.Out, c.Force, write)
}

func (c *genCommand) usage() error {
	var languages []string
	for _, l := range gen.Languages() {
		languages = append(languages, string(l))
	}
	if !slices.Contains(languages, c.Lang) {
		hint := ""
		if near, ok := nearest.Of(c.Lang, languages); ok {
			hint = "; the nearest is " + near
		}
		return usage("--lang %s: expected %s%s", c.Lang, strings.Join(languages, ", "), hint)
	}
	if c.Package != "" && c.Lang != string(gen.Go) {
		return usage("--package goes with --lang go")
	}
	return nil
}

// find resolves TYPE, and the whole value of --shape.
func (c *genCommand) find() (*structview.Type, string, error) {
	l := layoutCommand{Source: c.Type, Shape: c.Shape}
	return l.fromType()
}

// goPackage names the package after the folder that OUT is in.
func (c *genCommand) goPackage() string {
	if c.Package != "" || c.Out == "-" {
		return c.Package
	}
	folder, err := filepath.Abs(filepath.Dir(c.Out))
	if err != nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return unicode.ToLower(r)
		}
		return -1
	}, filepath.Base(folder))
	if name != "" && unicode.IsDigit([]rune(name)[0]) {
		name = fmt.Sprintf("p%s", name)
	}
	return name
}
