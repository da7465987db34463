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


def identity(layout):
    return sha256(text("structview 1") + layout + b"\0" + b"\0" + number(0)).hexdigest()
