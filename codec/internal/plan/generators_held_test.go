// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestHeld: tables that the payload holds, looked up by codes.
func TestHeld(t *testing.T) {
	t.Run("equal", func(t *testing.T) { runRandom(t, 7, held) })
	taken := 0
	const cases = 60
	for i := range uint64(cases) {
		c := &decoderCase{random: rand.New(rand.NewPCG(7, i))}
		out, counts := held(c)
		root, fn, err := c.finish(out, counts...)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := plan.Decoder(root, fn, plan.Env{}); err == nil && p.Program != nil && strings.Contains(text(p), "held") {
			taken++
		}
	}
	if t.Logf("%d of %d look tables up", taken, cases); taken < cases/3 {
		t.Errorf("only %d of %d look tables up", taken, cases)
	}
}

// held makes a table of each block, or several of a block, and looks it up.
func held(c *decoderCase) (string, []int64) {
	r := c.random
	counts := c.counts()
	width := 1 + r.IntN(6)
	if r.IntN(8) == 0 {
		width = 8
	}
	entries := 1<<width + r.IntN(2)*r.IntN(5)
	tables := []int{1, 1, 1, 2, 4}[r.IntN(5)]
	lanes := []int{4, 8, 32, 64, 96, 20, 256}[r.IntN(7)]
	b := block{lead: len(counts), all: counts, inner: []int64{int64(tables), int64(entries)}}
	half := r.IntN(8) == 0 // what is picked is the output
	table := ""
	if half {
		c.add("halves", leafType([]tensor.Type{tensor.Float16, tensor.BFloat16}[r.IntN(2)], int64(tables*entries)))
		table = c.shaped(b, c.bind("halves"))
	} else {
		table = c.shaped(b, c.entries(tables*entries))
	}
	c.pad(1)
	c.add("q", packing(tables*lanes, uint32(width)))
	b.inner = []int64{int64(tables), int64(lanes)}
	index := c.shaped(b, c.cast(c.bind("q.c0"), tensor.Int64))
	if r.IntN(4) == 0 { // some from the end, some not
		index = c.node("Sub", []string{index, c.scalar(int64(1 + r.IntN(min(entries, 1<<width))))})
	}
	x := c.node("GatherElements", []string{table, index}, intAttr("axis", []int64{-1, b.axis(1)}[r.IntN(2)]))
	if half {
		return x, counts
	}
	switch r.IntN(4) {
	case 0:
		x = c.node([]string{"Neg", "Abs", "Floor"}[r.IntN(3)], []string{x})
	case 1:
		x = c.node([]string{"Mul", "Add", "Max"}[r.IntN(3)], []string{x, c.float([]float32{0.1, -3, 8}[r.IntN(3)])})
	}
	for i := range r.IntN(3) {
		x = c.node([]string{"Mul", "Mul", "Add", "Sub"}[r.IntN(4)], []string{x, c.scale(1, 3+i)})
	}
	return x, counts
}

// entries adds n floats a block, of which some are not stored as such.
func (c *decoderCase) entries(n int) string {
	r := c.random
	c.pad(0)
	elem := []tensor.Type{tensor.Float, tensor.Float16, tensor.BFloat16, tensor.Int8, tensor.Uint8, tensor.Int16}[r.IntN(6)]
	c.add("table", leafType(elem, int64(n)))
	x := c.bind("table")
	if elem != tensor.Float {
		x = c.cast(x, tensor.Float)
	}
	if r.IntN(3) == 0 {
		name := fmt.Sprintf("unit%d", n)
		c.add(name, leafType(tensor.Float16, 1))
		x = c.node("Mul", []string{x, c.cast(c.bind(name), tensor.Float)})
	}
	return x
}

// TestLargeTables: known tables of more than 256 numbers, and tables by codes that are no payload bits.
func TestLargeTables(t *testing.T) { runRandom(t, 61, largeTable) }

func largeTable(c *decoderCase) (string, []int64) {
	r := c.random
	counts := c.counts()
	n := []int{4, 8, 32, 64, 20, 3, 7, 96}[r.IntN(8)]
	width := 3 + r.IntN(12)
	c.pad(0)
	c.add("q", packing(n, uint32(width), uint32(1+r.IntN(5))))
	index, entries := c.cast(c.bind("q.c0"), tensor.Int64), 1<<width
	switch r.IntN(4) {
	case 0: // a sum of two codes
		index = c.node("Add", []string{index, c.cast(c.bind("q.c1"), tensor.Int64)})
		entries += 32
	case 1:
		index = c.node("Mod", []string{c.node("Add", []string{index, c.scalar(int64(r.IntN(1000)))}), c.scalar(int64(entries))})
	}
	columns := 1 + r.IntN(4)/3
	table := make([]float32, entries*columns)
	for i := range table {
		table[i] = math.Float32frombits(r.Uint32())
	}
	elem := []tensor.Type{tensor.Float, tensor.Float, tensor.Float16, tensor.Int16}[r.IntN(4)]
	made := c.constant(tensor.Of([]int64{int64(entries), int64(columns)}, table...))
	if elem == tensor.Int16 {
		numbers := make([]int16, len(table))
		for i := range numbers {
			numbers[i] = int16(r.Uint32())
		}
		made = c.constant(tensor.Of([]int64{int64(entries), int64(columns)}, numbers...))
	} else if elem != tensor.Float {
		made = c.cast(made, elem)
	}
	column := c.node("Gather", []string{made, c.scalar(int64(r.IntN(columns)))}, intAttr("axis", 1))
	x := c.node("Gather", []string{column, index})
	if elem != tensor.Float {
		x = c.cast(x, tensor.Float)
	}
	if r.IntN(3) == 0 {
		x = c.node([]string{"Mul", "Add", "Max"}[r.IntN(3)], []string{x, c.float([]float32{0.1, -3, 8}[r.IntN(3)])})
	}
	for i := range r.IntN(3) {
		x = c.node([]string{"Mul", "Mul", "Add", "Sub"}[r.IntN(4)], []string{x, c.scale(1, 3+i)})
	}
	return x, counts
}

// TestByColumns: matrices of bytes that lie by columns.
func TestByColumns(t *testing.T) { runRandom(t, 62, byColumns) }

func byColumns(c *decoderCase) (string, []int64) {
	r := c.random
	counts := c.counts()
	tiles, rows, cols := 1+r.IntN(2), 14+r.IntN(20), 7+r.IntN(20)
	c.pad(0)
	c.add("q", leafType([]tensor.Type{tensor.Int8, tensor.Uint8, tensor.Uint16}[r.IntN(3)], int64(tiles*rows*cols)))
	q := c.bind("q")
	lead := c.lead(q)
	reshaped := func(x string, dims ...int64) string {
		return c.node("Reshape", []string{x, c.node("Concat", []string{lead, c.longs(dims...)}, intAttr("axis", 0))})
	}
	x := c.cast(reshaped(q, int64(tiles), int64(cols), int64(rows)), tensor.Float)
	if r.IntN(2) == 0 {
		x = c.node("Sub", []string{x, c.float(float32(r.IntN(3)))})
	}
	perm := make([]int64, len(counts)+3)
	for i := range perm {
		perm[i] = int64(i)
	}
	n := len(counts)
	perm[n+1], perm[n+2] = perm[n+2], perm[n+1]
	x = c.node("Transpose", []string{x}, intsAttr("perm", perm...))
	return c.node("Mul", []string{reshaped(x, int64(tiles*rows*cols)), c.float(0.5)}), counts
}
