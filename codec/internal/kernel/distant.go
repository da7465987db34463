// SPDX-License-Identifier: Apache-2.0

package kernel

// alone is where numbers of one part begin, and their width; 0 if there are others.
func alone(parts [][]Segment) (bits []int, width int) {
	for _, p := range parts {
		if len(p) != 1 || p[0].Left != 0 || p[0].Width != parts[0][0].Width {
			return nil, 0
		}
		bits = append(bits, p[0].Bit)
		width = p[0].Width
	}
	return bits, width
}

// evenly is how far apart numbers are, if equally and in ascending order.
func evenly(at []int) (step int, ok bool) {
	if len(at) < 2 {
		return 0, false
	}
	step = at[1] - at[0]
	for i := range at[1:] {
		if at[i+1]-at[i] != step {
			return 0, false
		}
	}
	return step, step > 0
}

// distantLast is how far codes are read that are equally far apart and have bits of others between them; 0 for
// others. Dense ones have loops that read no further than the last.
func distantLast(bits []int, width int) int {
	if step, ok := evenly(bits); ok && len(bits) >= eightLanes && step > width {
		return bits[len(bits)-1]/8 + windowBytes
	}
	return 0
}
