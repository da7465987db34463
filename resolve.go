// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/structview/structview/onnxpb"
)

// maxLevels is the deepest nesting of declarations (SV025).
const maxLevels = 64

// resolver turns the declarations of a model into types. Each is looked at twice,
// once for its references and once to build it after everything that it refers to,
// so that no chain of references is followed by recursion.
type resolver struct {
	*report
	decls   []*onnxpb.StructTypeProto
	types   []*Type               // nil: not built yet, or invalid
	faults  map[int32]*Diagnostic // of invalid declarations: the first error of its own
	blame   map[int32]int32       // of invalid declarations without one: what they refer to
	needs   int32                 // the invalid declaration that the present one refers to, or -1
	used    []bool                // not nil: entries that something refers to are marked
	scalars [32]*Type             // leaves of rank 0 are shared, by element type
}

func newResolver(decls []*onnxpb.StructTypeProto, r *report) *resolver {
	return &resolver{
		report: r, decls: decls, types: make([]*Type, len(decls)), needs: -1,
		faults: map[int32]*Diagnostic{}, blame: map[int32]int32{},
	}
}

// resolve builds every declaration, referred ones first.
func (r *resolver) resolve() {
	edges := r.references()
	walk := cycleWalk{edges: edges, state: make([]visit, len(r.decls)), place: make([]int32, len(r.decls)), resolver: r}
	for i := range r.decls {
		walk.from(int32(i))
	}
}

// build makes the type of declaration i, whose references have been built.
func (r *resolver) build(i int32) {
	at := (*place)(nil).at("struct_types", int(i))
	t, fault := r.root(r.decls[i], i, at)
	r.types[i] = t
	switch {
	case t != nil:
	case fault != nil:
		r.setFault(i, fault)
	case r.needs >= 0:
		r.blame[i] = r.needs
	}
}

func (r *resolver) setFault(i int32, d *Diagnostic) {
	if r.faults[i] == nil {
		r.faults[i] = d
	}
}

// root builds a concrete root. It returns nil and its first error; nil and nil if
// only what it refers to is invalid.
func (r *resolver) root(p *onnxpb.StructTypeProto, index int32, at *place) (*Type, *Diagnostic) {
	r.errors, r.first, r.needs = 0, nil, -1
	var t *Type
	switch p.GetKind().(type) {
	case nil:
		r.error(ErrRoot, at, "a root selects array, structure or bit_packing; kind is unset")
	case *onnxpb.StructTypeProto_TypeIndex:
		r.error(ErrRoot, at, "a root selects array, structure or bit_packing; found type_index %d", p.GetTypeIndex())
	default:
		t = r.concrete(p, index, 1, at)
	}
	if t != nil && t.levels > maxLevels {
		r.add(ErrNesting, Error, at, "", "declarations nest %d levels deep, at most %d are allowed", t.levels, maxLevels)
	}
	if r.errors > 0 {
		return nil, r.first
	}
	if t != nil {
		t.entries = r.types
	}
	return t, nil
}

// fault explains why declaration i has no type.
func (r *resolver) fault(i int32) *Diagnostic {
	for range maxLevels {
		if d := r.faults[i]; d != nil {
			return d
		}
		next, ok := r.blame[i]
		if !ok {
			break
		}
		i = next
	}
	return &Diagnostic{
		Rule: string(ErrReference), Path: fmt.Sprintf("struct_types[%d]", i),
		Message: "the declaration refers to an invalid one",
	}
}

// references lists, for every declaration, the entries that it refers to.
func (r *resolver) references() [][]int32 {
	edges := make([][]int32, len(r.decls))
	var all []int32
	for i, p := range r.decls {
		begin := len(all)
		all = r.appendReferences(all, p, 1)
		edges[i] = all[begin:len(all):len(all)]
	}
	return edges
}

func (r *resolver) appendReferences(all []int32, p *onnxpb.StructTypeProto, level int) []int32 {
	if level > maxLevels {
		return all
	}
	switch k := p.GetKind().(type) {
	case *onnxpb.StructTypeProto_Array_:
		return r.appendReference(all, k.Array.GetElementType(), level+1)
	case *onnxpb.StructTypeProto_Structure_:
		for _, f := range k.Structure.GetField() {
			all = r.appendReference(all, f.GetType(), level+1)
		}
	}
	return all
}

func (r *resolver) appendReference(all []int32, tp *onnxpb.TypeProto, level int) []int32 {
	p := tp.GetStructType()
	if k, ok := p.GetKind().(*onnxpb.StructTypeProto_TypeIndex); ok {
		if k.TypeIndex >= 0 && int(k.TypeIndex) < len(r.decls) {
			all = append(all, k.TypeIndex)
		}
		return all
	}
	return r.appendReferences(all, p, level)
}

// visit is how far the walk along the references is with a declaration.
type visit uint8

const (
	unseen visit = iota
	open         // on the way that the walk is following
	done
)

// cycleWalk follows the references depth first, on a stack of its own.
type cycleWalk struct {
	*resolver
	edges [][]int32
	state []visit
	place []int32 // on the way, of open declarations
	way   []step
}

type step struct {
	decl  int32
	found int32 // the last place on the way, this one or before it, that is in a cycle that was reported; or -1
	next  int   // index into the edges of decl
}

func (w *cycleWalk) from(i int32) {
	if w.state[i] != unseen {
		return
	}
	w.enter(i)
	for len(w.way) > 0 {
		top := &w.way[len(w.way)-1]
		if top.next == len(w.edges[top.decl]) {
			w.state[top.decl] = done
			w.build(top.decl)
			w.way = w.way[:len(w.way)-1]
			continue
		}
		to := w.edges[top.decl][top.next]
		top.next++
		switch w.state[to] {
		case unseen:
			w.enter(to)
		case open:
			w.cycle(to)
		}
	}
}

func (w *cycleWalk) enter(i int32) {
	found := int32(-1)
	if n := len(w.way); n > 0 {
		found = w.way[n-1].found
	}
	w.state[i], w.place[i] = open, int32(len(w.way))
	w.way = append(w.way, step{decl: i, found: found})
}

// cycle reports the part of the way that begins at declaration to, which its end
// refers to. A declaration is printed in one cycle at most: otherwise the report of
// a hostile model would grow with the square of its size.
func (w *cycleWalk) cycle(to int32) {
	begin := w.place[to]
	if w.way[len(w.way)-1].found >= begin {
		return
	}
	ring := make([]int32, 0, len(w.way)-int(begin))
	for k := int(begin); k < len(w.way); k++ {
		w.way[k].found = int32(k)
		ring = append(ring, w.way[k].decl)
	}
	first := slices.Index(ring, slices.Min(ring))
	ring = append(ring[first:len(ring):len(ring)], ring[:first]...)
	at := (*place)(nil).at("struct_types", int(ring[0]))
	w.first = nil
	w.error(ErrReference, at, "references form a cycle: %s%s", ringText(ring), w.ringNames(ring))
	for _, i := range ring {
		w.setFault(i, w.first)
	}
}

// ringNames writes a cycle as ` ("a" -> "b" -> "a")`, and nothing where a name is missing.
func (w *cycleWalk) ringNames(ring []int32) string {
	names := make([]string, 0, len(ring)+1)
	for _, i := range append(slices.Clip(ring), ring[0]) {
		name := w.decls[i].GetName()
		if name == "" {
			return ""
		}
		names = append(names, quoteName(name))
	}
	return " (" + strings.Join(names, " -> ") + ")"
}

// ringText writes a cycle as "0 -> 3 -> 0".
func ringText(ring []int32) string {
	var b strings.Builder
	for _, i := range ring {
		b.WriteString(strconv.Itoa(int(i)))
		b.WriteString(" -> ")
	}
	b.WriteString(strconv.Itoa(int(ring[0])))
	return b.String()
}
