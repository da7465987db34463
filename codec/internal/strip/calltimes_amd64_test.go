// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import "time"

// TimeCalls runs whole tiles as Run does, with a clock around each call of assembly: once with the code for the usual
// values, and once with the exact one. It does nothing where there is none.
func (f *Frame) TimeCalls(in []byte, n int, out []byte, note func(took time.Duration)) {
	v := f.vector
	if v == nil {
		return
	}
	v.timeCalls(in, n, out, note)
	if v.stream.guessed {
		f.program.frameOf(prepare(&f.program.prepared.exact, f.program, false)).timeCalls(in, n, out, note)
	}
}

func (v *vectorFrame) timeCalls(in []byte, n int, out []byte, note func(took time.Duration)) {
	for tiles := n/tileBlocks - 1; tiles > 0; { // of the last one more is read
		m := min(tiles, v.tilesInCall)
		v.args.in, v.args.out = address(in), address(out)
		for _, piece := range v.stream.pieces {
			v.args.code, v.args.tiles = address(v.stream.code[piece:]), m
			began := time.Now()
			execute(&v.args)
			note(time.Since(began))
		}
		in, out, tiles = in[m*v.args.inStep:], out[m*v.args.outStep:], tiles-m
	}
}
