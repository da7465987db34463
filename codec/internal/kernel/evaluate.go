// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math"
)

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
	b, l := 0, 0
	for left := f.n * r.Lanes; left > 0; left -= MostEvaluated {
		m := min(MostEvaluated, left)
		firstB, firstL := b, l
		for i, p := range r.In {
			b, l = firstB, firstL
			r.part[i] = r.in[i][:m]
			values := p.values(f, b)
			for j := range r.part[i] {
				r.part[i][j] = p.at(values, l)
				if l++; l == r.Lanes {
					if b, l = b+1, 0; j+1 < m {
						values = p.values(f, b)
					}
				}
			}
		}
		r.evaluate(r.out[:m])
		b, l = firstB, firstL
		for _, x := range r.out[:m] {
			to[b*pitch+l] = x
			if l++; l == r.Lanes {
				b, l = b+1, 0
			}
		}
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
	results := r.known.results[:len(missing)]
	r.Func(results, r.part)
	for k, j := range missing {
		out[j] = results[k]
		*r.known.place(r.known.keys[k]) = knownResult{r.known.keys[k], results[k], true}
	}
}

// knownResults are results by the bits of one or two operands: scales are few different ones, and the evaluator is slow.
type knownResults struct {
	places  []knownResult
	missing []int
	keys    []uint64 // of those that are missing
	results []float32
	lanes   int // so far
}

type knownResult struct {
	operands uint64
	result   float32
	there    bool
}

// knownBits is the binary logarithm of how many results are kept.
const knownBits = 13

// keyOf is the bits of the operands of lane j.
func keyOf(in [][]float32, j int) uint64 {
	key := uint64(0)
	for _, x := range in {
		key = key<<32 | uint64(math.Float32bits(x[j]))
	}
	return key
}

// fewEvaluated is how many lanes are computed before results are kept.
const fewEvaluated = 256

// worth reports whether there are enough lanes for results to come again.
func (k *knownResults) worth(n int) bool {
	k.lanes = min(k.lanes+n, fewEvaluated)
	if k.lanes < fewEvaluated {
		return false
	}
	if k.places == nil {
		k.places, k.results = make([]knownResult, 1<<knownBits), make([]float32, MostEvaluated)
	}
	return true
}

// place is where the result of operands is kept, if it is: the only place.
func (k *knownResults) place(key uint64) *knownResult {
	return &k.places[(key^key>>29)*0x9e3779b97f4a7c15>>(64-knownBits)]
}

// look writes the results that are known, and lists the lanes of the others.
func (k *knownResults) look(in [][]float32, out []float32) []int {
	k.missing, k.keys = k.missing[:0], k.keys[:0]
	for j := range out {
		key := keyOf(in, j)
		if p := k.place(key); p.there && p.operands == key {
			out[j] = p.result
		} else {
			k.missing, k.keys = append(k.missing, j), append(k.keys, key)
		}
	}
	return k.missing
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
