// SPDX-License-Identifier: Apache-2.0

//go:build unix

package container

import (
	"io/fs"
	"syscall"
)

// nonblock makes opening a pipe return at once.
const nonblock = syscall.O_NONBLOCK

// links returns the number of names that a file has.
func links(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
