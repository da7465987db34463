// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"testing"

	"github.com/structview/structview"
)

// goAligned has no gaps in Go, so that its values move as rows of bytes.
type goAligned struct {
	A [2]uint32
	B [4]int16
}

// BenchmarkGoType moves 100,000 whole values.
func BenchmarkGoType(b *testing.B) {
	const n = 100_000
	b.Run("bits", func(b *testing.B) { benchmarkGoType[goQ4](b, n) })
	b.Run("bytes", func(b *testing.B) { benchmarkGoType[goAligned](b, n) })
}

// goValues returns an array of n values of T.
func goValues[T any](b *testing.B, n uint64) (*structview.GoType[T], structview.View, []byte) {
	g, err := structview.GoTypeOf[T]()
	if err != nil {
		b.Fatal(err)
	}
	decls, err := structview.DeclarationsOf[T]()
	if err != nil {
		b.Fatal(err)
	}
	root := resolved(b, append(decls, array(ref(int32(len(decls)-1)), n))...)
	payload := make([]byte, root.Bits()/8)
	for i := range payload {
		payload[i] = byte(i * 7)
	}
	return g, view(b, root, payload), payload
}

func benchmarkGoType[T any](b *testing.B, n uint64) {
	g, v, payload := goValues[T](b, n)
	values, err := g.AppendAs(nil, v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("AppendAs", func(b *testing.B) {
		b.SetBytes(int64(len(payload)))
		for b.Loop() {
			if values, err = g.AppendAs(values[:0], v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Put", func(b *testing.B) {
		b.SetBytes(int64(len(payload)))
		for b.Loop() {
			for i := range values {
				if err := g.Put(payload, uint64(i)*g.Bits(), values[i]); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("As", func(b *testing.B) {
		one, err := v.Index(n / 2)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := g.As(one); err != nil {
				b.Fatal(err)
			}
		}
	})
}
