// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/structview/structview"
)

// unproduced says which payload paths of root are not in produced, "" if none is missing.
// Paths may be astronomically many: they are counted by declaration, and only a few are named.
func unproduced(root *structview.Type, produced map[string]bool) string {
	count := counter{}.paths(root)
	if count == uint64(len(produced)) {
		return ""
	}
	var names []string
	looked := 0
	for leaf := range root.Layout().Leaves() {
		if looked++; looked > 10000 || len(names) == 3 {
			break
		}
		if leaf.Constant == nil && !produced[leaf.Path] {
			names = append(names, fmt.Sprintf("%q", leaf.Path))
		}
	}
	missing := count - uint64(len(produced))
	text := "missing: " + strings.Join(names, ", ")
	if rest := missing - uint64(len(names)); rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// counter remembers the number of payload paths below each type, saturating.
type counter map[*structview.Type]uint64

func (c counter) paths(t *structview.Type) uint64 {
	if n, ok := c[t]; ok {
		return n
	}
	var n uint64
	switch t.Kind() {
	case structview.KindArray:
		n = c.paths(t.Elem())
	case structview.KindBitPacking:
		n = uint64(len(t.Components()))
	case structview.KindStructure:
		for _, field := range t.Fields() {
			if field.Type == nil {
				continue
			}
			sum, carry := bits.Add64(n, c.paths(field.Type), 0)
			n = sum | -carry
		}
	default:
		n = 1
	}
	c[t] = n
	return n
}
