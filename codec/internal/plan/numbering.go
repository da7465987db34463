// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/rand/v2"
	"slices"
)

// seed keeps declarations from being written such that their lanes collide.
var seed = rand.Uint64()

// mix adds a number to a hash.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func mixInts(h uint64, list []int32) uint64 {
	h = mix(h, uint64(len(list)))
	for _, x := range list {
		h = mix(h, uint64(uint32(x)))
	}
	return h
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

// combine numbers the pairs (a[i], b[i]) in order of first use.
func combine(a, b []int32) (number, first []int32) {
	return numbered(len(a),
		func(i int) uint64 { return mix(mix(seed, uint64(uint32(a[i]))), uint64(uint32(b[i]))) },
		func(i, j int) bool { return a[i] == a[j] && b[i] == b[j] })
}

// renumber numbers the elements of a list in order of first use.
func renumber(a []int32) (number, first []int32) {
	return numbered(len(a),
		func(i int) uint64 { return mix(seed, uint64(uint32(a[i]))) },
		func(i, j int) bool { return a[i] == a[j] })
}

// hash and equal make lanes a key.
func (l lanes) hash() uint64 { return mixInts(mix(seed, uint64(l.v.id)), l.m) }

func (l lanes) equal(k lanes) bool { return l.v == k.v && slices.Equal(l.m, k.m) }

// memory holds what has been found out about lanes.
type memory[P any] map[uint64][]memoryOf[P]

type memoryOf[P any] struct {
	lanes lanes
	known P
}

func (m memory[P]) find(l lanes) (P, bool) {
	for _, e := range m[l.hash()] {
		if e.lanes.equal(l) {
			return e.known, true
		}
	}
	var none P
	return none, false
}

func (m memory[P]) keep(l lanes, known P) {
	h := l.hash()
	m[h] = append(m[h], memoryOf[P]{l, known})
}
