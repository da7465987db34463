// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// checkFormats instantiates each block format that a text file declares as a small
// value of two rows: a decoder that works for one block only is found here and
// not when somebody decodes.
func checkFormats(file *container.File) []structview.Diagnostic {
	if file.Format != "onnxtxt" {
		return nil
	}
	text, err := readText(file.Path)
	if err != nil {
		return nil // it was read a moment ago
	}
	var out []structview.Diagnostic
	for _, d := range file.Model.GetStructTypes() {
		e, err := catalog.Load(file.Path, text, d.GetName())
		if err != nil || e.Values == 0 {
			continue // what is wrong with it was reported, or it is a whole value
		}
		for _, f := range checkInstance(e) {
			f.Path = "value of " + e.Name + ": " + f.Path
			out = append(out, f)
		}
	}
	return out
}

func checkInstance(e *catalog.Entry) []structview.Diagnostic {
	instance, err := e.Instantiate([]int64{2, 3 * e.Values})
	if err != nil {
		return nil
	}
	m := &onnxpb.ModelProto{Graph: &onnxpb.GraphProto{Name: "check"}}
	if _, err := instance.AddTo(m); err != nil {
		return nil
	}
	return codec.Check(m, structview.CheckOptions{})
}
