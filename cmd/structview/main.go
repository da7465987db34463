// SPDX-License-Identifier: Apache-2.0

// Structview reads packed binary values: it imports quantized files as ONNX
// models with structured types, checks them, shows their bytes field by field
// and decodes them with the ONNX functions in their types.
package main

import (
	"io"
	"os"
	"slices"

	"github.com/alecthomas/kong"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// commandLine is the whole grammar; each command's flags stand in its own file.
type commandLine struct {
	JSON       bool `name:"json" help:"Write one JSON document to standard output."`
	Quiet      bool `name:"quiet" short:"q" help:"Show no progress."`
	AllowLinks bool `name:"allow-links" help:"Let external data pass symbolic links and hard links."`

	Demo        demoCommand        `cmd:"" help:"Walk through the main job on an embedded sample; needs no file."`
	Import      importCommand      `cmd:"" help:"Write a file's tensors as an ONNX model with structured types."`
	Check       checkCommand       `cmd:"" help:"Check models and report every finding."`
	Ls          lsCommand          `cmd:"" help:"List a file's values."`
	Show        showCommand        `cmd:"" help:"Show a value field by field, or the values below a path."`
	Layout      layoutCommand      `cmd:"" help:"Show where each field of a type lies, to the bit."`
	Decode      decodeCommand      `cmd:"" help:"Run a value's decoder and write the result."`
	Encode      encodeCommand      `cmd:"" help:"Run a type's encoder on an array and write the payload."`
	Explain     explainCommand     `cmd:"" help:"Tell how a decoder will run: its kernels, and what does not fuse."`
	Compile     compileCommand     `cmd:"" help:"Turn the text form into a binary model."`
	Print       printCommand       `cmd:"" help:"Write a model in the text form."`
	Fmt         fmtCommand         `cmd:"" help:"Write the text form in its canonical spelling."`
	Gen         genCommand         `cmd:"" help:"Write typed accessors for a type: Go, a C header, a numpy dtype."`
	Types       typesCommand       `cmd:"" help:"List the catalogue, or show one entry in full."`
	Conformance conformanceCommand `cmd:"" help:"Run a folder of language-neutral conformance cases."`
	Version     versionCommand     `cmd:"" help:"Print the version."`
}

// app is what a command needs of the outside world.
type app struct {
	stdin       io.Reader
	stdout      io.Writer // text for people: what a terminal would act on is escaped
	raw         *output   // the same stream for documents and data
	stderr      io.Writer
	json, quiet bool
	allowLinks  bool
	written     []writtenFile
}

// finished ends parsing after --help; run recovers it.
type finished struct{ code int }

// run is the program: it parses args, runs one command, reports its error and
// returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	defer func() {
		switch stop := recover().(type) {
		case nil:
		case finished:
			status = stop.code
		default:
			panic(stop)
		}
	}()
	a := &app{stdin: stdin, raw: &output{w: stdout}, stderr: stderr, json: slices.Contains(args, "--json")}
	a.stdout = printable{a.raw}
	return a.finish(a.run(args))
}

// run parses args and runs one command.
func (a *app) run(args []string) error {
	var grammar commandLine
	parser, err := kong.New(&grammar,
		kong.Name("structview"),
		kong.Description("Structured views over byte buffers: check, show and decode packed values. "+
			"'structview help COMMAND' says more of one command."),
		kong.Writers(a.raw, a.stderr),
		kong.Exit(func(code int) { panic(finished{code}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	command, err := parser.Parse(args)
	if err != nil {
		return &failure{status: statusUsage, err: err, syntax: true}
	}
	a.json, a.quiet, a.allowLinks = grammar.JSON, grammar.Quiet, grammar.AllowLinks
	return command.Run(a)
}

// finish reports an error, completes the JSON document and returns the exit status.
func (a *app) finish(err error) int {
	if a.raw.err != nil {
		err = in("standard output", "", unreadable(a.raw.err))
	}
	status := report(a.stderr, err)
	if a.json && !a.raw.used {
		var document any = struct {
			Written []writtenFile `json:"written"`
		}{append([]writtenFile{}, a.written...)}
		if err != nil {
			document = struct {
				Error  string `json:"error"`
				Status int    `json:"status"`
			}{err.Error(), status}
		}
		_ = a.writeJSON(document) // a.raw keeps the error
	}
	if err == nil && a.raw.err != nil {
		return a.finish(nil)
	}
	return status
}
