// SPDX-License-Identifier: Apache-2.0

package kernel

// The forms of an epilogue, in the order of the tables of loops.
const (
	formMul = iota
	formMulAdd
	formMulSub
	formSubMul
	formFull
	formDiv
)

// form is which steps there are; formFull stands for every other combination.
func (k *Epilogue) form() int {
	z, b := k.Z.Kind != None, k.B.Kind != None
	switch {
	case k.Div:
		return formDiv
	case z && b:
		return formFull
	case z:
		return formSubMul
	case b && k.SubB:
		return formMulSub
	case b:
		return formMulAdd
	default:
		return formMul
	}
}

// fusible reports whether codes become floats by a table, with operands that runs of
// lanes share: then all steps are one loop.
func (k *Epilogue) fusible() bool {
	form := k.form()
	return k.Source.hasCodes() && k.S.Kind == None &&
		form != formFull && form != formDiv && k.A.Kind != None &&
		k.Z.Kind != Period && k.A.Kind != Period && k.B.Kind != Period
}

// hasCodes reports whether a source is bytes that a table makes numbers of.
func (s Source) hasCodes() bool { return s.Kind == FromU8 || s.Kind == FromI8 || s.Kind == FromTable }

// numbers is the table of a source of codes.
func (s Source) numbers(f *Frame) *[256]float32 {
	switch s.Kind {
	case FromU8:
		return &f.numbers[0]
	case FromI8:
		return &f.numbers[1]
	}
	table := new([256]float32)
	for i := range table {
		table[i] = s.Table[i%len(s.Table)]
	}
	return table
}

// codesAsNumbers is what codes are worth, unsigned and signed.
func codesAsNumbers() (out [2][256]float32) {
	for i := range 256 {
		out[0][i], out[1][i] = float32(i), float32(int8(i))
	}
	return out
}

// fusedLoop is an epilogue in one loop.
type fusedLoop struct {
	*Epilogue
	form  int
	table *[256]float32
	list  []run
	value [3][]float32 // of constants
}

func (k *Epilogue) fused(f *Frame) runner {
	rows := k.Source.Codes.InPlace
	if rows == nil {
		rows = []Row{{Len: k.Lanes}}
	}
	return &fusedLoop{
		k, k.form(), k.Source.numbers(f), runsOf(rows, 1, [3]int{k.Z.group(), k.A.group(), k.B.group()}),
		[3][]float32{{k.Z.Value}, {k.A.Value}, {k.B.Value}},
	}
}

func (k *fusedLoop) run(f *Frame) {
	for b := range f.n {
		out := k.target(f, b)
		z, a, c := k.Z.all(f, b, k.value[0]), k.A.all(f, b, k.value[1]), k.B.all(f, b, k.value[2])
		var codes []byte
		if k.Source.Codes.InPlace == nil {
			codes = f.u8[k.Source.Codes.Buffer][b*f.pitch[k.Source.Codes.Buffer]:]
		} else {
			codes = f.payload[b*f.stride:]
		}
		for i := range k.list {
			r := &k.list[i]
			steps(k.form, k.table, out[r.dst/4:][:r.n], codes[r.src:][:r.n], z[r.z/4], a[r.a/4], c[r.b/4])
		}
	}
}

// group is how many lanes share an element, 0 if all do.
func (p Parameter) group() int {
	if p.Kind == Group {
		return p.N
	}
	return 0
}

// all is the elements of block b, or one that is the same for all.
func (p *Parameter) all(f *Frame, b int, value []float32) []float32 {
	if p.Kind == Group {
		return f.f32[p.Buffer][b*f.pitch[p.Buffer]:]
	}
	return value
}

// run is lanes that share their operands: offsets in bytes from the block's begin.
type run struct {
	src, dst int32
	n        int32
	z, a, b  int32
}

// runsOf cuts rows of elements of size bytes at the borders of groups.
func runsOf(rows []Row, size int, groups [3]int) []run {
	var list []run
	for _, r := range rows {
		for j := 0; j < r.Len; {
			lane, n := r.Lane+j, r.Len-j
			var at [3]int32
			for i, g := range groups {
				if g != 0 {
					n = min(n, g-lane%g)
					at[i] = int32(4 * (lane / g))
				}
			}
			list = append(list, run{int32(size * (r.Byte + j)), int32(4 * lane), int32(n), at[0], at[1], at[2]})
			j += n
		}
	}
	return list
}

func steps(form int, table *[256]float32, out []float32, codes []byte, z, a, b float32) {
	switch form {
	case formMul:
		mulCodes(table, out, codes, a)
	case formMulAdd:
		mulAddCodes(table, out, codes, a, b)
	case formMulSub:
		// x - b is x + (-b), bit for bit (a NaN for a NaN).
		mulAddCodes(table, out, codes, a, -b)
	default:
		for j, c := range codes {
			out[j] = float32(table[c]-z) * a
		}
	}
}

func mulCodes(table *[256]float32, out []float32, codes []byte, a float32) {
	for len(codes) >= 16 && len(out) >= 16 {
		c, o := (*[16]byte)(codes), (*[16]float32)(out)
		o[0] = table[c[0]] * a
		o[1] = table[c[1]] * a
		o[2] = table[c[2]] * a
		o[3] = table[c[3]] * a
		o[4] = table[c[4]] * a
		o[5] = table[c[5]] * a
		o[6] = table[c[6]] * a
		o[7] = table[c[7]] * a
		o[8] = table[c[8]] * a
		o[9] = table[c[9]] * a
		o[10] = table[c[10]] * a
		o[11] = table[c[11]] * a
		o[12] = table[c[12]] * a
		o[13] = table[c[13]] * a
		o[14] = table[c[14]] * a
		o[15] = table[c[15]] * a
		codes, out = codes[16:], out[16:]
	}
	for j, c := range codes {
		out[j] = table[c] * a
	}
}

func mulAddCodes(table *[256]float32, out []float32, codes []byte, a, b float32) {
	for len(codes) >= 16 && len(out) >= 16 {
		c, o := (*[16]byte)(codes), (*[16]float32)(out)
		o[0] = float32(table[c[0]]*a) + b
		o[1] = float32(table[c[1]]*a) + b
		o[2] = float32(table[c[2]]*a) + b
		o[3] = float32(table[c[3]]*a) + b
		o[4] = float32(table[c[4]]*a) + b
		o[5] = float32(table[c[5]]*a) + b
		o[6] = float32(table[c[6]]*a) + b
		o[7] = float32(table[c[7]]*a) + b
		o[8] = float32(table[c[8]]*a) + b
		o[9] = float32(table[c[9]]*a) + b
		o[10] = float32(table[c[10]]*a) + b
		o[11] = float32(table[c[11]]*a) + b
		o[12] = float32(table[c[12]]*a) + b
		o[13] = float32(table[c[13]]*a) + b
		o[14] = float32(table[c[14]]*a) + b
		o[15] = float32(table[c[15]]*a) + b
		codes, out = codes[16:], out[16:]
	}
	for j, c := range codes {
		out[j] = float32(table[c]*a) + b
	}
}
