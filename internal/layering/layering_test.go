// SPDX-License-Identifier: Apache-2.0

// Package layering compares the module's real imports with the table of
// docs/DESIGN.md.
package layering

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/structview/structview"
	root   = "../.."
	table  = "docs/DESIGN.md"
)

var (
	row  = regexp.MustCompile("^\\| `([^`]+)` \\|[^|]*\\|([^|]*)\\|$")
	name = regexp.MustCompile("`([^`]+)`")
)

// allowed reads the table: for each package those that it may import, their own
// included.
func allowed(t *testing.T) map[string]map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(table)))
	if err != nil {
		t.Fatal(err)
	}
	direct := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := row.FindStringSubmatch(strings.TrimSpace(line))
		if cells == nil {
			continue
		}
		direct[cells[1]] = nil
		for _, m := range name.FindAllStringSubmatch(cells[2], -1) {
			direct[cells[1]] = append(direct[cells[1]], m[1])
		}
	}
	if len(direct) == 0 {
		t.Fatalf("%s has no package table", table)
	}
	closed := map[string]map[string]bool{}
	for pkg := range direct {
		closed[pkg] = map[string]bool{}
		reach(t, direct, pkg, closed[pkg])
		if closed[pkg][pkg] {
			t.Errorf("%s: package %s may import itself", table, pkg)
		}
	}
	return closed
}

func reach(t *testing.T, direct map[string][]string, pkg string, seen map[string]bool) {
	for _, to := range direct[pkg] {
		if _, ok := direct[to]; !ok {
			t.Errorf("%s: package %s may import %s, which has no line", table, pkg, to)
		}
		if !seen[to] {
			seen[to] = true
			reach(t, direct, to, seen)
		}
	}
}

// imports reads the source: for each package of the module those of the module
// that it imports outside tests.
func imports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	found := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skip(file, entry.Name())
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		return fileImports(file, found)
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// skip leaves out test data, hidden folders and nested modules.
func skip(file, base string) error {
	if file == root {
		return nil
	}
	if base == "testdata" || strings.HasPrefix(base, ".") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

func fileImports(file string, found map[string]map[string]bool) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:build ignore") {
				return nil
			}
		}
	}
	dir, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return err
	}
	pkg := short(path.Join(module, filepath.ToSlash(dir)))
	if found[pkg] == nil {
		found[pkg] = map[string]bool{}
	}
	for _, spec := range parsed.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if target == module || strings.HasPrefix(target, module+"/") {
			found[pkg][short(target)] = true
		}
	}
	return nil
}

// short is a package's name in the table.
func short(importPath string) string {
	if importPath == module {
		return "structview"
	}
	return strings.TrimPrefix(importPath, module+"/")
}

func TestImportsFollowTheTable(t *testing.T) {
	may, have := allowed(t), imports(t)
	for _, pkg := range slices.Sorted(maps.Keys(have)) {
		if pkg == "internal/layering" {
			continue
		}
		permitted, ok := may[pkg]
		if !ok {
			t.Errorf("package %s has no line in the table of %s", pkg, table)
			continue
		}
		for _, target := range slices.Sorted(maps.Keys(have[pkg])) {
			if !permitted[target] {
				t.Errorf("package %s imports %s, which the table of %s does not allow", pkg, target, table)
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(may)) {
		if _, ok := have[pkg]; !ok {
			t.Errorf("%s lists package %s, which does not exist", table, pkg)
		}
	}
}
