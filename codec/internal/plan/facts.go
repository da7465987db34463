// SPDX-License-Identifier: Apache-2.0

package plan

// facts are what has been found out about a value, each at most once. They follow
// from the value's own structure and are never carried over a rewrite.
type facts struct {
	supports [][]int32 // per lane: the payload bits it depends on, ascending; see support
	table    *table
	tried    int // bits up to which a table was looked for
	span     *span
	ranged   bool
}
