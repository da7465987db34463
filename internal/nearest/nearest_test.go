// SPDX-License-Identifier: Apache-2.0

package nearest

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	names := []string{"ggml.q4_0", "ggml.q4_1", "ggml.q4_K", "ggml.iq4_nl", "d"}
	for _, c := range []struct{ name, want string }{
		{"ggml.q4_k", "ggml.q4_K"},
		{"ggml.q4_7", "ggml.q4_0"}, // the first of several
		{"ggml.q4K", "ggml.q4_K"},
		{"gglm.iq4_nl", "ggml.iq4_nl"},
		{"q4_1", ""},
		{"", ""},
		{"x", ""}, // every letter is another

		{"something else", ""},
		{strings.Repeat("x", maxLength+1), ""},
	} {
		got, ok := Of(c.name, names)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Of(%q) = %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 6}, {"", "abc", 6}, {"abc", "abc", 0}, {"ab", "ba", 4}, {"aB", "AB", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
