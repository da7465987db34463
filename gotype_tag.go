// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/structview/structview/internal/nearest"
	"github.com/structview/structview/tensor"
)

// goTag is what a field's tag says.
type goTag struct {
	name    string
	bits    uint64      // 0: the tag does not say
	element tensor.Type // Undefined: the tag does not say
	skip    bool
}

const goOptions = `the options are bits=N, type=NAME, name=NAME and -`

// parseGoTag reads the tag of a field.
func parseGoTag(tag reflect.StructTag) (goTag, error) {
	var g goTag
	text, ok := tag.Lookup("structview")
	if !ok {
		return g, nil
	}
	if text == "-" {
		g.skip = true
		return g, nil
	}
	for rest := text; rest != ""; {
		var option string
		if strings.HasPrefix(rest, "name=") {
			option, rest = rest, ""
		} else {
			option, rest, _ = strings.Cut(rest, ",")
		}
		if err := g.option(option); err != nil {
			return g, fmt.Errorf("tag %q: %w", text, err)
		}
	}
	if g.bits != 0 && g.element != tensor.Undefined {
		return g, fmt.Errorf("tag %q: bits and type exclude each other", text)
	}
	return g, nil
}

func (g *goTag) option(option string) error {
	key, value, _ := strings.Cut(option, "=")
	switch key {
	case "name":
		if value == "" {
			return fmt.Errorf("name= needs a name after it")
		}
		g.name = value
	case "bits":
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil || n == 0 {
			return fmt.Errorf("bits=%s: expected a number from 1 to 64", value)
		}
		g.bits = n
	case "type":
		element, ok := tensor.Named(value)
		if !ok {
			return fmt.Errorf("type=%s: no such element type%s", value, nearestElement(value))
		}
		g.element = element
	default:
		return fmt.Errorf("no option %q: %s", option, goOptions)
	}
	return nil
}

func nearestElement(name string) string {
	var names []string
	for t := tensor.Float; t.Valid(); t++ {
		names = append(names, t.Text())
	}
	if near, ok := nearest.Of(strings.ToLower(name), names); ok {
		return "; the nearest is " + near
	}
	return ""
}

// goElement returns the element type of a number's Go type; false: it is no number.
func goElement(t reflect.Type) (tensor.Type, bool) {
	if e := goCode(t); e != tensor.Undefined {
		return e, true
	}
	e, ok := map[reflect.Kind]tensor.Type{
		reflect.Float32: tensor.Float, reflect.Float64: tensor.Double, reflect.Bool: tensor.Bool,
		reflect.Int8: tensor.Int8, reflect.Int16: tensor.Int16, reflect.Int32: tensor.Int32, reflect.Int64: tensor.Int64,
		reflect.Uint8: tensor.Uint8, reflect.Uint16: tensor.Uint16, reflect.Uint32: tensor.Uint32, reflect.Uint64: tensor.Uint64,
		reflect.Complex64: tensor.Complex64, reflect.Complex128: tensor.Complex128,
	}[t.Kind()]
	return e, ok
}

// goCode returns the float type whose codes t holds.
func goCode(t reflect.Type) tensor.Type {
	switch t {
	case reflect.TypeFor[tensor.F16]():
		return tensor.Float16
	case reflect.TypeFor[tensor.BF16]():
		return tensor.BFloat16
	case reflect.TypeFor[tensor.E4M3FN]():
		return tensor.Float8E4M3FN
	case reflect.TypeFor[tensor.E4M3FNUZ]():
		return tensor.Float8E4M3FNUZ
	case reflect.TypeFor[tensor.E5M2]():
		return tensor.Float8E5M2
	case reflect.TypeFor[tensor.E5M2FNUZ]():
		return tensor.Float8E5M2FNUZ
	case reflect.TypeFor[tensor.E8M0]():
		return tensor.Float8E8M0
	default:
		return tensor.Undefined
	}
}

// number applies the tag to a number of type t, whose own element type is given.
func (g *goTag) number(t reflect.Type, own tensor.Type) (element tensor.Type, width uint64, err error) {
	size := uint64(t.Size()) * 8
	switch {
	case g.bits == 0 && g.element == tensor.Undefined:
		return own, own.Bits(), nil
	case g.bits == 0:
		return g.typed(t, own)
	case own == tensor.Bool && g.bits == 1:
	case own == tensor.Bool:
		return own, 0, fmt.Errorf("bits=%d: a bool has one bit: write bits=1, or an unsigned integer", g.bits)
	case own.IsSigned():
		return own, 0, fmt.Errorf("bits=%d: bit fields are unsigned: write u%v; the signed types below a byte are type=int4 and type=int2", g.bits, t.Kind())
	case !own.IsInteger():
		return own, 0, fmt.Errorf("bits=%d: a %v has all of its bits: write uint%d for its code", g.bits, t, size)
	case g.bits > size:
		return own, 0, fmt.Errorf("bits=%d: a %v has %d%s", g.bits, t, size, widerGo(g.bits))
	}
	return holder(uint32(g.bits)), g.bits, nil
}

func widerGo(bits uint64) string {
	if e := holder(uint32(min(bits, 65))); e != tensor.Undefined {
		return ": write " + e.Text()
	}
	return ": write an array of bit fields"
}

// typed applies type=NAME.
func (g *goTag) typed(t reflect.Type, own tensor.Type) (tensor.Type, uint64, error) {
	want := holder(uint32(g.element.Bits())).Text()
	switch {
	case g.element == own:
		return own, own.Bits(), nil
	case g.element == tensor.String || g.element.Bits() == 0:
		return own, 0, fmt.Errorf("type=%s: its elements have no fixed size", g.element.Text())
	case g.element.IsSigned():
		want = want[1:]
	case g.element.IsComplex(), g.element == tensor.Bool, g.element == tensor.Float, g.element == tensor.Double:
		return own, 0, fmt.Errorf("type=%s: Go has this type: use it instead of %v", g.element.Text(), t)
	}
	if own.Text() != want {
		return own, 0, fmt.Errorf("type=%s: its Go type is %s, not %v", g.element.Text(), want, t)
	}
	return g.element, g.element.Bits(), nil
}
