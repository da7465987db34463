// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"encoding/binary"
	"math"
	"strconv"

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
	if list := p.properties(t.GetDocString(), t.GetMetadataProps(), own...); len(list) > 0 {
		p.group("<", "> ", len(list), p.property(list))
	}
	s, err := storageOf(t)
	switch {
	case err != nil:
		p.fail("tensor %q: %w", t.GetName(), err)
	case s.external != nil:
		p.pairs(s.external)
	case s.bytes != nil:
		p.hex(s.bytes)
	default:
		p.values("{", "}", s.texts(), rowLength(t))
	}
}

// rowLength is how many values belong together: the last dimension.
func rowLength(t *onnxpb.TensorProto) int {
	dims := t.GetDims()
	if len(dims) < 2 || dims[len(dims)-1] > 1<<20 {
		return 0
	}
	return int(dims[len(dims)-1])
}

func (p *printer) hex(data []byte) {
	const perLine = 32
	if p.stopped() {
		return
	}
	p.str(`hex "`)
	one := len(data) <= perLine
	p.level++
	for i, b := range data {
		if !one && i%perLine == 0 {
			p.newline()
		}
		if p.stopped() {
			break
		}
		p.out = append(p.out, lowerHex[b>>4], lowerHex[b&15])
	}
	p.level--
	if !one {
		p.newline()
	}
	p.str(`"`)
}

// values writes texts on one line if they fit, else in lines of equally many values:
// whole rows, or a power of two.
func (p *printer) values(opening, closing string, texts []string, row int) {
	width, total := 0, 0
	for _, t := range texts {
		width = max(width, len(t)+2)
		total += len(t) + 2
	}
	if p.flat || len(texts) == 0 || len(p.out)-p.line+total <= lineWidth {
		p.sequence(opening, closing, len(texts), func(i int) { p.str(texts[i]) })
		return
	}
	starts := lineStarts(len(texts), row, max(1, (lineWidth-2*p.level-2)/width))
	p.str(opening)
	p.inner(closing, len(starts), func(i int) {
		end := len(texts)
		comma := ""
		if i < len(starts)-1 {
			end, comma = starts[i+1], ","
		}
		part := texts[starts[i]:end]
		p.sequence("", comma, len(part), func(j int) { p.str(part[j]) })
	})
}

// lineStarts returns the indices of the values that begin a line when fit of n values
// fill one. No line has parts of two rows.
func lineStarts(n, row, fit int) []int {
	step := 1
	if row > 1 && row <= fit {
		step = row
	}
	for step*2 <= fit {
		step *= 2
	}
	var starts []int
	for i := 0; i < n; {
		starts = append(starts, i)
		next := i + step
		if row > step {
			next = min(next, (i/row+1)*row)
		}
		i = next
	}
	return starts
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
// payload as the code itself. Types below 32 bits always have a point.
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
	if width < 32 && isInteger(string(dst[from:])) {
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
	external []*onnxpb.StringStringEntryProto
}

// texts returns the values as they are written.
func (s *storage) texts() []string {
	if s.typ == tensor.String {
		texts := make([]string, len(s.strings))
		for i, v := range s.strings {
			texts[i] = string(appendQuoted(nil, string(v)))
		}
		return texts
	}
	texts := make([]string, s.n)
	part := partOf(s.typ)
	var buf []byte
	for i := range texts {
		if part == s.typ {
			buf = appendElement(buf[:0], part, codeAt(s.raw, part.Bits(), uint64(i)))
		} else {
			buf = appendElement(append(buf[:0], '('), part, codeAt(s.raw, part.Bits(), 2*uint64(i)))
			buf = append(appendElement(append(buf, ", "...), part, codeAt(s.raw, part.Bits(), 2*uint64(i)+1)), ')')
		}
		texts[i] = string(buf)
	}
	return texts
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
