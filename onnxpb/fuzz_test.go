// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/proto"
)

// FuzzReadSkeleton: what is read equals what proto.Unmarshal reads, and whatever
// is read can be written and read again.
func FuzzReadSkeleton(f *testing.F) {
	for _, c := range badWire {
		f.Add(c.wire)
	}
	for _, n := range []int{1, LongPayload + 1} {
		wire, err := proto.Marshal(places(n))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wire)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		if _, err := ReadSkeleton(bytes.NewReader(wire), int64(len(wire))); err != nil {
			return
		}
		compareWithUnmarshal(t, wire)
	})
}
