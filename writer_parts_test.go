// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
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

// TestWritersOfParts writes rows and slices, which have a type of their own, as parts and
// as values for themselves.
func TestWritersOfParts(t *testing.T) {
	root := resolved(t, structure(
		member("bits", inline(packing(3, part("lo", 3), part("hi", 5)))),
		member("m", leaf(tensor.Uint4, 3, 2)),
	))
	w := writer(t, root)
	bits := must(w.Sub(must(w.At("bits"))))
	m := must(w.Sub(must(w.At("m"))))
	for i := range uint64(3) {
		row := must(bits.Index(i))
		slice := must(m.Index(2 - i))
		for _, err := range []error{
			row.Set("lo", i+1), row.SetUint64(must(row.At("hi")), 31-i),
			slice.Set("value", []uint64{i, i + 8}), must(slice.Index(1)).Set("", i+9),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Bytes(); (err == nil) != (i == 2) {
			t.Errorf("after row %d: %v", i, err)
		}
	}
	if got := must(w.Bytes()); !bytes.Equal(got, []byte{31<<3 | 1, 30<<3 | 2, 29<<3 | 3, 0xB2, 0xA1, 0x90}) {
		t.Errorf("% x", got)
	}
	for _, part := range []structview.Writer{must(bits.Index(1)), must(m.Index(0))} {
		alone := writer(t, part.Type())
		if err := alone.Set("", part.View()); err != nil {
			t.Error(err)
		}
		if got := must(alone.Bytes()); !bytes.Equal(got, must(part.View().Bits())) {
			t.Errorf("% x", got)
		}
	}
	row := writer(t, must(bits.Index(1)).Type())
	if err := row.Zero("lo"); err != nil {
		t.Error(err)
	}
	if got := slices.Collect(row.Unset()); len(got) != 1 || got[0] != (structview.Unset{Path: "hi", First: "hi", Count: 1, Of: 1}) {
		t.Errorf("%+v", got)
	}
	slice := writer(t, must(m.Index(1)).Type())
	if err := slice.Set("[1]", 3); err != nil {
		t.Error(err)
	}
	if got := slices.Collect(slice.Unset()); len(got) != 1 || got[0] != (structview.Unset{First: "[0]", Count: 1, Of: 2}) {
		t.Errorf("%+v", got)
	}
}
