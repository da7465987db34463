// SPDX-License-Identifier: Apache-2.0

// Package conformance runs language-neutral cases against this implementation of
// structured views. The cases stand under cases: models in text and binary form, payloads, and an index
// that says what an implementation has to find in them. README.md describes the
// index for implementers in other languages; python holds a second implementation.
package conformance
