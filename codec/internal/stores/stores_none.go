// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package stores

// Cached writes every element through the caches.
func Cached(dst []float32) { fill(dst) }

// Past writes every element past the caches, where there are such stores.
func Past(dst []float32) { fill(dst) }
