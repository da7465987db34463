// SPDX-License-Identifier: Apache-2.0

package kernel

import "fmt"

// Held maps each code of From through a table of codes that the block has itself: To = Table[code]. Codes are
// below Entries, at most 256.
type Held struct {
	From    Codes
	Lanes   int
	Table   BufferID // U8
	Entries int
	To      BufferID
}

func (k *Held) last(*Program) int { return k.From.last() }

func (k *Held) String() string {
	return fmt.Sprintf("held %s b%d[%d] -> b%d", k.From, k.Table, k.Entries, k.To)
}

func (k *Held) ready(*Frame) runner { return k }

func (k *Held) run(f *Frame) {
	for b := range f.n {
		dst, table := f.u8[k.To][b*f.pitch[k.To]:], f.u8[k.Table][b*f.pitch[k.Table]:][:k.Entries]
		for r := range k.From.runs() {
			lane, codes := k.From.run(f, b, k.Lanes, r)
			out := dst[lane : lane+len(codes)]
			for j, x := range codes {
				out[j] = table[x]
			}
		}
	}
}

// halvesOf are two tables of 16 bytes, for the lower and the upper four bits of a code, whose entries' exclusive or
// (sum: whose sum, modulo 256) is a table's entry. It is false for other tables.
func halvesOf(table []byte, sum bool) (halves [32]byte, ok bool) {
	join := func(x, y byte) byte { return x ^ y }
	if sum {
		join = func(x, y byte) byte { return x + y }
	}
	if len(table) <= 16 {
		return halves, false
	}
	copy(halves[:16], table)
	for h := range 16 { // codes count modulo the table's length
		x := table[16*h%len(table)]
		if halves[16+h] = x ^ table[0]; sum {
			halves[16+h] = x - table[0]
		}
	}
	for c, x := range table {
		if join(halves[c%16], halves[16+c/16]) != x {
			return halves, false
		}
	}
	return halves, true
}

// Halved reports whether a table of more than 16 codes is two look-ups of four bits each, and an exclusive or or a sum.
func Halved(table []byte) bool {
	_, xor := halvesOf(table, false)
	_, sum := halvesOf(table, true)
	return xor || sum
}
