// SPDX-License-Identifier: Apache-2.0

package fault

import (
	"sync"
	"testing"
)

// onHeap is too large for a stack.
const onHeap = 1 << 20

// Whatever overlaps noted memory is mapped, and nothing is once it is unmapped. Any memory may stand for a
// mapping that the runtime does not move: not a stack's.
func TestMapped(t *testing.T) {
	memory := make([]byte, onHeap)[:100]
	unmap := []func(){Map(memory[60:80]), Map(memory[20:40]), Map(memory[80:90])}
	for _, c := range []struct {
		from, to int
		want     bool
	}{
		{0, 20, false},
		{0, 21, true},
		{20, 21, true},
		{25, 30, true},
		{39, 60, true},
		{40, 60, false},
		{40, 61, true},
		{79, 80, true},
		{85, 100, true},
		{90, 100, false},
		{0, 100, true},
		{30, 30, false},
	} {
		if got := Mapped(memory[c.from:c.to]); got != c.want {
			t.Errorf("%d to %d: %v", c.from, c.to, got)
		}
	}
	unmap[1]()
	unmap[1]() // twice is once
	if Mapped(memory[:60]) || !Mapped(memory[60:61]) {
		t.Error("the wrong memory was taken out")
	}
	unmap[0]()
	unmap[2]()
	if Mapped(memory) || Mapped(nil) || len(mappings.spans) > 0 {
		t.Error("something stays mapped")
	}
}

func TestConcurrentMaps(t *testing.T) {
	memory := make([]byte, onHeap)
	var wg sync.WaitGroup
	for i := range 8 {
		own := memory[i*1000 : (i+1)*1000]
		wg.Go(func() {
			for k := range 1000 {
				part := own[k : k+1]
				unmap := Map(part)
				if !Mapped(part) {
					t.Errorf("%d %d", i, k)
				}
				unmap()
				if Mapped(own) {
					t.Errorf("%d %d stays", i, k)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkMapped(b *testing.B) {
	memory := make([]byte, onHeap)
	for i := range 1000 {
		defer Map(memory[60*i : 60*i+50])()
	}
	for b.Loop() {
		_ = Mapped(memory[59_999:])
	}
}
