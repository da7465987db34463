// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "slices"

// heldGroups makes an epilogue ready that looks groups of lanes up in tables of their own. If groups and tables of all blocks
// follow each other, it is one on shorter blocks, which are the groups; otherwise nil.
func (f *Frame) heldGroups(k *Epilogue) runner {
	s := k.Source
	if !k.held() || s.Each%eightLanes != 0 || k.Lanes%s.Each != 0 || s.Each > pieceLanes {
		return nil
	}
	parts := k.Lanes / s.Each
	if f.pitch[s.From] != s.Entries*parts || f.pitch[s.Codes.Buffer] != k.Lanes {
		return nil
	}
	groups, own := *f, *k
	groups.pitch = slices.Clone(f.pitch)
	groups.pitch[s.From], groups.pitch[s.Codes.Buffer] = s.Entries, s.Each
	own.Source.Each, own.Lanes = 0, s.Each
	switch {
	case !k.ToOut && f.pitch[k.To] == k.Lanes:
		groups.pitch[k.To] = s.Each
	case k.ToOut && k.Lane == 0 && f.lanes == k.Lanes:
		groups.lanes = s.Each
	default:
		return nil
	}
	c, ok := groups.epilogue(&own).(*epilogueCall)
	if !ok {
		return nil
	}
	return &heldCall{epilogueCall: c, groups: &groups, parts: parts, each: s.Each, entries: s.Entries}
}

// heldCall is an epilogue whose blocks are groups.
type heldCall struct {
	*epilogueCall
	groups        *Frame
	parts         int // groups of a block
	each, entries int
}

func (c *heldCall) run(f *Frame) {
	g, all := c.groups, c.args
	n, most := f.n*c.parts, max(2*pieceLanes/c.each, 1)
	g.stream = f.stream
	for at := 0; at < n; at += most {
		g.n = min(most, n-at)
		c.args.src, c.args.table = advance(all.src, at*c.each), advance(all.table, 4*at*c.entries)
		if c.out {
			g.out = f.out[at*c.each:]
		} else {
			c.args.dst = advance(all.dst, 4*at*c.each)
		}
		c.epilogueCall.run(g)
	}
	g.out, c.args = nil, all // keeps nobody's memory
}
