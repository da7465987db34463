# SPDX-License-Identifier: Apache-2.0
"""Models that no text can say, written byte by byte."""

from declare import read


def varint(n):
    n &= (1 << 64) - 1
    data = b""
    while n >= 128:
        data += bytes([n & 127 | 128])
        n >>= 7
    return data + bytes([n])


def tag(number, wire):
    return varint(number << 3 | wire)


def num(number, value):
    return tag(number, 0) + varint(value)


def msg(number, *parts):
    data = b"".join(p.encode() if isinstance(p, str) else p for p in parts)
    return tag(number, 2) + varint(len(data)) + data


# messages, by the names of their fields in their parents
IR = num(1, 13) + msg(8, num(2, 26))
UINT8 = msg(1, num(1, 2), msg(2))                       # TypeProto.tensor_type: UINT8, rank 0


def declared(*types):
    return IR + b"".join(msg(1100, t) for t in types)


def array(element, n):
    return msg(1, msg(1, element), num(2, n))


def field(name, *content):
    return msg(1, msg(1, name), *content)


def structure(*fields):
    return msg(2, *fields)


def typed(t):
    return msg(2, t)


def constant(*parts):
    return msg(4, *parts)


BYTE = structure(field("x", typed(UINT8)))


def graph(*parts):
    return msg(7, msg(2, "main"), *parts)


def value(*parts):
    return msg(1100, *parts)


def add(suite):
    oneofs(suite)
    presence(suite)
    dialect(suite)
    malformed(suite)
    storage(suite)


def case(suite, name, rules, doc, data, *findings, **members):
    suite.add(name, "check", rules, doc, binary=data, findings=sorted(findings), **members)


def oneofs(suite):
    w = "SV000 warning"
    large = array(UINT8, 2)
    case(suite, "sv000/accepted-merged", "SV000", "One member twice is merged, as protobuf does.", declared(msg(1, msg(1, UINT8)) + msg(1, num(2, 2))))
    case(suite, "sv000/warned-kind", "SV000", "An array and a structure: the last one wins.", declared(large + BYTE) + graph(value(msg(3, b"\7"), msg(5, "w"))), w)
    case(suite, "sv000/warned-kind-index", "SV000", "A structure after a type_index: a root.", declared(num(5, 0) + BYTE), w)
    case(suite, "sv000/warned-content", "SV000", "A type and a constant: the last one wins, and the field has no bits.",
         declared(structure(field("x", typed(UINT8), constant(num(2, 3), msg(9, b"\7"))))) + graph(value(msg(5, "w"))), w)
    case(suite, "sv000/warned-content-other", "SV000", "A constant and a type: the last one wins, and the field has a byte.",
         declared(structure(field("x", constant(num(2, 3), msg(9, b"\7")), typed(UINT8)))) + graph(value(msg(3, b"\7"), msg(5, "w"))), w)
    case(suite, "sv000/warned-value", "SV000", "A tensor and a structured type: the last one wins.", declared(BYTE, array(UINT8 + msg(1100, num(5, 0)), 2)), w)
    case(suite, "sv000/warned-dimension", "SV000", "A dim_param and a dim_value: the last one wins.",
         declared(structure(field("x", typed(msg(1, num(1, 2), msg(2, msg(1, msg(2, "N"), num(1, 2)))))))), w)
    case(suite, "sv000/warned-and-refused", "SV000 SV012", "A dim_value and a dim_param: the last one wins.",
         declared(structure(field("x", typed(msg(1, num(1, 2), msg(2, msg(1, num(1, 2), msg(2, "N")))))))), w, "SV012 error")


def presence(suite):
    two = declared(BYTE, array(UINT8, 2))
    case(suite, "sv001/accepted-written-zero", "SV001", "A type of 0 that is written.", two + graph(value(num(1, 0), msg(3, b"\7"), msg(5, "w"))))
    case(suite, "sv001/accepted-not-written", "SV001", "A type of 0 that is not written.", two + graph(value(msg(3, b"\7"), msg(5, "w"))))
    case(suite, "sv002/refused-absent-and-inline", "SV001 SV002", "An absent type is 0, so that there is no room for a declaration.",
         two + graph(value(msg(2, BYTE), msg(3, b"\7"), msg(5, "w"))), "SV002 error")
    case(suite, "sv002/accepted-short-minus-one", "SV002", "-1 in five bytes: an int32 is the low 32 bits of the number.", two + graph(value(num(1, 2**32 - 1), msg(2, BYTE), msg(3, b"\7"), msg(5, "w"))))
    case(suite, "sv002/refused-empty-inline", "SV002", "A declaration that is present and empty, beside an index.", two + graph(value(msg(2), msg(3, b"\7"), msg(5, "w"))), "SV002 error")
    case(suite, "sv003/refused-empty-inline", "SV003", "A declaration that is present and empty.", two + graph(value(num(1, -1), msg(2), msg(3, b"\7"), msg(5, "w"))), "SV003 error")
    case(suite, "sv003/refused-empty-entry", "SV003", "An entry of no bytes.", declared(b""), "SV003 error")
    case(suite, "sv006/refused-empty-decoder", "SV006", "A reference with a decoder that is present and empty.", declared(BYTE, array(msg(1100, num(5, 0), msg(6)), 2)), "SV006 error")
    case(suite, "sv009/refused-empty-element-type", "SV009", "An element type that is present and empty.", declared(array(b"", 2)), "SV009 error")
    case(suite, "sv011/refused-truncated", "SV011", "A bit_width of 2^32: a uint32 is the low 32 bits of the number.", declared(msg(3, msg(1, msg(1, "c"), num(2, 2**32)), num(2, 1))), "SV011 error")
    case(suite, "sv012/refused-absent-dimension", "SV012", "A dimension that is present and empty.", declared(structure(field("x", typed(msg(1, num(1, 2), msg(2, msg(1))))))), "SV012 error")
    case(suite, "sv012/refused-absent-type", "SV012", "A leaf without an element type.", declared(structure(field("x", typed(msg(1, msg(2)))))), "SV012 error")
    case(suite, "sv010/accepted-not-utf8", "SV010", "Names that are no UTF-8 and differ.", declared(structure(field(b"\xff", typed(UINT8)), field(b"\xfe", typed(UINT8)))))
    case(suite, "sv010/refused-not-utf8", "SV010", "Names that are no UTF-8 and equal.", declared(structure(field(b"\xff", typed(UINT8)), field(b"\xff", typed(UINT8)))), "SV010 error")
    case(suite, "wire/unknown-fields", "SV000", "Unknown fields of every wire type are passed over.",
         declared(BYTE + num(99, 5) + tag(98, 1) + b"12345678" + msg(97, b"abc") + tag(96, 5) + b"1234" + tag(95, 3) + num(1, 7) + tag(95, 4)))
    case(suite, "wire/order", "SV000", "Fields in another order: a value before the declarations.", graph(value(msg(5, "w"), msg(3, b"\7"))) + msg(1100, BYTE) + IR)
    case(suite, "wire/long-varint", "SV000", "A number with more bytes than it needs.", declared(msg(1, msg(1, UINT8), tag(2, 0) + b"\x82\x80\x80\x00")))


def dialect(suite):
    for wire, name in [(num(1000, 1), "number"), (msg(1000, b"abc"), "bytes")]:
        case(suite, "sv056/refused-model-" + name, "SV056", "Field 1000 in the model.", declared(BYTE) + wire, "SV056 error")
    case(suite, "sv056/refused-graph", "SV056", "Field 1000 in a graph.", declared(BYTE) + graph(msg(1000, b"")), "SV056 error")
    case(suite, "sv056/refused-type", "SV056", "Field 1000 in a type.", declared(array(UINT8 + msg(1000, b""), 2)), "SV056 error")
    case(suite, "sv056/refused-static-type", "SV056", "Field 1000 in the type of an input.", declared(BYTE) + graph(msg(11, msg(1, "x"), msg(2, msg(1000, b"")))), "SV056 error")
    case(suite, "sv056/accepted-elsewhere", "SV056", "Field 1000 of a node is an unknown field like others.", declared(BYTE) + graph(msg(1, msg(4, "NoOp"), num(1000, 1))))
    case(suite, "sv056/accepted-999", "SV056", "Field 999 of a model is an unknown field like others.", declared(BYTE) + num(999, 1))


def malformed(suite):
    good = declared(BYTE)
    for name, doc, data in [
        ("length-2-to-63", "40 bytes, whose length says 2^63.", tag(1100, 2) + varint(2**63) + bytes(28)),
        ("length-2-to-64", "A length of 2^64-1.", IR + tag(1100, 2) + varint(2**64 - 1) + b"\0"),
        ("truncated", "The last byte is missing.", good[:-1]),
        ("tag-only", "A tag without a value.", IR + tag(1100, 2)),
        ("long-number", "A number of eleven bytes.", tag(1, 0) + b"\xff" * 10 + b"\1"),
        ("large-number", "A number of 65 bits.", tag(1, 0) + b"\xff" * 9 + b"\2"),
        ("endless-number", "A number that does not end.", tag(1, 0) + b"\xff" * 4),
        ("field-0", "Field number 0.", IR + b"\0\0"),
        ("wire-type-6", "A wire type that does not exist.", IR + b"\x0e"),
        ("wire-type-7", "A wire type that does not exist.", IR + b"\x0f"),
        ("other-wire-type", "struct_types as a number.", IR + num(1100, 1)),
        ("number-as-bytes", "ir_version as bytes.", msg(1, b"abc") + msg(1100, BYTE)),
        ("end-of-no-group", "The end of a group that did not begin.", IR + tag(95, 4)),
        ("other-group-ends", "The end of another group.", IR + tag(95, 3) + tag(96, 4)),
        ("endless-group", "A group that does not end.", IR + tag(95, 3) + num(1, 7)),
        ("child-beyond-parent", "A message that reaches beyond the one it is in.", IR + tag(1100, 2) + varint(4) + tag(2, 2) + varint(9) + bytes(9)),
        ("fixed32-cut", "A fixed number of three bytes.", IR + tag(96, 5) + b"123"),
        ("fixed64-cut", "A fixed number of seven bytes.", IR + tag(98, 1) + b"1234567"),
        ("packed-cut", "A packed number that does not end.", declared(structure(field("k", constant(msg(1, b"\x81"), num(2, 3), msg(9, b"\7")))))),
    ]:
        suite.add("malformed/" + name, "check", "", doc, binary=data, malformed=True)


def storage(suite):
    """Constants in the field that ONNX gives their type (SV015)."""

    def tensor(type_, n, *data):
        return constant(*(num(1, d) for d in n), num(2, type_), *data)

    def holds(name, doc, type_, element, dims, data, codes):
        model = declared(structure(field("k", tensor(type_, dims, data))))
        suite.add("storage/" + name, "read", "SV015 SV044", doc, binary=model, root=0, payload="", reads=[read("k", element, dims, codes)])

    def packed(number, *values):
        return msg(number, *(varint(v) for v in values))

    def f32(number, hex_):
        return msg(number, bytes.fromhex(hex_))

    f64 = f32
    holds("float", "FLOAT in float_data.", 1, "float", [2], f32(4, "0000803f0100c07f"), [0x3f800000, 0x7fc00001])
    holds("complex64", "COMPLEX64 in float_data, two entries each.", 14, "complex64", [1], f32(4, "0000803f00000040"), [0x400000003f800000])
    holds("double", "DOUBLE in double_data.", 11, "double", [1], f64(10, "000000000000f8bf"), [0xbff8000000000000])
    holds("complex128", "COMPLEX128 in double_data, two entries each.", 15, "complex128", [1], f64(10, "000000000000f03f0000000000000040"), [0x40000000000000003ff0000000000000])
    holds("int64", "INT64 in int64_data.", 7, "int64", [2], packed(7, -1, 2**62), [2**64 - 1, 2**62])
    holds("uint32", "UINT32 in uint64_data.", 12, "uint32", [2], packed(11, 2**32 - 1, 7), [2**32 - 1, 7])
    holds("uint64", "UINT64 in uint64_data.", 13, "uint64", [1], packed(11, 2**64 - 1), [2**64 - 1])
    for name, type_, element, values, codes in [
        ("int32", 6, "int32", [-1, 7], [2**32 - 1, 7]), ("int16", 5, "int16", [-2, 7], [0xfffe, 7]), ("uint16", 4, "uint16", [65535, 7], [65535, 7]),
        ("int8", 3, "int8", [-128, 127], [128, 127]), ("uint8", 2, "uint8", [255, 7], [255, 7]), ("bool", 9, "bool", [1, 0], [1, 0]),
        ("float16", 10, "float16", [0x3c00, 0x7e01], [0x3c00, 0x7e01]), ("bfloat16", 16, "bfloat16", [0x3f80, 0xff81], [0x3f80, 0xff81]),
        ("float8e4m3fn", 17, "float8e4m3fn", [0x7e, 0xff], [0x7e, 0xff]), ("float8e8m0", 24, "float8e8m0", [127, 255], [127, 255]),
    ]:
        holds(name, "%s in int32_data." % name.upper(), type_, element, [2], packed(5, *values), codes)
    holds("int4", "INT4 in int32_data: two elements an entry, each entry a byte.", 22, "int4", [3], packed(5, 0x21, 0x03), [1, 2, 3])
    holds("uint2", "UINT2 in int32_data: four elements an entry.", 25, "uint2", [5], packed(5, 0xe4, 0x01), [0, 1, 2, 3, 1])
    holds("int4-negative", "An entry of int32_data that is negative stands for its byte.", 22, "int4", [2], packed(5, -1), [15, 15])
    holds("unpacked", "int32_data that is not packed.", 6, "int32", [2], num(5, 5) + num(5, 6), [5, 6])
    model = declared(structure(field("k", constant(msg(1, b"\2"), num(2, 3), msg(9, b"\7\x08")))))
    suite.add("storage/packed-dims", "read", "SV015", "Dimensions that are packed.", binary=model, root=0, payload="", reads=[read("k", "int8", [2], [7, 8])])

    def refused(name, doc, type_, dims, *data):
        case(suite, "sv015/refused-" + name, "SV015", doc, declared(structure(field("k", tensor(type_, dims, *data)))), "SV015 error")

    refused("int32-short", "Two entries of int32_data for three elements.", 6, [3], packed(5, 1, 2))
    refused("int32-long", "Four entries of int32_data for three elements.", 6, [3], packed(5, 1, 2, 3, 4))
    refused("int4-entries", "Three entries of int32_data for three INT4: one byte holds two.", 22, [3], packed(5, 1, 2, 3))
    refused("int4-wide", "An entry of int32_data that is no byte.", 22, [2], packed(5, 256))
    refused("int8-wide", "An entry of int32_data that INT8 cannot hold.", 3, [1], packed(5, 256))
    refused("uint32-wide", "An entry of uint64_data that UINT32 cannot hold.", 12, [1], packed(11, 2**32))
    refused("two-places", "Data in raw_data and in int32_data.", 6, [1], msg(9, b"\1\0\0\0"), packed(5, 1))
    refused("other-field", "INT32 in int64_data.", 6, [1], packed(7, 1))
    refused("string-raw", "STRING in raw_data.", 8, [1], msg(9, b"a"))
    refused("strings-short", "One string for two.", 8, [2], msg(6, b"a"))
    refused("segment", "A segment of a tensor.", 3, [1], msg(9, b"\7"), msg(3, num(1, 0), num(2, 1)))
    refused("complex-half", "One entry of float_data for a COMPLEX64.", 14, [1], f32(4, "0000803f"))
    refused("no-type", "A constant that is present and empty.", 0, [])
