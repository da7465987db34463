// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// loosePart is a run of bits of a number: where a word begins that has it, how far it is
// moved to the right, what stays, and how far that is moved to the left.
type loosePart struct {
	byte, right, mask, left int64
}

// loose makes Loose ready: number by number, each of as many parts.
func (f *Frame) loose(k *Loose) calls {
	one, many := k.Format.looseLoops()
	if one == nil || len(k.Parts) == 0 || k.Sign != 0 || k.Signs != nil || k.Add != 0 || k.Unit != 0 {
		return nil
	}
	step := max(mostSegments(k.Parts), 1)
	list := make([]loosePart, step*len(k.Parts))
	for l, parts := range k.Parts {
		for i, s := range parts {
			if s.Width > 57 {
				return nil
			}
			list[l*step+i] = loosePart{int64(s.Bit / 8), int64(s.Bit % 8), 1<<s.Width - 1, int64(s.Left)}
		}
	}
	c := &call{loop: many, payload: true, args: f.floatTarget(k.To)}
	c.args.desc, c.args.count, c.args.step = address(list), len(k.Parts), step
	c.pace = pace{units: slowLanes, desc: step * sizeOf[loosePart](), dst: 4}
	if first := list[0]; len(list) == 1 && first.left == 0 && first.mask == 1<<(8*k.Format.size())-1 {
		c.loop, c.at, c.args.shift = one, int(first.byte), int(first.right)
	}
	return calls{c}
}

// looseLoops are the loops for one whole number of a block, and for many in parts.
func (x Format) looseLoops() (one, many func(*unpackArgs)) {
	switch x {
	case F16:
		return looseOneF16, looseF16
	case BF16:
		return looseOneBF16, looseBF16
	case Float32:
		return looseOneF32, looseF32
	case Int32:
		return looseOneI32, looseI32
	default:
		return nil, nil
	}
}
