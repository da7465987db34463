// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// mixedSign is a lane's integer among others: how far to the left it stands in its word, so that shifts back to the
// right extend its sign or the zero above it, and the width of one that has a sign.
type mixedSign struct{ top, sign int }

// mixed reports whether integers differ in their widths or signs.
func (k *Loose) mixed() bool {
	if k.Format != Int32 || k.Sign != 0 || k.Signs == nil && k.width() == 32 {
		return k.Signs != nil
	}
	for l := range k.Parts {
		if k.Signs != nil || k.widthOf(l) != k.widthOf(0) {
			return true
		}
	}
	return false
}

// widthOf is the bits of a lane.
func (k *Loose) widthOf(lane int) int { return (&Loose{Parts: k.Parts[lane : lane+1]}).width() }

// mix sets what the words are for integers of which each has a width and a sign of its own.
func (d *dwords) mix(k *Loose) bool {
	if k.Format != Int32 {
		return false
	}
	d.lanes, d.kind, d.mixed = len(k.Parts), wordSigned, make([]mixedSign, len(k.Parts))
	above := 1 // a zero
	if k.Signs == nil {
		d.kind, above = wordUnsigned, 0
	}
	for l := range k.Parts {
		width := k.sign(l)
		if width == 0 {
			width = above + k.widthOf(l)
		}
		d.mixed[l] = mixedSign{32 - width, k.sign(l)}
		d.width = max(d.width, width)
	}
	return d.width <= 32 && d.lanes > 0
}

// topOf is how far to the left of its place in its number a bit of a lane is in its word.
func (d *dwords) topOf(lane int) int {
	if d.mixed != nil {
		return d.mixed[lane].top
	}
	return d.top
}

// signOf is the width of a lane that has a sign.
func (d *dwords) signOf(lane int) int {
	if d.mixed != nil {
		return d.mixed[lane].sign
	}
	return d.sign
}

// inStep reports whether lanes from one on have the widths and signs of those n before them.
func (d *dwords) inStep(at, lanes, n int) bool {
	for l := at + n; d.mixed != nil && l < at+lanes; l++ {
		if d.mixed[l] != d.mixed[l-n] {
			return false
		}
	}
	return true
}
