// SPDX-License-Identifier: Apache-2.0

package kernel

// The forms of an epilogue, in the order of the tables of loops.
const (
	formMul = iota
	formMulAdd
	formMulSub
	formSubMul
	formFull
	formDiv
)

// form is which steps there are; formFull stands for every other combination.
func (k *Epilogue) form() int {
	z, b := k.Z.Kind != None, k.B.Kind != None
	switch {
	case k.Div:
		return formDiv
	case z && b:
		return formFull
	case z:
		return formSubMul
	case b && k.SubB:
		return formMulSub
	case b:
		return formMulAdd
	default:
		return formMul
	}
}

// group is how many lanes share an element, 0 if all do.
func (p Parameter) group() int {
	if p.Kind == Group {
		return p.N
	}
	return 0
}

// run is lanes that share their operands: offsets in bytes from the block's begin.
type run struct {
	src, dst int32
	n        int32
	z, a, b  int32
}

// runsOf cuts rows of elements of size bytes at the borders of groups.
func runsOf(rows []Row, size int, groups [3]int) []run {
	var list []run
	for _, r := range rows {
		for j := 0; j < r.Len; {
			lane, n := r.Lane+j, r.Len-j
			var at [3]int32
			for i, g := range groups {
				if g != 0 {
					n = min(n, g-lane%g)
					at[i] = int32(4 * (lane / g))
				}
			}
			list = append(list, run{int32(size * (r.Byte + j)), int32(4 * lane), int32(n), at[0], at[1], at[2]})
			j += n
		}
	}
	return list
}
