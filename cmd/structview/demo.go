// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sample is a GGUF of three small tensors; sample/README.md says where it is from.
//
//go:embed sample/sample.gguf
var sample []byte

// The value that the demo decodes, and the hash of what ggml makes of it.
const (
	demoValue = "token_embd.weight"
	demoHash  = "567689bd2b58154be8e6e563873e844e4b598d679c1cd386399f6b4edd48c1eb"
)

type demoCommand struct{}

// Run is the main job step by step, each step a command that the user could type.
func (demoCommand) Run(a *app) error {
	folder, err := os.MkdirTemp("", "structview-demo-")
	if err != nil {
		return &failure{statusIO, err}
	}
	source, target := filepath.Join(folder, "sample.gguf"), filepath.Join(folder, "sample.onnx")
	if err := os.WriteFile(source, sample, 0o644); err != nil {
		return &failure{statusIO, err}
	}
	a.say("A GGUF of three tensors, two of them packed: %s (%s).", source, byteCount(uint64(len(sample))))

	a.say("\nImport: an ONNX model with structured types. It points at the GGUF's own bytes and copies none.")
	if err := a.step("import", source, "-o", target); err != nil {
		return err
	}
	if info, err := os.Stat(target); err == nil {
		a.say("%s has %s.", target, byteCount(uint64(info.Size())))
	}
	a.say("\nCheck: every declaration, value and decoder, before anything runs.")
	if err := a.step("check", target); err != nil {
		return err
	}
	a.say("\nList: what the file holds.")
	if err := a.step("ls", target); err != nil {
		return err
	}
	a.say("\nOne block of 256 weights, field by field:")
	if err := a.step("show", target, demoValue+"[3][0]", "--values", "8"); err != nil {
		return err
	}
	return a.demoDecode(folder, target)
}

// demoDecode decodes a value and compares it with what ggml makes of the same
// bytes.
func (a *app) demoDecode(folder, target string) error {
	a.say("\nDecode: the ONNX function in the value's type turns bytes into numbers.")
	if err := a.step("decode", target, demoValue, "-o", filepath.Join(folder, "token_embd.npy")); err != nil {
		return err
	}
	s, err := a.openSource(target)
	if err != nil {
		return err
	}
	defer s.Close()
	v, _, err := s.find(demoValue)
	if err != nil {
		return err
	}
	made, payload, err := s.decoder(v)
	if err != nil {
		return err
	}
	t, err := made.Decode(context.Background(), payload)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(t.Bytes())
	if found := hex.EncodeToString(sum[:]); found != demoHash {
		return invalid("%s decodes to values with SHA-256 %s, ggml's have %s", demoValue, found, demoHash)
	}
	a.say("%d values, bit for bit those of ggml (SHA-256 %s…).", t.Len(), demoHash[:16])
	a.say("\nNext: structview ls YOUR.gguf, structview types, structview layout ggml.q4_K.\nThe files are in %s.", folder)
	return nil
}

// step shows a command and runs it.
func (a *app) step(args ...string) error {
	a.say("$ structview %s", strings.Join(args, " "))
	if status := run(args, a.stdin, a.stdout, a.stderr); status != statusDone {
		return &failure{status: status}
	}
	return nil
}

func (a *app) say(format string, args ...any) { fmt.Fprintf(a.stdout, format+"\n", args...) }
