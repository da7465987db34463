// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// large writes a declaration of one large block.
type large struct {
	*rand.Rand
	fields, nodes bytes.Buffer
	inputs        []string
	n             int // names so far
}

func (g *large) node(format string, args ...any) string {
	g.n++
	name := "t" + strconv.Itoa(g.n)
	fmt.Fprintf(&g.nodes, "  %s = %s\n", name, fmt.Sprintf(format, args...))
	return name
}

func (g *large) field(format string, args ...any) string {
	g.n++
	name := "x" + strconv.Itoa(g.n)
	fmt.Fprintf(&g.fields, "  %s %s\n", fmt.Sprintf(format, args...), name)
	g.inputs = append(g.inputs, name)
	return name
}

// shaped is a value of a field with its leading dimension and others.
func (g *large) shaped(x string, dims ...int) string {
	list := "-1"
	for _, d := range dims {
		list += ", " + strconv.Itoa(d)
	}
	shape := g.node("Constant <value_ints = [%s]> ()", list)
	return g.node("Reshape (%s, %s)", x, shape)
}

func (g *large) float(x string) string { return g.node("Cast <to = 1> (%s)", x) }

// codes are so many lanes of numbers, made in any of several ways.
func (g *large) codes(lanes int) string {
	switch k := g.IntN(12); {
	case k < 2:
		return g.float(g.field("uint8[%d]", lanes))
	case k < 3:
		return g.float(g.field("int8[%d]", lanes))
	case k < 4:
		return g.float(g.field("%s[%d]", []string{"uint16", "int16", "float16", "bfloat16", "float", "int32", "double", "uint32"}[g.IntN(8)], lanes))
	case k < 7: // fields of words
		width := g.width(1+g.IntN(12), lanes)
		return g.float(g.named("bits(q: %d)[%d]", width, lanes))
	case k < 9 && lanes%2 == 0: // nibbles as planes
		x := g.field("uint8[%d]", lanes/2)
		four, low := g.node("Constant <value = uint8 {4}> ()"), g.node("Constant <value = uint8 {15}> ()")
		lo, hi := g.node("BitwiseAnd (%s, %s)", x, low), g.node("BitShift <direction = \"RIGHT\"> (%s, %s)", x, four)
		if g.IntN(2) == 0 {
			return g.float(g.node("Concat <axis = -1> (%s, %s)", lo, hi))
		}
		last := g.node("Constant <value_ints = [-1]> ()")
		lo, hi = g.node("Unsqueeze (%s, %s)", lo, last), g.node("Unsqueeze (%s, %s)", hi, last)
		return g.shaped(g.float(g.node("Concat <axis = -1> (%s, %s)", lo, hi)), lanes)
	case k < 10: // a table
		width := g.width(1+g.IntN(8), lanes)
		x := g.node("Cast <to = 7> (%s)", g.named("bits(q: %d)[%d]", width, lanes))
		list := ""
		for i := range 1 << width {
			list += fmt.Sprintf(", %d.%d", i%100-40, g.IntN(1000))
		}
		table := g.node("Constant <value_floats = [%s]> ()", list[2:])
		return g.node("Gather (%s, %s)", table, x)
	case k < 11 && lanes%8 == 0: // high bits besides
		a, b := g.named("bits(q: %d)[%d]", 4, lanes), g.named("bits(q: %d)[%d]", 1+g.IntN(2), lanes)
		four := g.node("Constant <value = uint8 {4}> ()")
		b = g.node("BitShift <direction = \"LEFT\"> (%s, %s)", b, four)
		return g.float(g.node("BitwiseOr (%s, %s)", a, b))
	default: // columns that lie apart
		for _, c := range []int{3, 2, 5, 4} {
			if lanes%c == 0 {
				x := g.shaped(g.field("%s[%d, %d]", []string{"uint8", "int16", "float16"}[g.IntN(3)], lanes/c, c), lanes/c, c)
				return g.shaped(g.float(g.node("Transpose <perm = [0, 2, 1]> (%s)", x)), lanes)
			}
		}
		return g.float(g.field("uint8[%d]", lanes))
	}
}

// width is one with which so many fields are whole bytes.
func (g *large) width(n, lanes int) int {
	if n*lanes%8 != 0 {
		return 8
	}
	return n
}

// named is a field of packed bits.
func (g *large) named(format string, args ...any) string {
	name := g.field(format, args...)
	g.inputs[len(g.inputs)-1] += ".q"
	return name + ".q"
}

// operand is one for each group, one for each lane of a row that comes again, or one.
func (g *large) operand(x string, lanes int) string {
	groups := g.divisor(lanes)
	count, row := groups, []int{groups, 1}
	if g.IntN(3) == 0 {
		count, row = lanes/groups, []int{1, lanes / groups}
	}
	op := []string{"Mul", "Mul", "Sub", "Add", "Div"}[g.IntN(5)]
	own := ""
	switch g.IntN(6) {
	case 0:
		own = g.codes(count)
	case 1:
		own = g.node("Mul (%s, %s)", g.codes(count), g.float(g.field("float16[1]")))
	default:
		own = g.float(g.field("%s[%d]", []string{"float16", "float", "int8", "bfloat16"}[g.IntN(4)], count))
	}
	return g.shaped(g.node("%s (%s, %s)", op, g.shaped(x, groups, lanes/groups), g.shaped(own, row...)), lanes)
}

// divisor is any divisor, rather a small or large one.
func (g *large) divisor(n int) int {
	var list []int
	for d := 1; d <= n; d++ {
		if n%d == 0 {
			list = append(list, d)
		}
	}
	return list[g.IntN(len(list))]
}

// declaration is a decoder of one block of so many lanes.
func (g *large) declaration(lanes int) string {
	var y string
	planes := 1
	if g.IntN(3) == 0 {
		planes = 2 + g.IntN(4)
	}
	each := lanes / planes
	var list string
	for i := range planes {
		x := g.codes(each)
		for range g.IntN(4) {
			x = g.operand(x, each)
		}
		if i > 0 {
			list += ", "
		}
		list += g.shaped(x, each, 1)
	}
	switch {
	case planes == 1:
		y = list
	case g.IntN(4) == 0:
		y = g.node("Concat <axis = -2> (%s)", list)
	default:
		y = g.node("Concat <axis = -1> (%s)", list)
	}
	lanes = planes * each
	if g.IntN(5) == 0 {
		y = g.node("Cast <to = %d> (%s)", []int{10, 16, 11}[g.IntN(3)], y)
	}
	lead := g.node("Shape <end = 1> (%s)", y)
	size := g.node("Constant <value_ints = [%d]> ()", lanes)
	shape := g.node("Concat <axis = 0> (%s, %s)", lead, size)
	fmt.Fprintf(&g.nodes, "  y = Reshape (%s, %s)\n", y, shape)
	return fmt.Sprintf("<ir_version: 13, opset_import: [\"\": 26]>\n\nstruct bench.large <metadata_props: [\"values\": \"%d\", \"closest\": \"ggml.q8_0\"]> {\n%s}\ndecoder <opset_import: [\"\": 26]> (%s) => (y) {\n%s}\n",
		lanes, g.fields.String(), strings.Join(g.inputs, ", "), g.nodes.String())
}

// Blocks of more lanes than a call into assembly does give what eval gives, and nothing is written beside them.
func TestLargeBlocksOfAnyKind(t *testing.T) {
	cases, seed := 40, uint64(1)
	if s := os.Getenv("LARGE"); s != "" { // "cases seed"
		if _, err := fmt.Sscan(s, &cases, &seed); err != nil {
			t.Fatal(err)
		}
	}
	if testing.Short() {
		cases = min(cases, 8)
	}
	steps := map[int]int{}
	for i := range cases {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		lanes := []int{
			4097 + r.IntN(1000), 8 * (257 + r.IntN(1600)), 4800 + 960*r.IntN(10), 8192, 8200, 12288, 10000, 16384, 16400, 5040 * (1 + r.IntN(3)),
		}[r.IntN(10)]
		text := (&large{Rand: r}).declaration(lanes)
		entry, err := catalog.Load("large", []byte(text), "")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		fast, literal, size := codecs(t, entry, int64(1+r.IntN(4))*entry.Values, 1+r.IntN(2))
		if e, err := fast.Explain(); err == nil {
			steps[e.Step]++
		}
		payload := random(size, uint64(i))
		want := decode(t, literal, payload)
		if got := decode(t, fast, payload); !tensor.EqualValues(got, want) {
			t.Errorf("case %d of seed %d differs:\n%s", i, seed, text)
		}
		if want.Type() == tensor.Float && !staysInside(t, fast, payload, int(want.Len())) {
			t.Errorf("case %d of seed %d writes beside its output:\n%s", i, seed, text)
		}
	}
	t.Logf("steps: %v", steps)
}

// staysInside reports whether decoding so many values writes nothing behind them.
func staysInside(t *testing.T, c *codec.Codec, payload []byte, n int) bool {
	t.Helper()
	out := make([]float32, n+1<<15)
	if err := c.DecodeInto(t.Context(), payload, out[:n:n]); err != nil {
		t.Fatal(err)
	}
	for _, x := range out[n:] {
		if x != 0 {
			return false
		}
	}
	return true
}
