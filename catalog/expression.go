// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// substitute replaces each $(expression) of a line by its value.
func substitute(line []byte, values map[string]string) ([]byte, error) {
	var out []byte
	for {
		before, after, found := bytes.Cut(line, []byte("$("))
		out = append(out, before...)
		if !found {
			return out, nil
		}
		e := expression{text: string(after), values: values}
		value, err := e.value()
		if err != nil {
			return nil, fmt.Errorf("$(%s: %w", closed(string(after)), err)
		}
		out = append(out, value...)
		line = after[e.at:]
	}
}

// expression is arithmetic of 64-bit integers, evaluated while it is read:
//
//	shift   = sum ("<<" sum)?
//	sum     = product (("+" | "-") product)*
//	product = atom (("*" | "/") atom)*
//	atom    = integer | parameter | "(" shift ")"
//
// No value may be larger than 2^62, so that none wraps, and a division must leave no rest.
// An expression that is one parameter may also be a word.
type expression struct {
	text   string
	at     int
	depth  int
	values map[string]string
}

const maxDepth = 50

var errOverflow = errors.New("the value is beyond 2^62")

// closed is the text of an expression for messages: up to its closing parenthesis, or to the end of the line.
func closed(text string) string {
	const longest = 60
	open := 1
	for i, r := range text {
		switch r {
		case '(':
			open++
		case ')':
			open--
		}
		switch {
		case open == 0:
			return text[:i+1]
		case r == '\n':
			return strings.TrimSpace(text[:i])
		case i > longest:
			return text[:i] + "…"
		}
	}
	return text
}

// value reads up to and including the closing parenthesis.
func (e *expression) value() (string, error) {
	if name, _, ok := strings.Cut(e.text, ")"); ok {
		if v, known := e.values[strings.TrimSpace(name)]; known {
			e.at = len(name) + 1
			return v, nil
		}
	}
	n, err := e.shift()
	if err != nil {
		return "", err
	}
	if !e.take(")") {
		return "", e.expected(")")
	}
	return strconv.FormatInt(n, 10), nil
}

func (e *expression) shift() (int64, error) {
	if e.depth++; e.depth > maxDepth {
		return 0, errors.New("the expression nests too deep")
	}
	defer func() { e.depth-- }()
	n, err := e.sum()
	if err != nil || !e.take("<<") {
		return n, err
	}
	by, err := e.sum()
	if err != nil {
		return 0, err
	}
	if by < 0 || by > 62 {
		return 0, errOverflow
	}
	return multiply(n, 1<<by)
}

func (e *expression) sum() (int64, error) {
	n, err := e.product()
	for err == nil {
		var m int64
		switch {
		case e.take("+"):
			if m, err = e.product(); err == nil {
				n, err = add(n, m)
			}
		case e.take("-"):
			if m, err = e.product(); err == nil {
				n, err = add(n, -m)
			}
		default:
			return n, nil
		}
	}
	return 0, err
}

func (e *expression) product() (int64, error) {
	n, err := e.atom()
	for err == nil {
		var m int64
		switch {
		case e.take("*"):
			if m, err = e.atom(); err == nil {
				n, err = multiply(n, m)
			}
		case e.take("/"):
			if m, err = e.atom(); err == nil {
				n, err = divide(n, m)
			}
		default:
			return n, nil
		}
	}
	return 0, err
}

func (e *expression) atom() (int64, error) {
	if e.take("(") {
		n, err := e.shift()
		if err == nil && !e.take(")") {
			err = e.expected(")")
		}
		return n, err
	}
	word := e.text[e.at:]
	end := strings.IndexFunc(word, func(r rune) bool { return !isWord("_" + string(r)) })
	if end >= 0 {
		word = word[:end]
	}
	if word == "" {
		return 0, e.expected("a number or a parameter")
	}
	text := word
	if v, known := e.values[word]; known {
		text = v
	} else if isWord(word) {
		return 0, fmt.Errorf("no parameter %s", word)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) || n < -1<<62 || n > 1<<62 {
		return 0, fmt.Errorf("expected a number from -2^62 to 2^62 (%d), found %s", int64(1)<<62, text)
	}
	if err != nil {
		return 0, fmt.Errorf("expected a number, found %s", text)
	}
	e.at += len(word)
	return n, nil
}

// take skips blanks, and s if it comes next.
func (e *expression) take(s string) bool {
	for e.at < len(e.text) && e.text[e.at] == ' ' {
		e.at++
	}
	if !strings.HasPrefix(e.text[e.at:], s) {
		return false
	}
	e.at += len(s)
	for e.at < len(e.text) && e.text[e.at] == ' ' {
		e.at++
	}
	return true
}

// expected names what comes next: a word, or else one character.
func (e *expression) expected(what string) error {
	rest := strings.TrimSpace(e.text[e.at:])
	end := strings.IndexFunc(rest, func(r rune) bool { return !isWord("_" + string(r)) })
	switch {
	case rest == "":
		return fmt.Errorf("expected %s, found the end of the line", what)
	case end < 0:
		end = len(rest)
	case end == 0:
		_, end = utf8.DecodeRuneInString(rest)
	}
	return fmt.Errorf("expected %s, found %q", what, rest[:end])
}

func add(a, b int64) (int64, error) {
	if s := a + b; magnitude(s) <= 1<<62 { // neither is larger than that, so s does not wrap
		return s, nil
	}
	return 0, errOverflow
}

func multiply(a, b int64) (int64, error) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if high != 0 || low > 1<<62 {
		return 0, errOverflow
	}
	return a * b, nil
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

func divide(a, b int64) (int64, error) {
	if b == 0 || a%b != 0 {
		return 0, fmt.Errorf("%d is not divisible by %d", a, b)
	}
	return a / b, nil
}
