// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package kernel

// fusing reports whether epilogues take numbers as they are read.
func fusing() bool { return false }

// fuses reports whether some epilogue of the frame does.
func (f *Frame) fuses(map[int]int) bool { return false }

const wayCount = 0

// readsDistant reports whether a loop of the frame is over numbers that are equally far apart.
func (f *Frame) readsDistant() bool { return false }

func madeWith(*Frame, int) bool { return false }
