// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
)

// TestManyDivisors: the work that planning may take ends anywhere among quotients by divisors that are tried one by one.
func TestManyDivisors(t *testing.T) {
	divisors := divisorsOf16()
	for _, size := range [][2]int{{2048, 32}, {2560, 32}, {3072, 32}, {4096, 24}} {
		text := quotients(divisors, size[0], size[1])
		entry, err := catalog.Load("quotients.onnxtxt", []byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		in, err := entry.Instantiate([]int64{3 * entry.Values})
		if err != nil {
			t.Fatal(err)
		}
		r, err := in.Type()
		if err != nil {
			t.Fatal(err)
		}
		c, err := codec.New(r, codec.Env{Functions: in.Functions, Opsets: in.Opsets, Parallelism: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Explain(); err != nil {
			t.Error(err)
		}
	}
}

// divisorsOf16 are numbers by which products with the inverse divide 0 to 15.
func divisorsOf16() []float32 {
	r := rand.New(rand.NewPCG(1, 1))
	var out []float32
	for len(out) < 300 {
		c := 1 + 7*r.Float32()
		inverse, same := 1/c, true
		for x := range 16 {
			same = same && float32(x)*inverse == float32(x)/c
		}
		if same {
			out = append(out, c)
		}
	}
	return out
}

// quotients is a format of codes whose values are a sum of quotients.
func quotients(divisors []float32, n, count int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<ir_version: 13, opset_import: [\"\": 26]>\n## Sums.\nstruct bench.quotients <metadata_props: [\"values\": \"%d\", "+
		"\"closest\": \"ggml.q8_0\"]> {\n  bits(c: 4)[%d] q\n}\ndecoder <opset_import: [\"\": 26]> (q.c) => (y) {\n", n, n)
	fmt.Fprint(&b, "  f = Cast <to = 1> (q.c)\n  a0 = Identity (f)\n")
	r := rand.New(rand.NewPCG(2, 2))
	for i := range count {
		list := make([]string, n)
		for j := range list {
			list[j] = fmt.Sprintf("%.9g", divisors[r.IntN(len(divisors))])
		}
		fmt.Fprintf(&b, "  c%d = Constant <value_floats = [%s]> ()\n  d%d = Div (f, c%d)\n  e%d = Floor (d%d)\n  a%d = Add (a%d, e%d)\n",
			i, strings.Join(list, ", "), i, i, i, i, i+1, i, i)
	}
	fmt.Fprintf(&b, "  y = Identity (a%d)\n}\n", count)
	return b.String()
}
