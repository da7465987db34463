// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readme returns the fenced blocks of the README that are in a language.
func readme(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n```") {
		if block, ok := strings.CutPrefix(part, language+"\n"); ok && i%2 == 1 {
			blocks = append(blocks, block+"\n")
		}
	}
	if len(blocks) == 0 {
		t.Fatalf("the README has no block in %q", language)
	}
	return blocks
}

// The README's console shows what the program prints. A line … stands for further
// lines.
func TestReadmeConsole(t *testing.T) {
	blocks := readme(t, "console")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("sample.gguf", sample, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks {
		for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, want, _ := strings.Cut(step, "\n")
			command, _, _ = strings.Cut(command, "   #")
			args := strings.Fields(strings.ReplaceAll(command, "'", ""))
			if args[0] != "structview" {
				continue
			}
			var stdout, stderr bytes.Buffer
			if status := run(args[1:], os.Stdin, &stdout, &stderr); status != statusDone {
				t.Errorf("$ %s\nstatus %d: %s", command, status, &stderr)
			}
			got := stdout.String()
			if head, ok := strings.CutSuffix(strings.TrimRight(want, "\n"), "…"); ok && strings.HasPrefix(got, head) {
				continue
			}
			if strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("$ %s\nthe program prints\n%s\nthe README says\n%s", command, got, want)
			}
		}
	}
}

// The README's Go is what Example_library runs, and its format is a format.
func TestReadmeCode(t *testing.T) {
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range readme(t, "go") {
		if !strings.Contains(strings.ReplaceAll(string(code), "\r\n", "\n"), block) {
			t.Errorf("example_test.go does not hold\n%s", block)
		}
	}
	path := filepath.Join(t.TempDir(), "mine.onnxtxt")
	for _, block := range readme(t, "onnxtxt") {
		if err := os.WriteFile(path, []byte(block), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if status := run([]string{"check", path}, os.Stdin, &stdout, &stderr); status != statusDone {
			t.Errorf("status %d: %s%s", status, &stdout, &stderr)
		}
	}
}
