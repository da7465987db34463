// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// TestCommentsNameVersions: for each entry of the table, a comment that has the operator's name has the version, too.
func TestCommentsNameVersions(t *testing.T) {
	files, err := filepath.Glob("op_*.go")
	if err != nil {
		t.Fatal(err)
	}
	word, number := regexp.MustCompile(`[A-Z][A-Za-z0-9]*`), regexp.MustCompile(`\d+`)
	versions := map[string][]int64{}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CommentGroup)
			if !ok {
				return true
			}
			for _, name := range word.FindAllString(c.Text(), -1) {
				for _, digits := range number.FindAllString(c.Text(), -1) {
					v, _ := strconv.ParseInt(digits, 10, 64)
					versions[name] = append(versions[name], v)
				}
			}
			return true
		})
	}
	for k, entries := range builtin() {
		for _, op := range entries {
			if !slices.Contains(versions[k.name], op.since) {
				t.Errorf("no comment says that %s has a version %d", k.name, op.since)
			}
		}
	}
}
