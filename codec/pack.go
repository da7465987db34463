// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// pack writes the elements of t, which has the type and dimensions that leaf
// binds with (SV042, SV043), to their places in payload. The payload's bits at
// those places are still zero.
func pack(payload []byte, leaf structview.Leaf, t *tensor.Tensor) error {
	if t.Len() == 0 {
		return nil
	}
	if leaf.IsComponent {
		return packComponent(payload, leaf, t)
	}
	outer, run := contiguous(leaf)
	var from uint64
	bits := run * leaf.Width
	places(outer, leaf.Offset, func(to uint64) error {
		orRun(payload, to, t.Bytes(), from, bits)
		from += bits
		return nil
	})
	return nil
}

// packComponent narrows every element to the component's width; one that does
// not fit is an error, never cut (SV047).
func packComponent(payload []byte, leaf structview.Leaf, t *tensor.Tensor) error {
	width, size, i := uint32(leaf.Width), int(t.Type().Bits()/8), 0
	data := t.Bytes()
	return places(leaf.Dims, leaf.Offset, func(to uint64) error {
		v := littleEndian(data, i, size)
		if width < 64 && v>>width != 0 {
			return misfit(fmt.Sprintf("element %s is %d, which does not fit %d bits (at most %d)",
				position(t.Dims(), i), v, width, uint64(1)<<width-1))
		}
		orBits(payload, to, width, v)
		i++
		return nil
	})
}

// misfit is the text of an error about an element that its component does not hold.
type misfit string

func (m misfit) Error() string { return string(m) }

func (m misfit) Unwrap() error { return ErrEncoder }

// contiguous splits the dimensions of leaf into those that must be walked and
// the number of elements that lie end to end below them.
func contiguous(leaf structview.Leaf) (outer []structview.Dim, run uint64) {
	run = 1
	outer = leaf.Dims
	for n := len(outer); n > 0; n-- {
		d := outer[n-1]
		if d.Len != 1 && d.Stride != run*leaf.Width {
			break
		}
		run *= d.Len
		outer = outer[:n-1]
	}
	return outer, run
}

// places calls visit with the bit offset of every index of dims in row-major
// order. No dimension is 0.
func places(dims []structview.Dim, offset uint64, visit func(uint64) error) error {
	if len(dims) == 0 {
		return visit(offset)
	}
	for range dims[0].Len {
		if err := places(dims[1:], offset, visit); err != nil {
			return err
		}
		offset += dims[0].Stride
	}
	return nil
}

// position is the index of the i-th element in row-major order, as "[0,3]".
func position(dims []int64, i int) string {
	index, rest := make([]string, len(dims)), int64(i)
	for k := len(dims) - 1; k >= 0; k-- {
		index[k], rest = strconv.FormatInt(rest%dims[k], 10), rest/dims[k]
	}
	return "[" + strings.Join(index, ",") + "]"
}
