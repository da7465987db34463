// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"
	"strings"
)

// Error says where a text breaks the grammar.
type Error struct {
	Name     string // the file, as given to Parse
	Line     int    // from 1
	Column   int    // from 1, in bytes
	Expected string // what the grammar allows there
	Found    string // what stands there
}

// Error returns "name:line:column: expected X, found Y".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: expected %s, found %s", e.Name, e.Line, e.Column, e.Expected, e.Found)
}

// position returns line and column of an offset, both from 1.
func position(src string, offset int) (line, column int) {
	before := src[:min(offset, len(src))]
	line = 1 + strings.Count(before, "\n")
	return line, len(before) - strings.LastIndexByte(before, '\n')
}
