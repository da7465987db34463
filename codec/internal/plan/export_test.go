// SPDX-License-Identifier: Apache-2.0

package plan

// Obligations lists the obligations by name.
func Obligations() []string {
	var names []string
	for _, o := range obligations {
		names = append(names, string(o))
	}
	return names
}

// StripObligations lists those of strips.
func StripObligations() []string {
	var names []string
	for _, o := range stripObligations {
		names = append(names, string(o))
	}
	return names
}

// Without returns an Env in which one obligation is not checked.
func (e Env) Without(name string) Env {
	e.without = obligation(name)
	return e
}

// Watch returns an Env that shows the values of each trace that succeeds: as traced,
// and with their facts when they have been matched.
func (e Env) Watch(show func(stage, text string)) Env {
	e.watch = func(stage string, g *graph) {
		if stage == "trace" {
			show(stage, g.String())
			return
		}
		show(stage, g.factsText())
	}
	return e
}

// MaxWork bounds Work, but for the last step.
const MaxWork = maxWork

// Work is what planning took.
func (p *Plan) Work() int64 { return p.work }

// Stripped returns an Env in which decoders run as strips or not at all.
func (e Env) Stripped() Env {
	e.strips = true
	return e
}
