// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package strip

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestManyLookups: a table that many operations share is held once, and looked at once.
func TestManyLookups(t *testing.T) {
	const lookups = 1 << 14
	table := make([]uint32, 1<<16)
	for i := range table {
		table[i] = uint32(i*7+1) & 0xffff
	}
	p := &Program{Rows: 3, InBytes: 4, OutBytes: 4, Out: []Row{1}}
	p.Ops = append(p.Ops, Op{Code: Bits, Steps: []Step{{Dst: 1, Mask: 0xffff, First: true}}})
	for range lookups {
		p.Ops = append(p.Ops, Op{Code: Table, Steps: []Step{{Dst: 2, X: 1}}, Table: table}, Op{Code: Xor, Steps: []Step{{Dst: 1, X: 1, Y: 2}}})
	}
	if s := assemble(p, true); len(s.tables) != len(table) {
		t.Errorf("%d words of tables, want %d", len(s.tables), len(table))
	}
}

// TestLongSearch: what a search has found so far is a value for each number, of which only the last is listed;
// and a list does not become so long that its instruction takes long.
func TestLongSearch(t *testing.T) {
	const numbers, words = 1 << 11, 4
	p := &Program{Rows: words + numbers + 4, InBytes: 4 * words, OutBytes: 4 * words}
	const zero = words
	for i := range numbers {
		p.Constants = append(p.Constants, Constant{Row(zero + i), uint32(0x3f800000 + i<<10)})
	}
	best, at, d := Row(zero+numbers), Row(zero+numbers+1), Row(zero+numbers+2)
	distance := func(x, i int, to Row) []Op {
		return []Op{
			{Code: SubF, Steps: []Step{{Dst: to, X: Row(x), Y: Row(zero + i)}}},
			{Code: AbsF, Steps: []Step{{Dst: to, X: to}}},
		}
	}
	for x := range words {
		p.Ops = append(p.Ops, distance(x, 0, best)...)
		p.Ops = append(p.Ops, Op{Code: Copy, Steps: []Step{{Dst: at, X: zero}}})
		for i := 1; i < numbers; i++ {
			p.Ops = append(p.Ops, distance(x, i, d)...)
			p.Ops = append(p.Ops, Op{Code: ArgMinF, Steps: []Step{{Dst: best, X: d, Y: at, Z: Row(zero + i)}}})
		}
		p.Ops = append(p.Ops, Op{Code: Copy, Steps: []Step{{Dst: Row(x), X: at}}})
		p.Out = append(p.Out, Row(x))
	}
	s := assemble(p, true)
	if most := 40 * words * numbers; len(s.code) > most {
		t.Errorf("%d words of code, at most %d", len(s.code), most)
	}
	if len(s.pieces) < 2*words {
		t.Errorf("%d pieces", len(s.pieces))
	}
	const blocks = 70
	in := make([]byte, blocks*p.InBytes)
	for i := range blocks * words {
		binary.LittleEndian.PutUint32(in[4*i:], uint32(0x3f800000+i*2011%(numbers<<10)))
	}
	got, want := make([]byte, blocks*p.OutBytes), make([]byte, blocks*p.OutBytes)
	p.NewFrame().Run(in, blocks, got)
	p.portableFrame(32).Run(in, blocks, want)
	if !bytes.Equal(got, want) {
		t.Error("vector code finds other numbers")
	}
}
