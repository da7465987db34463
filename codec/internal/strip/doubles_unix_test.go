// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// asColumns is a program on blocks of words as one on columns, whose result is one word. The other ones are computed as well: they
// are what a choice that is always the same does not take.
func (p *Program) asColumns(word int) *Program {
	columns := make([]Column, words(p.InBytes))
	q := p.OfColumns(columns)
	mask, to := Row(p.Rows), Row(p.Rows+1)
	q.Rows, q.OutBytes, q.Out = p.Rows+2, 4, []Row{to}
	q.Constants = append(slices.Clone(p.Constants), Constant{mask, math.MaxUint32})
	q.Ops = append(slices.Clone(p.Ops), Op{Code: Copy, Steps: []Step{{Dst: to, X: p.Out[word]}}})
	for w, r := range p.Out {
		if w != word {
			q.Ops = append(q.Ops, Op{Code: Select, Steps: []Step{{Dst: to, X: to, Y: r, Z: mask}}})
		}
	}
	return q
}

// lanes runs a program on blocks on as many lanes of columns.
func (b *both) lanes(t *testing.T, p *Program, kinds []kind, in, want []byte) {
	t.Helper()
	blocks := len(in) / p.InBytes
	n := max(blocks, doubleBlocks+5)
	checks := slices.ContainsFunc(p.Ops, func(o Op) bool { return o.Code == Check })
	if checks || slices.ContainsFunc(p.Ops, func(o Op) bool { return o.Code >= AddD }) || p.InBytes%4 != 0 || p.OutBytes%4 != 0 || len(p.Ops) > 1000 {
		return
	}
	sources := make([]Source, p.InBytes/4)
	for w := range sources {
		sources[w].Words = make([]float32, n+Spare)
		for i := range n {
			sources[w].Words[i] = math.Float32frombits(binary.LittleEndian.Uint32(in[i%blocks*p.InBytes+4*w:]))
		}
	}
	out, expected := b.lanesOut.end(4*n), make([]byte, 4*n)
	for w := range p.Out {
		q := p.asColumns(w)
		for i := range n {
			copy(expected[4*i:][:4], want[i%blocks*p.OutBytes+4*w:])
		}
		clear(out)
		f := q.NewFrame()
		f.Lanes(sources, n, out, false)
		if err := sameBlocks(out, expected, 4, kinds[w:w+1]); err != nil {
			t.Fatalf("%v%d lanes, word %d: %v\n%+v", q, n, w, err, q)
		}
		if d := f.vector.double; d != nil {
			b.note(d.stream)
		}
	}
}

// doubles compares each snippet for 64 blocks with that for 32, run twice.
func (b *both) doubles(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for code, forms := range doubleOf {
		for form, numbers := range forms {
			for store, n := range numbers {
				if n == 0 {
					continue
				}
				b.used[n] = true
				for range 20 {
					b.double(t, &choices{randomBytes(r, 4000)}, Code(code), form, store)
				}
			}
		}
	}
}

// double runs one snippet between a load of the accumulator and a store of it.
func (b *both) double(t *testing.T, c *choices, code Code, form, store int) {
	t.Helper()
	const rows, dst = 10, 5
	var words [rows][doubleBlocks]uint32
	for i := range words {
		for j := range words[i] {
			words[i][j] = c.word()
		}
	}
	base, at := make([]float32, 4*doubleBlocks), make([]int32, doubleBlocks/8)
	for i := range base {
		base[i] = math.Float32frombits(c.word())
	}
	for i := range at {
		at[i] = int32(4 * c.intN(len(base)-tileBlocks-6)) // the second column begins up to 7 words later
	}
	table := words[0][:16]
	columns := []columnArgs{{address(base), address(at)}, {address(base[c.intN(8):]), address(at)}}
	run := func(tile, first int, of *[numAll][4][4]uint16) ([]byte, []uint32, [8]uint32) {
		memory := append(aligned(16 + rows*tile)[:0], table...)
		for i := range words {
			memory = append(memory, words[i][first:][:tile]...)
		}
		a := &assembler{of: of, stream: &stream{tile: tile, tables: table}}
		addresses(&a.snippets)
		a.instruction(a.snippet(item{code: ofWords}, 0), 0, 0, 0, 0)
		target := store
		if tile < doubleBlocks && target >= written {
			target = 0
		}
		switch {
		case tile == doubleBlocks:
			a.instruction(a.snippet(item{code: code, form: uint8(form)}, target), testOperands(a, code, dst)...)
		case snippetOf[code] == [4][4]uint16{}:
			a.apart(code, form, target)
		default:
			a.anyhow(code, form, target, testOperands(a, code, dst))
		}
		if code < store4 || code > pastDouble {
			a.instruction(a.snippet(item{code: storeWord, form: 1}, 0), 0, 0, 0, 0)
		}
		a.instruction(a.snippets[0])
		out := b.out.begin(wordBytes(code) * tile)
		args := executeArgs{
			code: address(a.stream.code), rows: address(memory), out: address(out), tiles: 1, columns: address(columns), first: first,
		}
		execute(&args)
		return slices.Clone(out), memory[len(table)+dst*tile:][:tile], args.wrong
	}
	all, kept, wrong := run(doubleBlocks, 0, &doubleOf)
	var out []byte
	var rest []uint32
	var found [8]uint32
	for first := 0; first < doubleBlocks; first += tileBlocks {
		x, y, w := run(tileBlocks, first, &snippetOf)
		out, rest = append(out, x[:len(x)/sizeOf(code)]...), append(rest, y...)
		for i := range w {
			found[i] |= w[i]
		}
	}
	if all = all[:len(all)/sizeOf(code)]; !bytes.Equal(all, out) || !slices.Equal(kept, rest) || wrong != found {
		t.Errorf("code %d, form %d, stored %d: for 64 blocks\n%x %x %x, for 32\n%x %x %x", code, form, store, all, kept, wrong, out, rest, found)
	}
}

// wordBytes is what is stored for a lane, at most.
func wordBytes(code Code) int {
	if code == storeDouble || code == pastDouble {
		return 8
	}
	return 4
}

// sizeOf is the part of 32 bits that a store writes.
func sizeOf(code Code) int {
	switch code {
	case storeHalf:
		return 2
	case storeByte:
		return 4
	}
	return 1
}

// testOperands are operands of an instruction: rows 0 to 2, and what else it has.
func testOperands(a *assembler, code Code, dst int32) []int32 {
	x, y, z, to := a.offset(1), a.offset(2), a.offset(3), a.offset(dst)
	switch {
	case code == Select || code == count || code == mulAdd || code == subMulAdd || code == selectEqual || code == mulSub:
		return []int32{x, y, to, z, 0x3fc00000, 0}
	case code == rest || code == ByF:
		return []int32{x, y, to, 0x3e124925, 0x40e00000, 0} // 1/7 and 7
	case code == extend:
		return []int32{x, y, to, 8, 5, 7}
	case code >= mulOne && code <= scaleSignedAdd:
		return []int32{x, y, to, columnSize, 0, 0}
	case code > toInt && code <= packMasked:
		return []int32{x, y, to, 0x80, 0xff, 7}
	case code >= gather && code <= lookup16:
		return []int32{x, 0, to, 0, 15, 0}
	case code >= ofWords && code <= floatAtSigned:
		return []int32{columnSize, 0, to, 0}
	case wide(code):
		return []int32{x, y, to, 0xfff, 5, 7}
	}
	return []int32{x, y, to, 0}
}

// anyhow is an operation with operands in the accumulator as form says: if there is no such snippet, by others.
func (a *assembler) anyhow(code Code, form, store int, operands []int32) {
	const row = 4
	forms := &snippetOf[code]
	if forms[form][store] != 0 {
		a.instruction(a.snippet(item{code: code, form: uint8(form)}, store), operands...)
		return
	}
	if form > 0 {
		a.instruction(a.snippet(item{code: spill}, 0), 0, 0, a.offset(row), 0)
	}
	three := code == Select || code == mulAdd || code == selectEqual
	for i, at := range []int{0, 1, 3} {
		if form == i+1 && (i < 2 || three) || form == 3 && i < 2 && !three {
			operands[at] = a.offset(row)
		}
	}
	if form = 0; forms[0][0] == 0 {
		a.instruction(a.snippet(item{code: recall}, 0), operands[0], 0, 0, 0)
		form = 1
	}
	a.instruction(a.snippet(item{code: code, form: uint8(form)}, 0), operands...)
	if store == 1 {
		a.instruction(a.snippet(item{code: spill}, 0), 0, 0, operands[2], 0)
	}
}

// parts are the operations that joined ones stand for, and their operands: X, Y, the columns P and Q, and C, integers as floats.
var parts = []struct {
	code, is Code
	operands string
	column   Code
}{
	{mulWords, MulF, "XP", ofWords},
	{addWords, AddF, "XP", ofWords},
	{subWords, SubF, "XP", ofWords},
	{addIWords, AddI, "XP", ofWords},
	{subIWords, SubI, "XP", ofWords},
	{mulWordsAdd, mulAdd, "XPY", ofWords},
	{mulAddWords, mulAdd, "XYP", ofWords},
	{selectOnes, Select, "PQX", atOne},
	{selectOneX, Select, "PXY", atOne},
	{selectOneY, Select, "XPY", atOne},
	{scaleBytes, MulF, "CP", ofBytes},
	{scaleBytesAdd, mulAdd, "CPX", ofBytes},
	{scaleSigned, MulF, "CP", ofSigned},
	{scaleSignedAdd, mulAdd, "CPX", ofSigned},
}

// apart does what a joined operation does with a load of each column, from memory to memory: rows 6 to 9 are for that.
func (a *assembler) apart(code Code, form, store int) {
	const accumulator, first, second, integers = 6, 7, 8, 9
	to := int32(0)
	if store == 1 {
		to = a.offset(5)
	}
	if code >= floatWords {
		load := []Code{ofWords, ofHalves, ofBytes, ofSigned, atHalves, atShorts, atBytes, atSigned}[code-floatWords]
		a.instruction(a.snippet(item{code: load}, 0), columnSize, 0, 0, 0)
		a.anyhow(Float, 1, store, []int32{0, 0, to, 0})
		return
	}
	kind, base := Code(0), code
	if code < selectOnes {
		kind = (code - mulWords) / Code(joinings)
		base = code - kind*Code(joinings)
	}
	for _, p := range parts {
		if p.code != base {
			continue
		}
		column, one := []Code{p.column, ofEights, ofShared}[kind], p.column
		if p.column == ofBytes || p.column == ofSigned {
			column, one = atOne, atOne
		}
		load := func(code Code, column int32, row int32) {
			a.instruction(a.snippet(item{code: code}, 1), column, 0, a.offset(row), 0)
		}
		load(ofWords, 0, accumulator)
		load(column, columnSize, first)
		load(one, 0, second)
		load(p.column, 0, integers)
		a.anyhow(Float, 0, 1, []int32{a.offset(integers), 0, a.offset(integers), 0})
		at := map[rune]int32{'X': a.offset(1), 'Y': a.offset(2), 'P': a.offset(first), 'Q': a.offset(second), 'C': a.offset(integers)}
		if form&1 > 0 {
			at['X'] = a.offset(accumulator)
		}
		if form&2 > 0 {
			at['Y'] = a.offset(accumulator)
		}
		var x [3]int32
		for i, o := range p.operands {
			x[i] = at[o]
		}
		operands := []int32{x[0], x[1], to, x[2]}
		if wide(p.is) {
			operands = append(operands, 0, 0)
		}
		a.anyhow(p.is, 0, store, operands)
	}
}
