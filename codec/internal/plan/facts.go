// SPDX-License-Identifier: Apache-2.0

package plan

// facts are what has been found out about a value, each at most once. They follow
// from the value's own structure and are never carried over a rewrite.
type facts struct {
	supports  *supports // the payload bits that each lane depends on
	tabulated [2]bool   // functions were looked for: of few bits, of more
	functions [2]*functions
	span      *span
	ranged    bool
	precision *precision
	measured  bool // precision was looked for
}
