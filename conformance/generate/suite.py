# SPDX-License-Identifier: Apache-2.0
"""Collects cases and writes their files."""

import json
import os
import shutil

HEADER = '<ir_version: 13, opset_import: ["": 26]>\n\n'


class Suite:
    def __init__(self):
        self.cases, self.files = [], {}

    def add(self, name, kind, rules, doc, text=None, binary=None, files=None, **members):
        """One case. text is the model without its header; binary is the model's bytes if no text can say it."""
        assert name not in [c["name"] for c in self.cases], name
        case = {"name": name, "kind": kind, "rules": rules.split(), "doc": doc, "model": name + ".onnx"}
        if files is not None or "setup" in members:
            case["model"] = name + "/model.onnx"
        stem = case["model"][:-len(".onnx")]
        if text is not None:
            case["text"] = stem + ".onnxtxt"
            header = "" if text.startswith("<") else HEADER
            self.files[case["text"]] = (header + text.strip() + "\n").encode()
        if binary is not None:
            self.files[case["model"]] = binary
        for path, data in (files or {}).items():
            self.files[name + "/" + path] = data
        case.update(members)
        self.cases.append(case)

    def check(self, name, rules, doc, text, *findings, **members):
        self.add(name, "check", rules, doc, text, findings=sorted(findings), **members)

    def everything(self):
        """All files, by their paths, but for the binary form of models that have a text form."""
        for case in self.cases:
            assert "text" in case or case["model"] in self.files, case["name"]
        entries = ",\n\n".join(_entry(c) for c in self.cases)
        index = '{\n"version": 1,\n"cases": [\n\n%s\n\n]\n}\n' % entries
        return {**self.files, "index.json": index.encode("utf-8")}

    def write(self, into):
        if os.path.isdir(into):
            shutil.rmtree(into)
        for path, data in self.everything().items():
            path = os.path.join(into, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(data)

    def stale(self, folder):
        """The files that are not as they would be written, and those that would not be there."""
        wanted, stale = self.everything(), []
        compiled = {c["model"] for c in self.cases if "text" in c}
        for path, data in wanted.items():
            try:
                with open(os.path.join(folder, path), "rb") as f:
                    same = f.read() == data
            except OSError:
                same = False
            if not same:
                stale.append(path)
        for at, _, names in os.walk(folder):
            for name in names:
                path = os.path.relpath(os.path.join(at, name), folder).replace(os.sep, "/")
                if path not in wanted and path not in compiled:
                    stale.append(path)
        return sorted(stale)


def _entry(case):
    lines = []
    for key, value in case.items():
        if key in ("leaves", "reads"):
            inner = ",\n".join("    " + json.dumps(v, ensure_ascii=False) for v in value)
            lines.append('  "%s": [%s]' % (key, "\n" + inner + "\n  " if value else ""))
        else:
            lines.append('  "%s": %s' % (key, json.dumps(value, ensure_ascii=False)))
    return "{\n%s\n}" % ",\n".join(lines)
