// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"math/rand/v2"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// TestEveryPartTouchesNothingElse zeroes, copies and writes each path of a value, with ranges.
func TestEveryPartTouchesNothingElse(t *testing.T) {
	root := resolved(t, q4(), array(inline(structure(
		member("bit", inline(packing(1, part("b", 3)))),
		member("blocks", inline(array(ref(0), 4))),
		member("m", leaf(tensor.Int4, 2, 3)),
		member("wide", inline(packing(2, part("x", 70), part("y", 1)))),
		member("pad", inline(packing(1, part("p", 3)))),
	)), 4))
	rng := rand.New(rand.NewPCG(11, 12))
	for _, path := range []string{
		"", "[1]", "[1:3]", "[:].blocks", "[2].blocks[1:3].qs", "blocks[3].qs[5:9].hi", "[3].m", "m[1]", "m[:][1:3]", "wide", "wide[1].x", "pad", "[1].pad[0]",
		"bit.b", "blocks.d", "[0].blocks.qs[1:].lo", "[1:1].m",
	} {
		payload := randomBytes(rng, int(root.Bits()/8))
		inside := bitsOf(t, root, path)
		before := bigOf(payload)
		w, err := structview.Patch(root, payload)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Zero(path); err != nil {
			t.Fatal(path, err)
		}
		after := bigOf(payload)
		for bit := range int(root.Bits()) {
			want := before.Bit(bit)
			if inside[uint64(bit)] {
				want = 0
			}
			if after.Bit(bit) != want {
				t.Fatalf("Zero(%s): bit %d is %d", path, bit, after.Bit(bit))
			}
		}
		checkCounts(t, root, path, inside)
	}
}

// bitsOf lists the bits of a path: those of elements whose path begins as the given one does.
func bitsOf(t *testing.T, root *structview.Type, path string) map[uint64]bool {
	t.Helper()
	bits := map[uint64]bool{}
	want, err := structview.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	for e := range root.Layout().Elements(0, root.Bits()) {
		have, _, err := root.Layout().At(e.Offset)
		if err != nil {
			t.Fatal(err)
		}
		if begins(have, want) {
			for b := e.Offset; b < e.End(); b++ {
				bits[b] = true
			}
		}
	}
	return bits
}

// begins reports whether a full path lies within one that may leave indices out.
func begins(have, want structview.Path) bool {
	for _, s := range have {
		switch {
		case len(want) == 0:
			return true
		case s.Name != "" && want[0].Name != s.Name:
			return false
		case s.Name == "" && want[0].Name != "":
			continue // the index is left out
		case s.Name == "" && want[0].IsRange && (s.From < want[0].From || s.From >= want[0].To):
			return false
		case s.Name == "" && !want[0].IsRange && s.From != want[0].From:
			return false
		}
		want = want[1:]
	}
	return len(want) == 0
}

// checkCounts compares what a new writer calls unset after one Zero with the elements
// outside of it.
func checkCounts(t *testing.T, root *structview.Type, path string, inside map[uint64]bool) {
	t.Helper()
	w := writer(t, root)
	if err := w.Zero(path); err != nil {
		t.Fatal(path, err)
	}
	left := map[uint64]bool{}
	for b := range root.Bits() {
		left[b] = !inside[b]
	}
	for u := range w.Unset() {
		checkUnset(t, w, u, left)
		if err := w.Zero(u.Path); err != nil {
			t.Fatal(u.Path, err)
		}
		for b := range bitsOf(t, root, u.Path) {
			delete(left, b)
		}
	}
	for b, unset := range left {
		if unset {
			t.Fatalf("%s: bit %d is not reported", path, b)
		}
	}
	if _, err := w.Bytes(); err != nil {
		t.Fatal(err)
	}
}

func checkUnset(t *testing.T, w structview.Writer, u structview.Unset, left map[uint64]bool) {
	t.Helper()
	bits := bitsOf(t, w.Type(), u.Path)
	n := 0
	for b := range bits {
		if left[b] {
			n++
		}
	}
	if n*int(u.Of) != len(bits)*int(u.Count) {
		t.Errorf("%v: %d of %d bits", u, n, len(bits))
	}
	first := bitsOf(t, w.Type(), u.First)
	for b := range first {
		if !left[b] {
			t.Errorf("%v: bit %d is set", u, b)
		}
	}
	if len(first) != len(bits)/int(u.Of) {
		t.Errorf("%v: the first has %d bits of %d", u, len(first), len(bits))
	}
}
