// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// seed keeps declarations from being written such that their lanes collide, and so does key.
var (
	seed = rand.Uint64()
	key  = rand.Uint64() | 1
)

// mix adds a number to a hash.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// mixInts adds a list, four numbers with each product.
func mixInts(h uint64, list []int32) uint64 {
	h = mix(h, uint64(len(list)))
	for ; len(list) >= 4; list = list[4:] {
		a := uint64(uint32(list[0])) | uint64(uint32(list[1]))<<32
		b := uint64(uint32(list[2])) | uint64(uint32(list[3]))<<32
		high, low := bits.Mul64(h^a, key^b)
		h = high ^ low ^ b
	}
	for _, x := range list {
		h = mix(h, uint64(uint32(x)))
	}
	return mix(h, seed)
}

// mixCells adds a list of words, two with each product.
func mixCells(h uint64, list []uint64) uint64 {
	h = mix(h, uint64(len(list)))
	for ; len(list) >= 2; list = list[2:] {
		high, low := bits.Mul64(h^list[0], key^list[1])
		h = high ^ low ^ list[1]
	}
	for _, x := range list {
		h = mix(h, x)
	}
	return mix(h, seed)
}

// numbered gives n things numbers in order of first use, equal things the same, and
// lists the first thing of each number.
func numbered(n int, hash func(i int) uint64, equal func(i, j int) bool) (number, first []int32) {
	size := 4
	for size < 2*n {
		size *= 2
	}
	slots := make([]int32, size) // a number plus 1
	number = make([]int32, n)
	for i := range n {
		if i > 0 && equal(i-1, i) {
			number[i] = number[i-1]
			continue
		}
		at := int(hash(i) & uint64(size-1))
		for slots[at] != 0 && !equal(int(first[slots[at]-1]), i) {
			at = (at + 1) & (size - 1)
		}
		if slots[at] == 0 {
			first = append(first, int32(i))
			slots[at] = int32(len(first))
		}
		number[i] = slots[at] - 1
	}
	return number, first
}

// few is how many slots a thing may have where numbers are slots themselves.
const few = 8

// combine numbers the pairs (a[i], b[i]) in order of first use. Elements of a are below an, those of b below bn.
func combine(a, b []int32, an, bn int) (number, first []int32) {
	if slots := few * len(a); bn > 0 && an <= slots/bn {
		return renumber(len(a), an*bn, func(i int) int { return int(a[i])*bn + int(b[i]) })
	}
	return numbered(len(a),
		func(i int) uint64 { return mix(mix(seed, uint64(uint32(a[i]))), uint64(uint32(b[i]))) },
		func(i, j int) bool { return a[i] == a[j] && b[i] == b[j] })
}

// renumber numbers n things, which have a slot of size, in order of first use.
func renumber(n, size int, slot func(i int) int) (number, first []int32) {
	slots := make([]int32, size) // a number plus 1
	number = make([]int32, n)
	for i := range number {
		at := &slots[slot(i)]
		if *at == 0 {
			first = append(first, int32(i))
			*at = int32(len(first))
		}
		number[i] = *at - 1
	}
	return number, first
}

// inOrder reports whether a list is 0, 1, 2, ….
func inOrder(list []int32) bool {
	for i, k := range list {
		if int(k) != i {
			return false
		}
	}
	return true
}

// hash and equal make lanes a key.
func (l lanes) hash() uint64 { return mixInts(mix(seed, uint64(l.v.id)), l.m) }

func (l lanes) equal(k lanes) bool { return l.v == k.v && slices.Equal(l.m, k.m) }

// memory holds what has been found out about lanes.
type memory[P any] map[uint64]memoryOf[P]

type memoryOf[P any] struct {
	lanes lanes
	known P
	more  []memoryOf[P] // others of that hash, which are rare
}

func (m memory[P]) find(l lanes) (P, bool) {
	first, found := m[l.hash()]
	if found && first.lanes.equal(l) {
		return first.known, true
	}
	for _, e := range first.more {
		if e.lanes.equal(l) {
			return e.known, true
		}
	}
	var none P
	return none, false
}

func (m memory[P]) keep(l lanes, known P) {
	h, made := l.hash(), memoryOf[P]{lanes: l, known: known}
	if first, found := m[h]; found {
		first.more = append(first.more, made)
		made = first
	}
	m[h] = made
}

// renumbered numbers lanes in order of first use.
func (l lanes) renumbered() (number, first []int32) {
	if l.v.n <= few*len(l.m) {
		return renumber(len(l.m), l.v.n, func(i int) int { return int(l.m[i]) })
	}
	return numbered(len(l.m),
		func(i int) uint64 { return mix(seed, uint64(uint32(l.m[i]))) },
		func(i, j int) bool { return l.m[i] == l.m[j] })
}

// replace changes what is known.
func (m memory[P]) replace(l lanes, known P) {
	h := l.hash()
	first := m[h]
	if first.lanes.v != nil && first.lanes.equal(l) {
		first.known = known
	}
	for i, e := range first.more {
		if e.lanes.equal(l) {
			first.more[i].known = known
		}
	}
	m[h] = first
}
