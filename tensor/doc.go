// SPDX-License-Identifier: Apache-2.0

// Package tensor holds dense ONNX tensors: the 26 element types with their widths, sub-byte storage packed
// as in TensorProto.raw_data, every small float by one table-driven codec, and TensorProto in and out.
package tensor
