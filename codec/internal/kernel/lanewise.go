// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math"
)

// FloatOp is an operation on float32 lanes.
type FloatOp uint8

// The operations of Lanewise.
const (
	FAdd FloatOp = iota
	FSub
	FMul
	FDiv
	FNeg
	FAbs
	FSqrt
)

func (o FloatOp) String() string {
	return [...]string{"fadd", "fsub", "fmul", "fdiv", "fneg", "fabs", "fsqrt"}[o]
}

func (o FloatOp) apply(x, y float32) float32 {
	switch o {
	case FAdd:
		return x + y
	case FSub:
		return x - y
	case FMul:
		return x * y
	case FDiv:
		return x / y
	case FNeg:
		return -x
	case FAbs:
		return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
	default:
		return float32(math.Sqrt(float64(x)))
	}
}

// Lanewise is one operator on float lanes: the unfused path. Operands have a rate
// of their own; Y is None for an operator of one operand.
type Lanewise struct {
	Op    FloatOp
	X, Y  Parameter
	Lanes int
	To    BufferID // F32
}

func (k *Lanewise) last(*Program) int { return 0 }

func (k *Lanewise) String() string {
	if k.Y.Kind == None {
		return fmt.Sprintf("%s %s -> b%d", k.Op, k.X, k.To)
	}
	return fmt.Sprintf("%s %s, %s -> b%d", k.Op, k.X, k.Y, k.To)
}

func (k *Lanewise) ready(*Frame) runner { return k }

func (k *Lanewise) run(f *Frame) {
	for b := range f.n {
		dst := f.f32[k.To][b*f.pitch[k.To]:][:k.Lanes]
		x, y := k.X.values(f, b), k.Y.values(f, b)
		for l := range dst {
			dst[l] = k.Op.apply(k.X.at(x, l), k.Y.at(y, l))
		}
	}
}

// values are the elements of block b.
func (p Parameter) values(f *Frame, b int) []float32 {
	if p.Kind == Group || p.Kind == Period {
		return f.f32[p.Buffer][b*f.pitch[p.Buffer]:]
	}
	return nil
}

// at is the element that belongs to a lane.
func (p Parameter) at(values []float32, lane int) float32 {
	switch p.Kind {
	case Group:
		return values[lane/p.N]
	case Period:
		return values[lane%p.N]
	default:
		return p.Value
	}
}

// Fill writes the same known values for every block: column operands.
type Fill struct {
	Values []float32
	To     BufferID // F32
}

func (k *Fill) last(*Program) int { return 0 }

func (k *Fill) String() string { return fmt.Sprintf("fill %d -> b%d", len(k.Values), k.To) }

func (k *Fill) ready(*Frame) runner { return k }

func (k *Fill) run(f *Frame) {
	for b := range f.n {
		copy(f.f32[k.To][b*f.pitch[k.To]:], k.Values)
	}
}

// fills is what a buffer always holds, nil if that depends on the payload.
func (p *Program) fills(id BufferID) []float32 {
	for _, op := range p.Ops {
		if k, ok := op.(*Fill); ok && k.To == id {
			return k.Values
		}
	}
	return nil
}
