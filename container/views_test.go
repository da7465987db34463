// SPDX-License-Identifier: Apache-2.0

package container

import (
	"errors"
	"os"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// TestViewsOfMappings reads views of a file that shrinks, mapped in one piece and by regions: nobody asked for a guard.
// Once the file is closed, nothing is left of the mapping.
func TestViewsOfMappings(t *testing.T) {
	const size, begin = 4 * granularity, granularity - 100
	typ, err := structview.Array(size-begin, structview.Scalar(tensor.Uint8)).Type()
	if err != nil {
		t.Fatal(err)
	}
	for name, limit := range map[string]int64{"one piece": addressable, "regions": 0} {
		path := temp(t, numbered(size))
		src, err := OpenSource(path)
		if err != nil {
			t.Fatal(err)
		}
		src.(*fileSource).limit = limit
		b, err := src.Region(begin, size-begin)
		if err != nil {
			t.Fatal(err)
		}
		v, err := structview.NewView(typ, b)
		if err != nil {
			t.Fatal(err)
		}
		last, err := v.At("[196707]")
		if err != nil {
			t.Fatal(err)
		}
		if x, err := v.Uint64(last); err != nil || x != uint64(numbered(size)[size-1]) {
			t.Errorf("%s: %d, %v", name, x, err)
		}
		if err := os.Truncate(path, begin+10); err != nil {
			t.Skip(err)
		}
		if _, err := v.Uint64(last); !errors.Is(err, structview.ErrTruncated) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := v.Bits(); !errors.Is(err, structview.ErrTruncated) {
			t.Errorf("%s: %v", name, err)
		}
		if err := src.Close(); err != nil || fault.Mapped(b) {
			t.Errorf("%s: still mapped (%v)", name, err)
		}
	}
}
