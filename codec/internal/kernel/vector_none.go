// SPDX-License-Identifier: Apache-2.0

package kernel

// window is what a vector form of Spread reads for eight lanes.
type window struct{}

// The vector forms report whether they ran; without any, the Go loops do.

func planeVector(*Plane, *Frame) bool       { return false }
func spreadVector(*Spread, *Frame) bool     { return false }
func scalarVector(*Scalar, *Frame) bool     { return false }
func affineVector(*Affine, *Frame) bool     { return false }
func lutVector(*Lut, *Frame) bool           { return false }
func stepsVector(*Steps, *Frame) bool       { return false }
func binaryVector(*Binary, *Frame) bool     { return false }
func signVector(*Sign, *Frame) bool         { return false }
func rowsVector(*Rows, *Frame) bool         { return false }
func epilogueVector(*Epilogue, *Frame) bool { return false }
