// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"slices"
)

// Patch replaces single lanes, which indices tell, by values: lane Base[j]+At[index j] by value j, one j after the
// other. An index of which At knows no lane replaces nothing.
type Patch struct {
	Kind   SourceKind // FromU8: At has 256 elements; FromF32: indices are numbers that INT32 holds
	Index  BufferID
	Values BufferID // F32
	Base   []int32
	At     []int32  // -1: no lane
	ToOut  bool     // lanes of the output
	To     BufferID // otherwise of an F32 buffer
}

func (k *Patch) last(*Program) int { return 0 }

func (k *Patch) String() string {
	text := fmt.Sprintf("patch %d by %s b%d of b%d", len(k.Base), k.Kind, k.Index, k.Values)
	if k.ToOut {
		return text + " -> out"
	}
	return fmt.Sprintf("%s -> b%d", text, k.To)
}

func (k *Patch) ready(*Frame) runner { return k }

// lanes is what a block's lanes are written to.
func (k *Patch) lanes(f *Frame, b int) []float32 {
	if k.ToOut {
		return f.out[b*f.lanes:][:f.lanes]
	}
	return f.f32[k.To][b*f.pitch[k.To]:][:f.pitch[k.To]]
}

// index is number j of block b.
func (k *Patch) index(f *Frame, b, j int) int {
	if k.Kind == FromU8 {
		return int(f.u8[k.Index][b*f.pitch[k.Index]+j])
	}
	return int(f.f32[k.Index][b*f.pitch[k.Index]+j])
}

func (k *Patch) run(f *Frame) {
	for b := range f.n {
		to, values := k.lanes(f, b), f.f32[k.Values][b*f.pitch[k.Values]:]
		for j, base := range k.Base {
			if i := k.index(f, b, j); i >= 0 && i < len(k.At) && k.At[i] >= 0 {
				to[base+k.At[i]] = values[j]
			}
		}
	}
}

// fast is the loop for codes, over a table of known length.
func (k *Patch) fast(*Frame) runner {
	if k.Kind != FromU8 {
		return nil
	}
	return &codePatch{k, [256]int32(k.At)}
}

type codePatch struct {
	*Patch
	at [256]int32
}

func (k *codePatch) run(f *Frame) {
	to, pitch := f.out, f.lanes
	if !k.ToOut {
		to, pitch = f.f32[k.To], f.pitch[k.To]
	}
	codes, eachCode := f.u8[k.Index], f.pitch[k.Index]
	values, eachValue := f.f32[k.Values], f.pitch[k.Values]
	for b := range f.n {
		to, codes, values := to[b*pitch:], codes[b*eachCode:][:len(k.Base)], values[b*eachValue:][:len(k.Base)]
		for j, base := range k.Base {
			if at := k.at[codes[j]]; at >= 0 {
				to[base+at] = values[j]
			}
		}
	}
}

// patch is a Patch of the lanes of n blocks.
func (m *merger) patch(k *Patch) Op {
	lanes := m.Lanes
	if !k.ToOut {
		lanes = m.Buffers[k.To].Lanes
	}
	if m.Buffers[k.Index].Lanes != len(k.Base) || m.Buffers[k.Values].Lanes != len(k.Base) {
		return nil
	}
	out := *k
	out.Base = make([]int32, 0, m.n*len(k.Base))
	for b := range m.n {
		for _, base := range k.Base {
			out.Base = append(out.Base, base+int32(b*lanes))
		}
	}
	return &out
}

// patches reports whether an op replaces lanes of a buffer.
func patches(op Op, id BufferID) bool {
	k, ok := op.(*Patch)
	return ok && !k.ToOut && k.To == id
}

// unpatched is ops without those that replace lanes of a buffer.
func unpatched(ops []Op, id BufferID) []Op {
	return slices.DeleteFunc(slices.Clone(ops), func(op Op) bool { return patches(op, id) })
}

// patchOut makes ops from one on, which replace lanes of a buffer, replace those of the output from a lane on.
func (p *Program) patchOut(from int, id BufferID, lane int) {
	for i, op := range p.Ops[from:] {
		if patches(op, id) {
			p.Ops[from+i] = op.(*Patch).Outward(lane)
		}
	}
}

// Outward is the Patch on lanes of the output, from one on, in the place of its buffer.
func (k *Patch) Outward(lane int) *Patch {
	out := *k
	out.ToOut, out.To, out.Base = true, 0, slices.Clone(k.Base)
	for j := range out.Base {
		out.Base[j] += int32(lane)
	}
	return &out
}

// patchesOut reports whether lanes of the output are replaced: stores past the caches would have them read again.
func (p *Program) patchesOut() bool {
	return slices.ContainsFunc(p.Ops, func(op Op) bool { k, ok := op.(*Patch); return ok && k.ToOut })
}
