// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// fusing reports whether epilogues take numbers as they are read.
func fusing() bool { return vectors() }

// fuses reports whether some epilogue of the frame does, and notes how its numbers are read.
func (f *Frame) fuses(ways map[int]int) bool {
	for _, made := range f.made {
		list, _ := made.(several)
		for _, r := range list {
			if c, ok := r.(*dwordCall); ok && c.steps != nil {
				if ways[c.steps.gathering]++; c.steps.turn != 0 {
					ways[len(seriesLoops)]++
				}
				if c.words.low != 0 {
					ways[len(seriesLoops)+1]++
				}
			}
		}
	}
	return len(f.made) > 0
}

// wayCount is how many ways there are to read numbers, to jump, and to divide.
const wayCount = len(seriesLoops) + 2

// readsDistant reports whether a loop of the frame is over numbers that are equally far apart.
func (f *Frame) readsDistant() bool {
	for _, op := range f.ops {
		if _, ok := op.(*distantCall); ok {
			return true
		}
	}
	return false
}

// madeWith reports whether an op was made ready together with one before it.
func madeWith(f *Frame, op int) bool { return f.made[op] != nil }
