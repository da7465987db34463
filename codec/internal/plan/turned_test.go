// SPDX-License-Identifier: Apache-2.0

package plan

import "testing"

// TestRotation: cells of an index whose bits are turned round are found, and others are not.
func TestRotation(t *testing.T) {
	const width = 5
	of := make([]uint64, 1<<width)
	for i := range of {
		of[i] = uint64(i * i % 31)
	}
	for by := range width {
		cells := make([]uint64, len(of))
		for i := range cells {
			cells[i] = of[(i<<by|i>>(width-by))&31]
		}
		if got := rotation(cells, of, width); got != by {
			t.Errorf("turned by %d: %d", by, got)
		}
		cells[13]++
		if got := rotation(cells, of, width); got >= 0 {
			t.Errorf("other cells: %d", got)
		}
	}
	if rotation(of[:16], of, 4) >= 0 {
		t.Error("fewer cells")
	}
}
