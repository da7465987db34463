// SPDX-License-Identifier: Apache-2.0

package structview

import "github.com/structview/structview/onnxpb"

// Hash returns the structural hash of a declaration (SV049).
func Hash(t *Type, functions []*onnxpb.FunctionProto) [32]byte { panic("not yet") }
