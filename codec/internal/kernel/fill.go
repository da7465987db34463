// SPDX-License-Identifier: Apache-2.0

package kernel

import "fmt"

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
