// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"strconv"

	"github.com/structview/structview/onnxpb"
)

// Keys of ModelProto.metadata_props that say what a model was written with (SV057).
const (
	DeclarationsKey = "structview.declarations"
	ValuesKey       = "structview.values"
)

// WriteCounts records in a model's metadata how many declarations it has, and how
// many structured values its main graph, replacing what stands there: a tool that
// does not know them and drops them is then noticed (SV057). Writers call it last.
func WriteCounts(m *onnxpb.ModelProto) {
	setProperty(m, DeclarationsKey, len(m.GetStructTypes()))
	setProperty(m, ValuesKey, len(m.GetGraph().GetStructInitializer()))
}

func setProperty(m *onnxpb.ModelProto, key string, n int) {
	text := strconv.Itoa(n)
	for _, p := range m.MetadataProps {
		if p.GetKey() == key {
			p.Value = text
			return
		}
	}
	m.MetadataProps = append(m.MetadataProps, &onnxpb.StringStringEntryProto{Key: key, Value: text})
}

// counts warns if a model has not what it was written with.
func (c *checker) counts(m *onnxpb.ModelProto) {
	found := map[string]int{DeclarationsKey: len(c.decls), ValuesKey: len(m.GetGraph().GetStructInitializer())}
	what := map[string]string{DeclarationsKey: "declarations", ValuesKey: "structured values"}
	for i, p := range m.GetMetadataProps() {
		n, known := found[p.GetKey()]
		if known && p.GetValue() != strconv.Itoa(n) {
			c.warn(ErrCounts, (*place)(nil).at("metadata_props", i),
				"the model was written with %s %s, it has %d", quoteName(p.GetValue()), what[p.GetKey()], n)
		}
	}
}
