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

// Without returns an Env in which one obligation is not checked.
func (e Env) Without(name string) Env {
	e.without = obligation(name)
	return e
}
