// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

func TestCheckPayload(t *testing.T) {
	root := resolved(t, array(inline(structure(
		member("n", leaf(tensor.Int4)), member("flags", leaf(tensor.Bool, 2)), member("m", leaf(tensor.Int4)),
	)), 2))
	payload := []byte{0x1F, 0x00, 0xF0, 0x0F, 0x02, 0xF3}
	got, err := structview.CheckPayload(view(t, root, payload))
	want := `SV030 warning: 2 BOOL elements are neither 0 nor 1; the first is [1].flags[0]: 0x20; other bytes read as true`
	if err != nil || lines(got) != want {
		t.Errorf("got %s, %v\nwant %s", lines(got), err, want)
	}
	if got, err := structview.CheckPayload(view(t, root, make([]byte, 6))); got != nil || err != nil {
		t.Error(got, err)
	}
}
