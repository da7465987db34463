// SPDX-License-Identifier: Apache-2.0

// Package gguf reads and writes GGUF files, versions 2 and 3, and imports them as
// ONNX models with structured types.
//
// A file is, in little-endian byte order and without gaps but for the padding named:
//
//	header    "GGUF", u32 version, u64 tensor count, u64 metadata count
//	metadata  entries: key, u32 value type, value
//	infos     one a tensor: name, u32 rank, u64 dimensions (fastest first), u32 type id, u64 offset
//	padding   to the alignment: general.alignment, or 32
//	data      each tensor's bytes and padding to the alignment
//
// [ReadHeader] reads what precedes the data and trusts no length in it: every count is compared with the bytes that remain
// before anything is allocated, and strings and arrays stay in the file until they are asked for. [Import] turns a
// header into a model that points at the file's own bytes; nothing of the data is read.
package gguf
