// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

var update = flag.Bool("update", false, "rewrite the golden plans")

// TestGolden compares the plan of every catalogue entry with testdata/plans.
func TestGolden(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("golden files are not rewritten under CI")
	}
	for _, name := range catalog.Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			entry, err := catalog.Builtin().Entry(name)
			if err != nil {
				t.Fatal(err)
			}
			text := printed(t, entry, []int64{8, 4 * max(entry.Values, 1)})
			golden(t, filepath.Join("testdata", "plans", fileName(name)+".txt"), text)
		})
	}
}

// golden compares a text with a file, or writes it.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), text); d != "" {
		t.Errorf("%s changed (-want +got):\n%s", file, d)
	}
}

// TestGoldenEncoders compares the program of every encoder of the catalogue with testdata/encoders.
func TestGoldenEncoders(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Block.GetEncoder() == nil {
			continue
		}
		shape := []int64{8, 4 * max(entry.Values, 1)}
		in, root := instance(t, entry, shape)
		e, err := plan.Encoder(root, root.Encoder(), eval.TensorType(tensor.Float, shape...), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
		if err != nil || e.Program == nil {
			t.Fatalf("%s: %v: %q", name, err, e.Reasons)
		}
		text := fmt.Sprintf("%d blocks of %d values, %d bytes\n%s", e.Blocks, e.Values, e.Stride, e.Program)
		golden(t, filepath.Join("testdata", "encoders", fileName(name)+".txt"), text)
	}
}

// TestStages prints every stage of two plans: values as traced, facts, kernels.
func TestStages(t *testing.T) {
	for _, name := range []string{"ggml.q4_0", "ggml.iq1_s"} {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		in, root := instance(t, entry, []int64{8, 4 * entry.Values})
		text := ""
		env := plan.Env{Functions: in.Functions, Opsets: in.Opsets}.Watch(func(stage, values string) {
			text += stage + "\n\n" + values + "\n"
		})
		p, err := plan.Decoder(root, root.Decoder(), env)
		if err != nil || p.Program == nil {
			t.Fatal(name, err)
		}
		golden(t, filepath.Join("testdata", "stages", fileName(name)+".txt"), text+"kernels\n\n"+p.Program.String())
	}
}

func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '[' || r == ']' || r == '=' || r == ',' {
			return '_'
		}
		return r
	}, name)
}

func instance(t *testing.T, entry *catalog.Entry, shape []int64) (*catalog.Instance, *structview.Type) {
	t.Helper()
	in, err := entry.Instantiate(shape)
	if err != nil {
		t.Fatal(err)
	}
	root, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	return in, root
}

// printed plans a whole value of an entry.
func printed(t *testing.T, entry *catalog.Entry, shape []int64) string {
	t.Helper()
	in, root := instance(t, entry, shape)
	p, err := plan.Decoder(root, root.Decoder(), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
	if err != nil || p.Program == nil {
		return fmt.Sprintf("not fused: %q\n", p.Reasons)
	}
	// How far kernels read past a block depends on the machine: it is not printed.
	return fmt.Sprintf("%d blocks of %d bytes, %d lanes\n%s", p.Blocks, p.Stride, p.Lanes, p.Program)
}
