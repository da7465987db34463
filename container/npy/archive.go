// SPDX-License-Identifier: Apache-2.0

package npy

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// openArchive reads an .npz file: every member is an array.
func openArchive(src container.Source) ([]*onnxpb.TensorProto, error) {
	z, err := zip.NewReader(src, src.Size())
	if err != nil {
		return nil, fmt.Errorf("a zip archive expected: %w", err)
	}
	var values []*onnxpb.TensorProto
	left := unpacked + unpackedEach*src.Size()
	for _, member := range z.File {
		if member.Method != zip.Store && !take(&left, member.UncompressedSize64) {
			return nil, fmt.Errorf("%s: %d bytes unpacked are far more than the archive's %d: store it uncompressed (numpy.savez)",
				member.Name, member.UncompressedSize64, src.Size())
		}
		v, err := openMember(src, member)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", member.Name, err)
		}
		values = append(values, v)
	}
	return values, nil
}

// What the compressed members of an archive may unpack to in memory, in bytes: in
// any case, and for each byte of the archive. Deflate can claim a thousand.
const (
	unpacked     = 64 << 20
	unpackedEach = 32
)

// take takes n from what is left, if there is as much.
func take(left *int64, n uint64) bool {
	if n > uint64(*left) {
		return false
	}
	*left -= int64(n)
	return true
}

func openMember(src container.Source, member *zip.File) (*onnxpb.TensorProto, error) {
	name := strings.TrimSuffix(member.Name, ".npy")
	if member.UncompressedSize64 > math.MaxInt64 {
		return nil, fmt.Errorf("a size below 2^63 bytes expected, %d found", member.UncompressedSize64)
	}
	size := int64(member.UncompressedSize64)
	r, err := member.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err := readArray(r, size)
	if err != nil {
		return nil, err
	}
	if base, err := member.DataOffset(); err == nil && member.Method == zip.Store && a.plain() {
		if size != int64(member.CompressedSize64) || base > src.Size()-size {
			return nil, fmt.Errorf("byte %d: %d bytes expected to lie inside the archive, which has %d bytes", base, size, src.Size())
		}
		return a.refer(src, name, base), nil
	}
	data, err := readAll(r, a.bytes)
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", a.begin, err)
	}
	return a.convert(name, data), nil
}

// readAll reads exactly n bytes, which nobody has verified to exist: the memory
// grows with what comes. At the end the archive's checksum is compared too.
func readAll(r io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	got, err := io.Copy(&b, io.LimitReader(r, n))
	if err == nil && got < n {
		err = fmt.Errorf("%d bytes expected, %d found: %w", n, got, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return nil, err
	}
	if extra, err := io.Copy(io.Discard, r); err != nil || extra > 0 {
		return nil, fmt.Errorf("the end of the member expected, %d bytes more found (%v)", extra, err)
	}
	return b.Bytes(), nil
}
