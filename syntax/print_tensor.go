// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func (p *printer) constantType(t *onnxpb.TensorProto) {
	p.str(primText(t.GetDataType()))
	if dims := t.GetDims(); len(dims) > 0 {
		p.group("[", "]", len(dims), func(i int) { p.int(dims[i]) })
	}
}

// tensor writes a tensor with its type, and its name if it has one.
func (p *printer) tensor(t *onnxpb.TensorProto) {
	p.constantType(t)
	p.str(" ")
	switch name := t.GetName(); name {
	case "":
	case "hex": // would begin the data
		p.quoted(name)
		p.str(" ")
	default:
		p.quotable(name)
		p.str(" ")
	}
	if t.GetDataLocation() == onnxpb.TensorProto_EXTERNAL {
		p.str("= ")
	}
	p.tensorData(t, false)
}

func (p *printer) initializer(t *onnxpb.TensorProto) {
	p.lead(t, "")
	p.constantType(t)
	p.str(" ")
	p.quotable(t.GetName())
	p.str(" = ")
	p.tensorData(t, false)
}

// tensorData writes what a tensor has beside type and, unless named, name.
func (p *printer) tensorData(t *onnxpb.TensorProto, named bool) {
	if p.stopped() {
		return
	}
	var own []property
	if named && t.GetName() != "" {
		own = append(own, p.text("name", t.GetName()))
	}
	if list := p.properties(t, t.GetDocString(), t.GetMetadataProps(), own...); len(list) > 0 {
		p.propertyList(list)
		p.str(" ")
	}
	s, err := p.storage(t)
	switch {
	case err != nil:
		p.fail("tensor %q: %w", t.GetName(), err)
	case s.external != nil:
		p.pairs(s.external)
	case s.asBytes:
		p.hex(s.bytes)
	default:
		p.values("{", "}", p.abridged(values{n: s.n, row: rowLength(t), append: s.append}))
	}
}

// storage returns a tensor's data, also what its reader left in the file.
func (p *printer) storage(t *onnxpb.TensorProto) (*storage, error) {
	if raw, ok := p.payload(t); ok {
		return rawStorage(t, raw), nil
	}
	return storageOf(t)
}

// payload returns raw_data that is not in the message, if that is so.
func (p *printer) payload(m proto.Message) ([]byte, bool) {
	if p.opts.Payload == nil {
		return nil, false
	}
	data, ok, err := p.opts.Payload(m)
	if err != nil {
		p.fail("%w", err)
	}
	return data, ok
}

// rowLength is how many values belong together: the last dimension.
func rowLength(t *onnxpb.TensorProto) uint64 {
	dims := t.GetDims()
	if len(dims) < 2 || dims[len(dims)-1] < 0 {
		return 0
	}
	return uint64(dims[len(dims)-1])
}

func (p *printer) hex(data []byte) {
	const perLine = 32
	if p.stopped() {
		return
	}
	closing := `"`
	if limit := p.opts.Abridge; limit > 0 && len(data) > limit {
		data, closing = data[:limit], `..."`
	}
	p.str(`hex "`)
	one := len(data) <= perLine
	p.level++
	for len(data) > 0 && !p.stopped() {
		if !one {
			p.newline()
		}
		part := data[:min(perLine, len(data))]
		p.out = hex.AppendEncode(p.out, part)
		data = data[len(part):]
	}
	p.level--
	if !one {
		p.newline()
	}
	p.str(closing)
}

// values is a list of n values, which are written one at a time.
type values struct {
	n, row   uint64
	append   func(dst []byte, i uint64) []byte
	abridged bool
}

// abridged cuts a list to what the options ask for.
func (p *printer) abridged(v values) values {
	if limit := uint64(max(p.opts.Abridge, 0)); limit > 0 && v.n > limit {
		v.n, v.abridged = limit, true
	}
	return v
}

// values writes a list on one line if it fits, else in lines of equally many values: whole
// rows, or a power of two.
func (p *printer) values(opening, closing string, v values) {
	if v.abridged {
		closing = ", ..." + closing
	}
	if p.stopped() {
		return
	}
	if p.flat || v.n <= 1 {
		p.valuesLine(opening, closing, v, 0, v.n)
		return
	}
	width, total := v.width()
	if len(p.out)-p.line+total <= lineWidth {
		p.valuesLine(opening, closing, v, 0, v.n)
		return
	}
	step := v.perLine(max(1, (lineWidth-2*p.level-2)/width))
	p.str(opening)
	p.level++
	for from := uint64(0); from < v.n && !p.stopped(); {
		to := min(v.n, from+step)
		if v.row > step {
			to = min(to, (from/v.row+1)*v.row)
		}
		p.newline()
		end := ","
		if to == v.n {
			end = ""
		}
		p.valuesLine("", end, v, from, to)
		from = to
	}
	p.level--
	p.newline()
	p.str(closing)
}

// width returns the width of the widest value and of all, with a comma and a blank each.
func (v *values) width() (widest, total int) {
	var buf []byte
	for i := range v.n {
		buf = v.append(buf[:0], i)
		widest = max(widest, len(buf)+2)
		total = min(total+len(buf)+2, 2*lineWidth)
	}
	return widest, total
}

// perLine returns how many values a line has when fit of them fill one.
func (v *values) perLine(fit int) uint64 {
	step := uint64(1)
	if v.row > 1 && v.row <= uint64(fit) {
		step = v.row
	}
	for step*2 <= uint64(fit) {
		step *= 2
	}
	return step
}

func (p *printer) valuesLine(opening, closing string, v values, from, to uint64) {
	p.str(opening)
	for i := from; i < to && !p.stopped(); i++ {
		if i > from {
			p.str(", ")
		}
		p.out = v.append(p.out, i)
		p.str("") // notices the line's end
	}
	p.str(closing)
}

// appendElement writes a code of an element type as a value.
func appendElement(dst []byte, t tensor.Type, code uint64) []byte {
	switch {
	case t.IsFloat():
		return appendFloat(dst, t, code)
	case t.IsSigned():
		shift := 64 - t.Bits()
		return strconv.AppendInt(dst, int64(code<<shift)>>shift, 10)
	default:
		return strconv.AppendUint(dst, code, 10)
	}
}

// appendFloat writes the shortest decimal that is read as the same code; a NaN that has a
// payload as the code itself. Types below 32 bits always have a point, and so has -0.0.
func appendFloat(dst []byte, t tensor.Type, code uint64) []byte {
	v := tensor.ToFloat(t, code)
	width := t.Bits()
	switch {
	case math.IsNaN(v):
		switch code {
		case nanCode(t, false):
			return append(dst, "nan"...)
		case nanCode(t, true):
			return append(dst, "-nan"...)
		}
		return strconv.AppendUint(append(dst, "0x"...), code, 16)
	case math.IsInf(v, 0):
		if v < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "inf"...)
	}
	precision, format := 32, byte('g')
	if width == 64 {
		precision = 64
	}
	if a := math.Abs(v); a == 0 || a >= 1e-5 && a < 1e9 {
		format = 'f'
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, v, format, -1, precision)
	if (width < 32 || v == 0 && math.Signbit(v)) && isInteger(string(dst[from:])) {
		dst = append(dst, ".0"...)
	}
	return dst
}

// storage is what a tensor's data is written as: one of the members.
type storage struct {
	typ      tensor.Type
	raw      []byte // values, packed
	n        uint64
	strings  [][]byte
	bytes    []byte // raw_data that values cannot say
	asBytes  bool
	external []*onnxpb.StringStringEntryProto
}

// append writes the i-th value.
func (s *storage) append(dst []byte, i uint64) []byte {
	if s.typ == tensor.String {
		return appendQuoted(dst, string(s.strings[i]))
	}
	part := partOf(s.typ)
	if part == s.typ {
		return appendElement(dst, part, codeAt(s.raw, part.Bits(), i))
	}
	dst = appendElement(append(dst, '('), part, codeAt(s.raw, part.Bits(), 2*i))
	dst = appendElement(append(dst, ", "...), part, codeAt(s.raw, part.Bits(), 2*i+1))
	return append(dst, ')')
}

// codeAt returns the i-th code of packed elements of a width up to 64 bits.
func codeAt(raw []byte, width, i uint64) uint64 {
	switch width {
	case 8:
		return uint64(raw[i])
	case 16:
		return uint64(binary.LittleEndian.Uint16(raw[2*i:]))
	case 32:
		return uint64(binary.LittleEndian.Uint32(raw[4*i:]))
	case 64:
		return binary.LittleEndian.Uint64(raw[8*i:])
	default:
		bit := i * width
		return uint64(raw[bit/8]) >> (bit % 8) & (1<<width - 1)
	}
}
