// SPDX-License-Identifier: Apache-2.0

// Package onnxpb holds ONNX's protobuf messages together with the messages of
// structured views, and reads model files without reading their payloads.
//
// The messages are generated from structview/onnx.proto, whose names, numbers
// and types are those that ONNX writes. Three further fields, all numbered 1100,
// carry the extension: ModelProto.struct_types, TypeProto.struct_type and
// GraphProto.struct_initializer. A tool that does not know them skips them. The
// protobuf package is named structview.onnx, so that one program may link this
// package and another one that has ONNX's messages.
//
// A model file is mostly payload: the raw_data of tensors and structured values.
// proto.Unmarshal copies all of it. ReadSkeleton walks the wire instead, decodes
// everything else, and keeps for each long raw_data only its place in the file:
//
//	file    ├ ir_version ├ graph ┬ node … ├ initializer ┬ dims, name ├ raw_data ········ ├ …
//	model     ir_version   graph   node …   initializer   dims, name   (Region)
//
// Memory and time follow the declarations, so that a model with gigabytes of
// inline weights opens at once. WriteModel is the way back: it streams payloads
// from wherever they lie.
//
// The same pass reports what the decoded messages cannot show: two members of a
// oneof on the wire (SV000), and the field number 1000 of an incompatible
// dialect (SV056).
package onnxpb

//go:generate go run -modfile=../tools.mod gen.go
