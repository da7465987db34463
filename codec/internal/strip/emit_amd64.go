// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import "slices"

// emit appends an instruction: its snippet, the offsets of X, Y and the result, and what the
// snippet finds behind them.
func (a *assembler) emit(it item) {
	switch it.code {
	case end:
		a.instruction(a.snippets[0])
	case load4:
		a.instruction(a.snippet(it, 0), 4*it.n, 0, a.offset(it.n), 0)
	case recall:
		a.instruction(a.snippet(it, 0), a.use(it.n), 0, 0, 0)
	case near, far:
		a.instruction(a.snippet(it, 0), it.n, 0, 0, 0)
	case store4:
		var rows [4]int32
		for i := range rows {
			rows[i] = a.use(a.result(int(it.n) + i))
		}
		a.instruction(a.snippet(it, 0), rows[0], rows[1], 4*it.n, rows[2], rows[3], 0)
	case storeWord, storeHalf, storeByte:
		x := int32(0)
		if it.form == 0 {
			x = a.use(it.n)
		}
		a.last = len(a.stream.code)
		a.instruction(a.snippet(it, 0), x, 0, 0, 0)
	case storeDouble:
		x, y := a.use(a.strips[a.out[0]]), a.use(a.strips[a.out[1]])
		a.last = len(a.stream.code)
		a.instruction(a.snippet(it, 0), x, y, 0, 0)
	default:
		a.compute(it)
	}
}

// Where the results of snippets go.
const (
	kept    = iota // they stay in the accumulator
	stored         // in memory as well
	written        // to the output
	passed         // past the caches
)

// instruction appends the address of a snippet and operands.
func (a *assembler) instruction(address uint64, operands ...int32) {
	a.stream.code = append(append(a.stream.code, int32(address), int32(address>>32)), operands...)
}

// snippet is the address of an item's snippet.
func (a *assembler) snippet(it item, store int) uint64 {
	return a.snippets[a.of[it.code][it.form][store]]
}

// offset is where a row begins.
func (a *assembler) offset(row int32) int32 {
	return int32(4*len(a.stream.tables)) + row*int32(4*a.stream.tile)
}

// use is where a value in memory is; after the last use its row is free.
func (a *assembler) use(n int32) int32 {
	a.memory[n]--
	if a.memory[n] == 0 && a.values[n].code < constant {
		a.free = append(a.free, a.row[n])
	}
	return a.offset(a.row[n])
}

// compute appends the instruction of a value. The result may take the row of an operand:
// each vector is read before it is written.
func (a *assembler) compute(it item) {
	v := &a.values[it.n]
	if v.code == nearest {
		a.list(it)
		return
	}
	var at [3]int32
	for i, x := range v.args {
		if x != none && !it.holds(v, i) {
			at[i] = a.use(x)
		}
	}
	store, dst := kept, int32(0)
	if a.memory[it.n] > 0 {
		store, dst = stored, a.offset(a.take(it.n))
	}
	if it.out {
		store, a.last = written, len(a.stream.code)
	}
	spilled := store == stored && a.of[it.code][it.form][stored] == 0
	if spilled {
		store = kept
	}
	a.instruction(a.snippet(it, store), a.behind(v, at, dst)...)
	if spilled {
		a.instruction(a.snippet(item{code: spill}, kept), 0, 0, dst, 0)
	}
}

// behind is what an instruction has behind the address of its snippet.
func (a *assembler) behind(v *value, at [3]int32, dst int32) []int32 {
	switch {
	case v.code == Select || v.code == count || v.code == mulAdd || v.code == subMulAdd || v.code == selectEqual || v.code == mulSub:
		return []int32{at[0], at[1], dst, at[2], int32(v.word), 0}
	case v.code == Check || v.code == extend || v.code >= bitsFirst && v.code <= bitsOrHigh:
		return []int32{at[0], at[1], dst, int32(v.word), int32(v.right), int32(v.left)}
	case v.code >= mulOne && v.code <= scaleSignedAdd:
		return []int32{at[0], at[1], dst, int32(v.word) * columnSize, v.table * columnSize, 0}
	case v.code > toInt && v.code <= packMasked || v.code == bitsOrShift || v.code == rest || v.code == ByF:
		return []int32{at[0], at[1], dst, int32(v.word), v.table, int32(v.left)}
	case v.code >= gather && v.code <= lookup16:
		return []int32{at[0], 0, dst, a.tables[v.table], int32(len(a.graph.tables[v.table]) - 1), 0}
	case v.code >= ofWords && v.code <= floatAtSigned:
		return []int32{int32(v.word) * columnSize, 0, dst, 0}
	}
	return []int32{at[0], at[1], dst, 0}
}

// columnSize is the size of columnArgs.
const columnSize = 16

// passing makes the program whose results bypass the caches: lanes that follow each other.
func (a *assembler) passing() {
	if a.program.Columns == nil || a.program.OutBytes < 4 {
		return
	}
	past := map[Code]Code{storeWord: pastWord, storeDouble: pastDouble}
	last := slices.IndexFunc(a.items, func(it item) bool { return it.out || it.code == storeWord || it.code == storeDouble })
	address := a.snippets[a.of[past[a.items[last].code]][a.items[last].form][0]]
	if a.items[last].out {
		address = a.snippet(a.items[last], passed)
	}
	a.stream.past = slices.Clone(a.stream.code)
	a.stream.past[a.last], a.stream.past[a.last+1] = int32(address), int32(address>>32)
}

// list appends the instruction of nearest: the number of the list's numbers, and each with
// its word.
func (a *assembler) list(it item) {
	v := &a.values[it.n]
	var links []link
	for l := v.table; l != none; l = a.links[l].before {
		links = append(links, a.links[l])
	}
	slices.Reverse(links)
	x := a.use(v.args[0])
	var pairs []int32
	for _, l := range links {
		pairs = append(pairs, a.use(l.number), int32(l.word))
	}
	store, dst := 0, int32(0)
	if a.memory[it.n] > 0 {
		store, dst = 1, a.offset(a.take(it.n))
	}
	a.instruction(a.snippet(it, store), x, int32(len(links)), dst, 0)
	a.stream.code = append(a.stream.code, pairs...)
}

// take gives a value a row.
func (a *assembler) take(n int32) int32 {
	if last := len(a.free) - 1; last >= 0 {
		a.row[n] = a.free[last]
		a.free = a.free[:last]
	} else {
		a.row[n] = int32(a.stream.rows)
		a.stream.rows++
	}
	return a.row[n]
}
