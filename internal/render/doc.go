// SPDX-License-Identifier: Apache-2.0

// Package render puts types, layouts and values into words and rows for a
// terminal or a JSON document. It never expands an array beyond the caller's
// limit: a declaration of a few bytes may describe 2^60 elements.
package render
