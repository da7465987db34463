// SPDX-License-Identifier: Apache-2.0

package structview

import "strconv"

// place is where in a model a check stands, as a list from the inside out. It is
// written only when there is a finding.
type place struct {
	up    *place
	name  string
	index int // -1: not an element of a repeated field
}

func (p *place) child(name string) *place { return &place{p, name, -1} }

func (p *place) at(name string, i int) *place { return &place{p, name, i} }

// String returns the place as field names of the messages: struct_types[2].structure.field[0].type.
func (p *place) String() string {
	if p == nil {
		return ""
	}
	return string(p.append(nil))
}

func (p *place) append(b []byte) []byte {
	if p.up != nil {
		b = p.up.append(b)
	}
	if len(b) > 0 && p.name != "" {
		b = append(b, '.')
	}
	b = append(b, p.name...)
	if p.index >= 0 {
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(p.index), 10)
		b = append(b, ']')
	}
	return b
}
