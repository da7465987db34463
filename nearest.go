// SPDX-License-Identifier: Apache-2.0

package structview

import "iter"

const (
	nearestNames  = 4096 // candidates that are compared
	nearestLength = 128  // bytes of a name that is compared
)

// Nearest returns the candidate that is most like name, "" if none is like it: for
// messages about a name that was not found. It looks at a bounded number of candidates.
func Nearest(name string, candidates iter.Seq[string]) string {
	if len(name) > nearestLength {
		return ""
	}
	best, least, seen := "", max(1, len(name)/2)+1, 0
	for c := range candidates {
		if seen++; seen > nearestNames {
			break
		}
		if len(c) <= nearestLength {
			if d := distance(name, c); d < least {
				best, least = c, d
			}
		}
	}
	return best
}

// distance counts the bytes to insert, delete or replace, or neighbours to swap;
// letters that differ in case alone are equal.
func distance(a, b string) int {
	var rows [3][nearestLength + 1]int
	last, row, next := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if lower(a[i]) == lower(b[j]) {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], last[j-1]+1)
			}
		}
		last, row, next = row, next, last
	}
	return row[len(b)]
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
