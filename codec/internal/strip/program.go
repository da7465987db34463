// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"fmt"
	"strings"
)

// Row numbers a strip of a frame.
type Row = int32

// Code is an operation on strips.
type Code uint8

// The operations. X, Y and Z are the operands of a Step; f32 and i32 say how words are read.
const (
	Copy Code = iota // X

	AddF     // f32 X + Y
	SubF     // f32 X - Y
	MulF     // f32 X * Y
	DivF     // f32 X / Y
	MaxF     // f32: Y if Y > X or Y is NaN, else X
	MinF     // f32: Y if Y < X or Y is NaN, else X
	LessF    // mask of f32 X < Y; false for NaN
	AtMostF  // mask of f32 X <= Y; false for NaN
	EqualF   // mask of f32 X == Y; false for NaN, zeros are equal
	AbsF     // f32 X without its sign bit
	NegF     // f32 X with its sign bit inverted
	FloorF   // f32
	CeilF    // f32
	RoundF   // f32, halves to even
	TruncF   // f32, towards zero
	SqrtF    // f32
	SignF    // f32: 1, -1 or +0; NaN stays NaN
	AddI     // X + Y
	SubI     // X - Y
	MulI     // X * Y, the low word
	MaxI     // the greater of signed X and Y
	MinI     // the lesser of signed X and Y
	And      // X & Y
	Or       // X | Y
	Xor      // X ^ Y
	AndNot   // X &^ Y
	ShiftL   // X << Y; 0 for Y > 31
	ShiftR   // X >> Y of unsigned X; 0 for Y > 31
	ShiftA   // X >> Y of signed X; Y > 31 is 31
	EqualI   // mask of X == Y
	LessI    // mask of signed X < Y
	Select   // X where the mask Z is set, else Y
	ByF      // f32 X divided by the number of which Y and Z, which are Constants, are the Reciprocal
	Cut      // f32 X towards zero as a signed word; 80000000 for what is none
	Int      // f32 X towards zero as a 64-bit integer (NaN 0, saturated), its low word
	Float    // signed X as f32
	Half     // f32 X as FLOAT16 bits
	FromHalf // FLOAT16 bits as f32
	BFloat   // f32 X as BFLOAT16 bits, to nearest even; a NaN stays one
	Bits     // Dst, or 0 if First, | ((X >> Right) & Mask) << Left
	Table    // Op.Table[X]; X is in range, but for lanes that are not there
	Check    // X & ^Mask must be 0 in every block; otherwise Run reports it
	ArgMaxF  // f32, a step of a search: where X beats Dst (X > Dst, or X is the first NaN), Dst = X and strip Y = strip Z
	ArgMinF  // the same with X < Dst
	Pick     // where Y == Z: Dst = X

	// Of DOUBLE, 16 in a strip: see doubles.go.
	AddD
	SubD
	MulD
	DivD
	MaxD  // as MaxF
	MinD  // as MinF
	LessD // mask of 64 bits, as the following
	AtMostD
	EqualD
	FloorD
	CeilD
	RoundD
	TruncD
	SqrtD
	FirstD // f32 X as DOUBLE
	LastD
	FirstI // signed X as DOUBLE
	LastI
	FirstW // the DOUBLE whose low word is X and whose high one is Y
	LastW
	NarrowD // DOUBLE rounded to f32
	IntD    // DOUBLE towards zero as signed words; 80000000 for what is none
	LowD    // the low words
	HighD
	numCodes
)

var codeNames = [numCodes]string{
	"copy", "addf", "subf", "mulf", "divf", "maxf", "minf", "lessf", "atmostf", "equalf", "absf", "negf", "floorf",
	"ceilf", "roundf", "truncf", "sqrtf", "signf", "addi", "subi", "muli", "maxi", "mini", "and", "or", "xor", "andnot",
	"shiftl", "shiftr", "shifta", "equali", "lessi", "select", "byf", "cut", "int", "float", "half", "fromhalf", "bfloat", "bits",
	"table", "check", "argmaxf", "argminf", "pick",
	"addd", "subd", "muld", "divd", "maxd", "mind", "lessd", "atmostd", "equald", "floord", "ceild", "roundd", "truncd", "sqrtd",
	"firstd", "lastd", "firsti", "lasti", "firstw", "lastw", "narrowd", "intd", "lowd", "highd",
}

func (c Code) String() string { return codeNames[c] }

// Step is one operation on strips. Steps of an Op run in order: a step may read what an
// earlier one wrote, and Dst may be an operand.
type Step struct {
	Dst, X, Y, Z Row
	// Of Bits and Check.
	Mask        uint32
	Right, Left uint8
	First       bool
}

// Op is a run of steps of one operation.
type Op struct {
	Code  Code
	Steps []Step
	Table []uint32 // of Table
}

// Constant is a strip whose word is the same for every block. No step writes it.
type Constant struct {
	Row  Row
	Word uint32
}

// Double is a strip of one DOUBLE.
type Double struct {
	Row  Row
	Bits uint64
}

// fill writes one DOUBLE again and again.
func (d Double) fill(strip []uint32) {
	for i := range strip {
		strip[i] = uint32(d.Bits >> (i % 2 * 32))
	}
}

// Program turns blocks of InBytes bytes into blocks of OutBytes bytes. Both are divided
// into little-endian words; the bytes of a last word that a block lacks are of no
// consequence: undefined in, dropped out.
type Program struct {
	Rows      int // strips of scratch
	InBytes   int
	In        Row      // word w of a block is strip In+w
	Columns   []Column // not nil: the words come from columns, and InBytes is 0; results are 1, 2, 4 or 8 bytes
	Ops       []Op
	Out       []Row // word w of a result is strip Out[w]
	OutBytes  int
	Constants []Constant
	Doubles   []Double

	prepared prepared
}

func words(bytes int) int { return (bytes + 3) / 4 }

// String prints one operation a line, with the number of steps.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "strips %d bytes -> %d bytes, %d strips\n", p.InBytes, p.OutBytes, p.Rows)
	for _, op := range p.Ops {
		fmt.Fprintf(&b, "%s x%d\n", op.Code, len(op.Steps))
	}
	return b.String()
}
