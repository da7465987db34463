// SPDX-License-Identifier: Apache-2.0

package kernel

import "fmt"

// Apply is any function of one or two float32 lanes: operators that have no loop of
// their own. Operands have a rate of their own; Y is None for a function of one.
type Apply struct {
	Name  string
	One   func(x float32) float32
	Two   func(x, y float32) float32
	X, Y  Parameter
	Lanes int
	To    BufferID // F32
}

func (k *Apply) last(*Program) int { return 0 }

func (k *Apply) ready(*Frame) runner { return k }

func (k *Apply) String() string {
	if k.Two == nil {
		return fmt.Sprintf("apply %s %s -> b%d", k.Name, k.X, k.To)
	}
	return fmt.Sprintf("apply %s %s, %s -> b%d", k.Name, k.X, k.Y, k.To)
}

func (k *Apply) run(f *Frame) {
	for b := range f.n {
		dst := f.f32[k.To][b*f.pitch[k.To]:][:k.Lanes]
		x, y := k.X.values(f, b), k.Y.values(f, b)
		for l := range dst {
			if k.Two == nil {
				dst[l] = k.One(k.X.at(x, l))
			} else {
				dst[l] = k.Two(k.X.at(x, l), k.Y.at(y, l))
			}
		}
	}
}
