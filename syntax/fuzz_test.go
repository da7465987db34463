// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/syntax"
)

// FuzzParse parses anything. What is read prints, and reads the same again.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/canonical/*.onnxtxt", "testdata/format/*.onnxtxt", "testdata/errors/*.onnxtxt"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			for c := range strings.SplitSeq(string(text), "-----\n") {
				f.Add([]byte(c))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := syntax.Parse("fuzz", text)
		if err != nil {
			return
		}
		if err := sameAgain(m); err != nil {
			t.Fatal(err)
		}
		once, err := syntax.Format("fuzz", text)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := syntax.Format("fuzz", once)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("formatting twice differs (%v):\n%s\n%s", err, once, twice)
		}
		if again, err := syntax.Parse("fuzz", once); err != nil || !proto.Equal(m, again) {
			t.Fatalf("the format changes the meaning (%v):\n%s", err, once)
		}
	})
}
