// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
)

// The rules that this package adds to those of package structview. errors.Is tells
// them apart.
const (
	ErrCodec     structview.Rule = "SV045" // a codec is complete and its types fit
	ErrRecursion structview.Rule = "SV046" // model functions do not recurse
	ErrEncoder   structview.Rule = "SV047" // an encoder produces every payload path
	ErrLimit     structview.Rule = "SV048" // a codec stays within its limits and is deterministic
	ErrVersion   structview.Rule = "SV054" // a codec's operators have the model's versions
)

// flaw is a finding with the error that caused it.
type flaw struct {
	structview.Diagnostic
	cause error
}

// Unwrap gives the finding, for its rule, and the cause.
func (f *flaw) Unwrap() []error {
	if f.cause == nil {
		return []error{&f.Diagnostic}
	}
	return []error{&f.Diagnostic, f.cause}
}

// faults collects what is wrong with one codec.
type faults []*flaw

func (f *faults) add(rule structview.Rule, at, format string, args ...any) {
	f.put(rule, structview.Error, at, nil, fmt.Sprintf(format, args...))
}

func (f *faults) put(rule structview.Rule, s structview.Severity, at string, cause error, message string) {
	*f = append(*f, &flaw{structview.Diagnostic{
		Rule: string(rule), Severity: s, Path: at, Message: message,
	}, cause})
}

// wrap adds an error of eval: what ONNX allows and eval lacks is no fault of the model.
func (f *faults) wrap(at string, err error) {
	var lacking *eval.UnsupportedError
	switch {
	case errors.As(err, &lacking):
		f.put(ErrCodec, structview.Unsupported, at, err, err.Error())
	case errors.Is(err, eval.ErrLimit):
		f.put(ErrLimit, structview.Error, at, err, err.Error())
	default:
		f.put(ErrCodec, structview.Error, at, err, err.Error())
	}
}

// err is all faults as one error, nil if there are none.
func (f faults) err() error {
	list := make([]error, len(f))
	for i := range f {
		list[i] = f[i]
	}
	return errors.Join(list...)
}

// unsupported reports whether nothing is wrong with the model, only that it cannot run here.
func (f faults) unsupported() bool {
	for _, one := range f {
		if one.Severity != structview.Unsupported {
			return false
		}
	}
	return true
}
