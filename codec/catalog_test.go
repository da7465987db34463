// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
)

// entry is a catalogue entry of n rows of two blocks.
func entry(t *testing.T, name string, n int64) (*catalog.Instance, *structview.Type) {
	t.Helper()
	e, err := catalog.Builtin().Entry(name)
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Instantiate([]int64{n, 2 * e.Values})
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	return in, r
}

// Every format of the catalogue has independent rows, and every range of them decodes as a part
// of the whole does.
func TestCatalogRows(t *testing.T) {
	const rows = 5
	for _, name := range catalog.Builtin().Names() {
		if !strings.HasPrefix(name, "ggml.") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			in, r := entry(t, name, rows)
			if r.Decoder() == nil {
				t.Skip("the entry is a layout alone, it has no decoder")
			}
			c, err := codec.New(r, codec.Env{Functions: in.Functions, Opsets: in.Opsets})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.RowIndependent(); err != nil {
				t.Errorf("RowIndependent: %v", err)
			}
			payload := make([]byte, r.Bits()/8)
			random := rand.New(rand.NewPCG(1, 2))
			for i := range payload {
				payload[i] = byte(random.Uint32())
			}
			sameRows(t, c, payload)
		})
	}
}

// A model that has every entry of the catalogue is valid.
func TestCatalogCheck(t *testing.T) {
	m := &onnxpb.ModelProto{IrVersion: 13, Graph: &onnxpb.GraphProto{Name: "main"}, OpsetImport: opsets(opset)}
	for _, name := range catalog.Builtin().Names() {
		e, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		shape := []int64{2, 2 * e.Values}
		if e.Values == 0 {
			shape = nil
		}
		in, err := e.Instantiate(shape)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.AddTo(m); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range codec.Check(m, structview.CheckOptions{}) {
		t.Error(d.Error())
	}
}
