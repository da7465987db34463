// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
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

// demo is one run: what --json tells of it.
type demo struct {
	Folder string     `json:"folder"`
	Sample string     `json:"sample"` // the GGUF, a copy of the one in the program
	Model  string     `json:"model"`  // what it was imported as
	Array  string     `json:"array"`  // what the value was decoded to
	Value  string     `json:"value"`
	Count  int64      `json:"values"`
	Hash   string     `json:"sha256"`      // of the decoded values
	Wanted string     `json:"ggml_sha256"` // of what ggml makes of the same bytes
	Steps  []demoStep `json:"steps"`

	*app
}

// demoStep is one command and the document that it wrote.
type demoStep struct {
	Command []string        `json:"command"`
	Result  json.RawMessage `json:"result"`
}

// Run is the main job step by step, each step a command that the user could type.
func (demoCommand) Run(a *app) error {
	folder, err := os.MkdirTemp("", "structview-demo-")
	if err != nil {
		return unreadable(err)
	}
	d := &demo{
		Folder: folder, Sample: filepath.Join(folder, "sample.gguf"), Model: filepath.Join(folder, "sample.onnx"),
		Array: filepath.Join(folder, "token_embd.npy"), Value: demoValue, Wanted: demoHash, app: a,
	}
	if err := os.WriteFile(d.Sample, sample, 0o644); err != nil {
		return unreadable(err)
	}
	d.say("A GGUF of three tensors, two of them packed: %s (%s).", d.Sample, byteCount(uint64(len(sample))))
	if err := d.steps(); err != nil {
		return err
	}
	if err := d.compare(); err != nil {
		return err
	}
	d.say("%d values, bit for bit those of ggml (SHA-256 %s…).", d.Count, d.Hash[:16])
	d.say("\nNext, with a GGUF of your own:\n  structview ls YOUR.gguf\n  structview decode YOUR.gguf NAME -o NAME.npy\n"+
		"and: structview types, structview layout ggml.q4_K, structview explain ggml.q4_K.\nThe files are in %s.", folder)
	if a.json {
		return a.writeJSON(d)
	}
	return nil
}

func (d *demo) steps() error {
	for _, step := range []struct {
		says string
		args []string
	}{
		{
			"Import: an ONNX model with structured types. It points at the GGUF's own bytes and copies none.",
			[]string{"import", d.Sample, "-o", d.Model},
		},
		{"Check: every declaration, value and decoder, before anything runs.", []string{"check", d.Model}},
		{"List: what the file holds.", []string{"ls", d.Model}},
		{"One block of 256 weights, field by field:", []string{"show", d.Model, demoValue + "[3][0]", "--values", "8"}},
		{
			"Decode: the ONNX function in the value's type turns bytes into numbers.",
			[]string{"decode", d.Model, demoValue, "-o", d.Array},
		},
	} {
		d.say("\n%s", step.says)
		if err := d.step(step.args); err != nil {
			return err
		}
	}
	return nil
}

// compare decodes the value and compares it with what ggml makes of the same bytes.
func (d *demo) compare() error {
	s, err := d.openSource(d.Model)
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
	d.Count, d.Hash = t.Len(), hex.EncodeToString(sum[:])
	if d.Hash != demoHash {
		return invalid("%s decodes to values with SHA-256 %s, ggml's have %s", demoValue, d.Hash, demoHash)
	}
	return nil
}

// step shows a command and runs it.
func (d *demo) step(args []string) error {
	d.say("$ structview %s", shellText(args))
	if !d.json {
		if status := run(args, d.stdin, d.raw, d.stderr); status != statusDone {
			return &failure{status: status}
		}
		return nil
	}
	var document bytes.Buffer
	if status := run(append(args, "--json"), d.stdin, &document, d.stderr); status != statusDone {
		return &failure{status: status}
	}
	d.Steps = append(d.Steps, demoStep{args, document.Bytes()})
	return nil
}

// shellText writes arguments so that a shell reads them back: [ and ] are quoted.
func shellText(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = arg
		if strings.ContainsAny(arg, "[] '\"") {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// say writes a line for people.
func (d *demo) say(format string, args ...any) {
	if !d.json {
		fmt.Fprintf(d.stdout, format+"\n", args...)
	}
}
