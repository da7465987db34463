// SPDX-License-Identifier: Apache-2.0

package stores_test

import (
	"testing"

	"github.com/structview/structview/codec/internal/stores"
)

// Every element is written, and nothing behind them.
func TestStores(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 1 << 15, 1<<15 + 7} {
		for _, loop := range []func([]float32){stores.Cached, stores.Past} {
			all := make([]float32, n+8)
			loop(all[:n])
			for i, x := range all {
				if (x == 1) != (i < n) {
					t.Fatalf("%d elements: %v at %d", n, x, i)
				}
			}
		}
	}
}
