// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

// columnArgs is where a column is.
type columnArgs struct{ base, at *byte }

// places are the addresses of the sources.
func (v *vectorFrame) places(sources []Source) {
	for c, s := range sources {
		to := &v.columns[c]
		switch v.stream.program.Columns[c] {
		case OfHalves:
			to.base = address(s.Halves)
		case OfBytes, OfSigned, AtWords, AtHalves, AtShorts, AtBytes, AtSigned:
			to.base, to.at = address(s.Bytes), address(s.At)
		case AtOne, AtDouble:
			if to.base, to.at = address(s.Words), address(s.At); s.Bytes != nil {
				to.base = address(s.Bytes)
			}
		default:
			to.base, to.at = address(s.Words), address(s.At)
		}
	}
}

// lanes is Frame.Lanes: whole tiles in place, and a last one on a copy if out ends within it.
func (v *vectorFrame) lanes(sources []Source, n int, out []byte, stream bool) {
	v.places(sources)
	first := 0
	if d := v.double; d != nil {
		copy(d.columns, v.columns)
		tiles := n / doubleBlocks
		d.past = stream
		d.laneTiles(0, tiles, out)
		first, out = tiles*doubleBlocks, out[tiles*d.args.outStep:]
		clear(d.columns)
	}
	step := v.args.outStep
	tiles := min((n-first+tileBlocks-1)/tileBlocks, len(out)/step)
	v.past = stream
	v.laneTiles(first, tiles, out)
	if rest := n - first - tiles*tileBlocks; rest > 0 {
		v.past = false
		v.laneTiles(first+tiles*tileBlocks, 1, v.output)
		copy(out[tiles*step:], v.output[:rest*v.args.outSize])
	}
	clear(v.columns) // keeps nobody's memory
}

// laneTiles runs tiles from a lane on, some for each call.
func (v *vectorFrame) laneTiles(first, tiles int, out []byte) {
	for tiles > 0 {
		n := min(tiles, v.tilesInCall)
		v.someLanes(first, n, out)
		first, out, tiles = first+n*v.stream.tile, out[n*v.args.outStep:], tiles-n
	}
}

// someLanes is some for columns.
func (v *vectorFrame) someLanes(first, n int, out []byte) {
	v.args.first = first
	switch {
	case v.calls > 0:
		v.calls--
	case v.execute(nil, n, out):
		v.next = 0
		return
	default:
		v.unusual()
	}
	exact := v.other()
	copy(exact.columns, v.columns)
	exact.past = v.past
	exact.laneTiles(first, n*v.stream.tile/tileBlocks, out)
	clear(exact.columns)
}
