// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"strings"
)

// String names a value and its operands.
func (v *value) String() string {
	text := fmt.Sprintf("v%d = %s %s[%d]", v.id, v.name(), v.elem, v.n)
	var args []string
	for _, a := range v.args {
		args = append(args, fmt.Sprintf("v%d", a.v.id))
	}
	if len(args) > 0 {
		text += " (" + strings.Join(args, ", ") + ")"
	}
	return text
}

func (v *value) name() string {
	switch v.kind {
	case kConst:
		return "const"
	case kBits:
		return fmt.Sprintf("bits w%d", v.width)
	case kLeaf:
		return "leaf"
	case kTab:
		return fmt.Sprintf("tab [%d]", v.data.Len())
	case kSel:
		return "sel"
	case kFold:
		return foldNames[v.fold]
	case kPick:
		return "pick"
	default:
		return v.run.node.OpType
	}
}

// String prints the values in the order in which they were made.
func (g *graph) String() string {
	var b strings.Builder
	for _, v := range g.values {
		fmt.Fprintln(&b, v)
	}
	return b.String()
}

// factsText prints what is known of each value, in the order in which they were made.
func (g *graph) factsText() string {
	var b strings.Builder
	for _, v := range g.values {
		fmt.Fprintf(&b, "v%d: %s\n", v.id, v.factsText())
	}
	return b.String()
}

func (v *value) factsText() string {
	var known []string
	if s := v.facts.span; s != nil {
		known = append(known, fmt.Sprintf("integers %d to %d", s.lo, s.hi))
	} else if v.facts.ranged {
		known = append(known, "no integers")
	}
	for _, f := range v.facts.functions {
		if f != nil && v.kind != kConst && len(f.cells) > 0 {
			known = append(known, fmt.Sprintf("%d functions of %d bits", len(f.cells), f.width))
			break
		}
	}
	if len(known) == 0 {
		return "not asked"
	}
	return strings.Join(known, ", ")
}
