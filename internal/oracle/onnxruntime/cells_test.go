// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/structview/structview/tensor"
)

// cell is an operator, with its variant, on one element type: what testdata/types.txt says that the peer accepts.
type cell struct {
	row   string // "Cast.to.FLOAT"
	opset int64
	typ   tensor.Type
}

func (c cell) String() string { return fmt.Sprintf("%s %d %s", c.row, c.opset, c.typ.Text()) }

func (c cell) operator() string {
	op, _, _ := strings.Cut(c.row, ".")
	return op
}

// variant is what follows the operator's name.
func (c cell) variant() []string { return strings.Split(c.row, ".")[1:] }

// typeOf reads the variant's last part as an element type.
func (c cell) variantType() tensor.Type {
	typ, _ := tensor.Named(c.row[strings.LastIndexByte(c.row, '.')+1:])
	return typ
}

// has reports whether the variant has a part of a name.
func (c cell) has(part string) bool {
	for _, v := range c.variant() {
		if v == part {
			return true
		}
	}
	return false
}

// row is a line of the file.
type row struct {
	name  string
	cells []cell
}

func readRows(t testing.TB) []row {
	t.Helper()
	text, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range strings.Lines(string(text)) {
		head, types, ok := strings.Cut(line, ": ")
		if strings.HasPrefix(line, "#") || !ok {
			continue
		}
		name, version, _ := strings.Cut(head, " ")
		opset, err := strconv.ParseInt(version, 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		r := row{name: head}
		for _, word := range strings.Fields(types) {
			typ, ok := tensor.Named(word)
			if !ok {
				t.Fatalf("%q: no type %q", line, word)
			}
			r.cells = append(r.cells, cell{name, opset, typ})
		}
		rows = append(rows, r)
	}
	return rows
}
