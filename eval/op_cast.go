// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// The element types that Cast and CastLike convert between, by version.
const (
	tCast9  = tNumeric | tBool | tString
	tCast13 = tCast9 | tBFloat16
	tCast19 = tCast13 | tFloat8
	tCast21 = tCast19 | tUint4 | tInt4
	tCast23 = tCast21 | tFloat4
	tCast24 = tCast23 | tE8M0
	tCast25 = tCast24 | tUint2 | tInt2
)

// castFamily has Cast (versions 9, 13, 19, 21, 23, 24, 25), CastLike (15, 19, 21, 23, 24, 25) and BitCast (26).
// What ONNX leaves undefined (floats beyond the range of an integer type) is what [tensor.Convert] says.
func castFamily() []operator {
	cast := operator{
		name: "Cast", in: params("input:T1"), out: params("output:T2"),
		attrs: []attribute{requiredAttr("to", aInt)},
		infer: inferCast, run: runCast,
	}
	saturating := cast
	saturating.attrs = []attribute{requiredAttr("to", aInt), intAttr("saturate", 1)}
	rounding := cast
	rounding.attrs = []attribute{requiredAttr("to", aInt), intAttr("saturate", 1), stringAttr("round_mode", "up")}
	list := versions(cast, castAt(9, tCast9), castAt(13, tCast13))
	list = append(list, versions(saturating, castAt(19, tCast19), castAt(21, tCast21), castAt(23, tCast23))...)
	list = append(list, versions(rounding, castAt(24, tCast24), castAt(25, tCast25))...)
	return append(list, castLike()...)
}

func castAt(since int64, t types) version {
	return version{since, map[string]types{"T1": t, "T2": t}}
}

// castLike casts to the type of its second input.
func castLike() []operator {
	like := operator{
		name: "CastLike", in: params("input:T1 target_type:T2"), out: params("output:T2"),
		infer: inferSame, run: runCast,
	}
	saturating := like
	saturating.attrs = []attribute{intAttr("saturate", 1)}
	rounding := like
	rounding.attrs = []attribute{intAttr("saturate", 1), stringAttr("round_mode", "up")}
	list := versions(like, castAt(15, tCast13))
	list = append(list, versions(saturating, castAt(19, tCast19), castAt(21, tCast21), castAt(23, tCast23))...)
	return append(list, versions(rounding, castAt(24, tCast24), castAt(25, tCast25))...)
}

func inferCast(c *typing) error {
	to := tensor.Type(c.attr.int("to"))
	if !c.op.vars["T2"].has(to) {
		return fmt.Errorf("attribute \"to\" is %d, which is not one of %v", c.attr.int("to"), c.op.vars["T2"])
	}
	c.setElement(0, to)
	if err := inferSame(c); err != nil {
		return err
	}
	c.passPartly()
	return nil
}

// roundModes are the values of the attribute round_mode.
func roundMode(name string) (tensor.RoundMode, error) {
	switch name {
	case "up":
		return tensor.RoundUp, nil
	case "down":
		return tensor.RoundDown, nil
	case "nearest", "":
		return tensor.RoundNearest, nil
	}
	return 0, fmt.Errorf("attribute \"round_mode\" is %q, expected up, down or nearest", name)
}

func runCast(c *call) error {
	saturate := !c.attr.has("saturate") || c.attr.flag("saturate")
	mode, err := roundMode(c.attr.string("round_mode"))
	if err != nil {
		return err
	}
	from, to := c.tensor(0), c.out[0].Element
	if from.Type() != to {
		if err := c.scratch(castVia(from.Type(), to), from.Len()); err != nil {
			return err
		}
	}
	var t *tensor.Tensor
	switch {
	case from.Type() == to:
		t = from
	case from.Type() == tensor.String:
		t, err = parseStrings(from, to, saturate, mode)
	case to == tensor.String:
		t, err = formatStrings(from)
	default:
		t, err = tensor.Convert(from, to, saturate, mode)
	}
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

// castVia is the widest type that a conversion goes through.
func castVia(from, to tensor.Type) tensor.Type {
	if to == tensor.Float || from.IsFloat() && to.IsFloat() && from != tensor.Double && to != tensor.Double {
		return tensor.Float
	}
	return tensor.Double
}
