// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Floats that become elements of other types, 32 at a time. Registers: SI floats, DI elements, CX how many times;
// Y0 to Y3 the floats.

func narrows(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	for _, store := range []string{"", "NT"} {
		e.narrow("F16", store, nil, func(move string) {
			for i := range 4 {
				e.opf("VMOVUPS %d(SI), Y%d", 32*i, i)
				e.opf("VCVTPS2PH $0, Y%d, X%d", i, i)
				e.opf("%s X%d, %d(DI)", move, i, 16*i)
			}
			e.op("ADDQ $64, DI")
		})
		e.bfloats(store)
		e.narrow("F64", store, nil, func(move string) {
			for i := range 8 {
				e.opf("VCVTPS2PD %d(SI), Y%d", 16*i, i%4)
				e.opf("%s Y%d, %d(DI)", move, i%4, 32*i)
			}
			e.op("ADDQ $256, DI")
		})
		e.narrowIntegers(store)
	}
	return e
}

func (e *emitter) narrow(name, store string, init []string, body func(move string)) {
	e.text("narrow"+name+store, "narrowArgs")
	e.load("narrowArgs", "src", "SI", "dst", "DI", "n", "CX")
	e.op(init...)
	move := "VMOVDQU"
	if store == "NT" {
		move = "VMOVNTDQ"
	}
	e.loop("next", "CX", func() {
		body(move)
		e.op("ADDQ $128, SI")
	})
	e.ret()
}

// halved packs words of four bytes, two registers into one, and stores them in order.
func (e *emitter) halved(move, pack string) {
	for i, y := range []string{"Y0", "Y2"} {
		e.opf("%s Y%d, %s, %s", pack, 2*i+1, y, y)
		e.opf("VPERMQ $0xd8, %s, %s", y, y)
		e.opf("%s %s, %d(DI)", move, y, 32*i)
	}
	e.op("ADDQ $64, DI")
}

// bfloats rounds to even by a sum. If there is a NaN among the floats, such ones first become what the sum leaves
// alone: their upper bits, and quiet.
func (e *emitter) bfloats(store string) {
	init := []string{
		"MOVL $0x7fff, AX", "VMOVD AX, X8", "VPBROADCASTD X8, Y8", "VPCMPEQD Y9, Y9, Y9", "VPSLLD $16, Y9, Y11", "VPSRLD $31, Y9, Y9",
		"MOVL $0x400000, AX", "VMOVD AX, X10", "VPBROADCASTD X10, Y10",
	}
	e.narrow("BF16", store, init, func(move string) {
		for i := range 4 {
			e.opf("VMOVUPS %d(SI), Y%d", 32*i, i)
		}
		e.op("VCMPPS $3, Y1, Y0, Y4", "VCMPPS $3, Y3, Y2, Y5", "VORPS Y5, Y4, Y4", "VMOVMSKPS Y4, AX", "TESTL AX, AX", "JEQ numbers")
		for i := range 4 {
			e.opf("VCMPPS $3, Y%d, Y%d, Y4", i, i)
			e.opf("VPAND Y11, Y%d, Y5", i)
			e.op("VPOR Y10, Y5, Y5")
			e.opf("VBLENDVPS Y4, Y5, Y%d, Y%d", i, i)
		}
		e.label("numbers")
		for i := range 4 {
			t := fmt.Sprintf("Y%d", 4+i)
			e.opf("VPSRLD $16, Y%d, %s", i, t)
			e.opf("VPADDD Y8, Y%d, Y%d", i, i)
			e.opf("VPAND Y9, %s, %s", t, t)
			e.opf("VPADDD Y%d, %s, Y%d", i, t, i)
			e.opf("VPSRLD $16, Y%d, Y%d", i, i)
		}
		e.halved(move, "VPACKUSDW")
	})
}

// narrowIntegers takes floats that are integers, which fit with a sign or without one.
func (e *emitter) narrowIntegers(store string) {
	convert := func() {
		for i := range 4 {
			e.opf("VCVTTPS2DQ %d(SI), Y%d", 32*i, i)
		}
	}
	order := []string{"MOVQ $0x0703060205010400, AX", "VMOVQ AX, X8", "VPMOVZXBD X8, Y8", "VPCMPEQD Y9, Y9, Y9", "VPSRLD $24, Y9, Y9"}
	e.narrow("I8", store, order, func(move string) {
		convert()
		for i := range 4 {
			e.opf("VPAND Y9, Y%d, Y%d", i, i)
		}
		e.op("VPACKUSDW Y1, Y0, Y0", "VPACKUSDW Y3, Y2, Y2", "VPACKUSWB Y2, Y0, Y0", "VPERMD Y0, Y8, Y0")
		e.opf("%s Y0, (DI)", move)
		e.op("ADDQ $32, DI")
	})
	e.narrow("I16", store, nil, func(move string) {
		convert()
		for i := range 4 {
			e.opf("VPSLLD $16, Y%d, Y%d", i, i)
			e.opf("VPSRAD $16, Y%d, Y%d", i, i)
		}
		e.halved(move, "VPACKSSDW")
	})
	e.narrow("I32", store, nil, func(move string) {
		convert()
		for i := range 4 {
			e.opf("%s Y%d, %d(DI)", move, i, 32*i)
		}
		e.op("ADDQ $128, DI")
	})
	e.narrow("I64", store, nil, func(move string) {
		for i := range 8 {
			e.opf("VCVTTPS2DQ %d(SI), X%d", 16*i, i%4)
			e.opf("VPMOVSXDQ X%d, Y%d", i%4, i%4)
			e.opf("%s Y%d, %d(DI)", move, i%4, 32*i)
		}
		e.op("ADDQ $256, DI")
	})
}
