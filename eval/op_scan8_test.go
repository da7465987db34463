// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestBatchedScan adds up two sequences, whole and cut to their own lengths.
func TestBatchedScan(t *testing.T) {
	body := graphAttribute("body", graphProto([]string{"sum", "next"}, []string{"out", "scan"},
		nodeProto("Add", []string{"sum", "next"}, []string{"out"}), nodeProto("Identity", []string{"out"}, []string{"scan"})))
	run := func(lengths Value, want []*tensor.Tensor, attrs ...*onnxpb.AttributeProto) {
		t.Helper()
		wantAll(t, 8, "Scan", []Value{lengths, f32s([]int64{2, 1}, 0, 100), f32s([]int64{2, 3, 1}, 1, 2, 3, 10, 20, 30)}, want,
			append(attrs, body, intAttribute("num_scan_inputs", 1))...)
	}
	run(nil, []*tensor.Tensor{f32s([]int64{2, 1}, 6, 160), f32s([]int64{2, 3, 1}, 1, 3, 6, 110, 130, 160)})
	run(nil, []*tensor.Tensor{f32s([]int64{2, 1}, 6, 160), f32s([]int64{2, 3, 1}, 3, 5, 6, 130, 150, 160)},
		intsAttribute("directions", 1))
	_, err := runNode(t, 8, "Scan", []Value{i64s(nil, 1), f32s([]int64{2, 1}, 0, 100), f32s([]int64{2, 3, 1}, 1, 2, 3, 10, 20, 30)}, 2,
		body, intAttribute("num_scan_inputs", 1))
	if want := "node 0 (Scan, which gives \"u\"): sequence_lens is INT64[], expected one dimension"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	run(i64s([]int64{2}, 1, 2), []*tensor.Tensor{f32s([]int64{2, 1}, 1, 130), f32s([]int64{2, 2, 1}, 1, 0, 110, 130)})
}
