// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/structview/structview/onnxpb"
)

// externalRange is the bytes of a file that a value consists of.
type externalRange struct {
	location       string
	offset, length uint64
	at             *place
	structured     bool // not an ordinary tensor
}

func (e externalRange) end() uint64 { return e.offset + e.length }

// measurement is the size of an external file, or why it has none.
type measurement struct {
	size int64
	err  error
}

// external checks where the payload of a value lies (SV023, SV024).
func (c *checker) external(v *onnxpb.StructProto, t *Type, at *place) {
	e, ok := c.externalData(v.ExternalData, at)
	if !ok {
		return
	}
	if t != nil && !c.externalSize(t, e.length, at) {
		return
	}
	if c.location(e.location, at) && c.inFile(e, at) {
		e.structured = true
		c.ranges = append(c.ranges, e)
	}
}

// externalSize checks length against the size of the type.
func (c *checker) externalSize(t *Type, length uint64, at *place) bool {
	size, whole := t.Bytes()
	if !whole {
		return c.payload(t, length, "external_data", at)
	}
	if size != length {
		c.add(ErrExternal, Error, at, c.paddingHelp(t, length), "external_data has length %d; %s takes %d bytes", length, t.title(), size)
	}
	return size == length
}

// externalData reads the keys of external_data.
func (c *checker) externalData(entries []*onnxpb.StringStringEntryProto, at *place) (externalRange, bool) {
	e := externalRange{at: at}
	seen := map[string]bool{}
	before := c.errors
	for i, entry := range entries {
		here := at.at("external_data", i)
		key, value := entry.GetKey(), entry.GetValue()
		if seen[key] {
			c.error(ErrExternal, here, "the key %s stands twice", quoteName(key))
			continue
		}
		seen[key] = true
		switch key {
		case "location":
			e.location = value
		case "offset":
			e.offset = c.decimal(key, value, here)
		case "length":
			e.length = c.decimal(key, value, here)
		case "checksum":
			if !isSHA1(value) {
				c.error(ErrExternal, here, "checksum is the SHA-1 of the file in 40 hexadecimal digits; found %s", quoteName(value))
			}
		default:
			c.error(ErrExternal, here, "unknown key %s: location, offset, length and checksum are known", quoteName(key))
		}
	}
	for _, key := range []string{"location", "length"} {
		if !seen[key] {
			c.error(ErrExternal, at, "external_data has no %s, which is required", key)
		}
	}
	return e, c.errors == before
}

// decimal reads a number of external_data.
func (c *checker) decimal(key, value string, at *place) uint64 {
	n, ok := parseDecimal(value)
	if !ok {
		c.error(ErrExternal, at, "%s is decimal digits below 2^64, without sign or blanks; found %s", key, quoteName(value))
	}
	return n
}

func parseDecimal(s string) (uint64, bool) {
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}

func isSHA1(s string) bool {
	return len(s) == 40 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// location checks the name of an external file, as far as a name tells (SV024).
func (c *checker) location(name string, at *place) bool {
	fault := locationFault(name)
	if fault != "" {
		c.error(ErrLocation, at, "the location %s %s; it is a path of a file below the model's folder", quoteName(name), fault)
	}
	return fault == ""
}

func locationFault(name string) string {
	clean := path.Clean(name)
	switch {
	case name == "":
		return "is empty"
	case strings.ContainsRune(name, 0):
		return "has a NUL"
	case strings.Contains(name, `\`):
		return "has a backslash: parts are joined by /"
	case strings.HasPrefix(name, "/"), len(name) > 1 && name[1] == ':' && plain(name[0]):
		return "is absolute"
	case clean == "..", strings.HasPrefix(clean, "../"):
		return "leaves the model's folder"
	case clean == ".", strings.HasSuffix(name, "/"):
		return "is a folder"
	}
	return ""
}

// unreadable warns of the location of an ordinary tensor that SV024 would refuse in a structured value: the tensor is
// not read. That its file is missing is no finding.
func (c *checker) unreadable(name string, at *place) {
	fault := locationFault(name)
	if fault == "" && c.opts.External != nil {
		if m := c.measure(name); m.err != nil && !errors.Is(m.err, fs.ErrNotExist) {
			c.warn(ErrLocation, at, "%s: %v: the tensor is not read", quoteName(name), m.err)
		}
		return
	}
	if fault != "" {
		c.warn(ErrLocation, at, "the location %s %s: the tensor is not read", quoteName(name), fault)
	}
}

// measure asks for the size of a file once.
func (c *checker) measure(location string) measurement {
	m, known := c.measured[location]
	if !known {
		m.size, m.err = c.opts.External(location)
		c.measured[location] = m
	}
	return m
}

// inFile checks that a range lies inside the file, if files can be measured.
func (c *checker) inFile(e externalRange, at *place) bool {
	if e.end() < e.offset {
		c.error(ErrExternal, at, "offset %d and length %d are 2^64 or more", e.offset, e.length)
		return false
	}
	if c.opts.External == nil {
		return true
	}
	m := c.measure(e.location)
	var d *Diagnostic
	switch {
	case errors.As(m.err, &d):
		c.add(Rule(d.Rule), d.Severity, at, d.Help, "%s: %s", quoteName(e.location), d.Message)
	case m.err != nil:
		c.error(ErrLocation, at, "%s: %v", quoteName(e.location), m.err)
	case m.size < 0 || e.end() > uint64(m.size):
		c.error(ErrExternal, at, "bytes %d to %d lie outside %s, which has %d bytes", e.offset, e.end(), quoteName(e.location), m.size)
	default:
		return true
	}
	return false
}

// tensorRanges notes the ranges of ordinary external tensors. Faults in them are not
// the business of this package, but it warns of files that are not opened for their place.
func (c *checker) tensorRanges(g *onnxpb.GraphProto, at *place) {
	for i, t := range g.Initializer {
		if t.GetDataLocation() != onnxpb.TensorProto_EXTERNAL {
			continue
		}
		e := externalRange{at: at.at("initializer", i)}
		ok, named := true, false
		for _, entry := range t.ExternalData {
			fits := true
			switch entry.GetKey() {
			case "location":
				e.location, named = entry.GetValue(), true
			case "offset":
				e.offset, fits = parseDecimal(entry.GetValue())
			case "length":
				e.length, fits = parseDecimal(entry.GetValue())
			}
			ok = ok && fits
		}
		if named {
			c.unreadable(e.location, e.at)
		}
		if ok && e.end() >= e.offset {
			c.ranges = append(c.ranges, e)
		}
	}
}

// overlaps warns of external ranges that overlap partly (SV052): once for each range
// that begins inside an earlier one, so that the findings stay few.
func (c *checker) overlaps() {
	slices.SortStableFunc(c.ranges, func(a, b externalRange) int {
		return cmp.Or(cmp.Compare(path.Clean(a.location), path.Clean(b.location)), cmp.Compare(a.offset, b.offset), cmp.Compare(a.end(), b.end()))
	})
	var last externalRange // of those so far, the one that ends last
	for _, e := range c.ranges {
		switch {
		case e.length == 0:
			continue
		case path.Clean(e.location) != path.Clean(last.location) || e.offset >= last.end():
			last = e
			continue
		}
		if (e.offset != last.offset || e.length != last.length) && (e.structured || last.structured) {
			c.warn(ErrOverlap, e.at, "bytes %d to %d of %s overlap bytes %d to %d of %s",
				e.offset, e.end(), quoteName(e.location), last.offset, last.end(), last.at)
		}
		if e.end() > last.end() {
			last = e
		}
	}
}
