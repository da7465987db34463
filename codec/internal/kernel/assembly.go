// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package kernel

// A call into assembly cannot be interrupted, so one does about a tile's work. Where a
// single block has more lanes than that, its calls are cut into pieces.

// pieceLanes is how many lanes a call does at most; slowLanes where each takes a gather or
// instructions of its own.
const (
	pieceLanes = 4096
	slowLanes  = 1024
)

// cutRuns cuts long runs, so that a loop over some of them is short.
func cutRuns(list []run, size int) []run {
	var out []run
	for _, r := range list {
		for ; r.n > slowLanes; r.n -= slowLanes {
			part := r
			part.n = slowLanes
			out = append(out, part)
			r.src, r.dst = r.src+int32(size)*slowLanes, r.dst+4*slowLanes
		}
		out = append(out, r)
	}
	return out
}

// constantRow writes a row out for every lane of a tile.
func (f *Frame) constantRow(row []byte, pitch int) []byte {
	out := make([]byte, f.tile*pitch+slack)
	for b := range f.tile {
		for l := range pitch {
			out[b*pitch+l] = row[l%len(row)]
		}
	}
	return out
}

// copies reports whether an epilogue copies a buffer into the output.
func (k *Epilogue) copies(from BufferID) bool {
	return k.ToOut && k.Source.Kind == FromF32 && k.Source.From == from &&
		k.Z.Kind == None && k.A.Kind == None && k.B.Kind == None && k.S.Kind == None
}

// group is how many lanes share an element, 0 if all do.
func (p Parameter) group() int {
	if p.Kind == Group {
		return p.N
	}
	return 0
}

// run is lanes that share their operands: offsets in bytes from the block's begin.
type run struct {
	src, dst int32
	n        int32
	z, a, b  int32
}

// runsOf cuts rows of elements of size bytes at the borders of groups.
func runsOf(rows []Row, size int, groups [3]int) []run {
	var list []run
	for _, r := range rows {
		for j := 0; j < r.Len; {
			lane, n := r.Lane+j, r.Len-j
			var at [3]int32
			for i, g := range groups {
				if g != 0 {
					n = min(n, g-lane%g)
					at[i] = int32(4 * (lane / g))
				}
			}
			list = append(list, run{int32(size * (r.Byte + j)), int32(4 * lane), int32(n), at[0], at[1], at[2]})
			j += n
		}
	}
	return list
}

// The kinds of post-operations, as the variants of the loops are ordered.
const (
	postNone = iota
	postAdd
	postLut
	postAffine
)

func (p Post) kind() int {
	switch {
	case p.Lut != nil:
		return postLut
	case p.Affine == nil:
		return postNone
	case p.Affine.Xor == 0 && p.Affine.Shift == 0 && !p.Affine.Neg:
		return postAdd
	default:
		return postAffine
	}
}

// target is the arguments of a kernel that writes codes.
func (f *Frame) target(to Target) unpackArgs {
	a := unpackArgs{stride: f.stride, pitch: f.pitch[to.Buffer], dst: address(f.u8[to.Buffer])}
	if f.u16[to.Buffer] != nil {
		a.pitch, a.dst = 2*f.pitch[to.Buffer], address(f.u16[to.Buffer])
	}
	a.post(to.Post)
	return a
}

// fill writes the values once: nothing else writes into the buffer.
func (f *Frame) fill(k *Fill) calls {
	for b := range f.tile {
		copy(f.f32[k.To][b*f.pitch[k.To]:], k.Values)
	}
	return calls{}
}
