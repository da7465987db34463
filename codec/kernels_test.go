// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

// pair is the codec of a catalogue entry as it runs, and literally.
func pair(t testing.TB, name string, rows, blocks int64, parallel int) (fast, literal *codec.Codec, size int) {
	t.Helper()
	e, err := catalog.Builtin().Entry(name)
	if err != nil {
		t.Fatal(err)
	}
	if e.Block.GetDecoder() == nil {
		t.Skip("the entry is a layout alone, it has no decoder")
	}
	shape := []int64{rows, blocks * e.Values}
	if e.Values == 0 {
		shape = nil
	}
	in, err := e.Instantiate(shape)
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	env := codec.Env{Functions: in.Functions, Opsets: in.Opsets, Parallelism: parallel}
	if fast, err = codec.New(r, env); err != nil {
		t.Fatal(err)
	}
	env.Literal = true
	if literal, err = codec.New(r, env); err != nil {
		t.Fatal(err)
	}
	bytes, _ := r.Bytes()
	return fast, literal, int(bytes)
}

// random fills a payload: random bytes, or a third of them 0xff or 0.
func random(size int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 3))
	p := make([]byte, size)
	for i := range p {
		p[i] = byte(r.Uint32())
		if seed%2 == 1 && r.IntN(3) == 0 {
			p[i] = byte(-r.IntN(2))
		}
	}
	return p
}

// However a decoder runs, it gives what eval gives.
func TestCatalogFast(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			fast, literal, size := pair(t, name, 5, 3, 0)
			for seed := range uint64(4) {
				payload := random(size, seed)
				want := decode(t, literal, payload)
				got := decode(t, fast, payload)
				if !tensor.EqualValues(got, want) {
					t.Fatalf("seed %d: Decode differs", seed)
				}
				var stream bytes.Buffer
				if err := fast.DecodeTo(t.Context(), payload, &stream); err != nil || !bytes.Equal(stream.Bytes(), got.Bytes()) {
					t.Errorf("seed %d: DecodeTo: %v", seed, err)
				}
				stream.Reset()
				if err := literal.DecodeTo(t.Context(), payload, &stream); err != nil || !bytes.Equal(stream.Bytes(), want.Bytes()) {
					t.Errorf("seed %d: DecodeTo, literally: %v", seed, err)
				}
				if want.Type() == tensor.Float {
					dst := make([]float32, want.Len())
					if err := fast.DecodeInto(t.Context(), payload, dst); err != nil || !sameFloats(dst, tensor.Slice[float32](want)) {
						t.Errorf("seed %d: DecodeInto: %v", seed, err)
					}
				}
			}
			if len(decode(t, fast, random(size, 0)).Dims()) > 0 {
				sameRows(t, fast, random(size, 1))
			}
		})
	}
}

func sameFloats(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}

// Large values are decoded by several goroutines, piece by piece.
func TestParallel(t *testing.T) {
	fast, literal, size := pair(t, "ggml.q4_K", 301, 14, 3)
	payload := random(size, 0)
	want := tensor.Slice[float32](decode(t, literal, payload))
	got := make([]float32, len(want))
	if err := fast.DecodeInto(t.Context(), payload, got); err != nil || !sameFloats(got, want) {
		t.Errorf("differs, %v", err)
	}
	each := len(want) / 301
	rows := []int64{300, 0, 7, 8, 9, 7}
	list := make([]float32, len(rows)*each)
	for name, c := range map[string]*codec.Codec{"fast": fast, "literal": literal} {
		if err := c.DecodeRowList(t.Context(), payload, rows, list); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, r := range rows {
			if !sameFloats(list[i*each:(i+1)*each], want[int(r)*each:int(r+1)*each]) {
				t.Errorf("%s: row %d at %d differs", name, r, i)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := fast.DecodeInto(ctx, payload, got); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// More than one piece is written one after the other.
func TestStream(t *testing.T) {
	c, _, size := pair(t, "ggml.q8_0", 4099, 33, 0)
	payload := random(size, 0)
	var stream bytes.Buffer
	if err := c.DecodeTo(t.Context(), payload, &stream); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stream.Bytes(), decode(t, c, payload).Bytes()) {
		t.Error("the stream differs from the value")
	}
}

func TestNoElements(t *testing.T) {
	for _, shape := range [][2]int64{{0, 3}, {3, 0}, {0, 0}} {
		c, _, size := pair(t, "ggml.q4_0", shape[0], shape[1], 0)
		if size != 0 {
			t.Fatalf("%v: %d bytes", shape, size)
		}
		y := decode(t, c, nil)
		if y.Len() != 0 || y.Dims()[0] != shape[0] || y.Dims()[1] != 32*shape[1] {
			t.Errorf("%v: %v", shape, y.Dims())
		}
		if err := c.DecodeInto(t.Context(), nil, nil); err != nil {
			t.Errorf("%v: DecodeInto: %v", shape, err)
		}
		if err := c.DecodeTo(t.Context(), nil, &bytes.Buffer{}); err != nil {
			t.Errorf("%v: DecodeTo: %v", shape, err)
		}
		if part, err := c.DecodeRows(t.Context(), nil, 0, shape[0]); err != nil || !tensor.Equal(part, y) {
			t.Errorf("%v: DecodeRows: %v", shape, err)
		}
		if payload, err := c.Encode(t.Context(), y); err != nil || len(payload) != 0 {
			t.Errorf("%v: Encode: %v", shape, err)
		}
	}
}

func TestIntoRefuses(t *testing.T) {
	fast, literal, size := pair(t, "ggml.q4_0", 3, 1, 1)
	payload := random(size, 0)
	for name, c := range map[string]*codec.Codec{"fast": fast, "literal": literal} {
		for what, test := range map[string]struct {
			err  error
			want string
		}{
			"length":      {c.DecodeInto(t.Context(), payload, make([]float32, 95)), "decoder: 95 elements were given for 96"},
			"row length":  {c.DecodeRowsInto(t.Context(), payload, 1, 3, make([]float32, 65)), "decoder: 65 elements were given for 64"},
			"range":       {c.DecodeRowsInto(t.Context(), payload, 1, 4, make([]float32, 96)), "rows 1:4 are not within 0:3"},
			"list":        {c.DecodeRowList(t.Context(), payload, []int64{2, 3}, make([]float32, 64)), "rows 2:4 are not within 0:3"},
			"list length": {c.DecodeRowList(t.Context(), payload, []int64{1, 2}, make([]float32, 65)), "decoder: 2 rows do not fill 65 elements"},
		} {
			if test.err == nil || test.err.Error() != test.want {
				t.Errorf("%s: %s: %v, want %s", name, what, test.err, test.want)
			}
		}
	}
	c := build(t, byteAnd(identity("alpha", "y"), nil))
	if err := c.DecodeInto(t.Context(), []byte{1}, make([]float32, 1)); err == nil || !strings.Contains(err.Error(), "the value is UINT8[]") {
		t.Errorf("UINT8: %v", err)
	}
}

// A value that is too large to be computed at once is decoded by rows.
func TestLargerThanLimits(t *testing.T) {
	e, err := catalog.Builtin().Entry("ggml.q4_0")
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Instantiate([]int64{100, 320})
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	size, _ := r.Bytes()
	payload := random(int(size), 0)
	for _, literal := range []bool{false, true} {
		c, err := codec.New(r, codec.Env{
			Functions: in.Functions, Opsets: in.Opsets, Limits: eval.Limits{Bytes: 40000, Elements: 40000}, Literal: literal,
		})
		if err != nil {
			t.Fatalf("literal %v: %v", literal, err)
		}
		if _, err := c.Decode(t.Context(), payload); !errors.Is(err, eval.ErrLimit) {
			t.Errorf("literal %v: Decode: %v", literal, err)
		}
		// Strips need the payload's memory alone.
		if _, err := c.Encode(t.Context(), tensor.Of([]int64{100, 320}, make([]float32, 32000)...)); errors.Is(err, eval.ErrLimit) != literal {
			t.Errorf("literal %v: Encode: %v", literal, err)
		}
		all := make([]float32, 32000)
		if err := c.DecodeInto(t.Context(), payload, all); err != nil {
			t.Errorf("literal %v: DecodeInto: %v", literal, err)
		}
		var stream bytes.Buffer
		if err := c.DecodeTo(t.Context(), payload, &stream); err != nil || !bytes.Equal(stream.Bytes(), floatTensor(all).Bytes()) {
			t.Errorf("literal %v: DecodeTo: %v", literal, err)
		}
		if row, err := c.DecodeRows(t.Context(), payload, 7, 9); err != nil || row.Len() != 640 {
			t.Errorf("literal %v: DecodeRows: %v", literal, err)
		}
	}
	few, err := codec.New(r, codec.Env{
		Functions: in.Functions, Opsets: in.Opsets, Limits: eval.Limits{Bytes: 400}, Literal: true,
	})
	if err == nil {
		_, err = few.DecodeRows(t.Context(), payload, 7, 8)
	}
	if !errors.Is(err, eval.ErrLimit) {
		t.Errorf("not even a row: %v", err)
	}
}

func floatTensor(v []float32) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }

func TestNoAllocation(t *testing.T) {
	c, _, size := pair(t, "ggml.q4_0", 4, 4, 1)
	payload, dst := random(size, 0), make([]float32, 4*4*32)
	rows, row := []int64{3, 1}, make([]float32, 2*4*32)
	x := floatsOf([]int64{4, 4 * 32}, 1)
	for name, f := range map[string]func() error{
		"DecodeInto":    func() error { return c.DecodeInto(t.Context(), payload, dst) },
		"DecodeRowList": func() error { return c.DecodeRowList(t.Context(), payload, rows, row) },
		"EncodeInto":    func() error { return c.EncodeInto(t.Context(), x, payload) },
	} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { _ = f() }); n > 0.5 {
			t.Errorf("%s allocates %v times a call", name, n)
		}
	}
}

func TestExplain(t *testing.T) {
	fast, literal, _ := pair(t, "ggml.q4_0", 2, 3, 0)
	e, err := fast.Explain()
	if err != nil || !e.Fused || !e.RowsIndependent || len(e.Kernels) == 0 || e.Blocks*int64(e.BlockValues) != 192 || e.BytesPerValue != 18./32 {
		t.Errorf("%v\n%v", err, e)
	}
	if !strings.HasPrefix(e.String(), "FLOAT[2,96] by fused kernels: ") || !strings.Contains(e.String(), "rows are independent\n") {
		t.Errorf("%s", e)
	}
	e, err = literal.Explain()
	if want := "FLOAT[2,96] by the evaluator, on ranges of rows\nrows are independent\nnot better: the caller asked for the literal evaluator\n" +
		"encoder of FLOAT[2,96] by the evaluator, on the whole value\nnot better: the caller asked for the literal evaluator\n"; err != nil || e.String() != want {
		t.Errorf("%v\n%v", err, e)
	}
	if _, err := build(t, array(2, leaf(tensor.Int8))).Explain(); !errors.Is(err, codec.ErrNoDecoder) {
		t.Errorf("no decoder: %v", err)
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"ggml.q4_0", "ggml.q8_0", "ggml.q4_K", "ggml.q6_K"} {
		b.Run(name, func(b *testing.B) {
			c, _, size := pair(b, name, 64, 8, 1)
			payload := random(size, 0)
			_, dims := c.Output()
			dst := make([]float32, dims[0]*dims[1])
			for b.Loop() {
				if err := c.DecodeInto(b.Context(), payload, dst); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(dst))/b.Elapsed().Seconds()/1e9, "Gvalues/s")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	e, _ := catalog.Builtin().Entry("ggml.q4_K")
	in, err := e.Instantiate([]int64{4096, 4096})
	if err != nil {
		b.Fatal(err)
	}
	r, err := in.Type()
	if err != nil {
		b.Fatal(err)
	}
	env := codec.Env{Functions: in.Functions, Opsets: in.Opsets}
	b.Run("New", func(b *testing.B) {
		for b.Loop() {
			if _, err := codec.New(r, env); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Explain", func(b *testing.B) {
		for b.Loop() {
			c, err := codec.New(r, env)
			if err == nil {
				_, err = c.Explain()
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
