// SPDX-License-Identifier: Apache-2.0

//go:build unix && !purego

package kernel

import "testing"

// TestSmallFloats finds tables that are floats of a few bits.
func TestSmallFloats(t *testing.T) {
	b := newBench(t, 32)
	found := 0
	for range trials {
		table := b.minifloats()
		s, ok := smallFloats(table)
		if !ok {
			continue
		}
		found++
		for c, x := range table {
			h := s.half(c)
			if h&s.test[0] == s.special[0] {
				h = 0xffff
			}
			if got := halfToFloat(h) * s.unit; got != x && got == got {
				t.Fatalf("code %d is %v, not %v", c, got, x)
			}
		}
	}
	if found < trials/2 {
		t.Error("only", found)
	}
	table := make([]float32, 256)
	for i := range table {
		table[i] = b.float()
	}
	if s, ok := smallFloats(table); ok {
		t.Error("other floats are halves", s)
	}
}
