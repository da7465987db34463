// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"structview": main})
}

// TestScripts runs testdata/script: each file specifies one command.
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs("../../container/gguf/testdata")
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := filepath.Abs("../../catalog/testdata/ggml")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			env.Setenv("VECTORS", vectors)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"sha256": hash, "smaller": smaller},
	})
}

// hash is "sha256 FILE SKIP HASH": the file without its first bytes has the hash.
func hash(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: sha256 FILE SKIP HASH")
	}
	data := ts.ReadFile(args[0])
	var skip int
	if _, err := fmt.Sscan(args[1], &skip); err != nil || skip > len(data) {
		ts.Fatalf("cannot skip %s of %d bytes", args[1], len(data))
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(data[skip:])))
	if (sum == args[2]) == neg {
		ts.Fatalf("%s: SHA-256 %s", args[0], sum)
	}
}

// smaller is "smaller FILE BYTES".
func smaller(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: smaller FILE BYTES")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	var limit int64
	if _, err := fmt.Sscan(args[1], &limit); err != nil {
		ts.Fatalf("%v", err)
	}
	if (info.Size() < limit) == neg {
		ts.Fatalf("%s has %d bytes", args[0], info.Size())
	}
}
