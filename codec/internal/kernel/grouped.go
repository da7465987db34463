// SPDX-License-Identifier: Apache-2.0

package kernel

// held reports whether an epilogue only looks codes of a buffer up in tables of the block.
func (k *Epilogue) held() bool {
	none := Parameter{}
	return k.Source.Kind == FromHeld && k.Source.Codes.InPlace == nil && k.Z == none && k.A == none && k.B == none && k.S == none
}
