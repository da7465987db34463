// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"bytes"
	"math"
	"testing"
)

// TestNarrow compares with the plain loop, behind guard pages: floats of all sorts, integers that fit.
func TestNarrow(t *testing.T) {
	b := newBench(t, 51)
	raw := guarded(t, 8*maxTest)
	for range 8 * trials {
		n := b.IntN(300)
		if b.IntN(20) == 0 {
			n = 4000 + b.IntN(1000)
		}
		w := Narrowing{Format: []Format{F16, BF16, Float64}[b.IntN(3)]}
		if b.IntN(2) == 0 {
			w = Narrowing{Width: 1 << b.IntN(4)}
		}
		from := b.out[len(b.out)-n:]
		b.narrowable(from, w)
		out := raw[len(raw)-n*w.Size():]
		if b.IntN(2) == 0 {
			out = raw[:n*w.Size()]
		}
		want := make([]byte, len(out))
		w.each(from, want)
		w.Narrow(from, out, b.IntN(2) == 0)
		sameElements(t, w, out, want)
	}
}

// narrowable fills floats: integers that fit, or anything; often without NaN.
func (b *bench) narrowable(floats []float32, w Narrowing) {
	rare := b.IntN(2) == 0
	for i := range floats {
		switch floats[i] = b.float(); {
		case w.Width > 3:
			floats[i] = float32(b.IntN(1<<25+1) - 1<<24)
		case w.Width > 0:
			floats[i] = float32(b.IntN(3<<(8*w.Width-1)) - 1<<(8*w.Width-1))
		case rare && floats[i] != floats[i]:
			floats[i] = 1
		}
	}
}

// sameElements compares elements; two NaN are alike.
func sameElements(t *testing.T, w Narrowing, got, want []byte) {
	t.Helper()
	size := w.Size()
	for i := 0; i < len(want); i += size {
		x, y := got[i:i+size], want[i:i+size]
		if !bytes.Equal(x, y) && (w.Width != 0 || !isNaN(w.Format, x) || !isNaN(w.Format, y)) {
			t.Fatalf("%v: element %d is % x, not % x", w, i/size, x, y)
		}
	}
}

func isNaN(format Format, p []byte) bool { return math.IsNaN(element(format, p)) }

// TestFloats runs stores behind a program, and the program of floats with what narrows them: codes that are
// widened, and floats of one or two epilogues, of which another may read what one made.
func TestFloats(t *testing.T) {
	b := newBench(t, 52)
	for range 4 * trials {
		lanes := b.lanesOf()
		p := &Program{Stride: lanes + 4, Buffers: []Buffer{{F32, lanes}, {F32, lanes}}}
		stores, all := b.narrowing(p, lanes)
		floats, w := p.Floats(stores, all)
		if floats == nil {
			t.Fatal("no program of floats")
		}
		n, size := 1+b.IntN(6), w.Size()
		payload := b.payload[len(b.payload)-n*p.Stride-max(p.Over(), floats.Over()):]
		b.bytes(payload)
		want, got, out := make([]byte, n*all*size), make([]byte, n*all*size), make([]float32, n*all)
		p.NewFrame(n).RunStores(payload, n, stores, all*size, want)
		floats.NewFrame(n).Run(payload, n, out)
		w.Narrow(out, got, false)
		sameElements(t, w, got, want)
	}
}

// narrowing adds ops to a program, and returns stores behind them and the lanes of a block.
func (b *bench) narrowing(p *Program, lanes int) (stores []Store, all int) {
	codes := Codes{InPlace: []Row{{Byte: b.IntN(4), Len: lanes}}}
	if b.IntN(3) == 0 {
		k := &TableStore{Codes: codes, Width: 1 << b.IntN(4), Lanes: lanes}
		signed := b.IntN(2) == 0
		for i := range 256 {
			x := uint64(i)
			if signed {
				x = uint64(int64(int8(i)))
			}
			k.Table = append(k.Table, little(k.Width, x)...)
		}
		return []Store{k}, lanes
	}
	how := FloatStore{Format: []Format{F16, BF16, Float64}[b.IntN(3)], Lanes: lanes}
	first := how
	p.Ops = append(p.Ops, &Epilogue{Source: Source{Kind: FromI8, Codes: codes}, A: Parameter{Kind: Const, Value: b.float()}, Lanes: lanes, To: 0})
	if b.IntN(2) == 0 {
		return []Store{&first}, lanes
	}
	p.Ops = append(p.Ops, &Epilogue{Source: Source{Kind: FromF32, From: 0}, B: Parameter{Kind: Const, Value: 3}, Lanes: lanes, To: 1})
	second := how
	second.From, second.Lane = BufferID(b.IntN(2)), lanes
	return []Store{&first, &second}, 2 * lanes
}
