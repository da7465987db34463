// SPDX-License-Identifier: Apache-2.0

package plan

import "errors"

// Bounds of the work of planning a declaration, all tries together. Beyond them a decoder
// runs through eval: no declaration makes planning take longer than a second or two.
const (
	// maxWork bounds lanes handled while tracing and matching, and what else takes as
	// long as they do: a unit is some tens of nanoseconds.
	maxWork = 1 << 24
	// maxLanes bounds the lanes of one tensor of a block.
	maxLanes = 1 << 18
	// maxDeep bounds operators in a row: values are walked recursively.
	maxDeep = 1 << 13
)

var (
	errWork  = errors.New("planning the decoder takes too much work")
	errEmpty = errors.New("a tensor within a block has no elements")
)

// work counts what has been done for a declaration.
type work struct{ done, kept int64 }

// spend counts units of work, if they may still be done.
func (w *work) spend(n int) bool {
	if w.done <= maxWork-w.kept {
		w.done += int64(max(n, 0))
	}
	return w.done <= maxWork-w.kept
}

// keep leaves half of the units that are left until release is called, for what is done if a try fails.
func (w *work) keep() (release func()) {
	if w.done > maxWork {
		return func() {}
	}
	limit := (w.done + maxWork) / 2
	w.kept = maxWork - limit
	return func() {
		w.kept = 0
		w.done = min(w.done, limit)
	}
}

// spend is that of the declaration of a graph.
func (g *graph) spend(n int) bool { return g.literals.work.spend(n) }

// room refuses a tensor of n lanes before they are made, and counts them.
func (t *tracer) room(n int64) error {
	if n > maxLanes {
		return refuse("a block has a tensor of %d elements; at most %d are planned", n, maxLanes)
	}
	if !t.g.spend(int(n)) {
		return refuse("%v", errWork)
	}
	return nil
}

// handled counts the work of a node by its results and its constants, and refuses what is
// too deep to be walked.
func (t *tracer) handled(in, out []*symbol) error {
	n := 8
	for _, x := range in {
		if x != nil && x.known != nil {
			n += int(min(x.known.Len()/8, maxWork))
		}
	}
	for _, x := range out {
		if x == nil {
			continue
		}
		if n += len(x.dims); x.known != nil {
			continue
		}
		if n += len(x.lanes.m); x.lanes.v.depth > maxDeep {
			return refuse("more than %d operators in a row", maxDeep)
		}
	}
	if !t.g.spend(n) {
		return refuse("%v", errWork)
	}
	return nil
}
