// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/structview/structview/conformance"
)

type conformanceCommand struct {
	Dir string `arg:"" name:"DIR" help:"A folder with index.json and the files of its cases."`
}

// conformanceReport is what a run found.
type conformanceReport struct {
	Passed  int                  `json:"passed"`
	Failed  int                  `json:"failed"`
	Skipped int                  `json:"skipped"`
	Results []conformance.Result `json:"results"`
}

// Run runs every case of a folder against this implementation.
func (c *conformanceCommand) Run(a *app) error {
	suite, err := conformance.Load(c.Dir)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			return err
		}
		return invalid("%w", err)
	}
	results := suite.Run(context.Background(), conformance.Options{})
	report := conformanceReport{Results: results}
	for _, r := range results {
		switch r.Status {
		case conformance.Passed:
			report.Passed++
		case conformance.Failed:
			report.Failed++
		default:
			report.Skipped++
		}
	}
	if err := a.writeConformance(report); err != nil {
		return err
	}
	if report.Failed > 0 {
		return &failure{status: statusInvalid}
	}
	return nil
}

func (a *app) writeConformance(report conformanceReport) error {
	if a.json {
		return a.writeJSON(report)
	}
	for _, r := range report.Results {
		if r.Status == conformance.Failed {
			fmt.Fprintf(a.stdout, "%s: failed: expected %s, found %s\n", r.Name, r.Expected, r.Found)
		} else if r.Status == conformance.Skipped {
			fmt.Fprintf(a.stdout, "%s: skipped: %s\n", r.Name, r.Found)
		}
	}
	_, err := fmt.Fprintf(a.stdout, "%d passed, %d failed, %d skipped\n", report.Passed, report.Failed, report.Skipped)
	return err
}
