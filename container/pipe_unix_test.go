// SPDX-License-Identifier: Apache-2.0

//go:build unix && !aix && !solaris

package container

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that nobody writes to must not make anybody wait.
func TestPipesDoNotBlock(t *testing.T) {
	dir, f := folder(t, Options{})
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	linked := NewFile("test", f.src, f.Model, Options{AllowLinks: true})
	within(t, func() {
		for _, open := range []func() error{
			func() error { _, err := OpenSource(pipe); return err },
			func() error { _, err := f.Bytes(external("pipe", "", "1")); return err },
			func() error { _, err := linked.Bytes(external("pipe", "", "1")); return err },
		} {
			if err := open(); err == nil || !strings.HasSuffix(err.Error(), "a regular file expected, a pipe found") {
				t.Errorf("got %v", err)
			}
		}
	})
}
