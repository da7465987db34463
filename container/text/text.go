// SPDX-License-Identifier: Apache-2.0

// Package text opens .onnxtxt files: models, or declarations alone, in the text
// form of package syntax.
package text

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/container"
	"github.com/structview/structview/syntax"
)

// Format reads the text form.
type Format struct{}

// Name is "onnxtxt".
func (Format) Name() string { return "onnxtxt" }

// Sniff tells whether head begins like a model in text: after blanks and
// comments a header, a declaration, or nothing more.
func (Format) Sniff(head []byte) bool {
	if len(head) == 0 || bytes.IndexByte(head, 0) >= 0 || !validPrefix(head) {
		return false
	}
	for line := range strings.Lines(string(head)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, _, _ := strings.Cut(line, " ")
		return strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "<!") && !strings.HasPrefix(line, "<?") ||
			word == "struct" || word == "type" || word == "value"
	}
	return true
}

// validPrefix allows for a character that the end of head cuts.
func validPrefix(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut <= len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return len(head) == container.HeadSize || cut == 0
		}
	}
	return false
}

// Open parses src. Errors name line and column.
func (Format) Open(src container.Source, opts container.Options) (*container.File, error) {
	source, err := io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
	if err != nil {
		return nil, err
	}
	// A family of formats is opened with the defaults of its parameters.
	if source, err = catalog.Expand(src.Path(), source); err != nil {
		return nil, err
	}
	model, err := syntax.Parse(src.Path(), source)
	if err != nil {
		return nil, err
	}
	return container.NewFile("onnxtxt", src, model, opts), nil
}
