// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/syntax"
)

// documented returns the examples of docs/TEXT.md.
func documented(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../docs/TEXT.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i, part := range strings.Split(string(text), "```\n") {
		if i%2 == 1 && strings.Contains(part, "ir_version: 13") {
			list = append(list, part)
		}
	}
	return list
}

func TestDocumentedExamples(t *testing.T) {
	list := documented(t)
	if len(list) != 4 {
		t.Fatalf("%d examples", len(list))
	}
	for i, text := range list {
		name := fmt.Sprintf("example%d", i)
		m, err := syntax.Parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		printed, err := syntax.Print(m)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", printed)
		again, err := syntax.Parse(name, printed)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if !proto.Equal(m, again) {
			t.Errorf("%s: print and parse differ", name)
		}
	}
}
