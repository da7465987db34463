// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package conformance

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
