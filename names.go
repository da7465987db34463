// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// fewNames is how many names are searched one by one.
const fewNames = 16

func (t *Type) fieldName(i int) string { return t.fields[i].Name }

func (t *Type) partName(i int) string { return t.parts[i].Name }

// sortedNames returns the indices of n names in their order, equal names in the
// order of declaration; nil if they are few.
func sortedNames(n int, name func(int) string) []int32 {
	if n <= fewNames {
		return nil
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(name(int(a)), name(int(b))), cmp.Compare(a, b))
	})
	return order
}

// names checks that the names of fields or components are distinct and not empty (SV010).
func (r *report) names(what string, n int, name func(int) string, order []int32, at *place) bool {
	ok := true
	for i := range n {
		if name(i) == "" {
			r.error(ErrName, at.at(what, i), "%s %d has no name", what, i)
			ok = false
		} else if first := findName(name(i), n, name, order); first < i {
			r.error(ErrName, at.at(what, i), "%s %d has the name %s of %s %d", what, i, quoteName(name(i)), what, first)
			ok = false
		}
	}
	return ok
}

// findName returns the first index with the name wanted, -1 if there is none.
func findName(wanted string, n int, name func(int) string, order []int32) int {
	if order == nil {
		for i := range n {
			if name(i) == wanted {
				return i
			}
		}
		return -1
	}
	k := sort.Search(n, func(k int) bool { return name(int(order[k])) >= wanted })
	if k < n && name(int(order[k])) == wanted {
		return int(order[k])
	}
	return -1
}

// field returns the field of a structure by name, nil if there is none.
func (t *Type) field(name string) *Field {
	if i := findName(name, len(t.fields), t.fieldName, t.order); i >= 0 {
		return &t.fields[i]
	}
	return nil
}

// part returns the component of a bit packing by name, nil if there is none.
func (t *Type) part(name string) *Component {
	if i := findName(name, len(t.parts), t.partName, t.order); i >= 0 {
		return &t.parts[i]
	}
	return nil
}

// names yields the names that may follow t in a path.
func (t *Type) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range t.fields {
			if !yield(t.fields[i].Name) {
				return
			}
		}
		for i := range t.parts {
			if !yield(t.parts[i].Name) {
				return
			}
		}
	}
}

// listNames writes the first few names that may follow t.
func (t *Type) listNames() string {
	const most = 8
	var b []byte
	n := 0
	for name := range t.names() {
		if n++; n > most {
			return string(append(b, ", …"...))
		}
		if n > 1 {
			b = append(b, ", "...)
		}
		b = append(b, appendName(nil, name)...)
	}
	if n == 0 {
		return "no names"
	}
	return string(b)
}

// someNames collects names to compare with one that was not found.
func (t *Type) someNames() []string {
	const most = 4096
	var list []string
	for name := range t.names() {
		if len(list) == most {
			break
		}
		list = append(list, name)
	}
	return list
}
