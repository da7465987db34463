// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// distantLayout is where eight lanes are: the first lanes of windows, and each lane's window, its word's place among the
// bytes of the shuffles, and the size of that.
type distantLayout struct {
	starts []int
	window [eightLanes]int
	place  func(lane int) int
	word   int
	back   int // bytes by which the third window begins before its lane
}

// The layouts of halves at whole bytes, which are put together as words of two bytes, and of all others.
var (
	distantHalves = [...]distantLayout{
		distantBytesLine: {[]int{0, 4}, [...]int{0, 0, 0, 0, 1, 1, 1, 1}, func(l int) int { return 16*(l/4) + 2*l }, 2, 0},
		distantBytes4:    {[]int{0, 4}, [...]int{0, 0, 0, 0, 1, 1, 1, 1}, func(l int) int { return 16*(l/4) + 2*l }, 2, 0},
		distantBytes3:    {[]int{0, 3, 6}, [...]int{0, 0, 0, 1, 1, 1, 2, 2}, func(l int) int { return 16*(l/3) + 2*l }, 2, 0},
		distantBytes2:    {[]int{0, 2, 4, 6}, [...]int{0, 0, 1, 1, 2, 2, 3, 3}, func(l int) int { return 16*(l/2) + 2*l }, 2, 0},
	}
	distantFour = distantLayout{[]int{0, 4}, [...]int{0, 0, 0, 0, 1, 1, 1, 1}, func(l int) int { return 4 * l }, 4, 0}
	// The last window lies around the begin of lane 4.
	distantThree = distantLayout{[]int{0, 6, 4}, [...]int{0, 0, 2, 2, 2, 2, 1, 1}, func(l int) int {
		if l > 1 && l < 6 {
			return 32 + 4*l
		}
		return 4 * l
	}, 4, windowBytes}
	// Words of eight bytes are in two registers, so that their upper halves are taken in order.
	distantTwo = distantLayout{
		[]int{0, 2, 4, 6}, [...]int{0, 0, 1, 1, 2, 2, 3, 3}, func(l int) int { return 32*(l/2%2) + 16*(l/4) + 8*(l%2) }, 8, 0,
	}
	distantAll = distantLayout{[]int{0}, [...]int{0, 0, 0, 0, 0, 0, 0, 0}, distantFour.place, 4, 0}
	distantOne = distantLayout{[]int{0, 1, 2, 3, 4, 5, 6, 7}, [...]int{0, 1, 2, 3, 4, 5, 6, 7}, distantTwo.place, 8, 0}
)

// wholeBytes reports whether numbers are read that lie at whole bytes.
func wholeBytes(how int) bool { return how%2 == 0 && how != distantBits1 }

// layout is how the windows are laid out.
func (d *distant) layout(how int) distantLayout {
	if d.format == F16 && wholeBytes(how) {
		return distantHalves[how]
	}
	return [...]distantLayout{
		distantFour, distantFour, distantFour, distantFour, distantThree, distantThree, distantTwo, distantTwo, distantAll, distantAll, distantOne,
	}[how]
}

// narrow says how eight words are made: at whole bytes numbers end with their words, others are moved there. It returns how
// many bytes the windows begin earlier than the first number.
func (d *distant) narrow(a *distantArgs, how int) int {
	for i := range a.words.shuffle {
		a.words.shuffle[i] = 0x80
	}
	layout := d.layout(how)
	starts := make([]int, len(layout.starts))
	for i, lane := range layout.starts {
		if starts[i] = d.bit(lane)/8 - d.first/8; i == 2 {
			starts[i] -= layout.back
		}
	}
	copy(a.delta[:], starts[1:])
	early := d.early(layout)
	for l := range eightLanes {
		bit, to := d.bit(l), layout.place(l)
		at, n := bit/8-d.first/8-starts[layout.window[l]]+early, (bit%8+d.width+7)/8
		if d.format == F16 && (how == distantBits4 || how == distantBitsLine) {
			a.words.twice(l, at, n, bit%8)
			continue
		}
		left := uint64(8*layout.word - bit%8 - d.width)
		if wholeBytes(how) {
			to, left = to+layout.word-n, 0
		}
		for i := range n {
			a.words.shuffle[to+i] = byte((at + i) % windowBytes)
		}
		if layout.word == 4 {
			a.words.left[l/2] |= left << (l % 2 * 32)
		} else {
			a.words.left[to/8] = left
		}
	}
	return early
}

// early is by how many bytes windows can begin before the first number so that they are aligned if blocks are: those of which
// one lies in two lines take twice the time.
func (d *distant) early(layout distantLayout) int {
	early := d.first / 8 % windowBytes
	if layout.back != 0 || d.apart%windowBytes != 0 || len(layout.starts) == eightLanes {
		return 0
	}
	for l := range eightLanes {
		start := d.bit(layout.starts[layout.window[l]]) / 8
		if (start-d.first/8)%windowBytes != 0 || d.end(l)-start+early > windowBytes {
			return 0
		}
	}
	return early
}

// twice puts a half's bytes to the begin of its word in both halves of the first or the second register, to be moved to the
// right by some bits.
func (w *distantWords) twice(lane, at, n, right int) {
	for h := range 2 {
		place := 4*(lane%4) + windowBytes*(h+lane/4*2)
		for i := range n {
			w.shuffle[place+i] = byte(at + i)
		}
		w.left[place/8] |= uint64(right) << (lane % 2 * 32)
	}
}
