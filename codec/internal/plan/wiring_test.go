// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview/tensor"
)

// Lanes are wired alike if what they are made of is the same, however that is compared.
func TestWirings(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		n, k := 1+r.IntN(20), 1+r.IntN(3)
		f, v := &functions{}, &value{kind: kOp, elem: tensor.Float, n: n}
		var args []*functions
		supports := make([][][]int32, n)
		for range k {
			arg, m := &functions{}, make([]int32, n)
			for l := range 1 + r.IntN(4) {
				arg.support.add([]int32{int32(2 * l), int32(2*l + 1)}[r.IntN(2):])
				arg.class = append(arg.class, int32(r.IntN(4))-1)
				arg.partial = arg.partial || arg.class[l] == unknown
				arg.cells = append(arg.cells, nil)
			}
			arg.cells = append(arg.cells, nil, nil, nil)
			for l := range m {
				m[l] = int32(r.IntN(len(arg.class)))
				supports[l] = append(supports[l], arg.support.of(m[l]))
			}
			args, v.args = append(args, arg), append(v.args, lanes{m: m})
		}
		for _, list := range supports {
			all := slices.Concat(list...)
			slices.Sort(all)
			f.support.add(slices.Compact(all))
		}
		text := func(l int) string {
			s := ""
			for k, a := range v.args {
				class := args[k].class[a.m[l]]
				if class == unknown || len(f.support.of(int32(l))) > 4 {
					return "unknown"
				}
				s += fmt.Sprint(class, place(args[k].support.of(a.m[l]), f.support.of(int32(l))), " ")
			}
			return fmt.Sprint(len(f.support.of(int32(l))), " ", s)
		}
		want, first := numberedPlainly(n, text)
		w := f.wire(v, args, 4)
		if !slices.Equal(w.number, want) || !slices.Equal(w.first, first) {
			t.Fatal(w, want, first)
		}
		for l, known := range w.known {
			if known == (text(l) == "unknown") {
				t.Fatal(l, text(l))
			}
		}
	}
}

// A period is the shortest length after which a row repeats, at least once.
func TestPeriods(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 5000 {
		row := make([]int, r.IntN(60))
		p, of := 1+r.IntN(12), 1+r.IntN(3)
		for i := range row {
			if row[i] = r.IntN(of); i >= p && r.IntN(40) > 0 {
				row[i] = row[i-p]
			}
		}
		want := len(row)
		for p := len(row) / 2; p > 0; p-- {
			if slices.Equal(row[p:], row[:len(row)-p]) {
				want = p
			}
		}
		if got := period(row); got != want {
			t.Fatal(row, got, want)
		}
	}
}

// What a try may not take is left for what comes after it.
func TestWorkIsKept(t *testing.T) {
	w := &work{}
	w.spend(maxWork / 4)
	release := w.keep()
	for w.spend(1 << 16) {
	}
	if release(); w.done > maxWork*5/8 || !w.spend(maxWork/4) || w.spend(maxWork) {
		t.Error(w.done)
	}
	if release = w.keep(); w.spend(0) {
		t.Error("what is spent is there again")
	}
	if release(); w.spend(0) {
		t.Error("what is spent is there again")
	}
}
