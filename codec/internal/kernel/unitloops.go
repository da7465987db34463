// SPDX-License-Identifier: Apache-2.0

package kernel

// Arrays of known size at places that grow by a fixed step cost two comparisons each, and
// nothing within.

func mul4(to *[4]float32, codes *[4]byte, t *[256]float32, a float32) {
	to[0], to[1], to[2], to[3] = t[codes[0]]*a, t[codes[1]]*a, t[codes[2]]*a, t[codes[3]]*a
}

func mulAdd4(to *[4]float32, codes *[4]byte, t *[256]float32, a, b float32) {
	to[0], to[1] = float32(t[codes[0]]*a)+b, float32(t[codes[1]]*a)+b
	to[2], to[3] = float32(t[codes[2]]*a)+b, float32(t[codes[3]]*a)+b
}

func all2(to *[2]float32, codes *[2]byte, t *[256]float32, z, a, b float32) {
	to[0], to[1] = float32(float32(t[codes[0]]-z)*a)+b, float32(float32(t[codes[1]]-z)*a)+b
}

func (s *series) mul16(u *unit) {
	codes, out, as, t := s.codes, s.out, s.a, u.table
	c, o, i := u.src, u.dst, u.operand[1]
	for range s.blocks {
		from, to, a := (*[16]byte)(codes[c:c+16:c+16]), (*[16]float32)(out[o:o+16:o+16]), as[i]
		mul4((*[4]float32)(to[0:4]), (*[4]byte)(from[0:4]), t, a)
		mul4((*[4]float32)(to[4:8]), (*[4]byte)(from[4:8]), t, a)
		mul4((*[4]float32)(to[8:12]), (*[4]byte)(from[8:12]), t, a)
		mul4((*[4]float32)(to[12:16]), (*[4]byte)(from[12:16]), t, a)
		c, o, i = c+s.codeStep, o+s.step, i+s.aStep
	}
}

func (s *series) mul8(u *unit) {
	codes, out, as, t := s.codes, s.out, s.a, u.table
	c, o, i := u.src, u.dst, u.operand[1]
	for range s.blocks {
		from, to, a := (*[8]byte)(codes[c:c+8:c+8]), (*[8]float32)(out[o:o+8:o+8]), as[i]
		mul4((*[4]float32)(to[0:4]), (*[4]byte)(from[0:4]), t, a)
		mul4((*[4]float32)(to[4:8]), (*[4]byte)(from[4:8]), t, a)
		c, o, i = c+s.codeStep, o+s.step, i+s.aStep
	}
}

func (s *series) mulAdd16(u *unit) {
	codes, out, as, bs, t, sign := s.codes, s.out, s.a, s.b, u.table, s.sign
	c, o, i, j := u.src, u.dst, u.operand[1], u.operand[2]
	for range s.blocks {
		from, to, a, b := (*[16]byte)(codes[c:c+16:c+16]), (*[16]float32)(out[o:o+16:o+16]), as[i], bs[j]*sign
		mulAdd4((*[4]float32)(to[0:4]), (*[4]byte)(from[0:4]), t, a, b)
		mulAdd4((*[4]float32)(to[4:8]), (*[4]byte)(from[4:8]), t, a, b)
		mulAdd4((*[4]float32)(to[8:12]), (*[4]byte)(from[8:12]), t, a, b)
		mulAdd4((*[4]float32)(to[12:16]), (*[4]byte)(from[12:16]), t, a, b)
		c, o, i, j = c+s.codeStep, o+s.step, i+s.aStep, j+s.bStep
	}
}

func (s *series) mulAdd8(u *unit) {
	codes, out, as, bs, t, sign := s.codes, s.out, s.a, s.b, u.table, s.sign
	c, o, i, j := u.src, u.dst, u.operand[1], u.operand[2]
	for range s.blocks {
		from, to, a, b := (*[8]byte)(codes[c:c+8:c+8]), (*[8]float32)(out[o:o+8:o+8]), as[i], bs[j]*sign
		mulAdd4((*[4]float32)(to[0:4]), (*[4]byte)(from[0:4]), t, a, b)
		mulAdd4((*[4]float32)(to[4:8]), (*[4]byte)(from[4:8]), t, a, b)
		c, o, i, j = c+s.codeStep, o+s.step, i+s.aStep, j+s.bStep
	}
}

func (s *series) all16(u *unit) {
	first, second := *u, *u
	second.src, second.dst = second.src+8, second.dst+8
	s.all8(&first)
	s.all8(&second)
}

func (s *series) all8(u *unit) {
	codes, out, t, sign := s.codes, s.out, u.table, s.sign
	c, o, h, i, j := u.src, u.dst, u.operand[0], u.operand[1], u.operand[2]
	for range s.blocks {
		from, to := (*[8]byte)(codes[c:c+8:c+8]), (*[8]float32)(out[o:o+8:o+8])
		z, a, b := s.z[h], s.a[i], s.b[j]*sign
		all2((*[2]float32)(to[0:2]), (*[2]byte)(from[0:2]), t, z, a, b)
		all2((*[2]float32)(to[2:4]), (*[2]byte)(from[2:4]), t, z, a, b)
		all2((*[2]float32)(to[4:6]), (*[2]byte)(from[4:6]), t, z, a, b)
		all2((*[2]float32)(to[6:8]), (*[2]byte)(from[6:8]), t, z, a, b)
		c, o, h, i, j = c+s.codeStep, o+s.step, h+s.zStep, i+s.aStep, j+s.bStep
	}
}

// walk does n single lanes.
func (s *series) walk(t *[256]float32, at, step steps, n int) {
	codes, out, zs, as, bs, sign := s.codes, s.out, s.z, s.a, s.b, s.sign
	c, o, h, i, j := at[0], at[1], at[2], at[3], at[4]
	for range n {
		out[o] = float32(float32(t[codes[c]]-zs[h])*as[i]) + bs[j]*sign
		c, o, h, i, j = c+step[0], o+step[1], h+step[2], i+step[3], j+step[4]
	}
}
