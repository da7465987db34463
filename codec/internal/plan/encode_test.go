// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

// TestCatalogueEncoders plans the encoder of every entry and compares it with the literal
// evaluator, byte for byte, on values that are hard to round.
func TestCatalogueEncoders(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Block.GetEncoder() == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			const rows = 7
			in, root := instance(t, entry, []int64{rows, 5 * max(entry.Values, 1)})
			c, err := codec.New(root, codec.Env{Functions: in.Functions, Opsets: in.Opsets, Literal: true})
			if err != nil {
				t.Fatal(err)
			}
			elem, dims := c.Output()
			e, err := plan.Encoder(root, root.Encoder(), eval.TensorType(elem, dims...), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
			if err != nil || e.Program == nil {
				t.Fatalf("%v: %q", err, e.Reasons)
			}
			random := rand.New(rand.NewPCG(7, 11))
			size, _ := root.Bytes()
			for try := range 40 {
				x := hardFloats(random, int(e.Blocks)*e.Values, e.Values, try)
				value, err := tensor.FromSlice(tensor.Float, dims, x)
				if err != nil {
					t.Fatal(err)
				}
				want, err := c.Encode(t.Context(), value)
				got := make([]byte, size)
				if fits := e.Program.NewFrame().Run(value.Bytes(), int(e.Blocks), got); fits != (err == nil) {
					t.Fatalf("fits: %v, but the evaluator says: %v", fits, err)
				}
				for i := range want {
					if got[i] != want[i] {
						b := i / e.Stride
						t.Fatalf("try %d, byte %d of block %d: %#x, want %#x\n%v\n%x\n%x", try, i%e.Stride, b, got[i], want[i],
							x[b*e.Values:][:e.Values], got[b*e.Stride:][:e.Stride], want[b*e.Stride:][:e.Stride])
					}
				}
			}
			steps := 0
			for _, op := range e.Program.Ops {
				steps += len(op.Steps)
			}
			t.Logf("%d blocks of %d values, %d operations, %d steps, %d strips: %.3g steps a value", e.Blocks, e.Values, len(e.Program.Ops), steps, e.Program.Rows, float64(steps)/float64(e.Values))
		})
	}
}

// hardFloats are values of blocks that lie at and beside ties of rounding, powers of two, zeros of
// both signs, denormals, and in some tries infinities and NaN.
func hardFloats(random *rand.Rand, n, block, try int) []float32 {
	out := make([]float32, n)
	for b := 0; b < n; b += block {
		how := (try + b/block) % 8
		scale := float32(math.Ldexp(1+random.Float64(), random.IntN(40)-20))
		for i := range block {
			out[b+i] = hardFloat(random, how, scale)
		}
		if how == 5 { // ties in magnitude
			for range 3 {
				out[b+random.IntN(block)] = scale * 300
				out[b+random.IntN(block)] = -scale * 300
			}
		}
	}
	return out
}

func hardFloat(random *rand.Rand, how int, scale float32) float32 {
	beside := func(x float32) float32 { return math.Float32frombits(math.Float32bits(x) + uint32(random.IntN(3)-1)) }
	sign := float32(1 - 2*random.IntN(2))
	switch how {
	case 0:
		return float32(random.NormFloat64()) * scale
	case 1:
		return sign * beside(float32(random.IntN(127))+0.5)
	case 2:
		return sign * beside(float32(math.Ldexp(1, random.IntN(250)-125)))
	case 3:
		return sign * 0
	case 4:
		return math.Float32frombits(uint32(random.IntN(1<<24)) | uint32(random.IntN(2))<<31)
	case 5:
		return sign * beside(scale*float32(random.IntN(16)-8))
	case 6:
		return math.Float32frombits(random.Uint32() &^ (1 << uint(23+random.IntN(8))))
	default:
		special := []float32{0, sign * 0, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1, -1, scale}
		if random.IntN(3) == 0 {
			return special[random.IntN(len(special))]
		}
		return float32(random.NormFloat64()) * scale
	}
}
