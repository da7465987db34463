// SPDX-License-Identifier: Apache-2.0

package kernel

import "math"

// knownResults are results by the bits of one or two operands: scales are few different ones, codes come again,
// and the evaluator is slow. Results are kept at one of a few places behind each other.
type knownResults struct {
	places  []knownResult // a power of two, and knownPlaces-1 more
	shift   int           // of a product, to an index
	used    int
	next    int // which of the places is given up
	missing []int
	keys    []uint64 // of those that are missing
	fresh   []float32
	lanes   int // so far
}

type knownResult struct {
	operands uint64
	result   float32
	there    bool
}

const (
	knownPlaces  = 4      // where a result may be
	firstKnown   = 10     // binary logarithm of how many places there are at first
	mostKnown    = 16     // and at last, a mebibyte
	fewEvaluated = 1 << 8 // lanes that are computed before results are kept
)

// worth reports whether there are enough lanes for results to come again.
func (k *knownResults) worth(n int) bool {
	k.lanes = min(k.lanes+n, fewEvaluated)
	if k.lanes < fewEvaluated {
		return false
	}
	if k.places == nil {
		k.resize(firstKnown)
		k.fresh = make([]float32, MostEvaluated)
	}
	return true
}

// resize makes places, and keeps what is known.
func (k *knownResults) resize(bits int) {
	old := k.places
	k.places, k.shift, k.used = make([]knownResult, 1<<bits+knownPlaces-1), 64-bits, 0
	for _, r := range old {
		if r.there {
			k.keep(r)
		}
	}
}

// of is where the result of operands may be kept.
func (k *knownResults) of(key uint64) *[knownPlaces]knownResult {
	i := (key ^ key>>29) * 0x9e3779b97f4a7c15 >> k.shift
	return (*[knownPlaces]knownResult)(k.places[i:])
}

// look writes the results that are known, and lists the lanes of the others.
func (k *knownResults) look(in [][]float32, out []float32) []int {
	k.missing, k.keys = k.missing[:0], k.keys[:0]
	x, y := in[0][:len(out)], in[len(in)-1][:len(out)]
	for j := range out {
		key := uint64(math.Float32bits(x[j]))<<32 | uint64(math.Float32bits(y[j]))
		places := k.of(key)
		switch p := &places[0]; {
		case p.operands == key && p.there:
			out[j] = p.result
		case !k.behind(key, places, &out[j]):
			k.missing, k.keys = append(k.missing, j), append(k.keys, key)
		}
	}
	return k.missing
}

// behind is a result that is not at its first place.
func (k *knownResults) behind(key uint64, places *[knownPlaces]knownResult, to *float32) bool {
	for i := range places {
		if p := &places[i]; p.operands == key && p.there {
			*to = p.result
			return true
		}
	}
	return false
}

// keep adds a result. Of those that are in its way one is given up, unless there can be more places.
func (k *knownResults) keep(r knownResult) {
	places := k.of(r.operands)
	for i := range places {
		if p := &places[i]; !p.there || p.operands == r.operands {
			if !p.there {
				k.used++
			}
			*p = r
			return
		}
	}
	if bits := 64 - k.shift; bits < mostKnown && k.used > 1<<bits/4 {
		k.resize(bits + 1)
		k.keep(r)
		return
	}
	k.next = (k.next + 1) % knownPlaces
	places[k.next] = r
}
