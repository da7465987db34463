// SPDX-License-Identifier: Apache-2.0

//go:build unix

package codec_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/structview/structview/tensor"
)

// Values of several tiles, behind which no byte can be read: the last blocks are decoded from a copy, those before them
// where they lie.
func TestNothingBehindThePayload(t *testing.T) {
	for _, entry := range ggmlTypes(t) {
		for _, v := range []variant{{name: "itself"}, variants[2], variants[8]} {
			made := v.apply(t, entry)
			if made == nil {
				continue
			}
			fast, literal, size := codecs(t, made, 20011/made.Values*made.Values, 1)
			payload := random(size, 9)
			if got, want := decode(t, fast, beforeAPage(t, payload)), decode(t, literal, payload); !tensor.EqualValues(got, want) {
				t.Errorf("%s differs", made.Name)
			}
		}
	}
}

// beforeAPage is a copy of data that ends where a page begins that cannot be read.
func beforeAPage(tb testing.TB, data []byte) []byte {
	tb.Helper()
	page := os.Getpagesize()
	size := (len(data)+page-1)/page*page + page
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		tb.Skip("no such memory:", err)
	}
	tb.Cleanup(func() {
		if err := unix.Munmap(memory); err != nil {
			tb.Error(err)
		}
	})
	copied := memory[size-page-len(data) : size-page]
	copy(copied, data)
	if err := unix.Mprotect(memory[size-page:], unix.PROT_NONE); err != nil {
		tb.Fatal(err)
	}
	return copied
}
