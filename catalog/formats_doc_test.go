// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
)

var update = flag.Bool("update", false, "write docs/FORMATS.md anew")

const formatsDoc = "../docs/FORMATS.md"

// docs/FORMATS.md is made from the catalogue: go generate ./catalog writes it.
func TestFormatsDoc(t *testing.T) {
	want := []byte(writeFormats(t))
	if *update {
		if os.Getenv("CI") != "" {
			t.Fatal("-update does not run under CI")
		}
		if err := os.WriteFile(formatsDoc, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(formatsDoc)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the catalogue says (byte %d): run go generate ./catalog", formatsDoc, firstDifference(got, want))
	}
}

func entries(t *testing.T) []*catalog.Entry {
	t.Helper()
	c := catalog.Builtin()
	var all []*catalog.Entry
	for _, name := range c.Names() {
		e, err := c.Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func writeFormats(t *testing.T) string {
	all := entries(t)
	var b strings.Builder
	b.WriteString(`<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made from catalog/*/*.onnxtxt by go generate ./catalog. Do not edit. -->

# Formats

`)
	fmt.Fprintf(&b, `The catalogue has %d formats. Each is one text file under [catalog](../catalog); here are their layouts and
codecs, codebooks left out. How to add one: [ADD-A-FORMAT.md](ADD-A-FORMAT.md).

`, len(all))
	b.WriteString("| format | values | bytes | bits a value | encoder | encode(decode(bytes)) = bytes |\n|---|--:|--:|--:|---|---|\n")
	for _, e := range all {
		size := e.Type().Bits() / 8
		fmt.Fprintf(&b, "| [%s](#%s) | %d | %d | %s | %s | %s |\n",
			e.Name, anchor(e.Name), e.Values, size, bitsPerValue(e), yes(e.Block.Encoder != nil), promise(e))
	}
	b.WriteString(`
The last column says for which bytes encoding gives back what was decoded: all; those that the encoder made, if the
scale fits its type ("encoded"); or none in particular. "Bit-exact" is meant against the source that is named, NaN for NaN;
hashes are those of [HASH.md](HASH.md).
`)
	for _, e := range all {
		writeFormat(&b, e)
	}
	return b.String()
}

func anchor(name string) string {
	return strings.ToLower(strings.NewReplacer(".", "", "[", "", "]", "", "=", "", ",", "").Replace(name))
}

func bitsPerValue(e *catalog.Entry) string {
	s := fmt.Sprintf("%.4f", float64(e.Type().Bits())/float64(e.Values))
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func promise(e *catalog.Entry) string {
	if p := e.Property("round_trip"); p != "" {
		return p
	}
	return "–"
}

func writeFormat(b *strings.Builder, e *catalog.Entry) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n%s\n\n", e.Name, e.Model.DocString, e.Block.DocString)
	fmt.Fprintf(b, "Exactness: %s. Hash of the block's declaration: `%x`.\n\n", e.Property("exactness"), structview.Hash(e.Type(), e.Model.Functions))
	b.WriteString("| path | element | first bit | dimensions | stride in bits |\n|---|---|--:|---|---|\n")
	for leaf := range e.Type().Layout().Leaves() {
		var dims, strides []string
		for _, d := range leaf.Dims {
			dims = append(dims, fmt.Sprint(d.Len))
			strides = append(strides, fmt.Sprint(d.Stride))
		}
		element, first := leaf.Element.String(), fmt.Sprint(leaf.Offset)
		if leaf.IsComponent {
			element = fmt.Sprintf("%d bits", leaf.Width)
		}
		if leaf.Constant != nil {
			first, strides = "constant", nil
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", leaf.Path, element, first, strings.Join(dims, " × "), strings.Join(strides, ", "))
	}
	fmt.Fprintf(b, "\n```\n%s```\n", withoutTables(body(string(e.Text))))
}

// body is a file's text from its first definition on.
func body(text string) string {
	_, after, found := strings.Cut(text, "\n>\n\n")
	if head, rest, ok := strings.Cut(text, "]>\n\n"); ok && (!found || len(rest) > len(after)) && strings.Contains(head, "opset_import") {
		return rest
	}
	return after
}

// withoutTables leaves out the inner lines of long lists of numbers.
func withoutTables(text string) string {
	var b strings.Builder
	hidden := false
	for line := range strings.Lines(text) {
		number := strings.Trim(line, " \n0123456789abcdefx,.+-") == "" && !strings.ContainsAny(line, "{}") &&
			(strings.Count(line, ",") > 2 || hidden && line != "\n")
		if number && !hidden {
			b.WriteString("    …\n")
		}
		if !number {
			b.WriteString(line)
		}
		hidden = number
	}
	return b.String()
}
