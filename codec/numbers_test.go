// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"strings"
	"testing"
)

// Numbers of more than a byte, small floats, and words in another order are read by one op, whatever
// operators put them together.
func TestNumbers(t *testing.T) {
	for _, entry := range formatsIn(t, "testdata/numbers/*.onnxtxt") {
		t.Run(entry.Name, func(t *testing.T) {
			sameAsEval(t, entry)
			fast, _, _ := codecs(t, entry, 64*entry.Values, 1)
			e, err := fast.Explain()
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range e.Kernels {
				if strings.HasPrefix(line, "field") || strings.Contains(line, "lanewise") {
					t.Errorf("%s", line)
				}
			}
		})
	}
}
