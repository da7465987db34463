// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// columnProgram is a random program whose input is columns, and the kinds of its lanes' words.
func columnProgram(r *rand.Rand) (*Program, []kind) {
	for {
		c := &choices{randomBytes(r, 600)}
		p, kinds := makeProgram(c)
		if p.InBytes%4 != 0 {
			continue
		}
		for range p.InBytes / 4 {
			p.Columns = append(p.Columns, Column(c.intN(int(AtDouble)+1)))
		}
		p.Ops = slices.DeleteFunc(p.Ops, func(o Op) bool { return o.Code == Check })
		all := p.Out
		p.InBytes, p.Out, p.OutBytes = 0, p.Out[:1], 4
		if kinds[0] != isFloat {
			p.OutBytes = pickOf(c, 4, 2)
		}
		if kinds[0] == isInt && c.intN(3) == 0 {
			p.OutBytes = 1
		}
		if last := len(all) - 1; last > 0 && kinds[0] == isInt && kinds[last] == isInt && c.intN(2) == 0 {
			p.Out, p.OutBytes = []Row{all[0], all[last]}, 8
			return p, []kind{isInt, isInt}
		}
		return p, kinds[:1]
	}
}

// columnSources are random lanes, as many as tiles have.
func columnSources(c *choices, p *Program, n int, bytes guards) []Source {
	all := (n + Spare) / TileLanes * TileLanes
	var out []Source
	for _, kind := range p.Columns {
		s := Source{}
		switch kind {
		case OfHalves:
			s.Halves = make([]uint16, all)
			for i := range s.Halves {
				s.Halves[i] = uint16(c.word())
			}
		case AtWords, AtHalves, AtShorts, AtBytes, AtSigned:
			s.Bytes = bytes.end(4 * all)
			for i := range s.Bytes {
				s.Bytes[i] = byte(c.word())
			}
			for i := range all / TileLanes {
				s.At = append(s.At, int32(c.intN(4*all-4*TileLanes+1)))
				if i == 0 { // the last bytes that are allowed
					size := map[Column]int{AtWords: 4, AtHalves: 2, AtShorts: 2}[kind]
					s.At[0] = int32(4*all - TileLanes*max(size, 1))
				}
			}
		case OfBytes, OfSigned:
			s.Bytes = bytes.end(all)
			for i := range s.Bytes {
				s.Bytes[i] = byte(c.word())
			}
		default:
			s.Words = make([]float32, all)
			for i := range s.Words {
				s.Words[i] = math.Float32frombits(c.word())
			}
		}
		for s.Bytes == nil && len(s.At) < all/8 {
			s.At = append(s.At, int32(4*c.intN(all-7)))
		}
		out = append(out, s)
	}
	return out
}

// onesProgram is operations with a column of one word, their operands computed just before or not.
func onesProgram(r *rand.Rand) (*Program, []kind) {
	p := &Program{Columns: []Column{OfWords, AtOne, AtOne, OfWords}, Rows: 12, OutBytes: 4}
	k := []kind{isFloat, isInt}[r.IntN(2)]
	codes := []Code{MulF, AddF, SubF}
	if k == isInt {
		codes = []Code{AddI, SubI}
	}
	for dst := range Row(4) {
		p.Ops = append(p.Ops, Op{Code: Copy, Steps: []Step{{Dst: 4 + dst, X: dst}}})
	}
	for range 2 + r.IntN(10) {
		dst, x, y := Row(4+r.IntN(4)), Row(r.IntN(8)), Row(r.IntN(8))
		if r.IntN(4) == 0 {
			y = x
		}
		p.Ops = append(p.Ops, Op{Code: codes[r.IntN(len(codes))], Steps: []Step{{Dst: dst, X: x, Y: y}}})
	}
	p.Ops = append(p.Ops, Op{Code: codes[len(codes)-1], Steps: []Step{{Dst: 8, X: 4, Y: 5}, {Dst: 9, X: 6, Y: 7}, {Dst: 8, X: 8, Y: 9}}})
	p.Out = []Row{8}
	return p, []kind{k}
}

// columns compares programs of columns with the portable path, NaN with NaN.
func (b *both) columns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	count := 1500
	if testing.Short() {
		count = 200
	}
	for i := range 12 * count {
		p, kinds := onesProgram(r)
		switch {
		case i%12 == 0:
			p, kinds = columnProgram(r)
		case i%3 > 0:
			p, kinds = joinedProgram(r)
		}
		n := 1 + r.IntN(300)
		if slices.ContainsFunc(p.Ops, func(o Op) bool { return o.Code >= AddD }) {
			n = (n + Spare) / TileLanes * TileLanes // DOUBLE of all lanes
		}
		sources := columnSources(&choices{randomBytes(r, 40*n)}, p, n, b.in)
		want := make([]byte, n*p.OutBytes)
		p.portableFrame(32+32*r.IntN(3)).Lanes(sources, n, want, false)
		exact := &Frame{program: p, vector: p.frameOf(prepare(&p.prepared.exact, p, false))}
		for _, f := range []*Frame{p.NewFrame(), exact} {
			for _, stream := range []bool{false, true} {
				out := b.out.begin(n * p.OutBytes)
				if n%TileLanes != 0 && !stream {
					out = b.out.end(n * p.OutBytes)
				}
				clear(out)
				f.Lanes(sources, n, out, stream)
				if err := sameBlocks(out, want, p.OutBytes, kinds); err != nil {
					t.Fatalf("%v%v %d lanes: %v\n%+v", p, p.Columns, n, err, p)
				}
			}
			b.note(f.vector.stream)
			b.note(&stream{code: f.vector.stream.past})
			if d := f.vector.double; d != nil {
				b.note(d.stream)
				b.note(&stream{code: d.stream.past})
			}
		}
	}
}
