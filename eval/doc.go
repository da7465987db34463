// SPDX-License-Identifier: Apache-2.0

// Package eval executes ONNX functions and graphs literally. It is the meaning that
// every faster path must equal.
//
// [Compile] resolves every node of a function, of its subgraphs and of the model functions that
// it calls to an entry of one operator table, before anything runs. [Program.Infer] gives the types
// and shapes of the outputs without running; [Program.Run] runs under [Limits] and a context.
//
// # Arithmetic
//
// FLOAT is computed in float32 and DOUBLE in float64, each operation rounded as written and
// never contracted. FLOAT16 and BFLOAT16 are computed in float32 and rounded once per operator.
// Integers wrap modulo 2^w. Sums (ReduceSum, CumSum, MatMul) add in index order from +0 (SV055).
package eval
