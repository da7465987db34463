// SPDX-License-Identifier: Apache-2.0

package plan

// matrix is rows of payload bits, one for each lane. They lie in a list, where several may
// lie in one place; it is not to be changed.
type matrix struct {
	bits  []int32
	begin []int32 // of each row
	width int
	whole bool // each row is bits of the payload that follow each other
}

func (m matrix) row(i int) []int32 { return m.bits[m.begin[i]:][:m.width] }

// rows lists the bits of lanes, the lowest width of each.
func (l lanes) rows(width int) matrix {
	m := matrix{bits: l.v.rowsOf(), begin: make([]int32, len(l.m)), width: width, whole: l.v.runs != nil}
	for i, k := range l.m {
		m.begin[i] = k * int32(l.v.width)
		m.whole = m.whole && int(l.v.runs[k].to-l.v.runs[k].from) >= width
	}
	return m
}

// rows lists the supports of some lanes, which have width bits.
func (s *supports) rows(lanes []int32, width int) matrix {
	m := matrix{bits: s.bits, begin: make([]int32, len(lanes)), width: width, whole: s.fields && width > 0}
	for i, l := range lanes {
		m.begin[i] = s.at[l].from
	}
	return m
}

// extended adds columns of zeros at the top.
func (m matrix) extended(width int) matrix {
	columns := make([]int, width)
	for j := range columns {
		if columns[j] = j; j >= m.width {
			columns[j] = -1
		}
	}
	return m.ordered(columns)
}

// ordered puts columns in other places; -1 stands for zeros.
func (m matrix) ordered(columns []int) matrix {
	same := len(columns) == m.width
	for j, column := range columns {
		same = same && column == j
	}
	if same {
		return m
	}
	out := matrix{
		bits:  make([]int32, 0, m.distinct()*len(columns)),
		begin: make([]int32, len(m.begin)), width: len(columns),
	}
	for i, begin := range m.begin {
		if i > 0 && begin == m.begin[i-1] { // the same row
			out.begin[i] = out.begin[i-1]
			continue
		}
		out.begin[i] = int32(len(out.bits))
		row := m.row(i)
		for _, column := range columns {
			bit := zeroBit
			if column >= 0 {
				bit = row[column]
			}
			out.bits = append(out.bits, bit)
		}
	}
	return out
}

// distinct is how many rows there are, equal neighbours counted once.
func (m matrix) distinct() int {
	n := 0
	for i, begin := range m.begin {
		if i == 0 || begin != m.begin[i-1] {
			n++
		}
	}
	return n
}

// above is the rows without their lowest columns.
func (m matrix) above(column int) matrix {
	out := matrix{bits: m.bits, begin: make([]int32, len(m.begin)), width: m.width - column, whole: m.whole}
	for i, begin := range m.begin {
		out.begin[i] = begin + int32(column)
	}
	return out
}
