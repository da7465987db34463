// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"math/bits"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
)

// opset and irVersion are what the catalogue's codecs import (SV054).
const (
	opset     = 26
	irVersion = 13
)

// Instance is the declaration of one whole value, with all that it needs.
type Instance struct {
	Types     []*onnxpb.StructTypeProto // the root last; references are indices into this slice
	Functions []*onnxpb.FunctionProto   // model functions that the codecs call
	Opsets    []*onnxpb.OperatorSetIdProto
}

// Instantiate declares a value of a logical shape [..., N, K], of rank 1 at least: blocks follow one another along the
// last dimension, which must be a multiple of Values. Dimensions may be 0. An entry that is a whole value (Values is 0) takes
// no shape and is returned as it stands. The messages of the instance are its own.
func (e *Entry) Instantiate(shape []int64) (*Instance, error) {
	in := &Instance{}
	block := e.copyTypes(in)
	if e.Values == 0 {
		if len(shape) != 0 {
			return nil, fmt.Errorf("%s: is a whole value (no metadata property values), it takes no shape; found %v", e.Name, shape)
		}
		in.Functions = cloneFunctions(calledFunctions(e.Model.Functions, e.Block.Decoder, e.Block.Encoder))
		in.Opsets = imports(e.Block.Decoder, e.Block.Encoder)
		return in, nil
	}
	if err := e.checkShape(shape); err != nil {
		return nil, err
	}
	root := arrays(int32(len(in.Types)-1), e.blockShape(shape))
	root.Name = fmt.Sprintf("%s[%s]", e.Name, join(shape))
	if err := e.addCodecs(in, root, shape); err != nil {
		return nil, err
	}
	block.Decoder, block.Encoder = nil, nil // their place is the model function that the root calls
	in.Types = append(in.Types, root)
	return in, nil
}

// copyTypes puts the block and what it refers to into in, the block last.
func (e *Entry) copyTypes(in *Instance) *onnxpb.StructTypeProto {
	to := map[int32]int32{}
	for n, i := range reachable(e.Model.StructTypes, e.index) {
		to[int32(i)] = int32(n)
		d := proto.CloneOf(e.Model.StructTypes[i])
		renumber(d, to)
		in.Types = append(in.Types, d)
	}
	return in.Types[len(in.Types)-1]
}

func (e *Entry) checkShape(shape []int64) error {
	if len(shape) == 0 {
		return fmt.Errorf("%s: expected a logical shape of one dimension or more, as in %s; found none", e.Name, e.sampleShape())
	}
	elements := uint64(1)
	for i, d := range shape {
		if d < 0 {
			return fmt.Errorf("%s: shape %v: dimension %d is negative", e.Name, shape, i)
		}
		high, low := bits.Mul64(elements, uint64(d))
		if high != 0 {
			return fmt.Errorf("%s: shape %v: more than 2^64 values", e.Name, shape)
		}
		elements = low
	}
	last := shape[len(shape)-1]
	if last%e.Values != 0 {
		return fmt.Errorf("%s: shape %v: the last dimension is %d, expected a multiple of %d, the values of a block", e.Name, shape, last, e.Values)
	}
	return nil
}

func (e *Entry) sampleShape() string { return fmt.Sprintf("[3,%d]", 2*e.Values) }

// blockShape is the logical shape counted in blocks.
func (e *Entry) blockShape(shape []int64) []int64 {
	dims := append([]int64(nil), shape...)
	dims[len(dims)-1] /= e.Values
	return dims
}

// arrays nests arrays of an entry, the first dimension outermost.
func arrays(index int32, dims []int64) *onnxpb.StructTypeProto {
	inner := &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_TypeIndex{TypeIndex: index}}
	for i := len(dims) - 1; i >= 0; i-- {
		inner = &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
			ElementType: &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: inner}},
			Dimension:   uint64(dims[i]),
		}}}
	}
	return inner
}

func join(dims []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(dims), "[]"), " ", ",")
}

// Declarations resolves the instance's types.
func (in *Instance) Declarations() (*structview.Declarations, error) {
	d, findings := structview.Resolve(in.Types)
	if err := structview.Errors(findings); err != nil {
		return nil, err
	}
	return d, nil
}

// Type resolves the root.
func (in *Instance) Type() (*structview.Type, error) {
	d, err := in.Declarations()
	if err != nil {
		return nil, err
	}
	return d.At(d.Len() - 1)
}
