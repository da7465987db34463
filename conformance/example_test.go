// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"context"
	"fmt"

	"github.com/structview/structview/conformance"
)

// A folder of cases is run against this implementation, and again with a rule overlooked.
func Example() {
	suite, err := conformance.Load("cases")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, opts := range []conformance.Options{{}, {Disabled: map[string]bool{"SV009": true}}} {
		for _, r := range suite.Run(context.Background(), opts) {
			if r.Status == conformance.Failed && r.Name == "sv009/refused-unset" {
				fmt.Printf("%s: expected %s, found %s\n", r.Name, r.Expected, r.Found)
			}
		}
	}
	// Output: sv009/refused-unset: expected SV009 error, found nothing
}
