// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Suite is a folder of cases and their index.
type Suite struct {
	Cases []Case
	dir   string
}

// Load reads index.json in dir. Files of the cases are read when they run.
func Load(dir string) (*Suite, error) {
	text, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		return nil, err
	}
	var index struct {
		Version int    `json:"version"`
		Cases   []Case `json:"cases"`
	}
	if err := json.Unmarshal(text, &index); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "index.json"), err)
	}
	if index.Version != 1 {
		return nil, fmt.Errorf("%s: version 1 expected, %d found", filepath.Join(dir, "index.json"), index.Version)
	}
	return &Suite{Cases: index.Cases, dir: dir}, nil
}

// Options say how a suite runs. The zero value runs it as it is.
type Options struct {
	// Disabled names rules whose findings and refusals are overlooked: {"SV008": true}.
	// Cases that depend on the rule then fail.
	Disabled map[string]bool
}

// Status is how a case went.
type Status string

const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped" // the system lacks what the case needs
)

// Result is the outcome of one case.
type Result struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
}
