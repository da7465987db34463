// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/structview/structview/conformance"
)

// run runs one case of a suite that is made of it and some files.
func run(t *testing.T, entry string, files map[string]string) conformance.Result {
	t.Helper()
	dir := t.TempDir()
	files["index.json"] = `{"version": 1, "cases": [` + entry + `]}`
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := conformance.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s.Run(t.Context(), conformance.Options{})[0]
}

// TestFailures: the runner notices each kind of difference, and says what it is.
func TestFailures(t *testing.T) {
	binary, err := os.ReadFile("cases/sv001/absent-type.onnx") // byte: uint8 x; other: uint16 y; a value w of 7
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ entry, expected, found string }{
		"findings":        {`"kind": "check", "findings": ["SV008 error"]`, "SV008 error", "nothing"},
		"malformed":       {`"kind": "check", "malformed": true`, "malformed bytes", "a model"},
		"size":            {`"kind": "layout", "root": 1, "size": "17"`, "size 17", "size 16"},
		"leaf is missing": {`"kind": "layout", "root": 0, "size": "8", "leaves": []`, "0 leaves", "more"},
		"element": {
			`"kind": "read", "root": "w", "payload": "07", "reads": [{"path": "x", "element": "INT8", "dims": [], "bits": ["0x7"]}]`,
			`"x" INT8`, `"x" UINT8`,
		},
		"bits": {
			`"kind": "read", "root": "w", "payload": "07", "reads": [{"path": "x", "element": "UINT8", "dims": [], "bits": ["0x8"]}]`,
			`"x" [0x8]`, `"x" [0x7]`,
		},
		"values": {
			`"kind": "read", "root": "w", "payload": "07", "reads": [{"path": "x", "element": "UINT8", "dims": [], "bits": ["0x7"], "values": ["8"]}]`,
			`"x" value 8`, `"x" value 7`,
		},
		"path":  {`"kind": "read", "root": 0, "payload": "07", "reads": [{"path": "x", "refused": "SV041"}]`, `"x" refused by SV041`, `"x" refused by`},
		"hash":  {`"kind": "hash", "root": 0, "hash": "00"`, "hash 00", "hash "},
		"kind":  {`"kind": "dance"`, "a case that runs", `kind "dance" is unknown`},
		"root":  {`"kind": "layout", "root": "q", "size": "8"`, "a case that runs", `root: the model has no value "q"`},
		"entry": {`"kind": "layout", "root": 7, "size": "8"`, "a case that runs", "no declaration 7"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, `{"name": "n", "model": "m.onnx", `+c.entry+`}`, map[string]string{"m.onnx": string(binary)})
			if r.Status != conformance.Failed || r.Expected != c.expected || !strings.Contains(r.Found, c.found) {
				text, _ := json.Marshal(r)
				t.Errorf("got %s", text)
			}
		})
	}
}

// TestIndexStaysInItsFolder: an index comes with its files, and reaches no others.
func TestIndexStaysInItsFolder(t *testing.T) {
	for name, entry := range map[string]string{
		"model":       `"model": "../m.onnx"`,
		"absolute":    `"model": "/etc/passwd"`,
		"setup":       `"model": "m.onnx", "setup": [{"make": "folder", "path": "../../x"}]`,
		"hard link":   `"model": "m.onnx", "setup": [{"make": "hardlink", "path": "x", "target": "../../index.json"}]`,
		"other files": `"model": "m.onnx", "setup": [{"make": "device", "path": "x"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, `{"name": "n", "kind": "check", `+entry+`}`, map[string]string{"m.onnx": "\x08\x0d"})
			if r.Status != conformance.Failed || r.Expected != "a case that runs" {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestBadIndex(t *testing.T) {
	for text, want := range map[string]string{
		`{"version": 2}`:                  "version 1 expected, 2 found",
		`{"version": 1, "cases": [7]}`:    "cannot unmarshal number",
		`{"version": 1, "cases": [{}]} x`: "invalid character",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "index.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := conformance.Load(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
