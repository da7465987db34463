// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/container"
	"github.com/structview/structview/internal/render"
)

// Exit statuses, for scripts.
const (
	statusDone    = 0
	statusInvalid = 1 // the input is invalid, or has no such name
	statusUsage   = 2 // wrong usage, an existing output included
	statusIO      = 3 // something could not be read or written
)

// failure is an error with an exit status. One without a cause says nothing: its
// findings were printed before.
type failure struct {
	status int
	err    error
	whole  bool // it says itself which file it is about
	syntax bool // the command line does not parse: the help says what does
}

func (f *failure) Error() string {
	if f.err == nil {
		return "failed"
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

func usage(format string, args ...any) error {
	return &failure{status: statusUsage, err: fmt.Errorf(format, args...)}
}

func invalid(format string, args ...any) error {
	return &failure{status: statusInvalid, err: fmt.Errorf(format, args...)}
}

// in puts the file, and the path in it if there is one, before an error.
func in(file, path string, err error) error {
	if err == nil {
		return nil
	}
	var known *failure
	if errors.As(err, &known) && known.whole {
		return err
	}
	status := statusOf(err)
	if file != "" && path == "" && strings.HasPrefix(err.Error(), file+":") {
		return &failure{status: status, err: err} // the text form's errors: FILE:LINE:COLUMN
	}
	where := cmp.Or(file, `""`)
	if path != "" {
		where += ": " + path
	}
	var broken *fs.PathError
	if errors.As(err, &broken) && err == error(broken) && broken.Path == file {
		err = broken.Err // the file is named already
	}
	return &failure{status: status, err: fmt.Errorf("%s: %w", where, err)}
}

// unreadable is the error of a file that cannot be read or written.
func unreadable(err error) error { return &failure{status: statusIO, err: err} }

// at puts the file, and the place in the value v that a path leads to, before an
// error. One about the path says how far it led.
func at(file string, v value, path string, err error) error {
	if err == nil {
		return nil
	}
	if d, ok := err.(*structview.Diagnostic); ok && d.Rule == string(structview.ErrPath) {
		path = d.Path
		err = invalid("%s (%s)", d.Message, d.Rule)
	}
	if strings.HasPrefix(err.Error(), strconv.Quote(v.name)+": ") {
		return in(file, "", err) // it names the value
	}
	if path != "" && path[0] != '[' && path[0] != '.' {
		path = "." + path
	}
	return in(file, render.Name(v.name)+path, err)
}

// report prints an error and returns the exit status.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return statusDone
	}
	status := statusOf(err)
	var known *failure
	if errors.As(err, &known) && known.err == nil {
		return status
	}
	fmt.Fprintf(stderr, "structview: %s\n", shortened(render.Printable(strings.TrimRight(err.Error(), "\n"))))
	if known != nil && known.syntax {
		fmt.Fprintln(stderr, "structview: see 'structview help'")
	}
	return status
}

// shortened leaves the middle out of a message that hostile nesting made long.
func shortened(text string) string {
	const most, each = 2000, 600
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:each], "") + " … " + strings.ToValidUTF8(text[len(text)-each:], "")
}

// statusOf tells an unreadable file from a bad one.
func statusOf(err error) int {
	var known *failure
	if errors.As(err, &known) {
		return known.status
	}
	if errors.Is(err, container.ErrExists) {
		return statusUsage
	}
	var path *fs.PathError
	if errors.As(err, &path) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return statusIO
	}
	return statusInvalid
}
