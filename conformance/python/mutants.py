#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks one definition at a time and sees cases fail: python3 conformance/python/mutants.py conformance/cases

Rules that refuse something can be switched off; those that say what something is cannot. Each entry
of MUTANTS is a reader that has understood such a rule wrongly. The exit status is 1 if the cases do not notice one.
"""

import contextlib
import io
import sys

import run
import structview
import tensor
import wire


@contextlib.contextmanager
def patched(owner, name, value):
    before = owner[name] if isinstance(owner, dict) else getattr(owner, name)
    put = owner.__setitem__ if isinstance(owner, dict) else lambda n, v: setattr(owner, n, v)
    put(name, value)
    try:
        yield
    finally:
        put(name, before)


def absent_type_is_minus_one():
    get = wire.Message.get
    return wire.Message, "get", lambda m, name: -1 if m.kind == "StructProto" and name == "type" and not m.has(name) else get(m, name)


class PaddedLeaf(structview.Leaf):
    """A leaf that ends at a whole byte, as raw_data of a TensorProto does."""

    def __init__(self, element, shape):
        super().__init__(element, shape)
        self.bits = (self.bits + 7) // 8 * 8


class FilledStructure(structview.Structure):
    """A structure that is one byte at least, as in C++."""

    def __init__(self, fields):
        super().__init__(fields)
        self.bits = self.bits or 8


class AlignedPacking(structview.Packing):
    """Rows that begin at whole bytes."""

    def __init__(self, components, length):
        super().__init__(components, length)
        self.row = (self.row + 7) // 8 * 8
        self.bits = self.row * length




def repeated_constant(c, path):
    place = structview_constant(c, path)
    place.dims = [(1, 1)] + place.dims
    return place


structview_constant = structview.constant_place

MUTANTS = [
    ("SV001", "an absent type is -1", absent_type_is_minus_one()),
    ("SV013", "INT2 has four bits", (tensor.WIDTH, tensor.NUMBER["INT2"], 4)),
    ("SV013", "BOOL has one bit", (tensor.WIDTH, tensor.NUMBER["BOOL"], 1)),
    ("SV014", "a leaf ends at a whole byte", (structview, "Leaf", PaddedLeaf)),
    ("SV016", "an empty structure takes a byte", (structview, "Structure", FilledStructure)),
    ("SV020", "rows of components begin at whole bytes", (structview, "Packing", AlignedPacking)),
    ("SV043", "every component is a UINT32", (structview, "holder", lambda width: tensor.NUMBER["UINT32"])),
    ("SV044", "a constant has a dimension more", (structview, "constant_place", repeated_constant)),
    ("SV049", "the hash ends without a list of functions", (structview, "identity", lambda t: structview.layout_hash(t).hex())),
]


def main(cases):
    status = 0
    for rule, doc, (owner, name, value) in MUTANTS:
        with patched(owner, name, value), contextlib.redirect_stdout(io.StringIO()) as out:
            run.main(cases)
        summary = out.getvalue().splitlines()[-1]
        noticed = ", 0 failed" not in summary
        print("%s: %s: %s" % (rule, doc, summary if noticed else "nobody notices"))
        status = status if noticed else 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "conformance/cases"))
