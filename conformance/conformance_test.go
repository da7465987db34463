// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"testing"

	"github.com/structview/structview/conformance"
)

func TestCases(t *testing.T) {
	s := suite(t)
	if len(s.Cases) < 300 {
		t.Errorf("%d cases", len(s.Cases))
	}
	for _, r := range s.Run(t.Context(), conformance.Options{}) {
		switch r.Status {
		case conformance.Failed:
			t.Errorf("%s:\nexpected %s\nfound    %s", r.Name, r.Expected, r.Found)
		case conformance.Skipped:
			t.Logf("%s: %s", r.Name, r.Found)
		}
	}
}
