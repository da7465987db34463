// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// storePlan is a way to write output lanes that are not FLOAT.
type storePlan struct {
	cost float64
	emit func(e *emitter, lane int) kernel.Store
}

// store matches output lanes of a type other than FLOAT. Elements of less than a byte
// are written one a byte, and packed behind the stores.
func (g *graph) store(l lanes) (storePlan, bool) {
	var plans []storePlan
	for _, match := range []func(lanes) (storePlan, bool){g.fixedStore, g.codeStore, g.tableStore, g.bitStore, g.floatStore, g.carriedStore, g.doubleStore} {
		if p, ok := match(l); ok {
			plans = append(plans, p)
		}
	}
	return cheapest(plans, func(p storePlan) float64 { return p.cost })
}

func (g *graph) fixedStore(l lanes) (storePlan, bool) {
	if l.v.kind != kConst {
		return storePlan{}, false
	}
	data := elements(l.v.elem, l.codes())
	return storePlan{0, func(_ *emitter, lane int) kernel.Store {
		return &kernel.FixedStore{Elements: data, Width: storeWidth(l.v.elem), Lane: lane}
	}}, true
}

// storeWidth is the bytes that a store writes for an element.
func storeWidth(elem tensor.Type) int { return max(int(elem.Bits()/8), 1) }

// elements are element bits as stores write them.
func elements(elem tensor.Type, codes []uint64) []byte {
	if elem.Bits() >= 8 {
		return fromCodes(elem, codes).Bytes()
	}
	out := make([]byte, len(codes))
	for i, c := range codes {
		out[i] = byte(c)
	}
	return out
}

// codeStore is integers of 8 bits in any type that holds them, and whatever an
// integer type of 8 bits wraps to.
func (g *graph) codeStore(l lanes) (storePlan, bool) {
	elem := l.v.elem
	s, ok := g.interval(l.v)
	narrow := elem.IsInteger() && elem.Bits() <= 8
	if elem.IsFloat() && elem.Bits() < 16 {
		return storePlan{}, false // integers that such a type holds have tables
	}
	if !narrow && (!ok || s.lo < -128 || s.hi > 255 || s.lo < 0 && s.hi > 127) {
		return storePlan{}, false
	}
	codes, ok := g.code(l)
	if !ok {
		return storePlan{}, false
	}
	name, from := "u8", tensor.Uint8
	if s.lo < 0 {
		name, from = "i8", tensor.Int8
	}
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	numbers, err := tensor.New(from, []int64{256}, all)
	if err != nil {
		return storePlan{}, false
	}
	table := all
	if elem.Bits() > 8 {
		wide, err := tensor.Convert(numbers, elem, true, tensor.RoundNearest)
		if err != nil {
			return storePlan{}, false
		}
		table = wide.Bytes()
		name += " as " + elem.String()
	}
	return storeTable(l, codes, table, name), true
}

func storeTable(l lanes, codes codePlan, table []byte, name string) storePlan {
	return storePlan{codes.cost, func(e *emitter, lane int) kernel.Store {
		return &kernel.TableStore{
			Codes: codes.emit(e), Table: table, Width: storeWidth(l.v.elem), Name: name, Lanes: len(l.m), Lane: lane,
		}
	}}
}

// tableStore is any elements by a code of at most 8 bits.
func (g *graph) tableStore(l lanes) (storePlan, bool) {
	cells, codes, ok := g.byCode(l)
	if !ok {
		return storePlan{}, false
	}
	padded := make([]uint64, 256)
	copy(padded, cells)
	p := storeTable(l, codes, elements(l.v.elem, padded), fmt.Sprintf("table [%d] of %v", len(cells), l.v.elem))
	p.cost += costLutF
	return p, true
}

// floatStore is FLOAT lanes converted to another float type, by a Cast or because a
// half type's arithmetic is FLOAT arithmetic, rounded once.
func (g *graph) floatStore(l lanes) (storePlan, bool) {
	elem := l.v.elem
	if elem != tensor.Float16 && elem != tensor.BFloat16 && elem != tensor.Double {
		return storePlan{}, false
	}
	inside, ok := g.insideFloat(l)
	if !ok {
		return storePlan{}, false
	}
	body, ok := g.whole(inside)
	if !ok {
		return storePlan{}, false
	}
	format := map[tensor.Type]kernel.Format{tensor.Float16: kernel.F16, tensor.BFloat16: kernel.BF16, tensor.Double: kernel.Float64}[elem]
	return storePlan{body.cost + costFloatBytes, func(e *emitter, lane int) kernel.Store {
		return &kernel.FloatStore{From: body.buffer(e, inside), Format: format, Lanes: len(l.m), Lane: lane}
	}}, true
}

// insideFloat returns the FLOAT lanes that are rounded to l.
func (g *graph) insideFloat(l lanes) (lanes, bool) {
	if l.v.kind == kPick && l.v.elem != tensor.Double { // as FLOAT they are the same
		return g.castTo(tensor.Float, l)
	}
	if l.v.kind != kOp {
		return lanes{}, false
	}
	name := l.v.run.node.OpType
	if name == "Cast" {
		inside := l.operand(0)
		return inside, inside.v.elem == tensor.Float
	}
	switch name {
	case "Add", "Sub", "Mul", "Div":
	default:
		return lanes{}, false
	}
	if l.v.elem == tensor.Double {
		return lanes{}, false
	}
	operands := make([]lanes, len(l.v.args))
	for i := range operands {
		wide, ok := g.castTo(tensor.Float, l.operand(i))
		if !ok {
			return lanes{}, false
		}
		operands[i] = wide
	}
	made := g.operator(name, operands...)
	return made, made.v != nil && made.v.elem == tensor.Float
}

// carriedStore is lanes that a buffer of FLOAT can stand for, whatever made them.
func (g *graph) carriedStore(l lanes) (storePlan, bool) {
	elem := l.v.elem
	if l.v.kind != kOp && l.v.kind != kTab || !g.carried(l.v) {
		return storePlan{}, false
	}
	inside, ok := g.castTo(tensor.Float, l)
	if !ok {
		return storePlan{}, false
	}
	body, ok := g.whole(inside)
	if !ok {
		return storePlan{}, false
	}
	code := func(x float32) uint64 { return uint64(int64(x)) }
	whole := elem.IsInteger()
	switch {
	case elem.IsFloat():
		code = func(x float32) uint64 { return tensor.FromFloat(elem, float64(x), false, tensor.RoundNearest) }
	case elem == tensor.Bool:
		code = func(x float32) uint64 {
			if x != 0 {
				return 1
			}
			return 0
		}
	}
	return storePlan{body.cost + 4*costFloatBytes, func(e *emitter, lane int) kernel.Store {
		return &kernel.ConvertStore{
			From: body.buffer(e, inside), Code: code, Width: storeWidth(elem), Name: elem.String(), Lanes: len(l.m), Lane: lane, Whole: whole,
		}
	}}, true
}
