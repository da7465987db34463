// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"testing"
)

// FuzzDecoder drives the random generators from bytes: each byte decides one thing.
func FuzzDecoder(f *testing.F) {
	for generator := range byte(len(generators)) {
		f.Add([]byte{generator})
		f.Add([]byte{generator, 0, 40, 200, 90, 160, 30, 220, 120, 10, 250, 70})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 256 {
			return
		}
		generate := generators[int(data[0])%len(generators)]
		c := &decoderCase{random: rand.New(&byteSource{data[1:], rand.NewPCG(1, 1)})}
		out, counts := generate(c)
		agree(t, c, out, counts...)
	})
}

var generators = []func(*decoderCase) (string, []int64){broad, aimed, typed, nested, quantized, traced, held, movedBits, laned}

// byteSource takes one byte for a number, and numbers of its own when they have run out.
type byteSource struct {
	data []byte
	rest *rand.PCG
}

func (s *byteSource) Uint64() uint64 {
	own := s.rest.Uint64()
	if len(s.data) == 0 {
		return own
	}
	// The high bits decide what is chosen.
	b := s.data[0]
	s.data = s.data[1:]
	return uint64(b)<<56 | own>>8
}
