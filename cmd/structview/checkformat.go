// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// checkFormats looks at the declarations of a text file as the formats that commands take them for. found is
// what is known about the file: where something is wrong already, more of it would say the same.
func checkFormats(file *container.File, found []structview.Diagnostic) []structview.Diagnostic {
	if file.Format != "onnxtxt" {
		return nil
	}
	if out := checkValues(file.Model); len(out) > 0 || structview.Errors(found) != nil {
		return out
	}
	text, err := readText(file.Path)
	if err != nil {
		return nil // it was read a moment ago
	}
	var out []structview.Diagnostic
	for _, d := range file.Model.GetStructTypes() {
		e, err := catalog.Load(file.Path, text, d.GetName())
		if err != nil || e.Values == 0 {
			continue // there are two of its name, or it is a whole value
		}
		for _, f := range checkFormat(e) {
			if len(found) == 0 || f.Severity == structview.Error {
				out = append(out, f)
			}
		}
	}
	return out
}

// checkFormat instantiates a block format as a small value: a decoder that works for one block only is found here and
// not when somebody decodes. One that works but for a value without rows, which few have, is a warning.
func checkFormat(e *catalog.Entry) []structview.Diagnostic {
	found := checkDecoder(e)
	if structview.Errors(found) != nil {
		return found
	}
	for _, f := range checkInstance(e, 2) {
		f.Path = "value of " + e.Name + ": " + f.Path
		found = append(found, f)
	}
	if structview.Errors(found) != nil {
		return found
	}
	return append(found, checkNoRows(e)...)
}

// checkNoRows makes warnings of what is wrong with a value without rows alone.
func checkNoRows(e *catalog.Entry) []structview.Diagnostic {
	path := "decoder of " + e.Name + ", for a value without rows"
	var found []structview.Diagnostic
	if e.Block.GetDecoder() != nil {
		if instance, err := asWritten(e, []int64{0, 3}); err == nil {
			found = checkRoot(instance, path)
		}
	}
	if structview.Errors(found) == nil {
		found = checkInstance(e, 0)
		for i := range found {
			found[i].Path = "value of " + e.Name + " without rows: " + found[i].Path
		}
	}
	var out []structview.Diagnostic
	for _, f := range found { // the rest was found with rows
		if f.Severity == structview.Error {
			f.Severity = structview.Warning
			out = append(out, f)
		}
	}
	return out
}

// checkValues reads the property that makes a declaration a block format. In a model it may mean anything.
func checkValues(m *onnxpb.ModelProto) []structview.Diagnostic {
	severity := structview.Error
	if m.GetGraph() != nil {
		severity = structview.Warning
	}
	var out []structview.Diagnostic
	for i, d := range m.GetStructTypes() {
		at := fmt.Sprintf("struct_types[%d].metadata_props", i)
		if _, err := catalog.BlockValues(d); err != nil {
			out = append(out, structview.Diagnostic{Rule: string(codec.ErrCodec), Severity: severity, Path: at, Message: err.Error()})
		}
		if slip, ok := misspelt(d, "values"); ok {
			out = append(out, structview.Diagnostic{
				Rule: string(codec.ErrCodec), Severity: structview.Warning, Path: at,
				Message: fmt.Sprintf("%q has no %q, which makes a declaration a block format, but %q", d.GetName(), "values", slip),
				Help:    "without it the declaration is a whole value",
			})
		}
	}
	return out
}

// checkInstance checks the codecs of a value of three blocks a row.
func checkInstance(e *catalog.Entry, rows int64) []structview.Diagnostic {
	instance, err := e.Instantiate([]int64{rows, 3 * e.Values})
	if err != nil {
		return nil
	}
	m := &onnxpb.ModelProto{Graph: &onnxpb.GraphProto{Name: "check"}}
	if _, err := instance.AddTo(m); err != nil {
		return nil
	}
	return codec.Check(m, structview.CheckOptions{})
}
