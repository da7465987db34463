// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"errors"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Env is what a codec takes from the model that holds its declaration.
type Env struct {
	// Functions are the model's functions, which codecs may call (SV046).
	Functions []*onnxpb.FunctionProto
	// Opsets are the model's own imports: a codec resolves each operator to the schema
	// version that they give (SV054). Domains that they lack are not compared.
	Opsets []*onnxpb.OperatorSetIdProto
	// Limits bound what one run may use (SV048). Zero fields are eval's defaults.
	Limits eval.Limits
	// Parallelism is the number of goroutines that decode or encode one large value: 0 stands for
	// GOMAXPROCS.
	Parallelism int
	// Literal keeps decoders and encoders from being planned: they run through eval alone, which is what everything
	// faster is compared with.
	Literal bool
}

// Why a type has nothing to run.
var (
	ErrNoDecoder = errors.New("codec: the declaration has no decoder")
	ErrNoEncoder = errors.New("codec: the declaration has no encoder")
)

// Codec runs the decoder and the encoder of one concrete root. It is immutable and
// safe for concurrent use.
type Codec struct {
	root    *structview.Type
	decoder *decoder // nil if the root has none
	encoder *encoder // nil if the root has none, or one that cannot run here
	lacking error    // why encoder is nil
}

// New binds the codecs of root to its layout and infers their types, before anything
// runs (SV040 to SV048 and SV054). A type without decoder and encoder is no error.
//
// The error joins every fault that was found: errors.Is tells rules apart, errors.As finds
// a [*structview.Diagnostic], whose path begins with "decoder" or "encoder", and an
// [*eval.UnsupportedError] where the function is valid ONNX but needs an operator that eval lacks. An encoder
// that needs one, or more than the limits for a value of this size, stops Encode alone, not New.
func New(root *structview.Type, env Env) (*Codec, error) {
	b := newBuilder(root, env)
	b.callees = true
	c := &Codec{root: root, lacking: ErrNoEncoder}
	var decode, encode faults
	c.decoder, decode = b.decoder("decoder")
	c.encoder, encode = b.encoder("encoder", c.decoder)
	if len(decode) > 0 || !encode.unsupported() {
		return nil, append(decode, encode...).err()
	}
	if len(encode) > 0 {
		c.lacking = encode.err()
	}
	return c, nil
}

// Type returns the concrete root that the codec belongs to.
func (c *Codec) Type() *structview.Type { return c.root }

// CanDecode reports whether the root has a decoder.
func (c *Codec) CanDecode() bool { return c.decoder != nil }

// CanEncode reports whether the root has an encoder, and one that runs here within the limits.
func (c *Codec) CanEncode() bool { return c.encoder != nil }

// Output returns the element type and the dimensions of the logical value. A dimension that
// depends on the payload's data is -1; if even the rank does, the dimensions are nil.
// Without a decoder the type is Undefined.
func (c *Codec) Output() (tensor.Type, []int64) {
	if c.decoder == nil {
		return tensor.Undefined, nil
	}
	return c.decoder.output.Element, c.decoder.output.Dims
}

// Input is the element type and the dimensions of the logical value that the encoder takes, as far as encoder or
// decoder tell: an unknown dimension is -1, a nil slice an unknown rank, and Undefined an unknown element type.
func (c *Codec) Input() (tensor.Type, []int64) {
	if c.encoder == nil {
		return tensor.Undefined, nil
	}
	return c.encoder.input.Element, c.encoder.input.Dims
}

// Decode runs the decoder over a payload, whose length must be the root's size. The
// result may share memory with payload, which must not change while it is in use. If the payload is a
// mapped file's and the file was truncated, the error is [structview.ErrTruncated]; a result that
// shares its memory ends the program then.
func (c *Codec) Decode(ctx context.Context, payload []byte) (t *tensor.Tensor, err error) {
	err = fault.Guard(func() error {
		t, err = c.decode(ctx, payload)
		return err
	})
	return t, err
}

func (c *Codec) decode(ctx context.Context, payload []byte) (*tensor.Tensor, error) {
	if c.decoder == nil {
		return nil, ErrNoDecoder
	}
	v, err := structview.NewView(c.root, payload)
	if err != nil {
		return nil, err
	}
	if k := c.decoder.fused(); k != nil {
		return c.decoder.fresh(ctx, k, payload, c.decoder.output.Dims, 0, k.plan.Blocks)
	}
	t, err := c.decoder.all(alone(ctx), v)
	if errors.Is(err, eval.ErrLimit) {
		if p, mixed := c.decoder.proof(); mixed == nil && p.payload > 1 {
			if t, fewer := p.gather(ctx, v, 0, p.payload*p.ratio); !errors.Is(fewer, errNoProgram) {
				return t, fewer
			}
		}
	}
	return t, err
}

// Encode runs the encoder over the logical value x and packs its outputs into a payload of
// exactly the root's size. A component value that does not fit its width is an error (SV047).
func (c *Codec) Encode(ctx context.Context, x *tensor.Tensor) (payload []byte, err error) {
	if c.encoder == nil {
		return nil, c.lacking
	}
	err = fault.Guard(func() error {
		payload, err = c.encoder.fresh(ctx, x)
		return err
	})
	return payload, err
}
