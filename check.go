// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"github.com/structview/structview/onnxpb"
	"google.golang.org/protobuf/proto"
)

// CheckOptions tell [Check] about what is not in the message.
type CheckOptions struct {
	// Inline returns the length in bytes of raw_data that was left in the file.
	Inline func(m proto.Message) (length uint64, ok bool)
	// External measures an external file, in bytes. nil: ranges are not measured.
	External func(location string) (size int64, err error)
	// Disabled names rules that are not reported.
	Disabled map[string]bool
}

// Check reports everything that is wrong with a model.
func Check(m *onnxpb.ModelProto, opts CheckOptions) []Diagnostic { panic("not yet") }
