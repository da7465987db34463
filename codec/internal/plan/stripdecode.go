// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/structview/structview/codec/internal/strip"
)

// strips lowers a decoder's output lanes to a program: payload in, elements out.
func (p *Plan) strips(g *graph, l lanes) (*strip.Program, error) {
	width := int(p.Element.Bits())
	if !plainTruth(l.v, 0) {
		return nil, noStrip(l.v, "a BOOL may have been given as any byte")
	}
	if width < 8 || p.Element.IsComplex() {
		return nil, fmt.Errorf("no strips for an output of %v", p.Element)
	}
	fields := make([]outField, len(l.m))
	for i, lane := range l.m {
		fields[i] = outField{v: l.v, lane: lane, offset: i * width, width: width}
	}
	s := newStripper(g, p.Stride)
	bytes := (len(fields)*width + 7) / 8
	out, err := s.packed(fields, bytes)
	if err != nil {
		return nil, err
	}
	return s.program(out, bytes)
}

// addStrips takes strips where kernels would call functions for single elements, where there are
// none, or where they cost more. Then they are the plan's only program.
func (p *Plan) addStrips(g *graph, l lanes, env Env) {
	cheaper := p.Program != nil && !p.calls() && !env.strips
	if cheaper && (p.cost < costColumns || p.Lanes > mostStripLanes || env.joined) {
		return
	}
	program, err := p.strips(g, l)
	if cheaper && (err != nil || stripsCost(program, p.Lanes) > p.cost) {
		return
	}
	if err != nil {
		if p.Program == nil || env.strips {
			p.Reasons = append(p.Reasons, err.Error())
		}
		if env.strips {
			p.Program, p.Stores = nil, nil
		}
		return
	}
	if cheaper {
		p.Reasons = append(p.Reasons, "strips cost less than kernels")
	} else if p.Program != nil {
		_, alone := p.Step()
		for _, op := range alone {
			p.Reasons = append(p.Reasons, "no kernel takes "+op)
		}
	}
	p.Strips, p.Program, p.Stores = program, nil, nil
}

// What steps of a program of strips cost per 32 lanes, as instructions of kernels: a choice among many is a gather.
const (
	costStripStep   = 19
	costStripGather = 120
	mostStripLanes  = 512 // of blocks whose kernels are compared with strips
)

// stripsCost is the cost of a program per 32 of the lanes that it makes.
func stripsCost(p *strip.Program, lanes int) float64 {
	cost := 0
	for _, op := range p.Ops {
		each := costStripStep
		if op.Code == strip.Table && len(op.Table) > 16 {
			each = costStripGather
		}
		cost += each * len(op.Steps)
	}
	return float64(cost) / float64(lanes)
}

// Runs reports whether the plan has a program of either kind.
func (p *Plan) Runs() bool { return p.Program != nil || p.Strips != nil }

// stripTile runs a tile of blocks.
func (r *Runner) stripTile(payload []byte, first, n int64, out []byte) {
	stride := int64(r.plan.Stride)
	// A decoder's program has no checks.
	r.strips.Run(payload[first*stride:(first+n)*stride], int(n), out)
}

// decodeStrips is Decode by strips: in place, or through memory of bytes where floats are stored in
// another order.
func (r *Runner) decodeStrips(payload []byte, first, n int64, out []float32) {
	lanes := int64(r.plan.Lanes)
	if bytes, ok := strip.Bytes(out[:n*lanes]); ok {
		r.stripTile(payload, first, n, bytes)
		return
	}
	r.tail = append(r.tail, make([]byte, r.tile*r.plan.Strips.OutBytes-len(r.tail))...)
	for n > 0 {
		tile := min(n, int64(r.tile))
		r.stripTile(payload, first, tile, r.tail)
		for i := range out[:tile*lanes] {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(r.tail[4*i:]))
		}
		first, n, out = first+tile, n-tile, out[tile*lanes:]
	}
}

// newStripRunner is NewRunner for strips.
func (p *Plan) newStripRunner(tile int) *Runner {
	return &Runner{plan: p, tile: tile, strips: p.Strips.NewFrame()}
}
