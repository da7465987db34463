# SPDX-License-Identifier: Apache-2.0
"""Checks whole models: docs/SPEC.md, sections 2, 3 and 6, as far as no codec has to be understood.

check() returns a set of findings: (rule, severity).
"""

import hashlib
import os
import posixpath
import stat

import structview
import tensor
from structview import LIMIT, Refused

DOMAIN = "structview"


class Checker:
    def __init__(self, model, declarations, findings, folder):
        self.model, self.declarations, self.findings, self.folder = model, declarations, findings, folder
        self.ranges = []  # (location, offset, length, structured)

    def error(self, rule):
        self.findings.append((rule, "error"))

    def warn(self, rule):
        self.findings.append((rule, "warning"))

    def run(self):
        self.findings += self.declarations.findings
        for p, t in zip(self.declarations.entries, self.declarations.types):
            self.codecs(p, t)
        self.graph(self.model.get("graph"), [])
        for training in self.model.get("training_info"):
            self.graph(training.get("initialization"), [])
            self.graph(training.get("algorithm"), [])
        for function in self.model.get("functions"):
            self.function(function)
        self.overlaps()
        self.counts()
        for i, t in enumerate(self.declarations.types):
            if t is not None and t.bits % 8 and i not in self.declarations.used:
                self.warn("SV021")

    def counts(self):
        """What the model was written with (SV057)."""
        graph = self.model.get("graph")
        found = {"structview.declarations": len(self.declarations.entries),
                 "structview.values": len(graph.get("struct_initializer")) if graph else 0}
        for p in self.model.get("metadata_props"):
            if p.get("key") in found and p.get("value") != str(found[p.get("key")]):
                self.warn("SV057")

    def codecs(self, p, t):
        """The codecs of a root, as far as names tell (SV040, SV011, SV042)."""
        for name in ("decoder", "encoder"):
            function = p.get(name)
            if function is None:
                continue
            if name == "decoder" and len(function.get("output")) != 1:
                self.error("SV040")
            if t is not None:
                named = set(function.get("input"))
                if name == "encoder":
                    named.update(function.get("output"))
                for place in structview.leaves(t):
                    if place.path in named:
                        self.bound(place)
            self.function(function)

    def bound(self, place):
        if place.component and place.element == 0:
            self.error("SV011")
        elif any(length >= 1 << 63 for length, _ in place.dims):
            self.error("SV042")

    # graphs

    def graph(self, g, outer):
        if g is None:
            return
        infos = g.get("input") + g.get("output") + g.get("value_info")
        scope = outer + [self.roots(infos, g.get("node"), g.get("struct_initializer"))]
        for info in infos:
            self.static(info.get("type"))
        self.names(g)
        for v in g.get("struct_initializer"):
            self.value(v)
        for t in g.get("initializer"):
            self.tensor_range(t)
        self.nodes(g.get("node"), scope)

    def function(self, f):
        for info in f.get("value_info"):
            self.static(info.get("type"))
        self.nodes(f.get("node"), [self.roots(f.get("value_info"), f.get("node"), [])])

    def nodes(self, nodes, scope):
        for node in nodes:
            if node.get("domain") == DOMAIN:
                self.operator(node, scope)
            for a in node.get("attribute"):
                self.static(a.get("tp"))
                for t in a.get("type_protos"):
                    self.static(t)
                self.graph(a.get("g"), scope)
                for g in a.get("graphs"):
                    self.graph(g, scope)

    def static(self, t):
        """A static type of a graph (SV004, SV006, SV008, SV021)."""
        while t is not None:
            inner = {"sequence_type": "elem_type", "optional_type": "elem_type", "map_type": "value_type"}.get(t.which("value"))
            if inner is None:
                break
            t = t.get(t.which("value")).get(inner)
        p = t and t.get("struct_type")
        if not p:
            return
        kind = p.which("kind")
        if kind not in (None, "type_index"):
            self.error("SV004")
            return
        structview.extras(p, self.findings)
        if kind == "type_index":
            named = self.declarations.entry(p.get("type_index"), self.findings)
            self.declarations.used.add(p.get("type_index"))
            if named is not None and named.bits % 8:
                self.error("SV021")

    # operators

    def roots(self, infos, nodes, values):
        """What declaration each structured value of a graph has, by name."""
        found, entries = {}, self.declarations.entries
        for info in infos:
            p = info.get("type") and info.get("type").get("struct_type")
            if p and p.which("kind") == "type_index":
                found[info.get("name")] = p.get("type_index")
        for node in nodes:
            if node.get("domain") == DOMAIN and node.get("op_type") == "Encode" and node.get("output"):
                found[node.get("output")[0]] = _type_index(node)
        for v in values:
            found[v.get("name")] = v.get("struct_type") or v.get("type")
        return {name: entries[p] if isinstance(p, int) and 0 <= p < len(entries) else p for name, p in found.items()}

    def operator(self, node, scope):
        if node.get("op_type") == "Decode" and node.get("input"):
            name = node.get("input")[0]
            root = next((s[name] for s in reversed(scope) if name in s), None)
            if root is not None and not isinstance(root, int) and not root.has("decoder"):
                self.error("SV053")
        if node.get("op_type") == "Encode":
            index = _type_index(node)
            if index is None:
                self.error("SV053")
            elif not 0 <= index < len(self.declarations.entries):
                self.error("SV008")
            else:
                self.declarations.used.add(index)
                if not self.declarations.entries[index].has("encoder"):
                    self.error("SV053")

    # values

    def names(self, g):
        taken = {t.get("name") for t in g.get("initializer")}
        taken.update(t.get("values").get("name") for t in g.get("sparse_initializer") if t.get("values"))
        for v in g.get("struct_initializer"):
            if v.get("name") == "" or v.get("name") in taken:
                self.error("SV050")
            taken.add(v.get("name"))

    def value(self, v):
        before = len(self.findings)
        t = self.declarations.of_value(v, self.findings)
        if v.get("struct_type") is not None:
            self.codecs(v.get("struct_type"), t)
        payload, external = v.get("raw_data"), v.get("external_data")
        if payload and external:
            self.error("SV022")
        if external:
            payload = self.external(v, t)
        elif t is not None:
            self.length(t, len(payload), "SV022")
        if t is not None and payload is not None and len(self.findings) == before and len(payload) * 8 == t.bits:
            self.bools(t, payload)

    def length(self, t, length, rule):
        if t.bits % 8:
            self.error("SV021")
        elif length * 8 != t.bits:
            self.error(rule)
        else:
            return True
        return False

    def bools(self, t, payload):
        """Bytes of BOOL elements that are neither 0 nor 1 (SV030)."""
        if len(payload) * 8 != t.bits:
            return
        for place in structview.leaves(t):
            if place.constant is None and tensor.name(place.element) == "BOOL" and not place.component:
                if any(code > 1 for code in structview.read(place, payload)):
                    self.warn("SV030")
                    return

    # external data

    def external(self, v, t):
        """Checks where the payload lies, and returns it if it can be read (SV023, SV024)."""
        found = self.keys(v.get("external_data"))
        if found is None or t is not None and not self.length(t, found["length"], "SV023"):
            return None
        location, offset, end = found["location"], found["offset"], found["offset"] + found["length"]
        if not local(location):
            self.error("SV024")
            return None
        if end >= LIMIT:
            self.error("SV023")
            return None
        try:
            data = read_file(self.folder, location)
        except OSError:
            self.error("SV024")
            return None
        if end > len(data):
            self.error("SV023")
            return None
        self.ranges.append((posixpath.normpath(location), offset, found["length"], True))
        if "checksum" in found and hashlib.sha1(data).hexdigest() != found["checksum"].lower():
            self.error("SV023")
        return data[offset:end]

    def keys(self, entries):
        """The entries of external_data, None if one is wrong."""
        found, good = {"offset": 0}, True
        seen = set()
        for entry in entries:
            key, text = entry.get("key"), entry.get("value")
            if key in seen or key not in ("location", "offset", "length", "checksum"):
                good = False
            elif key in ("offset", "length") and not decimal(text):
                good = False
            elif key == "checksum" and not (len(text) == 40 and set(text) <= set("0123456789abcdefABCDEF")):
                good = False
            else:
                found[key] = int(text) if key in ("offset", "length") else text
            seen.add(key)
        if not good or not {"location", "length"} <= seen:
            self.error("SV023")
            return None
        return found

    def tensor_range(self, t):
        """The range of an ordinary external tensor, for SV052 alone."""
        if t.get("data_location") != 1:
            return
        found = {e.get("key"): e.get("value") for e in t.get("external_data")}
        offset, length = found.get("offset", "0"), found.get("length", "0")
        if "location" in found and decimal(offset) and decimal(length):
            self.ranges.append((posixpath.normpath(found["location"]), int(offset), int(length), False))

    def overlaps(self):
        """Ranges of one file that overlap partly (SV052)."""
        for i, (file, offset, length, structured) in enumerate(self.ranges):
            for other, begin, size, also in self.ranges[:i]:
                overlap = min(offset + length, begin + size) > max(offset, begin)
                if file == other and overlap and (offset, length) != (begin, size) and (structured or also):
                    self.warn("SV052")


def _type_index(node):
    for a in node.get("attribute"):
        if a.get("name") == "type_index" and a.get("type") in (0, 2):
            return a.get("i")
    return None


def decimal(text):
    return text != "" and set(text) <= set("0123456789") and int(text) < LIMIT


def local(location):
    """Whether a location is one by its name (SV024)."""
    clean = posixpath.normpath(location) if location else "."
    drive = location[1:2] == ":" and location[0].isascii() and location[0].isalpha()
    return not ("\0" in location or "\\" in location or location.startswith("/") or drive or location.endswith("/") or
                clean in (".", "..") or clean.startswith("../"))


def read_file(folder, location):
    """The bytes of a regular file below a folder, reached without links; OSError otherwise."""
    parts = posixpath.normpath(location).split("/")
    at = folder
    for part in parts[:-1]:
        at = os.path.join(at, part)
        if not stat.S_ISDIR(os.lstat(at).st_mode):
            raise OSError("%s is no folder" % at)
    at = os.path.join(at, parts[-1])
    before = os.lstat(at)
    if not stat.S_ISREG(before.st_mode) or before.st_nlink > 1:
        raise OSError("%s is no file with one name" % at)
    with open(at, "rb") as f:
        after = os.fstat(f.fileno())
        if (after.st_dev, after.st_ino) != (before.st_dev, before.st_ino):
            raise OSError("%s was exchanged" % at)
        return f.read()


def check(data, folder):
    """The findings of a model file's bytes; external data is looked for in folder."""
    model, declarations, findings = structview.load(data)
    Checker(model, declarations, findings, folder).run()
    return set(findings)


# static types (SV051)


def accepts(declarations, static, value):
    """Whether a static type (a TypeProto) accepts a value: a StructProto, or {"sequence": […]},
    {"optional": value or None}, {"map": {"key": name, "values": […]}}, {"tensor": {"element": name, "dims": […]}}."""
    kind = static.which("value")
    inner = kind and static.get(kind)
    if kind == "struct_type":
        return _accepts_struct(declarations, inner, value)
    if not isinstance(value, dict):
        return False
    if kind == "sequence_type" and "sequence" in value:
        return all(accepts(declarations, inner.get("elem_type"), v) for v in value["sequence"])
    if kind == "optional_type" and "optional" in value:
        return value["optional"] is None or accepts(declarations, inner.get("elem_type"), value["optional"])
    if kind == "map_type" and "map" in value:
        keys = tensor.name(inner.get("key_type")) == value["map"]["key"]
        return keys and all(accepts(declarations, inner.get("value_type"), v) for v in value["map"]["values"])
    if kind == "tensor_type" and "tensor" in value:
        return _accepts_tensor(inner, value["tensor"])
    return False


def _accepts_struct(declarations, static, value):
    if isinstance(value, dict):
        return False
    kind = static.which("kind")
    if kind == "type_index" and value.get("type") != static.get("type_index"):
        return False
    if kind not in (None, "type_index"):
        return False
    return declarations.of_value(value, []) is not None


def _accepts_tensor(static, value):
    if tensor.name(static.get("elem_type")) != value["element"]:
        return False
    if static.get("shape") is None:
        return True
    dims = static.get("shape").get("dim")
    return len(dims) == len(value["dims"]) and all(
        d.which("value") != "dim_value" or d.get("dim_value") == int(n) for d, n in zip(dims, value["dims"]))
