// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// inTwo makes an epilogue ready whose source has no loops in which each lane has operands of its own: floats are made first, and
// the steps are done where they are. It is nil for others.
func (f *Frame) inTwo(k *Epilogue) runner {
	row, own := f.rowOf(k)
	if _, ok := periodForm(k); !ok || !own || row == 0 || row > pieceLanes || k.S.Kind != None {
		return nil
	}
	if k.laneSource() >= 0 || k.Source.Each != 0 || len(k.Source.Codes.InPlace) > 1 || !k.ToOut && reads([]Op{k}, k.To) {
		return nil
	}
	first, second := *k, *k
	first.Z, first.A, first.B = Parameter{}, Parameter{}, Parameter{}
	second.Source = Source{Kind: FromF32, From: k.To}
	if k.ToOut {
		second.Source.From = f.scratch(Buffer{F32, 1}) // never read
	}
	steps, ok := f.periodLoops(&second, laneFloats).(*epilogueCall)
	made := f.epilogue(&first)
	if !ok || made == nil {
		return nil
	}
	if c, ok := made.(*epilogueCall); ok {
		c.stream = nil
	}
	steps.own, steps.args.srcSkip = true, steps.args.dstSkip
	return several{made, steps}
}
