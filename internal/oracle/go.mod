module github.com/structview/structview/internal/oracle

go 1.26.0

replace github.com/structview/structview => ../..

require (
	github.com/structview/structview v0.0.0-00010101000000-000000000000
	github.com/yalue/onnxruntime_go v1.27.0
)

require (
	golang.org/x/sys v0.50.0 // indirect
	google.golang.org/protobuf v1.36.12
)
