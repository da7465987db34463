#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes conformance/cases and the examples in docs/SPEC.md: python3 conformance/generate/generate.py

With --check nothing is written: the exit status is 1 if something would be.

The models that have a text form are turned into binary afterwards:
go test ./conformance -run TestModels -update
"""

import os
import sys

import cases_codec
import cases_external
import cases_layout
import cases_rules
import cases_wire
import examples
from suite import Suite

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "..", "cases")
SPEC = os.path.join(HERE, "..", "..", "docs", "SPEC.md")


def main(check):
    suite = Suite()
    for module in (cases_rules, cases_wire, cases_external, cases_layout, cases_codec):
        module.add(suite)
    with open(SPEC, encoding="utf-8") as f:
        before = f.read()
    spec = examples.fill(before, suite)
    if check:
        stale = suite.stale(CASES) + (["docs/SPEC.md"] if spec != before else [])
        for name in stale:
            print("%s is not what the generator writes" % name)
        return 1 if stale else 0
    suite.write(CASES)
    with open(SPEC, "w", encoding="utf-8") as f:
        f.write(spec)
    print("%d cases" % len(suite.cases))
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
