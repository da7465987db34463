// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "testing"

// TestPieces: no call does more lanes than a piece has, and together they do all.
func TestPieces(t *testing.T) {
	for _, lanes := range []int{1, 40, 1000, 4095, 4096, 4097, 9000, 20000} {
		c := &call{}
		c.args.count = lanes
		each := 1 + lanes%5
		c.cut(alike(each))
		if per := lanes * each; c.blocks > 1 && c.blocks*per > pieceLanes || per > pieceLanes && c.blocks != 1 {
			t.Errorf("%d lanes: %d blocks", per, c.blocks)
		}
		next := 0
		for _, p := range c.pieces {
			if p.from != next || p.count*each > pieceLanes || p.count == 0 {
				t.Errorf("%d times %d lanes: %v", lanes, each, c.pieces)
			}
			next += p.count
		}
		if next != lanes {
			t.Errorf("%d descriptors of %d", next, lanes)
		}
	}
}
