// SPDX-License-Identifier: Apache-2.0

// Package nearest finds the name that somebody probably meant.
package nearest

// maxLength bounds the names that are compared: beyond it a suggestion
// helps nobody and costs the square of the length.
const maxLength = 200

// Of returns the candidate with the smallest edit distance to name, if it
// is close enough to be a slip of the pen.
func Of(name string, candidates []string) (string, bool) {
	if len(name) > maxLength {
		return "", false
	}
	best, bestDistance := "", len(name)/3+2
	for _, candidate := range candidates {
		if len(candidate) > maxLength || abs(len(candidate)-len(name)) >= bestDistance {
			continue
		}
		if d := distance(name, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best, best != ""
}

// distance is the number of bytes to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
