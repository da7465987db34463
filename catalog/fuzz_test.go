// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/onnxpb"
)

// A user's file, whatever it holds, is an entry or an error; an entry can be instantiated or says why not.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(twoDeclarations), "whole", int64(2))
	f.Add([]byte("#param n = 3\n<> struct a <metadata_props: [\"values\": \"$(n)\"]> { bits(b: $(1 << n))[$(n)] x }"), "[n=4]", int64(1))
	f.Fuzz(func(t *testing.T, text []byte, declaration string, rows int64) {
		e, err := catalog.Load("fuzz.onnxtxt", text, declaration)
		if err != nil {
			return
		}
		shape := []int64{rows, e.Values}
		if e.Values == 0 {
			shape = nil
		}
		in, err := e.Instantiate(shape)
		if err != nil {
			return
		}
		m := &onnxpb.ModelProto{}
		first, err := in.AddTo(m)
		if err != nil {
			return
		}
		before := proto.CloneOf(m)
		if again, err := in.AddTo(m); err != nil || again != first || !proto.Equal(before, m) {
			t.Fatalf("added twice: %d and %d, %v", first, again, err)
		}
	})
}
