// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// codec compares what a decoder gives for a payload, or an encoder for a logical value.
// A decoder runs in every way that there is: they must agree.
func (f *fixture) codec(ctx context.Context) error {
	root, err := f.root()
	if err != nil {
		return err
	}
	payload, err := hex.DecodeString(f.Payload)
	if err != nil {
		return err
	}
	for _, literal := range []bool{true, false} {
		c, err := codec.New(root, codec.Env{
			Functions: f.file.Model.GetFunctions(), Opsets: f.file.Model.GetOpsetImport(), Literal: literal,
		})
		if err != nil {
			return &difference{"a codec", err.Error()}
		}
		if f.Decode != nil {
			err = f.decode(ctx, c, payload)
		} else {
			err = f.encode(ctx, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *fixture) decode(ctx context.Context, c *codec.Codec, payload []byte) error {
	t, err := c.Decode(ctx, payload)
	if err != nil {
		return &difference{"a tensor", err.Error()}
	}
	found := Elements{Element: t.Type().String(), Dims: []string{}, Bits: codes(t)}
	for _, d := range t.Dims() {
		found.Dims = append(found.Dims, strconv.FormatInt(d, 10))
	}
	want := *f.Decode
	want.Values = nil // the bits say it all
	return want.compare("decoded", found)
}

func (f *fixture) encode(ctx context.Context, c *codec.Codec) error {
	x, err := f.Encode.tensor()
	if err != nil {
		return err
	}
	payload, err := c.Encode(ctx, x)
	switch {
	case f.Refused != "" && err == nil:
		return &difference{"an error of " + f.Refused, "the payload " + hex.EncodeToString(payload)}
	case f.Refused != "":
		return nil // what fails when a codec runs is no finding: it need not name its rule
	case err != nil:
		return &difference{"a payload", err.Error()}
	}
	return compare("payload", f.Payload, hex.EncodeToString(payload))
}

// form is the element type, the dimensions and their product.
func (e *Elements) form() (t tensor.Type, dims []int64, n int64, err error) {
	t, ok := tensor.Named(e.Element)
	if !ok {
		return 0, nil, 0, fmt.Errorf("element type %q is unknown", e.Element)
	}
	n = 1
	for _, text := range e.Dims {
		d, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n*int64(d) > 1<<20 {
			return 0, nil, 0, fmt.Errorf("dimension %q: at most 2^20 elements of at most 2^16 are expected here", text)
		}
		dims, n = append(dims, int64(d)), n*int64(d)
	}
	return t, dims, n, nil
}

// tensor makes the tensor that the index describes.
func (e *Elements) tensor() (*tensor.Tensor, error) {
	t, dims, n, err := e.form()
	if err != nil {
		return nil, err
	}
	if n != int64(len(e.Bits)) {
		return nil, fmt.Errorf("%d elements expected, %d found", n, len(e.Bits))
	}
	width, all := uint(t.Bits()), new(big.Int)
	for i, text := range e.Bits {
		code, ok := new(big.Int).SetString(strings.TrimPrefix(text, "0x"), 16)
		if !ok || code.Sign() < 0 || code.BitLen() > int(width) {
			return nil, fmt.Errorf("%q is no element of %d bits", text, width)
		}
		all.Or(all, code.Lsh(code, uint(i)*width))
	}
	data := all.FillBytes(make([]byte, (uint(n)*width+7)/8))
	slices.Reverse(data)
	return tensor.New(t, dims, data)
}
