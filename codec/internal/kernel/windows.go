// SPDX-License-Identifier: Apache-2.0

package kernel

// shape is how vector code takes a chunk of lanes from the payload. It is decided
// here for every platform, since it decides how far behind the fields is read.
type shape uint8

const (
	rowShape    shape = iota // 16 consecutive bytes
	pairShape                // at most 16 lanes out of one window
	splitShape               // by eights
	wordShape                // at most 8 lanes out of one window
	gatherShape              // 8 lanes anywhere
)

// chunkLanes and eightLanes are how many lanes a chunk and half of one have.
const (
	chunkLanes  = 16
	eightLanes  = 8
	windowBytes = 16
)

// unpackShape is the shape of up to 16 lanes of fields: bits is where they begin.
func unpackShape(bits []int, width int, to Target, wide bool) shape {
	switch {
	case wide || width+to.Left > 8:
		return splitShape
	case isRow(bits, width):
		return rowShape
	case fits(bits, width):
		return pairShape
	default:
		return splitShape
	}
}

// eightShape is the shape of up to 8 lanes.
func eightShape(bits []int, width int, to Target) shape {
	if width+to.Left <= 16 && fits(bits, width) {
		return wordShape
	}
	return gatherShape
}

func isRow(bits []int, width int) bool {
	if len(bits) != chunkLanes || bits[0] < 0 || bits[0]%8+width > 8 {
		return false
	}
	for i, o := range bits {
		if o != bits[0]+8*i {
			return false
		}
	}
	return true
}

// fits reports whether fields lie in one window, each within two bytes.
func fits(bits []int, width int) bool {
	base := max(windowBase(bits), 0)
	for _, o := range bits {
		if o >= 0 && (o%8+width > 16 || (o+width-1)/8-base >= windowBytes) {
			return false
		}
	}
	return true
}

// windowBase is the first byte that a group of lanes needs, -1 if it needs none.
func windowBase(bits []int) int {
	base := -1
	for _, o := range bits {
		if o >= 0 && (base < 0 || o/8 < base) {
			base = o / 8
		}
	}
	return base
}

// unpackLast is how many bytes of a block unpacking may read.
func unpackLast(bits []int, width int, to Target, wide bool) int {
	last := 0
	for at := 0; at < len(bits); at += chunkLanes {
		chunk := bits[at:min(at+chunkLanes, len(bits))]
		switch unpackShape(chunk, width, to, wide) {
		case rowShape:
			last = max(last, chunk[0]/8+chunkLanes)
		case pairShape:
			last = max(last, max(windowBase(chunk), 0)+windowBytes)
		default:
			for i := 0; i < len(chunk); i += eightLanes {
				last = max(last, eightLast(chunk[i:min(i+eightLanes, len(chunk))], width, to))
			}
		}
	}
	return last
}

func eightLast(bits []int, width int, to Target) int {
	if eightShape(bits, width, to) == wordShape {
		return max(windowBase(bits), 0) + windowBytes
	}
	last := 4
	for _, o := range bits {
		last = max(last, o/8+4)
	}
	return last
}

// rowBits is where the fields of a plane begin.
func rowBits(rows []Row) []int {
	var bits []int
	for _, r := range rows {
		for len(bits) < r.Lane+r.Len {
			bits = append(bits, -1)
		}
		for j := range r.Len {
			bits[r.Lane+j] = 8*(r.Byte+j) + r.Shift
		}
	}
	return bits
}
