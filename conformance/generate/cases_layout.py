# SPDX-License-Identifier: Apache-2.0
"""Sizes, layouts and values: what the oracle computes, and known answers written by hand."""

from declare import (Array, Bits, Constant, Leaf, Ref, Struct, WIDTHS, by_path, codes_of, declaration, layout, outline, path,
                     payload, read, size, elements)


def model(declarations):
    return "\n".join(declaration(name, t) for name, t in declarations)


def both(suite, name, rules, doc, declarations, codes=None):
    """A layout case and a read case of the last declaration."""
    known = dict(declarations)
    root = len(declarations) - 1
    t = declarations[-1][1]
    bits = size(t, known)
    suite.add("layout/" + name, "layout", rules, doc, model(declarations), root=root, size=str(bits), leaves=layout(t, known))
    if bits % 8 == 0:
        values(suite, name, rules, doc, declarations, codes)


def values(suite, name, rules, doc, declarations, codes=None, extra=()):
    known, t = dict(declarations), declarations[-1][1]
    widths = [width for _, _, _, width, _ in elements(t, known)]
    codes = codes or codes_of(name, widths)
    found = by_path(t, known, codes)
    reads = []
    for names, element, width, lengths, _, _, constant in outline(t, known):
        p = path(names)
        reads.append(read(p, element, lengths, constant.codes if constant else found[p]))
    suite.add("values/" + name, "read", rules, doc, model(declarations), root=len(declarations) - 1,
              payload=payload(t, known, codes).hex(), reads=reads + list(extra))


def element_types(suite):
    for element, width in WIDTHS.items():
        doc = "%s after one bit, as a scalar, an array, a shaped leaf and a constant." % element.upper()
        constant = Constant(Leaf(element, 3), codes_of("constant " + element, [width] * 3))
        t = Struct(("bit", Bits(1, ("b", 1))), ("scalar", Leaf(element)), ("array", Array(Leaf(element), 3)),
                   ("shaped", Leaf(element, 2, 3)), ("c", constant), ("pad", Bits(1, ("zero", (-1 - 10 * width) % 8 or 8))))
        both(suite, "element-" + element, "SV013 SV014 SV043 SV044", doc, [("demo", t)])


def component_widths(suite):
    for width in list(range(1, 65)) + [65, 72, 127, 128, 200]:
        rules = "SV011 SV043" if width > 64 else "SV043"
        t = Bits(8, ("c", width))
        values(suite, "width-%d" % width, rules, "Eight components of %d bits." % width, [("demo", t)])
    both(suite, "components", "SV043", "Components of many widths in one row.",
         [("demo", Bits(3, ("a", 1), ("b", 7), ("c", 9), ("d", 15), ("e", 33), ("f", 64), ("g", 3), ("h", 4)))])


def known_answers(suite):
    """What SPEC.md states in section 4, and the proposal's example: bytes written by hand."""

    def answer(name, doc, t, hex_, path_, element, dims, codes):
        suite.add("known/" + name, "read", "SV014", doc, model([("demo", t)]), root=0, payload=hex_,
                  reads=[read(path_, element, dims, codes)])

    answer("int4", "INT4 1 2 3 -8 -1, and four bits of padding.", Struct(("v", Leaf("int4", 5)), ("pad", Bits(1, ("zero", 4)))),
           "21830f", "v", "int4", [5], [1, 2, 3, 8, 15])
    answer("int2", "INT2 0 1 -2 -1 -1, and six bits of padding.", Struct(("v", Leaf("int2", 5)), ("pad", Bits(1, ("zero", 6)))),
           "e403", "v", "int2", [5], [0, 1, 2, 3, 3])
    answer("bits3", "Three bits, 0 to 7.", Bits(8, ("c", 3)), "88c6fa", "c", "uint8", [8], list(range(8)))
    answer("bits5", "Five bits, 1 to 8.", Bits(8, ("c", 5)), "410c52cc41", "c", "uint8", [8], list(range(1, 9)))
    answer("bits12", "Twelve bits.", Bits(2, ("c", 12)), "236145", "c", "uint16", [2], [0x123, 0x456])
    answer("bits35-a", "Three bits and five bits: the first.", Bits(1, ("a", 3), ("b", 5)), "35", "a", "uint8", [1], [5])
    answer("bits35-b", "Three bits and five bits: the second.", Bits(1, ("a", 3), ("b", 5)), "35", "b", "uint8", [1], [6])
    nested = Struct(("first", Bits(1, ("a", 1))), ("inner", Struct(("x", Bits(1, ("v", 12))))), ("last", Bits(1, ("b", 3))))
    suite.add("known/nested", "layout", "SV014", "A nested value begins at bit 1.", model([("demo", nested)]), root=0, size="16", leaves=[
        {"path": "first.a", "element": "UINT8", "dims": ["1"], "component": True, "width": "1", "offset": "0", "strides": ["1"]},
        {"path": "inner.x.v", "element": "UINT16", "dims": ["1"], "component": True, "width": "12", "offset": "1", "strides": ["12"]},
        {"path": "last.b", "element": "UINT8", "dims": ["1"], "component": True, "width": "3", "offset": "13", "strides": ["3"]}])
    example = Struct(("values", Array(Leaf("int4"), 128)), ("scale", Constant(Leaf("float"), [0x3e000000], ["0.125"])),
                     ("zero_point", Constant(Leaf("int64"), [0])))
    both(suite, "proposal-example", "SV044 SV020", "The proposal's example: 128 INT4 values and two constants are 64 bytes.",
         [("LINEAR_INT4_128", example)])
    block = Struct(("d", Leaf("float16")), ("qs", Bits(16, ("lo", 4), ("hi", 4))))
    both(suite, "blocks", "SV042 SV043", "An array of structures: the dimensions of the array come first.",
         [("block", block), ("demo", Array(Ref("block"), 3))])
    values(suite, "specials-float16", "SV013", "NaN payloads, infinities, zeros of both signs and subnormals keep their bits.",
           [("demo", Leaf_array("float16", 8))], [0x7c00, 0xfc00, 0x7e01, 0xfdff, 0x8000, 0x0000, 0x0001, 0x83ff])
    values(suite, "specials-float", "SV013", "NaN payloads, infinities and zeros of both signs keep their bits.",
           [("demo", Leaf_array("float", 6))], [0x7fc00001, 0xffbfffff, 0x7f800000, 0xff800000, 0x80000000, 0x00000001])
    for element in ("float4e2m1", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0"):
        n = 1 << WIDTHS[element]
        values(suite, "all-" + element, "SV013", "Every code of %s." % element.upper(), [("demo", Leaf_array(element, n))], list(range(n)))


def Leaf_array(element, n):
    return Array(Leaf(element), n)


def shapes(suite):
    one = Leaf("uint8")
    cases = [
        ("empty-structure", "SV016", "A structure without fields.", [("demo", Struct())]),
        ("empty-array", "SV016", "An array of dimension 0.", [("demo", Array(Leaf("int32"), 0))]),
        ("empty-packing", "SV016", "A bit packing of dimension 0.", [("demo", Bits(0, ("c", 3)))]),
        ("no-components", "SV016", "A bit packing without components.", [("demo", Bits(9))]),
        ("zero-shape", "SV012 SV016", "A shape with a 0 has no elements.", [("demo", Struct(("v", Leaf("int8", 3, 0, 2)), ("w", one)))]),
        ("scalar-root", "SV041", "The leaf of an array of scalars is called value.", [("demo", Array(Leaf("int16"), 4))]),
        ("tensor-root", "SV041", "Arrays of arrays of shaped leaves.", [("demo", Array(Array(Leaf("uint4", 2, 3), 2), 2))]),
        ("odd-names", "SV041", "Names that are quoted in paths.",
         [("demo", Struct(("a b", one), ("c.d", one), ("\u00fc", one), ("q\"", one), ("1st", one)))]),
        ("value-name", "SV041", "A field that is called value.", [("demo", Struct(("value", one), ("x", one)))]),
        ("padding", "SV020", "Padding is a field: nothing is aligned.",
         [("demo", Struct(("a", Leaf("int8")), ("b", Leaf("float")), ("c", Leaf("int16"))))]),
        ("half-byte", "SV014", "A FLOAT16 at bit 4, and a structure that begins where it ends.",
         [("demo", Struct(("n", Leaf("uint4")), ("f", Leaf("float16")), ("s", Struct(("x", Leaf("int2")), ("y", Leaf("int16", 2)))), ("z", Leaf("int2"))))]),
        ("references", "SV008", "A reference to a later entry, used twice.",
         [("outer_parts", Struct(("x", Leaf("int8", 2)), ("y", Leaf("uint16")))), ("demo", Struct(("a", Ref("outer_parts")), ("b", Ref("outer_parts"))))]),
        ("constants-below", "SV044", "A constant of a referred declaration does not repeat.",
         [("part", Struct(("x", Leaf("int8")), ("k", Constant(Leaf("int16", 2), [0xfffe, 7])))), ("demo", Array(Ref("part"), 3))]),
        ("odd-elements", "SV014", "An array of structures of 7 bits.",
         [("part", Struct(("a", Leaf("int2")), ("b", Bits(1, ("c", 5))))), ("demo", Array(Ref("part"), 8))]),
        ("deep", "SV042", "Dimensions of arrays, bit packings and shapes, outermost first.",
         [("demo", Array(Struct(("s", Array(Struct(("p", Bits(2, ("lo", 3), ("hi", 5))), ("t", Leaf("int16", 2, 2))), 3))), 2))]),
        ("packing-of-one", "SV042", "A bit packing of dimension 1 keeps its dimension.", [("demo", Bits(1, ("a", 5), ("b", 11)))]),
    ]
    for name, rules, doc, declarations in cases:
        both(suite, name, rules + " SV020", doc, declarations)


class Dice:
    """Choices that are the same each time."""

    def __init__(self, name):
        self.name, self.n = name, 0

    def below(self, n):
        self.n += 1
        return codes_of(self.name, [64] * self.n)[-1] % n

    def pick(self, list_):
        return list_[self.below(len(list_))]


def random_type(dice, depth, known):
    kind = dice.below(6) if depth > 0 else dice.below(3)
    if kind == 0 or kind == 1:
        return Leaf(dice.pick(list(WIDTHS)), *[dice.below(3) + 1 for _ in range(dice.below(3))])
    if kind == 2:
        return Bits(dice.below(4) + 1, *[("c%d" % i, dice.below(70) + 1) for i in range(dice.below(3) + 1)])
    if kind == 3:
        return Array(random_type(dice, depth - 1, known), dice.below(3) + 1)
    if kind == 4 and known:
        return Ref(dice.pick(known))
    return Struct(*[("f%d" % i, random_type(dice, depth - 1, known)) for i in range(dice.below(4) + 1)])


def random_declarations(suite):
    for i in range(30):
        name = "random-%02d" % i
        dice = Dice(name)
        declarations = [("part", Struct(("a", random_type(dice, 1, [])), ("k", Constant(Leaf("int8", 2), [3, 250]))))]
        declarations.append(("middle", Struct(("m", random_type(dice, 2, ["part"])))))
        root = [("x", random_type(dice, 3, ["part", "middle"])), ("y", random_type(dice, 2, ["part", "middle"]))]
        known = dict(declarations)
        rest = -size(Struct(*root), known) % 8
        if rest:
            root.append(("pad", Bits(1, ("zero", rest))))
        both(suite, name, "SV020 SV041 SV042", "Nested declarations that were drawn at random.", declarations + [("demo", Struct(*root))])


def giants(suite):
    """What no list of elements can say: sizes by hand."""
    for name, text, size_, leaves in [
        ("max-array", "type demo = array(int4, 4611686018427387903)\n", 4611686018427387903 * 4, [
            {"path": "value", "element": "INT4", "dims": ["4611686018427387903"], "width": "4", "offset": "0", "strides": ["4"]}]),
        ("max-packing", "type demo = bits(a: 1)[18446744073709551615]\n", 2**64 - 1, [
            {"path": "a", "element": "UINT8", "dims": [str(2**64 - 1)], "component": True, "width": "1", "offset": "0", "strides": ["1"]}]),
        ("empty-times-most", "type demo = array(struct {}, 18446744073709551615)\n", 0, []),
        ("nothing-nested", "type demo = array(array(struct {}, 18446744073709551615), 18446744073709551615)\n", 0, []),
        ("no-components-most", "type demo = bits()[18446744073709551615]\n", 0, []),
        ("zero-in-huge-shape", "struct demo {\n  int8[9223372036854775807, 9223372036854775807, 0] v\n}\n", 0, [
            {"path": "v", "element": "INT8", "dims": ["9223372036854775807", "9223372036854775807", "0"], "width": "8"}]),
        ("int4-2-to-40", "type demo = array(int4, 1099511627776)\n", 2**42, [
            {"path": "value", "element": "INT4", "dims": ["1099511627776"], "width": "4", "offset": "0", "strides": ["4"]}]),
    ]:
        suite.add("giants/" + name, "layout", "SV016 SV020" if size_ == 0 else "SV020", "Computed without a loop over a dimension.",
                  text, root=0, size=str(size_), leaves=leaves)
    suite.add("giants/widest-component", "layout", "SV011 SV020", "A component has up to 2^32-1 bits.",
              "type demo = bits(w: 4294967295, x: 1)[4294967295]\n", root=0, size=str(2**32 * (2**32 - 1)), leaves=[
        {"path": "w", "element": "UNDEFINED", "dims": ["4294967295"], "component": True, "width": "4294967295", "offset": "0", "strides": ["4294967296"]},
        {"path": "x", "element": "UINT8", "dims": ["4294967295"], "component": True, "width": "1", "offset": "4294967295", "strides": ["4294967296"]}])
    twice = ["struct d%d {\n  d%d a\n  d%d b\n}\n" % (i, i + 1, i + 1) for i in range(30)] + ["struct d30 {\n  uint8 x\n}\n"]
    suite.add("giants/each-uses-the-next-twice", "layout", "SV025 SV020", "Thirty declarations that each use the next one twice: 2^30 leaves, sizes at once.",
              "\n".join(twice), root=0, size=str(8 << 30))


def paths(suite):
    """Paths into a value (section 7): what is accepted, and what is refused."""
    text = model([("part", Struct(("x", Leaf("int8", 2)), ("a b", Leaf("uint8")), ("c", Bits(2, ("lo", 4), ("hi", 4))),
                                  ("k", Constant(Leaf("int16", 3), [1, 2, 3])))),
                  ("demo", Struct(("p", Array(Ref("part"), 2)), ("v", Array(Leaf("uint8"), 3))))])
    # p[0]: x 11 12, "a b" 13, c 14 15; p[1]: 21 22 23 24 25; v 31 32 33
    hex_ = "1112131415" "2122232425" "313233"
    accepted = [
        ("p.x", "int8", [2, 2], [0x11, 0x12, 0x21, 0x22]), ("p[1].x", "int8", [2], [0x21, 0x22]), ("p[1].x[0]", "int8", [], [0x21]),
        ("p.x[1]", "int8", [2], [0x12, 0x22]), ('p[0]."a b"', "uint8", [], [0x13]), ('p."a b"', "uint8", [2], [0x13, 0x23]),
        ('"p"[1]."x"[1]', "int8", [], [0x22]), ('p[1]."\\u0061 b"', "uint8", [], [0x23]), ("p[1].c.lo", "uint8", [2], [4, 5]),
        ("p[1].c[1].lo", "uint8", [], [5]), ("p[0].c[1].hi", "uint8", [], [1]), ("p.c[0].hi", "uint8", [2], [1, 2]), ("v", "uint8", [3], [0x31, 0x32, 0x33]),
        ("v[2]", "uint8", [], [0x33]), (".v[0]", "uint8", [], [0x31]), ("p.k", "int16", [3], [1, 2, 3]), ("p[1].k[2]", "int16", [], [3]),
    ]
    for i, (p, element, dims, codes) in enumerate(accepted):
        suite.add("paths/accepted-%02d" % i, "read", "SV041", "The path %s." % p, text, root=1, payload=hex_, reads=[read(p, element, dims, codes)])
    refused = ["q", "p[2].x", "p[18446744073709551615].x", "p[18446744073709551616].x", "p[-1].x", "p[+1].x", "p[].x", "p[ 1].x", "p[1", "p[1]x", "p[0].x[2]",
               "p[0].x[0][0]", "p[0].x.y", "p[0].c.lo[0]", "p[0].c[2].lo", "p[0].c.mid", "p..x", "p.", "p.a b", 'p."a b', 'p."a\\q"', 'p.""', "v.value",
               "v[3]", "p[0].k[3]", "p[0]", "p", "", "[0]", "value", "p[0x1].x", "p[1 ].x"]
    for i, p in enumerate(refused):
        suite.add("paths/refused-%02d" % i, "read", "SV041", "No leaf is at the path %s." % (p or "that is empty"), text, root=1, payload=hex_,
                  reads=[{"path": p, "refused": "SV041"}])
    huge = "struct demo {\n  array(struct {\n    int8 k = {7}\n  }, 18446744073709551615) a\n}\n"
    suite.add("paths/last-of-most", "read", "SV016 SV041", "The last of 2^64-1 empty structures.", huge, root=0, payload="",
              reads=[read("a[18446744073709551614].k", "int8", [], [7]), {"path": "a[18446744073709551615].k", "refused": "SV041"}])
    suite.add("paths/value", "read", "SV041", "Where a root has no names, its leaf is called value, before or after the indices.",
              "type demo = array(int8[2], 2)\n", root=0, payload="01020304", reads=[
                  read("value", "int8", [2, 2], [1, 2, 3, 4]), read("[1]", "int8", [2], [3, 4]), read("[1][0]", "int8", [], [3]),
                  read("[1].value", "int8", [2], [3, 4]), read("", "int8", [2, 2], [1, 2, 3, 4])])


def strings(suite):
    suite.add("values/string-constant", "read", "SV015 SV044", "A constant of strings.", 'struct demo {\n  uint8 x\n  string[2] names = {"a", "zwei"}\n}\n',
              root=0, payload="2a", reads=[read("x", "uint8", [], [42]), {"path": "names", "element": "STRING", "dims": ["2"], "strings": ["a", "zwei"]},
                                           {"path": "names[1]", "element": "STRING", "dims": [], "strings": ["zwei"]}])


def add(suite):
    known_answers(suite)
    element_types(suite)
    component_widths(suite)
    shapes(suite)
    strings(suite)
    random_declarations(suite)
    giants(suite)
    paths(suite)
