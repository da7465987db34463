// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// DecodeInto is Decode into the caller's memory: dst has exactly the elements of the logical value, whose type
// is FLOAT. Where the decoder runs as kernels (see [Codec.Explain]) nothing is allocated after the first calls.
// After an error dst holds anything.
func (c *Codec) DecodeInto(ctx context.Context, payload []byte, dst []float32) error {
	if c.decoder == nil {
		return ErrNoDecoder
	}
	if err := c.decoder.floats(1, 1, dst); err != nil {
		return err
	}
	if k := c.decoder.fused(); k != nil {
		if _, err := structview.NewView(c.root, payload); err != nil {
			return err
		}
		return k.run(ctx, payload, 0, k.plan.Blocks, elements{floats: dst})
	}
	v, err := structview.NewView(c.root, payload)
	if err != nil {
		return err
	}
	return fault.Guard(func() error { return c.decoder.stream(ctx, payload, v, &floatWriter{dst}) })
}

// DecodeRowsInto is DecodeRows into the caller's memory, as DecodeInto.
func (c *Codec) DecodeRowsInto(ctx context.Context, payload []byte, a, b int64, dst []float32) error {
	if c.decoder == nil {
		return ErrNoDecoder
	}
	rows := int64(1)
	if dims := c.decoder.output.Dims; len(dims) > 0 {
		rows = dims[0]
	}
	if err := inRange(a, b, rows); err != nil {
		return err
	}
	if err := c.decoder.floats(b-a, rows, dst); err != nil {
		return err
	}
	if k := c.decoder.fused(); k != nil && k.perRow > 0 {
		if _, err := structview.NewView(c.root, payload); err != nil {
			return err
		}
		return k.run(ctx, payload, a*k.perRow, (b-a)*k.perRow, elements{floats: dst})
	}
	return fault.Guard(func() error {
		t, err := c.DecodeRows(ctx, payload, a, b)
		if err != nil {
			return err
		}
		return fill(dst, t)
	})
}

// DecodeRowList decodes single rows one after the other, in any order and repeated at will, as an
// embedding does: dst has their elements, and the type of the value is FLOAT.
func (c *Codec) DecodeRowList(ctx context.Context, payload []byte, rows []int64, dst []float32) error {
	if c.decoder == nil {
		return ErrNoDecoder
	}
	if len(rows) == 0 && len(dst) == 0 {
		return nil
	}
	if len(rows) == 0 || len(dst)%len(rows) != 0 {
		return fmt.Errorf("decoder: %d rows do not fill %d elements", len(rows), len(dst))
	}
	each := len(dst) / len(rows)
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to] == rows[to-1]+1 { // neighbours are one range
			to++
		}
		if rows[from] == math.MaxInt64 {
			return inRange(rows[from], rows[from], 0)
		}
		if err := c.DecodeRowsInto(ctx, payload, rows[from], rows[to-1]+1, dst[from*each:to*each]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// floats checks that dst has the elements of n of the value's rows.
func (d *decoder) floats(n, rows int64, dst []float32) error {
	if d.output.Element != tensor.Float || !d.output.Static() {
		return fmt.Errorf("decoder: the value is %v, and only a FLOAT of known dimensions can be decoded into memory", plain(d.output))
	}
	all, err := tensor.Count(d.output.Dims)
	if err != nil {
		return err
	}
	if want := all / max(rows, 1) * n; int64(len(dst)) != want {
		return fmt.Errorf("decoder: %d elements were given for %d", len(dst), want)
	}
	return nil
}

// floatWriter reads FLOAT elements from their raw form.
type floatWriter struct{ rest []float32 }

func (w *floatWriter) Write(p []byte) (int, error) {
	if len(p) > 4*len(w.rest) || len(p)%4 != 0 {
		return 0, fmt.Errorf("decoder: %d bytes more than %d elements hold", len(p), len(w.rest))
	}
	for i := range len(p) / 4 {
		w.rest[i] = math.Float32frombits(binary.LittleEndian.Uint32(p[4*i:]))
	}
	w.rest = w.rest[len(p)/4:]
	return len(p), nil
}

func fill(dst []float32, t *tensor.Tensor) error {
	if t.Type() != tensor.Float || t.Len() != int64(len(dst)) {
		return fmt.Errorf("decoder: %d elements were given for %v", len(dst), plain(eval.TypeOf(t)))
	}
	copy(dst, tensor.Slice[float32](t))
	return nil
}

// streamLanes is how many elements are decoded before they are written: 16 MiB of FLOAT.
const streamLanes = 1 << 22

// DecodeTo decodes and writes the elements as raw_data holds them, little-endian and row-major. Where
// the decoder runs as kernels or its rows are independent, memory is bounded, whatever the size of the value.
func (c *Codec) DecodeTo(ctx context.Context, payload []byte, w io.Writer) error {
	if c.decoder == nil {
		return ErrNoDecoder
	}
	v, err := structview.NewView(c.root, payload)
	if err != nil {
		return err
	}
	if k := c.decoder.fused(); k != nil {
		return k.stream(ctx, payload, w)
	}
	return fault.Guard(func() error { return c.decoder.stream(ctx, payload, v, w) })
}

func (d *decoder) stream(ctx context.Context, payload []byte, v structview.View, w io.Writer) error {
	if rows, each := d.pieces(); rows > 0 {
		for a := int64(0); a < rows; a += each {
			t, err := d.decodeRows(ctx, payload, v, a, min(a+each, rows))
			if err != nil {
				return err
			}
			if _, err := w.Write(t.Bytes()); err != nil {
				return err
			}
		}
		return nil
	}
	t, err := d.all(alone(ctx), v)
	if err != nil {
		return err
	}
	if t.Type() == tensor.String {
		return errors.New("decoder: the value is STRING, which has no raw form")
	}
	_, err = w.Write(t.Bytes())
	return err
}

func (k *kernels) stream(ctx context.Context, payload []byte, w io.Writer) error {
	lanes := int64(k.plan.Lanes)
	each := min(max(streamLanes/lanes, 1), k.plan.Blocks)
	buffer := k.elements(each)
	for at := int64(0); at < k.plan.Blocks; at += each {
		n := min(each, k.plan.Blocks-at)
		part := k.cut(buffer, 0, n)
		if err := k.run(ctx, payload, at, n, part); err != nil {
			return err
		}
		t, err := k.tensor(part, []int64{n * lanes})
		if err != nil {
			return err
		}
		if _, err := w.Write(t.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// pieces says how many rows the output has and how many to decode at a time; none if rows are not
// independent or no whole number of bytes.
func (d *decoder) pieces() (rows, each int64) {
	p, err := d.proof()
	if err != nil {
		return 0, 0
	}
	rows = p.payload * p.ratio
	n, err := tensor.Count(d.output.Dims)
	if err != nil || n == 0 || uint64(n/rows)*d.output.Element.Bits()%8 != 0 {
		return 0, 0
	}
	// A decoder's intermediate values are some times larger than its output.
	lanes := min(streamLanes/4, d.env.bytes()/256)
	each = max(lanes/(n/rows), 1)
	return rows, (each + p.ratio - 1) / p.ratio * p.ratio
}
