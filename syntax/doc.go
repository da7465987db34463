// SPDX-License-Identifier: Apache-2.0

// Package syntax reads and writes the text form of structured declarations: ONNX's textual
// syntax for types, functions, graphs and tensor constants, extended by declarations of
// structured types, so that a binary format and the ONNX functions that decode and encode it
// are one readable file. The grammar is in docs/TEXT.md.
//
// [Parse] turns a file into a ModelProto and [Print] writes the one canonical text of a
// ModelProto. Print followed by Parse gives an equal message, except that tensor data comes
// back in raw_data (string_data for strings) whichever field it was in.
//
// Parsing checks the grammar, names and ranges, not the rules of structured types: an invalid
// declaration can be written down, read and then be explained by the checker. It allocates in
// proportion to the text, never to a declared dimension.
package syntax
