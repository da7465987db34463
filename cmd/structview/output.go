// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/structview/structview/internal/render"
)

// output is standard output. It keeps the first error, so that none is lost, and
// whether anything was written.
type output struct {
	w    io.Writer
	used bool
	err  error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	o.used = true
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// printable writes text for people: names may hold what a terminal would act on.
type printable struct{ out io.Writer }

func (p printable) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.out, render.Printable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// writeJSON writes one document, indented, without HTML escapes.
func (a *app) writeJSON(document any) error {
	encoder := json.NewEncoder(a.raw)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// writeTable aligns columns with two blanks between them; the columns of right
// are aligned right. The last column is not padded.
func (a *app) writeTable(rows [][]string, right ...int) error {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	isRight := map[int]bool{}
	for _, i := range right {
		isRight[i] = true
	}
	var text strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if isRight[i] {
				line.WriteString(pad + cell + "  ")
			} else {
				line.WriteString(cell + pad + "  ")
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := a.stdout.Write([]byte(text.String()))
	return err
}

// progress shows a bar on standard error if that is a terminal. The returned
// function adds to it; a total of -1 is a spinner.
func (a *app) progress(total int64, what string) (add func(int64), done func()) {
	file, ok := a.stderr.(*os.File)
	if a.quiet || !ok || !term.IsTerminal(int(file.Fd())) {
		return func(int64) {}, func() {}
	}
	bar := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(file),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
	)
	return func(n int64) { _ = bar.Add64(n) }, func() { _ = bar.Finish() }
}

// byteCount is a size for people: exact below 10 KB, three digits above.
func byteCount(n uint64) string {
	const units = "KMGTPE"
	if n < 10_000 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n), -1
	for value >= 1000 {
		value /= 1000
		unit++
	}
	return fmt.Sprintf("%.3g %cB", value, units[unit])
}
