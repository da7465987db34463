// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// Caps of a program of lanes, and what parts of it cost per 32 lanes.
const (
	maxColumns   = 24
	maxColumnOps = 256
	costColumn   = 4  // to load or to store lanes
	costSpreaded = 16 // operands of groups that are no whole vectors
	costDivision = 20
	costLookup   = 12
	costGather   = 240
)

// columnist lowers operators on lanes to a program of strips whose blocks are lanes: every list of
// lanes is one strip. What something else makes is an input.
type columnist struct {
	*stripper
	n      int // lanes
	depth  int
	inputs []column
	known  memory[row]
	cost   float64
}

// column is a way to make an input: its cost, per 32 lanes, and what makes a word of it.
type column struct {
	cost float64
	own  float64 // of cost, that of then
	few  bool    // cost is that of single numbers
	emit func(e *emitter) kernel.Input
	then func(s *stripper, x []row) ([]row, bool) // nil: nothing
}

// choice is how lanes are made best.
type choice struct {
	cost   float64
	source *column // nil: there is none
	down   bool    // by their operator
}

// columns are operators on every lane by themselves, all in one pass: what no epilogue takes.
func (g *graph) columns(l lanes, depth int) (floatPlan, bool) {
	if l.v.kind != kOp || depth > maxMatch {
		return floatPlan{}, false
	}
	if known, ok := g.passes.find(l); ok { // whatever is peeled around it
		return known, known.emit != nil
	}
	plan := floatPlan{}
	make, cost, ok := g.expression(l, depth, true)
	if ok {
		plan = floatPlan{cost: cost, columns: true, emit: func(e *emitter) *kernel.Epilogue {
			k := make(e)
			k.To = e.buffer(kernel.F32, len(l.m))
			e.op(k)
			return &kernel.Epilogue{Source: kernel.Source{Kind: kernel.FromF32, From: k.To}, Lanes: len(l.m)}
		}}
	}
	g.passes.keep(l, plan)
	return plan, ok
}

// outward lets the expression that was emitted last write into the output, not into a buffer of its own.
func (e *emitter) outward(lane int) {
	k, ok := e.program.Ops[len(e.program.Ops)-1].(*kernel.Expression)
	if !ok || int(k.To) != len(e.program.Buffers)-1 {
		panic("plan: an expression is not the last op")
	}
	e.program.Buffers = e.program.Buffers[:k.To]
	k.ToOut, k.Lane, k.To = true, lane, 0
}

// words are lanes of any type as package strip has them, in a float buffer.
func (g *graph) words(l lanes, depth int) (func(e *emitter) kernel.BufferID, float64, bool) {
	if l.v.elem == tensor.Float {
		plan, ok := g.floatAt(l, signed_, depth+1)
		return func(e *emitter) kernel.BufferID { return plan.buffer(e, l) }, plan.cost, ok
	}
	if l.v.kind == kLeaf && l.v.elem.IsInteger() && l.v.elem.Bits() == 32 {
		l = l.v.args[0].pick(l.m) // the same bits
	}
	if x, ok := g.bitsColumn(l, depth); ok && l.v.width > 16 {
		return func(e *emitter) kernel.BufferID { return x.emit(e).Words.Buffer }, x.cost, true
	}
	if known, ok := g.integers.find(l); ok {
		return known.emit, known.cost, known.emit != nil
	}
	plan := wordsPlan{}
	if make, cost, ok := g.expression(l, depth+1, false); ok {
		plan = wordsPlan{cost, func(e *emitter) kernel.BufferID {
			if known, ok := e.floats.find(l); ok {
				return known
			}
			k := make(e)
			k.To = e.buffer(kernel.F32, len(l.m))
			e.op(k)
			e.floats.keep(l, k.To)
			return k.To
		}}
	}
	g.integers.keep(l, plan)
	return plan.emit, plan.cost, plan.emit != nil
}

// wordsPlan is a way to make words in a float buffer.
type wordsPlan struct {
	cost float64
	emit func(e *emitter) kernel.BufferID
}

// expression makes the program of lanes; their own operator is part of it if down says so.
func (g *graph) expression(l lanes, depth int, down bool) (func(e *emitter) *kernel.Expression, float64, bool) {
	if !g.spend(4*len(l.m)+256) || depth > maxMatch {
		return nil, 0, false
	}
	c := &columnist{stripper: newStripper(g, 0), n: len(l.m), depth: depth, known: memory[row]{}}
	c.next, c.stripper.columns = maxColumns, c
	out, err := c.root(l, down)
	if err != nil || len(c.inputs) == 0 {
		return nil, 0, false
	}
	size := 4
	if l.v.elem == tensor.Double {
		out, size = append(c.wordsBy(strip.LowD, out), c.wordsBy(strip.HighD, out)...), 8
	}
	c.prune(out)
	c.needed(out)
	if c.next > maxStripRows { // else their number is no reason to fail below
		return nil, 0, false
	}
	cost := c.cost + costColumn
	for i := range c.steps.n {
		cost += c.stepCost(*c.steps.at(i))
	}
	cost *= wholeEights(l)
	inputs := c.inputs
	return func(e *emitter) *kernel.Expression {
		in := make([]kernel.Input, len(inputs))
		for i, x := range inputs {
			in[i] = x.emit(e)
		}
		program, err := c.program(out, size)
		if err != nil {
			panic(err) // there are too many rows
		}
		return kernel.NewExpression(program, in, len(l.m))
	}, cost, true
}

// needed drops inputs that nothing reads, after operators that were given up.
func (c *columnist) needed(out []row) {
	read := make([]bool, c.next)
	rows := func(each func(r *row)) {
		for i := range c.steps.n {
			step := &c.steps.at(i).step
			for _, r := range [...]*row{&step.X, &step.Y, &step.Z} {
				if *r != noRow {
					each(r)
				}
			}
		}
		for i := range out {
			each(&out[i])
		}
	}
	rows(func(r *row) { read[*r] = true })
	var kept []column
	place := make([]row, len(c.inputs))
	for i, x := range c.inputs {
		if place[i] = row(len(kept)); read[i] {
			kept = append(kept, x)
		} else {
			c.cost -= x.cost - x.own
		}
	}
	if len(kept) == len(c.inputs) {
		return
	}
	c.inputs = kept
	rows(func(r *row) {
		if int(*r) < len(place) {
			*r = place[*r]
		}
	})
}

// wholeEights is how many times the lanes loops work on that take eight at once.
func wholeEights(l lanes) float64 {
	return float64(kernel.Buffer{Lanes: len(l.m)}.Pitch()) / float64(len(l.m))
}

// stepCost is that of one operation.
func (c *columnist) stepCost(s stripStep) float64 {
	switch s.code {
	case strip.DivF, strip.SqrtF:
		return costDivision
	case strip.DivD, strip.SqrtD:
		return 2 * costDivision
	case strip.ByF:
		return 2 * costColumn
	case strip.MaxF, strip.MinF, strip.Select, strip.BFloat, strip.Half:
		return 12
	case strip.Table:
		if len(c.tables[s.table-1]) > 16 {
			return costGather
		}
		return costLookup
	}
	return costColumn
}

func (c *columnist) root(l lanes, down bool) ([]row, error) {
	if !down {
		return c.of(l)
	}
	return c.operator(l.v, l.m)
}

// of is the strip of lanes.
func (c *columnist) of(l lanes) ([]row, error) {
	l = c.g.asWords(l)
	if r, ok := c.known.find(l); ok {
		return one(r), nil
	}
	made, err := c.find(l)
	if err != nil {
		return nil, err
	}
	c.known.keep(l, made[0])
	return made, nil
}

func (c *columnist) find(l lanes) ([]row, error) {
	if err := c.holds(l.v); err != nil {
		return nil, err
	}
	if c.steps.n > maxColumnOps {
		return nil, noStrip(l.v, "more than %d steps", maxColumnOps)
	}
	if _, ok := uniform(l); ok {
		return c.knownLanes(l.v, l.m[:1])
	}
	if made, ok := c.doubleInput(l); ok {
		return made, nil
	}
	best := c.g.choose(l, c.depth)
	if best.source != nil && c.there(l) {
		best.down = true
	}
	if best.down {
		made, err := c.make(l.v, l.m)
		if err == nil {
			return made, nil
		}
		if best.source == nil { // an operator that strips do not have
			x, ok := c.g.columnSource(l, c.depth+1, math.Inf(1))
			if !ok {
				x, ok = c.g.evaluatedColumn(l, c.depth+1)
			}
			if !ok {
				return nil, err
			}
			best.source = &x
		}
	}
	if best.source == nil {
		return nil, noStrip(l.v, "no input is that")
	}
	return c.input(l, best.source)
}

// there reports whether lanes are integers that this pass has, as FLOAT: nothing costs less than to convert them.
func (c *columnist) there(l lanes) bool {
	if !named("Cast")(l) || l.v.elem != tensor.Float || !l.operand(0).v.elem.IsInteger() {
		return false
	}
	_, ok := c.known.find(c.g.asWords(l.operand(0)))
	return ok
}

// asWords is payload bits as the same numbers in UINT32, whatever type an operator wanted: they are the same words.
func (g *graph) asWords(l lanes) lanes {
	if l.v.kind != kBits || !l.v.elem.IsInteger() || l.v.elem.Bits() > 32 || l.v.elem.IsSigned() && l.v.width >= int(l.v.elem.Bits()) {
		return l
	}
	if same, ok := g.castTo(tensor.Uint32, l); ok && same.v.kind == kBits && same.v.width == l.v.width {
		return same
	}
	return l
}

// input adds an input.
func (c *columnist) input(l lanes, x *column) ([]row, error) {
	if len(c.inputs) == maxColumns {
		return nil, noStrip(l.v, "more than %d inputs", maxColumns)
	}
	made := c.put(x)
	if x.then != nil {
		var ok bool
		if made, ok = x.then(c.stripper, made); !ok {
			return nil, noStrip(l.v, "no operation on strips does that")
		}
	}
	return made, nil
}

// put adds an input, as words.
func (c *columnist) put(x *column) []row {
	c.inputs, c.cost = append(c.inputs, *x), c.cost+x.cost-x.own // then is steps
	return one(row(len(c.inputs) - 1))
}

// choose finds the cheapest way to make lanes, once.
func (g *graph) choose(l lanes, depth int) choice {
	if known, ok := g.choices.find(l); ok {
		return known
	}
	g.choices.keep(l, choice{cost: math.Inf(1)}) // while it is looked for
	best := choice{cost: math.Inf(1)}
	if depth <= maxMatch && g.spend(4*len(l.m)+64) {
		best = g.findChoice(l, depth+1)
	}
	g.choices.replace(l, best)
	return best
}

func (g *graph) findChoice(l lanes, depth int) choice {
	if cost, ok := g.doubleCost(l, depth); ok {
		return choice{cost: cost, down: true}
	}
	best, down, ok := choice{cost: math.Inf(1)}, math.Inf(1), false
	if l.v.kind == kOp { // what costs less than any epilogue saves the search for one
		down, ok = g.downCost(l, depth)
	}
	if x, ok := g.columnSource(l, depth, down); ok {
		best = choice{cost: x.cost, source: &x}
	}
	if l.v.kind != kOp && best.cost > costColumn { // else nothing costs less
		down, ok = g.downCost(l, depth)
	}
	if ok && down < best.cost {
		best.cost, best.down = down, true
	}
	if x, ok := g.commonColumn(l, down, depth); ok && x.cost < best.cost {
		best = choice{cost: x.cost, source: &x}
	}
	if math.IsInf(best.cost, 1) {
		if x, ok := g.evaluatedColumn(l, depth); ok {
			best = choice{cost: x.cost, source: &x}
		}
	}
	return best
}

// downCost is the cost of lanes by their operator.
func (g *graph) downCost(l lanes, depth int) (float64, bool) {
	cost := float64(costColumn)
	switch l.v.kind {
	case kOp:
		switch l.v.run.node.OpType {
		case "Where", "Max", "Min", "Clip":
			cost = 3 * costColumn
		case "Div", "Mod", "Sqrt":
			cost = costDivision
			if q, ok := g.quotientOf(l); ok {
				cost = q.cost
			}
		}
	case kLeaf:
	case kTab:
		if cost = costLookup; l.v.data.Len() > 16 {
			cost = costGather
		}
	default:
		return 0, false
	}
	for i := range l.v.args {
		x := l.operand(i)
		if _, ok := uniform(x); !ok {
			cost += g.choose(x, depth).cost
		}
	}
	return cost, !math.IsInf(cost, 1)
}
