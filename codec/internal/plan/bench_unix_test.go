// SPDX-License-Identifier: Apache-2.0

//go:build unix

package plan_test

import (
	"syscall"
	"testing"
	"time"
)

// processorTime is what this process has used: on a busy machine the clock says
// little.
func processorTime(tb testing.TB) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
