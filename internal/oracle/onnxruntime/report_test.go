// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// report writes the table of what was compared, and fails where that is too little.
func (r *referee) report() {
	for kind, n := range r.failures {
		r.Logf("%d failures: %s", n, kind)
	}
	for _, why := range slices.Sorted(maps.Keys(r.refused)) {
		if n := r.refused[why]; n > 0 {
			r.Logf("eval refuses a recipe, %d times: %s", n, why)
		}
	}
	var table strings.Builder
	nodes, least := 0, 1<<30
	for _, row := range readRows(r.T) {
		if !strings.HasPrefix(row.name, *only) {
			continue
		}
		fmt.Fprintf(&table, "%-32s", row.name)
		for _, c := range row.cells {
			if why := r.lacking[c]; why != "" {
				fmt.Fprintf(&table, " %s:lacking", c.typ.Text())
				continue
			}
			n := r.count[c]
			fmt.Fprintf(&table, " %s:%d", c.typ.Text(), n)
			nodes, least = nodes+n, min(least, n)
			if *runs >= 10_000 && *only == "" && n < 20 {
				r.Errorf("%v occurs %d times", c, n)
			}
		}
		table.WriteByte('\n')
	}
	r.Logf("%d functions, %d nodes; least frequent operator and type: %d times\n%s", *runs, nodes, least, &table)
	for c, why := range r.lacking {
		r.Logf("lacking: %v: %s", c, why)
	}
}

// describe writes the node of a result and its inputs.
func (g *generator) describe(i int) string {
	n := g.results[i].node
	var b strings.Builder
	fmt.Fprintf(&b, "  opset %d: %v = %s", g.opset, n.Output, n.OpType)
	for _, a := range n.Attribute {
		fmt.Fprintf(&b, " %s=%s", a.Name, attributeText(a))
	}
	fmt.Fprintf(&b, " (%s)", strings.Join(n.Input, ", "))
	for _, v := range g.values {
		if slices.Contains(n.Input, v.name) {
			fmt.Fprintf(&b, "\n  %s = %s", v.name, tensorText(v.t))
		}
	}
	return b.String()
}

func attributeText(a *onnxpb.AttributeProto) string {
	switch a.Type {
	case onnxpb.AttributeProto_INT:
		return fmt.Sprint(a.I)
	case onnxpb.AttributeProto_INTS:
		return fmt.Sprint(a.Ints)
	case onnxpb.AttributeProto_FLOAT:
		return fmt.Sprint(a.F)
	case onnxpb.AttributeProto_STRING:
		return string(a.S)
	}
	return a.Type.String()
}

func tensorText(t *tensor.Tensor) string {
	list := codes(t)
	more := ""
	if len(list) > 64 {
		list, more = list[:64], " ..."
	}
	var words []string
	for _, c := range list {
		if t.Type().IsFloat() {
			words = append(words, show(t.Type(), c))
			continue
		}
		words = append(words, fmt.Sprintf("%x", c))
	}
	return fmt.Sprintf("%v%v {%s%s}", t.Type(), t.Dims(), strings.Join(words, " "), more)
}
