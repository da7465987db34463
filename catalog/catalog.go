// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	nearby "github.com/structview/structview/internal/nearest"
)

const suffix = ".onnxtxt"

//go:embed */*.onnxtxt
var builtin embed.FS

// ErrUnknown is wrapped by the error for a name that a catalogue does not have.
var ErrUnknown = errors.New("no such format")

// Catalog is a set of formats, found by name. It is safe for concurrent use.
type Catalog struct {
	files fs.FS

	mu      sync.Mutex
	entries map[string]*Entry
}

// Builtin returns the catalogue that comes with the program. No file is parsed before [Catalog.Entry]
// asks for it; what was parsed is kept for the life of the Catalog, but for
// members of families that are not the default one.
func Builtin() *Catalog {
	return &Catalog{files: builtin, entries: map[string]*Entry{}}
}

// Names returns the names of all entries, sorted. A family stands in it once, without parameters.
func (c *Catalog) Names() []string {
	var names []string
	files, _ := fs.Glob(c.files, "*/*"+suffix) // the pattern is well-formed: no error
	for _, file := range files {
		names = append(names, nameOf(file))
	}
	slices.Sort(names)
	return names
}

func nameOf(file string) string {
	domain, base := path.Split(strings.TrimSuffix(file, suffix))
	return strings.TrimSuffix(domain, "/") + "." + base
}

// Entry returns the entry of a name such as "ggml.q4_K"; for a family the name may have parameters:
// "mx.fp4[block=32]". The error for an unknown name wraps [ErrUnknown] and names the nearest. An entry is shared: callers
// must not change its messages.
func (c *Catalog) Entry(name string) (*Entry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[name]; ok {
		return e, nil
	}
	family, params, err := splitName(name)
	if err != nil {
		return nil, err
	}
	e, err := c.read(family, params)
	if err != nil {
		return nil, err
	}
	if len(params) == 0 { // a family has members without end: they are not kept
		c.entries[name] = e
	}
	return e, nil
}

func (c *Catalog) read(family string, params []param) (*Entry, error) {
	if !slices.Contains(c.Names(), family) {
		return nil, c.unknown(family)
	}
	file := strings.Replace(family, ".", "/", 1) + suffix
	text, err := fs.ReadFile(c.files, file)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return load(file, text, family, params)
}

// unknown tells what the caller may have meant: names are often written without their domain, or in
// another case.
func (c *Catalog) unknown(name string) error {
	names := c.Names()
	nearest := ""
	for _, n := range names {
		_, base, _ := strings.Cut(n, ".")
		if strings.EqualFold(n, name) || strings.EqualFold(base, name) {
			nearest = n
			break
		}
	}
	if nearest == "" {
		nearest, _ = nearby.Of(name, names)
	}
	if nearest == "" {
		return fmt.Errorf("%w: %q; the catalogue has %d, such as %s", ErrUnknown, name, len(names), names[0])
	}
	return fmt.Errorf("%w: %q; did you mean %s?", ErrUnknown, name, nearest)
}
