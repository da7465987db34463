// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// vector writes the lanes of n blocks of width bytes. It is false where there is no vector code.
func (k *FloatStore) vector(f *Frame, n, width int, out []byte) bool {
	if n == 0 || k.Lanes == 0 || !vectors() {
		return false
	}
	loop := storeF64
	switch k.Format {
	case F16:
		loop = storeF16
	case BF16:
		loop = storeBF16
	}
	f.storeLanes(loop, unpackArgs{}, k.From, k.Lanes, k.Lane, k.Format.size(), n, width, out)
	return true
}

// vector writes whole numbers of two and four bytes.
func (k *ConvertStore) vector(f *Frame, n, width int, out []byte) bool {
	loop := map[int]func(*unpackArgs){2: storeI16, 4: storeI32}[k.Width]
	if n == 0 || k.Lanes == 0 || !k.Whole || loop == nil || !vectors() {
		return false
	}
	f.storeLanes(loop, unpackArgs{}, k.From, k.Lanes, k.Lane, k.Width, n, width, out)
	return true
}

// storeLanes writes lanes of a float buffer as elements of size bytes; args has what is the loop's own.
func (f *Frame) storeLanes(loop func(*unpackArgs), args unpackArgs, id BufferID, lanes, lane, size, n, width int, out []byte) {
	// The last element of the last block must lie inside.
	_ = out[(n-1)*width+(lane+lanes)*size-1]
	args.src, args.stride, args.dst, args.pitch, args.n = address(f.f32[id]), 4*f.pitch[id], address(out[lane*size:]), width, n
	all := args
	for from := 0; from < lanes; from += pieceLanes {
		args.count = min(pieceLanes, lanes-from)
		args.src, args.dst = advance(all.src, 4*from), advance(all.dst, size*from)
		loop(&args)
	}
}
