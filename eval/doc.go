// SPDX-License-Identifier: Apache-2.0

// Package eval executes ONNX functions and graphs literally. It is the meaning that
// every faster path must equal.
//
// [Compile] resolves every node of a function, of its subgraphs and of the model functions that
// it calls to an entry of one operator table, before anything runs. [Program.Infer] gives the types
// and shapes of the outputs without running; [Program.Trace] reports each operator on the way;
// [Program.Run] runs under [Limits] and a context.
//
// # The table
//
// One entry describes an operator in a range of versions: the types that each input may have, the
// attributes with their defaults, the inference of types and shapes, and the kernel. Inference is
// written once. It runs statically, with whatever is known, and again before each execution, when
// everything is: a kernel may rely on it, and a checker and an executor cannot disagree. The table has
// the operators of opset 13 to 28 that its family files list (op_*.go), in every version that those
// imports resolve to. [UnsupportedError] tells valid ONNX that it lacks from what ONNX does not have.
//
// # Arithmetic
//
// FLOAT is computed in float32 and DOUBLE in float64, each operation rounded as written and never
// contracted. FLOAT16 and BFLOAT16 are computed in float32 and rounded once per operator. Sums (ReduceSum,
// CumSum, MatMul) add in index order from +0 (SV055). Exact operators are exact everywhere; transcendental
// ones are computed in float64 and rounded.
//
// What ONNX leaves open is defined, so that every machine agrees:
//
//   - Integer Add, Sub, Mul, Neg, Abs and Pow wrap modulo 2^w (SV055). Div truncates towards zero; a zero divisor
//     of Div and Mod is an error. A negative integer exponent gives 1/x truncated, 0 for x = 0.
//   - Min, Max, ReduceMin and ReduceMax give NaN if one operand is NaN, and the first of both zeros.
//   - Shifts by the width or more give 0.
//   - Casts from floats truncate and wrap; what does not fit into INT64 (UINT64) becomes its nearest bound, NaN 0:
//     see [tensor.Convert]. Numbers become strings as NumPy writes them.
//   - QuantizeLinear takes NaN for 0. DynamicQuantizeLinear of zeros alone has the scale 1.
//   - Scatter operators write in index order: of equal indices, the last wins.
//   - An index out of range is an error.
//
// # Limits
//
// Functions come with files and are not trusted. Shapes are checked before anything is allocated, also those that static
// inference foresees; nodes are counted, iterations of loops each for themselves; what is alive is counted until nobody can
// read it any more. No operator reaches a file, a clock or a source of random numbers (SV048).
package eval
