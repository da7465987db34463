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
