// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"sync"
	"testing"

	"github.com/structview/structview/tensor"
)

// TestConcurrentRuns runs one program in several goroutines, with inputs of changing shapes.
func TestConcurrentRuns(t *testing.T) {
	body := graphProto([]string{"s", "x"}, []string{"t", "t"}, nodeProto("Add", []string{"s", "x"}, []string{"t"}))
	p, err := Compile(functionProto(21, []string{"zero", "x"}, []string{"last"},
		nodeProto("Scan", []string{"zero", "x"}, []string{"last", "sums"}, graphAttribute("body", body), intAttribute("num_scan_inputs", 1))), Env{})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for n := range int64(50) {
				x := ramp([]int64{n % 7}, func(i int) float32 { return float32(worker + i) })
				want := float32(0)
				for _, v := range tensor.Slice[float32](x) {
					want += v
				}
				out, err := p.Run(context.Background(), []Value{tensor.Of(nil, float32(0)), x})
				if err != nil || tensor.Slice[float32](out[0].(*tensor.Tensor))[0] != want {
					t.Errorf("worker %d: %v %v", worker, out, err)
				}
			}
		})
	}
	group.Wait()
}
