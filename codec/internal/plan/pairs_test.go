// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestPairs: a decoder that interleaves each two blocks has them as its blocks, in
// spite of operators that see single ones before.
func TestPairs(t *testing.T) {
	c := &decoderCase{random: rand.New(rand.NewPCG(1, 2))}
	c.add("d", leafType(tensor.Float16))
	c.add("q", packing(32, 4, 4))
	both := c.node("Concat", []string{c.bind("q.c0"), c.bind("q.c1")}, intAttr("axis", -1))
	axis := c.constant(tensor.Of([]int64{1}, int64(-1)))
	scale := c.node("Unsqueeze", []string{c.cast(c.bind("d"), tensor.Float), axis})
	y := c.node("Mul", []string{c.cast(both, tensor.Float), scale})
	pairs := c.node("Reshape", []string{y, c.constant(tensor.Of([]int64{3}, int64(3), 2, 64))})
	perm := intAttr("perm", 0)
	perm.Type, perm.Ints = 7, []int64{0, 2, 1}
	out := c.node("Transpose", []string{pairs}, perm)
	root, fn, err := c.finish(out, 6)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decoder(root, fn, plan.Env{})
	if err != nil || p.Program == nil {
		t.Fatalf("%v: %q", err, p.Reasons)
	}
	if p.Blocks != 3 || p.Lanes != 128 || p.Cut != 1 || !p.RowIndependent() {
		t.Errorf("%d blocks of %d lanes, cut %d: %q", p.Blocks, p.Lanes, p.Cut, p.Reasons)
	}
	size, _ := root.Bytes()
	for try := range 3 {
		payload := fill(c.random, int(size), try)
		want, err := literally(t, root, fn, payload)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := difference(p, decodeAll(t, p, payload), want); wrong != "" {
			t.Errorf("%s\n%s", wrong, text(p))
		}
	}
}
