// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Registers: SI block of the payload, DI of the result, R9 blocks, R12 stride, R13
// pitch in bytes, R8 byte offsets of the lanes, R15 lanes.

func floats(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	e.scalar("scalarF16", []string{"VCVTPH2PS (AX), X0"})
	e.scalar("scalarBF16", []string{"MOVWLZX (AX), DX", "SHLL $16, DX", "VMOVD DX, X0"})
	e.scalar("scalarF32", []string{"VMOVSS (AX), X0"})
	e.scalar("scalarI32", []string{"MOVLQSX (AX), DX", "VCVTSI2SSQ DX, X8, X0"})
	e.scalar("scalarU32", []string{"MOVL (AX), DX", "VCVTSI2SSQ DX, X8, X0"})
	e.scalar("scalarI64", []string{"VCVTSI2SSQ (AX), X8, X0"})
	e.scalar("scalarF64", []string{"VCVTSD2SS (AX), X8, X0"})
	e.scalar("scalarTable", []string{"MOVBLZX (AX), DX", "VMOVSS (R10)(DX*4), X0"})
	e.run8("runF16", 2, func(off int, y string) []string {
		return []string{fmt.Sprintf("VCVTPH2PS %d(AX), %s", off*2, y)}
	}, nil)
	e.run8("runBF16", 2, func(off int, y string) []string {
		return []string{fmt.Sprintf("VPMOVZXWD %d(AX), %s", off*2, y), fmt.Sprintf("VPSLLD $16, %s, %s", y, y)}
	}, nil)
	e.run8("runF32", 4, func(off int, y string) []string {
		return []string{fmt.Sprintf("VMOVUPS %d(AX), %s", off*4, y)}
	}, nil)
	e.run8("runI32", 4, func(off int, y string) []string {
		return []string{fmt.Sprintf("VCVTDQ2PS %d(AX), %s", off*4, y)}
	}, nil)
	e.run8("runWord", 2, func(off int, y string) []string {
		return []string{
			fmt.Sprintf("VPMOVZXWD %d(AX), %s", off*2, y), fmt.Sprintf("VPXOR Y7, %s, %s", y, y),
			fmt.Sprintf("VPADDD Y6, %s, %s", y, y), fmt.Sprintf("VCVTDQ2PS %s, %s", y, y),
		}
	}, []string{"VPBROADCASTD unpackArgs_low(BX), Y7", "VPBROADCASTD unpackArgs_plus(BX), Y6"})
	e.run8("runF64", 8, func(off int, y string) []string {
		x := "X" + y[1:]
		return []string{
			fmt.Sprintf("VCVTPD2PSY %d(AX), %s", off*8, x), fmt.Sprintf("VCVTPD2PSY %d(AX), X4", off*8+32),
			fmt.Sprintf("VINSERTF128 $1, X4, %s, %s", y, y),
		}
	}, nil)
	for _, op := range []string{"Add", "Sub", "Mul", "Div"} {
		e.lanes("lanes"+op, "V"+strings.ToUpper(op)+"PS")
	}
	e.repeatFloats()
	e.repeatFours()
	for _, f := range []struct {
		name string
		read []string // DX to X0
	}{
		{"F16", []string{"VMOVD DX, X0", "VCVTPH2PS X0, X0"}},
		{"BF16", []string{"SHLL $16, DX", "VMOVD DX, X0"}},
		{"F32", []string{"VMOVD DX, X0"}},
		{"I32", []string{"VMOVD DX, X0", "VCVTDQ2PS X0, X0"}},
	} {
		e.looseOne("looseOne"+f.name, f.read)
		e.loose("loose"+f.name, f.read)
	}
	e.placedTable()
	e.text("fence", "unpackArgs")
	e.op("SFENCE", "RET")
	return e
}

// scalar converts one number at a time: for a few a block.
func (e *emitter) scalar(name string, read []string) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "offsets", "R8", "count", "R15", "with", "R10")
	e.op("VXORPS X8, X8, X8", "CMPQ R15, $1", "JNE many", "MOVLQSX (R8), AX", "ADDQ SI, AX")
	e.loop("single", "R9", func() {
		e.op(read...)
		e.op("VMOVSS X0, (DI)", "ADDQ R12, AX", "ADDQ R13, DI")
	})
	e.ret()
	e.label("many")
	e.loop("block", "R9", func() {
		e.op("XORQ CX, CX")
		e.label("lane")
		e.op("MOVLQSX (R8)(CX*4), AX", "ADDQ SI, AX")
		e.op(read...)
		e.op("VMOVSS X0, (DI)(CX*4)", "INCQ CX", "CMPQ CX, R15", "JLT lane", "ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// run8 converts neighbours: count lanes a block, exactly as many read and written.
func (e *emitter) run8(name string, size int, load func(off int, y string) []string, init []string) {
	for _, store := range []string{"", "NT"} {
		e.text(name+store, "unpackArgs")
		e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "count", "R15")
		e.op(init...)
		move := "VMOVUPS"
		if store == "NT" {
			move = "VMOVNTPS"
		}
		e.loop("block", "R9", func() {
			e.op("MOVQ SI, AX", "MOVQ DI, DX", "MOVQ R15, CX", "SUBQ $32, CX", "JLT less32")
			e.label("by32")
			for off := 0; off < 32; off += 8 {
				y := fmt.Sprintf("Y%d", off/8)
				e.op(load(off, y)...)
				e.opf("%s %s, %d(DX)", move, y, off*4)
			}
			e.opf("ADDQ $%d, AX", 32*size)
			e.op("ADDQ $128, DX", "SUBQ $32, CX", "JGE by32")
			e.label("less32")
			e.op("ADDQ $24, CX", "JLT less8")
			e.label("by8")
			e.op(load(0, "Y0")...)
			e.op(move + " Y0, (DX)")
			e.opf("ADDQ $%d, AX", 8*size)
			e.op("ADDQ $32, DX", "SUBQ $8, CX", "JGE by8")
			e.label("less8")
			e.op("ADDQ $8, CX", "JEQ done")
			e.op(load(0, "Y0")...)
			e.op("TESTQ $4, CX", "JEQ less4", "VMOVUPS X0, (DX)", "VEXTRACTF128 $1, Y0, X0", "ADDQ $16, DX")
			e.label("less4")
			e.op("TESTQ $2, CX", "JEQ less2", "VMOVLPS X0, (DX)", "VPSRLDQ $8, X0, X0", "ADDQ $8, DX")
			e.label("less2")
			e.op("TESTQ $1, CX", "JEQ done", "VMOVSS X0, (DX)")
			e.label("done")
			e.op("ADDQ R12, SI", "ADDQ R13, DI")
		})
		e.ret()
	}
}

// lanes is dst = x op y over whole vectors of a block, count of them; y may be the
// same vector for all (step 0).
func (e *emitter) lanes(name, op string) {
	e.text(name, "lanesArgs")
	e.load("lanesArgs", "x", "SI", "y", "DX", "dst", "DI", "n", "R9", "count", "R15")
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, AX", "MOVQ DX, R10", "MOVQ DI, R11", "MOVQ R15, CX", "SUBQ $8, CX", "JLT less8")
		e.label("by8")
		e.op("VMOVUPS (AX), Y0", op+" (R10), Y0, Y0", "VMOVUPS Y0, (R11)")
		e.op("ADDQ lanesArgs_xStep(BX), AX", "ADDQ lanesArgs_yStep(BX), R10", "ADDQ $32, R11", "SUBQ $8, CX", "JGE by8")
		e.label("less8")
		e.op("ADDQ $8, CX", "JEQ done")
		// A buffer's slack lets whole vectors be read; the output is written exactly,
		// and read one by one.
		e.loop("by1", "CX", func() {
			e.op("VMOVSS (AX), X0", op[:len(op)-2]+"SS (R10), X0, X0", "VMOVSS X0, (R11)")
			e.op("ADDQ lanesArgs_xOne(BX), AX", "ADDQ lanesArgs_yOne(BX), R10", "ADDQ $4, R11")
		})
		e.label("done")
		e.op("ADDQ lanesArgs_xPitch(BX), SI", "ADDQ lanesArgs_yPitch(BX), DX", "ADDQ lanesArgs_dstPitch(BX), DI")
	})
	e.ret()
}

// repeatFloats spreads an operand over lanes: 8 lanes of a window of 8 floats a
// descriptor.
func (e *emitter) repeatFloats() {
	e.text("repeatFloats", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13")
	e.blocks("spreadFloats__size", func() {
		e.op("MOVLQSX spreadFloats_first(R8), AX", "MOVLQSX spreadFloats_dst(R8), R10", "VMOVDQU spreadFloats_index(R8), Y1")
		e.op("VPERMPS (SI)(AX*1), Y1, Y0", "VMOVUPS Y0, (DI)(R10*1)")
	})
}

// looseOne reads one number of a block at any bit.
func (e *emitter) looseOne(name string, read []string) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "shift", "R8")
	e.loop("block", "R9", func() {
		e.op("SHRXQ R8, (SI), DX")
		e.op(read...)
		e.op("VMOVSS X0, (DI)", "ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// loose reads numbers of several parts, one after the other.
func (e *emitter) loose(name string, read []string) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9")
	e.loop("block", "R9", func() {
		e.load("unpackArgs", "desc", "R8", "count", "CX")
		e.op("MOVQ DI, R12")
		e.loop("number", "CX", func() {
			e.load("unpackArgs", "step", "R13")
			e.op("XORQ DX, DX")
			e.loop("part", "R13", func() {
				e.op("MOVQ loosePart_byte(R8), AX", "MOVQ loosePart_right(R8), R10", "MOVQ loosePart_left(R8), R11")
				e.op("SHRXQ R10, (SI)(AX*1), AX", "ANDQ loosePart_mask(R8), AX", "SHLXQ R11, AX, AX", "ORQ AX, DX")
				e.op("ADDQ $loosePart__size, R8")
			})
			e.op(read...)
			e.op("VMOVSS X0, (R12)", "ADDQ $4, R12")
		})
		e.op("ADDQ unpackArgs_stride(BX), SI", "ADDQ unpackArgs_pitch(BX), DI")
	})
	e.ret()
}
