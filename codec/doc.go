// SPDX-License-Identifier: Apache-2.0

// Package codec runs the decoder and the encoder of a structured type.
package codec
