// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"os"
	"os/exec"
	"testing"
)

// The generator needs the modules of tools.mod, so only a machine that has them
// runs it: STRUCTVIEW_TOOLS=1 go test ./onnxpb.
func TestGeneratedCodeIsFresh(t *testing.T) {
	if os.Getenv("STRUCTVIEW_TOOLS") == "" {
		t.Skip("STRUCTVIEW_TOOLS is not set")
	}
	out, err := exec.Command("go", "run", "-modfile=../tools.mod", "gen.go", "-check").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
