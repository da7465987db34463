// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package strip

// prepared is a program's vector code: there is none.
type prepared struct{}

// vectorFrame is a frame's.
type vectorFrame struct{}

func (p *Program) vectorFrame() *vectorFrame {
	_ = p.prepared
	return nil
}

func (v *vectorFrame) run([]byte, int, []byte) bool { return false }

func (v *vectorFrame) lanes([]Source, int, []byte, bool) {}
