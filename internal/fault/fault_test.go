// SPDX-License-Identifier: Apache-2.0

package fault

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall"
	"testing"
)

// A fault in mapped memory is tested where files are mapped, in package container.

func TestGuardReturnsWhatReadReturns(t *testing.T) {
	failed := errors.New("failed")
	if err := Guard(func() error { return failed }); err != failed {
		t.Errorf("got %v", err)
	}
	if err := Guard(func() error { return nil }); err != nil {
		t.Errorf("got %v", err)
	}
	err := Guard(func() error { return fmt.Errorf("write: %w", syscall.EFAULT) })
	if !errors.Is(err, ErrTruncated) || !errors.Is(err, syscall.EFAULT) {
		t.Errorf("got %v", err)
	}
}

// Guard hides no fault of the program itself.
func TestGuardPanicsOn(t *testing.T) {
	var none *[8]int
	for name, read := range map[string]func() error{
		"panic":           func() error { panic("stop") },
		"nil pointer":     func() error { none[3]++; return nil },
		"index":           func() error { return []error{}[len(name())] },
		"an error":        func() error { panic(errors.New("stop")) },
		"nested in Guard": func() error { return Guard(func() error { panic("stop") }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			err := Guard(read)
			t.Errorf("%s: returned %v", name, err)
		}()
	}
	if debug.SetPanicOnFault(false) {
		t.Error("the setting stays after a panic")
	}
}

func name() string { return "" }

func BenchmarkGuard(b *testing.B) {
	read := func() error { return nil }
	for b.Loop() {
		_ = Guard(read)
	}
}
