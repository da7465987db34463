// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"

	"github.com/structview/structview/tensor"
)

// symbol is a tensor while a decoder is traced: known, or lanes of a block for
// every block of the batch.
type symbol struct {
	elem  tensor.Type
	dims  []int64
	known *tensor.Tensor // not nil: a constant

	// batch is the number of leading dimensions that count blocks; -1 says that a
	// dimension holds both blocks and lanes (merged). The order of elements is in
	// any case block by block.
	batch int
	// fold is more than 1 where the last dimension of the batch counts parts of blocks:
	// so many are a block, and their number is the first of the inner dimensions.
	fold  int64
	lanes lanes // of one block, row by row
}

// noTrace says why a decoder cannot be cut into blocks: which node, and what it
// does.
type noTrace struct{ node, reason string }

func (e *noTrace) Error() string {
	if e.node == "" {
		return e.reason
	}
	return e.node + ": " + e.reason
}

func refuse(format string, args ...any) error {
	return &noTrace{reason: fmt.Sprintf(format, args...)}
}

// inner returns the dimensions within a block.
func (s *symbol) inner() []int64 {
	if s.batch < 0 {
		return nil
	}
	return s.folded(s.dims[s.batch:])
}

// folded puts the parts of a block before dimensions within a part.
func (s *symbol) folded(dims []int64) []int64 {
	if s.fold > 1 {
		return append([]int64{s.fold}, dims...)
	}
	return dims
}

// lead is the number of inner dimensions that are no dimensions of the tensor.
func (s *symbol) lead() int {
	if s.fold > 1 {
		return 1
	}
	return 0
}

// batches is how many elements the batch of a symbol counts.
func (t *tracer) batches(s *symbol) int64 { return t.blocks * max(s.fold, 1) }

// with returns a symbol of the same batch with other inner dimensions and lanes.
func (s *symbol) with(inner []int64, l lanes) *symbol {
	dims := append(append([]int64{}, s.dims[:s.batch]...), inner[s.lead():]...)
	return &symbol{elem: l.v.elem, dims: dims, batch: s.batch, fold: s.fold, lanes: l}
}

// count is how many elements dimensions have, at most most.
func count(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n = multiplied(n, d)
	}
	return n
}

const most = 1 << 62

// multiplied is the product of counts, at most most.
func multiplied(a, b int64) int64 {
	if a > 0 && b > most/a {
		return most
	}
	return a * b
}

// reshape gives a symbol other dimensions over the same elements. Some prefix of
// them has to count the blocks; otherwise the result is merged.
func (t *tracer) reshape(s *symbol, dims []int64) *symbol {
	if s.known != nil {
		r, err := s.known.Reshape(dims)
		if err != nil {
			panic(err) // dims were computed from the same count
		}
		return known(r)
	}
	out := &symbol{elem: s.elem, dims: dims, batch: t.prefix(dims, s.batch, t.blocks), lanes: s.lanes}
	if t.fold <= 1 {
		t.propose(dims)
	} else if out.batch < 0 {
		if out.batch = t.prefix(dims, s.batch, t.blocks*t.fold); out.batch >= 0 {
			out.fold = t.fold
		}
	}
	return out
}

// propose notes how many blocks a Reshape takes together.
func (t *tracer) propose(dims []int64) {
	n := int64(1)
	for _, d := range dims {
		if n *= d; n <= 0 || n >= t.blocks {
			return
		}
		if fold := t.blocks / n; n > 1 && t.blocks%n == 0 && !slices.Contains(t.proposed, fold) {
			t.proposed = append(t.proposed, fold)
		}
	}
}

// prefix returns the length of a prefix of dims that counts blocks: of several
// (dimensions of 1 make them) the longest that is not longer than old, else the
// shortest. It returns -1 if there is none.
func (t *tracer) prefix(dims []int64, old int, blocks int64) int {
	best, n := -1, int64(1)
	for i := 0; ; i++ {
		if n == blocks && (i <= old || best < 0) {
			best = i
		}
		if i == len(dims) || n > blocks {
			return best
		}
		n *= dims[i]
	}
}

func known(t *tensor.Tensor) *symbol {
	return &symbol{elem: t.Type(), dims: t.Dims(), known: t}
}

// inBlock turns a constant that does not vary along the batch into lanes of a
// block, as an operand beside others of the given inner rank.
func (t *tracer) inBlock(s *symbol, rank int) (*symbol, error) {
	if s.known == nil {
		return s, nil
	}
	// Right-aligned, some dimensions fall on the batch: along them nothing may vary.
	lead := max(len(s.dims)-rank, 0)
	first, err := t.firstBlock(s, lead)
	if err != nil {
		return nil, err
	}
	return &symbol{elem: s.elem, dims: s.dims[lead:], batch: 0, lanes: t.g.constant(first)}, nil
}

// maxConstant bounds the constants that become lanes.
const maxConstant = 1 << 16

// broadcast lays inner dimensions from over to, which it broadcasts to, and
// returns for each element of to the element of from.
func broadcast(from, to []int64) ([]int32, error) {
	pad := len(to) - len(from)
	if pad < 0 {
		return nil, refuse("dimensions %v do not broadcast to %v", from, to)
	}
	strides := make([]int64, len(to))
	stride := int64(1)
	for i := len(from) - 1; i >= 0; i-- {
		switch {
		case from[i] == to[pad+i]:
			strides[pad+i] = stride
		case from[i] != 1:
			return nil, refuse("dimensions %v do not broadcast to %v", from, to)
		}
		stride *= from[i]
	}
	return strided(0, to, strides), nil
}

// strided lists base + sum(index*stride) over all indices of dims, row by row.
func strided(base int64, dims, strides []int64) []int32 {
	out := make([]int32, count(dims))
	if len(out) > 0 {
		out[0] = int32(base)
	}
	n := 1 // of the inner dimensions so far
	for i, d := range slices.Backward(dims) {
		for j := 1; j < int(d) && len(out) > 0; j++ {
			by := int32(int64(j) * strides[i])
			for k, o := range out[:n] {
				out[j*n+k] = o + by
			}
		}
		n *= int(d)
	}
	return out
}

// strides of dims, row by row.
func rowMajor(dims []int64) []int64 {
	strides := make([]int64, len(dims))
	n := int64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i] = n
		n *= dims[i]
	}
	return strides
}
