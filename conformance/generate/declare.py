# SPDX-License-Identifier: Apache-2.0
"""Declarations in the form that the generator works with, their text, and an oracle.

The oracle knows one thing: which elements follow each other in a payload, and how many bits each
takes. It lists them one by one; every offset is the number of bits that were listed before. It shares
nothing with the implementations that the cases are for.
"""

import hashlib
import struct as packing

WIDTHS = {
    "int2": 2, "uint2": 2, "int4": 4, "uint4": 4, "float4e2m1": 4, "bool": 8, "int8": 8, "uint8": 8, "float8e4m3fn": 8,
    "float8e4m3fnuz": 8, "float8e5m2": 8, "float8e5m2fnuz": 8, "float8e8m0": 8, "int16": 16, "uint16": 16, "float16": 16,
    "bfloat16": 16, "int32": 32, "uint32": 32, "float": 32, "int64": 64, "uint64": 64, "double": 64, "complex64": 64,
    "complex128": 128,
}


class Leaf:
    def __init__(self, element, *shape):
        self.element, self.shape = element, shape

    def text(self):
        return self.element + ("[%s]" % ", ".join(map(str, self.shape)) if self.shape else "")


class Array:
    def __init__(self, inner, length):
        self.inner, self.length = inner, length

    def text(self):
        return "array(%s, %d)" % (self.inner.text(), self.length)


class Bits:
    def __init__(self, length, *components):
        self.length, self.components = length, components

    def text(self):
        return "bits(%s)[%d]" % (", ".join("%s: %d" % (quotable(n), w) for n, w in self.components), self.length)


class Struct:
    def __init__(self, *fields):
        self.fields = fields  # (name, type or Constant)

    def text(self, indent="  "):
        lines = []
        for name, t in self.fields:
            if isinstance(t, Constant):
                lines.append("%s%s %s = {%s}" % (indent, t.type.text(), quotable(name), ", ".join(t.literals)))
            elif isinstance(t, Struct):
                lines.append("%sstruct %s %s" % (indent, t.text(indent + "  "), quotable(name)))
            elif isinstance(t, Array) and isinstance(t.inner, Struct):
                inner = t.inner.text(indent + "  ")
                lines.append("%sarray(struct %s, %d) %s" % (indent, inner, t.length, quotable(name)))
            else:
                lines.append("%s%s %s" % (indent, t.text(), quotable(name)))
        return "{\n%s\n%s}" % ("\n".join(lines), indent[2:]) if lines else "{}"


class Ref:
    def __init__(self, name):
        self.name = name

    def text(self):
        return self.name


class Constant:
    def __init__(self, type_, codes, literals=None):
        self.type, self.codes = type_, codes
        self.literals = literals or [literal(type_.element, c) for c in codes]


def quotable(name):
    plain = name and all(c.isascii() and (c.isalnum() or c == "_") for c in name) and not name[0].isdigit()
    return name if plain else '"%s"' % name.replace("\\", "\\\\").replace('"', '\\"')


def literal(element, code):
    """A constant's element in the text form: an integer's value, a float's code."""
    if element.startswith("int"):
        return str(signed(code, WIDTHS[element]))
    if element.startswith("uint") or element == "bool":
        return str(code)
    width = WIDTHS[element]
    if element.startswith("complex"):
        half = width // 2
        return "(0x%x, 0x%x)" % (code & ((1 << half) - 1), code >> half)
    return "0x%x" % code


def declaration(name, t):
    if isinstance(t, Struct):
        return "struct %s %s\n" % (name, t.text())
    if isinstance(t, Array) and isinstance(t.inner, Struct):
        return "type %s = array(struct %s, %d)\n" % (name, t.inner.text(), t.length)
    return "type %s = %s\n" % (name, t.text())


# The oracle


def elements(t, known, names=(), at=()):
    """Yields (names, indices, element, width, is_component) of every element in the order of the payload."""
    if isinstance(t, Ref):
        t = known[t.name]
    if isinstance(t, Leaf):
        for index in indices(t.shape):
            yield names, at + index, t.element, WIDTHS[t.element], False
    elif isinstance(t, Array):
        for i in range(t.length):
            yield from elements(t.inner, known, names, at + (i,))
    elif isinstance(t, Bits):
        for i in range(t.length):
            for name, width in t.components:
                yield names + (name,), at + (i,), holder(width), width, True
    elif isinstance(t, Struct):
        for name, inner in t.fields:
            if not isinstance(inner, Constant):
                yield from elements(inner, known, names + (name,), at)


def indices(shape):
    if not shape:
        yield ()
        return
    for i in range(shape[0]):
        for rest in indices(shape[1:]):
            yield (i,) + rest


def holder(width):
    return "uint8" if width <= 8 else "uint16" if width <= 16 else "uint32" if width <= 32 else "uint64" if width <= 64 else "undefined"


def size(t, known):
    return sum(width for _, _, _, width, _ in elements(t, known))


def outline(t, known, names=(), lengths=(), strides=()):
    """Yields (names, element, width, lengths, strides, component, constant) of every leaf, by its declaration."""
    if isinstance(t, Ref):
        t = known[t.name]
    if isinstance(t, Leaf):
        inner = [size(Leaf(t.element, *t.shape[k + 1:]), known) for k in range(len(t.shape))]
        yield names, t.element, WIDTHS[t.element], lengths + t.shape, strides + tuple(inner), False, None
    elif isinstance(t, Array):
        yield from outline(t.inner, known, names, lengths + (t.length,), strides + (size(t.inner, known),))
    elif isinstance(t, Bits):
        row = sum(width for _, width in t.components)
        for name, width in t.components:
            yield names + (name,), holder(width), width, lengths + (t.length,), strides + (row,), True, None
    elif isinstance(t, Struct):
        for name, inner in t.fields:
            if isinstance(inner, Constant):
                yield names + (name,), inner.type.element, 0, inner.type.shape, (), False, inner
            else:
                yield from outline(inner, known, names + (name,), lengths, strides)


def path(names):
    return ".".join(n if n and all(c.isascii() and (c.isalnum() or c == "_") for c in n) else
                    '"%s"' % n.replace("\\", "\\\\").replace('"', '\\"') for n in names) or "value"


def strings(numbers):
    return [str(n) for n in numbers]


def layout(t, known):
    """The leaves of a layout as the index has them."""
    first = {}
    offset = 0
    for names, _, _, width, _ in elements(t, known):
        first.setdefault(names, offset)
        offset += width
    found = []
    for names, element, width, lengths, steps, component, constant in outline(t, known):
        leaf = {"path": path(names), "element": element.upper(), "dims": strings(lengths)}
        if constant is not None:
            leaf["constant"] = True
        else:
            if component:
                leaf["component"] = True
            leaf["width"] = str(width)
            if 0 not in lengths:
                leaf["offset"], leaf["strides"] = str(first[names]), strings(steps)
        found.append(leaf)
    return found


def codes_of(name, widths):
    """Codes that look random and are the same each time."""
    codes = []
    for i, width in enumerate(widths):
        digest = hashlib.sha512(("%s/%d" % (name, i)).encode()).digest()
        codes.append(int.from_bytes(digest, "little") & ((1 << width) - 1))
    return codes


def payload(t, known, codes):
    """The bytes of a value whose elements have the codes, in the order of the payload."""
    whole = offset = 0
    for code, (_, _, _, width, _) in zip(codes, elements(t, known), strict=True):
        whole |= code << offset
        offset += width
    assert offset % 8 == 0, "no whole number of bytes"
    return whole.to_bytes(offset // 8, "little")


def by_path(t, known, codes):
    """The codes of each payload leaf, row-major: path -> list."""
    found = {path(leaf[0]): {} for leaf in outline(t, known) if leaf[6] is None}
    for code, (names, at, _, _, _) in zip(codes, elements(t, known), strict=True):
        found[path(names)][at] = code
    return {p: [c for _, c in sorted(by_index.items())] for p, by_index in found.items()}


# Numbers


def signed(code, width):
    return code - (1 << width) if code >> width - 1 else code


_E2M1 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]


def number(element, code):
    """What a code stands for, as the index writes it; None for complex numbers."""
    width = WIDTHS.get(element, 64)
    if element == "bool":
        return "true" if code else "false"
    if element.startswith("int"):
        return str(signed(code, width))
    if element.startswith("uint"):
        return str(code)
    if element == "float4e2m1":
        return repr(-_E2M1[code & 7] if code & 8 else _E2M1[code])
    if element in ("float16", "float", "double"):
        letter = {16: "e", 32: "f", 64: "d"}[width]
        return repr(packing.unpack("<" + letter, code.to_bytes(width // 8, "little"))[0])
    if element == "bfloat16":
        return repr(packing.unpack("<f", (code << 16).to_bytes(4, "little"))[0])
    if element == "float8e5m2":  # the upper half of a float16
        return repr(packing.unpack("<e", (code << 8).to_bytes(2, "little"))[0])
    if element == "float8e8m0":
        return "nan" if code == 255 else repr(packing.unpack("<d", (code + 896 << 52).to_bytes(8, "little"))[0])
    if element.startswith("float8"):
        return _small(element, code)
    return None


def _small(element, code):
    """FLOAT8E4M3FN and the types with one zero, by way of the float16 with the same exponent and mantissa."""
    if element.endswith("fnuz") and code == 0x80 or element == "float8e4m3fn" and code & 127 == 127:
        return "nan"
    mantissa = 2 if "e5m2" in element else 3
    bias = {"float8e4m3fn": 7, "float8e4m3fnuz": 8, "float8e5m2fnuz": 16}[element]
    exponent, fraction = code >> mantissa & (31 if mantissa == 2 else 15), code & ((1 << mantissa) - 1)
    steps = fraction if exponent == 0 else (fraction + (1 << mantissa)) << exponent - 1
    value = steps / 2.0 ** (bias - 1 + mantissa)
    return repr(-value if code >> 7 else value)


def read(path_, element, dims, codes):
    """A read as the index has it."""
    entry = {"path": path_, "element": element.upper(), "dims": strings(dims), "bits": ["0x%x" % c for c in codes]}
    numbers = [number(element, c) for c in codes] if element != "undefined" else [None]
    if None not in numbers:
        entry["values"] = numbers
    return entry
