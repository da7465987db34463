// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// vector writes the lanes of n blocks of width bytes. It is false where there is no vector code.
func (k *WordStore) vector(f *Frame, n, width int, out []byte) bool {
	loop := map[int]func(*unpackArgs){2: storeWords2, 4: storeWords4, 8: storeWords8}[k.Width]
	if n == 0 || k.Lanes == 0 || loop == nil || !vectors() {
		return false
	}
	args := unpackArgs{plus: k.Ones}
	if k.Sign != 0 {
		args.shift = 32 - k.Sign
		if k.Width == 8 {
			loop = storeSigned8
		}
	}
	f.storeLanes(loop, args, k.From, k.Lanes, k.Lane, k.Width, n, width, out)
	return true
}
