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
	r := &evaluation{
		Evaluate: k, out: make([]float32, MostEvaluated), in: make([][]float32, len(k.In)), part: make([][]float32, len(k.In)),
	}
	for i := range r.in {
		r.in[i] = make([]float32, MostEvaluated)
	}
	if len(k.In) <= 2 {
		r.known = &knownResults{}
	}
	return r
}

// evaluation is Evaluate with its memory.
type evaluation struct {
	*Evaluate
	out   []float32
	in    [][]float32
	part  [][]float32
	known *knownResults // nil: of too many operands
}

func (r *evaluation) run(f *Frame) {
	to, pitch := f.f32[r.To], f.pitch[r.To]
	from := laneOf{0, 0}
	for left := f.n * r.Lanes; left > 0; left -= MostEvaluated {
		m := min(MostEvaluated, left)
		for i, p := range r.In {
			r.part[i] = r.in[i][:m]
			from.pieces(r.Lanes, m, func(block, lane, at, n int) {
				p.spread(r.part[i][at:at+n], p.values(f, block), lane)
			})
		}
		r.evaluate(r.out[:m])
		from = from.pieces(r.Lanes, m, func(block, lane, at, n int) {
			copy(to[block*pitch+lane:][:n], r.out[at:])
		})
	}
}

// laneOf is a lane of a block.
type laneOf struct{ block, lane int }

// pieces calls do for the pieces of n lanes that lie in a block, of which at are before the piece, and returns what
// comes behind them.
func (l laneOf) pieces(lanes, n int, do func(block, lane, at, n int)) laneOf {
	for at := 0; at < n; {
		m := min(lanes-l.lane, n-at)
		do(l.block, l.lane, at, m)
		at += m
		if l.lane += m; l.lane == lanes {
			l = laneOf{l.block + 1, 0}
		}
	}
	return l
}

// spread writes the operand's values of lanes from one on.
func (p Parameter) spread(to, values []float32, lane int) {
	all := p.Value
	switch {
	case p.Kind == Group && p.N == 1, p.Kind == Period && p.N >= lane+len(to):
		copy(to, values[lane:])
		return
	case p.Kind == Group && lane/p.N == (lane+len(to)-1)/p.N:
		all = values[lane/p.N]
	case values != nil:
		for i := range to {
			to[i] = p.at(values, lane+i)
		}
		return
	}
	for i := range to {
		to[i] = all
	}
}

// evaluate calls the function for operands whose results are not known yet.
func (r *evaluation) evaluate(out []float32) {
	if r.known == nil || !r.known.worth(len(out)) {
		r.Func(out, r.part)
		return
	}
	missing := r.known.look(r.part, out)
	if len(missing) == 0 {
		return
	}
	for i, x := range r.part {
		for k, j := range missing { // in place: j is k at least
			x[k] = x[j]
		}
		r.part[i] = x[:len(missing)]
	}
	results := r.known.fresh[:len(missing)]
	r.Func(results, r.part)
	for k, j := range missing {
		out[j] = results[k]
		r.known.keep(knownResult{r.known.keys[k], results[k], true})
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
