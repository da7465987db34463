// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"sync"
	"testing"

	"github.com/structview/structview"
)

// TestConcurrentUse shares declarations, types, views and references; it is for the
// race detector.
func TestConcurrentUse(t *testing.T) {
	d, findings := structview.Resolve([]*decl{q4(), array(ref(0), 8)})
	if findings != nil {
		t.Fatal(findings)
	}
	root, err := d.At(1)
	if err != nil {
		t.Fatal(err)
	}
	v := view(t, root, make([]byte, 8*18))
	open := refTo(t, v, "qs.lo")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, findings := d.Root(array(ref(1), 2)); findings != nil {
				t.Error(findings)
			}
			if _, err := d.TypeOf(&value{Type: -1, StructType: array(ref(9), 1)}); err == nil {
				t.Error("no error")
			}
			if _, err := v.Tensor(open); err != nil {
				t.Error(err)
			}
			if _, err := v.At("[1].qs[2].loo"); err == nil {
				t.Error("no error")
			}
			structview.Hash(root, nil)
		})
	}
	wg.Wait()
}
