// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"

	"github.com/structview/structview/onnxpb"
)

// values checks the structured values of a graph and their names (SV050).
func (c *checker) values(g *onnxpb.GraphProto, at *place) {
	c.tensorRanges(g, at)
	if len(g.StructInitializer) == 0 {
		return
	}
	taken := takenNames(g)
	for i, v := range g.StructInitializer {
		here := at.at("struct_initializer", i)
		name := v.GetName()
		switch other, clash := taken[name]; {
		case name == "":
			c.error(ErrValueName, here, "the value has no name")
		case clash:
			c.error(ErrValueName, here, "the name %s is taken by %s", quoteName(name), other)
		default:
			taken[name] = owner{"struct_initializer", i}
		}
		c.value(v, here)
	}
}

// owner is what has a name already.
type owner struct {
	list  string
	index int
}

func (o owner) String() string { return fmt.Sprintf("%s[%d]", o.list, o.index) }

func takenNames(g *onnxpb.GraphProto) map[string]owner {
	taken := make(map[string]owner, len(g.GetInitializer())+len(g.GetSparseInitializer())+len(g.GetStructInitializer()))
	for i, t := range g.GetInitializer() {
		taken[t.GetName()] = owner{"initializer", i}
	}
	for i, t := range g.GetSparseInitializer() {
		taken[t.GetValues().GetName()] = owner{"sparse_initializer", i}
	}
	return taken
}

// value checks the type and the payload of one value.
func (c *checker) value(v *onnxpb.StructProto, at *place) {
	t, _ := c.resolved.typeOf(v, c.report, at)
	if i := v.GetType(); i >= 0 && int(i) < len(c.decls) {
		c.resolved.resolver.used[i] = true
	} else if p := v.GetStructType(); p != nil {
		c.codecs(p, t, at.child("struct_type"))
	}
	length := uint64(len(v.GetRawData()))
	if c.opts.Inline != nil {
		if n, ok := c.opts.Inline(v); ok {
			length = n
		}
	}
	if len(v.GetExternalData()) == 0 {
		if t != nil {
			c.payload(t, length, "raw_data", at)
		}
		return
	}
	if length > 0 {
		c.error(ErrLength, at, "the value has both raw_data (%d bytes) and external_data: it has one of them", length)
	}
	c.external(v, t, at)
}
