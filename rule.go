// SPDX-License-Identifier: Apache-2.0

package structview

// Rule is the id of a rule, "SV008". It is an error only in order to be a target
// of errors.Is; docs/SPEC.md describes each rule.
type Rule string

// Error returns the id.
func (r Rule) Error() string { return string(r) }

// The rules that this package checks. errors.Is(err, ErrReference) is true for a
// [Diagnostic] of that rule and for an error that wraps one.
const (
	ErrSelection      Rule = "SV002" // a value selects exactly one type
	ErrRoot           Rule = "SV003" // a concrete root is an array, a bit packing or a structure
	ErrStaticForm     Rule = "SV004" // a static type of a graph is a reference or the unconstrained category
	ErrNestedForm     Rule = "SV005" // below a root, a declaration is a reference or concrete
	ErrStaticExtras   Rule = "SV006" // static forms carry no codec, name or metadata
	ErrIdleCodec      Rule = "SV007" // a codec below a root never runs
	ErrReference      Rule = "SV008" // a reference names an entry, and references are acyclic
	ErrContent        Rule = "SV009" // a field has exactly one content, an array an element type
	ErrName           Rule = "SV010" // names are non-empty and unique
	ErrWidth          Rule = "SV011" // component widths are positive
	ErrLeaf           Rule = "SV012" // a leaf is a fixed-width element type with a static shape
	ErrConstant       Rule = "SV015" // a constant's data is in the message and matches its dimensions
	ErrOverflow       Rule = "SV020" // sizes fit 64 bits
	ErrAlignment      Rule = "SV021" // a value's size is a whole number of bytes
	ErrLength         Rule = "SV022" // the payload has exactly the size of the type
	ErrExternal       Rule = "SV023" // external data names its range exactly
	ErrLocation       Rule = "SV024" // a location stays below the model's folder
	ErrNesting        Rule = "SV025" // declarations nest at most 64 levels deep
	ErrBool           Rule = "SV030" // a BOOL is stored as 0 or 1
	ErrCodecOutput    Rule = "SV040" // a decoder has one output
	ErrPath           Rule = "SV041" // a path names a leaf in its canonical spelling
	ErrDimension      Rule = "SV042" // a bound dimension is below 2^63
	ErrValueName      Rule = "SV050" // names of values are non-empty and unique
	ErrNotAccepted    Rule = "SV051" // a static type accepts the value
	ErrOverlap        Rule = "SV052" // external ranges do not overlap partly
	ErrNoCodec        Rule = "SV053" // Decode and Encode need a codec at the root
	ErrForeignDialect Rule = "SV056" // not the dialect of another implementation
	ErrCounts         Rule = "SV057" // a model has what it was written with
)

// Rules returns the rules above, in their order.
func Rules() []Rule {
	return []Rule{
		ErrSelection, ErrRoot, ErrStaticForm, ErrNestedForm, ErrStaticExtras, ErrIdleCodec, ErrReference, ErrContent,
		ErrName, ErrWidth, ErrLeaf, ErrConstant, ErrOverflow, ErrAlignment, ErrLength, ErrExternal, ErrLocation, ErrNesting,
		ErrBool, ErrCodecOutput, ErrPath, ErrDimension, ErrValueName, ErrNotAccepted, ErrOverlap, ErrNoCodec, ErrForeignDialect,
		ErrCounts,
	}
}
