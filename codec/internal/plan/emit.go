// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/codec/internal/kernel"

// emitter writes the kernels of the plan that was chosen. Matching is over: each
// call of it appends to the program.
type emitter struct {
	program *kernel.Program
	codes   memory[kernel.Codes]
	floats  memory[kernel.BufferID]
	placed  kernel.Place // lanes that wait until all are made
}

func newEmitter(stride, lanes int) *emitter {
	return &emitter{
		program: &kernel.Program{Stride: stride, Lanes: lanes},
		codes:   memory[kernel.Codes]{}, floats: memory[kernel.BufferID]{},
	}
}

func (e *emitter) buffer(kind kernel.Kind, lanes int) kernel.BufferID {
	e.program.Buffers = append(e.program.Buffers, kernel.Buffer{Kind: kind, Lanes: lanes})
	return kernel.BufferID(len(e.program.Buffers) - 1)
}

func (e *emitter) op(op kernel.Op) { e.program.Ops = append(e.program.Ops, op) }

// place writes a buffer's lanes to output lanes, behind everything else.
func (e *emitter) place(from kernel.BufferID, at []int32) {
	e.placed.From, e.placed.At = append(e.placed.From, from), append(e.placed.At, at...)
}

func (e *emitter) placeAll() {
	if len(e.placed.From) > 0 {
		e.op(&e.placed)
	}
}

// codePlan is a way to make codes of one byte: a match, not yet emitted. Its cost
// is in vector instructions per 32 lanes of the consumer.
type codePlan struct {
	cost float64
	emit func(e *emitter) kernel.Codes
}

// indexPlan is a way to make indices in a U8 or U16 buffer.
type indexPlan struct {
	cost float64
	emit func(e *emitter) kernel.BufferID
}

// floatPlan is a way to make float lanes: an epilogue that lacks only its target.
type floatPlan struct {
	cost     float64
	emit     func(e *emitter) *kernel.Epilogue
	rows     bool // of floats by an index: no loop has them beside operands of every lane
	buffered bool // numbers that an op writes into a buffer, which is all that an operand takes

	columns bool // operators by themselves on every lane
	apart   bool // part of it is stored and loaded again
	steps   int  // of the epilogue
	product bool // the epilogue is one step, which multiplies; or divides, if it is the outer one of two
	pair    bool // the source is a product that another epilogue stores: kernels join one that goes on so
	joined  bool // that one
}

// cheapest returns the plan of least cost, the first of several.
func cheapest[P any](plans []P, cost func(P) float64) (P, bool) {
	var best P
	for i, p := range plans {
		if i == 0 || cost(p) < cost(best) {
			best = p
		}
	}
	return best, len(plans) > 0
}

func cheapestCode(plans []codePlan) (codePlan, bool) {
	return cheapest(plans, func(p codePlan) float64 { return p.cost })
}

func cheapestFloat(plans []floatPlan) (floatPlan, bool) {
	return cheapest(plans, func(p floatPlan) float64 { return p.cost })
}

// shared emits codes once for equal lanes.
func (p codePlan) shared(l lanes) codePlan {
	return codePlan{p.cost, func(e *emitter) kernel.Codes {
		if known, ok := e.codes.find(l); ok {
			return known
		}
		made := p.emit(e)
		e.codes.keep(l, made)
		return made
	}}
}

// inBuffer emits codes into a buffer, copying those that lie in the payload.
func inBuffer(e *emitter, c kernel.Codes, lanes int) kernel.BufferID {
	if c.InPlace == nil {
		return c.Buffer
	}
	to := e.buffer(kernel.U8, lanes)
	e.op(&kernel.Plane{Rows: c.InPlace, Width: 8, To: kernel.Target{Buffer: to}})
	return to
}
