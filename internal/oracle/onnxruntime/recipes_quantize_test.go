// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// grid is how scales and zero points lie for a value of some dimensions.
type grid struct {
	dims  []int64 // of the scales
	attrs []*onnxpb.AttributeProto
	zero  bool // there is a zero point
}

// grid makes one as the cell's variant says, or any.
func (g *generator) grid(dims []int64) grid {
	blocked := g.cell.has("block") || g.cell.has("blockzp")
	axis := g.IntN(max(len(dims), 1))
	at := []*onnxpb.AttributeProto{intAttr("axis", int64(axis))}
	switch {
	case blocked:
		size := []int64{2, 3, 4}[g.IntN(3)]
		scales := slices.Clone(dims)
		scales[axis] = (dims[axis] + size - 1) / size
		return grid{scales, append(at, intAttr("block_size", size)), g.cell.has("blockzp")}
	case g.cell.has("axis") || g.IntN(3) == 0 && g.cell.typ.Bits() > 2: // along an axis the peer spoils 2-bit integers
		return grid{[]int64{dims[axis]}, at, g.IntN(2) == 0}
	}
	return grid{nil, nil, g.IntN(2) == 0}
}

// lowest is the lowest rank. Blocks of a vector are left out, since the peer takes a vector of one scale for the scale of the
// whole value.
func (g *generator) lowest() int {
	if g.cell.has("block") || g.cell.has("blockzp") {
		return 2
	}
	return 1
}

// zeroPoint is one of a type; the peer wants 0 for INT32 and float8.
func (g *generator) zeroPoint(typ tensor.Type, dims []int64) value {
	if typ.IsFloat() || typ == tensor.Int32 {
		return g.fresh(typ, dims, between(0, 0))
	}
	return g.fresh(typ, dims, anything)
}

func dequantize(g *generator, typ tensor.Type) error {
	x := g.takeFull(typ, g.lowest(), 4, anything)
	grid := g.grid(x.t.Dims())
	in := []value{x, g.fresh(g.cell.variantType(), grid.dims, positive)}
	if grid.zero {
		in = append(in, g.zeroPoint(typ, grid.dims))
	}
	return g.one(bound{}, in, grid.attrs...)
}

// quantizable values are finite and small enough that the peer's conversion to INT32, before it saturates, does not
// overflow. -0 is left out: adding a zero point of float8 makes it +0, but not there.
var quantizable = numbers{
	func(r *rand.Rand, typ tensor.Type) float64 {
		x := drawOrdinary(r, typ)
		if r.IntN(4) == 0 {
			x *= math.Ldexp(1, r.IntN(16))
		}
		return max(-60000, min(60000, x)) + 0
	},
	func(x float64) bool { return math.Abs(x) <= 1<<20 && (x != 0 || !math.Signbit(x)) },
}

var powers = numbers{
	func(r *rand.Rand, _ tensor.Type) float64 { return math.Ldexp(1, r.IntN(5)-2) },
	func(x float64) bool { return x >= 0.25 && x <= 4 && x == math.Ldexp(1, math.Ilogb(x)) },
}

func quantize(g *generator, typ tensor.Type) error {
	from := g.cell.variantType()
	x := g.takeFull(from, g.lowest(), 4, quantizable)
	grid := g.grid(x.t.Dims())
	scales := positive
	if from == tensor.Float16 { // eval divides in FLOAT16 as the attribute precision has it, the peer in FLOAT
		scales = powers
	}
	in := []value{x, g.fresh(from, grid.dims, scales)}
	attrs := grid.attrs
	if grid.zero || g.IntN(2) == 0 {
		in = append(in, g.zeroPoint(typ, grid.dims))
	} else {
		attrs = append(attrs, intAttr("output_dtype", int64(typ)))
	}
	return g.one(bound{}, in, attrs...)
}
