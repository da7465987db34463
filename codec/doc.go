// SPDX-License-Identifier: Apache-2.0

/*
Package codec runs the decoder and the encoder that a declaration carries: ONNX functions that turn
the bytes of a structured value into its logical tensor and back.

# From a payload to a value

A decoder names what it reads. Each of its inputs is the path of a leaf of the root, and [New] binds
it, once, to the place of that leaf and to a type (SV040 to SV044):

	array(block, 3)                            input    binds
	  block: struct { float16 d                d        FLOAT16[3]
	                  bits(lo: 4, hi: 4)[16]   qs.lo    UINT8[3,16]
	                      qs                   qs.hi    UINT8[3,16]
	                  float zero = {8} }       zero     FLOAT[], the constant itself

The dimensions are those of the enclosing arrays and bit packings, outermost first, then the leaf's own.
A component arrives as the smallest unsigned integer that holds it, any other leaf as its own element
type, a constant with its own dimensions alone, however often its structure is repeated. Inputs come in any order and
need not be all. A leaf whose elements lie in the payload as they lie in a tensor is not copied: the function
reads the payload itself.

Only the codecs of the root run. Those of declarations that it refers to are theirs; a root that wants them calls
them as model functions.

# What is known before anything runs

[New] resolves every operator, follows every call and infers every type, so that a codec that could not run is refused
while its declaration is read, not in the middle of a file:

	SV040  a decoder has one output
	SV045  inputs are paths, attributes have values, imports are there, operators exist, types and shapes fit
	SV046  model functions do not recurse
	SV047  an encoder has one input that is no path, and gives every payload path its type and shape
	SV048  no operator draws random numbers, no shape exceeds the limits
	SV054  an operator has the version that the model itself imports

All faults come at once, each a [structview.Diagnostic]. What is valid ONNX and merely lacking here has the severity
Unsupported. [Check] finds the same in a whole model, for every declaration, inline root and node.

Codecs come with files and are not trusted. A run stays within eval.Limits, which [Env] may set, and its context.

# Back to a payload

An encoder has the logical value as its one free input; other inputs are constants. Its outputs are the
payload paths, all of them, with the types and dimensions that a decoder would see. [Codec.Encode] packs them at their
bits, at any offset. A component value that does not fit its width is an error that tells the element: nothing is
ever cut off.

# Rows

The outermost array of a root is its rows, and a large value is decoded by them. That is right only
if row i of the result depends on row i of the payload alone. [Codec.RowIndependent] proves it from shapes: each operator
either keeps the array's dimensions in front, in order, or is named as the one that mixes rows. With the proof, [Codec.DecodeRows] reads no other
part of the payload; without it, the whole value is decoded and cut.

# Fast, and into memory of the caller

A decoder that gives FLOAT is planned when it first runs: package plan traces it over the layout and, where it can prove
that nothing changes, turns it into a few kernels over blocks of the payload. Large values are decoded by several
goroutines. [Codec.DecodeInto], [Codec.DecodeRowsInto] and [Codec.DecodeRowList] write into memory that the caller
brings and allocate nothing after their first calls; [Codec.DecodeTo] streams a value that need not fit into memory.
A decoder without a plan runs through package eval, by ranges of rows where those are independent. [Codec.Explain]
tells which of these it is, and what stood in the way of better.

# Structured values in graphs

Two operators of domain structview lead from structured values to tensors inside a graph and back:
Decode(value) -> tensor, and Encode<type_index>(tensor) -> value. [Operators] gives them to package eval, along with the
values themselves, each a [*Value].

# Meaning

What a function computes is what package eval computes, operator by operator. Whatever is faster must equal it
bit for bit, NaN for NaN.
*/
package codec
