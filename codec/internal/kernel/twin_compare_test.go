// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"fmt"
	"testing"
)

// compare runs a frame and compares it with its twin, which ran and wrote want.
func (b *bench) compare(t *testing.T, r *trial, where string, fast, twin *Frame, payload []byte, n int, want []float32) {
	t.Helper()
	out := b.out[len(b.out)-len(want):]
	before := b.out[len(b.out)-len(want)-8 : len(b.out)-len(want)]
	for i := range out {
		out[i] = float32(i)
	}
	for i := range before {
		before[i] = -7
	}
	fast.Run(payload, n, out)
	Fence()
	for i := range before {
		if before[i] != -7 {
			t.Fatalf("%s: wrote before the output", where)
		}
	}
	sameFloats(t, where+" out", out, want)
	if r.toOut {
		return
	}
	pitch := fast.pitch[r.target]
	for i := range n {
		from, to := i*pitch, i*pitch+r.lanes
		where := fmt.Sprintf("%s: block %d", where, i)
		switch {
		case fast.u8[r.target] != nil:
			same(t, where, fast.u8[r.target][from:to], twin.u8[r.target][from:to])
		case fast.u16[r.target] != nil:
			same(t, where, fast.u16[r.target][from:to], twin.u16[r.target][from:to])
		default:
			sameFloats(t, where, fast.f32[r.target][from:to], twin.f32[r.target][from:to])
		}
	}
}
