// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/onnxpb"

func attribute(n *onnxpb.NodeProto, name string) *onnxpb.AttributeProto {
	for _, a := range n.Attribute {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func attributeString(n *onnxpb.NodeProto, name string) string {
	return string(attribute(n, name).GetS())
}

func attributeInt(n *onnxpb.NodeProto, name string, absent int64) int64 {
	if a := attribute(n, name); a != nil {
		return a.I
	}
	return absent
}

func attributeInts(n *onnxpb.NodeProto, name string) ([]int64, bool) {
	if a := attribute(n, name); a != nil {
		return a.Ints, true
	}
	return nil, false
}
