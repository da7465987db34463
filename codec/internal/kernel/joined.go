// SPDX-License-Identifier: Apache-2.0

package kernel

import "slices"

// What becomes of one byte of the payload or of a buffer, up to a number, is a table of 256
// numbers: an epilogue by units needs no codes in between.

// byteCodes is codes that depend on one byte each.
type byteCodes struct {
	from     Codes // in place: the payload
	at       []int // the byte of each lane
	function []int // what is made of it: one of tables
	tables   []*[256]byte
}

// maxJoined is how many tables a unit's loop may use: a few kilobytes.
const maxJoined = 8

// joint is an op that was joined with others: nothing runs in its place, or all of them.
type joint struct {
	done bool
	all  runner
}

// join finds ops, each the only reader of the one before, that are functions of single bytes
// and end in an epilogue, which stands for all. It returns what became of each op.
func (f *Frame) join() []joint {
	joined := make([]joint, len(f.program.Ops))
	for i := range joined {
		if f.lanes > 0 && !joined[i].done { // without lanes a Store, which is not among the ops, may read the buffers
			f.joinFrom(i, joined)
		}
	}
	return joined
}

func (f *Frame) joinFrom(i int, joined []joint) {
	ops, chain := f.program.Ops, []int{}
	var first runner
	codes, id := (&byteCodes{from: Codes{InPlace: []Row{}}}).then(ops[i])
	if codes == nil {
		codes, id, first = f.written(ops[i])
	}
	for at := i; codes != nil; {
		next := f.reader(id, at)
		if next < 0 {
			return
		}
		chain = append(chain, at)
		if k, ok := ops[next].(*Epilogue); ok {
			if !k.unitary() || k.Lanes > len(codes.at) {
				return
			}
			joined[next] = joint{true, k.byUnits(codes.from, codes.runs(k))}
			for _, at := range chain {
				joined[at].done = true
			}
			joined[i].all = first
			return
		}
		at = next
		codes, id = codes.then(ops[at])
	}
}

// written is what an op with a post-operation writes, as codes that are still to be finished,
// and the op without it; nil if there is none.
func (f *Frame) written(op Op) (*byteCodes, BufferID, runner) {
	var to Target
	var bits []int
	var plain Op
	switch k := op.(type) {
	case *Plane:
		own := *k
		own.To.Post = Post{}
		to, bits, plain = k.To, rowBits(k.Rows), &own
	case *Spread:
		own := *k
		own.To.Post = Post{}
		to, bits, plain = k.To, make([]int, len(k.Bits)), &own
	}
	if to.Post.none() {
		return nil, 0, nil
	}
	made := &byteCodes{from: Buf(to.Buffer)}
	classes := map[int]int{}
	for l, bit := range bits {
		if bit < 0 {
			return nil, 0, nil
		}
		made.add(classes, l, 0, to.Post.apply)
	}
	return made, to.Buffer, f.loop(plain)
}

// reader is the op that reads what op at wrote to a buffer; -1 if there is not exactly one,
// or if others write there later.
func (f *Frame) reader(id BufferID, at int) int {
	found := -1
	for i, op := range f.program.Ops[at+1:] {
		if !uses(op, id) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = at + 1 + i
	}
	return found
}

// uses reports whether an op reads or writes a code buffer, or may do so.
func uses(op Op, id BufferID) bool {
	codes := func(c Codes) bool { return c.InPlace == nil && c.Buffer == id }
	switch k := op.(type) {
	case *Epilogue:
		if k.Source.hasCodes() {
			return codes(k.Source.Codes)
		}
		return k.Source.Kind != FromF32 && k.Source.From == id
	case *Plane:
		return k.To.Buffer == id
	case *Spread:
		return k.To.Buffer == id
	case *Field:
		return k.To.Buffer == id
	case *Affine:
		return codes(k.From) || k.To == id
	case *Lut:
		return codes(k.From) || k.To == id
	case *Steps:
		return codes(k.From) || k.To == id
	case *Rows:
		return k.From == id || k.To == id
	case *Transpose:
		return k.To == id
	case *Held:
		return codes(k.From) || k.Table == id || k.To == id
	case *Halves:
		return k.From == id
	case *Sign:
		return codes(k.From) || k.With.reads(id) || k.To == id
	case *Binary:
		return codes(k.From) || k.With.reads(id) || k.To == id
	case *Expression:
		return slices.ContainsFunc(k.In, func(x Input) bool { return x.Place == nil && x.Kind != FromF32 && x.From == id })
	case *Pick:
		return k.Index == id || k.To == id
	case *Patch:
		return k.Kind == FromU8 && k.Index == id
	case *Scalar, *Loose, *Wide, *Fill, *Place:
		return false
	default:
		return true
	}
}

func (o Operand) reads(id BufferID) bool { return o.Constant == nil && o.Buffer == id }

// then is the codes that an op makes of codes, and its buffer; nil if they are not single
// bytes' functions. Without lanes they begin at the payload.
func (c *byteCodes) then(op Op) (*byteCodes, BufferID) {
	switch k := op.(type) {
	case *Plane:
		return c.plane(k), k.To.Buffer
	case *Affine:
		return c.mapped(k.From, k.Lanes, func(_ int, x byte) byte { return k.Map.apply(x) }, nil), k.To
	case *Lut:
		return c.mapped(k.From, k.Lanes, func(_ int, x byte) byte { return k.apply(x) }, nil), k.To
	case *Steps:
		return c.mapped(k.From, k.Lanes, func(_ int, x byte) byte { return k.apply(x) }, nil), k.To
	case *Binary:
		if row := k.With.Constant; row != nil {
			return c.mapped(k.From, k.Lanes, func(y int, x byte) byte { return k.Op.apply(x, byte(y)) }, row), k.To
		}
	}
	return nil, 0
}

// plane is the codes of a plane.
func (c *byteCodes) plane(k *Plane) *byteCodes {
	if len(c.at) > 0 || k.To.Or || k.Width+k.To.Left > 8 {
		return nil
	}
	mask := byte(1<<k.Width - 1)
	made := &byteCodes{from: c.from}
	classes := map[int]int{}
	for _, bit := range rowBits(k.Rows) {
		if bit < 0 {
			return nil
		}
		ok := made.add(classes, bit/8, bit%8, func(x byte) byte {
			return k.To.Post.apply(x >> (bit % 8) & mask << k.To.Left)
		})
		if !ok {
			return nil
		}
	}
	return made
}

// mapped is what apply makes of codes that an op reads, which get a row's elements as well.
func (c *byteCodes) mapped(from Codes, lanes int, apply func(y int, x byte) byte, row []byte) *byteCodes {
	before := c
	if from.InPlace != nil {
		if len(c.at) > 0 {
			return nil
		}
		before = inPlace(from.InPlace)
	}
	if len(before.at) < lanes {
		return nil
	}
	made := &byteCodes{from: c.from}
	classes := map[int]int{}
	for l := range lanes {
		y, function := 0, before.tables[before.function[l]]
		if row != nil {
			y = int(row[l%len(row)])
		}
		if !made.add(classes, before.at[l], before.function[l]<<8|y, func(x byte) byte { return apply(y, function[x]) }) {
			return nil
		}
	}
	return made
}

// inPlace is bytes of the payload themselves.
func inPlace(rows []Row) *byteCodes {
	same := new([256]byte)
	for i := range same {
		same[i] = byte(i)
	}
	c := &byteCodes{from: Codes{InPlace: rows}, tables: []*[256]byte{same}}
	for _, bit := range rowBits(rows) {
		c.at, c.function = append(c.at, bit/8), append(c.function, 0)
	}
	return c
}

// add adds a lane, and the table of its class if that is new. It is false if those are too many.
func (c *byteCodes) add(classes map[int]int, at, class int, apply func(x byte) byte) bool {
	n, ok := classes[class]
	if !ok {
		n = len(c.tables)
		classes[class] = n
		table := new([256]byte)
		for i := range table {
			table[i] = apply(byte(i))
		}
		c.tables = append(c.tables, table)
	}
	c.at, c.function = append(c.at, at), append(c.function, n)
	return n < maxJoined
}

// runs are the codes as an epilogue on them reads them.
func (c *byteCodes) runs(k *Epilogue) []byteRun {
	worth := k.Source.worth()
	tables := make([]*[256]float32, len(c.tables))
	for i, codes := range c.tables {
		tables[i] = new([256]float32)
		for x, code := range codes {
			tables[i][x] = worth[code]
		}
	}
	var runs []byteRun
	for l := range k.Lanes {
		if l > 0 && c.at[l] == c.at[l-1]+1 && c.function[l] == c.function[l-1] {
			runs[len(runs)-1].n++
			continue
		}
		runs = append(runs, byteRun{c.at[l], l, 1, tables[c.function[l]]})
	}
	return runs
}
