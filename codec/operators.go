// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"fmt"
	"sync"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Version is the only version of the operators of [structview.Domain].
const Version = 1

// Operators returns what [eval.CompileModel] needs for graphs of m that hold structured values: the
// operators Decode(value) -> tensor and Encode<type_index>(tensor) -> value of
// [structview.Domain], version 1, and the values of struct_initializer, each a *[Value].
//
// payload gives the bytes of a value, for instance those of an external file; nil reads
// raw_data and refuses external data. The caller adds limits and a reader of ordinary initializers.
// Declarations that are invalid are an error when a node needs them.
func Operators(m *onnxpb.ModelProto, payload func(*onnxpb.StructProto) ([]byte, error)) eval.Env {
	if payload == nil {
		payload = inline
	}
	declarations, _ := structview.Resolve(m.GetStructTypes())
	c := &codecs{
		env:    Env{Functions: m.GetFunctions(), Opsets: m.GetOpsetImport()},
		values: values{declarations, payload},
		known:  map[*structview.Type]built{},
	}
	return eval.Env{
		Functions: m.GetFunctions(),
		Opsets:    m.GetOpsetImport(),
		Struct:    c.initializer,
		Operators: []eval.Operator{
			{Domain: structview.Domain, Name: "Decode", Since: Version, Inputs: 1, Outputs: 1, Infer: c.inferDecode, Run: c.decode},
			{Domain: structview.Domain, Name: "Encode", Since: Version, Inputs: 1, Outputs: 1, Attributes: []string{typeIndex}, Infer: c.inferEncode, Run: c.encode},
		},
	}
}

const typeIndex = "type_index"

// codecs are the codecs of a model, each built when a node first needs it.
type codecs struct {
	env    Env
	values values
	mu     sync.Mutex
	known  map[*structview.Type]built
}

type built struct {
	codec *Codec
	err   error
}

func (c *codecs) of(t *structview.Type) (*Codec, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.known[t]
	if !ok {
		b.codec, b.err = New(t, c.env)
		c.known[t] = b
	}
	return b.codec, b.err
}

func (c *codecs) initializer(p *onnxpb.StructProto) (eval.Value, eval.ValueType, error) {
	v, err := c.values.value(p)
	if err != nil {
		return nil, eval.ValueType{}, err
	}
	return v, eval.OpaqueType(v.Type), nil
}

// typeOf finds the declaration of a structured value in what eval knows about it, nil if it is not
// known before the value is there.
func (c *codecs) typeOf(t eval.ValueType) (*structview.Type, error) {
	switch {
	case t.Kind == eval.KindUnknown:
		return nil, nil
	case t.Kind != eval.KindOpaque:
		return nil, fmt.Errorf("expected a structured value, found %v", plain(t))
	}
	switch info := t.Opaque.(type) {
	case *structview.Type:
		return info, nil
	case *Value:
		return info.Type, nil
	case *onnxpb.StructTypeProto: // a static type: a reference, or any declaration
		if ref, ok := info.GetKind().(*onnxpb.StructTypeProto_TypeIndex); ok {
			return c.values.at(int64(ref.TypeIndex))
		}
	}
	return nil, nil
}

// decoding is the codec of a type that has a decoder (SV053).
func (c *codecs) decoding(t *structview.Type) (*Codec, error) {
	codec, err := c.of(t)
	if err == nil && !codec.CanDecode() {
		err = fmt.Errorf("%w: declaration %s", ErrNoDecoder, title(t))
	}
	return codec, err
}

func (c *codecs) inferDecode(in *eval.Invocation) ([]eval.ValueType, error) {
	t, err := c.typeOf(in.Types[0])
	if err != nil || t == nil {
		return []eval.ValueType{{}}, err
	}
	codec, err := c.decoding(t)
	if err != nil {
		return nil, err
	}
	return []eval.ValueType{codec.decoder.output}, nil
}

func (c *codecs) decode(_ context.Context, in *eval.Invocation) ([]eval.Value, error) {
	value, ok := in.Inputs[0].(*Value)
	if !ok {
		return nil, fmt.Errorf("expected a structured value, found %v", plain(eval.TypeOf(in.Inputs[0])))
	}
	codec, err := c.decoding(value.Type)
	if err != nil {
		return nil, err
	}
	v, err := structview.NewView(value.Type, value.Payload)
	if err != nil {
		return nil, err
	}
	out, err := codec.decoder.all(in.Call, v)
	return []eval.Value{out}, err
}

// encoding is the codec that a node's type_index names; it has an encoder (SV053).
func (c *codecs) encoding(in *eval.Invocation) (*Codec, error) {
	i, ok := in.Int(typeIndex)
	if !ok {
		return nil, fmt.Errorf("attribute %s is missing", typeIndex)
	}
	t, err := c.values.at(i)
	if err != nil {
		return nil, err
	}
	codec, err := c.of(t)
	if err == nil && !codec.CanEncode() {
		err = fmt.Errorf("%w: declaration %s", codec.lacking, title(t))
	}
	return codec, err
}

func (c *codecs) inferEncode(in *eval.Invocation) ([]eval.ValueType, error) {
	codec, err := c.encoding(in)
	if err != nil {
		return nil, err
	}
	e := codec.encoder
	if !fits(e.input, in.Types[0]) {
		return nil, fmt.Errorf("the encoder of declaration %s takes %v, found %v", title(codec.root), plain(e.input), plain(in.Types[0]))
	}
	return []eval.ValueType{eval.OpaqueType(codec.root)}, nil
}

func (c *codecs) encode(_ context.Context, in *eval.Invocation) ([]eval.Value, error) {
	codec, err := c.encoding(in)
	if err != nil {
		return nil, err
	}
	x, ok := in.Inputs[0].(*tensor.Tensor)
	if !ok {
		return nil, fmt.Errorf("expected a tensor, found %v", plain(eval.TypeOf(in.Inputs[0])))
	}
	payload, err := codec.encoder.run(in.Call, x)
	if err != nil {
		return nil, err
	}
	return []eval.Value{&Value{codec.root, payload}}, nil
}

// title names a declaration for a reader.
func title(t *structview.Type) string {
	switch {
	case t.Name() != "" && t.Index() >= 0:
		return fmt.Sprintf("%d %q", t.Index(), t.Name())
	case t.Name() != "":
		return fmt.Sprintf("%q", t.Name())
	case t.Index() >= 0:
		return fmt.Sprintf("%d", t.Index())
	}
	return "without a name"
}
