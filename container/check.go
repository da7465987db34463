// SPDX-License-Identifier: Apache-2.0

package container

import (
	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
)

// CheckOptions returns what structview.Check needs to know about payloads that
// are not in the model: the lengths of those left in the file, and the sizes of
// external files, which are opened as Bytes opens them.
func (f *File) CheckOptions() structview.CheckOptions {
	return structview.CheckOptions{Inline: f.inlineLength, External: f.externalSize}
}

func (f *File) inlineLength(m proto.Message) (uint64, bool) {
	if f.Inline == nil {
		return 0, false
	}
	at, ok := f.Inline(m)
	return uint64(at.Length), ok
}

func (f *File) externalSize(location string) (int64, error) {
	src, err := f.externals.source(location)
	if err != nil {
		return 0, err
	}
	return src.Size(), nil
}
