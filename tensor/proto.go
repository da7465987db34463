// SPDX-License-Identifier: Apache-2.0

package tensor

import "github.com/structview/structview/onnxpb"

// FromProto returns the tensor that p holds in whichever storage field ONNX prescribes for its type. raw_data is
// shared with p, not copied. The data must be in the message and match dims exactly (SV015): EXTERNAL data
// and segment are errors.
func FromProto(p *onnxpb.TensorProto) (*Tensor, error) { panic("not yet") }

// Proto returns t as a message, in raw_data (string_data for STRING), which it shares with t.
func (t *Tensor) Proto(name string) *onnxpb.TensorProto { panic("not yet") }
