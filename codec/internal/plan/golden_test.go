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

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/plan"
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
			golden := filepath.Join("testdata", "plans", fileName(name)+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), text); d != "" {
				t.Errorf("the plan changed (-want +got):\n%s", d)
			}
		})
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

// printed plans a whole value of an entry.
func printed(t *testing.T, entry *catalog.Entry, shape []int64) string {
	t.Helper()
	in, err := entry.Instantiate(shape)
	if err != nil {
		t.Fatal(err)
	}
	root, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decoder(root, root.Decoder(), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
	if err != nil || p.Program == nil {
		return fmt.Sprintf("not fused: %q\n", p.Reasons)
	}
	// How far kernels read past a block depends on the machine: it is not printed.
	return fmt.Sprintf("%d blocks of %d bytes, %d lanes\n%s", p.Blocks, p.Stride, p.Lanes, p.Program)
}
