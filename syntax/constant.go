// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// tensorOf returns a tensor of a type that stood in the text at t: data follows.
func (p *parser) tensorOf(typ *onnxpb.TypeProto, t token) *onnxpb.TensorProto {
	c := &onnxpb.TensorProto{DataType: typ.GetTensorType().GetElemType()}
	if p.err != nil {
		return c
	}
	if typ.GetTensorType() == nil || typ.GetDenotation() != "" {
		p.failAt(t, "a tensor type, since data follows")
		return c
	}
	shape := typ.GetTensorType().GetShape()
	if shape == nil {
		p.failFound(t.pos, "a shape, since data follows", "unknown rank")
	}
	for _, d := range shape.GetDim() {
		v, ok := d.GetValue().(*onnxpb.TensorShapeProto_Dimension_DimValue)
		if !ok || d.GetDenotation() != "" {
			p.failAt(t, "a shape of integers, since data follows")
			return c
		}
		c.Dims = append(c.Dims, v.DimValue)
	}
	return c
}

// tensor reads a tensor with its type, and a name if it has one.
func (p *parser) tensor() *onnxpb.TensorProto {
	t := p.tok
	elem, shape := p.tensorType()
	return p.tensorRest(tensorTypeProto(elem, shape), t)
}

func tensorTypeProto(elem int32, shape *onnxpb.TensorShapeProto) *onnxpb.TypeProto {
	v := &onnxpb.TypeProto_Tensor{ElemType: elem, Shape: shape}
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{TensorType: v}}
}

// tensorRest reads what follows a tensor's type, which stood at t.
func (p *parser) tensorRest(typ *onnxpb.TypeProto, t token) *onnxpb.TensorProto {
	c := p.tensorOf(typ, t)
	if !p.isHex() {
		c.Name = p.optionalName()
	}
	p.accept('=')
	p.tensorData(c)
	return c
}

// isHex reports whether bytes in hexadecimal follow.
func (p *parser) isHex() bool { return p.isWord("hex") && p.peek().kind == kindString }

// tensorData reads a tensor's own properties and its data.
func (p *parser) tensorData(c *onnxpb.TensorProto) {
	if p.is('<') {
		p.properties("name", c, &c.DocString, &c.MetadataProps, func(key string) bool {
			if key == "name" && c.GetName() != "" {
				p.fail(fmt.Sprintf("one name; the tensor is called %q already", c.GetName()))
			}
			if key == "name" {
				c.Name = p.string("a string")
			}
			return key == "name"
		})
	}
	switch {
	case p.is('{'):
		p.elements(c)
	case p.isHex():
		c.RawData = p.hex()
	case p.is('['):
		c.DataLocation = onnxpb.TensorProto_EXTERNAL
		c.ExternalData = p.pairs()
	default:
		p.fail("data: `{…}`, `hex \"…\"` or `[\"location\": …]`")
	}
}

// hex reads bytes in hexadecimal; blanks may stand between them.
func (p *parser) hex() []byte {
	p.next()
	t := p.tok
	digits := p.src[t.pos+1 : t.end-1]
	out := make([]byte, 0, len(digits)/2)
	for i := 0; i < len(digits); i++ {
		if classes[digits[i]]&classBlank != 0 {
			continue
		}
		v, ok := hexDigits(digits[i:], 2)
		if !ok {
			end := min(i+2, len(digits))
			p.failFound(t.pos+1+i, "two hexadecimal digits", "`"+digits[i:end]+"`")
			return nil
		}
		out = append(out, byte(v))
		i++
	}
	p.next()
	return out
}

// elements reads {values} into raw_data, or string_data, and holds their number to the shape.
func (p *parser) elements(c *onnxpb.TensorProto) {
	typ, open := tensor.Type(c.GetDataType()), p.tok
	if !typ.Valid() {
		p.failFound(open.pos, "`hex \"…\"` or external data, since the element type is unknown", "`{`")
		return
	}
	p.next()
	e := elementReader{parser: p, typ: typ, part: partOf(typ)}
	if typ == tensor.String {
		p.list('}', func() { c.StringData = append(c.StringData, []byte(p.string("a string"))) })
		e.n = uint64(len(c.GetStringData()))
	} else {
		e.read()
		c.RawData = e.raw
	}
	want, ok := count(c.GetDims())
	if typ.IsComplex() {
		want *= 2
	}
	if p.err == nil && (!ok || e.n != want) {
		p.failFound(open.pos, valuesText(c.GetDims(), want, ok), fmt.Sprint(e.n))
	}
}

func valuesText(dims []int64, want uint64, ok bool) string {
	if !ok {
		return fmt.Sprintf("a shape that can have values, not %v", dims)
	}
	return fmt.Sprintf("%d values for the shape %v", want, dims)
}

// count returns the number of elements of a shape; false when negative or too many.
func count(dims []int64) (n uint64, ok bool) {
	n, ok = 1, true
	zero := false
	for _, d := range dims {
		if d < 0 {
			return 0, false
		}
		zero = zero || d == 0
		hi, lo := bits.Mul64(n, uint64(d))
		ok = ok && hi == 0 && lo < 1<<62
		n = lo
	}
	if zero {
		return 0, true
	}
	return n, ok
}

// partOf returns the type that values are written in: complex numbers have two parts.
func partOf(t tensor.Type) tensor.Type {
	switch t {
	case tensor.Complex64:
		return tensor.Float
	case tensor.Complex128:
		return tensor.Double
	default:
		return t
	}
}

// elementReader packs values as raw_data has them.
type elementReader struct {
	*parser
	typ, part tensor.Type
	raw       []byte
	n         uint64
}

func (e *elementReader) read() {
	e.integers()
	for !e.accept('}') {
		e.element()
		if e.err != nil {
			return
		}
		if !e.accept(',') && !e.is('}') {
			e.fail("`,` or `}`")
		}
	}
}

func (e *elementReader) element() {
	if e.typ.IsComplex() && e.accept('(') {
		e.scalar()
		e.expect(',')
		e.scalar()
		e.expect(')')
		return
	}
	e.scalar()
}

func (e *elementReader) scalar() {
	code, problem := e.code(e.part, e.tok)
	if problem != "" {
		e.fail(problem)
		return
	}
	e.next()
	e.append(code)
	e.n++
}

// append stores a code: multi-byte values little-endian, smaller ones from the low bits up.
func (e *elementReader) append(code uint64) {
	switch width := e.part.Bits(); {
	case width == 8:
		e.raw = append(e.raw, byte(code))
	case width == 32:
		e.raw = binary.LittleEndian.AppendUint32(e.raw, uint32(code))
	case width == 16:
		e.raw = binary.LittleEndian.AppendUint16(e.raw, uint16(code))
	case width == 64:
		e.raw = binary.LittleEndian.AppendUint64(e.raw, code)
	default:
		shift := e.n * width % 8
		if shift == 0 {
			e.raw = append(e.raw, 0)
		}
		e.raw[len(e.raw)-1] |= byte(code << shift)
	}
}

// integers reads the leading decimal integers that a comma follows, which is how long
// codebooks look, without making tokens of them. It leaves the rest, and every
// error, to the general path.
func (e *elementReader) integers() {
	if !e.typ.IsInteger() {
		return
	}
	width, signed := e.typ.Bits(), e.typ.IsSigned()
	for at := e.tok.pos; e.err == nil; {
		i, negative, magnitude := at, e.at(at) == '-', uint64(0)
		if negative {
			i++
		}
		first := i
		for ; i-first < 18 && isDecimal(e.at(i)); i++ {
			magnitude = magnitude*10 + uint64(e.src[i]-'0')
		}
		code, ok := integerCode(width, signed, negative, magnitude)
		if i == first || !ok || e.at(i) != ',' {
			e.off = at
			e.next()
			return
		}
		e.append(code)
		e.n++
		for at = i + 1; classes[e.at(at)]&classBlank != 0; at++ {
		}
	}
}
