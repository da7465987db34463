# SPDX-License-Identifier: Apache-2.0
"""Declarations, their sizes and layouts, and the values in a payload: docs/SPEC.md, sections 2 to 4 and 7.

Nothing here loops over a dimension unless somebody asks for that many elements.
"""

import hashlib
import json

import tensor
import wire

LIMIT = 1 << 64
MAX_LEVELS = 64


class Refused(Exception):
    """A rule is broken."""

    def __init__(self, rule, message=""):
        super().__init__("%s: %s" % (rule, message))
        self.rule = rule


class Leaf:
    """A tensor within a declaration."""

    levels = 0

    def __init__(self, element, shape):
        self.element, self.shape, self.width = element, shape, tensor.WIDTH[element]
        self.bits = product(shape + [self.width])


class Array:
    def __init__(self, inner, length):
        self.inner, self.length, self.levels = inner, length, inner.levels + 1
        self.bits = product([inner.bits, length])


class Packing:
    levels = 1

    def __init__(self, components, length):
        self.components, self.length = components, length  # (name, width)
        self.row = sum(width for _, width in components)
        self.bits = product([self.row, length])


class Structure:
    def __init__(self, fields):
        self.fields = fields  # (name, type or tensor.Tensor)
        inner = [t for _, t in fields if not isinstance(t, tensor.Tensor)]
        self.levels = 1 + max([t.levels for t in inner], default=0)
        self.bits = sum(t.bits for t in inner)
        if self.bits >= LIMIT:
            raise Refused("SV020", "the structure")


def product(factors):
    """A product, which is 0 if a factor is, whatever the others are (SV020)."""
    if 0 in factors:
        return 0
    result = 1
    for f in factors:
        result *= f
        if result >= LIMIT:
            raise Refused("SV020", "a product")
    return result


class Declarations:
    """The entries of struct_types. types[i] is None if the entry is invalid; findings are (rule, severity)."""

    def __init__(self, entries):
        self.entries, self.types, self.findings = entries, [None] * len(entries), []
        self.used = set()
        for i in self._in_order():
            self.types[i] = self.root(entries[i], self.findings)

    def _in_order(self):
        """The entries, each after those that it refers to. Cycles are found here (SV008)."""
        edges = [list(_references(e)) for e in self.entries]
        order, state = [], {}
        for start in range(len(self.entries)):
            way = [(start, iter(edges[start]))] if start not in state else []
            state.setdefault(start, "open")
            while way:
                at, rest = way[-1]
                to = next(rest, None)
                if to is None:
                    state[at] = "done"
                    order.append(at)
                    way.pop()
                elif not 0 <= to < len(self.entries):
                    continue
                elif to not in state:
                    state[to] = "open"
                    way.append((to, iter(edges[to])))
                elif state[to] == "open":
                    self.findings.append(("SV008", "error"))
        self.used = {to for list_ in edges for to in list_}
        return order

    def root(self, p, findings):
        """The type of a concrete root, None if it is invalid."""
        kind = p.which("kind")
        if kind is None or kind == "type_index":
            findings.append(("SV003", "error"))
            return None
        t = self._concrete(p, findings, 1)
        if t is not None and t.levels > MAX_LEVELS:
            findings.append(("SV025", "error"))
            return None
        return t

    def _concrete(self, p, findings, level):
        if level > MAX_LEVELS:
            findings.append(("SV025", "error"))
            return None
        build = {"array": self._array, "structure": self._structure, "bit_packing": self._packing}[p.which("kind")]
        try:
            return build(p.get(p.which("kind")), findings, level)
        except Refused as refused:
            findings.append((refused.rule, "error"))
            return None

    def _array(self, p, findings, level):
        inner = self._type(p.get("element_type"), findings, level)
        return inner and Array(inner, p.get("dimension"))

    def _packing(self, p, findings, level):
        components = [(c.get("name"), c.get("bit_width")) for c in p.get("component")]
        good = _names([name for name, _ in components], findings)
        for _, width in components:
            if width == 0:
                findings.append(("SV011", "error"))
                good = False
        packing = Packing(components, p.get("dimension"))
        return packing if good else None

    def _structure(self, p, findings, level):
        good = _names([f.get("name") for f in p.get("field")], findings)
        fields = []
        for f in p.get("field"):
            content = f.which("content")
            if content == "constant":
                try:
                    t = tensor.from_proto(f.get("constant"))
                except tensor.Invalid:
                    findings.append(("SV015", "error"))
                    t = None
            else:
                t = self._type(f.get("type"), findings, level)
            fields.append((f.get("name"), t))
        structure = Structure([f for f in fields if f[1] is not None])
        return structure if good and len(structure.fields) == len(fields) else None

    def _type(self, p, findings, level):
        """The type of a TypeProto below a root."""
        value = p and p.which("value")
        if not value:
            findings.append(("SV009", "error"))
        elif value == "tensor_type":
            return _leaf(p.get("tensor_type"), findings)
        elif value == "struct_type":
            return self._below(p.get("struct_type"), findings, level + 1)
        else:
            findings.append(("SV012", "error"))
        return None

    def _below(self, p, findings, level):
        kind = p.which("kind")
        if kind is None:
            findings.append(("SV005", "error"))
            extras(p, findings)
            return None
        if kind == "type_index":
            good = extras(p, findings)
            t = self.entry(p.get("type_index"), findings)
            return t if good else None
        if p.has("decoder") or p.has("encoder"):
            findings.append(("SV007", "warning"))
        return self._concrete(p, findings, level)

    def entry(self, index, findings):
        """The type of an entry; None if it is invalid, or there is none (SV008)."""
        if not 0 <= index < len(self.entries):
            findings.append(("SV008", "error"))
            return None
        return self.types[index]

    def of_value(self, v, findings):
        """The type that a StructProto selects (SV001, SV002)."""
        index, inline = v.get("type"), v.get("struct_type")
        if 0 <= index < len(self.entries):
            self.used.add(index)
        if index == -1 and inline is not None:
            self.used.update(_references(inline))
            return self.root(inline, findings)
        if index == -1 or inline is not None or not 0 <= index < len(self.entries):
            findings.append(("SV002", "error"))
            return None
        return self.types[index]


def _references(p):
    """The indices that a declaration refers to."""
    todo = [p]
    while todo:
        p = todo.pop()
        kind = p and p.which("kind")
        if kind == "array":
            types = [p.get("array").get("element_type")]
        elif kind == "structure":
            types = [f.get("type") for f in p.get("structure").get("field")]
        else:
            continue
        for t in types:
            inner = t and t.get("struct_type")
            if inner and inner.which("kind") == "type_index":
                yield inner.get("type_index")
            elif inner:
                todo.append(inner)


def extras(p, findings):
    """What a reference must not carry (SV006); whether it is no error."""
    bad = p.has("decoder") or p.has("encoder") or p.get("name") or p.get("metadata_props")
    if bad:
        findings.append(("SV006", "error"))
    if p.get("doc_string"):
        findings.append(("SV006", "warning"))
    return not bad


def _names(names, findings):
    good = len(set(names)) == len(names) and "" not in names
    if not good:
        findings.append(("SV010", "error"))
    return good


def _leaf(p, findings):
    element, shape = p.get("elem_type"), p.get("shape")
    dims = [(d.which("value"), d.get("dim_value")) for d in shape.get("dim")] if shape else []
    if element not in tensor.WIDTH or shape is None or any(w != "dim_value" or d < 0 for w, d in dims):
        findings.append(("SV012", "error"))
        return None
    try:
        return Leaf(element, [d for _, d in dims])
    except Refused as refused:
        findings.append((refused.rule, "error"))
        return None


# Layout


class Place:
    """Where the elements of one leaf lie: offset and, per dimension, (length, stride), all in bits."""

    def __init__(self, path, element, width, offset, dims, component=False, constant=None):
        self.path, self.element, self.width, self.offset = path, element, width, offset
        self.dims, self.component, self.constant = dims, component, constant


def holder(width):
    """The unsigned type that a component arrives as (SV043)."""
    for size in (8, 16, 32, 64):
        if width <= size:
            return tensor.NUMBER["UINT%d" % size]
    return 0


def shape_dims(shape, width):
    dims, stride = [], width
    for length in reversed(shape):
        dims.insert(0, (length, stride))
        stride *= length
    return dims


def quoted(name):
    plain = name and all(c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" for c in name)
    return name if plain else json.dumps(name, ensure_ascii=False)


def leaves(t, path="", offset=0, dims=()):
    """Yields the place of every leaf, in the order of declaration (SV041 to SV044)."""
    dims = list(dims)
    while isinstance(t, Array):
        dims.append((t.length, t.inner.bits))
        t = t.inner
    if isinstance(t, Leaf):
        yield Place(path or "value", t.element, t.width, offset, dims + shape_dims(t.shape, t.width))
    elif isinstance(t, Packing):
        for name, width in t.components:
            inner = join(path, name)
            yield Place(inner, holder(width), width, offset, dims + [(t.length, t.row)], component=True)
            offset += width
    else:
        for name, inner in t.fields:
            if isinstance(inner, tensor.Tensor):
                yield constant_place(inner, join(path, name))
            else:
                yield from leaves(inner, join(path, name), offset, dims)
                offset += inner.bits


def join(path, name):
    return path + "." + quoted(name) if path else quoted(name)


def constant_place(c, path):
    """The place of a constant within its own codes, each of which counts as 1."""
    return Place(path, c.element, tensor.WIDTH.get(c.element, 0), 0, shape_dims(c.dims, 1), constant=c)


# Values


def read_path(text):
    """The steps of a path: names (str) and indices (int)."""
    steps, at = [], 0
    while at < len(text):
        if text[at] == "[":
            end = text.find("]", at)
            digits = text[at + 1:end]
            if end < 0 or not digits or any(c not in "0123456789" for c in digits) or int(digits) >= LIMIT:
                raise Refused("SV041", "an index in %r" % text)
            steps.append(int(digits))
            at = end + 1
            continue
        if text[at] == ".":
            at += 1
        elif at > 0:
            raise Refused("SV041", "expected . or [ in %r" % text)
        name, at = _name(text, at)
        steps.append(name)
    return steps


def _name(text, at):
    if text[at:at + 1] == '"':
        try:
            name, end = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            raise Refused("SV041", "a string in %r" % text)
    else:
        end = at
        while end < len(text) and text[end] in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_":
            end += 1
        name = text[at:end]
    if not name:
        raise Refused("SV041", "a name in %r" % text)
    return name, end


def locate(root, text):
    """The place that a path leads to. Dimensions without an index stay open."""
    steps, t, offset, dims, named = read_path(text), root, 0, [], False
    for step in steps:
        if isinstance(step, int):
            length, stride, t = _outermost(t)
            if step >= length:
                raise Refused("SV041", "index %d of %d" % (step, length))
            offset += step * stride
            continue
        while isinstance(t, Array):
            dims.append((t.length, t.inner.bits))
            t = t.inner
        if isinstance(t, Leaf) and not named and step == "value":
            named = True
            continue
        named = True
        t, offset, dims = _member(t, step, offset, dims)
    return _place(t, text, offset, dims)


class _Row:
    """One row of a bit packing, or one component of it, or (a slice of) a constant."""

    def __init__(self, **members):
        self.__dict__.update(members)


def _outermost(t):
    if isinstance(t, Array):
        return t.length, t.inner.bits, t.inner
    if isinstance(t, Packing):
        return t.length, t.row, _Row(components=t.components)
    if isinstance(t, Leaf) and t.shape:
        return t.shape[0], product([t.width] + t.shape[1:]) if 0 not in t.shape else 0, Leaf(t.element, t.shape[1:])
    if isinstance(t, _Row) and getattr(t, "constant", None) is not None and t.shape:
        inner = _Row(constant=t.constant, shape=t.shape[1:])
        return t.shape[0], product(t.shape[1:]), inner
    raise Refused("SV041", "no index here")


def _member(t, name, offset, dims):
    if isinstance(t, Structure):
        for field, inner in t.fields:
            if field == name and isinstance(inner, tensor.Tensor):
                return _Row(constant=inner, shape=inner.dims), 0, []
            if field == name:
                return inner, offset, dims
            if not isinstance(inner, tensor.Tensor):
                offset += inner.bits
    elif isinstance(t, Packing) or isinstance(t, _Row) and hasattr(t, "components"):
        for component, width in t.components:
            if component == name:
                open_ = [(t.length, t.row)] if isinstance(t, Packing) else []
                return _Row(width=width), offset, dims + open_
            offset += width
    raise Refused("SV041", "no %r here" % name)


def _place(t, text, offset, dims):
    while isinstance(t, Array):
        dims.append((t.length, t.inner.bits))
        t = t.inner
    if isinstance(t, Leaf):
        return Place(text, t.element, t.width, offset, dims + shape_dims(t.shape, t.width))
    if isinstance(t, _Row) and hasattr(t, "width"):
        return Place(text, holder(t.width), t.width, offset, dims, component=True)
    if isinstance(t, _Row) and hasattr(t, "constant"):
        place = constant_place(t.constant, text)
        place.offset, place.dims = offset, dims + shape_dims(t.shape, 1)
        return place
    raise Refused("SV041", "no leaf at %r" % text)


def read(place, payload):
    """The codes of the elements at a place, row-major (section 4)."""
    number = int.from_bytes(payload, "little")
    codes = []
    for offset in _offsets(place.offset, place.dims):
        if place.constant is not None:
            codes.append(place.constant.codes[offset])
        else:
            codes.append(number >> offset & ((1 << place.width) - 1))
    return codes


def _offsets(offset, dims):
    if any(length == 0 for length, _ in dims):
        return
    if not dims:
        yield offset
        return
    (length, stride), rest = dims[0], dims[1:]
    for i in range(length):
        yield from _offsets(offset + i * stride, rest)


# Identity (docs/HASH.md), of declarations without codecs


def _number(n):
    return (n & (LIMIT - 1)).to_bytes(8, "little")


def _text(data):
    data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")
    return _number(len(data)) + data


def layout_hash(t):
    if isinstance(t, Leaf):
        body = _text("tensor") + _number(t.element) + _number(len(t.shape)) + b"".join(map(_number, t.shape))
    elif isinstance(t, Array):
        body = _text("array") + _number(t.length) + layout_hash(t.inner)
    elif isinstance(t, Packing):
        body = _text("bit_packing") + _number(t.length) + _number(len(t.components))
        body += b"".join(_text(name) + _number(width) for name, width in t.components)
    else:
        body = _text("structure") + _number(len(t.fields))
        for name, inner in t.fields:
            constant = isinstance(inner, tensor.Tensor)
            body += _text(name) + (b"\1" + _tensor(inner) if constant else b"\0" + layout_hash(inner))
    return hashlib.sha256(body).digest()


def _tensor(c):
    body = _number(c.element) + _number(len(c.dims)) + b"".join(map(_number, c.dims))
    if tensor.name(c.element) == "STRING":
        return body + _number(len(c.codes)) + b"".join(map(_text, c.codes))
    width, packed = tensor.WIDTH[c.element], 0
    for i, code in enumerate(c.codes):
        packed |= code << i * width
    return body + _text(packed.to_bytes((len(c.codes) * width + 7) // 8, "little"))


def identity(t):
    """The structural hash of a declaration without codecs (SV049)."""
    return hashlib.sha256(_text("structview 1") + layout_hash(t) + b"\0\0" + _number(0)).hexdigest()


def load(data):
    """A model and its declarations, and the findings of the wire."""
    model, findings = wire.read(data)
    return model, Declarations(model.get("struct_types")), findings
