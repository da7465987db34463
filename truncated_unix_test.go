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
	v := view(t, resolved(t, q4(), array(ref(0), blocks)), payload)
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	last := refTo(t, v, "[999].d")
	for what, err := range map[string]error{
		"Uint64":     second(v.Uint64(last)),
		"Int64":      second(v.Int64(refTo(t, v, "[999].qs[15].hi"))),
		"Float64":    second(v.Float64(last)),
		"AppendBits": second(v.AppendBits(nil, last)),
		"Bits":       second(v.Bits()),
		"Tensor":     second(v.Tensor(refTo(t, v, "[:].d"))),
		"Bind":       second(structview.Bind(v, "qs.lo")),
	} {
		if !errors.Is(err, structview.ErrTruncated) {
			t.Errorf("%s: %v", what, err)
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
