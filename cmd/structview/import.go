// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

type importCommand struct {
	Source   string `arg:"" name:"SRC" help:"The container to import."`
	Out      string `short:"o" required:"" name:"out" help:"The model to write, .onnx."`
	Embed    bool   `help:"Copy the payloads into OUT instead of pointing at SRC."`
	External string `name:"external" placeholder:"FILE" help:"Copy the payloads into one FILE beside OUT."`
	Force    bool   `help:"Replace existing outputs."`
}

// maxModel is the largest message that protobuf libraries read.
const maxModel = 1<<31 - 1

// Run writes the imported model. By default its values point into SRC.
func (c *importCommand) Run(a *app) error {
	if c.Embed && c.External != "" {
		return usage("--embed and --external exclude each other")
	}
	file, err := a.open(c.Source)
	if err != nil {
		return err
	}
	defer file.Close()
	switch {
	case c.Embed:
		err = embed(file)
	case c.External != "":
		err = c.moveOut(a, file)
	default:
		err = c.pointAt(a, file)
	}
	if err != nil {
		return in(c.Source, "", err)
	}
	structview.WriteCounts(file.Model)
	return a.writeFile(c.Out, c.Force, func(w io.Writer) error {
		return onnxpb.WriteModel(w, file.Model)
	})
}

// pointAt makes every location relative to OUT's folder.
func (c *importCommand) pointAt(a *app, file *container.File) error {
	return eachPayload(file.Model, func(m proto.Message) error {
		place, err := file.Place(m)
		if err != nil || place.Offset < 0 {
			return err
		}
		location, err := c.location(a, place.Path)
		if err != nil {
			return err
		}
		setExternal(m, location, place.Offset, place.Length)
		return nil
	})
}

// location is the way from OUT's folder down to a payload file.
func (c *importCommand) location(a *app, payload string) (string, error) {
	folder, err := filepath.Abs(filepath.Dir(c.Out))
	if err != nil {
		return "", err
	}
	target, err := filepath.Abs(payload)
	if err != nil {
		return "", err
	}
	if !a.allowLinks {
		// A folder reached by a link is the folder it leads to.
		folder, target = resolved(folder), filepath.Join(resolved(filepath.Dir(target)), filepath.Base(target))
	}
	relative, err := filepath.Rel(folder, target)
	if err != nil || !filepath.IsLocal(relative) {
		return "", usage("%s does not lie in the folder of %s or below it, where a model's external data has to be: "+
			"move OUT to %s or above, or copy the payload with --embed or --external FILE", payload, c.Out, filepath.Dir(payload))
	}
	return filepath.ToSlash(relative), nil
}

func resolved(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return real
	}
	return folder
}

// embed moves every payload into the message.
func embed(file *container.File) error {
	total := int64(0)
	return eachPayload(file.Model, func(m proto.Message) error {
		place, err := file.Place(m)
		if err != nil {
			return err
		}
		if total += place.Length; total > maxModel {
			return usage("the payloads have more than 2 GiB, which no ONNX file can hold: use --external FILE")
		}
		if place.Offset < 0 {
			return nil
		}
		data, err := file.Bytes(m)
		if err != nil {
			return err
		}
		setInline(m, data)
		return nil
	})
}

// payloadAlignment is where payloads begin in a file of their own: a page, so that
// they can be mapped one by one.
const payloadAlignment = 4096

// moveOut writes every payload into one file beside OUT.
func (c *importCommand) moveOut(a *app, file *container.File) error {
	target := filepath.Join(filepath.Dir(c.Out), c.External)
	if !filepath.IsLocal(c.External) || strings.ContainsRune(c.External, '\\') {
		return usage("--external %s: expected a name in OUT's folder", c.External)
	}
	var plan []payload
	offset := int64(0)
	err := eachPayload(file.Model, func(m proto.Message) error {
		place, err := file.Place(m)
		if err != nil || place.Offset < 0 {
			return err
		}
		plan = append(plan, payload{m, offset, place.Length})
		offset = (offset + place.Length + payloadAlignment - 1) / payloadAlignment * payloadAlignment
		return nil
	})
	if err != nil {
		return err
	}
	add, done := a.progress(offset, "copy")
	defer done()
	err = a.writeFile(target, c.Force, func(w io.Writer) error {
		return writePayloads(w, file, plan, add)
	})
	if err != nil {
		return err
	}
	for _, p := range plan {
		setExternal(p.message, filepath.ToSlash(c.External), p.offset, p.length)
	}
	return nil
}

// payload is one payload's place in the new file.
type payload struct {
	message        proto.Message
	offset, length int64
}

func writePayloads(w io.Writer, file *container.File, plan []payload, add func(int64)) error {
	at := int64(0)
	for _, p := range plan {
		if _, err := w.Write(make([]byte, p.offset-at)); err != nil {
			return err
		}
		data, err := file.Bytes(p.message)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		at = p.offset + p.length
		add(p.length)
	}
	return nil
}
