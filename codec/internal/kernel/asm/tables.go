// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "fmt"

// tableEight looks eight codes up one by one, which takes half the time of a gather: loads of the table go
// into the registers' elements. Where AX and DX are free, a load has all eight codes: there are three loads a cycle.
func tableEight(off int, y string, free bool) []string {
	var out []string
	if free {
		out = append(out, fmt.Sprintf("MOVQ %d(SI), AX", off))
	}
	for i := range 8 {
		code, x := "R14", "X"+y[1:]
		if i >= 4 {
			x = "X8"
		}
		switch {
		case !free:
			out = append(out, fmt.Sprintf("MOVBLZX %d(SI), R14", off+i))
		case i%2 == 0:
			out = append(out, "MOVBLZX AL, DX")
			code = "DX"
		default:
			out = append(out, "MOVBLZX AH, DX")
			code = "DX"
			if i < 7 {
				out = append(out, "SHRQ $16, AX")
			}
		}
		if i%4 == 0 {
			out = append(out, fmt.Sprintf("VMOVSS (R12)(%s*4), %s", code, x))
		} else {
			out = append(out, fmt.Sprintf("VINSERTPS $%d, (R12)(%s*4), %s, %s", i%4<<4, code, x, x))
		}
	}
	return append(out, fmt.Sprintf("VINSERTF128 $1, X8, %s, %s", y, y))
}
