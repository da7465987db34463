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

// mapped maps a file of a number of blocks.
func mapped(t *testing.T, blocks int64, prot int) (*os.File, structview.Writer, []byte) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "w.bin")
	if err := os.WriteFile(name, make([]byte, blocks*18), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := mmap.Map(f, prot, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = payload.Unmap(), f.Close() })
	w, err := structview.Patch(resolved(t, q4(), array(ref(0), uint64(blocks))), payload)
	if err != nil {
		t.Fatal(err)
	}
	return f, w, payload
}

func TestPatchOfAMappedFile(t *testing.T) {
	f, w, payload := mapped(t, 10, mmap.RDWR)
	if err := w.Set("[3].d", 1); err != nil {
		t.Fatal(err)
	}
	if err := mmap.MMap(payload).Flush(); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 2)
	if _, err := f.ReadAt(got, 3*18); err != nil || got[1] != 0x3C {
		t.Errorf("% x, %v", got, err)
	}
}

// TestPatchThatCannotWrite writes where the system refuses it.
func TestPatchThatCannotWrite(t *testing.T) {
	_, readOnly, _ := mapped(t, 1000, mmap.RDONLY)
	f, short, _ := mapped(t, 1000, mmap.RDWR)
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]structview.Writer{"read only": readOnly, "truncated": short} {
		last := must(w.At("[999].d"))
		for what, err := range map[string]error{
			"SetUint64": w.SetUint64(last, 1),
			"SetInt64":  w.SetInt64(must(w.At("[999].qs[1].lo")), 1),
			"SetBits":   w.SetBits(last, []byte{1, 2}),
			"SetTensor": w.SetTensor(must(w.At("[998:].qs[0].hi")), tensor.Of([]int64{2}, uint8(1), 2)),
			"SetAll":    structview.SetAll(w, must(w.At("[998:].d")), []uint16{1, 2}),
			"SetRun": w.SetRun(must(w.At("[998:].d")), func(yield func(uint64) bool) {
				_ = yield(1) && yield(2)
			}),
			"Set":  w.Set("[999].d", 1.5),
			"Zero": w.Zero("d"),
			"Copy": w.Set("[999]", view(t, resolved(t, q4()), make([]byte, 18))),
		} {
			if !errors.Is(err, structview.ErrTruncated) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
	}
}
