// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/structview/structview/tensor"
)

// Numbers of more than a byte, small floats, and words in another order are read by one op, whatever
// operators put them together.
func TestNumbers(t *testing.T) {
	for _, entry := range formatsIn(t, "testdata/numbers/*.onnxtxt") {
		t.Run(entry.Name, func(t *testing.T) {
			sameAsEval(t, entry)
			fast, _, _ := codecs(t, entry, 64*entry.Values, 1)
			e, err := fast.Explain()
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range e.Kernels {
				if strings.HasPrefix(line, "field") || strings.Contains(line, "lanewise") {
					t.Errorf("%s", line)
				}
			}
		})
	}
}

// What the evaluator computes while payloads are decoded shares nothing, and is not counted as work of planning.
func TestConcurrentEvaluation(t *testing.T) {
	entry := formatsIn(t, "testdata/numbers/exponent.onnxtxt")[0]
	fast, literal, size := codecs(t, entry, entry.Values, 1)
	payload := random(size, 0)
	want := decode(t, literal, payload)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				if got, err := fast.Decode(t.Context(), payload); err != nil || !tensor.EqualValues(got, want) {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

// Decoding is no work of planning, however often it is done: 140,000 times exceeded the budget once.
func TestOftenEvaluated(t *testing.T) {
	entry := formatsIn(t, "testdata/numbers/exponent.onnxtxt")[0]
	fast, literal, size := codecs(t, entry, entry.Values, 1)
	payload, got := random(size, 0), make([]float32, entry.Values)
	for range 150_000 {
		if err := fast.DecodeInto(t.Context(), payload, got); err != nil {
			t.Fatal(err)
		}
	}
	if want := decode(t, literal, payload); !tensor.EqualValues(floatTensor(got), want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
