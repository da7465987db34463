// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

#define ONES \
	MOVQ         first+0(FP), DI; \
	MOVQ         n+8(FP), CX;     \
	MOVL         $0x3f800000, AX; \
	VMOVD        AX, X0;          \
	VPBROADCASTD X0, Y0

// func cached(first *float32, n int)
TEXT ·cached(SB), NOSPLIT, $0-16
	ONES

next:
	VMOVUPS Y0, (DI)
	VMOVUPS Y0, 32(DI)
	VMOVUPS Y0, 64(DI)
	VMOVUPS Y0, 96(DI)
	VMOVUPS Y0, 128(DI)
	VMOVUPS Y0, 160(DI)
	VMOVUPS Y0, 192(DI)
	VMOVUPS Y0, 224(DI)
	ADDQ    $256, DI
	DECQ    CX
	JNZ     next
	VZEROUPPER
	RET

// func past(first *float32, n int)
TEXT ·past(SB), NOSPLIT, $0-16
	ONES

next:
	VMOVNTPS Y0, (DI)
	VMOVNTPS Y0, 32(DI)
	VMOVNTPS Y0, 64(DI)
	VMOVNTPS Y0, 96(DI)
	VMOVNTPS Y0, 128(DI)
	VMOVNTPS Y0, 160(DI)
	VMOVNTPS Y0, 192(DI)
	VMOVNTPS Y0, 224(DI)
	ADDQ     $256, DI
	DECQ     CX
	JNZ      next
	SFENCE
	VZEROUPPER
	RET
