// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	nearby "github.com/structview/structview/internal/nearest"
)

// A family is a file with parameters, which stand in comments at the beginning of a line:
//
//	#param block = 32    values of a block
//	#param scale = float16
//
// In the rest of the file $(block), $(block / 2) and $(scale) are replaced by their values before the file is
// parsed. A name such as linear.affine[block=64,scale=bfloat16] chooses other values than the defaults. What comes
// out is a concrete declaration that is called by its family and all parameters.

const paramLine = "#param "

// param is one parameter of a family and its value: an integer, or a word such as the name of a type.
type param struct{ name, value string }

// splitName takes the parameters off a name: "mx.fp4[block=32]". A name whose brackets hold no "=" has none.
func splitName(name string) (family string, params []param, err error) {
	family, rest, bracket := strings.Cut(name, "[")
	inside, closed := strings.CutSuffix(rest, "]")
	if !bracket || !strings.Contains(inside, "=") {
		return name, nil, nil
	}
	if !closed {
		return "", nil, fmt.Errorf("%q: expected ] after the parameters", name)
	}
	for _, part := range strings.Split(inside, ",") {
		key, value, _ := strings.Cut(part, "=")
		p := param{strings.TrimSpace(key), strings.TrimSpace(value)}
		if !isWord(p.name) || !isValue(p.value) {
			return "", nil, fmt.Errorf("%q: expected parameters like [block=32], found %q", name, part)
		}
		params = append(params, p)
	}
	return family, params, nil
}

// expand puts the values of a family's parameters into its text. given is how the name shows them; it is empty for
// a file without parameters, which is not touched.
func expand(file string, text []byte, chosen []param) (expanded []byte, given string, err error) {
	params, err := declaredParams(file, text)
	if err != nil {
		return nil, "", err
	}
	if err := choose(file, params, chosen); err != nil {
		return nil, "", err
	}
	if len(params) == 0 {
		return text, "", nil
	}
	values := map[string]string{}
	shown := make([]string, len(params))
	for i, p := range params {
		values[p.name] = p.value
		shown[i] = p.name + "=" + p.value
	}
	var out bytes.Buffer
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if !bytes.HasPrefix(line, []byte(paramLine)) {
			line, err = substitute(line, values)
			if err != nil {
				return nil, "", fmt.Errorf("%s:%d: %w", file, number, err)
			}
		}
		out.Write(line)
	}
	return out.Bytes(), "[" + strings.Join(shown, ",") + "]", nil
}

func declaredParams(file string, text []byte) ([]param, error) {
	var params []param
	number := 0
	for line := range bytes.Lines(text) {
		number++
		declared, ok := bytes.CutPrefix(line, []byte(paramLine))
		if !ok {
			continue
		}
		fields := strings.Fields(string(declared))
		if len(fields) < 3 || fields[1] != "=" || !isWord(fields[0]) || !isValue(fields[2]) {
			return nil, fmt.Errorf("%s:%d: expected #param NAME = VALUE, found %q", file, number, strings.TrimSpace(string(line)))
		}
		if indexOf(params, fields[0]) >= 0 {
			return nil, fmt.Errorf("%s:%d: expected a parameter of a new name, found a second %s", file, number, fields[0])
		}
		params = append(params, param{fields[0], fields[2]})
	}
	return params, nil
}

// choose replaces the defaults by the values that were asked for. A number replaces numbers only.
func choose(file string, params, chosen []param) error {
	given := map[string]bool{}
	for _, c := range chosen {
		if given[c.name] {
			return fmt.Errorf("%s: parameter %s is given twice", file, c.name)
		}
		given[c.name] = true
		i := indexOf(params, c.name)
		if i < 0 {
			return unknownParam(file, params, c.name)
		}
		if isInteger(params[i].value) != isInteger(c.value) {
			return fmt.Errorf("%s: parameter %s: expected a value like %s, found %s", file, c.name, params[i].value, c.value)
		}
		params[i].value = canonical(c.value)
	}
	return nil
}

func indexOf(params []param, name string) int {
	for i, p := range params {
		if p.name == name {
			return i
		}
	}
	return -1
}

func unknownParam(file string, params []param, name string) error {
	if len(params) == 0 {
		return fmt.Errorf("%s: parameter %s: the format has no parameters", file, name)
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.name
	}
	hint := "it has " + strings.Join(names, ", ")
	if n, ok := nearby.Of(name, names); ok {
		hint = "did you mean " + n + "?"
	}
	return fmt.Errorf("%s: no parameter %s; %s", file, name, hint)
}

// canonical gives a number one spelling, so that one declaration has one name.
func canonical(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return value
}

func isInteger(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

func isValue(s string) bool { return isInteger(s) || isWord(s) }

// isWord reports whether s is a letter or _ followed by letters, digits and _.
func isWord(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// Expand returns a file's text with the defaults of its parameters put in, so that it can be parsed. A file without
// parameters comes back as it is. name stands in errors.
func Expand(name string, text []byte) ([]byte, error) {
	expanded, _, err := expand(name, text, nil)
	return expanded, err
}
