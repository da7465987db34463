// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/codec/internal/kernel"

// costTranspose is that of bytes that lie by columns.
const costTranspose = 14

// Matrices that have vector code.
const (
	leastRows = 16
	leastCols = 8
)

// byColumns matches whole bytes in matrices that lie by columns.
func byColumns(parts []segment, width int, post kernel.Post) (codePlan, bool) {
	if width != 8 || post.Lut != nil || len(parts) != 1 || parts[0].width != 8 {
		return codePlan{}, false
	}
	op, ok := matrices(parts[0].bit)
	if !ok {
		return codePlan{}, false
	}
	n, cost := len(parts[0].bit), float64(costTranspose)
	if post.Affine != nil {
		cost += costPost
	}
	return codePlan{cost, func(e *emitter) kernel.Codes {
		own := op
		own.To = e.buffer(kernel.U8, n)
		e.op(&own)
		if post.Affine == nil {
			return kernel.Buf(own.To)
		}
		to := e.buffer(kernel.U8, n)
		e.op(&kernel.Affine{From: kernel.Buf(own.To), Lanes: n, Map: *post.Affine, To: to})
		return kernel.Buf(to)
	}}, true
}

// matrices reads lanes' bits as matrices of whole bytes by columns, all of one size.
func matrices(bit []int32) (kernel.Transpose, bool) {
	k := kernel.Transpose{}
	if len(bit) < leastRows*leastCols || bit[0] < 0 {
		return k, false
	}
	k.Step, k.Cols = int(bit[1]-bit[0])/8, 1
	for k.Cols < len(bit) && bit[k.Cols] != bit[0]+8 {
		k.Cols++
	}
	k.Rows = 1
	for k.Rows*k.Cols < len(bit) && bit[k.Rows*k.Cols] == bit[0]+8*int32(k.Rows) {
		k.Rows++
	}
	size := k.Rows * k.Cols
	if k.Step < 2 || k.Cols < leastCols || k.Rows < leastRows || len(bit)%size != 0 {
		return k, false
	}
	for l, b := range bit {
		at := bit[l/size*size]
		if at < 0 || at%8 != 0 || b != at+8*int32(l%size/k.Cols+l%k.Cols*k.Step) {
			return k, false
		}
		if l%size == 0 {
			k.Bytes = append(k.Bytes, int(at/8))
		}
	}
	return k, true
}
