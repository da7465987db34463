// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/tensor"
)

// floatBytes lays floats out as a payload.
func floatBytes(x []float32) []byte {
	raw := make([]byte, 0, 4*len(x))
	for _, v := range x {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return raw
}

// ordinary are values whose scales neither overflow nor underflow a float16.
func ordinary(n int, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 7))
	x := make([]float32, n)
	scale := 1.0
	for i := range x {
		if i%256 == 0 {
			scale = math.Ldexp(1+random.Float64(), random.IntN(13)-6)
		}
		x[i] = float32(random.NormFloat64() * scale)
	}
	return x
}

// What the property round_trip of an entry promises.
func TestRoundTrip(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		e, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		promise := e.Property("round_trip")
		if e.Block.Encoder == nil {
			if promise != "" {
				t.Errorf("%s: round_trip %q without an encoder", name, promise)
			}
			continue
		}
		t.Run(name, func(t *testing.T) {
			switch promise {
			case "all", "all but NaN", "all but signalling NaN":
				everyCode(t, e, promise)
			case "encoded":
				encodedCodes(t, e)
			case "":
			default:
				t.Errorf("round_trip %q is no promise that is known", promise)
			}
		})
	}
}

// everyCode: encode(decode(bytes)) = bytes for scalars of 16 bits, and samples of wider ones.
func everyCode(t *testing.T, e *catalog.Entry, promise string) {
	size := int(e.Type().Bits() / 8)
	var payload []byte
	for i := range 1 << 16 {
		code := uint32(i)
		if size == 4 {
			code *= 0x9e3779b1
		}
		payload = append(payload, binary.LittleEndian.AppendUint32(nil, code)[:size]...)
	}
	shape := []int64{1 << 16}
	c := codecOf(t, e, shape)
	y := decode(t, c, payload)
	again := encode(t, c, shape, y.Bytes())
	for i, v := range tensor.Slice[float32](y) {
		if promise != "all" && v != v {
			continue
		}
		if got, want := again[i*size:(i+1)*size], payload[i*size:(i+1)*size]; string(got) != string(want) {
			t.Fatalf("code %x comes back as %x", want, got)
		}
	}
}

// encodedCodes: the same for bytes that the encoder made, with scales that a float16 holds.
func encodedCodes(t *testing.T, e *catalog.Entry) {
	shape := []int64{4, 64 * 256}
	c := codecOf(t, e, shape)
	for seed := range uint64(4) {
		first := encode(t, c, shape, floatBytes(ordinary(4*64*256, seed)))
		again := encode(t, c, shape, decode(t, c, first).Bytes())
		if string(first) != string(again) {
			t.Fatalf("byte %d of %d comes back otherwise", firstDifference(first, again), len(first))
		}
	}
}

// errorBound is the largest distance of decode(encode(x)) from x, in units of the block's largest magnitude.
// Half a step, or a whole one where one side of an unsymmetric range saturates, and what rounding the scale to
// float16 adds. The table is the format's, by hand.
var errorBound = map[string]float64{
	"ggml.f16": 0x1p-11, "ggml.bf16": 0x1p-8, "ggml.f32": 0,
	"ggml.q4_0": 1.0 / 8, "ggml.q4_1": 2 * 0.5 / 15, "ggml.q5_0": 1.0 / 16, "ggml.q5_1": 2 * 0.5 / 31,
	"ggml.q8_0": 0.5 / 127, "ggml.q8_1": 0.5 / 127, "ggml.q8_K": 0.5 / 127,
	"ggml.q2_0": 0.5, "ggml.tq1_0": 0.5, "ggml.tq2_0": 0.5, "ggml.q1_0": 1,
	"ggml.mxfp4": 2.0 / 8, "ggml.nvfp4": 1.0 / 6 * 1.13, "ggml.iq4_nl": 0.2,
	"linear.affine": 2 * 0.5 / 15,
	// the largest element saturates: 7.99 becomes 6, 7.5 or 7, 511.9 becomes 448, 1.999 becomes 127/64
	"mx.fp4": 2.0 / 8, "mx.fp6_e2m3": 0.5 / 8, "mx.fp6_e3m2": 4.0 / 32,
	"mx.fp8_e4m3": 64.0 / 512, "mx.fp8_e5m2": 8192.0 / 65536, "mx.int8": 1.0 / 128,
}

func TestErrorBound(t *testing.T) {
	for name, bound := range errorBound {
		t.Run(name, func(t *testing.T) {
			e, err := catalog.Builtin().Entry(name)
			if err != nil {
				t.Fatal(err)
			}
			shape := []int64{2, 32 * 256}
			c := codecOf(t, e, shape)
			x := ordinary(2*32*256, 99)
			y := tensor.Slice[float32](decode(t, c, encode(t, c, shape, floatBytes(x))))
			n := int(e.Values)
			for b := 0; b < len(x); b += n {
				largest := 0.0
				for _, v := range x[b : b+n] {
					largest = max(largest, math.Abs(float64(v)))
				}
				for i, v := range x[b : b+n] {
					if d := math.Abs(float64(v) - float64(y[b+i])); d > largest*(bound+0x1p-10) {
						t.Fatalf("value %d: %v decodes to %v, of a block of magnitude %v", b+i, v, y[b+i], largest)
					}
				}
			}
		})
	}
}

// What no format defines (NaN, infinities, the smallest denormals) gives bytes or an error, nothing worse.
func TestEncodersTakeAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for _, e := range entries(t) {
		if e.Block.Encoder == nil {
			continue
		}
		shape := []int64{2, 4 * e.Values}
		c := codecOf(t, e, shape)
		for range 20 {
			x := make([]float32, 8*e.Values)
			for i := range x {
				x[i] = math.Float32frombits(random.Uint32())
			}
			in, err := tensor.New(tensor.Float, shape, floatBytes(x))
			if err != nil {
				t.Fatal(err)
			}
			payload, err := c.Encode(t.Context(), in)
			if err == nil && uint64(len(payload)) != e.Type().Bits() { // 8 blocks of Bits / 8 bytes
				t.Errorf("%s: %d bytes", e.Name, len(payload))
			}
		}
	}
}
