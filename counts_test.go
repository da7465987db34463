// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"testing"

	"github.com/structview/structview/onnxpb"
)

func TestCountsNoticeWhatWasDropped(t *testing.T) {
	empty := &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{}}}
	m := &onnxpb.ModelProto{
		StructTypes: []*onnxpb.StructTypeProto{empty, empty, empty},
		Graph:       &onnxpb.GraphProto{StructInitializer: []*onnxpb.StructProto{{Name: "a"}, {Name: "b"}}},
	}
	WriteCounts(m)
	WriteCounts(m)
	if n := len(m.MetadataProps); n != 2 {
		t.Fatalf("%d properties, want 2", n)
	}
	if found := Check(m, CheckOptions{}); len(found) != 0 {
		t.Fatal(found)
	}
	m.StructTypes, m.Graph.StructInitializer = m.StructTypes[:2], nil
	found := Check(m, CheckOptions{})
	if len(found) != 2 {
		t.Fatalf("%d findings, want 2: %v", len(found), found)
	}
	for i, want := range []string{
		`SV057 warning: metadata_props[0]: the model was written with "3" declarations, it has 2`,
		`SV057 warning: metadata_props[1]: the model was written with "2" structured values, it has 0`,
	} {
		if got := found[i].Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if found := Check(m, CheckOptions{Disabled: map[string]bool{"SV057": true}}); len(found) != 0 {
		t.Error(found)
	}
}
