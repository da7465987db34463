// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// part is a run of bits of a number: where a word begins that has it, how far it is moved to
// the right, what stays, and how far that is moved to the left.
type part struct{ byte, right, mask, left int64 }

// partsOf is the parts of numbers, so many for each; nil if one does not lie within a word of
// most bits.
func partsOf(numbers [][]Segment, most int) (list []part, step int) {
	step = max(mostSegments(numbers), 1)
	list = make([]part, step*len(numbers))
	for l, parts := range numbers {
		for i, s := range parts {
			if s.Bit%8+s.Width > most {
				return nil, 0
			}
			list[l*step+i] = part{int64(s.Bit / 8), int64(s.Bit % 8), 1<<s.Width - 1, int64(s.Left)}
		}
	}
	return list, step
}

// byParts is a loop over numbers, one by one, which writes size bytes for each.
func (c *call) byParts(list []part, step, size int) *call {
	c.payload, c.size, c.dstSize = true, step*sizeOf[part](), size
	c.args.desc, c.args.count, c.args.step = address(list), len(list)/step, step
	return c.cut(alike(step * pieceLanes / slowLanes))
}

// numberLoops are the loops over numbers one by one, by format: at whole bytes, and in parts.
var numberLoops = [...][2]func(*unpackArgs){
	F16:     {scalarF16, looseF16},
	BF16:    {scalarBF16, looseBF16},
	Float32: {scalarF32, looseF32},
	Float64: {scalarF64, looseF64},
	Int32:   {scalarI32, looseI32},
	Uint32:  {scalarU32, looseU32},
	Int64:   {scalarI64, looseI64},
	Uint64:  {scalarU64, looseU64},
}

// loose makes Loose ready.
func (f *Frame) loose(k *Loose) calls {
	list, step := partsOf(k.Parts, 64)
	if len(list) == 0 || k.Unit != 0 && k.Format != F16 || k.Signs != nil {
		return nil
	}
	c := &call{loop: numberLoops[k.Format][1], args: f.floatTarget(k.To)}
	c.args.plus = uint32(k.Add)
	if k.Sign != 0 {
		c.args.sign = 64 - k.Sign
	}
	if k.Unit != 0 {
		c.args.unit = k.Unit
	}
	return calls{c.byParts(list, step, 4)}
}

// wideFields makes Wide ready that is no row of words.
func (f *Frame) wideFields(k *Wide) calls {
	list := make([]part, len(k.Bits))
	if len(list) == 0 {
		return nil
	}
	for l, o := range k.Bits {
		list[l] = part{int64(o / 8), int64(o % 8), 1<<k.Width - 1, 0}
	}
	c := &call{loop: wideI32, args: f.floatTarget(k.To)}
	c.args.low, c.args.plus = k.Xor, uint32(k.Add)
	return calls{c.byParts(list, 1, 4)}
}

// field makes Field ready.
func (f *Frame) field(k *Field) calls {
	list, step := partsOf(k.Lanes, 32)
	if len(list) == 0 {
		return nil
	}
	return calls{f.fields(k.To, 0, list, step)}
}

// fields is codes one by one, from a lane on.
func (f *Frame) fields(to Target, lane int, list []part, step int) *call {
	c := &call{args: f.target(to)}
	or, size := 0, 1
	if to.Or {
		or = 1
	}
	if f.u16[to.Buffer] != nil {
		c.loop, size = [...]func(*unpackArgs){fieldU16, fieldU16Or}[or], 2
	} else {
		c.loop = [...]func(*unpackArgs){fieldU8, fieldU8Or}[or]
		table := make([]byte, 256)
		for i := range table {
			table[i] = to.Post.apply(byte(i))
		}
		c.args.with = address(table)
	}
	c.args.dst = advance(c.args.dst, lane*size)
	return c.byParts(list, step, size)
}
