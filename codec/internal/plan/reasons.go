// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"
	"strings"
)

// refused adds why blocks of a cut are not planned. What was said of the cut before is not said again.
func refused(reasons []string, cut int, err error) []string {
	what, why := "the whole value as one block", ": "+err.Error()
	switch {
	case cut == 1:
		what = "blocks of 1 leading dimension"
	case cut > 1:
		what = fmt.Sprintf("blocks of %d leading dimensions", cut)
	}
	if n := len(reasons); n > 0 {
		if same, ok := strings.CutSuffix(reasons[n-1], why); ok && strings.HasPrefix(same, "blocks of ") {
			return append(reasons[:n-1:n-1], same+", "+what+why)
		}
	}
	return append(reasons, what+why)
}

// onceEach says each text once, with how often it occurs.
func onceEach(list []string) []string {
	var out []string
	count := map[string]int{}
	for _, text := range list {
		if count[text]++; count[text] == 1 {
			out = append(out, text)
		}
	}
	for i, text := range out {
		if n := count[text]; n > 1 {
			out[i] = fmt.Sprintf("%s (%d times)", text, n)
		}
	}
	return slices.Clip(out)
}
