// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
)

// Entry is one format: a parsed text file. Its messages are shared and must not be changed.
type Entry struct {
	Name  string                  // "ggml.q4_K", "mx.fp4[block=32]"
	Text  []byte                  // the file as it is written, of a family before its parameters are put in
	Model *onnxpb.ModelProto      // the file's declarations and functions
	Block *onnxpb.StructTypeProto // the format's declaration, an entry of Model.StructTypes
	// Values is the number of logical values of a block; 0 when the declaration is a whole value.
	Values int64

	index int              // of Block in Model.StructTypes
	block *structview.Type // Block, resolved
}

// Load reads a user's file. Its declaration is the one that is called declaration; if that is empty, the one
// that no other declaration of the file uses. name stands in errors, and becomes the entry's name when the
// declaration has none. A file with parameters is a family: declaration may then be "name[param=value]", or just
// "[param=value]".
func Load(name string, text []byte, declaration string) (*Entry, error) {
	family, params, err := splitName(declaration)
	if err != nil {
		return nil, err
	}
	return load(name, text, family, params)
}

func load(file string, text []byte, declaration string, params []param) (*Entry, error) {
	expanded, given, err := expand(file, text, params)
	if err != nil {
		return nil, err
	}
	m, err := syntax.Parse(file, expanded)
	if err != nil {
		return nil, err
	}
	index, err := find(m, file, declaration)
	if err != nil {
		return nil, err
	}
	e := &Entry{Text: text, Model: m, Block: m.StructTypes[index], index: index}
	e.Name = entryName(file, e.Block.Name) + given
	if given != "" {
		e.Block.Name = e.Name // members of a family are different declarations
	}
	if e.Values, err = BlockValues(e.Block); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", file, e.Name, err)
	}
	declarations, findings := structview.Resolve(m.StructTypes)
	if e.block, err = declarations.At(index); err != nil {
		if len(findings) > 0 {
			err = structview.Errors(findings)
		}
		return nil, fmt.Errorf("%s: %s: %w", file, e.Name, err)
	}
	return e, nil
}

func entryName(file, declared string) string {
	if declared != "" {
		return declared
	}
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	return strings.TrimSuffix(base, suffix)
}

// find returns the index of the declaration that a file is about.
func find(m *onnxpb.ModelProto, file, name string) (int, error) {
	if len(m.StructTypes) == 0 {
		return 0, fmt.Errorf("%s: no declaration: expected a struct or type", file)
	}
	if name == "" {
		return unused(m, file)
	}
	found := -1
	var names []string
	for i, d := range m.StructTypes {
		names = append(names, d.Name)
		if d.Name != name {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("%s: two declarations are called %q", file, name)
		}
		found = i
	}
	if found < 0 {
		return 0, fmt.Errorf("%s: %w: %q; it declares %s", file, ErrUnknown, name, quoted(names))
	}
	return found, nil
}

func unused(m *onnxpb.ModelProto, file string) (int, error) {
	used := map[int32]bool{}
	for _, d := range m.StructTypes {
		references(d, func(ref *onnxpb.StructTypeProto) { used[ref.GetTypeIndex()] = true })
	}
	found, names := -1, []string{}
	for i, d := range m.StructTypes {
		if !used[int32(i)] {
			found = i
			names = append(names, d.Name)
		}
	}
	if len(names) == 0 { // each is used: by following who uses whom one comes to a cycle
		_, findings := structview.Resolve(m.StructTypes)
		for i := range findings {
			if errors.Is(&findings[i], structview.ErrReference) {
				return 0, fmt.Errorf("%s: %w", file, &findings[i])
			}
		}
	}
	if len(names) != 1 {
		return 0, fmt.Errorf("%s: which declaration? expected one that no other uses, found %d: %s", file, len(names), quoted(names))
	}
	return found, nil
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// Property returns a metadata property of the format's declaration, "" if it has none of that key.
// The catalogue uses "values", "exactness" and "round_trip".
func (e *Entry) Property(key string) string { return property(e.Block, key) }

func property(d *onnxpb.StructTypeProto, key string) string {
	for _, p := range d.MetadataProps {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// BlockValues reads the metadata property "values" of a declaration: how many logical values a block has, 0 if it
// is none but a whole value.
func BlockValues(block *onnxpb.StructTypeProto) (int64, error) {
	text := property(block, "values")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || strconv.FormatInt(n, 10) != text { // one spelling: no sign, no zeros before it
		return 0, fmt.Errorf("metadata property values: expected a number of 1 or more, found %q", text)
	}
	return n, nil
}

// Type returns the format's declaration: the layout of one block.
func (e *Entry) Type() *structview.Type { return e.block }
