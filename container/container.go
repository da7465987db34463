// SPDX-License-Identifier: Apache-2.0

package container

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

var (
	// ErrExists says that WriteFile found its target and was not told to replace it.
	ErrExists = errors.New("the file exists")
	// ErrFormat says that no format recognized a file.
	ErrFormat = errors.New("not a file of a known format")
)

// HeadSize is the number of bytes from the beginning of a file that Sniff sees,
// fewer if the file is shorter.
const HeadSize = 4096

// Options says how files are opened. The zero value is the strict default.
type Options struct {
	// AllowLinks lets external data pass symbolic links and have several hard
	// links (SV024). The target must still be a regular file.
	AllowLinks bool
}

// Format reads one kind of file. Formats hold no state: a caller lists those it
// wants.
type Format interface {
	// Name is the format's short name, such as "gguf".
	Name() string
	// Sniff tells from the first HeadSize bytes whether the file can be of this
	// format.
	Sniff(head []byte) bool
	// Open imports src. On success the File owns src and closes it; on an error
	// the caller of Open does. Errors name byte offsets of the file.
	Open(src Source, opts Options) (*File, error)
}

// Source is one open file: bytes at random access, and regions of it in memory.
type Source interface {
	io.ReaderAt
	// Path is the file's name as the user wrote it.
	Path() string
	// Size is the file's length in bytes when it was opened.
	Size() int64
	// Region returns length bytes at offset, mapped where the system allows it.
	// They are read-only and valid until Close. A range that does not lie inside
	// the file is an error.
	Region(offset, length int64) ([]byte, error)
	// Whole returns the whole file as Region does if it is mapped in one piece, nil
	// if it is not: regions then cost a mapping or a copy each.
	Whole() []byte
	Close() error
}

// Place says where a payload lies.
type Place struct {
	// Path is the file that holds the payload.
	Path string
	// Location is the external_data location as the model writes it; empty for a
	// payload in the model's own file.
	Location string
	// Offset and Length are in bytes of that file; Offset is -1 for bytes that
	// exist in memory only.
	Offset, Length int64
}

// File is a container imported in memory: an ONNX model, and access to the
// payloads of its tensors and structured values wherever they lie.
// It is safe for concurrent use.
type File struct {
	// Path is the file's name as the user wrote it.
	Path string
	// Format is the name of the format that opened the file.
	Format string
	// Model is the imported model. Payload bytes inside it may be memory-mapped:
	// they must not be written to.
	Model *onnxpb.ModelProto
	// Findings are what the wire pass of an ONNX file reported.
	Findings []onnxpb.Finding
	// Inline tells where raw_data lies that was left in the file; nil: nowhere.
	Inline func(m proto.Message) (onnxpb.Region, bool)

	payloads
}

// Open opens the file at path, recognized by its content among formats, which are
// asked in order. Only a regular file, or a symbolic link to one, is opened. A
// content that no format recognizes is ErrFormat.
func Open(path string, opts Options, formats ...Format) (*File, error) {
	src, err := OpenSource(path)
	if err != nil {
		return nil, err
	}
	f, err := open(src, opts, formats)
	if err != nil {
		src.Close()
		return nil, err
	}
	return f, nil
}

func open(src Source, opts Options, formats []Format) (*File, error) {
	head := make([]byte, min(HeadSize, src.Size()))
	if n, err := src.ReadAt(head, 0); n < len(head) {
		return nil, fmt.Errorf("byte 0: %d bytes expected, %d read: %w", len(head), n, err)
	}
	names := make([]string, len(formats))
	for i, format := range formats {
		if format.Sniff(head) {
			return format.Open(src, opts)
		}
		names[i] = format.Name()
	}
	if len(head) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrFormat)
	}
	return nil, fmt.Errorf("%w (%s): it begins with % x", ErrFormat, strings.Join(names, ", "), head[:min(len(head), 8)])
}

// NewFile makes a File of an imported model. src is the file that the model came
// from, nil for none. External data whose location is the base name of src's path
// is read from src itself; other locations are confined to the folder of src's
// path (SV024), or the working directory.
func NewFile(format string, src Source, model *onnxpb.ModelProto, opts Options) *File {
	f := &File{Format: format, Model: model}
	if src != nil {
		f.Path = src.Path()
	}
	f.src, f.externals.own, f.externals.opts = src, src, opts
	f.externals.folder = filepath.Dir(f.Path)
	// A program may change its working directory before a payload is asked for.
	if absolute, err := filepath.Abs(f.externals.folder); err == nil {
		f.externals.folder = absolute
	}
	return f
}

// Source is the file that the model came from, nil for none.
func (f *File) Source() Source { return f.src }
