// SPDX-License-Identifier: Apache-2.0

// Package catalog finds binary formats by name. A format is one text file (see package syntax): a
// declaration of one block, with the ONNX functions that decode and encode it. There is no Go code
// for any of them.
//
// [Builtin] holds the files that come with the program, such as ggml.q4_K; [Load] reads a user's
// own. An [Entry] is parsed when it is asked for. [Entry.Instantiate] makes the declaration of a whole
// value from it: for a logical shape [..., N, K] and a block of B values the root is
//
//	array(…array(array(block, K/B), N)…)
//
// The block's decoder becomes a model function, which works for any leading dimensions, and the
// root's decoder calls it and reshapes to the logical shape. [Instance.AddTo] puts the result into a
// model, sharing what is there already.
//
// What a file must hold:
//
//   - one declaration that is the format. Its metadata property "values" is the number of logical
//     values of a block; without it the declaration is a whole value that takes no shape.
//   - a decoder whose inputs are paths of the block and whose output is [leading..., values].
//   - where there is one, an encoder with the reverse signature; constants may be further inputs.
package catalog
