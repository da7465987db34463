# SPDX-License-Identifier: Apache-2.0
"""Structural hashes of declarations without codecs, put together by hand from docs/HASH.md."""

from hashlib import sha256
from struct import pack


def number(n):
    return pack("<Q", n)


def text(s):
    data = s.encode() if isinstance(s, str) else s
    return number(len(data)) + data


def leaf(element, *shape):
    return sha256(text("tensor") + number(element) + number(len(shape)) + b"".join(number(d) for d in shape)).digest()


def array(dimension, element):
    return sha256(text("array") + number(dimension) + element).digest()


def packing(dimension, *components):
    return sha256(text("bit_packing") + number(dimension) + number(len(components)) + b"".join(text(n) + number(w) for n, w in components)).digest()


class tensor(bytes):
    """A constant: its bytes in a structure."""

    def __new__(cls, element, dims, data):
        body = number(element) + number(len(dims)) + b"".join(number(d) for d in dims)
        body += text(data) if isinstance(data, bytes) else number(len(data)) + b"".join(text(s) for s in data)
        return super().__new__(cls, body)


def structure(*fields):
    body = text("structure") + number(len(fields))
    for name, content in fields:
        body += text(name) + (b"\1" if isinstance(content, tensor) else b"\0") + content
    return sha256(body).digest()


def identity(layout, decoder=b"\0", encoder=b"\0", functions=()):
    return sha256(text("structview 1") + layout + decoder + encoder + many(functions)).hexdigest()


# Codecs


def many(parts):
    return number(len(parts)) + b"".join(parts)


def function(inputs, outputs, nodes, imports, defaults=()):
    """A function without attributes but those that have a default."""
    opsets = [text(domain) + number(version) for domain, version in sorted(imports)]
    return many([text(n) for n in inputs]) + many([text(n) for n in outputs]) + many([]) + many(defaults) + many(opsets) + many(nodes)


def node(op, inputs, outputs, *attributes, domain=""):
    return text(domain) + text(op) + text("") + many([text(n) for n in inputs]) + many([text(n) for n in outputs]) + many(attributes)


def an_int(name, i):
    return text(name) + text("") + number(2) + number(i)


def a_float(name, bits, refers_to=""):
    return text(name) + text(refers_to) + number(1) + number(bits)
