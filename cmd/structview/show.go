// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/structview/structview/internal/render"
)

type showCommand struct {
	File   string `arg:"" name:"FILE" help:"Model or container."`
	Name   string `arg:"" name:"NAME[PATH]" help:"A value's name, and a path into it such as [17].qs[3].lo."`
	Values int    `default:"16" help:"Values of one leaf that are shown."`
	Blocks int    `default:"2" help:"Structures of one array that are shown."`
}

// maxNodes bounds the lines of one answer.
const maxNodes = 10_000

// Run shows a structured value as a tree, an ordinary one as its elements.
func (c *showCommand) Run(a *app) error {
	if c.Values < 0 || c.Blocks < 0 {
		return usage("--values and --blocks take numbers from 0")
	}
	s, err := a.openSource(c.File)
	if err != nil {
		return err
	}
	defer s.Close()
	v, path, err := s.find(c.Name)
	if err != nil {
		return in(c.File, "", err)
	}
	limits := render.Limits{Values: c.Values, Elements: c.Blocks, Nodes: maxNodes}
	node, err := s.tree(v, path, limits)
	if err != nil {
		return at(c.File, v, path, err)
	}
	node.Name = render.Name(v.name) + path
	if a.json {
		return a.writeJSON(node)
	}
	return writeTree(a.stdout, node)
}

func (s *source) tree(v value, path string, limits render.Limits) (render.Node, error) {
	if v.structp != nil {
		view, err := s.view(v)
		if err != nil {
			return render.Node{}, err
		}
		return render.Tree(view, path, limits)
	}
	t, err := s.dense(v)
	if err != nil {
		return render.Node{}, err
	}
	return denseTree(t, path, limits)
}

// writeTree prints a node and what is below it, indented by two blanks a level.
func writeTree(w io.Writer, node render.Node) error {
	var rows [][3]string
	collect(&rows, node, 0)
	widest := 0
	for _, r := range rows[1:] {
		widest = max(widest, len(r[0]))
	}
	var text strings.Builder
	for i, r := range rows {
		if i == 0 {
			fmt.Fprintf(&text, "%s: %s\n", r[0], strings.TrimRight(r[1]+"  "+r[2], " "))
			continue
		}
		line := fmt.Sprintf("%-*s  %s  %s", widest, r[0], r[1], r[2])
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func collect(rows *[][3]string, node render.Node, depth int) {
	kind := node.Type
	if depth == 0 {
		kind = fmt.Sprintf("%s, %s at byte %s of the payload", node.Type, render.Size(node.Bits), render.Position(node.Offset))
		if node.Spread {
			kind = fmt.Sprintf("%s, %s in pieces from byte %s of the payload on", node.Type, render.Size(node.Bits), render.Position(node.Offset))
		}
	}
	values := ""
	if len(node.Fields) == 0 {
		values = node.Text()
	}
	*rows = append(*rows, [3]string{strings.Repeat("  ", depth) + node.Name, kind, values})
	for _, field := range node.Fields {
		collect(rows, field, depth+1)
	}
	if len(node.Fields) > 0 && node.More > 0 {
		*rows = append(*rows, [3]string{fmt.Sprintf("%s… %d more", strings.Repeat("  ", depth+1), node.More)})
	}
}
