// SPDX-License-Identifier: Apache-2.0

// Package stores fills memory with float32 as fast as the processor does: what
// benchmarks of decoders are measured against. Nothing else uses it.
package stores

// fill writes through the caches.
func fill(dst []float32) {
	for i := range dst {
		dst[i] = 1
	}
}
