// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/structview/structview/internal/render"
	"github.com/structview/structview/tensor"
)

type lsCommand struct {
	File string `arg:"" name:"FILE" help:"Model or container."`
}

// listing is one value as ls shows it.
type listing struct {
	Name     string  `json:"name"`
	Type     string  `json:"type"`
	Element  string  `json:"element_type,omitempty"` // of the logical value
	Shape    []int64 `json:"shape"`                  // of the logical value; -1 is unknown
	Bytes    uint64  `json:"bytes"`
	BitsEach float64 `json:"bits_per_element,omitempty"`
	Path     string  `json:"payload_file,omitempty"`
	Offset   int64   `json:"payload_offset"` // -1: in memory only
	Error    string  `json:"error,omitempty"`
}

// Run lists every value; one that cannot be read is listed with its error.
func (c *lsCommand) Run(a *app) error {
	s, err := a.openSource(c.File)
	if err != nil {
		return err
	}
	defer s.Close()
	rows := []listing{}
	for _, v := range s.values() {
		rows = append(rows, s.list(v))
	}
	if a.json {
		return a.writeJSON(rows)
	}
	table := [][]string{{"NAME", "TYPE", "VALUES", "BYTES", "BITS", "PAYLOAD"}}
	for _, r := range rows {
		table = append(table, r.cells())
	}
	if err := a.writeTable(table, 3, 4); err != nil {
		return err
	}
	if n := len(s.Model.GetStructTypes()); len(rows) == 0 && n > 0 {
		_, err = fmt.Fprintf(a.stdout, "no values; %s: %s\n", plural(n, "declaration"), s.shownBy(c.File))
	}
	return err
}

// shownBy names the command that shows a file's declarations.
func (s *source) shownBy(file string) string {
	if s.Format == "onnxtxt" {
		return "'structview types " + besideHere(file) + "' shows it"
	}
	return "'structview print " + file + "' shows it"
}

func (s *source) list(v value) listing {
	row := listing{Name: v.name, Shape: []int64{}, Offset: -1}
	if err := s.describe(v, &row); err != nil {
		row.Error = err.Error()
	}
	if place, err := s.Place(v.message()); err == nil {
		row.Path, row.Offset = place.Path, place.Offset
	} else if row.Error == "" {
		row.Error = err.Error()
	}
	if n, err := tensor.Count(row.Shape); err == nil && n > 0 {
		row.BitsEach = float64(row.Bytes) * 8 / float64(n)
	}
	return row
}

// describe fills in what the type says.
func (s *source) describe(v value, row *listing) error {
	if v.tensor != nil {
		element := tensor.Type(v.tensor.GetDataType())
		row.Type, row.Element, row.Shape = "tensor", element.String(), v.tensor.GetDims()
		if row.Shape == nil {
			row.Shape = []int64{}
		}
		n, err := tensor.Count(row.Shape)
		row.Bytes = (uint64(n)*element.Bits() + 7) / 8
		return err
	}
	t, err := s.structType(v)
	if err != nil {
		return err
	}
	row.Type = typeName(t)
	row.Bytes, _ = t.Bytes()
	c, err := s.codec(t)
	if err != nil {
		return err
	}
	if c.CanDecode() {
		element, dims := c.Output()
		row.Element = element.String()
		if dims != nil {
			row.Shape = dims
		}
	}
	return nil
}

func (r listing) cells() []string {
	values := "-"
	if r.Element != "" {
		values = r.Element + " " + shapeText(r.Shape)
	}
	each := "-"
	if r.BitsEach > 0 {
		each = fmt.Sprintf("%.6g", r.BitsEach)
	}
	place := "in the model"
	if r.Path != "" && r.Offset >= 0 {
		place = fmt.Sprintf("%s @ %d", render.Name(fromHere(r.Path)), r.Offset)
	}
	if r.Error != "" {
		place = "error: " + r.Error
	}
	return []string{render.Name(r.Name), render.Name(r.Type), values, byteCount(r.Bytes), each, place}
}

// fromHere writes the path of a file below the working directory as one from there.
func fromHere(path string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	if relative, err := filepath.Rel(resolved(here), path); err == nil && filepath.IsLocal(relative) {
		return relative
	}
	return path
}
