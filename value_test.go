// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

func TestAccepts(t *testing.T) {
	d, findings := structview.Resolve([]*decl{q4(), q4()})
	if findings != nil {
		t.Fatal(findings)
	}
	first, second := structview.Struct{Proto: &value{Name: "a"}}, structview.Struct{Proto: &value{Name: "b", Type: 1}}
	inlined := structview.Struct{Proto: &value{Name: "c", Type: -1, StructType: q4()}}
	bad := structview.Struct{Proto: &value{Name: "d", Type: 7}}
	any := inline(&decl{})
	keys := tensor.Of([]int64{2}, int64(3), int64(4))
	for _, c := range []struct {
		name   string
		static *typ
		value  structview.Value
		want   string // "" accepts
	}{
		{"exact", ref(0), first, ""},
		{"exact, another type", ref(0), second, "expected a value of type 0, found one of type 1"},
		{"exact, an equal inline type", ref(0), inlined, "expected a value of type 0, found one of an inline type"},
		{"exact, a tensor", ref(0), keys, "expected a structured value, found a tensor INT64[2]"},
		{"any", any, second, ""},
		{"any, inline", any, inlined, ""},
		{"any, invalid", any, bad, "the value has no valid type: SV002 error: type 7 names no declaration: struct_types has entries 0 to 1"},
		{"sequence of one type", sequence(ref(1)), structview.Sequence{second, second}, ""},
		{"mixed sequence of one type", sequence(ref(1)), structview.Sequence{second, first}, "[1]: expected a value of type 1, found one of type 0"},
		{"mixed sequence of any", sequence(any), structview.Sequence{second, first, inlined}, ""},
		{"no sequence", sequence(any), first, `expected a sequence, found a structured value "a"`},
		{"map", mapping(tensor.Int64, ref(0)), structview.Map{Keys: keys, Values: []structview.Value{first, first}}, ""},
		{"map of another value", mapping(tensor.Int64, ref(0)), structview.Map{Keys: keys, Values: []structview.Value{first, second}}, "[1]: expected a value of type 0, found one of type 1"},
		{"map of other keys", mapping(tensor.String, ref(0)), structview.Map{Keys: keys, Values: []structview.Value{first, first}}, "expected 2 keys of type STRING, found a tensor INT64[2]"},
		{"map of too few keys", mapping(tensor.Int64, ref(0)), structview.Map{Keys: keys, Values: []structview.Value{first}}, "expected 1 keys of type INT64, found a tensor INT64[2]"},
		{"map without keys", mapping(tensor.Int64, ref(0)), structview.Map{Values: []structview.Value{first}}, "expected 1 keys of type INT64, found nothing"},
		{"optional", optional(ref(0)), structview.Optional{Value: first}, ""},
		{"optional of none", optional(ref(0)), structview.Optional{}, ""},
		{"optional of another", optional(ref(0)), structview.Optional{Value: second}, "expected a value of type 0, found one of type 1"},
		{"sequence of optionals", sequence(optional(any)), structview.Sequence{structview.Optional{}, structview.Optional{Value: bad}}, "[1]: the value has no valid type: SV002 error: type 7 names no declaration: struct_types has entries 0 to 1"},
		{"tensor", leaf(tensor.Int64, 2), keys, ""},
		{"tensor of another shape", leaf(tensor.Int64, 3), keys, "expected dimension 0 to be 3, found a tensor INT64[2]"},
		{"inline static type", inline(q4()), first, "a static type is a type_index or leaves kind unset; found an inline structure"},
		{"nothing", any, nil, "expected a structured value, found nothing"},
	} {
		err := d.Accepts(c.static, c.value)
		got := ""
		if err != nil {
			got = err.Error()
			got = got[len("SV051 error: "):]
		}
		if got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestWalkingValues(t *testing.T) {
	words, err := tensor.NewStrings([]int64{2}, [][]byte{[]byte("x"), []byte("y z")})
	if err != nil {
		t.Fatal(err)
	}
	a := structview.Struct{Proto: &value{Name: "a"}}
	v := structview.Sequence{
		a,
		structview.Map{Keys: words, Values: []structview.Value{a, tensor.Of([]int64{1}, int8(1))}},
		structview.Optional{},
		structview.Map{Keys: tensor.Of([]int64{1}, int32(-3)), Values: []structview.Value{structview.Optional{Value: a}}},
	}
	want := `sequence { [0]: a structured value "a"; [1]["x"]: a structured value "a"; [1]["y z"]: a tensor INT8[1]; [3][-3]: a structured value "a"; }`
	if got := v.String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for path := range structview.Walk(v) {
		if path != "[0]" {
			t.Errorf("%s after the walk was stopped", path)
		}
		break
	}
}
