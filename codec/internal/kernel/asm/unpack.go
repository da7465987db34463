// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Registers of the unpacking kernels: BX arguments, SI block of the payload, DI
// block of the buffer, R9 blocks, R12 stride, R13 pitch in bytes, R8 descriptor, CX
// descriptors left. Y7 mask; Y8 to Y12, X13 the post-operation.

// post is what is done to finished codes.
type post struct {
	name string
	init []string
	do   func(y string) []string
}

var posts = []post{
	{"", nil, func(string) []string { return nil }},
	{"Add", []string{"VPBROADCASTB unpackArgs_add(BX), Y8"}, func(y string) []string {
		return []string{fmt.Sprintf("VPADDB Y8, %s, %s", y, y)}
	}},
	{"Lut", []string{"VBROADCASTI128 unpackArgs_lut(BX), Y8"}, func(y string) []string {
		return []string{fmt.Sprintf("VPSHUFB %s, Y8, %s", y, y)}
	}},
	// ((x ^ xor) << shift & keep) ^ neg + add: see Map.constants.
	{"Affine", []string{
		"VPBROADCASTB unpackArgs_add(BX), Y8", "VPBROADCASTB unpackArgs_xor(BX), Y9",
		"VPBROADCASTB unpackArgs_keep(BX), Y10", "VPBROADCASTB unpackArgs_neg(BX), Y11",
		"MOVQ unpackArgs_shift(BX), AX", "VMOVQ AX, X13",
	}, func(y string) []string {
		return []string{
			fmt.Sprintf("VPXOR Y9, %s, %s", y, y), fmt.Sprintf("VPSLLW X13, %s, %s", y, y),
			fmt.Sprintf("VPAND Y10, %s, %s", y, y), fmt.Sprintf("VPXOR Y11, %s, %s", y, y),
			fmt.Sprintf("VPADDB Y8, %s, %s", y, y),
		}
	}},
}

func unpacks(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	e.family("plane", "planeLoops", 4, func(name string, or bool, p post, k int) {
		e.plane(name, or, p, k&1 == 1, k&2 == 2)
	})
	e.family("pair", "pairLoops", 1, func(name string, or bool, p post, _ int) { e.pair(name, or, p) })
	e.family("bit", "bitLoops", 1, func(name string, or bool, p post, _ int) { e.bit(name, or, p) })
	e.family("word", "wordLoops", 1, func(name string, or bool, p post, _ int) { e.words(name, or, p, false) })
	e.family("gather", "gatherLoops", 1, func(name string, or bool, p post, _ int) { e.gather(name, or, p, false) })
	e.family("stride", "strideLoops", 1, func(name string, or bool, p post, _ int) { e.stride(name, or, p) })
	e.words("word16", false, posts[0], true)
	e.words("word16Or", true, posts[0], true)
	e.gather("gather16", false, posts[0], true)
	e.gather("gather16Or", true, posts[0], true)
	e.wide()
	e.smalls()
	e.windowLoops()
	return e
}

// family writes the variants of a kernel: k, then or, then the post-operation.
func (e *emitter) family(name, table string, n int, write func(name string, or bool, p post, k int)) {
	list := fmt.Sprintf("\n// %s are by kind, OR and post-operation.\nvar %s = [%d][2][4]func(*unpackArgs){\n", table, table, n)
	for k := range n {
		list += "\t{"
		for _, or := range []string{"", "Or"} {
			list += "{"
			for _, p := range posts {
				full := name + or + p.name
				if n > 1 {
					full = fmt.Sprintf("%s%d%s%s", name, k, or, p.name)
				}
				write(full, or != "", p, k)
				list += full + ", "
			}
			list += "}, "
		}
		list += "},\n"
	}
	e.decls.WriteString(list + "}\n")
}

func (e *emitter) beginUnpack(name string, p post) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13")
	e.op(p.init...)
}

// blocks loops over blocks and their descriptors.
func (e *emitter) blocks(size string, body func()) {
	e.loop("block", "R9", func() {
		e.load("unpackArgs", "desc", "R8", "count", "CX")
		e.loop("next", "CX", func() {
			body()
			e.opf("ADDQ $%s, R8", size)
		})
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// plane does 32 lanes from two rows of 16 bytes a descriptor, or 16 from one; left:
// with shifts to the left too.
func (e *emitter) plane(name string, or bool, p post, left, half bool) {
	e.beginUnpack(name, p)
	e.op("VPBROADCASTB unpackArgs_mask(BX), Y7")
	y := "Y0"
	r := "Y"
	if half {
		y, r = "X0", "X"
	}
	move := func(shiftRight, shiftLeft, dst string) {
		e.opf("VPSRLVD %s, %s, %s", shiftRight, y, y)
		if left {
			e.opf("VPSLLVD %s, %s, %s", shiftLeft, y, y)
		}
		e.opf("VPAND %s7, %s, %s", r, y, y)
		if or {
			e.opf("VPOR %s, %s, %s", dst, y, y)
		}
		for _, line := range p.do("Y0") {
			if half {
				line = strings.ReplaceAll(line, "Y", "X")
			}
			e.op(line)
		}
		e.opf("VMOVDQU %s, %s", y, dst)
	}
	e.op("CMPQ unpackArgs_count(BX), $1", "JNE many")
	e.load("unpackArgs", "desc", "R8")
	e.op("MOVLQSX planeLanes_dst(R8), R10", "ADDQ R10, DI", "MOVLQSX planeLanes_second(R8), DX", "MOVLQSX planeLanes_first(R8), AX")
	e.op("ADDQ SI, DX", "ADDQ AX, SI")
	e.opf("VMOVDQU planeLanes_right(R8), %s5", r)
	e.opf("VMOVDQU planeLanes_left(R8), %s6", r)
	e.loop("single", "R9", func() {
		e.op("VMOVDQU (SI), X0")
		if !half {
			e.op("VINSERTI128 $1, (DX), Y0, Y0")
		}
		move(r+"5", r+"6", "(DI)")
		e.op("ADDQ R12, SI")
		if !half {
			e.op("ADDQ R12, DX")
		}
		e.op("ADDQ R13, DI")
	})
	e.ret()
	e.label("many")
	e.blocks("planeLanes__size", func() {
		e.op("MOVLQSX planeLanes_first(R8), AX", "MOVLQSX planeLanes_dst(R8), R10", "VMOVDQU (SI)(AX*1), X0")
		if !half {
			e.op("MOVLQSX planeLanes_second(R8), DX", "VINSERTI128 $1, (SI)(DX*1), Y0, Y0")
		}
		move("planeLanes_right(R8)", "planeLanes_left(R8)", "(DI)(R10*1)")
	})
}

// finish ORs, post-processes and stores Y0 as units of 8 bytes, their number in DX,
// at R10. most is the number of bytes in the register that may be meant.
func (e *emitter) finish(or bool, p post, most int) {
	if or {
		if most == 32 {
			e.op("VPOR (R10), Y0, Y0")
		} else {
			e.op("VPOR (R10), X0, X0")
		}
	}
	e.op(p.do("Y0")...)
	if most == 32 {
		e.op("CMPQ DX, $4", "JNE part", "VMOVDQU Y0, (R10)", "JMP stored")
		e.label("part")
		e.op("TESTQ $2, DX", "JEQ below16", "VMOVDQU X0, (R10)", "VEXTRACTI128 $1, Y0, X0", "ADDQ $16, R10")
		e.label("below16")
		e.op("TESTQ $1, DX", "JEQ stored", "VMOVQ X0, (R10)")
	} else {
		e.op("CMPQ DX, $2", "JNE part", "VMOVDQU X0, (R10)", "JMP stored")
		e.label("part")
		e.op("VMOVQ X0, (R10)")
	}
	e.label("stored")
}

// window loads the two 16-byte windows of a descriptor, where its lanes go into R10
// and their units into DX.
func (e *emitter) window(y string) {
	e.op("MOVLQSX window_first(R8), AX", "MOVLQSX window_second(R8), DX", "MOVLQSX window_dst(R8), R10", "ADDQ DI, R10")
	e.opf("VMOVDQU (SI)(AX*1), X%s", y[1:])
	e.opf("VINSERTI128 $1, (SI)(DX*1), %s, %s", y, y)
	e.op("MOVLQSX window_units(R8), DX")
}

// pair does 32 lanes of fields up to 8 bits: even and odd lanes as words, moved to
// the top by a product and back by a shift.
func (e *emitter) pair(name string, or bool, p post) {
	e.beginUnpack(name, p)
	e.op("MOVQ unpackArgs_even(BX), AX", "VMOVQ AX, X5", "MOVQ unpackArgs_odd(BX), AX", "VMOVQ AX, X6")
	e.op("VPBROADCASTW unpackArgs_mask(BX), Y7", "VPSLLW $8, Y7, Y4")
	e.blocks("window__size", func() {
		e.window("Y0")
		e.op("VPSHUFB window_shuffle(R8), Y0, Y1", "VPSHUFB window_shuffle2(R8), Y0, Y0")
		e.op("VPMULLW window_factor(R8), Y1, Y1", "VPMULLW window_factor2(R8), Y0, Y0")
		e.op("VPSRLW X5, Y1, Y1", "VPSRLW X6, Y0, Y0", "VPAND Y7, Y1, Y1", "VPAND Y4, Y0, Y0", "VPOR Y1, Y0, Y0")
		e.finish(or, p, 32)
	})
}

// stride does 32 lanes by eights that are four bytes apart: words of 32 bits, narrowed.
func (e *emitter) stride(name string, or bool, p post) {
	e.beginUnpack(name, p)
	e.op("MOVQ unpackArgs_even(BX), AX", "VMOVQ AX, X5", "VPBROADCASTD unpackArgs_low(BX), Y7")
	// The packs leave words of 32 bits of every eight in the order 0 2 4 6 1 3 5 7.
	e.op("MOVQ $0x0703060205010400, AX", "VMOVQ AX, X6", "VPMOVZXBD X6, Y6")
	e.blocks("strided__size", func() {
		for i := range 4 {
			e.opf("MOVLQSX strided_byte+%d(R8), AX", 4*i)
			e.opf("VPBROADCASTD strided_right+%d(R8), Y4", 4*i)
			e.opf("VMOVDQU (SI)(AX*1), Y%d", i)
			e.opf("VPSRLVD Y4, Y%d, Y%d", i, i)
			e.opf("VPAND Y7, Y%d, Y%d", i, i)
		}
		e.op("VPACKUSDW Y1, Y0, Y0", "VPACKUSDW Y3, Y2, Y2", "VPACKUSWB Y2, Y0, Y0", "VPERMD Y0, Y6, Y0", "VPSLLW X5, Y0, Y0")
		e.op("MOVLQSX strided_dst(R8), R10", "ADDQ DI, R10")
		if or {
			e.op("VPOR (R10), Y0, Y0")
		}
		e.op(p.do("Y0")...)
		e.op("VMOVDQU Y0, (R10)")
	})
}

// bit does 32 lanes of single bits.
func (e *emitter) bit(name string, or bool, p post) {
	e.beginUnpack(name, p)
	e.op("VPBROADCASTB unpackArgs_mask(BX), Y7")
	e.blocks("window__size", func() {
		e.window("Y0")
		e.op("VPSHUFB window_shuffle(R8), Y0, Y0", "VMOVDQU window_factor(R8), Y1", "VPAND Y1, Y0, Y0")
		e.op("VPCMPEQB Y1, Y0, Y0", "VPAND Y7, Y0, Y0")
		e.finish(or, p, 32)
	})
}

// words does 16 lanes of fields up to 16 bits; wide: into a buffer of 16-bit codes.
func (e *emitter) words(name string, or bool, p post, wide bool) {
	e.beginUnpack(name, p)
	e.op("MOVQ unpackArgs_even(BX), AX", "VMOVQ AX, X5", "VPBROADCASTW unpackArgs_mask(BX), Y7")
	e.blocks("window__size", func() {
		e.window("Y0")
		e.op("VPSHUFB window_shuffle(R8), Y0, Y0", "VPMULLW window_factor(R8), Y0, Y0", "VPSRLW X5, Y0, Y0", "VPAND Y7, Y0, Y0")
		if wide {
			e.op("ADDQ DX, DX")
			e.finish(or, p, 32)
			return
		}
		e.op("VEXTRACTI128 $1, Y0, X1", "VPACKUSWB X1, X0, X0")
		e.finish(or, p, 16)
	})
}

// gathered ORs the segments of 8 lanes into Y0.
func (e *emitter) gathered() {
	e.op("VPXOR Y0, Y0, Y0", "MOVLQSX fields_segments(R8), DX", "MOVLQSX fields_dst(R8), R10", "ADDQ DI, R10")
	e.label("segment")
	e.op("VMOVDQU fields_byte(R8), Y1", "VPCMPEQD Y2, Y2, Y2", "VPGATHERDD Y2, (SI)(Y1*1), Y3")
	e.op("VPSRLVD fields_right(R8), Y3, Y3", "VPAND fields_mask(R8), Y3, Y3", "VPSLLVD fields_left(R8), Y3, Y3", "VPOR Y3, Y0, Y0")
	e.op("DECQ DX", "JEQ joined", "ADDQ $fields__size, R8", "JMP segment")
	e.label("joined")
}

// gather does 8 lanes anywhere; wide: into a buffer of 16-bit codes.
func (e *emitter) gather(name string, or bool, p post, wide bool) {
	e.beginUnpack(name, p)
	e.op("VPBROADCASTD unpackArgs_low(BX), Y7")
	e.blocks("fields__size", func() {
		e.gathered()
		e.op("VPAND Y7, Y0, Y0", "VEXTRACTI128 $1, Y0, X1", "VPACKUSDW X1, X0, X0")
		if wide {
			if or {
				e.op("VPOR (R10), X0, X0")
			}
			e.op("VMOVDQU X0, (R10)")
			return
		}
		e.op("VPACKUSWB X0, X0, X0")
		if or {
			e.op("VMOVQ (R10), X1", "VPOR X1, X0, X0")
		}
		e.op(p.do("Y0")...)
		e.op("VMOVQ X0, (R10)")
	})
}

// wide does 8 lanes anywhere: ((x ^ xor) + add) as float32.
func (e *emitter) wide() {
	e.beginUnpack("gatherFloat", posts[0])
	e.op("VPBROADCASTD unpackArgs_low(BX), Y7", "VPBROADCASTD unpackArgs_plus(BX), Y6")
	e.blocks("fields__size", func() {
		e.gathered()
		e.op("VPXOR Y7, Y0, Y0", "VPADDD Y6, Y0, Y0", "VCVTDQ2PS Y0, Y0", "VMOVUPS Y0, (R10)")
	})
}
