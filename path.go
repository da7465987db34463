// SPDX-License-Identifier: Apache-2.0

package structview

// Path leads from a value into it: names and indices in any order that the type allows.
type Path []Step

// Step is one step of a [Path]: a name, or else an index or a half-open range of indices.
type Step struct {
	Name     string // "" for an index or a range
	From, To uint64 // an index has To == From+1
	IsRange  bool
}

// ParsePath reads a path as written on the command line: `[17].qs[3].lo`.
func ParsePath(s string) (Path, error) { panic("not yet") }

// String writes the path in canonical spelling.
func (p Path) String() string { panic("not yet") }
