// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/internal/render"
)

type typesCommand struct {
	Type string `arg:"" optional:"" name:"TYPE" help:"A catalogue name or a text file, to be shown in full."`
}

// typeRow is one entry of the catalogue.
type typeRow struct {
	Name     string  `json:"name"`
	Bytes    uint64  `json:"block_bytes"`
	Values   int64   `json:"block_values"`
	BitsEach float64 `json:"bits_per_value"`
	Decoder  bool    `json:"decoder"`
	Encoder  bool    `json:"encoder"`
	Doc      string  `json:"doc"`
}

// Run lists the catalogue, or shows one entry.
func (c *typesCommand) Run(a *app) error {
	if c.Type != "" {
		e, err := entry(c.Type)
		if err != nil {
			return err
		}
		return a.showEntry(e)
	}
	rows := []typeRow{}
	for _, name := range catalog.Builtin().Names() {
		e, err := catalog.Builtin().Entry(name)
		if err != nil {
			return err
		}
		rows = append(rows, describeEntry(e))
	}
	if a.json {
		return a.writeJSON(rows)
	}
	table := [][]string{{"TYPE", "BYTES", "VALUES", "BITS EACH", "DECODER", "ENCODER"}}
	for _, r := range rows {
		table = append(table, []string{
			r.Name, strconv.FormatUint(r.Bytes, 10), strconv.FormatInt(r.Values, 10),
			fmt.Sprintf("%.6g", r.BitsEach), yes(r.Decoder), yes(r.Encoder),
		})
	}
	return a.writeTable(table, 1, 2, 3)
}

func describeEntry(e *catalog.Entry) typeRow {
	t := e.Type()
	row := typeRow{
		Name: e.Name, Values: e.Values, Doc: e.Block.GetDocString(),
		Decoder: t.Decoder() != nil, Encoder: t.Encoder() != nil,
	}
	row.Bytes, _ = t.Bytes()
	if e.Values > 0 {
		row.BitsEach = float64(t.Bits()) / float64(e.Values)
	}
	return row
}

// showEntry prints an entry in full: facts, layout, text.
func (a *app) showEntry(e *catalog.Entry) error {
	row, t := describeEntry(e), e.Type()
	hash := fmt.Sprintf("%x", structview.Hash(t, e.Model.GetFunctions()))
	leaves, more := render.Layout(t, maxLeaves, constantValues)
	if a.json {
		return a.writeJSON(struct {
			typeRow
			Hash   string        `json:"hash"`
			Leaves []render.Leaf `json:"leaves"`
			Text   string        `json:"text"`
		}{row, hash, append([]render.Leaf{}, leaves...), string(e.Text)})
	}
	if row.Values > 0 {
		fmt.Fprintf(a.stdout, "%s: %s in %s, %.6g bits each\n", e.Name, plural(int(row.Values), "value"), render.Size(t.Bits()), row.BitsEach)
	} else {
		fmt.Fprintf(a.stdout, "%s: a whole value of %s\n", e.Name, render.Size(t.Bits()))
	}
	fmt.Fprintf(a.stdout, "hash %s\n\n", hash)
	if err := a.writeTable(layoutTable(leaves), 0, 1); err != nil {
		return err
	}
	if more {
		fmt.Fprintf(a.stdout, "… more than %d leaves\n", maxLeaves)
	}
	_, err := fmt.Fprintf(a.stdout, "\n%s", e.Text)
	return err
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "-"
}
