// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// SortDiagnostics puts findings in the order of the file: declarations, each with
// its layout, decoder and encoder; then the graph, training graphs and functions.
// Within a graph or function come inputs, outputs, value_info, initializers and nodes.
// Findings of one path keep their order. It sorts by the paths alone, so that findings
// of several checks can be merged.
func SortDiagnostics(findings []Diagnostic) {
	if len(findings) < 2 {
		return
	}
	keys := make([][]pathKey, len(findings))
	index := make([]int, len(findings))
	for i := range findings {
		keys[i], index[i] = pathKeys(findings[i].Path), i
	}
	slices.SortStableFunc(index, func(a, b int) int {
		return slices.CompareFunc(keys[a], keys[b], pathKey.compare)
	})
	sorted := make([]Diagnostic, len(findings))
	for to, from := range index {
		sorted[to] = findings[from]
	}
	copy(findings, sorted)
}

// pathKey is one part of a path: name[index].
type pathKey struct {
	rank  int
	name  string
	index int
}

func (a pathKey) compare(b pathKey) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name), cmp.Compare(a.index, b.index))
}

func pathKeys(path string) []pathKey {
	parts := strings.Split(path, ".")
	keys := make([]pathKey, len(parts))
	for i, part := range parts {
		key := pathKey{name: part, index: -1}
		if name, rest, ok := strings.Cut(part, "["); ok {
			if n, err := strconv.Atoi(strings.TrimSuffix(rest, "]")); err == nil {
				key.name, key.index = name, n
			}
		}
		key.rank = rank(key.name)
		keys[i] = key
	}
	return keys
}

// rank is the place of a field among its siblings.
func rank(name string) int {
	return slices.Index([]string{
		"struct_types", "graph", "training_info", "functions", "metadata_props",
		"initialization", "algorithm",
		"array", "structure", "bit_packing", "decoder", "encoder",
		"input", "output", "value_info", "initializer", "sparse_initializer", "struct_initializer", "node",
	}, name)
}
