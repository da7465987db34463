// SPDX-License-Identifier: Apache-2.0

package container

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/edsrzf/mmap-go"

	"github.com/structview/structview/internal/fault"
)

const (
	// granularity is what mapping offsets are aligned to: a multiple of every page
	// size in use, and Windows maps at multiples of 64 KiB.
	granularity = 64 << 10
	// addressable is the size up to which a file is mapped in one piece: any on
	// 64-bit machines, 512 MiB on 32-bit ones, which map larger files by regions.
	addressable = int64(math.MaxInt >> 2)
)

// OpenSource opens the regular file at path, or the one that a symbolic link
// there leads to. Folders, devices and pipes are refused without waiting for them.
func OpenSource(path string) (Source, error) {
	before, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path, before); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	return newFileSource(path, f, before)
}

// newFileSource takes f over, and checks that it is the file that was looked at
// before it was opened.
func newFileSource(path string, f *os.File, before fs.FileInfo) (*fileSource, error) {
	info, err := f.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err == nil && !os.SameFile(before, info) {
		err = &fs.PathError{Op: "open", Path: path, Err: errors.New("the file was exchanged while it was opened")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &fileSource{path: path, file: f, info: info, limit: addressable}, nil
}

func regular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("a regular file expected, a %s found", kindOf(info.Mode()))}
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeSymlink != 0:
		return "symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// fileSource maps a file when a region of it is first asked for.
type fileSource struct {
	path  string
	file  *os.File
	info  fs.FileInfo // of the open handle
	limit int64       // files up to this size are mapped in one piece

	mu    sync.Mutex
	whole []byte // nil: not mapped in one piece
	maps  []mapping
}

// mapping is mapped memory. Views of it are guarded until forget is called.
type mapping struct {
	memory mmap.MMap
	forget func()
}

// region maps a part of the file, read-only.
func (s *fileSource) region(offset int64, length int) ([]byte, error) {
	m, err := mmap.MapRegion(s.file, length, mmap.RDONLY, 0, offset)
	if err != nil {
		return nil, err
	}
	s.maps = append(s.maps, mapping{m, fault.Map(m)})
	return m, nil
}

func (s *fileSource) Path() string { return s.path }
func (s *fileSource) Size() int64  { return s.info.Size() }

func (s *fileSource) ReadAt(b []byte, offset int64) (int, error) { return s.file.ReadAt(b, offset) }

func (s *fileSource) Region(offset, length int64) ([]byte, error) {
	if offset < 0 || length < 0 || offset > s.Size()-length {
		return nil, fmt.Errorf("byte %d: %d bytes expected to lie inside %s, which has %d bytes", offset, length, s.path, s.Size())
	}
	if length == 0 {
		return nil, nil
	}
	if length > math.MaxInt-granularity {
		return nil, fmt.Errorf("byte %d of %s: %d bytes expected to be addressable on this machine", offset, s.path, length)
	}
	if whole := s.Whole(); whole != nil {
		return whole[offset : offset+length : offset+length], nil
	}
	return s.part(offset, int(length))
}

// Whole maps the whole file, read-only; nil where that is not possible.
func (s *fileSource) Whole() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.whole == nil && s.Size() > 0 && s.Size() <= s.limit {
		s.whole, _ = s.region(0, int(s.Size()))
	}
	return s.whole
}

// part maps a region on its own, or reads it where nothing can be mapped.
func (s *fileSource) part(offset int64, length int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	skip := int(offset % granularity)
	m, err := s.region(offset-int64(skip), skip+length)
	if err == nil {
		return m[skip : skip+length : skip+length], nil
	}
	b := make([]byte, length) // the file has as many bytes
	if n, err := s.file.ReadAt(b, offset); n < length {
		if err == io.EOF {
			err = ErrTruncated
		}
		return nil, fmt.Errorf("byte %d of %s: %d bytes expected, %d read: %w", offset, s.path, length, n, err)
	}
	return b, nil
}

func (s *fileSource) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []error
	for i := range s.maps {
		s.maps[i].forget()
		all = append(all, s.maps[i].memory.Unmap())
	}
	s.whole, s.maps = nil, nil
	return errors.Join(append(all, s.file.Close())...)
}
