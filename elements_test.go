// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"math/rand/v2"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestOneMeaningForEveryElementType reads the same bytes as a field, as a constant and
// as raw_data of a TensorProto.
func TestOneMeaningForEveryElementType(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for e := tensor.Float; e.Valid(); e++ {
		if e == tensor.String {
			continue
		}
		const n = 12
		raw := randomBytes(rng, int(n*e.Bits()/8))
		p := &onnxpb.TensorProto{DataType: int32(e), Dims: []int64{3, 4}, RawData: raw}
		want, err := tensor.FromProto(p)
		if err != nil {
			t.Fatal(err)
		}
		root := resolved(t, structure(
			member("f", leaf(e, 3, 4)),
			&field{Name: "c", Content: &onnxpb.StructTypeProto_Field_Constant{Constant: p}},
		))
		v := view(t, root, raw)
		for _, path := range []string{"f", "c"} {
			got, err := structview.Bind(v, path)
			if err != nil || !tensor.Equal(got, want) {
				t.Errorf("%v: %s differs from raw_data: %v", e, path, err)
			}
		}
		for _, index := range []string{"[0][0]", "[2][1]", "[2][3]"} {
			field, err1 := v.AppendBits(nil, refTo(t, v, "f"+index))
			constant, err2 := v.AppendBits(nil, refTo(t, v, "c"+index))
			if err1 != nil || err2 != nil || string(field) != string(constant) {
				t.Errorf("%v%s: % x (%v), % x (%v)", e, index, field, err1, constant, err2)
			}
			if e.IsComplex() {
				continue
			}
			a, err1 := v.Float64(refTo(t, v, "f"+index))
			b, err2 := v.Float64(refTo(t, v, "c"+index))
			if err1 != nil || err2 != nil || a != b && a == a {
				t.Errorf("%v%s: %v (%v), %v (%v)", e, index, a, err1, b, err2)
			}
		}
	}
}
