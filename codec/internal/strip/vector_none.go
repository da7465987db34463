// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package strip

type prepared struct{}

// vectorFrame is a frame's vector code: there is none.
type vectorFrame struct{}

func (p *Program) vectorFrame() *vectorFrame { return nil }

func (v *vectorFrame) run([]byte, int, []byte) bool { return false }
