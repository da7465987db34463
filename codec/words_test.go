// SPDX-License-Identifier: Apache-2.0

package codec

import "testing"

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{50000: "50000", 1: "1", 0.5625: "0.5625", 1.0 / 3: "0.3333", 123456.7: "123457", 0.00001234567: "0.00001235", 8: "8", 9999.9: "10000"} {
		if got := number(x, 4); got != want {
			t.Errorf("%v: %s, expected %s", x, got, want)
		}
	}
	if counted(1, "block")+", "+counted(2, "block") != "1 block, 2 blocks" {
		t.Error(counted(1, "block"), counted(2, "block"))
	}
}
