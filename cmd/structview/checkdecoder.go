// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/nearest"
	"github.com/structview/structview/onnxpb"
)

// checkDecoder runs the decoder of a block format over the shapes of a few blocks, as its author wrote it: without
// the function around it that makes it one of whole values, whose errors would speak of nodes that nobody wrote.
func checkDecoder(e *catalog.Entry) []structview.Diagnostic {
	if e.Block.GetDecoder() == nil || e.Values == 0 {
		return nil
	}
	lead := sampleBlocks(e.Values)
	instance, err := asWritten(e, lead)
	if err != nil {
		return nil
	}
	path := "decoder of " + e.Name
	if found := checkRoot(instance, path+fmt.Sprintf(", for %d x %d blocks", lead[0], lead[1])); structview.Errors(found) != nil {
		return found
	}
	t, err := instance.Type()
	if err != nil {
		return nil
	}
	c, err := codec.New(t, codec.Env{Functions: instance.Functions, Opsets: instance.Opsets, Limits: limits(t)})
	if err != nil {
		return nil // what is unsupported has been said
	}
	_, dims := c.Output()
	rule, fault := codec.ErrCodec, misshapen(dims, lead, e.Values)
	if fault == "" {
		rule, fault = codec.ErrLimit, unbounded(c, t)
	}
	if fault == "" {
		return nil
	}
	return []structview.Diagnostic{{Rule: string(rule), Severity: structview.Error, Path: path, Message: fault}}
}

// unbounded decodes blocks of zero bytes: a decoder that exceeds the limits for so few is never of use. Other errors
// are those of the bytes.
func unbounded(c *codec.Codec, t *structview.Type) string {
	const patience, most = 2 * time.Second, 1 << 16
	size, whole := t.Bytes()
	if !whole || size > most {
		return ""
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	if _, err := c.Decode(ctx, make([]byte, size)); errors.Is(err, eval.ErrLimit) {
		return fmt.Sprintf("a few blocks of zero bytes cannot be decoded: %v", err)
	}
	return ""
}

// asWritten makes rows of blocks whose decoder is the block's: arrays add nothing to paths.
func asWritten(e *catalog.Entry, lead []int64) (*catalog.Instance, error) {
	instance, err := e.Instantiate([]int64{lead[0], lead[1] * e.Values})
	if err != nil {
		return nil, err
	}
	root := instance.Types[len(instance.Types)-1]
	root.Decoder, root.Encoder = proto.CloneOf(e.Block.GetDecoder()), nil
	return instance, nil
}

// checkRoot checks the last declaration of an instance and says path for the place of its decoder.
func checkRoot(instance *catalog.Instance, path string) []structview.Diagnostic {
	m := &onnxpb.ModelProto{Graph: &onnxpb.GraphProto{Name: "check"}}
	at, err := instance.AddTo(m)
	if err != nil {
		return nil
	}
	found := codec.Check(m, structview.CheckOptions{})
	own := fmt.Sprintf("struct_types[%d].decoder", at)
	for i := range found {
		if rest, ok := strings.CutPrefix(found[i].Path, own); ok {
			found[i].Path = path + rest
		} else {
			found[i].Path = path + ": " + found[i].Path
		}
	}
	return found
}

// sampleBlocks are two numbers of blocks that differ from each other and from every dimension that a block of so
// many values may have, so that a shape shows where they have gone.
func sampleBlocks(values int64) []int64 {
	var lead []int64
	for n := int64(2); len(lead) < 2; n++ {
		prime := true
		for d := int64(2); d < n; d++ {
			prime = prime && n%d != 0
		}
		if prime && values%n != 0 {
			lead = append(lead, n)
		}
	}
	return lead
}

// misshapen says what is wrong with the dimensions of a decoder's output for blocks [lead...]: they are to come
// first, and the values of a block, in whatever dimensions, after them.
func misshapen(dims, lead []int64, values int64) string {
	const want = "expected [%s, %d]: the metadata says \"values\": \"%d\""
	if dims == nil || slices.Contains(dims, -1) {
		return "" // it is known when the decoder runs
	}
	if len(dims) < len(lead) || !slices.Equal(dims[:len(lead)], lead) {
		return fmt.Sprintf("for %d x %d blocks the decoder gives %s, %s, and the dimensions of the blocks come first, in their order",
			lead[0], lead[1], shapeText(dims), fmt.Sprintf(want, fmt.Sprintf("%d, %d", lead[0], lead[1]), values, values))
	}
	n := int64(1)
	for _, d := range dims[len(lead):] {
		n *= d
	}
	if n == values {
		return ""
	}
	rest := strings.TrimSuffix(strings.TrimPrefix(shapeText(dims[len(lead):]), "["), "]")
	if rest == "" {
		rest = "(one value)"
	}
	return fmt.Sprintf("the decoder gives [..., %s], ", rest) + fmt.Sprintf(want, "...", values, values)
}

// misspelt finds the key that probably was to be the metadata property key, which the declaration lacks.
func misspelt(d *onnxpb.StructTypeProto, key string) (slip string, found bool) {
	for _, p := range d.GetMetadataProps() {
		if p.GetKey() == key {
			return "", false
		}
		if _, near := nearest.Of(p.GetKey(), []string{key}); near && !found {
			slip, found = p.GetKey(), true
		}
	}
	return slip, found
}
