// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/structview/structview/conformance"
)

var ruleID = regexp.MustCompile(`^SV\d{3}$`)

// reported finds every rule that the packages can report: their ids stand in the source as
// whole strings, and nowhere else than where a finding is made or a sentinel is declared.
func reported(t *testing.T) map[string]bool {
	t.Helper()
	rules := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if s, err := strconv.Unquote(literal.Value); err == nil && ruleID.MatchString(s) {
					rules[s] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) < 20 {
		t.Fatalf("%d rules found", len(rules))
	}
	return rules
}

// TestEachRuleMatters switches one rule off at a time: cases must fail then, and only cases
// that name the rule.
func TestEachRuleMatters(t *testing.T) {
	s := suite(t)
	for rule := range reported(t) {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			failed := 0
			for _, r := range s.Run(t.Context(), conformance.Options{Disabled: map[string]bool{rule: true}}) {
				if r.Status != conformance.Failed {
					continue
				}
				failed++
				i := slices.IndexFunc(s.Cases, func(c conformance.Case) bool { return c.Name == r.Name })
				if !slices.Contains(s.Cases[i].Rules, rule) {
					t.Errorf("%s does not name the rule and fails: expected %s, found %s", r.Name, r.Expected, r.Found)
				}
			}
			if failed == 0 {
				t.Error("no case depends on the rule")
			}
		})
	}
}

var section = regexp.MustCompile(`(?m)^### (SV\d{3}) `)

// TestEveryRuleHasCases: each section of SPEC.md has a case that is accepted; if the rule can
// be reported, one that is refused too.
func TestEveryRuleHasCases(t *testing.T) {
	spec, err := os.ReadFile("../docs/SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	can, s := reported(t), suite(t)
	sections := section.FindAllStringSubmatch(string(spec), -1)
	if len(sections) < 40 {
		t.Fatalf("%d sections found", len(sections))
	}
	for _, m := range sections {
		rule, good, bad := m[1], false, false
		for _, c := range s.Cases {
			if slices.Contains(c.Rules, rule) {
				refused := refuses(c, rule)
				good, bad = good || !refused, bad || refused
			}
		}
		if !good {
			t.Errorf("%s: no case is accepted", rule)
		}
		if can[rule] && !bad {
			t.Errorf("%s: no case is refused", rule)
		}
		delete(can, rule)
	}
	for rule := range can {
		t.Errorf("%s is reported and has no section in SPEC.md", rule)
	}
}

func refuses(c conformance.Case, rule string) bool {
	for _, finding := range c.Findings {
		if strings.HasPrefix(finding, rule+" ") {
			return true
		}
	}
	for _, r := range c.Reads {
		if r.Refused == rule {
			return true
		}
	}
	return c.Refused == rule || c.Kind == "accepts" && rule == "SV051" && !c.Accepted
}
