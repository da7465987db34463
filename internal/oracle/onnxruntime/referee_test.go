// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/oracle"
	"github.com/structview/structview/tensor"
)

var (
	runs = flag.Int("runs", 2_000, "random functions")
	seed = flag.Uint64("seed", 1, "of the random functions")
	// A fault of the peer can end the process; the last function that is written is its cause.
	only  = flag.String("only", "", "a prefix of the operators to use")
	alone = flag.String("alone", "", "run each function for itself, having written it to this file")
)

// together is the number of functions that share a session: inlining makes larger ones slow.
const together = 8

func openLibrary(t testing.TB) Library {
	t.Helper()
	file, err := filepath.Abs(oracle.Library(t, "onnxruntime-node", "bin", "napi-v6", "linux", "x64", "libonnxruntime.so.1"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// deck deals the cells of one opset version in random order, each as often as any other.
type deck struct {
	cells []cell
	pile  []cell
}

// deal takes one of the next cards, rather one that continues from a value of the function.
func (d *deck) deal(g *generator) cell {
	if len(d.pile) < 8 {
		rest := slices.Clone(d.cells)
		g.Shuffle(len(rest), func(i, k int) { rest[i], rest[k] = rest[k], rest[i] })
		d.pile = append(d.pile, rest...)
	}
	at := 0
	for i, c := range d.pile[:min(8, len(d.pile))] {
		if slices.ContainsFunc(g.values, func(v value) bool { return v.exact && v.t.Type() == c.typ }) {
			at = i
			break
		}
	}
	c := d.pile[at]
	d.pile = slices.Delete(d.pile, at, at+1)
	return c
}

// referee holds one run of the comparison.
type referee struct {
	*testing.T
	library  Library
	random   *rand.Rand
	recipes  map[string]recipe
	decks    map[int64]*deck
	count    map[cell]int
	lacking  map[cell]string // what eval says
	refused  map[string]int  // recipes that eval refuses
	failures map[string]int  // by cell and kind
	waiting  map[int64][]*generator
}

// TestRandomFunctions compares eval with onnxruntime on random functions of 1 to 6 nodes. Every output of every node is
// compared: bit for bit, or within the bound of its operator. Each operator and type of testdata/types.txt
// that eval has occurs 20 times or more in 10,000 functions.
func TestRandomFunctions(t *testing.T) {
	r := newReferee(t)
	for range *runs {
		g := r.function()
		if len(g.nodes) == 0 {
			continue
		}
		r.waiting[g.opset] = append(r.waiting[g.opset], g)
		if len(r.waiting[g.opset]) == together {
			r.flush(g.opset)
		}
	}
	for opset := range r.waiting {
		r.flush(opset)
	}
	r.report()
}

func newReferee(t *testing.T) *referee {
	r := &referee{
		T: t, library: openLibrary(t), random: rand.New(rand.NewPCG(*seed, 7)),
		recipes: map[string]recipe{}, decks: map[int64]*deck{}, count: map[cell]int{}, lacking: map[cell]string{},
		refused: map[string]int{}, failures: map[string]int{}, waiting: map[int64][]*generator{},
	}
	for _, m := range []map[string]recipe{elementwise(), shapes(), indexed()} {
		maps.Copy(r.recipes, m)
	}
	for _, row := range readRows(t) {
		for _, c := range row.cells {
			if !strings.HasPrefix(row.name, *only) {
				continue
			}
			if r.decks[c.opset] == nil {
				r.decks[c.opset] = &deck{}
			}
			d := r.decks[c.opset]
			d.cells = append(d.cells, c)
		}
	}
	return r
}

// function makes a random function.
func (r *referee) function() *generator {
	g := &generator{Rand: r.random, opset: 26, used: map[string]bool{}}
	if old := r.decks[21]; old != nil && r.random.IntN(len(old.cells)+len(r.decks[26].cells)) < len(old.cells) {
		g.opset = 21
	}
	size := []int{1, 2, 3, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6}[r.random.IntN(13)]
	for tries := 0; len(g.nodes) < size && tries < 12; tries++ {
		c := r.decks[g.opset].deal(g)
		r.use(g, c)
	}
	return g
}

func (r *referee) use(g *generator, c cell) {
	make, ok := r.recipes[c.row]
	if !ok {
		make, ok = r.recipes[c.operator()]
	}
	if !ok {
		r.Fatalf("no recipe for %v", c)
	}
	g.cell = c
	err := make(g, c.typ)
	var unsupported *eval.UnsupportedError
	switch {
	case errors.As(err, &unsupported):
		r.lacking[c] = err.Error()
	case err != nil:
		r.refused[c.operator()+": "+err.Error()]++
	}
}

// flush runs the functions that wait, all in one session; if that fails, each for itself.
func (r *referee) flush(opset int64) {
	list := r.waiting[opset]
	r.waiting[opset] = nil
	if len(list) == 0 {
		return
	}
	functions := make([]Function, len(list))
	for i, g := range list {
		functions[i] = g.function()
	}
	if *alone != "" {
		r.runAlone(list, functions)
		return
	}
	peer, err := r.library.RunAll(functions)
	for i, g := range list {
		if err == nil {
			r.compare(g, functions[i], peer[i])
			continue
		}
		alone, err := r.library.RunAll(functions[i : i+1])
		if err != nil {
			r.fail("the peer refuses "+strings.Join(operators(g), " "), "%v\n%s", err, g.describe(len(g.results)-1))
			continue
		}
		r.compare(g, functions[i], alone[0])
	}
}

func (r *referee) runAlone(list []*generator, functions []Function) {
	for i, g := range list {
		var text strings.Builder
		for k := range g.results {
			text.WriteString(g.describe(k) + "\n")
		}
		if err := os.WriteFile(*alone, []byte(text.String()), 0o644); err != nil {
			r.Fatal(err)
		}
		if peer, err := r.library.RunAll(functions[i : i+1]); err == nil {
			r.compare(g, functions[i], peer[0])
		}
	}
}

func operators(g *generator) []string {
	var list []string
	for _, n := range g.nodes {
		list = append(list, n.OpType)
	}
	return list
}

func (r *referee) compare(g *generator, f Function, peer []*tensor.Tensor) {
	whole, err := runFunction(f.Proto, f.Inputs)
	if err != nil {
		r.fail("whole function", "eval runs the nodes but not the function: %v\n%s", err, g.describe(len(g.results)-1))
		return
	}
	last := ""
	for i, res := range g.results {
		if res.node.Output[0] != last {
			last = res.node.Output[0]
			r.count[res.cell]++
		}
		if err := (bound{}).compare(whole[i], res.t); err != nil {
			r.fail("whole "+res.cell.String(), "eval differs from itself: %v", err)
		}
		if err := res.bound.compare(res.t, peer[i]); err != nil {
			r.fail(res.cell.String(), "%v\n%s", err, g.describe(i))
			return // what follows may come from it
		}
	}
}

// fail reports a failure; of a kind, only the first few in full.
func (r *referee) fail(kind, format string, args ...any) {
	r.failures[kind]++
	if r.failures[kind] <= 2 && len(r.failures) < 60 {
		r.Errorf("%s: %s", kind, fmt.Sprintf(format, args...))
	}
}
