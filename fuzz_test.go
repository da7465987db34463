// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
	"google.golang.org/protobuf/proto"
)

// FuzzCheck: no model makes Check panic or loop, what Resolve calls valid can be
// laid out, hashed and read, and the parts of a layout agree.
func FuzzCheck(f *testing.F) {
	for _, c := range checkCases {
		b, err := proto.Marshal(c.model)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var m onnxpb.ModelProto
		if proto.Unmarshal(text, &m) != nil {
			return
		}
		structview.Check(&m, structview.CheckOptions{})
		d, findings := structview.Resolve(m.StructTypes)
		valid := 0
		for i := range d.Len() {
			root, err := d.At(i)
			if err != nil {
				continue
			}
			valid++
			structview.Hash(root, m.Functions)
			checkLayout(t, root)
		}
		if valid < d.Len() && structview.Errors(findings) == nil {
			t.Errorf("%d of %d declarations are valid, and there is no error", valid, d.Len())
		}
	})
}

// checkLayout looks at the first leaves and elements of a type, and reads it all if it is small.
func checkLayout(t *testing.T, root *structview.Type) {
	const most = 50
	n := 0
	for l := range root.Layout().Leaves() {
		if n++; n > most {
			break
		}
		if again, err := root.Layout().Leaf(l.Path); err != nil || again.Offset != l.Offset || again.Width != l.Width {
			t.Errorf("%s: %+v, %v", l.Path, again, err)
		}
	}
	checkFirstElements(t, root, most)
	if root.Bits() > 1<<12 || root.Bits()%8 != 0 {
		return
	}
	v, err := structview.NewView(root, make([]byte, root.Bits()/8))
	if err != nil {
		t.Fatal(err)
	}
	n = 0
	for l := range root.Layout().Leaves() {
		if n++; n > most {
			break
		}
		b, err := structview.Bind(v, l.Path)
		if _, cannot := l.TensorDims(); cannot == nil && err != nil {
			t.Errorf("%s: %v", l.Path, err)
		}
		if err == nil && l.Constant == nil && len(b.Dims()) != len(l.Dims) {
			t.Errorf("%s: %v", l.Path, b.Dims())
		}
	}
}

func checkFirstElements(t *testing.T, root *structview.Type, most int) {
	n, end := 0, uint64(0)
	for e := range root.Layout().Elements(0, root.Bits()) {
		if n++; n > most {
			break
		}
		if e.Offset != end {
			t.Errorf("a gap at bit %d", end)
		}
		end = e.End()
		path, at, err := root.Layout().At(e.Offset)
		if err != nil || at != e {
			t.Errorf("At(%d) = %v, %v, %v", e.Offset, path, at, err)
		}
		if r, err := root.Layout().Resolve(path); err != nil || r.Offset() != e.Offset || len(r.Dims()) != 0 {
			t.Errorf("%v: %v", path, err)
		}
	}
}

// FuzzPath: no path makes a read panic or leave the payload, and a path's canonical
// spelling leads to the same place.
func FuzzPath(f *testing.F) {
	for _, path := range []string{
		"", "[1]", "[0].blocks[3].qs[15].lo", `[1]."a b"`, "codes[1][1]", "m[1][2]", "blocks[1:3].qs[:2].hi", "[18446744073709551615]",
		"blocks.qs.lo[3]", "[1:].m[:][1:2]", `"\u0061 b"`, "value", "[0][", "blocks[2:1]", "s[1]", "z[9].q",
	} {
		f.Add(path)
	}
	words, err := tensor.NewStrings([]int64{2}, [][]byte{[]byte("a"), []byte("b")})
	if err != nil {
		f.Fatal(err)
	}
	root := resolved(f, q4(), array(inline(structure(
		member("blocks", inline(array(ref(0), 4))),
		member("m", leaf(tensor.Int4, 2, 3)),
		member("a b", leaf(tensor.Complex128)),
		constant("codes", tensor.Of([]int64{2, 2}, int8(1), -2, 3, -4)),
		constant("s", words),
		member("z", inline(array(inline(structure(member("q", leaf(tensor.Int8)))), 0))),
	)), 2))
	v := view(f, root, make([]byte, root.Bits()/8))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := structview.ParsePath(text)
		if err != nil {
			return
		}
		again, err := structview.ParsePath(p.String())
		if err != nil || fmt.Sprint(again) != fmt.Sprint(p) {
			t.Fatalf("%q is spelled %q: %v", text, p, err)
		}
		r, err := v.At(text)
		if err != nil {
			return
		}
		if same, err := v.At(p.String()); err != nil || same.Offset() != r.Offset() || same.Len() != r.Len() {
			t.Fatalf("%q and %q differ", text, p)
		}
		readAll(t, v, r, text)
	})
}

// readAll reads through r in every way.
func readAll(t *testing.T, v structview.View, r structview.Ref, text string) {
	_, _ = v.Uint64(r)
	_, _ = v.Int64(r)
	_, _ = v.Float64(r)
	if b, err := v.Tensor(r); err == nil && uint64(b.Len()) != r.Len() {
		t.Errorf("%q: %d elements, want %d", text, b.Len(), r.Len())
	}
	if sub, err := v.Sub(r); err == nil {
		if bits, err := sub.Bits(); err != nil || uint64(len(bits)) != (sub.Type().Bits()+7)/8 {
			t.Errorf("%q: %d bytes, %v", text, len(bits), err)
		}
	}
	if run, err := v.Run(r); err == nil && uint64(len(run.AppendTo(nil))) != r.Len() {
		t.Errorf("%q: a run of %d", text, run.Len())
	}
}
