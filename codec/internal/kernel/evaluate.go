// SPDX-License-Identifier: Apache-2.0

package kernel

import "fmt"

// Evaluate is any function of float32 lanes, given many at a time. Operands have rates
// of their own. It allocates what the function allocates.
type Evaluate struct {
	Name  string
	Func  func(out []float32, in [][]float32)
	In    []Parameter
	Lanes int
	To    BufferID // F32
}

// MostEvaluated is how many lanes Func is given at most.
const MostEvaluated = 1024

func (k *Evaluate) last(*Program) int { return 0 }

func (k *Evaluate) String() string {
	text := "evaluate " + k.Name
	for i, p := range k.In {
		if i > 0 {
			text += ","
		}
		text += " " + p.String()
	}
	return fmt.Sprintf("%s -> b%d", text, k.To)
}

func (k *Evaluate) ready(*Frame) runner {
	r := &evaluation{k, make([]float32, MostEvaluated), make([][]float32, len(k.In)), make([][]float32, len(k.In))}
	for i := range r.in {
		r.in[i] = make([]float32, MostEvaluated)
	}
	return r
}

// evaluation is Evaluate with its memory.
type evaluation struct {
	*Evaluate
	out  []float32
	in   [][]float32
	part [][]float32
}

func (r *evaluation) run(f *Frame) {
	for from, n := 0, f.n*r.Lanes; from < n; from += MostEvaluated {
		m := min(MostEvaluated, n-from)
		for i, p := range r.In {
			r.part[i] = r.in[i][:m]
			for j := range r.part[i] {
				b, l := (from+j)/r.Lanes, (from+j)%r.Lanes
				r.part[i][j] = p.at(p.values(f, b), l)
			}
		}
		r.Func(r.out[:m], r.part)
		for j, x := range r.out[:m] {
			b, l := (from+j)/r.Lanes, (from+j)%r.Lanes
			f.f32[r.To][b*f.pitch[r.To]+l] = x
		}
	}
}

// ByLane looks up a float for each code of one byte in the lane's own table.
type ByLane struct {
	From  BufferID  // U8
	Begin []int32   // per lane: where its table begins
	Table []float32 // all tables
	To    BufferID  // F32
}

func (k *ByLane) last(*Program) int { return 0 }

func (k *ByLane) ready(*Frame) runner { return k }

func (k *ByLane) String() string {
	return fmt.Sprintf("lutf by lane [%d] b%d -> b%d", len(k.Table), k.From, k.To)
}

func (k *ByLane) run(f *Frame) {
	for b := range f.n {
		dst := f.f32[k.To][b*f.pitch[k.To]:][:len(k.Begin)]
		codes := f.u8[k.From][b*f.pitch[k.From]:][:len(k.Begin)]
		for l, c := range codes {
			dst[l] = k.Table[int(k.Begin[l])+int(c)]
		}
	}
}
