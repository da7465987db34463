// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"math"
	"testing"
)

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

// TestInvertedOfInfinity: where an infinity is subtracted loops combine the bits of both factors, here to those of a NaN.
func TestInvertedOfInfinity(t *testing.T) {
	for _, z := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0.5} {
		k := &Epilogue{
			Div: true, Z: Parameter{Kind: Const, Value: float32(z)}, A: Parameter{Kind: Const, Value: 2201.0 / 0x1p31},
		}
		if _, two := k.inverted(wordUnsigned); two {
			t.Errorf("less %v, a quotient is a product", z)
		}
	}
}
