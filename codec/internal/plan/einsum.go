// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"
	"strings"

	"github.com/structview/structview/onnxpb"
)

// einsumRule traces an Einsum that only moves axes: one input, of which each subscript is once in the
// result. No product or sum is left, so that values move as Transpose moves them.
func einsumRule(t *tracer, s *step) ([]*symbol, error) {
	text := attributeString(s.node, "equation")
	if len(s.in) != 1 {
		return nil, refuse("the equation %q multiplies", text)
	}
	perm, ok := permutation(text, len(s.in[0].dims))
	if !ok {
		return nil, refuse("the equation %q does more than move axes", text)
	}
	node := &onnxpb.NodeProto{OpType: "Transpose", Attribute: []*onnxpb.AttributeProto{{
		Name: "perm", Type: onnxpb.AttributeProto_INTS, Ints: perm,
	}}}
	return transposeRule(t, &step{node: node, in: s.in})
}

// permutation is the axes of a result in those of its only term, which has rank of them: an equation
// as in eval, with an arrow.
func permutation(equation string, rank int) ([]int64, bool) {
	left, right, arrow := strings.Cut(strings.ReplaceAll(equation, " ", ""), "->")
	before, ok := axes(left, rank)
	after, same := axes(right, rank)
	if !arrow || !ok || !same {
		return nil, false
	}
	perm := make([]int64, rank)
	for i, a := range after {
		at := slices.Index(before, a)
		if at < 0 || slices.Contains(before[at+1:], a) || slices.Contains(after[i+1:], a) {
			return nil, false
		}
		perm[i] = int64(at)
	}
	return perm, true
}

// axes writes subscripts out for so many axes: letters, and negative numbers for those of an ellipsis.
func axes(subscripts string, rank int) ([]rune, bool) {
	head, tail, ellipsis := strings.Cut(subscripts, "...")
	more := rank - len(head) - len(tail)
	if more < 0 || more > 0 && !ellipsis {
		return nil, false
	}
	out := []rune(head)
	for i := range more {
		out = append(out, rune(-1-i))
	}
	return append(out, []rune(tail)...), true
}
