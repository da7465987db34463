// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"strconv"

	"github.com/structview/structview/tensor"
)

// Type is a tensor's type id in a file (ggml_type).
type Type uint32

// typeInfo describes a live type.
type typeInfo struct {
	name   string      // ggml's; "ggml." and this name is the catalogue's
	values uint64      // of a block
	bytes  uint64      // of a block
	plain  tensor.Type // the ONNX element type that holds the values as they are
}

// typeInfos is indexed by id; entries without a name are ids that were removed from the format.
var typeInfos = [...]typeInfo{
	0:  {"f32", 1, 4, tensor.Float},
	1:  {"f16", 1, 2, tensor.Float16},
	2:  {"q4_0", 32, 18, 0},
	3:  {"q4_1", 32, 20, 0},
	6:  {"q5_0", 32, 22, 0},
	7:  {"q5_1", 32, 24, 0},
	8:  {"q8_0", 32, 34, 0},
	9:  {"q8_1", 32, 36, 0},
	10: {"q2_K", 256, 84, 0},
	11: {"q3_K", 256, 110, 0},
	12: {"q4_K", 256, 144, 0},
	13: {"q5_K", 256, 176, 0},
	14: {"q6_K", 256, 210, 0},
	15: {"q8_K", 256, 292, 0},
	16: {"iq2_xxs", 256, 66, 0},
	17: {"iq2_xs", 256, 74, 0},
	18: {"iq3_xxs", 256, 98, 0},
	19: {"iq1_s", 256, 50, 0},
	20: {"iq4_nl", 32, 18, 0},
	21: {"iq3_s", 256, 110, 0},
	22: {"iq2_s", 256, 82, 0},
	23: {"iq4_xs", 256, 136, 0},
	24: {"i8", 1, 1, tensor.Int8},
	25: {"i16", 1, 2, tensor.Int16},
	26: {"i32", 1, 4, tensor.Int32},
	27: {"i64", 1, 8, tensor.Int64},
	28: {"f64", 1, 8, tensor.Double},
	29: {"iq1_m", 256, 56, 0},
	30: {"bf16", 1, 2, tensor.BFloat16},
	34: {"tq1_0", 256, 54, 0},
	35: {"tq2_0", 256, 66, 0},
	39: {"mxfp4", 32, 17, 0},
	40: {"nvfp4", 64, 36, 0},
	41: {"q1_0", 128, 18, 0},
	42: {"q2_0", 64, 18, 0},
}

// info returns the entry of a live type.
func (t Type) info() (typeInfo, bool) {
	if uint64(t) >= uint64(len(typeInfos)) || typeInfos[t].name == "" {
		return typeInfo{}, false
	}
	return typeInfos[t], true
}

// String returns ggml's name, "q4_K", or the number in the form "type 999".
func (t Type) String() string {
	if info, ok := t.info(); ok {
		return info.name
	}
	return "type " + strconv.FormatUint(uint64(t), 10)
}

// Block returns how many values and bytes a block of the type has: 0, 0 for an id that no file may use.
func (t Type) Block() (values, bytes uint64) {
	info, _ := t.info()
	return info.values, info.bytes
}

// Plain returns the ONNX element type that holds the tensor's bytes as they are, if there is one.
func (t Type) Plain() (tensor.Type, bool) {
	info, _ := t.info()
	return info.plain, info.plain != tensor.Undefined
}

// TypeNamed returns the type of one of ggml's names, such as "q4_K".
func TypeNamed(name string) (Type, bool) {
	for id, info := range typeInfos {
		if info.name == name && name != "" {
			return Type(id), true
		}
	}
	return 0, false
}
