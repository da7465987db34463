// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// MergePays reports whether merged programs are faster on this machine: their loops read lists of
// windows, and take whole vectors.
func MergePays() bool { return vectors() }
