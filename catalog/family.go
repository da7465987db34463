// SPDX-License-Identifier: Apache-2.0

package catalog

// param is one parameter of a family and its value.
type param struct{ name, value string }

// splitName takes the parameters off a name: "mx.fp4[block=32]".
func splitName(name string) (family string, params []param, err error) {
	return name, nil, nil
}

// expand puts the values of a family's parameters into its text. given is how the name shows them.
func expand(file string, text []byte, params []param) (expanded []byte, given string, err error) {
	return text, "", nil
}
