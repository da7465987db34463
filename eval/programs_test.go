// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// pair is the one type of the values of random programs: FLOAT[2].
type pair [2]float32

// statement is one step of a random program, executed by the engine as nodes and here directly.
type statement struct {
	op    string // Add, Sub, Mul, Max, Neg, Swap, If, Loop, Scan, Call
	in    []string
	out   string
	body  []statement // Loop: s -> result; If: then; Call: a -> result
	other []statement // If: else
	from  string      // the body's result
	from2 string      // of else
	count int
}

// direct executes statements; the names of enclosing programs are visible.
func direct(list []statement, outer map[string]pair) map[string]pair {
	vars := maps.Clone(outer)
	for _, s := range list {
		var a, b pair
		a = vars[s.in[0]]
		if len(s.in) > 1 {
			b = vars[s.in[1]]
		}
		switch s.op {
		case "Swap":
			vars[s.out] = pair{a[1], a[0]}
		case "If":
			if a[0] < a[1] {
				vars[s.out] = direct(s.body, vars)[s.from]
			} else {
				vars[s.out] = direct(s.other, vars)[s.from2]
			}
		case "Loop":
			for range s.count {
				inner := maps.Clone(vars)
				inner[s.out+"_s"] = a
				a = direct(s.body, inner)[s.from]
			}
			vars[s.out] = a
		case "Call":
			vars[s.out] = direct(s.body, map[string]pair{"a": a})[s.from]
		case "Scan": // the sum of both elements, and all partial sums
			first := b[0] + a[0] // b is zero: +0 comes first
			vars[s.out] = pair{first, first + a[1]}
		default:
			for i := range a {
				vars[s.out] = combine(s.op, vars[s.out], a, b, i)
			}
		}
	}
	return vars
}

func combine(op string, out, a, b pair, i int) pair {
	switch op {
	case "Add":
		out[i] = a[i] + b[i]
	case "Sub":
		out[i] = a[i] - b[i]
	case "Mul":
		out[i] = a[i] * b[i]
	case "Max":
		if out[i] = a[i]; b[i] > a[i] || b[i] != b[i] { // the first of both zeros
			out[i] = b[i]
		}
	case "Neg":
		out[i] = -a[i]
	}
	return out
}

// generator makes random programs and the functions that they call.
type generator struct {
	rnd       *rand.Rand
	last      int
	functions []*onnxpb.FunctionProto
}

func (g *generator) name() string {
	g.last++
	return fmt.Sprintf("v%d", g.last)
}

func (g *generator) program(scope []string, depth int) []statement {
	var list []statement
	for range 1 + g.rnd.IntN(4) {
		pick := func() string { return scope[g.rnd.IntN(len(scope))] }
		ops := []string{"Add", "Sub", "Mul", "Max", "Neg", "Swap", "Scan"}
		if depth > 0 {
			ops = append(ops, "If", "Loop", "Call", "If", "Loop")
		}
		s := statement{op: ops[g.rnd.IntN(len(ops))], out: g.name()}
		s.in = []string{pick(), pick()}
		result := func(body []statement) string { return body[g.rnd.IntN(len(body))].out }
		switch s.op {
		case "If":
			s.body, s.other = g.program(scope, depth-1), g.program(scope, depth-1)
			s.from, s.from2 = result(s.body), result(s.other)
		case "Loop":
			s.count = g.rnd.IntN(4)
			s.body = g.program(append(append([]string{}, scope...), s.out+"_s"), depth-1)
			s.from = result(s.body)
		case "Call":
			s.body = g.program([]string{"a"}, depth-1)
			s.from = result(s.body)
		}
		if s.op == "Neg" || s.op == "Swap" || s.op == "Scan" || s.op == "If" || s.op == "Loop" || s.op == "Call" {
			s.in = s.in[:1]
		}
		list = append(list, s)
		scope = append(append([]string{}, scope...), s.out)
	}
	return list
}

// nodes writes statements as nodes.
func (g *generator) nodes(list []statement) []*onnxpb.NodeProto {
	var out []*onnxpb.NodeProto
	for _, s := range list {
		tmp := func(k string) string { return s.out + "_" + k }
		switch s.op {
		case "Swap":
			out = append(out, constantProto(tmp("i"), ints(1, 0)), nodeProto("Gather", []string{s.in[0], tmp("i")}, []string{s.out}))
		case "If":
			out = append(out,
				nodeProto("Split", s.in, []string{tmp("p"), tmp("q")}, intAttribute("num_outputs", 2)),
				nodeProto("Less", []string{tmp("p"), tmp("q")}, []string{tmp("c")}),
				nodeProto("If", []string{tmp("c")}, []string{s.out},
					graphAttribute("then_branch", graphProto(nil, []string{s.from}, g.nodes(s.body)...)),
					graphAttribute("else_branch", graphProto(nil, []string{s.from2}, g.nodes(s.other)...))))
		case "Loop":
			body := graphProto([]string{tmp("n"), tmp("k"), tmp("s")}, []string{tmp("k"), s.from}, g.nodes(s.body)...)
			out = append(out, constantProto(tmp("m"), tensor.Of(nil, int64(s.count))),
				nodeProto("Loop", []string{tmp("m"), "", s.in[0]}, []string{s.out}, graphAttribute("body", body)))
		case "Scan":
			body := graphProto([]string{tmp("s"), tmp("x")}, []string{tmp("t"), tmp("u")},
				nodeProto("Add", []string{tmp("s"), tmp("x")}, []string{tmp("t")}),
				nodeProto("Identity", []string{tmp("t")}, []string{tmp("u")}))
			out = append(out, constantProto(tmp("z"), tensor.Of(nil, float32(0))),
				nodeProto("Scan", []string{tmp("z"), s.in[0]}, []string{tmp("l"), s.out}, graphAttribute("body", body), intAttribute("num_scan_inputs", 1)))
		case "Call":
			f := imports2(functionProto(21, []string{"a"}, []string{s.from}, g.nodes(s.body)...), "d")
			f.Name, f.Domain = s.out, "d"
			g.functions = append(g.functions, f)
			out = append(out, call1("d", s.out, s.in, []string{s.out}))
		default:
			out = append(out, nodeProto(s.op, s.in, []string{s.out}))
		}
	}
	return out
}

// TestRandomPrograms compares random programs, with calls, branches and loops, with direct computation.
func TestRandomPrograms(t *testing.T) {
	g := &generator{rnd: rand.New(rand.NewPCG(3, 4))}
	for round := range 400 {
		g.functions = nil
		list := g.program([]string{"x", "y"}, 3)
		last := list[len(list)-1].out
		f := imports2(functionProto(21, []string{"x", "y"}, []string{last}, g.nodes(list)...), "d")
		x, y := pair{float32(round % 7), -1.5}, pair{0.25, float32(round%5) - 2}
		want := direct(list, map[string]pair{"x": x, "y": y})[last]
		in := []Value{tensor.Of([]int64{2}, x[:]...), tensor.Of([]int64{2}, y[:]...)}
		runProgram(t, f, Env{Functions: g.functions}, in, tensor.Of([]int64{2}, want[:]...))
		if t.Failed() {
			t.Fatalf("round %d: %+v", round, list)
		}
	}
}
