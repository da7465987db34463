// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package container

import "io/fs"

// nonblock is not needed where pipes have no names in folders.
const nonblock = 0

// links is 1 where a FileInfo does not tell how many names a file has.
func links(fs.FileInfo) uint64 { return 1 }
