// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

func TestParsePath(t *testing.T) {
	name, index := structview.Name, structview.Index
	for text, want := range map[string]structview.Path{
		"":                               nil,
		"d":                              {name("d")},
		"[17].qs[3].lo":                  {index(17), name("qs"), index(3), name("lo")},
		".qs[3]":                         {name("qs"), index(3)},
		`"a b".c`:                        {name("a b"), name("c")},
		`"\"\\\/\b\n\u00e9\ud83d\ude00"`: {name("\"\\/\b\né😀")},
		"\"\xff\"":                       {name("\xff")},
		"w[2:5][:][1:][:4]": {
			name("w"),
			{From: 2, To: 5, IsRange: true},
			{To: structview.ToEnd, IsRange: true},
			{From: 1, To: structview.ToEnd, IsRange: true},
			{To: 4, IsRange: true},
		},
		"[18446744073709551615]": {index(1<<64 - 1)},
	} {
		got, err := structview.ParsePath(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestParsePathErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a b":                    `at byte 1: expected . or [, found " "`,
		"a.":                     `at byte 2: expected a name, found the end`,
		"ü":                      `at byte 0: expected a name, found "ü"`,
		"[":                      `at byte 1: expected an index, found the end`,
		"[-1]":                   `at byte 1: expected an index, found "-"`,
		"[1":                     `at byte 2: expected ] or :, found the end`,
		"[1:2":                   `at byte 4: expected ], found the end`,
		"[18446744073709551616]": `at byte 1: index 18446744073709551616 is 2^64 or more`,
		`""`:                     `at byte 0: a name is not empty`,
		`"a`:                     `at byte 0: the string does not end`,
		`"\x"`:                   `at byte 1: expected one of \" \\ \/ \b \f \n \r \t \uXXXX`,
		"\"\n\"":                 `at byte 1: expected an escape, found "\n"`,
	} {
		_, err := structview.ParsePath(text)
		if d, ok := err.(*structview.Diagnostic); !ok || d.Message != want || d.Rule != "SV041" {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestPathSpelling(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 4).Draw(rt, "steps")
		var p structview.Path
		for range n {
			switch rapid.IntRange(0, 2).Draw(rt, "form") {
			case 0:
				p = append(p, structview.Name(rapid.StringN(1, 5, -1).Draw(rt, "name")))
			case 1:
				p = append(p, structview.Index(rapid.Uint64().Draw(rt, "index")))
			default:
				p = append(p, structview.Step{From: rapid.Uint64().Draw(rt, "from"), To: rapid.Uint64().Draw(rt, "to"), IsRange: true})
			}
		}
		back, err := structview.ParsePath(p.String())
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(p, back); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// TestQuotedNamesAreJSON: what a path quotes, JSON reads.
func TestQuotedNamesAreJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.StringN(0, 8, -1).Draw(rt, "name") + " "
		var back string
		if err := json.Unmarshal([]byte(structview.Path{structview.Name(name)}.String()), &back); err != nil || back != name {
			rt.Fatalf("%q: %q, %v", name, back, err)
		}
	})
}

// pathRoot has something of every kind.
func pathRoot(t *testing.T) *structview.Type {
	return resolved(t, q4(), array(inline(structure(
		member("blocks", inline(array(ref(0), 4))),
		member("m", leaf(tensor.Int16, 2, 3)),
		member("a b", leaf(tensor.Complex128)),
		constant("codes", tensor.Of([]int64{2, 2}, int8(1), -2, 3, -4)),
	)), 2))
}

func TestPathErrors(t *testing.T) {
	l := pathRoot(t).Layout()
	for path, want := range map[string]string{
		"blocs":             `blocs: no "blocs" in the structure; the nearest name is blocks`,
		"[0].blocks.qs.hii": `[0].blocks.qs.hii: no "hii" in the bit packing; the nearest name is [0].blocks.qs.hi`,
		"zzzzzzzzzzz":       `zzzzzzzzzzz: no "zzzzzzzzzzz" in the structure, which has blocks, m, "a b", codes`,
		"[2]":               `[2]: index 2 does not exist: there are 2 elements, 0 to 1`,
		"[0].blocks[4]":     `[0].blocks[4]: index 4 does not exist: there are 4 elements, 0 to 3`,
		"[0][1]":            `[0][1]: a structure has no index here`,
		"[0].m[1][3]":       `[0].m[1][3]: index 3 does not exist: there are 3 elements, 0 to 2`,
		"[0].m[1][2][0]":    `[0].m[1][2][0]: a scalar has no index here`,
		"m.x":               `m.x: no "x" here: the path has led to a tensor, which has no names`,
		"blocks.qs.lo[3]":   `blocks.qs.lo[3]: a component has no index here: the index of a bit packing stands before the component's name`,
		"blocks.qs[3][0]":   `blocks.qs[3][0]: a bit packing has no index here: the arrays outside it are indexed before its name`,
		"codes[1][2]":       `codes[1][2]: index 2 does not exist: there are 2 elements, 0 to 1`,
		"codes.x":           `codes.x: no "x" here: the path has led to a constant, which has no names`,
		"[1:3]":             `[1:3]: range 1 to 3 does not fit: there are 2 elements, 0 to 1`,
		"blocks[3:2]":       `blocks[3:2]: range 3 to 2 does not fit: there are 4 elements, 0 to 3`,
	} {
		p, err := structview.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Resolve(p); err == nil || err.Error() != "SV041 error: "+want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

func TestLeafErrors(t *testing.T) {
	l := pathRoot(t).Layout()
	for path, want := range map[string]string{
		"blocks.dd":   `blocks.dd: no "dd" in the structure "q4"; the nearest name is blocks.d`,
		"blocks":      `blocks: a structure "q4" is no leaf; it has d, qs`,
		`"m"`:         `"m": a leaf is named by its canonical path m`,
		".m":          `.m: a leaf is named by its canonical path m`,
		"blocks[0].d": `blocks[0].d: a leaf is named without indices`,
		"value":       `value: no "value" in the structure, which has blocks, m, "a b", codes`,
		"":            `a structure is no leaf; it has blocks, m, "a b", codes`,
	} {
		if _, err := l.Leaf(path); err == nil || err.Error() != "SV041 error: "+want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	scalar := resolved(t, array(leaf(tensor.Int8), 3)).Layout()
	if _, err := scalar.Leaf("x"); err == nil || err.Error() != `SV041 error: x: no "x" here: the path has led to an array, which has no names; its path is "value"` {
		t.Error(err)
	}
	if _, err := scalar.Leaf(""); err == nil || err.Error() != `SV041 error: a leaf is named by its canonical path value` {
		t.Error(err)
	}
}

func TestLeavesInOrder(t *testing.T) {
	var got []string
	for l := range pathRoot(t).Layout().Leaves() {
		got = append(got, l.Path)
	}
	want := []string{"blocks.d", "blocks.qs.lo", "blocks.qs.hi", "m", `"a b"`, "codes"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for l := range pathRoot(t).Layout().Leaves() {
		if l.Path == "blocks.qs.lo" {
			break // stopping early is allowed
		}
	}
}

func TestReadingErrors(t *testing.T) {
	root := pathRoot(t)
	v := view(t, root, make([]byte, root.Bits()/8))
	other := view(t, resolved(t, q4()), make([]byte, 18))
	for path, want := range map[string]string{
		"[0].m":         "SV041 error: [0].m: the path leads to 6 elements, not to one: give an index for each dimension",
		"[0].blocks[0]": `SV041 error: [0].blocks[0]: a structure "q4" is no leaf; it has d, qs`,
		`[0]."a b"`:     `SV041 error: [0]."a b": the element has 128 bits, more than 64: use View.AppendBits`,
	} {
		if _, err := v.Uint64(refTo(t, v, path)); err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	if _, err := other.Uint64(refTo(t, v, "[0].m[0][0]")); err == nil ||
		err.Error() != `SV041 error: [0].m[0][0]: the reference is for another type (array) than the value's (structure "q4")` {
		t.Error(err)
	}
	var none structview.Ref
	var empty structview.View
	for _, err := range []error{
		second(v.Uint64(none)), second(empty.Uint64(none)), second(empty.Uint64(refTo(t, v, "m"))), second(empty.At("a")),
		second(empty.Index(0)), second(empty.Field(0)), second(empty.Tensor(none)), second(v.Sub(none)), second(none.Index(0)),
		second(v.Run(none)), second(structview.Bind(empty, "a")), second(v.Index(2)), second(v.AppendBits(nil, none)),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestConstantsAreReadLikeFields(t *testing.T) {
	root := pathRoot(t)
	v := view(t, root, make([]byte, root.Bits()/8))
	if got := intAt(t, v, "codes[1][1]"); got != -4 {
		t.Errorf("codes[1][1] = %d", got)
	}
	if got := intAt(t, v, "[1].codes[0][1]"); got != -2 {
		t.Errorf("codes[0][1] = %d", got)
	}
	row, err := v.Tensor(refTo(t, v, "codes[:][0]"))
	if err != nil || !tensor.Equal(row, tensor.Of([]int64{2}, int8(1), 3)) {
		t.Error(row, err)
	}
	words, err := tensor.NewStrings([]int64{3}, [][]byte{[]byte("a"), []byte("b"), []byte("c")})
	if err != nil {
		t.Fatal(err)
	}
	root = resolved(t, structure(constant("s", words)))
	v = view(t, root, nil)
	some, err := v.Tensor(refTo(t, v, "s[1:]"))
	if err != nil || some.Len() != 2 || string(some.Strings()[0]) != "b" {
		t.Error(some, err)
	}
	if _, err := v.Uint64(refTo(t, v, "s[0]")); err == nil || err.Error() != "SV041 error: s[0]: a STRING has no bits: use View.Tensor" {
		t.Error(err)
	}
}

func TestSubViews(t *testing.T) {
	root := pathRoot(t)
	payload := make([]byte, root.Bits()/8)
	for i := range payload {
		payload[i] = byte(i + 1)
	}
	v := view(t, root, payload)
	block, err := v.Sub(refTo(t, v, "[1].blocks[2]"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := uintAt(t, block, "qs[5].hi"), uintAt(t, v, "[1].blocks[2].qs[5].hi"); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	row, err := v.Sub(refTo(t, v, "[1].blocks[2].qs[5]"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := uintAt(t, row, "hi"), uintAt(t, v, "[1].blocks[2].qs[5].hi"); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	second, err := v.Index(1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := second.Field(1)
	if err != nil {
		t.Fatal(err)
	}
	m, err = m.Index(1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := intAt(t, m, "[2]"), intAt(t, v, "[1].m[1][2]"); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	for _, path := range []string{"blocks", "codes", "[0].blocks.qs", "[0].blocks[0].qs.lo"} {
		if _, err := v.Sub(refTo(t, v, path)); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if r, err := refTo(t, v, "[0].m").Index(1); err != nil {
		t.Error(err)
	} else if _, err := v.Sub(r); err == nil {
		t.Error("a reference that was indexed has no type")
	}
}
