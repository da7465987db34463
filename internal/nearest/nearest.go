// SPDX-License-Identifier: Apache-2.0

// Package nearest finds the name that somebody probably meant.
package nearest

// maxLength bounds the names that are compared: beyond it a suggestion helps
// nobody and costs the square of the length.
const maxLength = 200

// edit is what one insertion, deletion or replacement costs. A letter in the
// other case costs less, so that q4_k finds q4_K before q4_0.
const edit = 2

// Of returns the candidate with the smallest edit distance to name, the first
// of several, if it is close enough to be a slip of the pen.
func Of(name string, candidates []string) (string, bool) {
	if len(name) > maxLength {
		return "", false
	}
	best, bestDistance := "", edit*(len(name)/3+2)
	for _, candidate := range candidates {
		if len(candidate) > maxLength || edit*abs(len(candidate)-len(name)) >= bestDistance {
			continue
		}
		// Where every letter is another, a short name is no slip of another one.
		if d := distance(name, candidate); d < bestDistance && d < edit*max(len(name), len(candidate)) {
			best, bestDistance = candidate, d
		}
	}
	return best, best != ""
}

// distance is the cost of the cheapest way from a to b, byte by byte.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j * edit
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = (i + 1) * edit
		for j := range len(b) {
			replaced := diagonal + replacement(a[i], b[j])
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+edit, diagonal+edit)
		}
	}
	return row[len(b)]
}

func replacement(a, b byte) int {
	const caseBit = 'a' - 'A'
	switch {
	case a == b:
		return 0
	case a|caseBit == b|caseBit && 'a' <= a|caseBit && a|caseBit <= 'z':
		return 1
	default:
		return edit
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
