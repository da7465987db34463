// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// The cases here are variants of ONNX's published node tests that testdata/node does not have: the
// same formulas under other types, attributes and shapes.

func bits8(t *testing.T, typ tensor.Type, dims []int64, codes ...byte) *tensor.Tensor {
	t.Helper()
	v, err := tensor.New(typ, dims, codes)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func bools(dims []int64, v ...bool) *tensor.Tensor { return tensor.Of(dims, v...) }

func TestVariantsOfCast(t *testing.T) {
	inf, nan, zero := float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
	x := []float32{0.48, 0.25, 1.05, -3.5, -8, 9, 1e6, 1e-7, nan, inf, inf, -inf, -4, 0.01, zero}
	fp4 := mustPack(t, tensor.Float4E2M1, []int64{3, 5}, 1, 0, 2, 14, 15, 7, 7, 0, 8, 7, 7, 15, 14, 0, 8)
	for _, in := range []Value{f32s([]int64{3, 5}, x...), halves(tensor.Float16, []int64{3, 5}, x...)} {
		wantNode(t, 25, "Cast", []Value{in}, fp4, intAttribute("to", to(tensor.Float4E2M1)))
		wantNode(t, 25, "CastLike", []Value{in, mustPack(t, tensor.Float4E2M1, []int64{1}, 0)}, fp4)
	}
	powers := []float32{0, 0.124, 0.25, 0.5, 1.1, 2, 4, 8}
	e8 := bits8(t, tensor.Float8E8M0, []int64{2, 4}, 0, 124, 125, 126, 128, 128, 129, 130)
	for _, in := range []Value{f32s([]int64{2, 4}, powers...), halves(tensor.Float16, []int64{2, 4}, powers...)} {
		wantNode(t, 25, "Cast", []Value{in}, e8, intAttribute("to", to(tensor.Float8E8M0)), intAttribute("saturate", 1), stringAttribute("round_mode", "up"))
	}
	wantNode(t, 25, "Cast", []Value{e8}, f32s([]int64{2, 4}, 0x1p-127, 0.125, 0.25, 0.5, 2, 2, 4, 8), intAttribute("to", 1))
	counts, codes4, codes2 := make([]float32, 25), make([]byte, 25), make([]byte, 25)
	for i := range counts { // -9 to 15, of which the low bits remain
		counts[i], codes4[i], codes2[i] = float32(i-9), byte(i-9)&15, byte(i-9)&3
	}
	for _, in := range []Value{f32s([]int64{5, 5}, counts...), halves(tensor.Float16, []int64{5, 5}, counts...)} {
		for _, typ := range []tensor.Type{tensor.Int4, tensor.Uint4} {
			wantNode(t, 25, "Cast", []Value{in}, mustPack(t, typ, []int64{5, 5}, codes4...), intAttribute("to", to(typ)))
		}
		for _, typ := range []tensor.Type{tensor.Int2, tensor.Uint2} {
			wantNode(t, 25, "Cast", []Value{in}, mustPack(t, typ, []int64{5, 5}, codes2...), intAttribute("to", to(typ)))
		}
	}
	wantNode(t, 25, "Cast", []Value{mustPack(t, tensor.Uint4, []int64{3}, 0, 9, 15)}, tensor.Of([]int64{3}, uint8(0), 9, 15), intAttribute("to", to(tensor.Uint8)))
	wantNode(t, 25, "CastLike", []Value{f32s([]int64{2}, 0.47892547, -inf), mustStrings(t, []int64{1}, "")}, mustStrings(t, []int64{2}, "0.47892547", "-inf"))
}

func TestVariantsOfBitCast(t *testing.T) {
	wantNode(t, 26, "BitCast", []Value{bools([]int64{4}, true, false, true, true)}, tensor.Of([]int64{4}, uint8(1), 0, 1, 1), intAttribute("to", to(tensor.Uint8)))
	wantNode(t, 26, "BitCast", []Value{f32s(nil, 1)}, tensor.Of(nil, int32(0x3F800000)), intAttribute("to", to(tensor.Int32)))
	wantNode(t, 26, "BitCast", []Value{tensor.Of([]int64{2}, uint16(65535), 3)}, tensor.Of([]int64{2}, int16(-1), 3), intAttribute("to", to(tensor.Int16)))
	wantNode(t, 26, "BitCast", []Value{tensor.Of([]int64{2}, uint32(math.MaxUint32), 7)}, tensor.Of([]int64{2}, int32(-1), 7), intAttribute("to", to(tensor.Int32)))
	wantNode(t, 26, "BitCast", []Value{tensor.Of([]int64{1}, int32(0x40000000))}, f32s([]int64{1}, 2), intAttribute("to", 1))
	wantNode(t, 26, "BitCast", []Value{tensor.Of([]int64{2}, uint16(0x3C00), 0xC000)}, halves(tensor.Float16, []int64{2}, 1, -2), intAttribute("to", to(tensor.Float16)))
}

func TestVariantsOfQuantizeLinear(t *testing.T) {
	fp4 := func(dims []int64, codes ...byte) *tensor.Tensor {
		return mustPack(t, tensor.Float4E2M1, dims, codes...)
	}
	zero := float32(math.Copysign(0, -1))
	wantNode(t, 25, "QuantizeLinear", []Value{
		f32s([]int64{3, 4}, 0, 2.5, 4.8, 8.6, -30, -20, 6, 9, zero, -2.5, -4.8, -8.6), f32s([]int64{3}, 2, 3, 4), fp4([]int64{3}, 0, 0, 0),
	}, fp4([]int64{3, 4}, 0, 2, 4, 6, 15, 15, 4, 5, 0, 9, 10, 12), intAttribute("axis", 0))
	blocked := f32s([]int64{3, 4}, 6, 12, 50, 5, 1, 8, 4, 5, 0, 20, 10, 4)
	wantNode(t, 25, "QuantizeLinear", []Value{blocked, f32s([]int64{3, 2}, 1.5, 2.5, 3, 4.9, 5.1, 6.9), tensor.Of([]int64{3, 2}, uint8(0), 1, 1, 0, 2, 3)},
		tensor.Of([]int64{3, 4}, uint8(4), 8, 21, 3, 1, 4, 1, 1, 2, 6, 4, 4), intAttribute("axis", 1), intAttribute("block_size", 2))
	wantNode(t, 25, "QuantizeLinear", []Value{f32s([]int64{3, 4}, 6, -8, -10, 5, 1, 8, 4, 5, 0, 20, 10, 4), f32s([]int64{3, 2}, 1.5, 2.5, 3, 4.9, 5.1, 6.9)},
		tensor.Of([]int64{3, 4}, int16(4), -5, -4, 2, 0, 3, 1, 1, 0, 4, 1, 1), intAttribute("axis", 1), intAttribute("block_size", 2), intAttribute("output_dtype", to(tensor.Int16)))
	for typ, codes := range map[tensor.Type][]byte{tensor.Uint4: {1, 2, 3, 5, 0, 0, 3, 4, 4, 5, 5, 11}, tensor.Uint2: {1, 2, 3, 3, 0, 0, 3, 3, 3, 3, 3, 3}} {
		zeros := mustPack(t, typ, []int64{3}, 1, 1, 1)
		want := mustPack(t, typ, []int64{3, 4}, codes...)
		if typ == tensor.Uint4 {
			want = mustPack(t, typ, []int64{3, 4}, 1, 2, 3, 5, 0, 0, 3, 4, 4, 5, 5, 11)
		}
		wantNode(t, 25, "QuantizeLinear", []Value{f32s([]int64{3, 4}, 0, 2.5, 4.8, 8.6, -30, -20, 6, 9, 12, 15, 16, 40), f32s([]int64{3}, 2, 3, 4), zeros}, want, intAttribute("axis", 0))
	}
}

func TestVariantsOfDequantizeLinear(t *testing.T) {
	x := tensor.Of([]int64{1, 4, 3, 2}, uint8(3), 89, 34, 200, 74, 59, 5, 24, 24, 87, 32, 13, 5, 12, 12, 33, 65, 42, 245, 99, 4, 142, 121, 102)
	scale := f32s([]int64{1, 2, 3, 2}, 3, 2, 4, 1, 2, 2, 5, 2, 4, 3, 5, 2)
	zero := tensor.Of([]int64{1, 2, 3, 2}, uint8(1), 0, 0, 1, 2, 20, 3, 2, 4, 3, 15, 2)
	wantNode(t, 25, "DequantizeLinear", []Value{x, scale, zero}, f32s([]int64{1, 4, 3, 2},
		6, 178, 136, 199, 144, 78, 12, 48, 96, 86, 60, -14, 10, 20, 32, 90, 250, 80, 1210, 194, 0, 417, 530, 200), intAttribute("axis", 1), intAttribute("block_size", 2))
	wantNode(t, 25, "DequantizeLinear", []Value{mustPack(t, tensor.Float4E2M1, []int64{5}, 0, 2, 4, 12, 15), f32s(nil, 2), mustPack(t, tensor.Float4E2M1, []int64{1}, 0)},
		f32s([]int64{5}, 0, 2, 4, -4, -12), intAttribute("axis", 0))
	wantNode(t, 25, "DequantizeLinear", []Value{bits8(t, tensor.Float8E4M3FN, []int64{3}, 0, 0x30, 0x7E), halves(tensor.Float16, nil, 2)}, halves(tensor.Float16, []int64{3}, 0, 1, 896), intAttribute("axis", 0))
	wantNode(t, 25, "DequantizeLinear", []Value{mustPack(t, tensor.Int4, []int64{5}, 0, 1, 7, 12, 8), f32s(nil, 2), mustPack(t, tensor.Int4, nil, 1)}, f32s([]int64{5}, -2, 0, 12, -10, -18), intAttribute("axis", 0))
}

func TestVariantsOfShapes(t *testing.T) {
	none := tensor.Of[float32]([]int64{0, 3, 4})
	wantNode(t, 25, "Reshape", []Value{none, i64s([]int64{3}, 3, 4, 0)}, tensor.Of[float32]([]int64{3, 4, 0}), intAttribute("allowzero", 1))
	wantNode(t, 25, "Reshape", []Value{f32s([]int64{2, 3, 1}, 1, 2, 3, 4, 5, 6), i64s([]int64{4}, 2, 0, 1, -1)}, f32s([]int64{2, 3, 1, 1}, 1, 2, 3, 4, 5, 6))
	wantNode(t, 25, "Trilu", []Value{tensor.Of[int64]([]int64{3, 0, 5}), i64s(nil, 6)}, tensor.Of[int64]([]int64{3, 0, 5}))
	wantNode(t, 25, "ConstantOfShape", []Value{i64s([]int64{1}, 0)}, tensor.Of[int32]([]int64{0}), tensorAttribute("value", tensor.Of([]int64{1}, int32(7))))
	wantNode(t, 13, "Slice", []Value{f32s([]int64{2, 2}, 1, 2, 3, 4), i64s([]int64{1}, 1000), i64s([]int64{1}, 1000), i64s([]int64{1}, 1), i64s([]int64{1}, 1)}, tensor.Of[float32]([]int64{2, 0}))
	wantNode(t, 13, "Slice", []Value{f32s([]int64{4}, 1, 2, 3, 4), i64s([]int64{1}, 20), i64s([]int64{1}, -20), i64s([]int64{1}, -1), i64s([]int64{1}, -2)}, f32s([]int64{2}, 4, 2))
	out, err := runNode(t, 18, "Split", []Value{f32s([]int64{7}, 1, 2, 3, 4, 5, 6, 7)}, 4, intAttribute("num_outputs", 4))
	if err != nil || !tensor.EqualValues(out[3].(*tensor.Tensor), f32s([]int64{1}, 7)) {
		t.Errorf("uneven split: %v, %v", out, err)
	}
	wantNode(t, 25, "Pad", []Value{f32s([]int64{1, 3}, 1, 2, 3), i64s([]int64{2}, 1, 2), f32s(nil, 9), i64s([]int64{1}, -1)}, f32s([]int64{1, 6}, 9, 1, 2, 3, 9, 9))
	wantNode(t, 25, "Pad", []Value{f32s([]int64{3}, 1, 2, 3), i64s([]int64{2}, 4, 4)}, f32s([]int64{11}, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1), stringAttribute("mode", "wrap"))
	wantNode(t, 22, "EyeLike", []Value{tensor.Of([]int64{2, 3}, make([]int32, 6)...)}, f32s([]int64{2, 3}, 0, 1, 0, 0, 0, 1), intAttribute("k", 1), intAttribute("dtype", 1))
	wantNode(t, 13, "DepthToSpace", []Value{f32s([]int64{1, 4, 1, 2}, 0, 1, 2, 3, 4, 5, 6, 7)}, f32s([]int64{1, 1, 2, 4}, 0, 2, 1, 3, 4, 6, 5, 7), intAttribute("blocksize", 2), stringAttribute("mode", "DCR"))
}

func TestVariantsOfArithmetic(t *testing.T) {
	wantNode(t, 13, "Clip", []Value{f32s([]int64{3}, -2, 0, 6), f32s(nil, 2), f32s(nil, 1)}, f32s([]int64{3}, 1, 1, 1))
	wantNode(t, 13, "Clip", []Value{tensor.Of([]int64{3}, int8(-1), 0, 1), tensor.Of(nil, int8(0))}, tensor.Of([]int64{3}, int8(0), 0, 1))
	wantNode(t, 13, "Clip", []Value{f32s([]int64{3}, -2, 0, 6), nil, f32s(nil, 0)}, f32s([]int64{3}, -2, 0, 0))
	six, divisors := i64s([]int64{6}, -4, 7, 5, 4, -7, 8), i64s([]int64{6}, 2, -3, 8, -2, 3, 5)
	wantNode(t, 13, "Mod", []Value{six, divisors}, i64s([]int64{6}, 0, 1, 5, 0, -1, 3), intAttribute("fmod", 1))
	wantNode(t, 13, "Mod", []Value{six, divisors}, i64s([]int64{6}, 0, -2, 5, 0, 2, 3))
	wantNode(t, 15, "Pow", []Value{tensor.Of([]int64{3}, int32(1), 2, 3), f32s([]int64{3}, 4, 5, 6)}, tensor.Of([]int64{3}, int32(1), 32, 729))
	wantNode(t, 15, "Pow", []Value{f32s([]int64{3}, 1, 2, 3), tensor.Of([]int64{3}, uint32(4), 5, 6)}, f32s([]int64{3}, 1, 32, 729))
	wantNode(t, 19, "Equal", []Value{mustStrings(t, []int64{2}, "string1", "string2"), mustStrings(t, []int64{2}, "string1", "string3")}, bools([]int64{2}, true, false))
	wantNode(t, 11, "BitShift", []Value{tensor.Of([]int64{3}, uint8(16), 4, 1), tensor.Of([]int64{3}, uint8(1), 2, 3)}, tensor.Of([]int64{3}, uint8(8), 1, 0), stringAttribute("direction", "RIGHT"))
	inf := float32(math.Inf(1))
	halfInfs := halves(tensor.Float16, []int64{4}, -1.2, float32(math.NaN()), inf, -inf)
	wantNode(t, 20, "IsInf", []Value{halfInfs}, bools([]int64{4}, false, false, true, true))
	wantNode(t, 20, "IsInf", []Value{halfInfs}, bools([]int64{4}, false, false, true, false), intAttribute("detect_negative", 0))
	wantNode(t, 20, "IsNaN", []Value{halfInfs}, bools([]int64{4}, false, true, false, false))
	wantNode(t, 11, "Range", []Value{f32s(nil, 1), f32s(nil, 5), f32s(nil, 2)}, f32s([]int64{2}, 1, 3))
	wantNode(t, 11, "Range", []Value{tensor.Of(nil, int32(10)), tensor.Of(nil, int32(6)), tensor.Of(nil, int32(-3))}, tensor.Of([]int64{2}, int32(10), 7))
	wantNode(t, 27, "Range", []Value{halves(tensor.Float16, nil, 10), halves(tensor.Float16, nil, 6), halves(tensor.Float16, nil, -1.5)}, halves(tensor.Float16, []int64{3}, 10, 8.5, 7))
	wantNode(t, 12, "Einsum", []Value{f32s([]int64{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)}, f32s([]int64{2, 2}, 1, 4, 5, 8), stringAttribute("equation", "...ii ->...i"))
	wantNode(t, 12, "Einsum", []Value{f32s([]int64{2, 2}, 1, 2, 3, 4)}, f32s([]int64{2}, 3, 7), stringAttribute("equation", "ij->i"))
	wantNode(t, 14, "CumSum", []Value{tensor.Of([]int64{4}, int32(1), 2, 3, 4), tensor.Of(nil, int32(0))}, tensor.Of([]int64{4}, int32(0), 1, 3, 6), intAttribute("exclusive", 1))
	wantNode(t, 26, "CumProd", []Value{tensor.Of([]int64{3}, float64(2), 3, 4), tensor.Of(nil, int32(0))}, tensor.Of([]int64{3}, float64(12), 4, 1), intAttribute("exclusive", 1), intAttribute("reverse", 1))
}

func TestVariantsOfReduce(t *testing.T) {
	empty := tensor.Of[float32]([]int64{2, 0, 4})
	axes := i64s([]int64{1}, 1)
	inf := float32(math.Inf(1))
	for op, v := range map[string]float32{
		"ReduceSum": 0, "ReduceProd": 1, "ReduceMax": -inf, "ReduceMin": inf, "ReduceL1": 0, "ReduceL2": 0,
		"ReduceSumSquare": 0, "ReduceLogSum": -inf, "ReduceLogSumExp": -inf,
	} {
		wantNode(t, 20, op, []Value{empty, axes}, f32s([]int64{2, 1, 4}, v, v, v, v, v, v, v, v))
	}
	wantNode(t, 20, "ReduceSum", []Value{empty, i64s([]int64{1}, 2)}, tensor.Of[float32]([]int64{2, 0, 1}))
	wantNode(t, 20, "ReduceMax", []Value{bools([]int64{2, 2}, true, true, false, false), axes}, bools([]int64{2, 1}, true, false))
	wantNode(t, 20, "ReduceMin", []Value{bools([]int64{2, 2}, true, false, true, true), axes}, bools([]int64{2, 1}, false, true))
	wantNode(t, 24, "TopK", []Value{tensor.Of([]int64{2, 3}, uint64(0), 1, 2, 5, 4, 3), i64s([]int64{1}, 2)}, tensor.Of([]int64{2, 2}, uint64(2), 1, 5, 4))
	wantNode(t, 13, "ArgMax", []Value{f32s([]int64{2, 3}, 2, 2, 1, 3, 10, 10)}, i64s([]int64{2}, 1, 2), intAttribute("axis", -1), intAttribute("keepdims", 0), intAttribute("select_last_index", 1))
	wantNode(t, 10, "ReverseSequence", []Value{f32s([]int64{2, 3}, 0, 1, 2, 3, 4, 5), i64s([]int64{3}, 1, 2, 2)}, f32s([]int64{2, 3}, 0, 4, 5, 3, 1, 2), intAttribute("time_axis", 0), intAttribute("batch_axis", 1))
	wantNode(t, 18, "ScatterElements", []Value{f32s([]int64{1, 5}, 1, 2, 3, 4, 5), i64s([]int64{1, 2}, 1, 1), f32s([]int64{1, 2}, 1.1, 2.1)}, f32s([]int64{1, 5}, 1, 5.2, 3, 4, 5), intAttribute("axis", 1), stringAttribute("reduction", "add"))
	wantNode(t, 13, "GatherND", []Value{tensor.Of([]int64{2, 2, 2}, int32(0), 1, 2, 3, 4, 5, 6, 7), i64s([]int64{2, 1}, 1, 0)}, tensor.Of([]int64{2, 2}, int32(2), 3, 4, 5), intAttribute("batch_dims", 1))
	wantNode(t, 11, "OneHot", []Value{tensor.Of([]int64{3}, int64(0), 7, 8), f32s(nil, 10), tensor.Of([]int64{2}, int32(0), 1)},
		tensor.Of([]int64{3, 10}, int32(1), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0))
}

// TestOptionalState is a Loop whose optional state becomes a sequence in the first iteration.
func TestOptionalState(t *testing.T) {
	then := graphProto(nil, []string{"init"}, constantProto("zero", f32s(nil, 0)), nodeProto("SequenceConstruct", []string{"zero"}, []string{"init"}))
	other := graphProto(nil, []string{"got"}, nodeProto("OptionalGetElement", []string{"state"}, []string{"got"}))
	body := graphProto([]string{"i", "cond", "state"}, []string{"go", "next"},
		nodeProto("Identity", []string{"cond"}, []string{"go"}),
		nodeProto("OptionalHasElement", []string{"state"}, []string{"has"}), nodeProto("Not", []string{"has"}, []string{"none"}),
		nodeProto("If", []string{"none"}, []string{"sequence"}, graphAttribute("then_branch", then), graphAttribute("else_branch", other)),
		constantProto("x", f32s([]int64{3}, 1, 2, 3)), constantProto("one", i64s(nil, 1)), constantProto("start", i64s([]int64{1}, 0)),
		nodeProto("Add", []string{"i", "one"}, []string{"end"}), nodeProto("Unsqueeze", []string{"end", "start"}, []string{"stop"}),
		nodeProto("Slice", []string{"x", "start", "stop"}, []string{"part"}), nodeProto("SequenceInsert", []string{"sequence", "part"}, []string{"next"}))
	elem := SequenceType(UnrankedType(tensor.Float))
	sequence := &onnxpb.TypeProto{Value: &onnxpb.TypeProto_SequenceType{SequenceType: &onnxpb.TypeProto_Sequence{
		ElemType: &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: 1}}},
	}}}
	body.Input[2].Type = &onnxpb.TypeProto{Value: &onnxpb.TypeProto_OptionalType{OptionalType: &onnxpb.TypeProto_Optional{ElemType: sequence}}}
	start := &Sequence{Elem: UnrankedType(tensor.Float), Values: []Value{f32s(nil, 0)}}
	for name, state := range map[string]*Optional{"none": {Elem: elem}, "some": {Elem: elem, Value: start}} {
		out, err := runNode(t, 16, "Loop", []Value{i64s(nil, 3), bools(nil, true), state}, 1, graphAttribute("body", body))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := out[0].(*Sequence).Values
		if len(got) != 4 || !tensor.EqualValues(got[3].(*tensor.Tensor), f32s([]int64{3}, 1, 2, 3)) {
			t.Errorf("%s: got %s", name, text(out[0]))
		}
	}
}
