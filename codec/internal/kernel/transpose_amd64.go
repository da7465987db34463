// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// transposeTile is 16 rows of 8 columns: where they are in the block, and where they go.
type transposeTile struct{ src, dst int32 }

// The size of a tile.
const (
	tileRows = 16
	tileCols = 8
)

// transpose makes a Transpose ready. The last tiles of a matrix overlap others where its sides are no multiples.
func (f *Frame) transpose(k *Transpose) calls {
	if k.Rows < tileRows || k.Cols < tileCols {
		return nil
	}
	var tiles []transposeTile
	for m, at := range k.Bytes {
		for i := 0; i < k.Rows; i += tileRows {
			for j := 0; j < k.Cols; j += tileCols {
				row, col := min(i, k.Rows-tileRows), min(j, k.Cols-tileCols)
				tiles = append(tiles, transposeTile{int32(at + row + col*k.Step), int32((m*k.Rows+row)*k.Cols + col)})
			}
		}
	}
	c := &call{loop: transposeBytes, payload: true, pace: pace{units: pieceLanes / (tileRows * tileCols), desc: sizeOf[transposeTile]()}}
	c.args = unpackArgs{
		stride: f.stride, dst: address(f.u8[k.To]), pitch: f.pitch[k.To], desc: address(tiles), count: len(tiles), step: k.Step, even: k.Cols,
	}
	return calls{c}
}
