// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/structview/structview/codec/internal/strip"
)

// PairStore writes lanes of DOUBLE, which an F32 buffer has as words, low and high.
type PairStore struct {
	From  BufferID
	Lanes int
	Lane  int
}

func (k *PairStore) String() string {
	return fmt.Sprintf("store pairs b%d -> out %d..%d", k.From, k.Lane, k.Lane+k.Lanes)
}

func (k *PairStore) store(f *Frame, b int, out []byte) {
	words := f.f32[k.From][b*f.pitch[k.From]:][:2*k.Lanes]
	out = out[8*k.Lane:][:8*k.Lanes]
	if bytes, ok := strip.Bytes(words); ok {
		copy(out, bytes)
		return
	}
	for i, w := range words {
		binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(w))
	}
}
