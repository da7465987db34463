// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/container"
)

// checkPayloads reads every payload of the main graph: checksums of external files
// (SV023) and BOOL elements (SV030). A value whose type is faulty was reported
// before and is passed over.
func (a *app) checkPayloads(file *container.File) []structview.Diagnostic {
	declarations, _ := structview.Resolve(file.Model.GetStructTypes())
	var out []structview.Diagnostic
	graph := file.Model.GetGraph()
	for i, t := range graph.GetInitializer() {
		if err := file.VerifyChecksum(t); err != nil {
			out = append(out, checksumFinding(fmt.Sprintf("graph.initializer[%d]", i), err))
		}
	}
	for i, v := range graph.GetStructInitializer() {
		path := fmt.Sprintf("graph.struct_initializer[%d]", i)
		if err := file.VerifyChecksum(v); err != nil {
			out = append(out, checksumFinding(path, err))
		}
		t, err := declarations.TypeOf(v)
		if err != nil {
			continue
		}
		payload, err := file.Bytes(v)
		if err != nil {
			continue // its range was measured and reported
		}
		view, err := structview.NewView(t, payload)
		if err != nil {
			continue
		}
		findings, err := structview.CheckPayload(view)
		if err != nil {
			findings = append(findings, structview.Diagnostic{Rule: "SV022", Path: path, Message: err.Error()})
		}
		for _, f := range findings {
			f.Path = path
			out = append(out, f)
		}
	}
	return out
}

func checksumFinding(path string, err error) structview.Diagnostic {
	return structview.Diagnostic{Rule: string(structview.ErrExternal), Severity: structview.Error, Path: path, Message: err.Error()}
}
