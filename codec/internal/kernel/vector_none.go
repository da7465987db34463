// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package kernel

// vectorState is what vector code keeps: nothing.
type vectorState struct{}

func vectors() bool { return false }

// vector is the fast form of op i and of how many it is: there is none.
func (f *Frame) vector(int) (runner, int) {
	_ = f.vectorState
	return nil, 0
}

func aligned([]float32) bool { return false }

// Fence orders non-temporal stores before what follows: there are none.
func Fence() {}

func (k *FloatStore) vector(*Frame, int, int, []byte) bool { return false }
