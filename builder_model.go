// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"strconv"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// The versions that a new model has: the first IR with the opset that the catalogue uses.
const (
	newModelIR    = 13
	newModelOpset = 26
)

// ModelBuilder builds a model: declarations, functions, operator sets, and values with
// their payloads. Its methods return it, or what the next one needs; what is wrong shows
// in [ModelBuilder.Build]. Messages and payloads that it is given are kept, not copied.
type ModelBuilder struct {
	model *onnxpb.ModelProto
	added collector
}

// NewModel begins a model of ONNX's IR version 13 whose graph has a name.
func NewModel(graph string) *ModelBuilder {
	return ExtendModel(&onnxpb.ModelProto{
		IrVersion: newModelIR, ProducerName: "structview", Graph: &onnxpb.GraphProto{Name: graph},
	})
}

// ExtendModel goes on with a model that exists. m itself is changed.
func ExtendModel(m *onnxpb.ModelProto) *ModelBuilder {
	return &ModelBuilder{model: m, added: collector{entries: m.StructTypes}}
}

// Opset imports a version of the operators of a domain, "" for ONNX's own. What codecs and
// functions import is imported by itself, and version 26 of ONNX's own if nothing is.
func (b *ModelBuilder) Opset(domain string, version int64) *ModelBuilder {
	b.model.OpsetImport = append(b.model.OpsetImport, &onnxpb.OperatorSetIdProto{Domain: domain, Version: version})
	return b
}

// Function adds functions that codecs and nodes call.
func (b *ModelBuilder) Function(functions ...*onnxpb.FunctionProto) *ModelBuilder {
	b.model.Functions = append(b.model.Functions, functions...)
	return b
}

// Metadata adds an entry to the model's metadata.
func (b *ModelBuilder) Metadata(key, value string) *ModelBuilder {
	b.model.MetadataProps = append(b.model.MetadataProps, &onnxpb.StringStringEntryProto{Key: key, Value: value})
	return b
}

// Declare adds a declaration, after those that it refers to and that the model does not
// have yet, and returns its index. The same declaration again has the same index; later
// changes to it have no effect.
func (b *ModelBuilder) Declare(d *Declaration) int32 { return b.added.add(d) }

// Value adds a structured value of a declaration, with its payload in the model: what
// [Writer.Bytes] returns.
func (b *ModelBuilder) Value(name string, declaration int32, payload []byte) *ModelBuilder {
	return b.value(&onnxpb.StructProto{Name: name, Type: declaration, RawData: payload})
}

// External is where a payload lies outside of its model (SV023): in a file whose path is
// relative to the model's folder.
type External struct {
	Location       string
	Offset, Length int64 // bytes
}

// External adds a structured value of a declaration whose payload is in another file.
func (b *ModelBuilder) External(name string, declaration int32, where External) *ModelBuilder {
	v := &onnxpb.StructProto{Name: name, Type: declaration}
	for _, e := range [...][2]string{
		{"location", where.Location},
		{"offset", strconv.FormatInt(where.Offset, 10)},
		{"length", strconv.FormatInt(where.Length, 10)},
	} {
		v.ExternalData = append(v.ExternalData, &onnxpb.StringStringEntryProto{Key: e[0], Value: e[1]})
	}
	return b.value(v)
}

func (b *ModelBuilder) value(v *onnxpb.StructProto) *ModelBuilder {
	g := b.graph()
	g.StructInitializer = append(g.StructInitializer, v)
	return b
}

// Initializer adds an ordinary tensor.
func (b *ModelBuilder) Initializer(name string, t *tensor.Tensor) *ModelBuilder {
	g := b.graph()
	g.Initializer = append(g.Initializer, t.Proto(name))
	return b
}

func (b *ModelBuilder) graph() *onnxpb.GraphProto {
	if b.model.Graph == nil {
		b.model.Graph = &onnxpb.GraphProto{}
	}
	return b.model.Graph
}

// Build returns the model. The error is that of [Check], whose rules it keeps; codec.Check
// looks into the codecs, too. External files need not be there. The builder can go on.
func (b *ModelBuilder) Build() (*onnxpb.ModelProto, error) {
	b.model.StructTypes = b.added.entries
	b.imports()
	if err := Errors(Check(b.model, CheckOptions{})); err != nil {
		return nil, err
	}
	return b.model, nil
}

// imports adds the operator sets that functions and codecs import. Where versions
// differ, the model's own stays, and the checker of codecs tells whether that matters (SV054).
func (b *ModelBuilder) imports() {
	have := map[string]bool{}
	for _, o := range b.model.GetOpsetImport() {
		have[domainName(o.GetDomain())] = true
	}
	add := func(f *onnxpb.FunctionProto) {
		for _, o := range f.GetOpsetImport() {
			if domain := domainName(o.GetDomain()); !have[domain] {
				have[domain] = true
				b.Opset(o.GetDomain(), o.GetVersion())
			}
		}
	}
	for _, f := range b.model.GetFunctions() {
		add(f)
	}
	for _, d := range b.model.GetStructTypes() {
		add(d.GetDecoder())
		add(d.GetEncoder())
	}
	if len(b.model.GetOpsetImport()) == 0 {
		b.Opset("", newModelOpset)
	}
}
