// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// TestViewMisuse reads what is not there, or not so: each error says what to do instead.
func TestViewMisuse(t *testing.T) {
	root := misuseRoot(t)
	v := view(t, root, make([]byte, root.Bits()/8))
	blocks, err := v.Field(0)
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) structview.Ref { return refTo(t, v, path) }
	for _, c := range []struct {
		what string
		err  error
		want string
	}{
		{"Field of an array", second(blocks.Field(0)), "SV041 error: an array has no fields: use View.Index or View.At"},
		{"Field beyond", second(v.Field(17)), "SV041 error: field 17 does not exist: the structure has 17 fields"},
		{"Field of a constant", second(v.Field(15)), `SV041 error: field 15, "codes", is a constant and has no bits in the payload: use Bind`},
		{"Field of nothing", second(structview.View{}.Field(0)), "SV041 error: the view is empty: make one with NewView"},
		{"Index of a structure", second(v.Index(0)), "SV041 error: a structure has no index: use View.Field or View.At"},
		{"Index beyond", second(blocks.Index(3)), "SV041 error: index 3 does not exist: there are 3 elements, 0 to 2"},
		{"Index of nothing", second(structview.View{}.Index(0)), "SV041 error: the view is empty: make one with NewView"},
		{"Sub of many", second(v.Sub(at("blocks.d"))), "SV041 error: blocks.d: the path does not lead to one value with a type of its own: give an index for each dimension, or read elements with View.Tensor or View.Run"},
		{"Uint64 of many", second(v.Uint64(at("blocks.d"))), "SV041 error: blocks.d: the path leads to 3 elements, not to one: give an index for each dimension"},
		{"Uint64 of a structure", second(v.Uint64(at("blocks[1]"))), `SV041 error: blocks[1]: a structure "q4" is no leaf; it has d, qs`},
		{"Uint64 of a wide one", second(v.Uint64(at("wide[0].x"))), "SV041 error: wide[0].x: the element has 70 bits, more than 64: use View.AppendBits"},
		{"Int64 of a float", second(v.Int64(at("h"))), "SV041 error: h: a FLOAT16 is no integer: use View.Float64"},
		{"Float64 of a complex", second(v.Float64(at("c"))), "SV041 error: c: a COMPLEX64 is not one number: use View.AppendBits or View.Tensor"},
		{"BytesOf another type", second(structview.BytesOf[int16](v, at(`"a b"`))), `SV041 error: "a b": UINT16 (16 bits) cannot be read as INT16: T is uint16`},
		{"BytesOf a float", second(structview.BytesOf[float32](v, at("blocks.d"))), "SV041 error: blocks.d: FLOAT16 (16 bits) cannot be read as FLOAT: T is the Go type or the codes of FLOAT16, or uint16"},
		{"BytesOf a component", second(structview.BytesOf[uint8](v, at("blocks.qs.lo"))), "SV041 error: blocks.qs.lo: a component of 4 bits cannot be read as UINT8: use View.Run or View.Tensor"},
		{"BytesOf 4 bits", second(structview.BytesOf[uint8](v, at("i4"))), "SV041 error: i4: INT4 (4 bits) cannot be read as UINT8: use View.Run or View.Tensor"},
		{"BytesOf a complex", second(structview.BytesOf[float32](v, at("c"))), "SV041 error: c: COMPLEX64 (64 bits) cannot be read as FLOAT: T is uint64; or use View.Tensor"},
		{"BytesOf a BOOL", second(structview.BytesOf[int8](v, at("ok"))), "SV041 error: ok: BOOL (8 bits) cannot be read as INT8: T is uint8; or use View.Tensor"},
		{"Run of a wide one", second(v.Run(at("wide.x"))), "SV041 error: wide.x: the element has 70 bits, more than 64: use View.AppendBits"},
		{"Tensor of a wide one", second(v.Tensor(at("wide.x"))), "SV011 error: wide.x: a component of 70 bits cannot be bound: no element type holds more than 64"},
		{"short", second(structview.NewView(root, make([]byte, 3))), "SV022 error: the payload has 3 bytes; struct_types[1] takes 105"},
		{"no type", second(structview.NewView(nil, nil)), "SV041 error: a view needs a type"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.what, c.err, c.want)
		}
	}
	if got, err := v.AppendBits(nil, at("wide[0].x")); len(got) != 9 || err != nil {
		t.Error(got, err)
	}
	if x, err := v.Tensor(at("codes")); err != nil || !tensor.Equal(x, tensor.Of([]int64{2}, int8(1), 2)) {
		t.Error(x, err)
	}
}
