// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Standard output that takes no more is an error, with every command.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	file := "sample/sample.gguf"
	for _, args := range [][]string{
		{"version"},
		{"types"},
		{"types", "ggml.q4_0"},
		{"ls", file},
		{"check", file},
		{"layout", "ggml.q4_0"},
		{"show", file, "token_embd.weight"},
		{"print", file},
		{"explain", "ggml.q4_0"},
		{"help"},
		{"ls", file, "--json"},
		{"decode", file, "token_embd.weight", "-o", "-"},
		{"decode", file, "output_norm.weight", "-o", "-"},
	} {
		var stderr bytes.Buffer
		status := run(args, os.Stdin, full, &stderr)
		if status != statusIO || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: status %d, %s", args, status, &stderr)
		}
	}
}

// No command waits for a pipe.
func TestPipesAreRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.onnxtxt")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"ls", pipe},
		{"check", pipe},
		{"types", pipe},
		{"layout", pipe},
		{"compile", pipe, "-o", "x.onnx"},
		{"fmt", pipe},
		{"print", pipe},
		{"decode", "--type", "ggml.q4_0", "--shape", "32", pipe, "-o", "-"},
	} {
		done := make(chan int)
		var stderr bytes.Buffer
		go func() { done <- run(args, os.Stdin, &bytes.Buffer{}, &stderr) }()
		select {
		case status := <-done:
			if status != statusIO || !strings.Contains(stderr.String(), "a regular file expected, a pipe found") {
				t.Errorf("%v: status %d, %s", args, status, &stderr)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%v waits", args)
		}
	}
}
