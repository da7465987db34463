// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// vector writes the lanes of n blocks of width bytes. It is false where there is no vector code.
func (k *FloatStore) vector(f *Frame, n, width int, out []byte) bool {
	if n == 0 || k.Lanes == 0 || !vectors() {
		return false
	}
	size := k.Format.size()
	// The last element of the last block must lie inside.
	_ = out[(n-1)*width+(k.Lane+k.Lanes)*size-1]
	args := unpackArgs{
		src: address(f.f32[k.From]), stride: 4 * f.pitch[k.From], dst: address(out[k.Lane*size:]), pitch: width,
		n: n, count: k.Lanes,
	}
	all := args
	for from := 0; from < k.Lanes; from += pieceLanes {
		args.count = min(pieceLanes, k.Lanes-from)
		args.src, args.dst = advance(all.src, 4*from), advance(all.dst, size*from)
		switch k.Format {
		case F16:
			storeF16(&args)
		case BF16:
			storeBF16(&args)
		default:
			storeF64(&args)
		}
	}
	return true
}
