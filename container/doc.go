// SPDX-License-Identifier: Apache-2.0

// Package container opens files by their content and gives each the same shape:
// an ONNX model with structured types, and access to the payloads wherever they
// lie. Payloads are regions of files; they are mapped, never copied at opening.
package container
