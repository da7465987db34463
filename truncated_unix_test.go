// SPDX-License-Identifier: Apache-2.0

//go:build unix

package structview_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/edsrzf/mmap-go"
	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// TestTruncatedFile shortens a mapped file behind a view's back.
func TestTruncatedFile(t *testing.T) {
	const blocks = 1000
	name := filepath.Join(t.TempDir(), "w.bin")
	if err := os.WriteFile(name, make([]byte, blocks*18), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	payload, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = payload.Unmap() }()
	v := view(t, resolved(t, q4(), array(ref(0), blocks)), payload).Guarded()
	into := must(structview.NewWriter(v.Type()))
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	for what, err := range readEverything(v, into) {
		if !errors.Is(err, structview.ErrTruncated) {
			t.Errorf("%s: %v", what, err)
		}
	}
	through := must(structview.Patch(v.Type(), payload)).View()
	for what, err := range readEverything(through, into) {
		if !errors.Is(err, structview.ErrTruncated) {
			t.Errorf("of a patch: %s: %v", what, err)
		}
	}
	// Reads that fail leave the view usable for what is still there.
	if err := f.Truncate(blocks * 18); err != nil {
		t.Fatal(err)
	}
	if d, err := structview.Bind(v, "d"); err != nil || d.Type() != tensor.Float16 {
		t.Error(err)
	}
}

// block is q4 as a Go type.
type block struct {
	D  tensor.F16 `structview:"name=d"`
	Qs [16]struct {
		Lo uint8 `structview:"bits=4,name=lo"`
		Hi uint8 `structview:"bits=4,name=hi"`
	} `structview:"name=qs"`
}

// readEverything reads an array of q4 with every method and function that reads a View, also through its parts.
func readEverything(v structview.View, into structview.Writer) map[string]error {
	last := must(v.At("[999].d"))
	one, inner := must(v.Index(999)), must(v.Sub(must(v.At("[999]"))))
	return map[string]error{
		"Uint64":           second(v.Uint64(last)),
		"Int64":            second(v.Int64(must(v.At("[999].qs[15].hi")))),
		"Float64":          second(v.Float64(last)),
		"AppendBits":       second(v.AppendBits(nil, last)),
		"Bits":             second(v.Bits()),
		"Tensor":           second(v.Tensor(must(v.At("[:].d")))),
		"Bind":             second(structview.Bind(v, "qs.lo")),
		"BindLeaf":         second(structview.BindLeaf(v, must(v.Type().Layout().Leaf("d")))),
		"PatchCopy":        second(structview.PatchCopy(v)),
		"As":               second(structview.As[[1000]block](v)),
		"AppendAs":         second(structview.AppendAs[block](nil, v)),
		"Copy":             into.Copy(must(into.At("")), v),
		"of Index: Uint64": second(one.Uint64(must(one.At("d")))),
		"of Index: As":     second(structview.As[block](one)),
		"of Sub: Bits":     second(inner.Bits()),
		"of Field: Float64": func() error {
			d := must(one.Field(0))
			return second(d.Float64(must(d.At(""))))
		}(),
	}
}

// TestTruncatedBools is CheckPayload of what is no longer there.
func TestTruncatedBools(t *testing.T) {
	name := filepath.Join(t.TempDir(), "w.bin")
	f := must(os.Create(name))
	defer f.Close()
	if err := f.Truncate(1 << 16); err != nil {
		t.Fatal(err)
	}
	payload := must(mmap.Map(f, mmap.RDONLY, 0))
	defer func() { _ = payload.Unmap() }()
	v := view(t, resolved(t, array(leaf(tensor.Bool), 1<<16)), payload).Guarded()
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	if _, err := structview.CheckPayload(v); !errors.Is(err, structview.ErrTruncated) {
		t.Error(err)
	}
}
