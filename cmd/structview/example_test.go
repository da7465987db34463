// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/container/gguf"
	"github.com/structview/structview/container/onnx"
)

// printFirst is the README's example of the library, word for word.
func printFirst(ctx context.Context, path string) error {
	file, err := container.Open(path, container.Options{}, gguf.Format{}, onnx.Format{})
	if err != nil {
		return err
	}
	defer file.Close()
	declarations, findings := structview.Resolve(file.Model.StructTypes)
	if err := structview.Errors(findings); err != nil {
		return err
	}
	value := file.Model.Graph.StructInitializer[0]
	t, err := declarations.TypeOf(value) // what the bytes are
	if err != nil {
		return err
	}
	payload, err := file.Bytes(value) // where they are: mapped, not copied
	if err != nil {
		return err
	}
	view, err := structview.NewView(t, payload)
	if err != nil {
		return err
	}
	ref, err := view.At("[3][0].d") // a field, to the bit
	if err != nil {
		return err
	}
	scale, err := view.Float64(ref)
	if err != nil {
		return err
	}
	c, err := codec.New(t, codec.Env{Functions: file.Model.Functions, Opsets: file.Model.OpsetImport})
	if err != nil {
		return err
	}
	weights, err := c.Decode(ctx, payload) // the decoder in the type
	if err != nil {
		return err
	}
	fmt.Println(value.Name, t.Name(), scale, weights.Dims())
	return nil
}

func Example_library() {
	if err := printFirst(context.Background(), "sample/sample.gguf"); err != nil {
		fmt.Println(err)
	}
	// Output: token_embd.weight ggml.q4_K[64,256] 0.032989501953125 [64 256]
}
