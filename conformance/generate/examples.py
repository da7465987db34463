# SPDX-License-Identifier: Apache-2.0
"""Copies cases into SPEC.md, as examples."""

import re

_BLOCK = re.compile(r"(<!-- cases ([^>]*) -->\n)(```\n.*?\n```\n)?", re.S)


def fill(spec, suite):
    """Returns the page with the examples that its comments name."""
    return _BLOCK.sub(lambda m: m.group(1) + _examples(suite, m.group(2).split()), spec)


def _examples(suite, names):
    cases = {c["name"]: c for c in suite.cases}
    return "```\n%s\n```\n" % "\n\n".join(_example(suite, cases[name]) for name in names)


def _example(suite, case):
    lines = ["# %s" % case["name"], "# %s" % case["doc"]]
    if "text" in case:
        text = suite.files[case["text"]].decode()
        lines += re.sub(r'^<ir_version: 13, opset_import: \["": 26\]>\n\n', "", text).rstrip("\n").split("\n")
    else:
        lines.append(_wrapped(suite.files[case["model"]]))
    return "\n".join(lines + ["# => " + line for line in _outcome(case)])


def _wrapped(data):
    return "\n".join(data[i:i + 32].hex(" ") for i in range(0, len(data), 32))


def _outcome(case):
    kind = case["kind"]
    if kind == "check":
        yield ", ".join(case["findings"]) or "accepted"
    elif kind == "layout":
        yield "%s bits" % case["size"]
        for leaf in case["leaves"]:
            if "offset" in leaf:
                yield "%s: %s[%s], %s bits each, from bit %s, strides [%s]" % (
                    leaf["path"], leaf["element"], ", ".join(leaf["dims"]), leaf["width"], leaf["offset"], ", ".join(leaf["strides"]))
    elif kind == "read":
        yield "payload %s" % case["payload"]
        for read in case["reads"]:
            yield "%s: %s" % (read["path"], read.get("refused") or _elements(read))
    elif kind == "accepts":
        yield "the value %s is %s" % (_value(case["value"]), "accepted" if case["accepted"] else "refused, SV051")
    elif kind == "codec":
        yield "payload %s" % case["payload"]
        yield "decoded: %s" % _elements(case["decode"])
    else:
        yield case["hash"]


def _elements(e):
    return "%s[%s] = %s" % (e["element"], ", ".join(e["dims"]), ", ".join(e.get("values") or e["bits"]))


def _value(value):
    (kind, inner), = value.items()
    if kind == "sequence":
        return "sequence of " + ", ".join(_value(v) for v in inner)
    return inner if kind == "struct" else kind
