// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/container/onnx"
	"github.com/structview/structview/onnxpb"
)

// Run runs every case. Cases are independent of each other; a case whose files cannot be
// read fails.
func (s *Suite) Run(ctx context.Context, opts Options) []Result {
	results := make([]Result, len(s.Cases))
	for i := range s.Cases {
		results[i] = s.RunCase(ctx, &s.Cases[i], opts)
	}
	return results
}

// RunCase runs one case of the suite.
func (s *Suite) RunCase(ctx context.Context, c *Case, opts Options) Result {
	r := Result{Name: c.Name, Kind: c.Kind, Status: Passed}
	err := s.runCase(ctx, c, opts)
	var differs *difference
	switch {
	case err == nil:
	case errors.Is(err, errLacking):
		r.Status, r.Found = Skipped, err.Error()
	case errors.As(err, &differs):
		r.Status, r.Expected, r.Found = Failed, differs.expected, differs.found
	default:
		r.Status, r.Expected, r.Found = Failed, "a case that runs", err.Error()
	}
	return r
}

// errLacking says that the system cannot make what a case needs.
var errLacking = errors.New("the system lacks something")

// difference is what a case expected and what was found instead.
type difference struct{ expected, found string }

func (d *difference) Error() string { return "expected " + d.expected + ", found " + d.found }

// compare returns a difference at a place unless two descriptions are equal.
func compare(at, expected, found string) error {
	if expected == found {
		return nil
	}
	return &difference{strings.TrimSpace(at + " " + expected), strings.TrimSpace(at + " " + found)}
}

// fixture is the model of a case.
type fixture struct {
	*Case
	file         *container.File
	declarations *structview.Declarations
	disabled     map[string]bool
}

func (s *Suite) runCase(ctx context.Context, c *Case, opts Options) error {
	if !filepath.IsLocal(filepath.FromSlash(c.Model)) {
		return fmt.Errorf("model %q is not below the suite's folder", c.Model)
	}
	path, remove, err := s.place(c)
	if err != nil {
		return err
	}
	defer remove()
	src, err := container.OpenSource(path)
	if err != nil {
		return err
	}
	// The content of malformed files would not be recognized, which is not what the case is about.
	file, err := onnx.Format{}.Open(src, container.Options{})
	if err != nil {
		src.Close()
		return c.malformed(err)
	}
	defer file.Close()
	f := &fixture{Case: c, file: file, disabled: opts.Disabled}
	f.declarations, _ = structview.Resolve(file.Model.GetStructTypes())
	return f.run(ctx)
}

// malformed judges a file that could not be read.
func (c *Case) malformed(err error) error {
	var wire *onnxpb.WireError
	if !errors.As(err, &wire) {
		return err
	}
	if c.Malformed {
		return nil
	}
	return &difference{"a model", err.Error()}
}

func (f *fixture) run(ctx context.Context) error {
	if f.Malformed {
		return &difference{"malformed bytes", "a model"}
	}
	switch f.Kind {
	case "check":
		return f.check()
	case "layout":
		return f.layout()
	case "read":
		return f.read()
	case "accepts":
		return f.accepts()
	case "codec":
		return f.codec(ctx)
	case "hash":
		return f.hash()
	default:
		return fmt.Errorf("kind %q is unknown", f.Kind)
	}
}

// check compares the distinct findings of a whole check, payloads included.
func (f *fixture) check() error {
	opts := f.file.CheckOptions()
	opts.Disabled = f.disabled
	all := codec.Check(f.file.Model, opts)
	for _, w := range f.file.Findings {
		severity := structview.Error
		if w.Warning {
			severity = structview.Warning
		}
		all = append(all, structview.Diagnostic{Rule: w.Rule, Severity: severity})
	}
	all = append(all, f.payloads()...)
	found := map[string]bool{}
	for _, d := range all {
		if !f.disabled[d.Rule] {
			found[d.Rule+" "+d.Severity.String()] = true
		}
	}
	want := map[string]bool{}
	for _, finding := range f.Findings {
		want[finding] = true
	}
	return compare("", list(want), list(found))
}

// payloads are the findings of a check that reads the payloads: SV030, and checksums (SV023).
func (f *fixture) payloads() []structview.Diagnostic {
	var all []structview.Diagnostic
	for _, v := range f.file.Model.GetGraph().GetStructInitializer() {
		payload, err := f.file.Bytes(v)
		if err != nil {
			continue // its range was measured and reported
		}
		if err := f.file.VerifyChecksum(v); err != nil {
			all = append(all, structview.Diagnostic{Rule: string(structview.ErrExternal), Message: err.Error()})
		}
		t, err := f.declarations.TypeOf(v)
		if err != nil {
			continue
		}
		view, err := structview.NewView(t, payload)
		if err != nil {
			continue
		}
		findings, err := structview.CheckPayload(view)
		if err != nil {
			findings = append(findings, structview.Diagnostic{Rule: string(structview.ErrLength), Message: err.Error()})
		}
		all = append(all, findings...)
	}
	return all
}

// rule is the rule of a refusal, "" if there is none or it is overlooked.
func (f *fixture) rule(err error) string {
	var d *structview.Diagnostic
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &d):
		return err.Error()
	case f.disabled[d.Rule]:
		return ""
	}
	return d.Rule
}
