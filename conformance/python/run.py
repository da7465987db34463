#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the conformance cases that need no codec: python3 conformance/python/run.py conformance/cases

Prints every case that fails and, last, "N passed, N failed"; exits 1 if a case failed.
"""

import json
import math
import os
import shutil
import sys
import tempfile

import check
import structview
import tensor
import wire


class Skip(Exception):
    """The system lacks what a case needs."""


def differs(what, expected, found):
    return [] if expected == found else ["%s: expected %s, found %s" % (what, expected, found)]


def run_check(case, folder, data):
    try:
        found = sorted("%s %s" % f for f in check.check(data, folder))
    except wire.Malformed as e:
        return [] if case.get("malformed") else ["malformed: %s" % e]
    if case.get("malformed"):
        return ["expected a malformed file, found %s" % found]
    return differs("findings", sorted(set(case["findings"])), found)


def root_of(case, data):
    model, declarations, _ = structview.load(data)
    root = case["root"]
    if isinstance(root, int):
        return declarations.types[root]
    for v in model.get("graph").get("struct_initializer"):
        if v.get("name") == root:
            return declarations.of_value(v, [])
    raise KeyError(root)


def run_layout(case, folder, data):
    t = root_of(case, data)
    faults = differs("size", case["size"], str(t.bits))
    if "leaves" in case:
        found = [describe(place) for place in structview.leaves(t)]
        faults += differs("number of leaves", len(case["leaves"]), len(found))
        for want, got in zip(case["leaves"], found):
            faults += differs("leaf", want, got)
    return faults


def describe(place):
    dims = [str(length) for length, _ in place.dims]
    leaf = {"path": place.path, "element": tensor.name(place.element), "dims": dims}
    if place.constant is not None:
        leaf["constant"] = True
        return leaf
    if place.component:
        leaf["component"] = True
    leaf["width"] = str(place.width)
    if "0" not in dims:  # otherwise there is no element to be anywhere
        leaf["offset"], leaf["strides"] = str(place.offset), [str(stride) for _, stride in place.dims]
    return leaf


def run_read(case, folder, data):
    t = root_of(case, data)
    payload = bytes.fromhex(case["payload"])
    faults = differs("payload", t.bits, len(payload) * 8)
    for want in case["reads"]:
        try:
            place = structview.locate(t, want["path"])
        except structview.Refused as refused:
            faults += differs(want["path"], want.get("refused"), refused.rule)
            continue
        if "refused" in want:
            faults.append("%s: expected %s, found a leaf" % (want["path"], want["refused"]))
            continue
        faults += elements(want, place, structview.read(place, payload))
    return faults


def elements(want, place, codes):
    path = want["path"]
    faults = differs(path + " dims", want["dims"], [str(length) for length, _ in place.dims])
    faults += differs(path + " element", want["element"], tensor.name(place.element))
    if "strings" in want:
        return faults + differs(path, want["strings"], [c.decode("utf-8") for c in codes])
    faults += differs(path + " bits", want["bits"], ["0x%x" % c for c in codes])
    if "values" in want:
        found = [tensor.number_of(place.element, c) for c in codes]
        if not all(map(same, want["values"], found)):
            faults.append("%s: expected %s, found %s" % (path, want["values"], found))
    return faults


def same(text, value):
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, int):
        return int(text) == value
    number = float(text)
    if math.isnan(value):
        return math.isnan(number)
    return number == value and math.copysign(1, number) == math.copysign(1, value)


def run_accepts(case, folder, data):
    model, declarations, _ = structview.load(data)
    graph = model.get("graph")
    static = next(i.get("type") for i in graph.get("input") if i.get("name") == case["static"])
    values = {v.get("name"): v for v in graph.get("struct_initializer")}
    found = check.accepts(declarations, static, in_memory(case["value"], values))
    return differs("accepted", case["accepted"], found)


def in_memory(value, values):
    """A value as the index describes it, with the structured values of the model in it."""
    if value is None:
        return None
    (kind, inner), = value.items()
    if kind == "struct":
        return values[inner]
    if kind == "sequence":
        return {"sequence": [in_memory(v, values) for v in inner]}
    if kind == "optional":
        return {"optional": in_memory(inner, values)}
    if kind == "map":
        return {"map": {"key": inner["key"], "values": [in_memory(v, values) for v in inner["values"]]}}
    return value


def run_hash(case, folder, data):
    return differs("hash", case["hash"], structview.identity(root_of(case, data)))


KINDS = {"check": run_check, "layout": run_layout, "read": run_read, "accepts": run_accepts, "hash": run_hash}


def prepare(case, cases, into):
    """Copies the folder of a case and makes what cannot be shipped; returns the model's folder."""
    folder = os.path.join(into, os.path.dirname(case["model"]))
    shutil.copytree(os.path.join(cases, os.path.dirname(case["model"])), folder)
    for step in case["setup"]:
        path = os.path.join(folder, *step["path"].split("/"))
        target = step.get("target", "")
        try:
            if step["make"] == "folder":
                os.mkdir(path)
            elif step["make"] == "symlink":
                os.symlink(target, path)
            elif step["make"] == "hardlink":
                os.link(os.path.join(folder, *target.split("/")), path)
            elif step["make"] == "fifo":
                os.mkfifo(path)
            else:
                raise KeyError(step["make"])
        except (OSError, AttributeError, NotImplementedError) as e:
            raise Skip(str(e))
    return folder


def run(case, cases):
    with open(os.path.join(cases, case["model"]), "rb") as f:
        data = f.read()
    if "setup" not in case:
        return KINDS[case["kind"]](case, os.path.join(cases, os.path.dirname(case["model"])), data)
    with tempfile.TemporaryDirectory() as into:
        return KINDS[case["kind"]](case, prepare(case, cases, into), data)


def main(cases):
    sys.setrecursionlimit(20000)
    with open(os.path.join(cases, "index.json"), encoding="utf-8") as f:
        index = json.load(f)
    passed = failed = skipped = 0
    for case in index["cases"]:
        if "codec" in case.get("needs", []):
            continue
        try:
            faults = run(case, cases)
        except Skip as e:
            print("%s: skipped: %s" % (case["name"], e))
            skipped += 1
            continue
        except Exception as e:  # a fault of this reader
            faults = ["%s: %s" % (type(e).__name__, e)]
        for fault in faults:
            print("%s: %s" % (case["name"], fault))
        passed, failed = passed + (not faults), failed + bool(faults)
    more = ", %d skipped" % skipped if skipped else ""
    print("%d passed, %d failed%s" % (passed, failed, more))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "conformance/cases"))
