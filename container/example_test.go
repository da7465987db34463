// SPDX-License-Identifier: Apache-2.0

package container_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/structview/structview/container"
)

func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "structview")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "out.bin")
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "payload")
		return err
	}
	fmt.Println(container.WriteFile(path, false, write))
	err = container.WriteFile(path, false, write)
	fmt.Println(errors.Is(err, container.ErrExists))
	// Output:
	// <nil>
	// true
}
