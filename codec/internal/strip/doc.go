// SPDX-License-Identifier: Apache-2.0

// Package strip runs straight-line programs on many blocks at once, lane by lane. A strip
// holds one lane of a tile of blocks: word t of a strip belongs to block t. Every operation
// works on whole strips, so that
//
//   - any map of lanes is only a choice of strips: permutations, broadcasts and reductions
//     over any axis need no kernels of their own;
//   - reductions take their elements in the order of the program, one block a vector lane;
//   - packing and unpacking are one operation, Bits, read in either direction.
//
// It complements package kernel, whose fused loops are faster where they fit: encoders, and
// decoders with operators that no epilogue takes, run here.
//
// # Words
//
// A word is 32 bits. FLOAT is its bits. Signed integers are sign-extended, unsigned ones
// zero-extended; what a narrower type would lose, the program removes itself. BOOL is a mask:
// 0 or all ones. FLOAT16 and BFLOAT16 are their bits, zero-extended.
//
// # Arithmetic
//
// One rounding an operation, to nearest even, never contracted, no flush of denormals.
// Integers wrap modulo 2^32. The Go loops in this package specify each operation; vector
// code gives the same words, except for the payloads and signs of NaN.
//
// # Vector code
//
// On amd64 with AVX2, FMA, F16C and BMI2, and without the build tag purego, the first frame of a
// program assembles it. Steps become values, each computed once (graph), simplified and
// joined where one instruction does what several steps spell, and put in an order in which
// most are used by the next instruction (order). An instruction is a snippet of assembly that
// works on 32 blocks, its result in four registers and, if something else needs it, in memory; it
// jumps to the next one. Of each operation there is a snippet whose first operand and whose result are in the registers (recall and spill load and store
// them), and, where programs need it often, others. The jump takes longer than four vector instructions do: blocks that are lanes of columns
// are therefore done 64 at a time as long as there are so many, by snippets on eight registers, and more is joined to one of them. The
// first program that is assembled is right for the usual values and collects
// where there are others; then these tiles run again with one that is right for all. A call does whole tiles for some microseconds, since assembly is not
// preempted; longer programs are cut into pieces.
package strip

//go:generate go run asm/emit.go asm/arithmetic.go asm/doubles.go asm/forms.go asm/joined.go asm/moves.go
