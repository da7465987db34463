// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

const (
	irVersion = 13
	opset     = 26

	catalogDomain = "ggml."

	// HeaderName is the initializer that holds the file's bytes up to the data section.
	HeaderName = "gguf.header"
	// Prefix begins the keys of metadata_props that repeat the file's metadata.
	Prefix = "gguf."
)

// Import returns an ONNX model of the file that h was read from. Its payloads are external data in that file, which the model calls
// location: a path relative to the model's folder. Nothing of the data section is read.
//
// Tensors of float and integer types are initializers, the others structured values whose declarations come from c;
// the dimensions are in C order. The bytes before the data section are the UINT8 initializer [HeaderName], so nothing of
// them is lost; scalar metadata is repeated in metadata_props under [Prefix] for the reader.
// A tensor's name becomes its value's, except where ONNX has no room for it: see [ValueNames].
func Import(h *Header, r io.ReaderAt, location string, c *catalog.Catalog) (*onnxpb.ModelProto, error) {
	props, err := properties(h, r)
	if err != nil {
		return nil, err
	}
	m := &onnxpb.ModelProto{
		IrVersion:     irVersion,
		OpsetImport:   []*onnxpb.OperatorSetIdProto{{Version: opset}},
		ProducerName:  "structview",
		MetadataProps: props,
		Graph:         &onnxpb.GraphProto{Name: "gguf"},
	}
	b := builder{model: m, header: h, location: location, catalog: c, roots: map[string]int32{}}
	b.addHeader()
	names := ValueNames(h)
	for i := range h.Tensors {
		if err := b.add(&h.Tensors[i], names[i]); err != nil {
			return nil, &Error{Offset: h.Tensors[i].At, Subject: h.Tensors[i].subject(), Message: err.Error()}
		}
	}
	return m, nil
}

type builder struct {
	model    *onnxpb.ModelProto
	header   *Header
	location string
	catalog  *catalog.Catalog
	roots    map[string]int32 // struct_types index by type and shape
}

func (b *builder) addHeader() {
	length := min(b.header.DataStart, b.header.Size)
	b.model.Graph.Initializer = append(b.model.Graph.Initializer, &onnxpb.TensorProto{
		Name: HeaderName, DataType: int32(tensor.Uint8), Dims: []int64{length},
		DocString:    "The bytes of the GGUF file before its data section.",
		DataLocation: onnxpb.TensorProto_EXTERNAL,
		ExternalData: b.external(0, length),
	})
}

// add adds one tensor under the given name.
func (b *builder) add(t *Tensor, name string) error {
	doc := ""
	if name != t.Name {
		doc = "Named " + strconv.Quote(t.Name) + " in the GGUF file."
	}
	shape := t.Shape()
	// An empty tensor may claim to lie anywhere; every other one lies in the file.
	room := uint64(max(b.header.Size-b.header.DataStart, 0))
	offset := min(b.header.DataStart+int64(min(t.Offset, room)), b.header.Size)
	if plain, ok := t.Type.Plain(); ok {
		b.model.Graph.Initializer = append(b.model.Graph.Initializer, b.plain(t, plain, name, doc, shape, offset))
		return nil
	}
	root, err := b.root(t.Type, shape)
	if err != nil {
		return err
	}
	b.model.Graph.StructInitializer = append(b.model.Graph.StructInitializer, &onnxpb.StructProto{
		Type: root, Name: name, DocString: doc, ExternalData: b.external(offset, int64(t.Size)),
	})
	return nil
}

// plain is an initializer of an ONNX element type. One without elements has no external data: runtimes refuse an
// empty range behind the start of a file.
func (b *builder) plain(t *Tensor, plain tensor.Type, name, doc string, shape []int64, offset int64) *onnxpb.TensorProto {
	p := &onnxpb.TensorProto{Name: name, DocString: doc, DataType: int32(plain), Dims: shape}
	if t.Size == 0 {
		p.RawData = []byte{}
		return p
	}
	p.DataLocation = onnxpb.TensorProto_EXTERNAL
	p.ExternalData = b.external(offset, int64(t.Size))
	return p
}

// root returns the declaration of a whole tensor: one for each type and shape.
func (b *builder) root(t Type, shape []int64) (int32, error) {
	key := fmt.Sprint(t, shape)
	if root, ok := b.roots[key]; ok {
		return root, nil
	}
	entry, err := b.catalog.Entry(catalogDomain + t.String())
	if err != nil {
		return 0, err
	}
	instance, err := entry.Instantiate(shape)
	if err != nil {
		return 0, err
	}
	root, err := instance.AddTo(b.model)
	if err != nil {
		return 0, err
	}
	b.roots[key] = root
	return root, nil
}

func (b *builder) external(offset, length int64) []*onnxpb.StringStringEntryProto {
	return []*onnxpb.StringStringEntryProto{
		{Key: "location", Value: b.location},
		{Key: "offset", Value: strconv.FormatInt(offset, 10)},
		{Key: "length", Value: strconv.FormatInt(length, 10)},
	}
}

// ValueNames returns the name that each tensor of h has in an imported model: its own, unless that is empty, not
// UTF-8, or [HeaderName]. Such a tensor, the i-th of the file, is called "gguf.tensor.i", with underscores added
// until no other tensor has the name.
func ValueNames(h *Header) []string {
	taken := make(map[string]bool, len(h.Tensors)+1)
	for i := range h.Tensors {
		taken[h.Tensors[i].Name] = true
	}
	names := make([]string, len(h.Tensors))
	for i := range h.Tensors {
		name := h.Tensors[i].Name
		if name == "" || name == HeaderName || !utf8.ValidString(name) {
			name = Prefix + "tensor." + strconv.Itoa(i)
			for taken[name] {
				name += "_"
			}
			taken[name] = true
		}
		names[i] = name
	}
	return names
}

// properties repeats scalar metadata readably, and says of arrays what they hold.
func properties(h *Header, r io.ReaderAt) ([]*onnxpb.StringStringEntryProto, error) {
	props := make([]*onnxpb.StringStringEntryProto, 0, min(len(h.Metadata), 1024))
	for _, e := range h.Metadata {
		text, err := valueText(h, r, e)
		if err != nil {
			return nil, err
		}
		props = append(props, &onnxpb.StringStringEntryProto{Key: Prefix + printable(e.Key), Value: text})
	}
	return props, nil
}

// longestText is the number of bytes of a string that is repeated.
const longestText = 64 << 10

func valueText(h *Header, r io.ReaderAt, e Entry) (string, error) {
	switch {
	case e.Type == ValueArray:
		return fmt.Sprintf("array of %d %v", e.Count, e.Elem), nil
	case e.Type == ValueString && e.Count > longestText:
		return fmt.Sprintf("string of %d bytes", e.Count), nil
	}
	v, err := h.Value(r, e)
	if err != nil {
		return "", err
	}
	if s, ok := v.(string); ok {
		return printable(s), nil
	}
	return fmt.Sprint(v), nil
}

// printable returns s, quoted if it is not UTF-8.
func printable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strconv.Quote(s) // escapes each such byte: "\xff"
}
