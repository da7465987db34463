// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
)

// entry finds a TYPE: a catalogue name, or a text file that declares one
// (./mine.onnxtxt, ./mine.onnxtxt:Name, ./mine.onnxtxt[n=2]).
func entry(argument string) (*catalog.Entry, error) {
	file, name, isFile := typeFile(argument)
	if !isFile {
		e, err := catalog.Builtin().Entry(argument)
		return e, alsoFile(argument, err)
	}
	if strings.HasSuffix(file, modelEnding) {
		return nil, notText(file)
	}
	text, err := readText(file)
	if err != nil {
		return nil, err
	}
	return catalog.Load(file, text, name)
}

// alsoFile says of an unknown name that a file has it, and how it would be taken for one.
func alsoFile(argument string, err error) error {
	if err == nil || !isRegular(argument) {
		return err
	}
	if strings.HasSuffix(argument, modelEnding) {
		return notText(argument)
	}
	return invalid("%w; there is a file of that name: as a type it is %s", err, besideHere(argument))
}

// besideHere writes the name of a file as a path, by which TYPE knows it from a name of the catalogue.
func besideHere(file string) string {
	if strings.ContainsRune(file, os.PathSeparator) {
		return file
	}
	return "." + string(os.PathSeparator) + file
}

func notText(file string) error {
	return in(file, "", usage("a type is given as a text, not as a compiled model: 'structview print %s' writes its text", file))
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// entryOrFile is entry for a command that also takes FILE NAME.
func entryOrFile(argument string) (*catalog.Entry, error) {
	e, err := entry(argument)
	if err == nil {
		return e, nil
	}
	switch {
	case !isRegular(argument) || strings.HasSuffix(argument, textEnding):
		return nil, err
	case strings.HasSuffix(argument, modelEnding):
		err = usage("NAME is missing: which of the file's values? 'structview ls' lists them; "+
			"a type without a value is given as a text, which 'structview print %s' writes", argument)
	default:
		err = usage("NAME is missing: which of the file's values? 'structview ls' lists them; a type's text is %s", besideHere(argument))
	}
	return nil, in(argument, "", err)
}

// readText reads a regular file whole.
func readText(path string) ([]byte, error) {
	src, err := container.OpenSource(path)
	if err != nil {
		return nil, in(path, "", err)
	}
	defer src.Close()
	text := make([]byte, src.Size())
	if n, err := src.ReadAt(text, 0); n < len(text) {
		return nil, in(path, "", unreadable(err))
	}
	return text, nil
}

const (
	textEnding  = ".onnxtxt"
	modelEnding = ".onnx"
)

// typeFile tells a file from a catalogue name: a file has a path separator or
// the ending of a text file.
func typeFile(argument string) (file, name string, ok bool) {
	if i := strings.Index(argument, textEnding+":"); i >= 0 {
		return argument[:i+len(textEnding)], argument[i+len(textEnding)+1:], true
	}
	if i := strings.Index(argument, textEnding+"["); i >= 0 {
		return argument[:i+len(textEnding)], argument[i+len(textEnding):], true
	}
	return argument, "", strings.HasSuffix(argument, textEnding) || strings.ContainsRune(argument, '/') ||
		strings.ContainsRune(argument, os.PathSeparator)
}

// shapeOf reads --shape for an entry: a block format needs the logical shape, a
// declaration of a whole value has its own.
func shapeOf(e *catalog.Entry, text string) ([]int64, error) {
	switch {
	case e.Values == 0 && text != "":
		return nil, wholeValue(e)
	case e.Values == 0:
		return nil, nil
	case text == "":
		return nil, usage("%s is a block format: --shape says the logical shape of the value", e.Name)
	}
	return parseShape(text)
}

// wholeValue refuses a shape, and says what makes a declaration one that takes it.
func wholeValue(e *catalog.Entry) error {
	slip, found := misspelt(e.Block, "values")
	if found {
		slip = fmt.Sprintf(" (it has %q: is that meant?)", slip)
	}
	return usage(`%s is a whole value with a shape of its own, since its metadata_props have no "values"%s: leave out --shape, or say how many values a block has`, e.Name, slip)
}

// parseShape reads D0,D1,….
func parseShape(text string) ([]int64, error) {
	parts := strings.Split(text, ",")
	shape := make([]int64, len(parts))
	for i, part := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || n < 0 {
			return nil, usage("--shape %s: expected dimensions such as 4096,4096, found %q", text, part)
		}
		shape[i] = n
	}
	return shape, nil
}

// rooted is a whole value's type made from a catalogue entry.
type rooted struct {
	root  *structview.Type
	codec *codec.Codec
}

// bytes is the payload's size (SV021). e is the entry that the type was made from.
func (r rooted) bytes(e *catalog.Entry) (uint64, error) {
	size, whole := r.root.Bytes()
	if whole {
		return size, nil
	}
	fault := &structview.Diagnostic{
		Rule:    string(structview.ErrAlignment),
		Message: fmt.Sprintf("the type takes %d bits, which is not a whole number of bytes", r.root.Bits()),
	}
	if e.Values > 0 {
		blocks := uint64(8) >> bits.TrailingZeros64(e.Type().Bits())
		found := r.root.Bits() / e.Type().Bits() * uint64(e.Values)
		fault.Help = fmt.Sprintf("expected a multiple of %d values, found %d", blocks*uint64(e.Values), found)
	}
	return 0, fault
}

// instantiate makes the type of a whole value of the entry's format.
func instantiate(e *catalog.Entry, shape []int64) (rooted, error) {
	instance, err := e.Instantiate(shape)
	if err != nil {
		return rooted{}, err
	}
	root, err := instance.Type()
	if err != nil {
		return rooted{}, err
	}
	c, err := codec.New(root, codec.Env{Functions: instance.Functions, Opsets: instance.Opsets, Limits: limits(root)})
	if err != nil {
		if fault := structview.Errors(checkDecoder(e)); fault != nil {
			return rooted{}, fault // in the words of the declaration
		}
	}
	return rooted{root, c}, in(e.Name, "", err)
}
