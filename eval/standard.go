// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"strconv"
	"strings"
)

// lackingVersions are the versions of ONNX's operators that the table lacks: valid, but unsupported.
func lackingVersions() map[string][]int64 {
	m := map[string][]int64{}
	for line := range strings.Lines(lacking) {
		fields := strings.Fields(line)
		for _, f := range fields[min(1, len(fields)):] {
			v, _ := strconv.ParseInt(f, 10, 64)
			m[fields[0]] = append(m[fields[0]], v)
		}
	}
	return m
}

// lacking has one operator a line, with the versions of its schema in ascending order.
const lacking = `
AffineGrid 20
Attention 23 24
AveragePool 1 7 10 11 19 22
BatchNormalization 1 6 7 9 14 15
Bernoulli 15 22
BlackmanWindow 17
CausalConvWithState 27
Col2Im 18
Conv 1 11 22
ConvInteger 10
ConvTranspose 1 11 22
DFT 17 20
DeformConv 19 22
Det 11 22
Dropout 1 6 7 10 12 13 22
GRU 1 3 7 14 22
GlobalAveragePool 1 22
GlobalLpPool 1 2 22
GlobalMaxPool 1 22
GridSample 16 20 22
GroupNormalization 18 21
HammingWindow 17
HannWindow 17
ImageDecoder 20
InstanceNormalization 1 6 22
LRN 1 13
LSTM 1 7 14 22
LinearAttention 27
LpPool 1 2 11 18 22
MaxPool 1 8 10 11 12 22
MaxRoiPool 1 22
MaxUnpool 9 11 22
MelWeightMatrix 17
Multinomial 7 22
NegativeLogLikelihoodLoss 12 13 22
NonMaxSuppression 10 11
QLinearConv 10
RNN 1 7 14 22
RandomNormal 1 22
RandomNormalLike 1 22
RandomUniform 1 22
RandomUniformLike 1 22
RegexFullMatch 20
Resize 10 11 13 18 19
RoiAlign 10 16 22
RotaryEmbedding 23
STFT 17
SoftmaxCrossEntropyLoss 12 13
StringConcat 20
StringNormalizer 10
StringSplit 20
TensorScatter 24
TfIdfVectorizer 9
Upsample 7 9
`
