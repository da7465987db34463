// SPDX-License-Identifier: Apache-2.0

package eval

import "strings"

// standardNames are ONNX operators that the table lacks: valid, but unsupported.
func standardNames() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(lacking) {
		m[name] = true
	}
	return m
}

const lacking = `
AffineGrid Attention AveragePool BatchNormalization BlackmanWindow CausalConvWithState Col2Im Conv ConvInteger
ConvTranspose DFT DeformConv Dropout GRU GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample GroupNormalization
HammingWindow HannWindow ImageDecoder InstanceNormalization LRN LSTM LinearAttention LpPool MaxPool MaxRoiPool MaxUnpool
MelWeightMatrix NegativeLogLikelihoodLoss NonMaxSuppression QLinearConv RNN RegexFullMatch Resize RoiAlign RotaryEmbedding
STFT SoftmaxCrossEntropyLoss StringConcat StringNormalizer StringSplit TensorScatter TfIdfVectorizer Upsample Det
FlexAttention`
