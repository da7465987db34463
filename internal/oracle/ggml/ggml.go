// SPDX-License-Identifier: Apache-2.0

// Package ggml calls the row decoders and encoders of ggml's own library, as a
// referee for the catalogue's texts and for benchmarks.
package ggml

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

typedef void (*decode_row)(const void *blocks, float *values, int64_t n);
typedef void (*encode_row)(const float *values, void *blocks, int64_t n);

static void call_decode(void *f, const void *blocks, float *values, int64_t n) { ((decode_row)f)(blocks, values, n); }
static void call_encode(void *f, const float *values, void *blocks, int64_t n) { ((encode_row)f)(values, blocks, n); }
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Library is an open libggml-base.so.
type Library struct{ handle unsafe.Pointer }

// Open loads the library at a path.
func Open(path string) (*Library, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	handle := C.dlopen(name, C.RTLD_NOW|C.RTLD_LOCAL)
	if handle == nil {
		return nil, fmt.Errorf("ggml: %s", C.GoString(C.dlerror()))
	}
	return &Library{handle}, nil
}

// Row is one row function of the library.
type Row struct{ function unsafe.Pointer }

// Decoder finds dequantize_row_NAME; f16 and bf16 have functions of other names.
func (l *Library) Decoder(name string) (Row, bool) {
	switch name {
	case "f16":
		return l.symbol("ggml_fp16_to_fp32_row")
	case "bf16":
		return l.symbol("ggml_bf16_to_fp32_row")
	}
	return l.symbol("dequantize_row_" + name)
}

// Encoder finds the reference encoder quantize_row_NAME_ref.
func (l *Library) Encoder(name string) (Row, bool) {
	switch name {
	case "f16":
		return l.symbol("ggml_fp32_to_fp16_row")
	case "bf16":
		return l.symbol("ggml_fp32_to_bf16_row_ref")
	}
	return l.symbol("quantize_row_" + name + "_ref")
}

func (l *Library) symbol(name string) (Row, bool) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	function := C.dlsym(l.handle, text)
	return Row{function}, function != nil
}

// Decode fills values from blocks. The caller answers for the lengths: blocks
// holds len(values) values of the row's format.
func (r Row) Decode(blocks []byte, values []float32) {
	if len(values) > 0 {
		C.call_decode(r.function, unsafe.Pointer(&blocks[0]), (*C.float)(&values[0]), C.int64_t(len(values)))
	}
}

// Encode fills blocks from values. The caller answers for the lengths.
func (r Row) Encode(values []float32, blocks []byte) {
	if len(values) > 0 {
		C.call_encode(r.function, (*C.float)(&values[0]), unsafe.Pointer(&blocks[0]), C.int64_t(len(values)))
	}
}
