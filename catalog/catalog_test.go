// SPDX-License-Identifier: Apache-2.0

package catalog

import "testing"

func TestEntriesParse(t *testing.T) {
	c := Builtin()
	for _, name := range c.Names() {
		if _, err := c.Entry(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
