// SPDX-License-Identifier: Apache-2.0

package kernel

// The portable loops go over blocks inside and over the lanes of a block outside: what
// belongs to a lane is looked at once for all blocks of a frame. A unit is 16, 8 or
// single lanes that share their operands.

// unit is where such lanes are, from the begin of the first block.
type unit struct {
	src, dst int // code and lane
	table    *[256]float32
	operand  [3]int // elements of Z, A and B
}

// The sizes of units, in the order of their lists.
const (
	sixteenUnit = iota
	eightUnit
	singleUnit
)

var unitLanes = [...]int{sixteenUnit: 16, eightUnit: 8, singleUnit: 1}

// numbers is an epilogue on codes, made ready.
type numbers struct {
	*Epilogue
	form     int
	codes    Codes
	units    [singleUnit][]unit
	lines    []line
	constant [3][1]float32
	sign     float32 // of B
	work     series
}

// byteRun is codes that follow each other in their buffer or payload, with what each
// is worth.
type byteRun struct {
	src, lane, n int
	table        *[256]float32
}

// fast is the epilogue by units; nil if it has steps or a source that those have not.
func (k *Epilogue) fast(*Frame) runner {
	if !k.unitary() {
		return nil
	}
	table := k.Source.worth()
	rows := k.Source.Codes.InPlace
	if rows == nil {
		rows = []Row{{Len: k.Lanes}}
	}
	var runs []byteRun
	for _, r := range rows {
		runs = append(runs, byteRun{r.Byte, r.Lane, r.Len, table})
	}
	return k.byUnits(k.Source.Codes, runs)
}

// unitary reports whether units do the epilogue.
func (k *Epilogue) unitary() bool {
	return k.Source.hasCodes() && k.Source.Kind != FromHeld && k.S.Kind == None && !k.Div
}

// hasCodes reports whether a source is bytes that a table makes numbers of.
func (s Source) hasCodes() bool {
	return s.Kind == FromU8 || s.Kind == FromI8 || s.Kind == FromTable || s.Kind == FromHeld
}

// worth is what each code of a source is as a number.
func (s Source) worth() *[256]float32 {
	table := new([256]float32)
	for i := range table {
		switch s.Kind {
		case FromU8:
			table[i] = float32(i)
		case FromI8:
			table[i] = float32(int8(i))
		default:
			table[i] = s.Table[i%len(s.Table)]
		}
	}
	return table
}

func (k *Epilogue) byUnits(codes Codes, runs []byteRun) *numbers {
	made := &numbers{Epilogue: k, form: k.form(), codes: codes, sign: 1}
	if k.SubB {
		made.sign = -1 // x - b is x + (-b), bit for bit (a NaN for a NaN)
	}
	// What is not there changes nothing: x - 0, x*1, x + (-0).
	made.constant = [3][1]float32{{0}, {1}, {negativeZero() * made.sign}}
	operands := [3]Parameter{k.Z, k.A, k.B}
	for i, p := range operands {
		if p.Kind == Const {
			made.constant[i][0] = p.Value
		}
	}
	for _, r := range runs {
		for at := 0; at < r.n; {
			size := unitSize(operands, r.lane+at, r.n-at)
			u := unit{src: r.src + at, dst: r.lane + at, table: r.table}
			for i, p := range operands {
				u.operand[i] = p.place(r.lane + at)
			}
			if size == singleUnit {
				made.lines = appendLine(made.lines, u)
			} else {
				made.units[size] = append(made.units[size], u)
			}
			at += unitLanes[size]
		}
	}
	return made
}

// negativeZero is what may be added to any number.
func negativeZero() float32 {
	zero := float32(0)
	return -zero
}

// unitSize is the size of the unit from a lane on, of at most n lanes.
func unitSize(operands [3]Parameter, lane, n int) int {
	for _, p := range operands {
		switch p.Kind {
		case Group:
			n = min(n, p.N-lane%p.N)
		case Period:
			n = 1
		}
	}
	for size, lanes := range unitLanes {
		if lanes <= n {
			return size
		}
	}
	return singleUnit
}

// place is the element that belongs to a lane.
func (p Parameter) place(lane int) int {
	switch p.Kind {
	case Group:
		return lane / p.N
	case Period:
		return lane % p.N
	default:
		return 0
	}
}

// series is what units work on: the elements of the first block, and how far those of
// the next one are.
type series struct {
	blocks         int
	codes          []byte
	out            []float32
	z, a, b        []float32
	codeStep, step int
	zStep, aStep   int
	bStep          int
	sign           float32
}

func (k *numbers) run(f *Frame) {
	for at := 0; at < f.n; at += k.batch() {
		s := k.series(f, at, min(k.batch(), f.n-at))
		for size := range k.units {
			for i := range k.units[size] {
				s.unit(k.form, size, &k.units[size][i])
			}
		}
		for i := range k.lines {
			s.line(&k.lines[i])
		}
	}
}

// batchLanes is how many lanes are written before the next unit of each block, so that
// they are still in the cache.
const batchLanes = 2048

func (k *numbers) batch() int { return max(batchLanes/k.Lanes, 1) }

// series is n blocks from one on.
func (k *numbers) series(f *Frame, from, n int) *series {
	s := &k.work
	*s = series{blocks: n, sign: k.sign}
	if id := k.codes.Buffer; k.codes.InPlace == nil {
		s.codes, s.codeStep = f.u8[id][from*f.pitch[id]:], f.pitch[id]
	} else {
		s.codes, s.codeStep = f.payload[from*f.stride:], f.stride
	}
	if k.ToOut {
		s.out, s.step = f.out[from*f.lanes+k.Lane:], f.lanes
	} else {
		s.out, s.step = f.f32[k.To][from*f.pitch[k.To]:], f.pitch[k.To]
	}
	s.z, s.zStep = k.Z.series(f, from, k.constant[0][:])
	s.a, s.aStep = k.A.series(f, from, k.constant[1][:])
	s.b, s.bStep = k.B.series(f, from, k.constant[2][:])
	return s
}

// series is the elements of an operand from a block on, and how far the next block's are.
func (p *Parameter) series(f *Frame, from int, constant []float32) ([]float32, int) {
	if p.Kind == Group || p.Kind == Period {
		return f.f32[p.Buffer][from*f.pitch[p.Buffer]:], f.pitch[p.Buffer]
	}
	return constant, 0
}

// unit does one unit of every block.
func (s *series) unit(form, size int, u *unit) {
	switch {
	case form == formMul && size == sixteenUnit:
		s.mul16(u)
	case form == formMul:
		s.mul8(u)
	case form <= formMulSub && size == sixteenUnit:
		s.mulAdd16(u)
	case form <= formMulSub:
		s.mulAdd8(u)
	case size == sixteenUnit:
		s.all16(u)
	default:
		s.all8(u)
	}
}

// line is single lanes at the same distance from each other, in every respect.
type line struct {
	first unit
	n     int
	apart steps
}

// steps is what is added to the places of a code, its lane, and elements of Z, A and B.
type steps [5]int

func (u *unit) steps() steps {
	return steps{u.src, u.dst, u.operand[0], u.operand[1], u.operand[2]}
}

// appendLine adds a lane to the last line, or a line of its own.
func appendLine(lines []line, u unit) []line {
	if len(lines) == 0 {
		return append(lines, line{first: u, n: 1})
	}
	last, apart := &lines[len(lines)-1], u.steps()
	for i, place := range last.first.steps() {
		apart[i] -= place + (last.n-1)*last.apart[i]
	}
	if u.table != last.first.table || last.n > 1 && apart != last.apart {
		return append(lines, line{first: u, n: 1})
	}
	last.n, last.apart = last.n+1, apart
	return lines
}

// line goes over blocks inside or over the lanes, whichever are more.
func (s *series) line(l *line) {
	at, block := l.first.steps(), steps{s.codeStep, s.step, s.zStep, s.aStep, s.bStep}
	inner, n, outer, m := block, s.blocks, l.apart, l.n
	if l.n > s.blocks {
		inner, n, outer, m = l.apart, l.n, block, s.blocks
	}
	for range m {
		s.walk(l.first.table, at, inner, n)
		for i := range at {
			at[i] += outer[i]
		}
	}
}
