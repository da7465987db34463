// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"
	"testing"
)

func TestPermutation(t *testing.T) {
	for _, c := range []struct {
		equation string
		rank     int
		want     []int64 // nil: something else than a permutation
	}{
		{"abc->cab", 3, []int64{2, 0, 1}},
		{"... h c r b -> ... r h c b", 6, []int64{0, 1, 4, 2, 3, 5}},
		{"a...b->b...a", 4, []int64{3, 1, 2, 0}},
		{"a...b->ba...", 4, []int64{3, 0, 1, 2}},
		{"...ab->...ba", 2, []int64{1, 0}},
		{"->", 0, []int64{}},
		{"ab->a", 2, nil},
		{"aa->a", 2, nil},
		{"aab->ab", 3, nil},
		{"ab->aab", 2, nil},
		{"ab->abb", 3, nil},
		{"...ab->ab", 3, nil},
		{"ab", 2, nil},
		{"ab,ab->ba", 2, nil},
		{"abc->cba", 2, nil},
		{"......->......", 4, nil},
	} {
		got, ok := permutation(c.equation, c.rank)
		if ok != (c.want != nil) || !slices.Equal(got, c.want) {
			t.Errorf("%q of rank %d: %v, %v, want %v", c.equation, c.rank, got, ok, c.want)
		}
	}
}
