// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// root is the type that a case is about: an entry by its index, or that of a value by its name.
func (f *fixture) root() (*structview.Type, error) {
	var index int
	if json.Unmarshal(f.Root, &index) == nil {
		return f.declarations.At(index)
	}
	var name string
	if err := json.Unmarshal(f.Root, &name); err != nil {
		return nil, fmt.Errorf("root: %w", err)
	}
	v := f.structured(name)
	if v == nil {
		return nil, fmt.Errorf("root: the model has no value %q", name)
	}
	return f.declarations.TypeOf(v)
}

// layout compares sizes and leaves.
func (f *fixture) layout() error {
	t, err := f.root()
	if err != nil {
		return err
	}
	if err := compare("size", f.Size, decimal(t.Bits())); err != nil || f.Leaves == nil {
		return err
	}
	i := 0
	for leaf := range t.Layout().Leaves() {
		if i == len(f.Leaves) {
			return &difference{fmt.Sprint(i, " leaves"), "more"}
		}
		if err := compare("leaf", fmt.Sprintf("%+v", f.Leaves[i]), fmt.Sprintf("%+v", describe(leaf))); err != nil {
			return err
		}
		i++
	}
	return compare("number of leaves", strconv.Itoa(len(f.Leaves)), strconv.Itoa(i))
}

// describe writes a leaf as the index does. Where there are no elements, they are nowhere.
func describe(l structview.Leaf) Leaf {
	out := Leaf{Path: l.Path, Element: l.Element.String(), Dims: lengths(l.Dims), Component: l.IsComponent, Constant: l.Constant != nil}
	if out.Constant {
		return out
	}
	out.Width = decimal(l.Width)
	if !slices.Contains(out.Dims, "0") {
		out.Offset, out.Strides = decimal(l.Offset), []string{}
		for _, d := range l.Dims {
			out.Strides = append(out.Strides, decimal(d.Stride))
		}
	}
	return out
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

func lengths(dims []structview.Dim) []string {
	all := make([]string, len(dims))
	for i, d := range dims {
		all[i] = decimal(d.Len)
	}
	return all
}

// read compares what stands at paths.
func (f *fixture) read() error {
	t, err := f.root()
	if err != nil {
		return err
	}
	payload, err := hex.DecodeString(f.Payload)
	if err != nil {
		return err
	}
	v, err := structview.NewView(t, payload)
	if err != nil {
		return err
	}
	for _, r := range f.Reads {
		if err := f.readPath(v, r); err != nil {
			return err
		}
	}
	return nil
}

func (f *fixture) readPath(v structview.View, want Read) error {
	ref, err := v.At(want.Path)
	if err == nil && !ref.IsLeaf() {
		_, err = v.Tensor(ref) // explains what is there instead
	}
	if err != nil || want.Refused != "" {
		return compare(strconv.Quote(want.Path)+" refused by", want.Refused, f.rule(err))
	}
	found := Elements{Element: ref.Element().String(), Dims: lengths(ref.Dims())}
	if found.Element == tensor.String.String() {
		err = found.strings(v, ref)
	} else {
		err = found.elements(v, ref)
	}
	if err != nil {
		return err
	}
	return want.compare(strconv.Quote(want.Path), found)
}

func (e *Elements) strings(v structview.View, ref structview.Ref) error {
	t, err := v.Tensor(ref)
	if err != nil {
		return err
	}
	for _, s := range t.Strings() {
		e.Strings = append(e.Strings, string(s))
	}
	return nil
}

// elements reads one element after the other; the whole tensor that they make must have the same bits.
func (e *Elements) elements(v structview.View, ref structview.Ref) error {
	if err := e.each(v, ref); err != nil {
		return err
	}
	if ref.Element() == tensor.Undefined {
		return nil // no tensor holds so wide a component
	}
	t, err := v.Tensor(ref)
	if err != nil {
		return err
	}
	return compare("the tensor", strings.Join(e.Bits, " "), strings.Join(codes(t), " "))
}

func (e *Elements) each(v structview.View, ref structview.Ref) error {
	if dims := ref.Dims(); len(dims) > 0 {
		for i := range dims[0].Len {
			inner, err := ref.Index(i)
			if err == nil {
				err = e.each(v, inner)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	bits, err := v.AppendBits(nil, ref)
	if err != nil {
		return err
	}
	e.Bits = append(e.Bits, hexadecimal(bits))
	if number, err := numberAt(v, ref); err == nil {
		e.Values = append(e.Values, number)
	}
	return nil
}

var errNoNumber = errors.New("not one number")

// numberAt writes the number that an element stands for.
func numberAt(v structview.View, ref structview.Ref) (string, error) {
	switch t := ref.Element(); {
	case t == tensor.Bool:
		x, err := v.Int64(ref)
		return strconv.FormatBool(x != 0), err
	case t.IsSigned():
		x, err := v.Int64(ref)
		return strconv.FormatInt(x, 10), err
	case t.IsInteger():
		x, err := v.Uint64(ref)
		return decimal(x), err
	case t.IsFloat():
		x, err := v.Float64(ref)
		return float(x), err
	}
	return "", errNoNumber
}

func float(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// hexadecimal writes little-endian bytes as one number.
func hexadecimal(b []byte) string {
	b = slices.Clone(b)
	slices.Reverse(b)
	return "0x" + new(big.Int).SetBytes(b).Text(16)
}

// codes are the elements of a tensor as the index writes them.
func codes(t *tensor.Tensor) []string {
	width, bytes := int(t.Type().Bits()), slices.Clone(t.Bytes())
	slices.Reverse(bytes)
	data := new(big.Int).SetBytes(bytes)
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1))
	all := make([]string, t.Len())
	for i := range all {
		code := new(big.Int).Rsh(data, uint(i*width))
		all[i] = "0x" + code.And(code, mask).Text(16)
	}
	return all
}

// compare reports the first difference between elements expected and found.
func (want Elements) compare(at string, found Elements) error {
	for _, pair := range [][2]string{
		{want.Element, found.Element},
		{fmt.Sprint(want.Dims), fmt.Sprint(found.Dims)},
		{fmt.Sprint(want.Bits), fmt.Sprint(found.Bits)},
		{fmt.Sprint(want.Strings), fmt.Sprint(found.Strings)},
	} {
		if err := compare(at, pair[0], pair[1]); err != nil {
			return err
		}
	}
	if want.Values == nil {
		return nil
	}
	if len(want.Values) != len(found.Values) {
		return compare(at+" values", fmt.Sprint(want.Values), fmt.Sprint(found.Values))
	}
	for i, text := range want.Values {
		if err := compare(at+" value", canonical(text, want.Element), found.Values[i]); err != nil {
			return err
		}
	}
	return nil
}

// canonical writes a number of the index as this package writes those it finds.
func canonical(text, element string) string {
	if t, ok := tensor.Named(element); ok && t.IsFloat() {
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			return float(x)
		}
	}
	return text
}

// hash compares the structural hash.
func (f *fixture) hash() error {
	t, err := f.root()
	if err != nil {
		return err
	}
	sum := structview.Hash(t, f.file.Model.GetFunctions())
	return compare("hash", f.Hash, hex.EncodeToString(sum[:]))
}
