// SPDX-License-Identifier: Apache-2.0

package ggml

import (
	"flag"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/internal/oracle"
)

var (
	blocks = flag.Int("blocks", 20_000, "random blocks for each type and direction")
	seed   = flag.Uint64("seed", 1, "of the random blocks")
)

// batchValues is the number of values that are decoded or encoded at a time.
const batchValues = 1 << 18

// decoded are the types whose decoder the peer exports as dequantize_row_<type>.
var decoded = []string{
	"q1_0", "q2_0", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "mxfp4", "nvfp4",
	"q2_K", "q3_K", "q4_K", "q5_K", "q6_K", "q8_K", "tq1_0", "tq2_0",
	"iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s", "iq4_nl", "iq4_xs",
}

// encoded are the types whose encoder is defined without a search. The peer exports it as
// quantize_row_<type>_ref, those of f16 and bf16 under other names.
var encoded = []string{
	"f16", "bf16", "q1_0", "q2_0", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q8_1", "q8_K",
	"mxfp4", "nvfp4", "iq4_nl", "tq1_0", "tq2_0",
}

func openLibrary(t testing.TB) *Library {
	t.Helper()
	l, err := Open(oracle.Library(t, "@node-llama-cpp", "linux-x64", "bins", "linux-x64", "libggml-base.so"))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// source is a generator of its own for each test, so that a failure does not depend on which tests ran.
func source(t testing.TB) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(t.Name()))
	return rand.New(rand.NewPCG(*seed, h.Sum64()))
}

// format is a type of the catalogue for n values in a row.
type format struct {
	*codec.Codec
	values int // of a block
	bytes  int // of a block
}

// newFormat makes the codec of a row of blocks.
func newFormat(t testing.TB, name string, blocks int, env codec.Env) format {
	t.Helper()
	e, err := catalog.Builtin().Entry("ggml." + name)
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Instantiate([]int64{int64(blocks) * e.Values})
	if err != nil {
		t.Fatal(err)
	}
	root, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	env.Functions, env.Opsets = in.Functions, in.Opsets
	c, err := codec.New(root, env)
	if err != nil {
		t.Fatal(err)
	}
	return format{c, int(e.Values), int(e.Type().Bits() / 8)}
}

// blockValues is the number of values of a type's block.
func blockValues(t testing.TB, name string) int {
	t.Helper()
	e, err := catalog.Builtin().Entry("ggml." + name)
	if err != nil {
		t.Fatal(err)
	}
	return int(e.Values)
}

// difference is the first index at which two rows differ, NaN for NaN, or -1.
func difference(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) && (a[i] == a[i] || b[i] == b[i]) {
			return i
		}
	}
	return -1
}

// The lists above are complete: the peer has every type of them, and the catalogue has encoders for no others.
func TestListsAreComplete(t *testing.T) {
	l := openLibrary(t)
	for _, name := range decoded {
		if _, ok := l.Decoder(name); !ok {
			t.Errorf("the peer has no decoder of %s", name)
		}
	}
	if len(decoded) != 26 {
		t.Errorf("%d decoders", len(decoded))
	}
	for _, name := range encoded {
		if _, ok := l.Encoder(name); !ok {
			t.Errorf("the peer has no encoder of %s", name)
		}
	}
	for _, name := range catalog.Builtin().Names() {
		short, ok := strings.CutPrefix(name, "ggml.")
		if !ok {
			continue
		}
		if _, ok := l.Decoder(short); ok && !slices.Contains(decoded, short) && short != "f16" && short != "bf16" {
			t.Errorf("%s is decoded by the peer and not compared", name)
		}
	}
}
