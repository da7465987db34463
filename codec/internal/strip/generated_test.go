// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGenerated runs the generator and compares.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	sources, err := filepath.Glob("asm/*.go")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"run"}
	for _, s := range sources {
		args = append(args, filepath.Join(here, s))
	}
	dir := t.TempDir()
	command := exec.Command("go", args...)
	command.Dir = dir
	if text, err := command.CombinedOutput(); err != nil {
		t.Skipf("%v\n%s", err, text)
	}
	made, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range made {
		want, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate writes", entry.Name())
		}
	}
	if len(made) == 0 || !strings.HasSuffix(made[0].Name(), ".go") && !strings.HasSuffix(made[0].Name(), ".s") {
		t.Error("nothing was generated")
	}
}
