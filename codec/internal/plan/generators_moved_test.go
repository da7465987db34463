// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"testing"

	"github.com/structview/structview/tensor"
)

// TestMovedBits: elements of every type that are put together of one to four runs of payload bits, some of them
// with bits that are always 1 or with a sign.
func TestMovedBits(t *testing.T) { runRandom(t, 17, movedBits) }

func movedBits(c *decoderCase) (string, []int64) {
	r := c.random
	to := outputs[r.IntN(8)]
	size := int(to.Bits())
	whole := []tensor.Type{8: tensor.Uint8, 16: tensor.Uint16, 32: tensor.Uint32, 64: tensor.Uint64}[size]
	n := []int{64, 32, 8, 13, 100, 3}[r.IntN(6)]
	var x string
	left := 0
	for i := range 1 + r.IntN(4) {
		width := min(1+r.IntN(size), size-left)
		if width <= 0 {
			break
		}
		c.pad(i)
		name := fmt.Sprintf("p%d", i)
		c.add(name, packing(n, uint32(width), uint32(1+r.IntN(20))))
		part := c.shiftedLeft(c.cast(c.bind(name+".c0"), whole), left, whole)
		if left += width + r.IntN(3); x == "" {
			x = part
			continue
		}
		x = c.node("BitwiseOr", []string{x, part})
	}
	if r.IntN(4) == 0 {
		ones := c.constant(mustConvert(tensor.Of([]int64{}, int64(r.IntN(200))), whole))
		x = c.node("BitwiseOr", []string{x, ones})
	}
	switch attr := intAttr("to", int64(to)); r.IntN(4) {
	case 0:
		x = c.node("BitCast", []string{x}, attr)
	case 1: // a sign that a wider type goes on with
		signed := []tensor.Type{8: tensor.Int8, 16: tensor.Int16, 32: tensor.Int32, 64: tensor.Int64}[size]
		x = c.node("BitCast", []string{x}, intAttr("to", int64(signed)))
		x = c.cast(x, []tensor.Type{tensor.Int16, tensor.Int32, tensor.Int64}[r.IntN(3)])
	case 2:
		if half := []tensor.Type{16: tensor.BFloat16, 64: tensor.Double, 65: 0}[size]; half != 0 {
			x = c.node("BitCast", []string{x}, intAttr("to", int64(half)))
		}
	}
	return x, c.counts()
}

// shiftedLeft moves integers to the left.
func (c *decoderCase) shiftedLeft(x string, by int, elem tensor.Type) string {
	if by == 0 {
		return x
	}
	direction := intAttr("direction", 0)
	direction.Type, direction.S = 3, []byte("LEFT")
	return c.node("BitShift", []string{x, c.constant(mustConvert(tensor.Of([]int64{}, int64(by)), elem))}, direction)
}
