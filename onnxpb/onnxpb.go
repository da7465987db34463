// SPDX-License-Identifier: Apache-2.0

package onnxpb

//go:generate go run -modfile=../tools.mod gen.go
