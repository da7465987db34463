// SPDX-License-Identifier: Apache-2.0

// Package fault turns the memory fault that reading a mapped file raises, after
// somebody truncated the file, into an error.
package fault

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall"
)

// ErrTruncated says that mapped memory could not be read: the file became shorter
// after it was opened, or the device failed.
var ErrTruncated = errors.New("the file was truncated after it was opened")

// Guard runs read. A fault at an address that the system refuses to read, in Go
// code or in assembly that read's own goroutine runs, ends read and is returned as
// ErrTruncated; so is the EFAULT of a system call that was given such memory.
// Every other panic goes on. What read had locked or half written stays so.
//
// It is per goroutine: goroutines that read starts need a Guard of their own.
func Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = truncated(r)
		}
	}()
	if err = read(); errors.Is(err, syscall.EFAULT) {
		return fmt.Errorf("%w: %w", ErrTruncated, err)
	}
	return err
}

// truncated returns the error for a recovered fault, and panics on with anything
// else. The runtime gives an address to faults at addresses that are no nil
// pointer's, and to nothing else.
func truncated(r any) error {
	if fault, ok := r.(interface {
		error
		Addr() uintptr
	}); ok {
		return fmt.Errorf("%w: %w", ErrTruncated, fault)
	}
	panic(r)
}
