// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

const (
	mostBlocks = 200
	mostBytes  = 1 << 18
)

// both are where vector code and twins run.
type both struct {
	in, out  guards
	lanesOut guards
	used     []bool         // snippets
	number   map[uint64]int // of snippets, by address
	size     []int
}

func newBoth(tb testing.TB) *both {
	tb.Helper()
	if !vectors() {
		tb.Skip("no vector code on this processor")
	}
	b := &both{
		in: newGuards(tb, mostBytes), out: newGuards(tb, mostBytes), lanesOut: newGuards(tb, mostBytes),
		used: make([]bool, snippets), number: map[uint64]int{}, size: sizes(),
	}
	var at [snippets]uint64
	addresses(&at)
	for i, o := range at {
		b.number[o] = i
	}
	return b
}

// compare runs a program both ways over n blocks.
func (b *both) compare(t *testing.T, p *Program, kinds []kind, c *choices, n int) {
	t.Helper()
	in, out := b.in.end(n*p.InBytes), b.out.end(n*p.OutBytes)
	if c.intN(2) == 0 {
		in, out = b.in.begin(n*p.InBytes), b.out.begin(n*p.OutBytes)
	}
	fill(c, in)
	b.compareOn(t, p, kinds, in, out, 32+32*c.intN(3))
}

// compareOn compares the code for usual values, and that for all, with the twins.
func (b *both) compareOn(t *testing.T, p *Program, kinds []kind, in, out []byte, tile int) {
	t.Helper()
	n := len(in) / p.InBytes
	want := make([]byte, len(out))
	expected := p.portableFrame(tile).Run(in, n, want)
	exact := &Frame{program: p, vector: p.frameOf(prepare(&p.prepared.exact, p, false))}
	for _, f := range []*Frame{p.NewFrame(), exact} {
		clear(out)
		ok := f.Run(in, n, out)
		if ok != expected {
			t.Fatalf("%v%d blocks: the checks held: %v, expected %v", p, n, ok, expected)
		}
		if err := sameBlocks(out, want, p.OutBytes, kinds); ok && err != nil {
			t.Fatalf("%v%d blocks: %v\n%+v", p, n, err, p)
		}
		b.note(f.vector.stream)
	}
	if expected {
		b.lanes(t, p, kinds, in, want)
	}
}

// fill makes words, sometimes only such as are usual in floats.
func fill(c *choices, in []byte) {
	usual := c.intN(2) == 0
	for i := 0; i < len(in); i += 4 {
		var w [4]byte
		if usual {
			binary.LittleEndian.PutUint32(w[:], c.moderate())
		} else {
			binary.LittleEndian.PutUint32(w[:], c.word())
		}
		copy(in[i:], w[:])
	}
}

// note decodes the instructions.
func (b *both) note(s *stream) {
	for i := 0; i < len(s.code); {
		n := b.number[uint64(uint32(s.code[i]))|uint64(s.code[i+1])<<32]
		b.used[n] = true
		if f := snippetOf[nearest][0]; n == int(f[0]) || n == int(f[1]) {
			i += 2 * int(s.code[i+3])
		}
		i += b.size[n]
	}
}

// sizes are those of instructions, by snippet, in words.
func sizes() []int {
	size := make([]int, snippets)
	for _, table := range []*[numAll][4][4]uint16{&snippetOf, &doubleOf} {
		for code, forms := range table {
			for _, f := range forms {
				for _, n := range f {
					size[n] = 6
					if c := Code(code); wide(c) {
						size[n] = 8
					}
				}
			}
		}
	}
	size[0] = 2
	return size
}

func wide(c Code) bool {
	return c == Select || c == Check || c >= bitsFirst && c <= lookup16 || c == store4 || c == extend || c == count || c == mulAdd ||
		c == subMulAdd || c == selectEqual || c == mulSub || c == ByF || c == rest || c == bitsOrShift || c > toInt && c <= packMasked || c >= mulOne && c <= scaleSignedAdd
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// random runs random programs.
func (b *both) random(t *testing.T) {
	count := 2000
	if testing.Short() {
		count = 300
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range count {
		c := &choices{randomBytes(r, 600)}
		p, kinds := makeProgram(c)
		n := 1 + r.IntN(80)
		b.compare(t, p, kinds, &choices{randomBytes(r, 4*n*p.InBytes)}, n)
	}
}

func FuzzProgram(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		f.Add(randomBytes(r, 200), uint8(r.Uint32()))
	}
	b := newBoth(f)
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		p, kinds := makeProgram(&choices{data})
		blocks := 1 + int(n)%mostBlocks
		b.compare(t, p, kinds, &choices{bytes.Repeat(data, 3)}, blocks)
	})
}

// ahead runs programs that ask for one to eight lines of the input behind each step, near and far.
func (b *both) ahead(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, size := range []int{64, 512} {
		for steps := size / 2; steps >= size/16; steps /= 2 {
			p := &Program{Rows: size/4 + 1, InBytes: size, OutBytes: 8, Out: []Row{Row(size / 4), 1}}
			op := Op{Code: AddI}
			for range steps {
				op.Steps = append(op.Steps, Step{Dst: p.Out[0], X: p.Out[0], Y: 1})
			}
			p.Ops = []Op{{Code: Copy, Steps: []Step{{Dst: p.Out[0], X: 0}}}, op}
			b.compare(t, p, make([]kind, 2), &choices{randomBytes(r, 4000)}, 100)
		}
	}
}
