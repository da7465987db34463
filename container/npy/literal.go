// SPDX-License-Identifier: Apache-2.0

package npy

import (
	"fmt"
	"strconv"
	"strings"
)

// header is the dictionary in an array's header.
type header struct {
	descr            string
	fortran          bool
	shape            []int64
	descrAt, shapeAt int64 // byte offsets
}

// parseHeader reads the Python dictionary in text, which begins at byte base.
func parseHeader(text []byte, base int64) (header, error) {
	p := literal{text: string(text), base: base}
	var h header
	seen := map[string]bool{}
	if err := p.expect("{"); err != nil {
		return h, err
	}
	for !p.take("}") {
		key, err := p.quoted()
		if err == nil && seen[key] {
			err = p.wrong("one key %q expected", key)
		}
		if err == nil {
			err = p.expect(":")
		}
		if err == nil {
			err = p.value(key, &h)
		}
		if err != nil {
			return h, err
		}
		seen[key] = true
		if !p.take(",") && !strings.HasPrefix(p.rest(), "}") {
			return h, p.wrong("a comma or } expected")
		}
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return h, p.wrong("the key %q expected", key)
		}
	}
	if p.rest() != "" {
		return h, p.wrong("the end of the header expected")
	}
	return h, nil
}

// literal reads the few Python literals that headers are made of.
type literal struct {
	text string
	at   int
	base int64
}

func (p *literal) wrong(format string, args ...any) error {
	found := p.rest()
	if len(found) > 16 {
		found = found[:16] + "..."
	}
	return fmt.Errorf("byte %d: %s, %q found", p.base+int64(p.at), fmt.Sprintf(format, args...), found)
}

// rest skips blanks.
func (p *literal) rest() string {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.text[p.at:]
}

func (p *literal) take(token string) bool {
	if !strings.HasPrefix(p.rest(), token) {
		return false
	}
	p.at += len(token)
	return true
}

func (p *literal) expect(token string) error {
	if !p.take(token) {
		return p.wrong("%s expected", token)
	}
	return nil
}

func (p *literal) value(key string, h *header) (err error) {
	p.rest()
	at := p.base + int64(p.at)
	switch key {
	case "descr":
		h.descrAt = at
		if strings.HasPrefix(p.rest(), "[") {
			return p.wrong("one dtype for all elements expected")
		}
		h.descr, err = p.quoted()
	case "fortran_order":
		h.fortran = p.take("True")
		if !h.fortran {
			err = p.expect("False")
		}
	case "shape":
		h.shapeAt = at
		h.shape, err = p.tuple()
	default:
		err = p.wrong("the keys descr, fortran_order and shape expected, not %q", key)
	}
	return err
}

// quoted reads a string without escapes.
func (p *literal) quoted() (string, error) {
	s := p.rest()
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", p.wrong("a string expected")
	}
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 || strings.Contains(s[1:1+end], `\`) {
		return "", p.wrong("a string without escapes expected")
	}
	p.at += end + 2
	return s[1 : 1+end], nil
}

// tuple reads numbers in parentheses.
func (p *literal) tuple() ([]int64, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var all []int64
	for !p.take(")") {
		s := p.rest()
		digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, p.wrong("a dimension below 2^63 expected")
		}
		p.at += len(digits)
		p.take("L") // Python 2 wrote long numbers so
		all = append(all, n)
		if !p.take(",") && !strings.HasPrefix(p.rest(), ")") {
			return nil, p.wrong("a comma or ) expected")
		}
	}
	return all, nil
}
