// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"
	"math"
)

// depthFamily has DepthToSpace (versions 1, 11, 13) and SpaceToDepth (1, 13).
func depthFamily() []operator {
	size := requiredAttr("blocksize", aInt)
	op := operator{
		name: "DepthToSpace", in: params("input:T"), out: params("output:T"), attrs: []attribute{size},
		infer: inferDepthToSpace, run: runDepthToSpace,
	}
	list := versions(op, at(1, tAll))
	op.attrs = []attribute{size, stringAttr("mode", "DCR")}
	list = append(list, versions(op, at(11, tAll), at(13, tAllBF))...)
	return append(list, versions(operator{
		name: "SpaceToDepth", in: params("input:T"), out: params("output:T"), attrs: []attribute{size},
		infer: inferSpaceToDepth, run: runSpaceToDepth,
	}, at(1, tAll), at(13, tAllBF))...)
}

// blocks checks the block size and the shape [N, C, H, W].
func (c *typing) blocks() (b int64, dims []int64, ok bool, err error) {
	b = c.attr.int("blocksize")
	if b < 1 || b > 1<<31 {
		return 0, nil, false, fmt.Errorf("attribute blocksize is %d, expected at least 1", b)
	}
	dims, ok = c.dims(0)
	if ok && len(dims) != 4 {
		err = fmt.Errorf("the input is %v, expected four dimensions", c.in[0])
	}
	if !ok {
		c.setRank(0, 4)
	}
	return b, dims, ok, err
}

// grow multiplies a dimension.
func grow(dims []int64, at, factor int64) error {
	switch d := dims[at]; {
	case d == unknown:
	case d > math.MaxInt64/factor:
		return fmt.Errorf("%w: the dimension %d times %d", ErrLimit, d, factor)
	default:
		dims[at] = d * factor
	}
	return nil
}

// quotient divides a dimension that must be a multiple.
func quotient(d, by int64, name string) (int64, error) {
	if d == unknown {
		return unknown, nil
	}
	if d%by != 0 {
		return 0, fmt.Errorf("the %s %d is no multiple of %d", name, d, by)
	}
	return d / by, nil
}

func inferDepthToSpace(c *typing) error {
	if m := c.attr.string("mode"); m != "" && m != "DCR" && m != "CRD" {
		return fmt.Errorf("attribute mode is %q, expected DCR or CRD", m)
	}
	b, d, ok, err := c.blocks()
	if err != nil || !ok {
		return err
	}
	depth, err := quotient(d[1], b*b, "depth")
	if err != nil {
		return err
	}
	out := []int64{d[0], depth, d[2], d[3]}
	if err := errors.Join(grow(out, 2, b), grow(out, 3, b)); err != nil {
		return err
	}
	c.setDims(0, out...)
	return nil
}

// runDepthToSpace reads the output as [N, depth, H, b, W, b].
func runDepthToSpace(c *call) error {
	d, b := c.tensor(0).Dims(), c.attr.int("blocksize")
	out := c.outDims(0)
	plane := d[2] * d[3]
	depth, block := plane, plane*out[1] // DCR: the block's position is the outer part of the depth
	if c.attr.string("mode") == "CRD" {
		depth, block = plane*b*b, plane
	}
	return c.putShuffled(
		[]int64{d[0], out[1], d[2], b, d[3], b},
		[]int64{d[1] * plane, depth, d[3], block * b, 1, block})
}

func inferSpaceToDepth(c *typing) error {
	b, d, ok, err := c.blocks()
	if err != nil || !ok {
		return err
	}
	height, err := quotient(d[2], b, "height")
	if err != nil {
		return err
	}
	width, err := quotient(d[3], b, "width")
	if err != nil {
		return err
	}
	out := []int64{d[0], d[1], height, width}
	if err := grow(out, 1, b*b); err != nil {
		return err
	}
	c.setDims(0, out...)
	return nil
}

// runSpaceToDepth reads the output as [N, b, b, C, H/b, W/b].
func runSpaceToDepth(c *call) error {
	d, b := c.tensor(0).Dims(), c.attr.int("blocksize")
	plane := d[2] * d[3]
	return c.putShuffled(
		[]int64{d[0], b, b, d[1], d[2] / b, d[3] / b},
		[]int64{d[1] * plane, d[3], 1, plane, d[3] * b, b})
}

// putShuffled makes output 0 the elements of input 0 under strides; dims are its own dimensions, split.
func (c *call) putShuffled(dims, strides []int64) error {
	src := cellsOf(c.tensor(0))
	dst := src.fresh(c.outLen(0))
	dst.view(src, dims, strides, 0)
	return c.putCells(0, dst, c.outDims(0))
}
