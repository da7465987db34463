# SPDX-License-Identifier: Apache-2.0
"""ONNX's element types: their widths, their values, and tensors in messages."""

import struct

_WIDTHS = """
2: INT2 UINT2
4: INT4 UINT4 FLOAT4E2M1
8: BOOL INT8 UINT8 FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ FLOAT8E8M0
16: INT16 UINT16 FLOAT16 BFLOAT16
32: INT32 UINT32 FLOAT
64: INT64 UINT64 DOUBLE COMPLEX64
128: COMPLEX128
"""

NAMES = """UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64 COMPLEX64
COMPLEX128 BFLOAT16 FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ UINT4 INT4 FLOAT4E2M1 FLOAT8E8M0 UINT2
INT2""".split()
NUMBER = {name: i for i, name in enumerate(NAMES)}
WIDTH = {}  # by number (SV013)
for _line in _WIDTHS.strip().splitlines():
    _width, _, _names = _line.partition(": ")
    for _name in _names.split():
        WIDTH[NUMBER[_name]] = int(_width)

# exponent bits, mantissa bits, bias, and what stands for infinity and NaN
_FLOATS = {
    "FLOAT4E2M1": (2, 1, 1, "finite"), "FLOAT8E4M3FN": (4, 3, 7, "fn"), "FLOAT8E4M3FNUZ": (4, 3, 8, "uz"),
    "FLOAT8E5M2": (5, 2, 15, "ieee"), "FLOAT8E5M2FNUZ": (5, 2, 16, "uz"), "FLOAT16": (5, 10, 15, "ieee"),
    "BFLOAT16": (8, 7, 127, "ieee"), "FLOAT": (8, 23, 127, "ieee"), "DOUBLE": (11, 52, 1023, "ieee"),
}


def name(element):
    return NAMES[element] if 0 <= element < len(NAMES) else "DataType(%d)" % element


def number_of(element, code):
    """The number that a code stands for: an int, a float, a bool; None if it is not one number."""
    kind, width = name(element), WIDTH.get(element, 0)
    if kind == "BOOL":
        return code != 0
    if kind.startswith("UINT"):
        return code
    if kind.startswith("INT"):
        return code - (1 << width) if code >> (width - 1) else code
    if kind == "FLOAT8E8M0":
        return float("nan") if code == 255 else 2.0 ** (code - 127)
    if kind in _FLOATS:
        return _float(code, width, *_FLOATS[kind])
    return None


def _float(code, width, exponent_bits, mantissa_bits, bias, special):
    negative = code >> (width - 1)
    exponent = code >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = code & ((1 << mantissa_bits) - 1)
    most = (1 << exponent_bits) - 1
    sign = -1.0 if negative else 1.0
    if special == "uz" and code == 1 << (width - 1):
        return float("nan")
    if special == "fn" and exponent == most and mantissa == (1 << mantissa_bits) - 1:
        return float("nan")
    if special == "ieee" and exponent == most:
        return float("nan") if mantissa else sign * float("inf")
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)


def text_of(element, code):
    """A number as the cases write it; None if it is not one number."""
    value = number_of(element, code)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return None
    return repr(value)


class Tensor:
    """Elements as codes (or bytes, of a STRING tensor), row-major."""

    def __init__(self, element, dims, codes):
        self.element, self.dims, self.codes = element, dims, codes


class Invalid(Exception):
    """A TensorProto that is no whole tensor (SV015)."""


def unpack(data, width, count):
    """The codes of count elements of a width, the first in the low bits."""
    whole = int.from_bytes(data, "little")
    return [whole >> i * width & ((1 << width) - 1) for i in range(count)]


# the field of each type that is not raw_data, and how many entries an element takes
_STORED = {"FLOAT": ("float_data", 32, 1), "COMPLEX64": ("float_data", 32, 2), "DOUBLE": ("double_data", 64, 1),
           "COMPLEX128": ("double_data", 64, 2), "INT64": ("int64_data", 64, 1), "UINT32": ("uint64_data", 32, 1),
           "UINT64": ("uint64_data", 64, 1), "STRING": ("string_data", 0, 1)}
_FIELDS = ("raw_data", "float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data")


def from_proto(p):
    """The tensor in a TensorProto; raises Invalid (SV015)."""
    element = p.get("data_type")
    if element not in WIDTH and name(element) != "STRING":
        raise Invalid("element type %s" % name(element))
    if p.get("data_location") != 0 or p.has("segment") or p.get("external_data"):
        raise Invalid("the data is not in the message")
    dims, count = p.get("dims"), 1
    for d in dims:
        if d < 0:
            raise Invalid("dimension %d" % d)
        count *= d
    filled = [f for f in _FIELDS if len(p.get(f)) > 0]
    if len(filled) > 1:
        raise Invalid("data in %s" % " and ".join(filled))
    if not filled:
        if count:
            raise Invalid("no data for %d elements" % count)
        return Tensor(element, dims, [])
    return Tensor(element, dims, _codes(p, filled[0], name(element), WIDTH.get(element), count))


def _codes(p, field, kind, width, count):
    entries = p.get(field)
    if field == "raw_data":
        if kind == "STRING" or len(entries) != (count * width + 7) // 8:
            raise Invalid("%d bytes of raw_data" % len(entries))
        return unpack(entries, width, count)
    want, size, each = _STORED.get(kind, ("int32_data", 32, 1))
    if field != want:
        raise Invalid("data of %s in %s" % (kind, field))
    if kind == "STRING":
        if len(entries) != count:
            raise Invalid("%d strings" % len(entries))
        return entries
    if field == "int32_data":
        return _from_int32(entries, kind, width, count)
    if len(entries) != count * each or any(e >> size for e in entries if e >= 0):
        raise Invalid("%d entries of %s" % (len(entries), field))
    entries = [e & ((1 << size) - 1) for e in entries]
    if each == 2:
        return [entries[2 * i] | entries[2 * i + 1] << size for i in range(count)]
    return entries


def _from_int32(entries, kind, width, count):
    if width < 8:
        if len(entries) != (count * width + 7) // 8 or any(not -128 <= e <= 255 for e in entries):
            raise Invalid("%d entries of int32_data" % len(entries))
        return unpack(bytes(e & 255 for e in entries), width, count)
    if len(entries) != count or any(not -(1 << width - 1) <= e < 1 << width for e in entries):
        raise Invalid("%d entries of int32_data" % len(entries))
    return [e & ((1 << width) - 1) for e in entries]
