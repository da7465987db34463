// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

// Whatever a message says: no panic, and a tensor that is accepted comes back from its own message.
func FuzzFromProto(f *testing.F) {
	for _, typ := range all() {
		for _, p := range []*onnxpb.TensorProto{
			{DataType: int32(typ), Dims: []int64{2}, RawData: make([]byte, typ.Bits()/4)},
			{DataType: int32(typ), Dims: []int64{3, 1}, Int32Data: []int32{1, -2, 3}},
			{DataType: int32(typ), Dims: []int64{1 << 40, 0}},
			{DataType: int32(typ), FloatData: []float32{1, 2}, DoubleData: []float64{3}},
		} {
			data, err := proto.Marshal(p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p onnxpb.TensorProto
		if proto.Unmarshal(data, &p) != nil {
			return
		}
		x, err := FromProto(&p)
		if err != nil {
			return
		}
		y, err := FromProto(x.Proto(p.Name))
		if err != nil || !Equal(x, y) || !EqualValues(x, y) {
			t.Fatalf("%v%v came back as %v, %v", x.Type(), x.Dims(), y, err)
		}
		if isReal(x.Type()) {
			if v, err := Float64s(x); err != nil || int64(len(v)) != x.Len() {
				t.Fatalf("%d values of %d, %v", len(v), x.Len(), err)
			}
		}
	})
}
