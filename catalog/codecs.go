// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

// addCodecs makes model functions of the block's codecs, and codecs of the root that call them.
func (e *Entry) addCodecs(in *Instance, root *onnxpb.StructTypeProto, shape []int64) error {
	decoder, encoder := e.Block.Decoder, e.Block.Encoder
	in.Functions = cloneFunctions(calledFunctions(e.Model.Functions, decoder, encoder))
	if decoder != nil {
		f := e.modelFunction(decoder, "")
		in.Functions = append(in.Functions, f)
		root.Decoder = rootDecoder(f, shape)
	}
	if encoder != nil {
		f := e.modelFunction(encoder, "_encode")
		in.Functions = append(in.Functions, f)
		logical, err := e.logicalInput()
		if err != nil {
			return err
		}
		blocks := append(e.blockShape(shape), e.Values)
		root.Encoder = rootEncoder(f, logical, blocks)
	}
	in.Opsets = imports(append(slices.Clone(in.Functions), root.Decoder, root.Encoder)...)
	return nil
}

// parameters of a name as they stand in the name of a function: fp4_block32.
var parameters = strings.NewReplacer("[", "_", ",", "_", "=", "", "]", "")

// modelFunction names a codec after the format: ggml.q4_0 and ggml.q4_0_encode.
func (e *Entry) modelFunction(codec *onnxpb.FunctionProto, ending string) *onnxpb.FunctionProto {
	f := proto.CloneOf(codec)
	domain, name, dotted := strings.Cut(e.Name, ".")
	if !dotted {
		domain, name = "local", e.Name
	}
	f.Domain, f.Name = domain, parameters.Replace(name)+ending
	return f
}

// logicalInput is the one input of the encoder that is no path of the block (SV047).
func (e *Entry) logicalInput() (string, error) {
	layout := e.block.Layout()
	found := []string{}
	for _, input := range e.Block.Encoder.Input {
		if _, err := layout.Leaf(input); err != nil {
			found = append(found, input)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s: encoder: expected one input that is no path, the logical value; found %s", e.Name, quoted(found))
	}
	return found[0], nil
}

// rootDecoder calls f with the same paths, since arrays add no name, and reshapes to the logical shape.
func rootDecoder(f *onnxpb.FunctionProto, shape []int64) *onnxpb.FunctionProto {
	used := slices.Clone(f.Input)
	blocks, dims, y := fresh("blocks", &used), fresh("shape", &used), fresh("y", &used)
	return &onnxpb.FunctionProto{
		Input:       slices.Clone(f.Input),
		Output:      []string{y},
		OpsetImport: callImports(f),
		Node: []*onnxpb.NodeProto{
			call(f, f.Input, []string{blocks}),
			constant(dims, shape),
			reshape(blocks, dims, y, shape),
		},
	}
}

// rootEncoder reshapes the logical value to blocks and calls f.
func rootEncoder(f *onnxpb.FunctionProto, logical string, blockShape []int64) *onnxpb.FunctionProto {
	used := append(slices.Clone(f.Input), f.Output...)
	blocks, dims := fresh("blocks", &used), fresh("shape", &used)
	inputs := slices.Clone(f.Input)
	inputs[slices.Index(inputs, logical)] = blocks
	return &onnxpb.FunctionProto{
		Input:       slices.Clone(f.Input),
		Output:      slices.Clone(f.Output),
		OpsetImport: callImports(f),
		Node: []*onnxpb.NodeProto{
			constant(dims, blockShape),
			reshape(logical, dims, blocks, blockShape),
			call(f, inputs, f.Output),
		},
	}
}

// fresh returns a name that is not used yet.
func fresh(name string, used *[]string) string {
	for slices.Contains(*used, name) {
		name += "_"
	}
	*used = append(*used, name)
	return name
}

func call(f *onnxpb.FunctionProto, inputs, outputs []string) *onnxpb.NodeProto {
	return &onnxpb.NodeProto{
		OpType: f.Name, Domain: f.Domain, Overload: f.Overload,
		Input: slices.Clone(inputs), Output: slices.Clone(outputs),
	}
}

func constant(name string, dims []int64) *onnxpb.NodeProto {
	raw := make([]byte, 0, 8*len(dims))
	for _, d := range dims {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(d))
	}
	return &onnxpb.NodeProto{OpType: "Constant", Output: []string{name}, Attribute: []*onnxpb.AttributeProto{{
		Name: "value",
		Type: onnxpb.AttributeProto_TENSOR,
		T: &onnxpb.TensorProto{
			DataType: int32(onnxpb.TensorProto_INT64), Dims: []int64{int64(len(dims))}, RawData: raw,
		},
	}}}
}

// reshape means 0 as a dimension: without allowzero it would stand for the input's dimension there.
func reshape(from, dims, to string, shape []int64) *onnxpb.NodeProto {
	n := &onnxpb.NodeProto{OpType: "Reshape", Input: []string{from, dims}, Output: []string{to}}
	if slices.Contains(shape, 0) {
		n.Attribute = []*onnxpb.AttributeProto{{Name: "allowzero", Type: onnxpb.AttributeProto_INT, I: 1}}
	}
	return n
}

// callImports is what a codec imports that uses ONNX's operators and calls f.
func callImports(f *onnxpb.FunctionProto) []*onnxpb.OperatorSetIdProto {
	version := int64(opset)
	for _, o := range f.OpsetImport {
		if o.Domain == "" {
			version = o.Version
		}
	}
	own := &onnxpb.OperatorSetIdProto{Domain: f.Domain, Version: 1}
	for _, o := range f.OpsetImport {
		if o.Domain == f.Domain {
			own.Version = o.Version
		}
	}
	return []*onnxpb.OperatorSetIdProto{{Version: version}, own}
}

// imports joins the imports of functions; nil functions import nothing.
func imports(functions ...*onnxpb.FunctionProto) []*onnxpb.OperatorSetIdProto {
	var all []*onnxpb.OperatorSetIdProto
	for _, f := range functions {
		for _, o := range f.GetOpsetImport() {
			known := func(a *onnxpb.OperatorSetIdProto) bool { return a.Domain == o.Domain }
			if !slices.ContainsFunc(all, known) {
				all = append(all, proto.CloneOf(o))
			}
		}
	}
	return all
}

func cloneFunctions(functions []*onnxpb.FunctionProto) []*onnxpb.FunctionProto {
	clones := make([]*onnxpb.FunctionProto, len(functions))
	for i, f := range functions {
		clones[i] = proto.CloneOf(f)
	}
	return clones
}
