// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The limits that docs/ADD-A-FORMAT.md tells authors of formats are those that hold.
func TestGuideLimits(t *testing.T) {
	text, err := os.ReadFile("../../../docs/ADD-A-FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string]int{
		"elements of one tensor":                                     maxLanes,
		"bytes of one field":                                         maxConstant,
		"elements of a constant that Gather looks up":                maxConstant,
		"elements that a CumSum adds, and the depth of a MatMul":     maxUnrolled,
		"elements that a ReduceSum adds (more of them: no epilogue)": maxUnrolled,
		"steps of a Loop or Scan":                                    maxSteps,
		"bits of the payload that an operator becomes a table of":    maxTable,
	} {
		number := fmt.Sprint(n)
		if len(number) > 3 {
			number = number[:len(number)-3] + "," + number[len(number)-3:]
		}
		if row := fmt.Sprintf("| %s | %s |\n", what, number); !strings.Contains(string(text), row) {
			t.Errorf("expected %q in docs/ADD-A-FORMAT.md", row)
		}
	}
}
