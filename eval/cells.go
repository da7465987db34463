// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"encoding/binary"

	"github.com/structview/structview/tensor"
)

// cells are the elements of a tensor of any type, to be moved without a look at their meaning: bytes
// of a fixed width (4- and 2-bit elements one a byte), or strings.
type cells struct {
	typ   tensor.Type
	width int64 // bytes
	data  []byte
	text  [][]byte // STRING
}

// cellsOf returns the elements of t: read only, they may alias t.
func cellsOf(t *tensor.Tensor) cells {
	switch bits := t.Type().Bits(); {
	case t.Type() == tensor.String:
		return cells{typ: t.Type(), text: t.Strings()}
	case bits < 8:
		return cells{typ: t.Type(), width: 1, data: tensor.Unpack(t)}
	default:
		return cells{typ: t.Type(), width: int64(bits / 8), data: t.Bytes()}
	}
}

// fresh returns n zero cells of the same type. The caller has reserved them.
func (c cells) fresh(n int64) cells {
	if c.typ == tensor.String {
		return cells{typ: c.typ, text: make([][]byte, n)}
	}
	return cells{typ: c.typ, width: c.width, data: make([]byte, n*c.width)}
}

// freshCells returns n zero cells of type t.
func freshCells(t tensor.Type, n int64) cells {
	return cells{typ: t, width: max(int64(t.Bits()/8), 1)}.fresh(n)
}

// tensor makes a tensor of the cells, which it takes over.
func (c cells) tensor(dims []int64) (*tensor.Tensor, error) {
	switch {
	case c.typ == tensor.String:
		return tensor.NewStrings(dims, c.text)
	case c.typ.Bits() < 8:
		return tensor.Pack(c.typ, dims, c.data)
	}
	return tensor.New(c.typ, dims, c.data)
}

// copy copies n cells of src from index from on to index at on.
func (c cells) copy(at int64, src cells, from, n int64) {
	if c.typ == tensor.String {
		copy(c.text[at:at+n], src.text[from:from+n])
		return
	}
	copy(c.data[at*c.width:(at+n)*c.width], src.data[from*c.width:(from+n)*c.width])
}

// strided copies n cells, every step-th of src from index from on; step may be 0 or negative.
func (c cells) strided(at int64, src cells, from, step, n int64) {
	w := c.width
	switch {
	case step == 1:
		c.copy(at, src, from, n)
	case c.typ == tensor.String:
		for i := range n {
			c.text[at+i] = src.text[from+i*step]
		}
	case w == 1:
		for i := range n {
			c.data[at+i] = src.data[from+i*step]
		}
	case w == 2:
		for i := range n {
			binary.NativeEndian.PutUint16(c.data[(at+i)*2:], binary.NativeEndian.Uint16(src.data[(from+i*step)*2:]))
		}
	case w == 4:
		for i := range n {
			binary.NativeEndian.PutUint32(c.data[(at+i)*4:], binary.NativeEndian.Uint32(src.data[(from+i*step)*4:]))
		}
	case w == 8:
		for i := range n {
			binary.NativeEndian.PutUint64(c.data[(at+i)*8:], binary.NativeEndian.Uint64(src.data[(from+i*step)*8:]))
		}
	default:
		for i := range n {
			c.copy(at+i, src, from+i*step, 1)
		}
	}
}

// pick copies src's cells of the given indices to index at on. An index of -1 leaves a cell as it is.
func (c cells) pick(at int64, src cells, indices []int64) {
	switch {
	case c.typ != tensor.String && c.width == 1:
		for i, from := range indices {
			if from >= 0 {
				c.data[at+int64(i)] = src.data[from]
			}
		}
	case c.typ != tensor.String && c.width == 4:
		for i, from := range indices {
			if from >= 0 {
				binary.NativeEndian.PutUint32(c.data[(at+int64(i))*4:], binary.NativeEndian.Uint32(src.data[from*4:]))
			}
		}
	default:
		for i, from := range indices {
			if from >= 0 {
				c.copy(at+int64(i), src, from, 1)
			}
		}
	}
}

// view fills c, of shape dims, with the cells of src that strides from index from on name.
func (c cells) view(src cells, dims, strides []int64, from int64) {
	s := newStrided(dims, strides)
	step := s.step(0)
	s.runs(func(at int64, offs []int64, n int64) {
		c.strided(at, src, from+offs[0], step, n)
	})
}

// putCells makes output i of cells.
func (c *call) putCells(i int, v cells, dims []int64) error {
	t, err := v.tensor(dims)
	if err != nil {
		return err
	}
	c.put(i, t)
	return nil
}

// putView makes output 0 a copy of input 0 under other strides.
func (c *call) putView(strides []int64, from int64) error {
	src := cellsOf(c.tensor(0))
	dst := src.fresh(c.outLen(0))
	dst.view(src, c.outDims(0), strides, from)
	return c.putCells(0, dst, c.outDims(0))
}

// contiguous returns the strides of a row-major tensor.
func contiguous(dims []int64) []int64 {
	strides := make([]int64, len(dims))
	stride := int64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i] = stride
		stride *= dims[i]
	}
	return strides
}
