// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package kernel

// MergePays reports whether merged programs are faster on this machine. The portable loops go from block to block
// themselves, lane by lane of one, and become slower.
func MergePays() bool { return false }

// Stepped reports whether loops go from step to step over any number of lanes.
func (p *Program) Stepped() bool { return false }
