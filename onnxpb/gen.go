// SPDX-License-Identifier: Apache-2.0

//go:build ignore

// Gen compiles structview/onnx.proto to Go without a protoc binary:
// protocompile parses it, protoc-gen-go writes the code. go generate runs it.
// With -check it writes nothing and fails when the committed code is stale.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	source = "structview/onnx.proto"
	output = "onnx.pb.go"
)

func main() {
	check := flag.Bool("check", false, "only compare with the committed "+output)
	flag.Parse()
	if err := run(context.Background(), *check); err != nil {
		fmt.Fprintln(os.Stderr, "onnxpb: gen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, check bool) error {
	code, err := generate(ctx)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(output, code, 0o644)
	}
	committed, err := os.ReadFile(output)
	if err != nil {
		return err
	}
	if !bytes.Equal(committed, code) {
		return fmt.Errorf("%s is stale: run go generate ./onnxpb", output)
	}
	return nil
}

func generate(ctx context.Context) ([]byte, error) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	request, err := proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{source},
		Parameter:      proto.String("paths=source_relative,default_api_level=API_OPEN"),
		ProtoFile:      []*descriptorpb.FileDescriptorProto{protoutil.ProtoFromFileDescriptor(files[0])},
	})
	if err != nil {
		return nil, err
	}
	plugin := exec.CommandContext(ctx, "go", "tool", "-modfile=../tools.mod", "protoc-gen-go")
	plugin.Stdin, plugin.Stderr = bytes.NewReader(request), os.Stderr
	answer, err := plugin.Output()
	if err != nil {
		return nil, err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(answer, &response); err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, fmt.Errorf("%s: %s", source, *response.Error)
	}
	return []byte(response.File[0].GetContent()), nil
}
