// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"errors"
	"slices"
	"testing"
)

func TestReasons(t *testing.T) {
	small, large := errors.New("node 1 (Einsum): it multiplies"), refuse("a block has %d elements of %s", 65536, "s")
	var got []string
	for cut, err := range []error{small, small, small, large} {
		got = refused(got, 3-cut, err)
	}
	want := []string{
		"blocks of 3 leading dimensions, blocks of 2 leading dimensions, blocks of 1 leading dimension: node 1 (Einsum): it multiplies",
		"the whole value as one block: a block has 65536 elements of s",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := onceEach([]string{"a", "b", "a", "a"}); !slices.Equal(got, []string{"a (3 times)", "b"}) {
		t.Errorf("%q", got)
	}
}
