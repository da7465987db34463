// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import "math/bits"

const (
	lineBytes  = 64      // of the caches
	aheadBytes = 1 << 12 // how far ahead lines are asked for, if the next tile is not farther
	farBytes   = 1 << 13 // the input of a tile that would fill the first cache
	mostLines  = 8       // that an item asks for
)

// ahead inserts items that ask for the input of a later tile line by line, since tiles are read in an order that
// the processor does not foresee. They stand behind the items of one code, the commonest: each instruction
// jumps to the next one, and a jump that does not come in a regular order takes longer than it takes to ask for a line.
func (a *assembler) ahead() {
	in := tileBlocks * a.program.InBytes
	if narrow(a.program.InBytes) || in == 0 {
		return // whole lines are read one behind the other
	}
	code, times := a.commonest()
	lines := (in + lineBytes - 1) / lineBytes
	form := min(bits.Len(uint((lines-1)/times)), bits.Len(mostLines-1))
	ask := item{code: near, form: uint8(form), n: int32(max(in, aheadBytes))}
	if in > farBytes {
		ask.code = far
	}
	items := make([]item, 0, len(a.items)+times)
	for _, it := range a.items {
		items = append(items, it)
		if it.code == code && lines > 0 {
			items = append(items, ask)
			ask.n += lineBytes << form
			lines -= 1 << form
		}
	}
	a.items = items
}

// commonest is the code of most items that compute something, and their number.
func (a *assembler) commonest() (code Code, times int) {
	var all [numAll]int
	for _, it := range a.items {
		if it.code != end {
			all[it.code]++
		}
	}
	for c, n := range all {
		if n > times {
			code, times = Code(c), n
		}
	}
	return code, times
}
