// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"strings"
)

// Severity says what a [Diagnostic] means for the model.
type Severity uint8

const (
	Error       Severity = iota // the model is invalid
	Warning                     // the model is valid, something in it looks wrong
	Unsupported                 // the model is valid, but this implementation cannot run it
)

// String returns "error", "warning" or "unsupported".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Unsupported:
		return "unsupported"
	default:
		return "error"
	}
}

// MarshalText writes the severity as [Severity.String] does.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	for v := Error; v <= Unsupported; v++ {
		if string(text) == v.String() {
			*s = v
			return nil
		}
	}
	return fmt.Errorf("structview: no severity %q", text)
}

// Diagnostic is one finding: the rule that is broken, where, and how. It is an
// error; errors.Is(err, [ErrReference]) and its like tell the rules apart.
type Diagnostic struct {
	Rule     string   `json:"rule"` // "SV008"
	Severity Severity `json:"severity"`
	Path     string   `json:"path"`    // the place in the model: struct_types[2].structure.field[0]
	Message  string   `json:"message"` // what is wrong, what was expected, what was found
	Help     string   `json:"help,omitempty"`
}

// Error returns the finding in one line: rule, severity, path, message and help.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	b.WriteString(d.Rule)
	b.WriteByte(' ')
	b.WriteString(d.Severity.String())
	b.WriteString(": ")
	if d.Path != "" {
		b.WriteString(d.Path)
		b.WriteString(": ")
	}
	b.WriteString(d.Message)
	if d.Help != "" {
		b.WriteString("; ")
		b.WriteString(d.Help)
	}
	return b.String()
}

// Is reports whether target is the [Rule] of d.
func (d *Diagnostic) Is(target error) bool {
	rule, ok := target.(Rule)
	return ok && string(rule) == d.Rule
}

// Errors joins the findings of severity [Error] into one error, nil if there are
// none. errors.Is and errors.As see each of them.
func Errors(findings []Diagnostic) error {
	var list diagnostics
	for i := range findings {
		if findings[i].Severity == Error {
			list = append(list, &findings[i])
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// diagnostics is a list of findings as one error.
type diagnostics []*Diagnostic

func (l diagnostics) Error() string {
	if len(l) == 1 {
		return l[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", l[0], len(l)-1)
}

func (l diagnostics) Unwrap() []error {
	list := make([]error, len(l))
	for i, d := range l {
		list[i] = d
	}
	return list
}
