// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/structview/structview/conformance"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
	"google.golang.org/protobuf/proto"
)

const folder = "cases"

var update = flag.Bool("update", false, "write the binary form of models that have a text form")

func suite(t *testing.T) *conformance.Suite {
	t.Helper()
	s, err := conformance.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestModels compares the two forms of each model.
func TestModels(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is for people")
	}
	for _, c := range suite(t).Cases {
		if c.Text == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, c.Text))
		if err != nil {
			t.Fatal(err)
		}
		want, err := syntax.Parse(c.Text, text)
		if err != nil {
			t.Error(err)
			continue
		}
		path := filepath.Join(folder, c.Model)
		if *update {
			write(t, path, want)
		}
		binary, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var got onnxpb.ModelProto
		if err := proto.Unmarshal(binary, &got); err != nil {
			t.Error(err)
		}
		if !proto.Equal(want, &got) {
			t.Errorf("%s is not what %s says", c.Model, c.Text)
		}
	}
}

func write(t *testing.T, path string, m *onnxpb.ModelProto) {
	t.Helper()
	var b bytes.Buffer
	if err := onnxpb.WriteModel(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
