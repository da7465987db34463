// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"sync"
	"testing"

	"github.com/structview/structview/catalog"
)

// Every decoder of the catalogue works row by row, and codec can prove it: that is what makes
// ranges of rows and parallel decoding possible.
func TestRowIndependence(t *testing.T) {
	for _, e := range entries(t) {
		for _, shape := range [][]int64{{3, 2 * e.Values}, {2, 3, e.Values}} {
			if err := codecOf(t, e, shape).RowIndependent(); err != nil {
				t.Errorf("%s %v: %v", e.Name, shape, err)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	c := catalog.Builtin()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, name := range []string{"ggml.q4_0", "ggml.q8_0", "mx.fp4[block=16]"} {
				e, err := c.Entry(name)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := e.Instantiate([]int64{2, 2 * e.Values}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}
