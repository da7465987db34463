// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/structview/structview/syntax"
)

var wanted = regexp.MustCompile(`# ERROR (next )?(\d+): (.*)`)

// TestErrorFiles parses every case of testdata/errors and compares the error with the one
// that stands beside the line, or on the line before.
func TestErrorFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.onnxtxt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for c := range strings.SplitSeq(string(text), "-----\n") {
			checkError(t, file, line, c)
			line += strings.Count(c, "\n") + 1
		}
	}
}

func checkError(t *testing.T, file string, first int, text string) {
	t.Helper()
	want := ""
	for i, line := range strings.Split(text, "\n") {
		if m := wanted.FindStringSubmatch(line); m != nil {
			at := i + 1
			if m[1] != "" {
				at++
			}
			want = fmt.Sprintf("%d:%s: %s", at, m[2], m[3])
		}
	}
	_, err := syntax.Parse("x", []byte(text))
	var e *syntax.Error
	if !errors.As(err, &e) {
		t.Errorf("%s:%d: no error, want %s", file, first, want)
		return
	}
	if got := strings.TrimPrefix(err.Error(), "x:"); got != want {
		t.Errorf("%s:%d:\n got %s\nwant %s", file, first, got, want)
	}
}

// TestErrorsOutsideFiles has the texts that a comment could not stand beside.
func TestErrorsOutsideFiles(t *testing.T) {
	nested := "<>\ntype a = " + strings.Repeat("array(", 250) + "float" + strings.Repeat(", 1)", 250)
	graph := strings.Repeat("g () => () { = If () <a = ", 250)
	for _, c := range []struct{ text, want string }{
		{"", "x:1:1: expected the model's header, such as `<ir_version: 13, opset_import: [\"\": 26]>`, found the end of the text"},
		{"<domain: \"abc", "x:1:10: expected a string, found a string that does not end"},
		{"<domain: \"\\", "x:1:10: expected a string, found a string that does not end"},
		{"<>\r\nstruct \x80\xff {", "x:2:8: expected `{`, found `\x80\xff`"},
		{"<>\n##\"a\\q\"\nstruct {}", "x:2:5: expected an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX or \\xHH, found `\\q`"},
		{"<domain: \"\\ud83d\">", "x:1:11: expected an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX or \\xHH, found `\\u`"},
		{nested, "x:2:1216: expected at most 200 levels of nesting, found more"},
		{"<>\n" + graph, "x:2:5201: expected at most 200 levels of nesting, found more"},
	} {
		_, err := syntax.Parse("x", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%.40q\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}
