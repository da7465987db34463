// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "fmt"

// smalls are the kernels for a few lanes of a block (scales): one or two segments,
// everything constant in registers.
func (e *emitter) smalls() {
	list := "\n// smallLoops are by lanes (8, 16), segments less one and post-operation.\nvar smallLoops = [2][2][4]func(*unpackArgs){\n"
	for _, r := range []string{"X", "Y"} {
		list += "\t{"
		for segments := 1; segments <= 2; segments++ {
			list += "{"
			for _, p := range posts {
				name := fmt.Sprintf("small%s%d%s", r, segments, p.name)
				e.beginUnpack(name, p)
				e.smallOf(r, segments, func() { e.packed(r, p) })
				list += name + ", "
			}
			list += "}, "
		}
		list += "},\n"
	}
	e.decls.WriteString(list + "}\n")
	e.scaledSmalls()
}

// small makes halves of codes of up to 8 bits, and NaN of special ones.
var small = source{
	"Small", 1,
	[]string{"VBROADCASTSS epilogueArgs_small+smallFloat_unit(BX), Y10", "VPBROADCASTW epilogueArgs_small+smallFloat_keep(BX), Y11"},
	func(off int, y string) []string {
		x := "X" + y[1:]
		return append(smallHalves(off, x, "X"), fmt.Sprintf("VCVTPH2PS %s, %s", x, y), fmt.Sprintf("VMULPS Y10, %s, %s", y, y))
	},
	nil, nil,
}

// smallPair is sixteen lanes, whose words are made together.
func smallPair(off int, y, next string) []string {
	return append(smallHalves(off, y, "Y"),
		fmt.Sprintf("VEXTRACTI128 $1, %s, X%s", y, next[1:]),
		fmt.Sprintf("VCVTPH2PS X%s, %s", y[1:], y), fmt.Sprintf("VCVTPH2PS X%s, %s", next[1:], next),
		fmt.Sprintf("VMULPS Y10, %s, %s", y, y), fmt.Sprintf("VMULPS Y10, %s, %s", next, next))
}

// smallHalves is the words of as many lanes as registers of a size hold.
func smallHalves(off int, r, size string) []string {
	return []string{
		fmt.Sprintf("VPMOVZXBW %d(SI), %s", off, r),
		fmt.Sprintf("VPSLLW epilogueArgs_small+smallFloat_up(BX), %s, %s", r, r),
		fmt.Sprintf("VPSRAW epilogueArgs_small+smallFloat_down(BX), %s, %s", r, r),
		fmt.Sprintf("VPAND %s11, %s, %s", size, r, r),
		fmt.Sprintf("VPAND epilogueArgs_small+smallFloat_test(BX), %s, %s8", r, size),
		fmt.Sprintf("VPCMPEQW epilogueArgs_small+smallFloat_special(BX), %s8, %s8", size, size),
		fmt.Sprintf("VPOR %s8, %s, %s", size, r, r),
	}
}
