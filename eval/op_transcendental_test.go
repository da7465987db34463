// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

var nan, inf = math.NaN(), math.Inf(1)

// curveCase is a point of a function of one operand, known from elsewhere to float64 precision.
type curveCase struct {
	op      string
	version int64
	x, y    float64
	attrs   []*onnxpb.AttributeProto
}

func functionCases() []curveCase {
	return []curveCase{
		{"Exp", 13, 1, 2.718281828459045, nil},
		{"Exp", 6, -2, 0.1353352832366127, nil},
		{"Log", 13, 2, 0.6931471805599453, nil},
		{"Log", 13, -1, nan, nil},
		{"Log", 13, 0, -inf, nil},
		{"Erf", 13, 0.5, 0.5204998778130465, nil},
		{"Erf", 9, -2, -0.9953222650189527, nil},
		{"Sin", 22, 2, 0.9092974268256817, nil},
		{"Sin", 7, 1e10, -0.48750602508751068, nil},
		{"Cos", 22, 2, -0.4161468365471424, nil},
		{"Tan", 22, 2, -2.185039863261519, nil},
		{"Asin", 22, 0.5, 0.5235987755982989, nil},
		{"Acos", 22, 0.5, 1.0471975511965979, nil},
		{"Atan", 22, -2, -1.1071487177940904, nil},
		{"Sinh", 22, 1, 1.1752011936438014, nil},
		{"Cosh", 9, 1, 1.5430806348152437, nil},
		{"Tanh", 13, 0.5, 0.46211715726000973, nil},
		{"Asinh", 22, 1, 0.881373587019543, nil},
		{"Acosh", 22, 2, 1.3169578969248166, nil},
		{"Atanh", 22, -0.5, -0.5493061443340549, nil},
	}
}

func activationCases() []curveCase {
	alpha := func(v float32) []*onnxpb.AttributeProto {
		return []*onnxpb.AttributeProto{floatAttribute("alpha", v)}
	}
	tanh := []*onnxpb.AttributeProto{stringAttribute("approximate", "tanh")}
	return []curveCase{
		{"Sigmoid", 13, 1, 0.7310585786300049, nil},
		{"Sigmoid", 13, -100, 3.720075976020836e-44, nil},
		{"Softplus", 22, 1, 1.3132616875182228, nil},
		{"Softplus", 1, 1000, 1000, nil},
		{"Softsign", 22, -3, -0.75, nil},
		{"Softsign", 22, inf, 1, nil},
		{"Mish", 18, 1, 0.8650983882673103, nil},
		{"Mish", 22, -inf, 0, nil},
		{"Elu", 22, -1, -0.6321205588285577, nil},
		{"Elu", 6, 3, 3, alpha(7)},
		{"Selu", 22, -1, -1.1113307448773503, nil},
		{"Celu", 28, -1, -0.7869386805747332, alpha(2)},
		{"Swish", 24, 1, 0.7310585786300049, nil},
		{"Swish", 24, 2, 0.5378828427399902, alpha(-0.5)},
		{"Gelu", 20, 1, 0.8413447460685429, nil},
		{"Gelu", 20, -3, -0.00404969409489031, nil},
		{"Gelu", 20, 1, 0.8411919906082768, tanh},
		{"HardSigmoid", 22, 1, 0.7, nil},
		{"HardSwish", 22, 1, 2.0 / 3, nil},
		{"LeakyRelu", 16, -4, -2, alpha(0.5)},
		{"ThresholdedRelu", 22, 1.5, 0, alpha(2)},
		{"ThresholdedRelu", 10, 2.5, 2.5, alpha(2)},
		{"Relu", 14, -3, 0, nil},
		{"Shrink", 9, -3, -2, []*onnxpb.AttributeProto{floatAttribute("bias", 1), floatAttribute("lambd", 2)}},
		{"Shrink", 9, 2, 0, []*onnxpb.AttributeProto{floatAttribute("bias", 1), floatAttribute("lambd", 2)}},
	}
}

func TestCurves(t *testing.T) {
	for _, o := range append(functionCases(), activationCases()...) {
		narrow, _ := runCurve(t, o, tensor.Of(nil, float32(o.x))).(float64)
		if !nearby(narrow, o.y, 1.2e-7) {
			t.Errorf("%s of FLOAT %v = %v, want %v", o.op, o.x, narrow, o.y)
		}
		if o.op == "Celu" && o.version < 28 {
			continue
		}
		if o.op != "Sin" || o.x < 1e9 {
			if wide, _ := runCurve(t, o, tensor.Of(nil, o.x)).(float64); !nearby(wide, o.y, 5e-9) {
				t.Errorf("%s of DOUBLE %v = %v, want %v", o.op, o.x, wide, o.y)
			}
		}
	}
}

func runCurve(t *testing.T, o curveCase, x *tensor.Tensor) any {
	t.Helper()
	out, err := runNode(t, o.version, o.op, []Value{x}, 1, o.attrs...)
	if err != nil {
		t.Fatalf("%s: %v", o.op, err)
	}
	v, err := tensor.Float64s(out[0].(*tensor.Tensor))
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

// nearby allows a relative error, and denormal FLOATs half a unit.
func nearby(got, want, relative float64) bool {
	if math.IsNaN(want) {
		return math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= relative*math.Abs(want)+1e-45
}

// TestHalfRoundsOnce has values whose FLOAT16 and BFLOAT16 results are known by their codes.
func TestHalfRoundsOnce(t *testing.T) {
	f16 := func(v ...uint16) *tensor.Tensor { return codes16(t, tensor.Float16, v) }
	bf16 := func(v ...uint16) *tensor.Tensor { return codes16(t, tensor.BFloat16, v) }
	// exp(1) = 2.71828…: the nearest FLOAT16 is 2.71875, the nearest BFLOAT16 2.71875; exp(12) overflows FLOAT16.
	wantNode(t, 13, "Exp", []Value{f16(0x3c00, 0x4a00, 0xfc00)}, f16(0x4170, 0x7c00, 0))
	wantNode(t, 13, "Exp", []Value{bf16(0x3f80)}, bf16(0x402e))
	// 2048 + 1 + 1: each FLOAT16 addition alone would stay at 2048.
	wantNode(t, 13, "ReduceSum", []Value{f16(0x6800, 0x3c00, 0x3c00)}, f16(0x6801), intAttribute("keepdims", 1))
	// The running sums 2048, 2049, 2050 are rounded one by one.
	wantNode(t, 14, "CumSum", []Value{f16(0x6800, 0x3c00, 0x3c00), tensor.Of(nil, int64(0))}, f16(0x6800, 0x6800, 0x6801))
}

func codes16(t *testing.T, typ tensor.Type, v []uint16) *tensor.Tensor {
	t.Helper()
	data := make([]byte, 0, 2*len(v))
	for _, x := range v {
		data = append(data, byte(x), byte(x>>8))
	}
	out, err := tensor.New(typ, []int64{int64(len(v))}, data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestActivationsOfIntegers(t *testing.T) {
	i := tensor.Of[int32]
	wantNode(t, 14, "Relu", []Value{i([]int64{3}, -5, 0, 7)}, i([]int64{3}, 0, 0, 7))
	wantNode(t, 13, "Erf", []Value{i([]int64{3}, -9, 0, 1)}, i([]int64{3}, -1, 0, 0))
	wantNode(t, 9, "Shrink", []Value{i([]int64{4}, -3, -1, 1, 5)}, i([]int64{4}, -1, 0, 0, 3),
		floatAttribute("bias", 2), floatAttribute("lambd", 1))
	wantNode(t, 9, "Shrink", []Value{tensor.Of([]int64{1}, int64(math.MaxInt64))}, tensor.Of([]int64{1}, int64(math.MaxInt64-2)),
		floatAttribute("bias", 2), floatAttribute("lambd", 1))
	wantNode(t, 16, "PRelu", []Value{i([]int64{2, 2}, -1, -2, 3, -4), i([]int64{2}, 10, 20)}, i([]int64{2, 2}, -10, -40, 3, -80))
	wantError(t, 16, "PRelu", []Value{i([]int64{2}, 1, 2), i([]int64{2, 2}, 1, 2, 3, 4)},
		"node 0 (PRelu): slope: [2,2] does not broadcast to [2]")
	wantError(t, 20, "Gelu", []Value{tensor.Of(nil, float32(1))},
		`node 0 (Gelu): attribute approximate is "sigmoid", expected none or tanh`, stringAttribute("approximate", "sigmoid"))
	wantError(t, 13, "Relu", []Value{i(nil, 1)},
		"node 0 (Relu): input 0 (X): INT32[] is not allowed, expected one of FLOAT, FLOAT16, DOUBLE, BFLOAT16")
}

// TestSpecialValues pins NaN, infinities and the sign of zero.
func TestSpecialValues(t *testing.T) {
	f := func(v ...float64) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }
	zero := math.Copysign(0, -1)
	for _, o := range []struct {
		op      string
		version int64
		x, y    *tensor.Tensor
	}{
		{"Relu", 14, f(nan, -inf, inf), f(nan, 0, inf)},
		{"LeakyRelu", 16, f(nan, inf), f(nan, inf)},
		{"Gelu", 20, f(nan, -inf, inf), f(nan, zero, inf)},
		{"Swish", 24, f(nan, -inf, inf), f(nan, 0, inf)},
		{"Mish", 22, f(nan, inf), f(nan, inf)},
		{"Softplus", 22, f(nan, -inf, inf), f(nan, 0, inf)},
		{"Sigmoid", 13, f(nan, -inf, inf), f(nan, 0, 1)},
		{"Elu", 22, f(nan, -inf, inf), f(nan, -1, inf)},
		{"HardSigmoid", 22, f(nan, -inf, inf), f(nan, 0, 1)},
		{"Asinh", 22, f(zero, -inf), f(zero, -inf)},
		{"Sinh", 22, f(zero), f(zero)},
		{"Atanh", 22, f(zero, 1, 2), f(zero, inf, nan)},
		{"Acosh", 22, f(1, 0.5), f(0, nan)},
		{"ThresholdedRelu", 22, f(nan), f(0)},
	} {
		wantNode(t, o.version, o.op, []Value{o.x}, o.y)
	}
}
