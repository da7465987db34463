// SPDX-License-Identifier: Apache-2.0

package structview

import "fmt"

// report collects findings.
type report struct {
	disabled map[string]bool
	list     []Diagnostic
	errors   int // errors that were met, reported or not
	first    *Diagnostic
	padded   map[*Type][4]uint64 // see paddingHelp
}

func (r *report) error(rule Rule, at *place, format string, args ...any) {
	r.add(rule, Error, at, "", format, args...)
}

func (r *report) warn(rule Rule, at *place, format string, args ...any) {
	r.add(rule, Warning, at, "", format, args...)
}

func (r *report) add(rule Rule, s Severity, at *place, help, format string, args ...any) {
	d := Diagnostic{
		Rule: string(rule), Severity: s, Path: at.String(), Message: fmt.Sprintf(format, args...), Help: help,
	}
	if s == Error {
		r.errors++
		if r.first == nil {
			r.first = &d
		}
	}
	if !r.disabled[d.Rule] {
		r.list = append(r.list, d)
	}
}

// quoteName writes a name for a message, shortened if a file gave a monstrous one.
func quoteName(name string) string {
	const most = 80
	if len(name) > most {
		return fmt.Sprintf("%q… (%d bytes)", name[:most], len(name))
	}
	return fmt.Sprintf("%q", name)
}
