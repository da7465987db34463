// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// place returns where the model of a case lies. A case whose files have to be made runs in a
// copy of its folder, which remove deletes.
func (s *Suite) place(c *Case) (file string, remove func(), err error) {
	name := filepath.FromSlash(c.Model)
	if len(c.Setup) == 0 {
		return filepath.Join(s.dir, name), func() {}, nil
	}
	folder, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(folder) }
	below := filepath.Join(folder, "case")
	err = os.CopyFS(below, os.DirFS(filepath.Join(s.dir, filepath.Dir(name))))
	for i := 0; err == nil && i < len(c.Setup); i++ {
		err = c.Setup[i].make(below)
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return filepath.Join(below, filepath.Base(name)), remove, nil
}

// make makes one file in a folder of its own.
func (s Setup) make(folder string) error {
	name := filepath.FromSlash(s.Path)
	if !filepath.IsLocal(name) {
		return fmt.Errorf("setup: %q leaves the folder of its case", s.Path)
	}
	target := filepath.Join(folder, name)
	var err error
	switch s.Make {
	case "folder":
		err = os.Mkdir(target, 0o700)
	case "symlink":
		err = os.Symlink(filepath.FromSlash(s.Target), target)
	case "hardlink":
		if !filepath.IsLocal(filepath.FromSlash(s.Target)) {
			return fmt.Errorf("setup: %q leaves the folder of its case", s.Target)
		}
		err = os.Link(filepath.Join(folder, filepath.FromSlash(path.Clean(s.Target))), target)
	case "fifo":
		err = makeFIFO(target)
	default:
		return fmt.Errorf("setup: %q cannot be made", s.Make)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errLacking, err)
	}
	return nil
}

// list writes a set in its order.
func list(set map[string]bool) string {
	if len(set) == 0 {
		return "nothing"
	}
	all := make([]string, 0, len(set))
	for s := range set {
		all = append(all, s)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
