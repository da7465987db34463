// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

type checkCommand struct {
	Payload bool     `help:"Read the payloads too: BOOL values, checksums."`
	Files   []string `arg:"" name:"FILE" help:"Models, containers or texts of types to check; a member of a family as FILE:[n=2]."`
}

// checkResult is what check found in one file.
type checkResult struct {
	File         string                  `json:"file"`
	Error        string                  `json:"error,omitempty"` // why it could not be read
	Findings     []structview.Diagnostic `json:"findings"`
	Errors       int                     `json:"errors"`
	Warnings     int                     `json:"warnings"`
	Unsupported  int                     `json:"unsupported"`
	Declarations int                     `json:"declarations"`
	Values       int                     `json:"values"`
}

// Run checks every file, whatever it finds in those before.
func (c *checkCommand) Run(a *app) error {
	results := []checkResult{}
	var worst error
	for _, path := range c.Files {
		result, err := a.checkFile(path, c.Payload)
		if err != nil {
			report(a.stderr, err)
			if worst == nil || statusOf(err) > statusOf(worst) {
				worst = &failure{status: statusOf(err)}
			}
			results = append(results, checkResult{File: path, Error: err.Error(), Findings: []structview.Diagnostic{}})
			continue
		}
		results = append(results, result)
		if result.Errors > 0 && worst == nil {
			worst = &failure{status: statusInvalid}
		}
		if !a.json {
			result.print(a)
		}
	}
	if a.json {
		if err := a.writeJSON(results); err != nil {
			return err
		}
	}
	return worst
}

func (a *app) checkFile(path string, payload bool) (checkResult, error) {
	if file, member, ok := typeFile(path); ok && member != "" && !isRegular(path) && isRegular(file) {
		return checkMember(path)
	}
	file, err := a.open(path)
	if err != nil {
		return checkResult{}, err
	}
	defer file.Close()
	findings := append(wireFindings(file), codec.Check(file.Model, file.CheckOptions())...)
	findings = append(findings, checkFormats(file, findings)...)
	if payload {
		findings = append(findings, a.checkPayloads(file)...)
	}
	return counts(path, file.Model, findings), nil
}

// checkMember checks a declaration of a text file that a TYPE names, such as a member of a family.
func checkMember(argument string) (checkResult, error) {
	e, err := entry(argument)
	if err != nil {
		return checkResult{}, err
	}
	findings := codec.Check(e.Model, structview.CheckOptions{})
	if structview.Errors(findings) == nil && e.Values > 0 {
		findings = append(findings, checkFormat(e)...)
	}
	return counts(argument, e.Model, findings), nil
}

// counts sums up what was found in a model.
func counts(path string, m *onnxpb.ModelProto, findings []structview.Diagnostic) checkResult {
	result := checkResult{
		File:         path,
		Findings:     findings,
		Declarations: len(m.GetStructTypes()),
		Values:       len(m.GetGraph().GetStructInitializer()),
	}
	for _, f := range findings {
		switch f.Severity {
		case structview.Error:
			result.Errors++
		case structview.Warning:
			result.Warnings++
		default:
			result.Unsupported++
		}
	}
	if result.Findings == nil {
		result.Findings = []structview.Diagnostic{}
	}
	return result
}

// wireFindings are what only the wire shows (SV000, SV056).
func wireFindings(file *container.File) []structview.Diagnostic {
	var out []structview.Diagnostic
	for _, f := range file.Findings {
		severity := structview.Error
		if f.Warning {
			severity = structview.Warning
		}
		out = append(out, structview.Diagnostic{
			Rule: f.Rule, Severity: severity, Path: f.Path,
			Message: fmt.Sprintf("%s (byte %d)", f.Message, f.Offset),
		})
	}
	return out
}

func (r checkResult) print(a *app) {
	for _, f := range r.Findings {
		fmt.Fprintf(a.stdout, "%s: %s %s: %s: %s", r.File, f.Rule, f.Severity, f.Path, f.Message)
		if f.Help != "" {
			fmt.Fprintf(a.stdout, " (help: %s)", f.Help)
		}
		fmt.Fprintln(a.stdout)
	}
	fmt.Fprintf(a.stdout, "%s: %s, %s, %d unsupported; %s, %s\n", r.File,
		plural(r.Errors, "error"), plural(r.Warnings, "warning"), r.Unsupported,
		plural(r.Declarations, "declaration"), plural(r.Values, "structured value"))
}

// plural writes a count with its noun.
func plural[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
