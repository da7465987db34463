// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// narrowArgs are the arguments of the loops that narrow floats: n times 32 of them.
type narrowArgs struct {
	src, dst *byte
	n        int
}

// narrowLanes is how many floats the loops take at a time.
const narrowLanes = 32

// vector narrows the first of the floats and returns how many.
func (w Narrowing) vector(from []float32, out []byte, stream bool) int {
	loops := w.loops()
	if loops[0] == nil || len(from) < narrowLanes || !vectors() {
		return 0
	}
	loop := loops[0]
	if stream && alignedBytes(out) {
		loop = loops[1]
	}
	args := narrowArgs{src: address(from), dst: address(out)}
	n := len(from) / narrowLanes
	for at := 0; at < n; at += args.n {
		args.n = min(pieceLanes/narrowLanes, n-at)
		args.src, args.dst = address(from[at*narrowLanes:]), address(out[at*narrowLanes*w.Size():])
		loop(&args)
	}
	return n * narrowLanes
}

// loops are those with stores through the caches and past them.
func (w Narrowing) loops() [2]func(*narrowArgs) {
	switch {
	case w.Width != 0:
		return [...][2]func(*narrowArgs){
			1: {narrowI8, narrowI8NT}, 2: {narrowI16, narrowI16NT}, 4: {narrowI32, narrowI32NT}, 8: {narrowI64, narrowI64NT},
		}[w.Width]
	case w.Format == F16:
		return [2]func(*narrowArgs){narrowF16, narrowF16NT}
	case w.Format == BF16:
		return [2]func(*narrowArgs){narrowBF16, narrowBF16NT}
	default:
		return [2]func(*narrowArgs){narrowF64, narrowF64NT}
	}
}
