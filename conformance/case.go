// SPDX-License-Identifier: Apache-2.0

package conformance

import "encoding/json"

// Case is one entry of index.json; README.md describes its members. Sizes, offsets, widths
// and dimensions are decimal strings, since they reach 2^64-1.
type Case struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`
	Rules []string `json:"rules"`
	Doc   string   `json:"doc"`
	Model string   `json:"model"`
	Text  string   `json:"text"`
	Needs []string `json:"needs"`
	Setup []Setup  `json:"setup"`

	// check
	Findings  []string `json:"findings"`
	Malformed bool     `json:"malformed"`

	// layout, read, codec, hash
	Root     json.RawMessage `json:"root"`
	Size     string          `json:"size"`
	Leaves   []Leaf          `json:"leaves"`
	Payload  string          `json:"payload"`
	Reads    []Read          `json:"reads"`
	Decode   *Elements       `json:"decode"`
	Encode   *Elements       `json:"encode"`
	Refused  string          `json:"refused"`
	Hash     string          `json:"hash"`
	Static   string          `json:"static"`
	Value    json.RawMessage `json:"value"`
	Accepted bool            `json:"accepted"`
}

// Setup is a file that has to be made before a case runs, since it cannot be shipped.
type Setup struct {
	Make   string `json:"make"` // file, folder, symlink, hardlink, fifo
	Path   string `json:"path"`
	Target string `json:"target"`
}

// Leaf is an expected leaf of a layout.
type Leaf struct {
	Path      string   `json:"path"`
	Element   string   `json:"element"`
	Width     string   `json:"width"`
	Component bool     `json:"component"`
	Constant  bool     `json:"constant"`
	Offset    string   `json:"offset"`
	Dims      []string `json:"dims"`
	Strides   []string `json:"strides"`
}

// Read is what stands at a path of a value, or the rule that refuses the path.
type Read struct {
	Path    string `json:"path"`
	Refused string `json:"refused"`
	Elements
}

// Elements are the elements of a tensor, row-major.
type Elements struct {
	Element string   `json:"element"`
	Dims    []string `json:"dims"`
	Bits    []string `json:"bits"`   // hexadecimal
	Values  []string `json:"values"` // decimal; absent where a number does not say it all
	Strings []string `json:"strings"`
}
