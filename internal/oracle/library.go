// SPDX-License-Identifier: Apache-2.0

// Package oracle finds the native libraries of the peers that referee
// structview's tests. The packages below it call them.
package oracle

import (
	"os"
	"path/filepath"
	"testing"
)

// Library returns the path of a file that npm installs in this module, given
// relative to node_modules. Where it is missing the test is skipped, or fails if
// STRUCTVIEW_ORACLE is "required". The working directory must be a package
// directly below this one, as it is in a test.
func Library(t testing.TB, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{"..", "node_modules"}, path...)...)
	if _, err := os.Stat(file); err == nil {
		return file
	}
	const how = "%s is not installed: run npm ci --ignore-scripts in internal/oracle"
	if os.Getenv("STRUCTVIEW_ORACLE") == "required" {
		t.Fatalf(how, file)
	}
	t.Skipf(how, file)
	return ""
}
