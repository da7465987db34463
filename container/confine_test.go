// SPDX-License-Identifier: Apache-2.0

package container

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview/onnxpb"
)

// external makes a value of n bytes at offset of location.
func external(location, offset, length string) *onnxpb.StructProto {
	entries := []*onnxpb.StringStringEntryProto{{Key: "location", Value: location}}
	if offset != "" {
		entries = append(entries, &onnxpb.StringStringEntryProto{Key: "offset", Value: offset})
	}
	if length != "" {
		entries = append(entries, &onnxpb.StringStringEntryProto{Key: "length", Value: length})
	}
	return &onnxpb.StructProto{Name: "v", ExternalData: entries}
}

// folder lays out a model's folder and returns the model, opened.
func folder(t *testing.T, opts Options) (string, *File) {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "model")
	for name, content := range map[string]string{
		"model/m.onnx": "own bytes", "model/a..b.bin": "0123456789", "model/sub/w.bin": "abcdef", "model/..data/x.bin": "dots", "outside.bin": "outside",
	} {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := OpenSource(filepath.Join(dir, "m.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	f := NewFile("test", src, &onnxpb.ModelProto{}, opts)
	t.Cleanup(func() { f.Close() })
	return dir, f
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
}

func TestExternal(t *testing.T) {
	dir, f := folder(t, Options{})
	accepted := []struct {
		m    *onnxpb.StructProto
		want string
	}{
		{external("a..b.bin", "", "10"), "0123456789"},
		{external("a..b.bin", "3", "4"), "3456"},
		{external("a..b.bin", "10", "0"), ""},
		{external("sub/w.bin", "0", "6"), "abcdef"},
		{external("./sub/../sub//w.bin", "1", "2"), "bc"},
		{external("..data/x.bin", "", "4"), "dots"},
		{external("m.onnx", "4", "5"), "bytes"},
	}
	t.Chdir(t.TempDir()) // another working directory than when the file was opened
	for _, c := range accepted {
		got, err := f.Bytes(c.m)
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %q, %v", c.m.ExternalData, got, err)
		}
		r, err := f.Reader(c.m)
		if err != nil || r.Size() != int64(len(c.want)) {
			t.Errorf("%v: reader %v", c.m.ExternalData, err)
		}
	}
	place, err := f.Place(accepted[1].m)
	if want := (Place{filepath.Join(dir, "a..b.bin"), "a..b.bin", 3, 4}); err != nil || place != want {
		t.Errorf("place %+v, %v", place, err)
	}
}

func TestExternalRelativePath(t *testing.T) {
	dir, f := folder(t, Options{})
	f.Close()
	t.Chdir(dir)
	src, err := OpenSource("m.onnx")
	if err != nil {
		t.Fatal(err)
	}
	relative := NewFile("test", src, &onnxpb.ModelProto{}, Options{})
	defer relative.Close()
	t.Chdir(t.TempDir())
	if got, err := relative.Bytes(external("sub/w.bin", "", "6")); err != nil || string(got) != "abcdef" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestExternalRefused(t *testing.T) {
	dir, f := folder(t, Options{})
	link(t, "a..b.bin", filepath.Join(dir, "link.bin"))
	link(t, "sub", filepath.Join(dir, "linked"))
	link(t, "../outside.bin", filepath.Join(dir, "out.bin"))
	if err := os.Link(filepath.Join(dir, "sub/w.bin"), filepath.Join(dir, "hard.bin")); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		m     *onnxpb.StructProto
		error string
	}{
		{external("", "", "1"), `"v": external data : the location is empty`},
		{external("../outside.bin", "", "7"), `"v": external data ../outside.bin: the location leaves the model's folder`},
		{external("sub/../../outside.bin", "", "7"), `"v": external data sub/../../outside.bin: the location leaves the model's folder`},
		{external("/etc/passwd", "", "1"), `"v": external data /etc/passwd: the location is absolute`},
		{external(`C:\x`, "", "1"), `"v": external data C:\x: the location has a backslash; parts are joined by "/"`},
		{external(`sub\w.bin`, "", "1"), `"v": external data sub\w.bin: the location has a backslash; parts are joined by "/"`},
		{external("C:x", "", "1"), `"v": external data C:x: the location is absolute`},
		{external("sub\x00", "", "1"), "\"v\": external data sub\x00: the location has a NUL"},
		{external(".", "", "1"), `"v": external data .: the location is a folder`},
		{external("sub/", "", "1"), `"v": external data sub/: the location is a folder`},
		{external("sub", "", "1"), `"v": external data sub: a regular file expected, a folder found`},
		{external("a..b.bin/w", "", "1"), `"v": external data a..b.bin/w: the folder "a..b.bin" expected, a file found`},
		{external("none.bin", "", "1"), `"v": external data none.bin: no such file or directory`},
		{external("link.bin", "", "1"), `"v": external data link.bin: a regular file expected, a symbolic link found`},
		{external("out.bin", "", "1"), `"v": external data out.bin: a regular file expected, a symbolic link found`},
		{external("linked/w.bin", "", "1"), `"v": external data linked/w.bin: the folder "linked" expected, a symbolic link found`},
		{external("hard.bin", "", "1"), `"v": external data hard.bin: a file with one name expected, one with 2 hard links found`},
		{external("a..b.bin", "", "11"), `"v": external data "a..b.bin": 11 bytes at 0 expected to lie inside the file, which has 10 bytes`},
		{external("a..b.bin", "11", "0"), `"v": external data "a..b.bin": 0 bytes at 11 expected to lie inside the file, which has 10 bytes`},
		{external("a..b.bin", "18446744073709551615", "1"), `"v": external data "a..b.bin": 1 bytes at 9223372036854775807 expected to lie inside the file, which has 10 bytes`},
		{external("a..b.bin", "18446744073709551616", "1"), `"v": external_data "offset": a decimal number below 2^64 expected, "18446744073709551616" found`},
		{external("a..b.bin", "+1", "1"), `"v": external_data "offset": a decimal number below 2^64 expected, "+1" found`},
		{external("a..b.bin", "", ""), `"v": external_data has no length`},
		{&onnxpb.StructProto{Name: "v", ExternalData: external("a", "1", "").ExternalData[1:]}, `"v": external_data has no location`},
		{
			&onnxpb.StructProto{Name: "v", RawData: []byte{1}, ExternalData: external("a", "", "1").ExternalData},
			`"v": either raw_data or external_data expected, both found`,
		},
		{
			&onnxpb.StructProto{Name: "v", ExternalData: append(external("a", "", "1").ExternalData, external("a", "", "").ExternalData...)},
			`"v": external_data has the key "location" twice`,
		},
		{
			&onnxpb.StructProto{Name: "v", ExternalData: append(external("a", "", "1").ExternalData, &onnxpb.StringStringEntryProto{Key: "x"})},
			`"v": external_data "x": the key is unknown`,
		},
	}
	for _, c := range cases {
		if _, err := f.Bytes(c.m); err == nil || err.Error() != c.error {
			t.Errorf("got  %v\nwant %s", err, c.error)
		}
	}
	if _, err := f.CheckOptions().External("none.bin"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file is %v", err)
	}
	if size, err := f.CheckOptions().External("a..b.bin"); size != 10 || err != nil {
		t.Errorf("a..b.bin has %d bytes, %v", size, err)
	}
}

func TestExternalAllowLinks(t *testing.T) {
	dir, f := folder(t, Options{AllowLinks: true})
	link(t, "a..b.bin", filepath.Join(dir, "link.bin"))
	link(t, "sub", filepath.Join(dir, "linked"))
	link(t, "../outside.bin", filepath.Join(dir, "out.bin"))
	link(t, "/dev/zero", filepath.Join(dir, "zero.bin"))
	if err := os.Link(filepath.Join(dir, "sub/w.bin"), filepath.Join(dir, "hard.bin")); err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]string{"link.bin": "01", "linked/w.bin": "ab", "out.bin": "ou", "hard.bin": "ab"} {
		if got, err := f.Bytes(external(location, "", "2")); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", location, got, err)
		}
	}
	for _, location := range []string{"zero.bin", "../outside.bin", "/etc/passwd"} {
		if _, err := f.Bytes(external(location, "", "1")); err == nil {
			t.Errorf("%s is read", location)
		}
	}
}

// An ordinary tensor may leave length out, and may have keys of other writers.
func TestExternalTensor(t *testing.T) {
	_, f := folder(t, Options{})
	m := &onnxpb.TensorProto{Name: "w", DataLocation: onnxpb.TensorProto_EXTERNAL, ExternalData: external("a..b.bin", "6", "").ExternalData}
	m.ExternalData = append(m.ExternalData, &onnxpb.StringStringEntryProto{Key: "basepath", Value: "."})
	if got, err := f.Bytes(m); err != nil || string(got) != "6789" {
		t.Errorf("%q, %v", got, err)
	}
	m.ExternalData = nil
	if _, err := f.Bytes(m); err == nil || err.Error() != `"w": EXTERNAL data has no external_data` {
		t.Errorf("got %v", err)
	}
}

func TestVerifyChecksum(t *testing.T) {
	_, f := folder(t, Options{})
	with := func(sum string) *onnxpb.StructProto {
		m := external("sub/w.bin", "2", "1")
		m.ExternalData = append(m.ExternalData, &onnxpb.StringStringEntryProto{Key: "checksum", Value: sum})
		return m
	}
	// printf abcdef | sha1sum
	for range 2 {
		if err := f.VerifyChecksum(with("1F8AC10F23C5B5BC1167bda84b833e5c057a77d2")); err != nil {
			t.Error(err)
		}
	}
	err := f.VerifyChecksum(with("00"))
	if err == nil || err.Error() != `"v": external data "sub/w.bin": SHA-1 00 expected, 1f8ac10f23c5b5bc1167bda84b833e5c057a77d2 found` {
		t.Errorf("got %v", err)
	}
	if err := f.VerifyChecksum(external("none", "", "1")); err != nil {
		t.Errorf("no checksum, and yet %v", err)
	}
}

// within fails the test if do waits, as opening a pipe does.
func within(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("still waiting after 10 s")
	}
}

func TestOpenSourceRefuses(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "socket")
	if l, err := net.Listen("unix", socket); err == nil {
		defer l.Close()
		if _, err := OpenSource(socket); err == nil || !strings.HasSuffix(err.Error(), "a regular file expected, a socket found") {
			t.Errorf("socket: %v", err)
		}
	}
	if _, err := OpenSource(dir); err == nil || !strings.HasSuffix(err.Error(), "a regular file expected, a folder found") {
		t.Errorf("folder: %v", err)
	}
	if _, err := OpenSource(os.DevNull); err == nil {
		t.Error("a device is opened")
	}
	if _, err := OpenSource(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
