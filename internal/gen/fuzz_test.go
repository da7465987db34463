// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"google.golang.org/protobuf/proto"
)

// FuzzGenerate: any declaration, names included, gives an error or a text that is Go; no C
// comment ends early.
func FuzzGenerate(f *testing.F) {
	for seed := range uint64(3) {
		f.Add(wire(f, randomType(f, seed).Proto()), "test.random", "")
	}
	f.Add(wire(f, fromText(f, "odd").Proto()), "test.odd[n=1]", "")
	f.Add(wire(f, fromText(f, "plain").Proto()), "*/\n", "Plain")
	f.Fuzz(func(t *testing.T, data []byte, source, name string) {
		var p onnxpb.StructTypeProto
		if proto.Unmarshal(data, &p) != nil {
			return
		}
		declarations, findings := structview.Resolve([]*onnxpb.StructTypeProto{&p})
		if structview.Errors(findings) != nil {
			return
		}
		root, err := declarations.At(0)
		if err != nil {
			return
		}
		for _, lang := range Languages() {
			text, err := Generate(root, Options{Lang: lang, Source: source, Name: name})
			switch {
			case err != nil:
			case lang == Go:
				if _, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution); err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			case lang == C && strings.Count(string(text), "/*") != strings.Count(string(text), "*/"):
				t.Errorf("a comment ends early:\n%s", text)
			}
		}
	})
}

func wire(f *testing.F, p *onnxpb.StructTypeProto) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(p)
	if err != nil {
		f.Fatal(err)
	}
	return data
}
