// SPDX-License-Identifier: Apache-2.0

package container

import "github.com/structview/structview/internal/fault"

// ErrTruncated says that a mapped file became shorter after it was opened.
var ErrTruncated = fault.ErrTruncated

// Guard runs read, which may read what Bytes returned. Where the file behind the
// bytes was truncated, the memory fault becomes ErrTruncated instead of the
// program's end. It holds for read's own goroutine, not for those that it starts.
func Guard(read func() error) error { return fault.Guard(read) }
