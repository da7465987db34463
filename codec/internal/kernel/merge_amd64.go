// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// MergePays reports whether merged programs are faster on this machine: their loops read lists of
// windows, and take whole vectors.
func MergePays() bool { return vectors() }

// Stepped reports whether the output is numbers that go on by steps, whatever their number in a block: their loops
// need no merged blocks.
func (p *Program) Stepped() bool {
	if !vectors() || p.Lanes < chunkLanes {
		return false
	}
	numbers := false
	for _, op := range p.Ops {
		switch op.(type) {
		case *Scalar, *Wide, *Loose:
			numbers = numbers || !oneByOne(op)
		case *Epilogue, *Fill:
		default:
			return false
		}
	}
	if !numbers {
		return false
	}
	for _, made := range p.NewFrame(1).made {
		if list, ok := made.(several); ok && list.stepped(p.Lanes) {
			return true
		}
	}
	return false
}

// stepped reports whether runners are loops by steps that write so many lanes of the output.
func (s several) stepped(lanes int) bool {
	for _, r := range s {
		c, ok := r.(*dwordCall)
		if !ok || !c.out || c.steps == nil {
			return false
		}
		lanes -= c.steps.lanes
	}
	return lanes == 0
}
