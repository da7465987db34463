# SPDX-License-Identifier: Apache-2.0
"""Codecs: what binds to what (SV040 to SV044), what a checker refuses (SV045 to SV048, SV054), and arithmetic (SV055)."""

import struct

from cases_rules import BYTE, graph
from declare import Bits, Leaf, Struct, WIDTHS, codes_of, declaration, payload, read

OPSET = '<opset_import: ["": 26]>'


def bits_of(numbers):
    return [struct.unpack("<I", struct.pack("<f", x))[0] for x in numbers]


def decoder(inputs, body, output="y"):
    return "decoder %s (%s) => (%s) {\n%s}\n" % (OPSET, inputs, output, "".join("  %s\n" % line for line in body.split("\n")))


def encoder(inputs, outputs, body):
    return decoder(inputs, body, outputs).replace("decoder", "encoder", 1)


def elements(element, dims, codes):
    entry = read("", element, dims, codes)
    del entry["path"]
    return entry


def add(suite):
    bindings(suite)
    decodes(suite)
    encodes(suite)
    arithmetic(suite)
    refusals(suite)


def decodes_to(suite, name, rules, doc, text, hex_, element, dims, codes, root=0):
    suite.add("codec/" + name, "codec", rules, doc, text, needs=["codec"], root=root, payload=hex_, decode=elements(element, dims, codes))


def bindings(suite):
    """A decoder that hands on one path."""
    for element, width in WIDTHS.items():
        pad = (-1 - 3 * width) % 8
        t = Struct(("bit", Bits(1, ("b", 1))), ("x", Leaf(element, 3)), *([("pad", Bits(1, ("zero", pad)))] if pad else []))
        codes = codes_of("bind " + element, [width] * 3)
        data = payload(t, {}, [1] + codes + [0] * (1 if pad else 0))
        decodes_to(suite, "bind-" + element, "SV043 SV040", "%s arrives as itself, wherever it begins." % element.upper(),
                   declaration("demo", t) + decoder("x", "y = Identity (x)"), data.hex(), element, [3], codes)
    for width in (1, 7, 8, 9, 16, 17, 32, 33, 63, 64):
        holder = "uint8" if width <= 8 else "uint16" if width <= 16 else "uint32" if width <= 32 else "uint64"
        codes = codes_of("bind %d" % width, [width] * 8)
        t = Bits(8, ("c", width))
        decodes_to(suite, "bind-width-%d" % width, "SV043 SV042", "A component of %d bits arrives as %s." % (width, holder.upper()),
                   declaration("demo", t) + decoder("c", "y = Identity (c)"), payload(t, {}, codes).hex(), holder, [8], codes)
    block = "struct block {\n  uint16 d\n  bits(lo: 4, hi: 4)[2] qs\n  int16[2] k = {7, -7}\n}\n"
    three = "0100" "2143" "0200" "6587" "0300" "a9cb"
    root = "\ntype demo = array(block, 3)\n"
    for path, element, dims, codes in [
        ("d", "uint16", [3], [1, 2, 3]), ("qs.lo", "uint8", [3, 2], [1, 3, 5, 7, 9, 11]), ("qs.hi", "uint8", [3, 2], [2, 4, 6, 8, 10, 12]),
        ("k", "int16", [2], [7, 65529]),
    ]:
        decodes_to(suite, "bind-array-" + path.replace(".", "-"), "SV041 SV042 SV044", "The path %s of an array of structures." % path,
                   block + root + decoder(path, "y = Identity (%s)" % path), three, element, dims, codes, root=1)
    decodes_to(suite, "bind-value", "SV041", "The leaf of a root without names is called value.", "type demo = array(int8[2], 2)\n" + decoder("value", "y = Identity (value)"),
               "01ff02fe", "int8", [2, 2], [1, 255, 2, 254])
    decodes_to(suite, "bind-quoted", "SV041", "A name with a blank is quoted.",
               'struct demo {\n  struct {\n    uint8 c\n  } "a b"\n}\n' + decoder('"\\"a b\\".c"', 'y = Identity ("\\"a b\\".c")'), "07", "uint8", [], [7])
    decodes_to(suite, "bind-order", "SV040", "Inputs stand in any order.", "struct demo {\n  uint8 a\n  uint8 b\n  uint8 c\n}\n" + decoder("c, a", "y = Sub (c, a)"), "010203", "uint8", [], [2])
    decodes_to(suite, "bind-nothing", "SV040", "A decoder may leave the payload alone.", BYTE + decoder("", "y = Constant <value = float {1.5}> ()"), "07", "float", [], bits_of([1.5]))
    decodes_to(suite, "bind-empty", "SV016 SV042", "No elements.", "type demo = array(int8[2], 0)\n" + decoder("value", "y = Identity (value)"), "", "int8", [0, 2], [])
    decodes_to(suite, "root-decoder-only", "SV040", "The decoder of a nested declaration does not run.",
               BYTE + decoder("x", "y = Neg (x)").replace("Neg (x)", "Add (x, x)") + "\ntype demo = array(byte, 2)\n" + decoder("x", "y = Identity (x)"), "0708", "uint8", [2], [7, 8], root=1)


Q4 = "struct q4 {\n  float16 d\n  bits(lo: 4, hi: 4)[2] qs\n}\n"
Q4_BODY = ("codes = Concat <axis = -1> (qs.lo, qs.hi)\nc = Cast <to = 1> (codes)\neight = Constant <value = float {8}> ()\nq = Sub (c, eight)\n"
           "scale = Cast <to = 1> (d)\nlast = Constant <value_ints = [-1]> ()\ns = Unsqueeze (scale, last)\ny = Mul (q, s)")


def decodes(suite):
    # d = 0.5; lo 1 3, hi 2 4: codes 1 3 2 4, less 8, halved
    decodes_to(suite, "block", "SV040", "A block of four values.", Q4 + decoder("d, qs.lo, qs.hi", Q4_BODY), "0038" "2143", "float", [4], bits_of([-3.5, -2.5, -3.0, -2.0]))
    # a second block: d = -2; lo 0 15, hi 15 8
    decodes_to(suite, "blocks", "SV042", "Two blocks: the same function, with a dimension more.", Q4 + "\ntype demo = array(q4, 2)\n" + decoder("d, qs.lo, qs.hi", Q4_BODY),
               "0038" "2143" "00c0" "f08f", "float", [2, 4], bits_of([-3.5, -2.5, -3.0, -2.0, 16.0, -14.0, -14.0, -0.0]), root=1)
    book = "struct demo {\n  bits(c: 2)[4] codes\n  float[4] book = {-1.5, 0.25, 3, 1e10}\n}\n"
    decodes_to(suite, "codebook", "SV044", "A codebook is a constant.", book + decoder("codes.c, book", "i = Cast <to = 7> (codes.c)\ny = Gather (book, i)"), "4e", "float", [4], bits_of([3.0, 1e10, -1.5, 0.25]))
    call = '<ir_version: 13, opset_import: ["": 26, "demo": 1]>\n\n' + BYTE + 'decoder <opset_import: ["": 26, "demo": 1]> (x) => (y) {\n  y = demo.scaled%s (x)\n}\n' + \
        '\n<domain: "demo", opset_import: ["": 26]>\nscaled <factor: float = 0.5> (x) => (y) {\n  k = Constant <value_float: float = @factor> ()\n  f = Cast <to = 1> (x)\n  y = Mul (f, k)\n}\n'
    decodes_to(suite, "function", "SV046", "A call of a model function, with the default of its attribute.", call % "", "07", "float", [], bits_of([3.5]))
    decodes_to(suite, "function-attribute", "SV046", "A call of a model function with an attribute.", call % " <factor = 4.0>", "07", "float", [], bits_of([28.0]))
    decodes_to(suite, "if", "SV045", "A graph within a decoder.", BYTE + decoder("x", "k = Constant <value = uint8 {5}> ()\nbig = Greater (x, k)\ny = If (big) <then_branch = a () => (t) { t = Add (x, x) }, else_branch = b () => (e) { e = Identity (k) }>"),
               "07", "uint8", [], [14])


def encodes_to(suite, name, rules, doc, text, hex_, element, dims, codes, root=0, **members):
    suite.add("codec/" + name, "codec", rules, doc, text, needs=["codec"], root=root, payload=hex_, encode=elements(element, dims, codes), **members)


def encodes(suite):
    plain = "struct demo {\n  uint8 a\n  bits(lo: 3, hi: 5)[2] qs\n}\n"
    split = "three = Constant <value = uint8 {3}> ()\nqs.lo = BitwiseAnd (x, three)\nqs.hi = BitShift <direction = \"RIGHT\"> (x, three)\nfirst = Constant <value = int64 {0}> ()\na = Gather (x, first)"
    text = plain + encoder("uint8[2] x", "qs.hi, a, qs.lo", split)
    # x = 0x2b 0x91: lo = x & 3 = 3 1, hi = x >> 3 = 5 18; bytes: a = 2b, then 3 | 5 << 3 = 2b, 1 | 18 << 3 = 91
    encodes_to(suite, "encode", "SV047", "Outputs are bound by name, in any order.", text, "2b2b91", "uint8", [2], [0x2b, 0x91])
    book = "struct demo {\n  bits(c: 2)[4] codes\n  float[4] book = {-1.5, 0.25, 3, 1e10}\n}\n"
    near = "last = Constant <value_ints = [-1]> ()\nx1 = Unsqueeze (x, last)\nd = Sub (x1, book)\na = Abs (d)\nbest = ArgMin <axis = -1, keepdims = 0> (a)\ncodes.c = Cast <to = 2> (best)"
    encodes_to(suite, "encode-codebook", "SV047 SV044", "An encoder reads constants.", book + encoder("float[4] x, book", "codes.c", near), "4e", "float", [4], bits_of([2.5, 9e9, -7.0, 0.0]))
    fits = "type demo = bits(c: 3)[8]\n" + encoder("uint8[8] x", "c", "c = Identity (x)")
    encodes_to(suite, "encode-fits", "SV047", "Eight components of three bits.", fits, "88c6fa", "uint8", [8], list(range(8)))
    encodes_to(suite, "encode-too-large", "SV047", "A component of 8 does not fit three bits: it is never cut.", fits, "", "uint8", [8], [0, 1, 2, 3, 4, 5, 6, 8], refused="SV047")
    encodes_to(suite, "encode-nan", "SV047", "A NaN keeps its payload.", "struct demo {\n  float x\n}\n" + encoder("float v", "x", "x = Identity (v)"), "0100c07f", "float", [], [0x7fc00001])
    encodes_to(suite, "encode-int4", "SV047 SV014", "INT4 elements are packed without a gap.", "struct demo {\n  int4[3] a\n  int4 b\n}\n" + encoder("int4[3] x", "a, b", "a = Identity (x)\none = Constant <value = int64 {1}> ()\nb = Constant <value = int4 {-8}> ()").replace("  one = Constant <value = int64 {1}> ()\n", ""), "2183", "int4", [3], [1, 2, 3])


def arithmetic(suite):
    def case(name, doc, text, hex_, element, dims, codes):
        decodes_to(suite, "sv055-" + name, "SV055", doc, text, hex_, element, dims, codes)

    pair = "struct demo {\n  %s a\n  %s b\n}\n"
    case("add", "UINT8 250 and 10 wrap to 4.", pair % ("uint8", "uint8") + decoder("a, b", "y = Add (a, b)"), "fa0a", "uint8", [], [4])
    case("sub", "UINT8 3 less 5 wraps to 254.", pair % ("uint8", "uint8") + decoder("a, b", "y = Sub (a, b)"), "0305", "uint8", [], [254])
    case("mul", "INT8 100 times 3 wraps to 44.", pair % ("int8", "int8") + decoder("a, b", "y = Mul (a, b)"), "6403", "int8", [], [44])
    case("neg", "INT8 -128 negated is itself.", "struct demo {\n  int8 a\n}\n" + decoder("a", "y = Neg (a)"), "80", "int8", [], [128])
    case("abs", "The magnitude of INT8 -128 wraps to itself.", "struct demo {\n  int8 a\n}\n" + decoder("a", "y = Abs (a)"), "80", "int8", [], [128])
    case("add-int32", "INT32 2^31-1 and 1 wrap to -2^31.", pair % ("int32", "int32") + decoder("a, b", "y = Add (a, b)"), "ffffff7f" "01000000", "int32", [], [2**31])
    # 2^24 + 1 + 1 is 2^24 in float32 if added one by one, and 2^24 + 2 if the ones come first
    order = "struct demo {\n  float[3] a\n}\n"
    large = bits_of([2.0**24, 1.0, 1.0])
    hex_ = b"".join(c.to_bytes(4, "little") for c in large).hex()
    case("sum-order", "ReduceSum adds in the order of the indices.", order + decoder("a", "y = ReduceSum <keepdims = 0> (a)"), hex_, "float", [], bits_of([2.0**24]))
    hex_ = b"".join(c.to_bytes(4, "little") for c in reversed(large)).hex()
    case("sum-order-small-first", "ReduceSum adds in the order of the indices, small ones first here.", order + decoder("a", "y = ReduceSum <keepdims = 0> (a)"), hex_, "float", [], bits_of([2.0**24 + 2]))
    case("sum-of-negative-zero", "A sum begins with +0.", "struct demo {\n  float[1] a\n}\n" + decoder("a", "y = ReduceSum <keepdims = 0> (a)"), "00000080", "float", [], [0])
    case("min-of-zeros", "ReduceMin of zeros of both signs gives the first.", "struct demo {\n  float[2] a\n}\n" + decoder("a", "y = ReduceMin <keepdims = 0> (a)"), "0000000000000080", "float", [], [0])
    case("max-of-zeros", "ReduceMax of zeros of both signs gives the first.", "struct demo {\n  float[2] a\n}\n" + decoder("a", "y = ReduceMax <keepdims = 0> (a)"), "0000008000000000", "float", [], [0x80000000])


def refusals(suite):
    def c(name, rules, doc, text, *findings):
        suite.check(name, rules, doc, text, *findings, needs=["codec"])

    c("sv041/accepted-codec", "SV041 SV045", "A path that exists.", BYTE + decoder("x", "y = Identity (x)"))
    c("sv045/refused-no-path", "SV045 SV041", "An input that is no path.", BYTE + decoder("q", "y = Identity (q)"), "SV045 error")
    c("sv045/refused-structure", "SV045 SV041", "An input that names a structure.", "struct demo {\n  struct {\n    uint8 x\n  } s\n}\n" + decoder("s", "y = Identity (s)"), "SV045 error")
    c("sv045/refused-index", "SV045 SV041", "An input with an index.", "struct demo {\n  uint8[2] x\n}\n" + decoder('"x[0]"', 'y = Identity ("x[0]")'), "SV045 error")
    c("sv045/refused-spelling", "SV045 SV041", "A name that is quoted without need.", BYTE + decoder('"\\"x\\""', 'y = Identity ("\\"x\\"")'), "SV045 error")
    c("sv045/refused-operator", "SV045", "An operator that does not exist.", BYTE + decoder("x", "y = Idntity (x)"), "SV045 error")
    c("sv045/refused-domain", "SV045", "A function that does not exist.", BYTE + decoder("x", "y = demo.f (x)").replace('"": 26', '"": 26, "demo": 1'), "SV045 error")
    c("sv045/refused-no-import", "SV045", "No opset_import.", BYTE + decoder("x", "y = Identity (x)").replace(OPSET, "<>"), "SV045 error")
    c("sv045/refused-attribute", "SV045", "An attribute without a default.", BYTE + decoder("x", "y = Identity (x)").replace(OPSET, OPSET + " <k>"), "SV045 error")
    c("sv045/accepted-attribute", "SV045", "An attribute with a default.", BYTE + decoder("x", "y = Identity (x)").replace(OPSET, OPSET + " <k: int = 5>"))
    c("sv045/refused-types", "SV045", "Types that do not fit.", "struct demo {\n  uint8 a\n  int64 b\n}\n" + decoder("a, b", "y = Add (a, b)"), "SV045 error")
    c("sv045/refused-shapes", "SV045", "Shapes that do not fit.", "struct demo {\n  uint8[2] a\n  uint8[3] b\n}\n" + decoder("a, b", "y = Add (a, b)"), "SV045 error")
    c("sv045/refused-no-value", "SV045", "A name that nothing defines.", BYTE + decoder("x", "y = Add (x, z)"), "SV045 error")
    c("sv045/refused-output", "SV045", "An output that nothing defines.", BYTE + decoder("x", "z = Identity (x)"), "SV045 error")
    c("sv045/refused-declared", "SV045", "A type that the function states and the path does not have.", BYTE + decoder("int8 x", "y = Identity (x)"), "SV045 error")
    c("sv045/refused-sequence", "SV045", "A decoder that gives a sequence.", BYTE + decoder("x", "y = SequenceConstruct (x)"), "SV045 error")
    c("sv045/refused-attribute-name", "SV045", "An attribute that the operator does not have.", BYTE + decoder("x", "y = Identity <to = 1> (x)"), "SV045 error")
    head = '<ir_version: 13, opset_import: ["": 26, "demo": 1]>\n\n'
    call = BYTE + 'decoder <opset_import: ["": 26, "demo": 1]> (x) => (y) {\n  y = demo.f (x)\n}\n'
    fn = '\n<domain: "demo", opset_import: ["": 26, "demo": 1]>\n%s (x) => (y) {\n  y = %s (x)\n}\n'
    c("sv046/accepted", "SV046", "A decoder calls a function, which calls another.", head + call + fn % ("f", "demo.g") + fn % ("g", "Identity"))
    c("sv046/refused-itself", "SV046", "A function that calls itself.", head + call + fn % ("f", "demo.f"), "SV046 error")
    c("sv046/refused-two", "SV046", "Two functions that call each other.", head + call + fn % ("f", "demo.g") + fn % ("g", "demo.f"), "SV046 error")
    enc = lambda inputs, outputs, body: "struct demo {\n  uint8 x\n  uint8 z\n  uint8 k = {7}\n}\n" + encoder(inputs, outputs, body)
    c("sv047/accepted", "SV047", "An encoder of both paths.", enc("v", "x, z", "x = Identity (v)\nz = Identity (v)"))
    c("sv047/accepted-constant", "SV047", "An encoder that reads a constant.", enc("k, v", "x, z", "x = Add (v, k)\nz = Identity (v)"))
    c("sv047/refused-missing", "SV047", "A path is left out.", enc("v", "x", "x = Identity (v)"), "SV047 error")
    c("sv047/refused-no-value", "SV047", "There is no logical value.", enc("k", "x, z", "x = Identity (k)\nz = Identity (k)"), "SV047 error")
    c("sv047/refused-two-values", "SV047", "Two inputs that are no paths.", enc("v, w", "x, z", "x = Identity (v)\nz = Identity (w)"), "SV047 error")
    c("sv047/refused-payload", "SV047", "An input that is a payload path.", enc("v, x", "z", "z = Add (v, x)"), "SV047 error")
    c("sv047/refused-constant", "SV047", "An output that is a constant.", enc("v", "x, z, k", "x = Identity (v)\nz = Identity (v)\nk = Identity (v)"), "SV047 error")
    c("sv047/refused-no-path", "SV047", "An output that is no path.", enc("v", "x, z, q", "x = Identity (v)\nz = Identity (v)\nq = Identity (v)"), "SV047 error")
    c("sv047/refused-type", "SV047", "An output of another type than the path's.", enc("uint8 v", "x, z", "x = Cast <to = 3> (v)\nz = Identity (v)"), "SV047 error")
    c("sv047/refused-shape", "SV047", "An output of another shape than the path's.", enc("uint8[1] v", "x, z", "x = Identity (v)\nz = Identity (v)"), "SV047 error")
    c("sv048/accepted", "SV048", "A constant that is filled in.", BYTE + decoder("x", "y = ConstantOfShape (s)").replace("y = C", "s = Constant <value_ints = [2]> ()\n  y = C"))
    for op in ("RandomNormalLike", "RandomUniformLike", "Bernoulli"):
        c("sv048/refused-" + op.lower(), "SV048", "A random operator.", "struct demo {\n  float x\n}\n" + decoder("x", "y = %s (x)" % op), "SV048 error")
    c("sv048/refused-in-function", "SV048", "A random operator in a function that is called.", head + call + '\n<domain: "demo", opset_import: ["": 26]>\nf (x) => (y) {\n  f = Cast <to = 1> (x)\n  y = RandomNormalLike (f)\n}\n', "SV048 error")
    versions = lambda model, own: '<ir_version: 13, opset_import: ["": %d]>\n\n' % model + BYTE + decoder("x", "y = Add (x, x)").replace("26", str(own))
    c("sv054/accepted", "SV054", "Two operator sets that have one version of Add.", versions(14, 26))
    c("sv054/refused", "SV054", "Add has a version 13 and a version 14.", versions(13, 26), "SV054 error")
    c("sv054/refused-function", "SV054", "A function that is called, with another version of Add.", head.replace("26", "13") + call.replace("26", "13") + '\n<domain: "demo", opset_import: ["": 26]>\nf (x) => (y) {\n  y = Add (x, x)\n}\n', "SV054 error")
    c("sv054/accepted-no-name", "SV054", "A codec needs neither name nor domain.", BYTE + decoder("x", "y = Identity (x)"))
    use = '<ir_version: 13, opset_import: ["": 26, "structview": 1]>\n\n'
    c("sv053/accepted-both", "SV053", "Decode of what Encode gave.", use + BYTE + decoder("x", "y = Identity (x)") + encoder("v", "x", "x = Identity (v)") +
      graph(inputs="uint8 a", outputs="uint8 b", nodes="w = structview.Encode <type_index = 0> (a)\nb = structview.Decode (w)"))
