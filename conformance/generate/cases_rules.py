# SPDX-License-Identifier: Apache-2.0
"""For each rule, the smallest model that it accepts and the smallest that it refuses, written by hand."""

BYTE = "struct byte {\n  uint8 x\n}\n"
NIBBLE = "struct nibble {\n  uint4 x\n}\n"


def graph(*values, inputs="", outputs="", infos="", nodes=""):
    """A graph with structured values (and value infos) and nodes."""
    inner = list(values) + ([infos] if infos else [])
    held = " <\n" + "".join("  %s,\n" % v for v in inner) + ">" if inner else ""
    body = "{\n%s}" % "".join("  %s\n" % n for n in nodes.split("\n")) if nodes else "{}"
    return "\nmain (%s) => (%s)%s %s\n" % (inputs, outputs, held, body)


def add(suite):
    selection(suite)
    forms(suite)
    contents(suite)
    leaves(suite)
    constants(suite)
    sizes(suite)
    nesting(suite)
    payloads(suite)
    names(suite)
    codecs(suite)
    accepts(suite)
    hashes(suite)
    everywhere(suite)
    counts(suite)


def selection(suite):
    c = suite.check
    two = BYTE + "\nstruct other {\n  uint16 y\n}\n"
    c("sv001/absent-type", "SV001", "An absent type is 0: the value has the size of the first entry.", two + graph('byte w = hex "07"'))
    c("sv001/refused-size", "SV001 SV022", "An absent type is 0: two bytes are one too many.", two + graph('byte w = hex "0700"'), "SV022 error")
    c("sv002/accepted-index", "SV002", "A value selects an entry.", two + graph('other w = hex "0700"'))
    c("sv002/accepted-inline", "SV002", "A value has its type with it.", BYTE + graph('array(byte, 2) w = hex "0708"'))
    c("sv002/refused-both", "SV002", "An index, and a declaration beside it.", BYTE + graph('struct {\n    uint8 y\n  } w = <type: 0> hex "07"'), "SV002 error")
    c("sv002/refused-past-the-end", "SV002", "There is no entry 1.", BYTE + graph('struct(1) w = hex "07"'), "SV002 error")
    c("sv002/refused-below", "SV002", "There is no entry -2.", BYTE + graph('struct(-2) w = hex "07"'), "SV002 error")
    c("sv002/refused-no-entries", "SV002", "There is no entry at all.", graph('struct(0) w = hex ""'), "SV002 error")
    c("sv002/refused-minus-one", "SV002", "-1 without a declaration.", BYTE + graph('struct(-1) w = hex "07"'), "SV002 error")
    c("sv002/refused-largest", "SV002", "An index that is 2^31-1.", BYTE + graph('struct(2147483647) w = hex "07"'), "SV002 error")


def forms(suite):
    c = suite.check
    c("sv003/accepted-array", "SV003", "A root that is an array.", "type demo = array(uint8, 2)\n")
    c("sv003/accepted-packing", "SV003", "A root that is a bit packing.", "type demo = bits(a: 8)[1]\n")
    c("sv003/accepted-structure", "SV003", "A root that is a structure.", "struct demo {}\n")
    c("sv003/refused-unset", "SV003", "A root whose kind is unset.", "type = struct\n", "SV003 error")
    c("sv003/refused-reference", "SV003", "A root that is a reference.", BYTE + "\ntype = struct(0)\n", "SV003 error")
    c("sv003/refused-inline-reference", "SV003", "An inline root that is a reference.", BYTE + graph('inline(byte) w = hex "07"'), "SV003 error")
    c("sv003/refused-inline-unset", "SV003", "An inline root whose kind is unset.", BYTE + graph('struct w = <type: -1> hex "07"'), "SV003 error")
    c("sv004/accepted-reference", "SV004", "An input that takes values of one entry.", BYTE + graph(inputs="byte x"))
    c("sv004/accepted-category", "SV004", "An input that takes every structured value.", BYTE + graph(inputs="struct x"))
    c("sv004/accepted-nested", "SV004", "References within sequences, optionals and maps.", BYTE + graph(inputs="seq(byte) a, optional(seq(struct)) b, map(int64, byte) m"))
    for name, text in [("input", graph(inputs="array(uint8, 2) x")), ("output", graph(outputs="struct {\n  uint8 y\n} x")), ("value-info", graph(infos="bits(a: 8)[1] x")),
                       ("sequence", graph(inputs="seq(array(byte, 2)) x")), ("optional", graph(inputs="optional(array(byte, 2)) x")),
                       ("map", graph(inputs="map(int64, array(byte, 2)) x"))]:
        c("sv004/refused-" + name, "SV004", "A declaration that is written out, in the type of %s." % ("an " if name[0] in "io" else "a ") .__add__(name.replace("-", " ")), BYTE + text, "SV004 error")
    c("sv005/accepted-inline", "SV005", "An array of inline structures.", "type demo = array(struct {\n  uint8 x\n}, 2)\n")
    c("sv005/accepted-reference", "SV005", "An array of references.", BYTE + "\ntype demo = array(byte, 2)\n")
    c("sv005/refused-element", "SV005", "An array whose elements have no size.", "type demo = array(struct, 2)\n", "SV005 error")
    c("sv005/refused-field", "SV005", "A field that has no size.", "struct demo {\n  struct x\n}\n", "SV005 error")
    c("sv006/accepted", "SV006", "A name and metadata on an inline declaration.", 'type demo = array(inline(<name: "n", metadata_props: ["a": "b"]> array(uint8, 1)), 2)\n')
    for name, props, found in [("name", 'name: "n"', "error"), ("metadata", 'metadata_props: ["a": "b"]', "error"), ("doc", 'doc_string: "d"', "warning")]:
        c("sv006/%s-%s" % ("refused" if found == "error" else "warned", name), "SV006", "A reference below a root with a %s." % name,
          BYTE + "\ntype demo = array(inline(<%s> byte), 2)\n" % props, "SV006 " + found)
        c("sv006/%s-static-%s" % ("refused" if found == "error" else "warned", name), "SV006", "A static type with a %s." % name,
          BYTE + graph(inputs="inline(<%s> byte) x" % props), "SV006 " + found)
        c("sv006/%s-category-%s" % ("refused" if found == "error" else "warned", name), "SV006", "The unconstrained category with a %s." % name,
          BYTE + graph(inputs="inline(<%s> struct) x" % props), "SV006 " + found)
    c("sv006/refused-name-and-index", "SV006 SV008", "A reference with a name, to no entry: two findings.", 'type demo = array(inline(<name: "n"> struct(1)), 2)\n', "SV006 error", "SV008 error")
    c("sv006/refused-name-of-part", "SV006 SV021", "A reference with a name uses its entry all the same.", NIBBLE + '\ntype demo = array(inline(<name: "n"> nibble), 2)\n', "SV006 error")
    codec = 'decoder <opset_import: ["": 26]> (x) => (y) {\n  y = Identity (x)\n}'
    c("sv006/refused-decoder", "SV006", "A reference with a decoder.", BYTE + "\ntype demo = array(inline(byte %s), 2)\n" % codec, "SV006 error")
    c("sv006/refused-encoder", "SV006", "A reference with an encoder.", BYTE + "\ntype demo = array(inline(byte %s), 2)\n" % codec.replace("decoder", "encoder").replace("(x) => (y)", "(y) => (x)").replace("y = Identity (x)", "x = Identity (y)"), "SV006 error")
    c("sv007/accepted", "SV007", "A decoder at a root.", BYTE + codec + "\n")
    c("sv007/accepted-reference", "SV007", "A decoder of an entry that is referred to.", BYTE + codec + "\n\ntype demo = array(byte, 2)\n")
    c("sv007/warned-decoder", "SV007", "A decoder below a root, which never runs.", "type demo = array(inline(struct {\n  uint8 x\n} %s), 2)\n" % codec, "SV007 warning")
    c("sv007/warned-encoder", "SV007", "An encoder below a root, which never runs.", "type demo = array(inline(struct {\n  uint8 x\n} encoder <> (v) => (x) {\n  x = Identity (v)\n}), 2)\n", "SV007 warning")
    c("sv008/accepted-forward", "SV008", "A reference to a later entry.", "type demo = array(byte, 2)\n\n" + BYTE)
    c("sv008/refused-range", "SV008", "There is no entry 1.", "type demo = array(struct(1), 2)\n", "SV008 error")
    c("sv008/refused-negative", "SV008", "There is no entry -1.", "type demo = array(struct(-1), 2)\n", "SV008 error")
    c("sv008/refused-itself", "SV008", "A declaration that refers to itself.", "type demo = array(demo, 1)\n", "SV008 error")
    c("sv008/refused-empty-cycle", "SV008", "A cycle is one even where no elements are.", "type demo = array(demo, 0)\n", "SV008 error")
    c("sv008/refused-cycle", "SV008", "Two declarations that refer to each other.", "type a = array(b, 1)\n\nstruct b {\n  a x\n}\n", "SV008 error")
    c("sv008/refused-cycle-of-three", "SV008", "A cycle of three, and a declaration that leads into it.", "type a = array(b, 1)\n\ntype b = array(c, 1)\n\ntype c = array(d, 1)\n\ntype d = array(b, 1)\n", "SV008 error")
    c("sv008/refused-static", "SV008", "A static type that names no entry.", BYTE + graph(inputs="struct(1) x"), "SV008 error")
    c("sv008/refused-inline-value", "SV008", "An inline root that refers to no entry.", BYTE + graph('array(struct(1), 1) w = hex "07"'), "SV008 error")


def contents(suite):
    c = suite.check
    c("sv009/accepted-type", "SV009", "A field with a type.", BYTE)
    c("sv009/accepted-constant", "SV009", "A field with a constant.", "struct demo {\n  int8 k = {7}\n}\n")
    c("sv009/refused-unset", "SV009", "A field with neither.", "struct demo {\n  unset x\n}\n", "SV009 error")
    c("sv009/refused-empty-type", "SV009", "A field whose type selects nothing.", "struct demo {\n  none x\n}\n", "SV009 error")
    c("sv009/refused-no-element", "SV009", "An array without an element type.", "type demo = array(3)\n", "SV009 error")
    c("sv009/refused-empty-element", "SV009", "An array whose element type selects nothing.", "type demo = array(none, 3)\n", "SV009 error")
    c("sv009/refused-no-element-of-none", "SV009", "An array of dimension 0 needs an element type too.", "type demo = array(0)\n", "SV009 error")
    c("sv010/accepted", "SV010", "Names that differ by case, and one in two structures.", "struct demo {\n  uint8 x\n  uint8 X\n  struct {\n    uint8 x\n  } inner\n}\n")
    c("sv010/accepted-bytes", "SV010", "Distinct means different bytes: a letter that is written in two ways.", 'struct demo {\n  uint8 "\u00e9"\n  uint8 "e\u0301"\n}\n')
    c("sv010/refused-fields", "SV010", "Two fields of one name.", "struct demo {\n  uint8 x\n  uint8 x\n}\n", "SV010 error")
    c("sv010/refused-constant", "SV010", "A field and a constant of one name.", "struct demo {\n  uint8 x\n  int8 x = {7}\n}\n", "SV010 error")
    c("sv010/refused-components", "SV010", "Two components of one name.", "type demo = bits(c: 4, c: 4)[1]\n", "SV010 error")
    c("sv010/refused-empty-field", "SV010", "A field without a name.", 'struct demo {\n  uint8 ""\n}\n', "SV010 error")
    c("sv010/refused-empty-component", "SV010", "A component without a name.", 'type demo = bits("": 8)[1]\n', "SV010 error")
    c("sv011/accepted", "SV011", "A component of one bit.", "type demo = bits(c: 1)[8]\n")
    c("sv011/accepted-wide", "SV011", "A component of more than 64 bits, which no codec names.", "type demo = bits(c: 72)[1]\n")
    c("sv011/refused", "SV011", "A component without bits.", "type demo = bits(c: 0)[8]\n", "SV011 error")
    c("sv010/refused-and-too-large", "SV010 SV020", "A component without a name, and 2^64 bits: two findings.", 'type demo = bits("": 2)[9223372036854775808]\n', "SV010 error", "SV020 error")
    c("sv009/refused-and-too-large", "SV009 SV020", "A field without a content, and 2^64 bits in others: two findings.",
      "struct demo {\n  array(int4, 4611686018427387903) x\n  int4 y\n  unset z\n}\n", "SV009 error", "SV020 error")
    c("sv011/refused-among-others", "SV011", "A component without bits between others.", "type demo = bits(a: 4, b: 0, c: 4)[1]\n", "SV011 error")
    wide = "type demo = bits(c: 72)[1]\n%s <opset_import: [\"\": 26]> (%s) => (%s) {\n  %s = Identity (%s)\n}\n"
    c("sv011/refused-decoder", "SV011", "A decoder that names a component of more than 64 bits.", wide % ("decoder", "c", "y", "y", "c"), "SV011 error")
    c("sv011/refused-encoder", "SV011", "An encoder that names a component of more than 64 bits.", wide % ("encoder", "y", "c", "c", "y"), "SV011 error")


def leaves(suite):
    c = suite.check
    c("sv012/accepted", "SV012", "A scalar, and a tensor of fixed size.", "struct demo {\n  float x\n  int4[2, 3] y\n}\n")
    for name, type_, doc in [
        ("string", "string", "STRING has no width."), ("undefined", "undefined", "UNDEFINED is no element type."),
        ("unknown", "elem(27)", "An element type that does not exist."), ("unknown-large", "elem(1001)", "An element type that does not exist."),
        ("negative-type", "elem(-1)", "An element type below 0."), ("no-shape", "uint8[]", "A leaf without a shape: its rank is unknown."),
        ("parameter", "uint8[N]", "A dimension with a name."), ("no-dimension", "uint8[?]", "A dimension without a value."),
        ("negative", "uint8[-1]", "A negative dimension."), ("negative-beside-zero", "uint8[0, -1]", "A negative dimension beside a 0."),
        ("parameter-beside-zero", "uint8[0, N]", "A dimension with a name beside a 0."),
        ("sparse", "sparse_tensor(uint8[2])", "A sparse tensor."), ("sequence", "seq(uint8)", "A sequence."), ("map", "map(int64, uint8)", "A map."),
        ("optional", "optional(uint8)", "An optional."), ("opaque", "opaque(a, b)", "An opaque type."), ("sequence-of-struct", "seq(struct)", "A sequence of structured values."),
    ]:
        c("sv012/refused-" + name, "SV012", doc, "struct demo {\n  %s x\n}\n" % type_, "SV012 error")
    c("sv012/refused-element", "SV012", "The elements of an array are leaves too.", "type demo = array(string, 2)\n", "SV012 error")
    c("sv012/accepted-denotation", "SV012", "A denotation changes nothing.", 'struct demo {\n  uint8[2 ~ "CHANNEL"] x\n}\n')


def constants(suite):
    c = suite.check
    c("sv015/accepted", "SV015", "A constant of three elements.", "struct demo {\n  int16[3] k = {1, -2, 3}\n}\n")
    c("sv015/accepted-strings", "SV015", "A constant of strings.", 'struct demo {\n  string[2] k = {"a", "b"}\n}\n')
    c("sv015/accepted-empty", "SV015", "A constant without elements.", "struct demo {\n  float[0] k = {}\n}\n")
    c("sv015/accepted-int4", "SV015", "raw_data of INT4 is padded to a byte.", 'struct demo {\n  int4[3] k = hex "2103"\n}\n')
    for name, type_, hex_ in [("short", "int16[3]", "010002"), ("long", "int16[3]", "01000200030004"), ("none", "int16[3]", ""), ("int4-unpadded", "int4[3]", "21"),
                              ("int4-long", "int4[3]", "210300"), ("one-for-none", "float[0]", "00000000")]:
        c("sv015/refused-" + name, "SV015", "raw_data of %d bytes for %s." % (len(hex_) // 2, type_), 'struct demo {\n  %s k = hex "%s"\n}\n' % (type_, hex_), "SV015 error")
    c("sv015/refused-external", "SV015", "A constant outside the message.", 'struct demo {\n  int16[3] k = ["location": "k.bin", "length": "6"]\n}\n', "SV015 error")
    c("sv015/refused-undefined", "SV015", "A constant without an element type.", 'struct demo {\n  undefined[1] k = hex "00"\n}\n', "SV015 error")
    c("sv015/refused-unknown", "SV015", "A constant of an element type that does not exist.", 'struct demo {\n  elem(99)[1] k = hex "00"\n}\n', "SV015 error")
    c("sv015/refused-negative", "SV015", "A constant with a negative dimension.", 'struct demo {\n  int16[-1] k = hex ""\n}\n', "SV015 error")
    c("sv015/refused-huge", "SV015", "A constant with more elements than bytes can be.", 'struct demo {\n  int16[9223372036854775807, 9223372036854775807] k = hex "0100"\n}\n', "SV015 error")
    c("sv016/accepted", "SV016", "Emptiness is legal.", "struct a {}\n\ntype b = array(a, 0)\n\ntype c = bits()[9]\n\ntype d = bits(x: 3)[0]\n")
    c("sv016/refused-payload", "SV016 SV022", "A value without bits has no bytes.", "struct empty {}\n" + graph('empty w = hex "00"'), "SV022 error")
    c("sv016/accepted-value", "SV016 SV022", "A value without bits has neither raw_data nor external_data.", "struct empty {}\n" + graph('empty w = hex ""'))


def sizes(suite):
    c = suite.check
    c("sv020/accepted", "SV020", "2^64-8 bits.", "type demo = array(uint8, 2305843009213693951)\n")
    c("sv020/accepted-zero", "SV020", "A factor 0 makes a product 0.", "type demo = array(array(uint8, 1152921504606846976), 0)\n")
    c("sv020/refused-array", "SV020", "2^64 bits in an array.", "type demo = array(uint8, 2305843009213693952)\n", "SV020 error")
    c("sv020/refused-int4", "SV020", "2^64 bits in an array of INT4.", "type demo = array(int4, 4611686018427387904)\n", "SV020 error")
    c("sv020/refused-nested", "SV020", "2^33 elements of 8 bits, 2^31 times: an element fits, the whole does not.", "type demo = array(array(int8, 8589934592), 2147483648)\n", "SV020 error")
    c("sv020/refused-wrapped", "SV020", "A product that is 8 modulo 2^64.", "type demo = array(array(uint8, 6148914691236517205), 3)\n", "SV020 error")
    c("sv020/refused-leaf", "SV020", "2^64 bits in a leaf.", "struct demo {\n  uint8[2305843009213693952] x\n}\n", "SV020 error")
    c("sv020/refused-shape", "SV020", "More elements than 64 bits can count.", "struct demo {\n  uint8[4294967296, 4294967296] x\n}\n", "SV020 error")
    c("sv020/refused-packing", "SV020", "2^64 bits in a bit packing.", "type demo = bits(a: 1, b: 1)[9223372036854775808]\n", "SV020 error")
    c("sv020/refused-structure", "SV020", "Two fields whose sum is 2^64.", "struct demo {\n  array(int4, 4611686018427387903) x\n  int4 y\n}\n", "SV020 error")
    c("sv020/refused-below-zero", "SV020", "A size of 2^64 is an error in an array of dimension 0 too.", "type demo = array(array(uint8, 2305843009213693952), 0)\n", "SV020 error")
    c("sv020/refused-reference", "SV020", "A declaration that overflows by what it refers to.", "type half = array(uint8, 1152921504606846976)\n\nstruct demo {\n  half a\n  half b\n}\n", "SV020 error")
    c("sv021/accepted-part", "SV021", "An entry of four bits that is a part of another.", NIBBLE + "\ntype demo = array(nibble, 2)\n")
    c("sv021/accepted-value", "SV021", "A value of a byte.", BYTE + graph('byte w = hex "07"'))
    c("sv021/warned-unused", "SV021", "An entry of four bits that nothing uses.", NIBBLE, "SV021 warning")
    c("sv021/refused-value", "SV021", "A value of four bits.", NIBBLE + graph('nibble w = hex "07"'), "SV021 error")
    c("sv021/refused-inline", "SV021", "A value of twelve bits, whose type is inline.", NIBBLE + graph('array(nibble, 3) w = hex "0700"'), "SV021 error")
    c("sv021/refused-static", "SV021", "A static type that names four bits.", NIBBLE + graph(inputs="nibble x"), "SV021 error")
    c("sv021/refused-static-sequence", "SV021", "A sequence of four bits.", NIBBLE + graph(inputs="seq(nibble) x"), "SV021 error")
    c("sv021/accepted-inline-part", "SV021", "An entry of four bits that an inline type uses.", NIBBLE + graph('array(nibble, 2) w = hex "07"'))


def chain(n, reverse):
    order = list(range(n))
    lines = ["type d%d = array(%s, 1)\n" % (i, "d%d" % (i + 1) if i < n - 1 else "uint8") for i in order]
    return "\n".join(reversed(lines) if reverse else lines)


def nested(n):
    text = "uint8"
    for _ in range(n):
        text = "array(%s, 1)" % text
    return "type demo = %s\n" % text


def nesting(suite):
    c = suite.check
    for reverse in (False, True):
        way = "backward" if reverse else "forward"
        c("sv025/accepted-%s" % way, "SV025", "64 declarations, each of which refers to the next (%s)." % way, chain(64, reverse))
        c("sv025/refused-%s" % way, "SV025", "65 declarations, each of which refers to the next (%s)." % way, chain(65, reverse), "SV025 error")
        c("sv025/refused-72-%s" % way, "SV025", "72 declarations, each of which refers to the next (%s)." % way, chain(72, reverse), "SV025 error")
    c("sv025/accepted-inline", "SV025", "64 levels in one declaration.", nested(64))
    c("sv025/refused-inline", "SV025", "65 levels in one declaration.", nested(65), "SV025 error")
    c("sv025/accepted-value", "SV025", "An inline root of a value adds a level: 64.", chain(63, False) + graph('array(d0, 1) w = hex "07"'))
    c("sv025/refused-value", "SV025", "An inline root of a value adds a level: 65.", chain(64, False) + graph('array(d0, 1) w = hex "07"'), "SV025 error")
    c("sv025/accepted-packing", "SV025", "A bit packing is a level, a leaf is none: 64.", chain(64, False).replace("uint8", "int8"))
    c("sv025/refused-packing", "SV025", "A bit packing is a level: 65.", chain(64, False).replace("uint8", "bits(a: 8)[1]"), "SV025 error")
    twice = "\n".join("struct d%d {\n  d%d a\n  d%d b\n}\n" % (i, i + 1, i + 1) for i in range(30)) + "\nstruct d30 {\n  uint8 x\n}\n"
    c("sv025/accepted-twice", "SV025", "Thirty declarations that each use the next one twice.", twice)


def payloads(suite):
    c = suite.check
    block = "struct block {\n  float16 d\n  bits(q: 4)[4] qs\n}\n"
    c("sv022/accepted", "SV022", "Four bytes for four bytes.", block + graph('block w = hex "003c2143"'))
    c("sv022/refused-short", "SV022", "A byte is missing.", block + graph('block w = hex "003c21"'), "SV022 error")
    c("sv022/refused-long", "SV022", "A byte too many: nothing may trail.", block + graph('block w = hex "003c214300"'), "SV022 error")
    c("sv022/refused-none", "SV022", "No payload at all.", block + graph('block w = hex ""'), "SV022 error")
    c("sv022/refused-padding", "SV022", "A length that fits C's alignment: there is no implicit padding.",
      "struct demo {\n  int8 a\n  float b\n  int16 c\n}\n" + graph('demo w = hex "010000000000803f07000000"'), "SV022 error")
    c("sv022/refused-array", "SV022", "Two blocks and a half.", block + graph('array(block, 3) w = hex "003c2143003c2143003c"'), "SV022 error")
    c("sv022/refused-huge", "SV022", "2^42 bits over one byte.", "type demo = array(int4, 1099511627776)\n" + graph('demo w = hex "21"'), "SV022 error")
    flag = "struct flag {\n  bool b\n}\n"
    c("sv030/accepted", "SV030", "0 and 1.", flag + graph('array(flag, 2) w = hex "0001"'))
    c("sv030/warned", "SV030", "A BOOL of 2.", flag + graph('flag w = hex "02"'), "SV030 warning")
    c("sv030/warned-last", "SV030", "The last of four BOOL elements.", "type demo = array(bool[2], 2)\n" + graph('demo w = hex "000100ff"'), "SV030 warning")
    c("sv030/warned-unaligned", "SV030", "A BOOL that begins at bit 4.", "struct demo {\n  uint4 n\n  bool b\n  uint4 m\n}\n" + graph('demo w = hex "2f00"'), "SV030 warning")
    c("sv030/accepted-unaligned", "SV030", "A BOOL of 1 that begins at bit 4.", "struct demo {\n  uint4 n\n  bool b\n  uint4 m\n}\n" + graph('demo w = hex "1ff0"'))


def names(suite):
    c = suite.check
    c("sv050/accepted", "SV050", "Three values of three names.", BYTE + graph('byte a = hex "07"', 'byte b = hex "08"', "float c = {1.5}"))
    c("sv050/refused-twice", "SV050", "Two structured values of one name.", BYTE + graph('byte a = hex "07"', 'byte a = hex "08"'), "SV050 error")
    c("sv050/refused-initializer", "SV050", "A structured value and an initializer of one name.", BYTE + graph('byte a = hex "07"', "float a = {1.5}"), "SV050 error")
    c("sv050/refused-sparse", "SV050", "A structured value and a sparse initializer of one name.",
      BYTE + graph('byte a = hex "07"', "sparse_tensor[4] (float[1] a = {1.5}, int64[1] i = {2})"), "SV050 error")
    c("sv050/refused-empty", "SV050", "A value without a name.", BYTE + graph('byte "" = hex "07"'), "SV050 error")
    sub = "y = If (cond) <then_branch = t () => (float z) <\n    %s\n  > { z = Constant <value = float {1.5}> () }, else_branch = e () => (float z) { z = Constant <value = float {1.5}> () }>"
    c("sv050/accepted-subgraph", "SV050", "A graph within a graph has names of its own.", BYTE + graph('byte a = hex "07"', nodes=sub % 'byte a = hex "08"'))
    c("sv050/refused-subgraph", "SV050", "A clash in a graph within a graph.", BYTE + graph(nodes=sub % 'byte a = hex "08", byte a = hex "09"'), "SV050 error")


def codecs(suite):
    """What needs no understanding of operators."""
    c = suite.check
    decoder = 'decoder <opset_import: ["": 26]> (%s) => (%s) {\n%s}\n'
    c("sv040/accepted", "SV040", "A decoder with one output.", BYTE + decoder % ("x", "y", "  y = Identity (x)\n"))
    c("sv040/refused-none", "SV040", "A decoder without an output.", BYTE + decoder % ("x", "", "  y = Identity (x)\n"), "SV040 error")
    c("sv040/refused-two", "SV040", "A decoder with two outputs.", BYTE + decoder % ("x", "y, z", "  y = Identity (x)\n  z = Identity (x)\n"), "SV040 error")
    huge = "struct demo {\n  array(array(uint8, 0), %d) x\n}\n"
    c("sv042/accepted", "SV042", "A dimension of 2^63-1.", huge % (2**63 - 1) + decoder % ("x", "y", "  y = Identity (x)\n"))
    c("sv042/refused-decoder", "SV042", "A decoder that names a leaf with a dimension of 2^63.", huge % 2**63 + decoder % ("x", "y", "  y = Identity (x)\n"), "SV042 error")
    c("sv042/accepted-unnamed", "SV042", "A dimension of 2^63 that no codec names.", huge % 2**63)
    c("sv042/refused-encoder", "SV042", "An encoder that names a leaf with a dimension of 2^63.", huge % 2**63 + 'encoder <opset_import: ["": 26]> (y) => (x) {\n  x = Identity (y)\n}\n', "SV042 error")
    use = '<ir_version: 13, opset_import: ["": 26, "structview": 1]>\n\n'
    with_decoder = BYTE + decoder % ("x", "y", "  y = Identity (x)\n")
    with_encoder = BYTE + 'encoder <opset_import: ["": 26]> (y) => (x) {\n  x = Identity (y)\n}\n'
    c("sv053/accepted-decode", "SV053", "Decode of a value whose root has a decoder.", use + with_decoder + graph('byte w = hex "07"', outputs="uint8 y", nodes="y = structview.Decode (w)"))
    c("sv053/accepted-encode", "SV053", "Encode to an entry that has an encoder.", use + with_encoder + graph(inputs="uint8 x", outputs="byte w", nodes="w = structview.Encode <type_index = 0> (x)"))
    c("sv053/refused-decode", "SV053", "Decode of a value whose root has no decoder.", use + BYTE + graph('byte w = hex "07"', outputs="uint8 y", nodes="y = structview.Decode (w)"), "SV053 error")
    c("sv053/refused-encode", "SV053", "Encode to an entry that has no encoder.", use + BYTE + graph(inputs="uint8 x", outputs="byte w", nodes="w = structview.Encode <type_index = 0> (x)"), "SV053 error")
    c("sv053/refused-no-index", "SV053", "Encode to nothing.", use + with_encoder + graph(inputs="uint8 x", outputs="byte w", nodes="w = structview.Encode (x)"), "SV053 error")
    c("sv053/refused-no-entry", "SV053 SV008", "Encode to an entry that does not exist.", use + with_encoder + graph(inputs="uint8 x", nodes="w = structview.Encode <type_index = 1> (x)"), "SV008 error")
    c("sv053/refused-input", "SV053", "Decode of an input whose static type has no decoder.", use + BYTE + graph(inputs="byte w", outputs="uint8 y", nodes="y = structview.Decode (w)"), "SV053 error")
    c("sv053/accepted-category", "SV053", "Decode of an input that may be any structured value.", use + BYTE + graph(inputs="struct w", outputs="uint8 y", nodes="y = structview.Decode (w)"))
    c("sv053/refused-nested", "SV053", "The decoder of a nested declaration does not count.", use + with_decoder + "\ntype two = array(byte, 2)\n" + graph('two w = hex "0708"', outputs="uint8[2] y", nodes="y = structview.Decode (w)"), "SV053 error")
    c("sv053/refused-inline", "SV053", "An inline root has no decoder of an equal entry.", use + with_decoder + graph('struct {\n    uint8 x\n  } w = hex "07"', outputs="uint8 y", nodes="y = structview.Decode (w)"), "SV053 error")
    c("sv053/refused-subgraph", "SV053", "Decode in a graph within a graph, of a value outside it.", use + BYTE + graph('byte w = hex "07"', inputs="bool cond", outputs="uint8 y",
      nodes="y = If (cond) <then_branch = t () => (uint8 z) { z = structview.Decode (w) }, else_branch = e () => (uint8 z) { z = structview.Decode (w) }>"), "SV053 error")


def accepts(suite):
    two = BYTE + "\nstruct same {\n  uint8 x\n}\n"
    held = ['byte a = hex "07"', 'same b = hex "08"', 'struct {\n    uint8 x\n  } i = hex "09"']
    a, b, i = {"struct": "a"}, {"struct": "b"}, {"struct": "i"}
    float2 = {"tensor": {"element": "FLOAT", "dims": ["2"]}}
    cases = [
        ("exact", "byte", a, True), ("exact-other", "byte", b, False), ("exact-inline", "byte", i, False), ("exact-second", "same", b, True),
        ("exact-tensor", "byte", float2, False), ("category", "struct", a, True), ("category-inline", "struct", i, True), ("category-tensor", "struct", float2, False),
        ("sequence", "seq(byte)", {"sequence": [a, a]}, True), ("sequence-one-wrong", "seq(byte)", {"sequence": [a, b]}, False), ("sequence-inline", "seq(byte)", {"sequence": [i]}, False),
        ("sequence-empty", "seq(byte)", {"sequence": []}, True), ("sequence-of-value", "seq(byte)", a, False), ("sequence-heterogeneous", "seq(struct)", {"sequence": [a, b, i]}, True),
        ("sequence-category-tensor", "seq(struct)", {"sequence": [a, float2]}, False), ("sequence-for-value", "byte", {"sequence": [a]}, False),
        ("sequence-nested", "seq(seq(byte))", {"sequence": [{"sequence": [a]}, {"sequence": []}]}, True), ("sequence-nested-wrong", "seq(seq(byte))", {"sequence": [{"sequence": [a]}, {"sequence": [b]}]}, False),
        ("sequence-flat", "seq(seq(byte))", {"sequence": [a]}, False),
        ("map", "map(int64, byte)", {"map": {"key": "INT64", "values": [a, a]}}, True), ("map-wrong-value", "map(int64, byte)", {"map": {"key": "INT64", "values": [a, b]}}, False),
        ("map-wrong-key", "map(int64, byte)", {"map": {"key": "STRING", "values": [a]}}, False), ("map-strings", "map(string, struct)", {"map": {"key": "STRING", "values": [a, i]}}, True),
        ("map-for-sequence", "seq(byte)", {"map": {"key": "INT64", "values": [a]}}, False), ("map-empty", "map(int64, byte)", {"map": {"key": "INT64", "values": []}}, True),
        ("optional", "optional(byte)", {"optional": a}, True), ("optional-none", "optional(byte)", {"optional": None}, True), ("optional-wrong", "optional(byte)", {"optional": b}, False),
        ("optional-of-value", "optional(byte)", a, False), ("optional-category", "optional(struct)", {"optional": i}, True), ("optional-sequence", "optional(seq(struct))", {"optional": {"sequence": [a, i]}}, True),
        ("tensor", "float[2]", float2, True), ("tensor-struct", "float[2]", a, False), ("tensor-type", "double[2]", float2, False), ("tensor-shape", "float[3]", float2, False),
        ("tensor-open", "float[N]", float2, True), ("tensor-rank", "float[2, 1]", float2, False), ("tensor-unranked", "float[]", float2, True),
        ("written-out", "struct {\n  uint8 x\n}", i, False),
    ]
    for name, static, value, accepted in cases:
        doc = "The static type %s and %s." % (" ".join(static.split()), "a value that it accepts" if accepted else "a value that it does not accept")
        suite.add("sv051/%s-%s" % ("accepted" if accepted else "refused", name), "accepts", "SV051", doc, two + graph(*held, inputs=static + " x"), static="x", value=value, accepted=accepted)
    for name, static in [("category", "struct"), ("exact", "struct(2)")]:
        suite.add("sv051/refused-invalid-" + name, "accepts", "SV051 SV002", "A value that selects no type is accepted by nothing.",
                  two + graph('struct(2) v = hex "07"', inputs=static + " x"), static="x", value={"struct": "v"}, accepted=False)
    suite.add("sv051/refused-invalid-declaration", "accepts", "SV051", "A value whose declaration is invalid is accepted by nothing.",
              "struct bad {\n  string x\n}\n" + graph('bad v = hex "07"', inputs="struct x"), static="x", value={"struct": "v"}, accepted=False)


def hashes(suite):
    from hashing import identity, leaf, array, packing, structure, tensor
    cases = [
        ("leaf-array", "type demo = array(int4, 5)\n", array(5, leaf(22))),
        ("name-does-not-count", 'type other <doc_string: "d", metadata_props: ["a": "b"]> = array(int4, 5)\n', array(5, leaf(22))),
        ("reference-is-inline", BYTE + "\ntype demo = array(byte, 2)\n", array(2, structure(("x", leaf(2))))),
        ("inline", "type demo = array(struct {\n  uint8 x\n}, 2)\n", array(2, structure(("x", leaf(2))))),
        ("shape", "struct demo {\n  int4[5] v\n}\n", structure(("v", leaf(22, 5)))),
        ("packing", "type demo = bits(lo: 4, hi: 4)[16]\n", packing(16, ("lo", 4), ("hi", 4))),
        ("empty", "struct demo {}\n", structure()),
        ("constants", 'struct demo {\n  float k = {0.125}\n  int4[3] b = {1, -2, 3}\n  string[2] s = {"a", "zwei"}\n}\n',
         structure(("k", tensor(1, [], bytes.fromhex("0000003e"))), ("b", tensor(22, [3], bytes.fromhex("e103"))), ("s", tensor(8, [2], [b"a", b"zwei"])))),
        ("largest", "type demo = array(struct {}, 18446744073709551615)\n", array(2**64 - 1, structure())),
    ]
    for name, text, layout in cases:
        root = text.count("\n\n")
        suite.add("sv049/" + name, "hash", "SV049", "The structural hash of a declaration without codecs.", text, root=root, hash=identity(layout))
    codec_hashes(suite)


def codec_hashes(suite):
    from hashing import a_float, an_int, function, identity, leaf, node, structure, text as word
    byte, to_float = structure(("x", leaf(2))), function(["x"], ["y"], [node("Cast", ["x"], ["y"], an_int("to", 1))], [("", 26)])
    decoder = 'decoder <opset_import: ["": 26]> (x) => (y) {\n  y = Cast <to = 1> (x)\n}\n'

    def case(name, doc, text, sum_):
        suite.add("sv049/" + name, "hash", "SV049", doc, text, needs=["codec"], root=0, hash=sum_)

    case("decoder", "A decoder counts.", BYTE + decoder, identity(byte, b"\1" + to_float))
    case("decoder-names", "Names of nodes and of the function, and documentation, do not count; ai.onnx is the empty domain.",
         BYTE + '## a decoder\ndecoder <domain: "d", opset_import: ["ai.onnx": 26]> name (x) => (y) {\n  ["n"] y = ai.onnx.Cast <to = 1> (x)\n}\n', identity(byte, b"\1" + to_float))
    back = function(["v"], ["x"], [node("Cast", ["v"], ["x"], an_int("to", 2))], [("", 26)])
    case("encoder", "An encoder counts.", BYTE + decoder + 'encoder <opset_import: ["": 26]> (float v) => (x) {\n  x = Cast <to = 2> (v)\n}\n', identity(byte, b"\1" + to_float, b"\1" + back))
    scaled = function(["x"], ["y"], [node("Constant", [], ["k"], a_float("value_float", 0, "factor")), node("Cast", ["x"], ["f"], an_int("to", 1)), node("Mul", ["f", "k"], ["y"])],
                      [("", 26)], [a_float("factor", 0x3f000000)])
    call = function(["x"], ["y"], [node("scaled", ["x"], ["y"], domain="demo")], [("", 26), ("demo", 1)])
    case("function", "The functions that a decoder calls count, with the defaults of their attributes; others do not.",
         '<ir_version: 13, opset_import: ["": 26, "demo": 1]>\n\n' + BYTE + 'decoder <opset_import: ["demo": 1, "": 26]> (x) => (y) {\n  y = demo.scaled (x)\n}\n'
         '\n<domain: "demo", opset_import: ["": 26]>\nother (x) => (y) {\n  y = Identity (x)\n}\n'
         '\n<domain: "demo", opset_import: ["": 26]>\nscaled <factor: float = 0.5> (x) => (y) {\n  k = Constant <value_float: float = @factor> ()\n  f = Cast <to = 1> (x)\n  y = Mul (f, k)\n}\n',
         identity(byte, b"\1" + call, b"\0", [word("demo") + word("scaled") + word("") + scaled]))


def everywhere(suite):
    """A type_index that names nothing, wherever a static type can stand."""
    c = suite.check
    bad = "struct(9)"
    codec = BYTE + 'decoder <opset_import: ["": 26]> (x) => (%s y) {\n  y = Identity (x)\n}\n'
    attr = 'y = demo.Op <%s> ()'
    head = '<ir_version: 13, opset_import: ["": 26, "demo": 1]>\n\n'
    fn = '\n<domain: "demo", opset_import: ["": 26]>\nOp <t> () => (y) {\n  y = Constant <value = float {1.5}> ()\n}\n'
    for name, text in [
        ("input", BYTE + graph(inputs=bad + " x")), ("output", BYTE + graph(outputs=bad + " x")), ("value-info", BYTE + graph(infos=bad + " x")),
        ("sequence", BYTE + graph(inputs="seq(%s) x" % bad)), ("map", BYTE + graph(inputs="map(string, %s) x" % bad)), ("optional", BYTE + graph(inputs="optional(%s) x" % bad)),
        ("attribute", head + BYTE + fn + graph(nodes=attr % ("t: type_proto = " + bad))), ("attributes", head + BYTE + fn + graph(nodes=attr % ("t: type_protos = [uint8, %s]" % bad))),
        ("function", BYTE + '\n<domain: "demo", opset_import: ["": 26]>\nf (x) => (y) <%s z> {\n  y = Identity (x)\n}\n' % bad),
        ("subgraph", BYTE + graph(nodes="y = If (cond) <then_branch = t (%s x) => (float z) { z = Constant <value = float {1.5}> () }, else_branch = e () => (float z) { z = Constant <value = float {1.5}> () }>" % bad)),
        ("loop", BYTE + graph(nodes="y = Loop (n, cond) <body = b (int64 i, bool c) => (bool c, %s z) { }>" % bad)),
        ("scan", BYTE + graph(nodes="y = Scan (n) <body = b (float v) => (%s z) { }, num_scan_inputs = 1>" % bad)),
    ]:
        c("everywhere/" + name, "SV008 SV004", "A static type that names no entry, in %s." % name.replace("-", " "), text, "SV008 error")
    sub = "y = If (cond) <then_branch = t () => (float z) <byte v = hex \"0708\"> { z = Constant <value = float {1.5}> () }, else_branch = e () => (float z) { z = Constant <value = float {1.5}> () }>"
    c("everywhere/value-in-subgraph", "SV022", "A value of a graph within a graph.", BYTE + graph(nodes=sub), "SV022 error")
    c("everywhere/value-in-function", "SV022", "A value of a graph within a function.", BYTE + '\n<domain: "demo", opset_import: ["": 26]>\nf (cond) => (y) {\n  %s\n}\n' % sub, "SV022 error")
    c("everywhere/three-at-once", "SV008 SV009 SV010", "Three findings in one run.", "struct a {\n  unset x\n}\n\nstruct b {\n  uint8 x\n  uint8 x\n}\n\ntype c = array(struct(9), 1)\n",
      "SV008 error", "SV009 error", "SV010 error")


def counts(suite):
    def case(name, doc, pairs, *findings, text=BYTE + graph('byte w = hex "07"')):
        props = ", ".join('"structview.%s": "%s"' % p for p in pairs.items())
        suite.check("sv057/" + name, "SV057", doc, '<ir_version: 13, opset_import: ["": 26], metadata_props: [%s]>\n\n%s' % (props, text), *findings)

    w = "SV057 warning"
    case("accepted", "A model with the declaration and the value that it was written with.", {"declarations": "1", "values": "1"})
    case("accepted-one-key", "One of the two counts.", {"values": "1"})
    case("accepted-other-key", "A key that says nothing here.", {"something": "5"})
    case("warned-declarations", "A declaration was dropped.", {"declarations": "2", "values": "1"}, w)
    case("warned-values", "A value was dropped.", {"declarations": "1", "values": "2"}, w)
    case("warned-everything", "A tool that does not know declarations and values dropped them all.", {"declarations": "1", "values": "1"}, w, text="main () => () {}\n")
    case("warned-more", "A value was added.", {"values": "0"}, w)
    case("warned-no-number", "A count that is none.", {"values": "one"}, w)
