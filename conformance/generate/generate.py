#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes conformance/cases: python3 conformance/generate/generate.py

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
from suite import Suite


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    suite = Suite()
    for module in (cases_rules, cases_wire, cases_external, cases_layout, cases_codec):
        module.add(suite)
    suite.write(os.path.join(here, "..", "cases"))
    print("%d cases" % len(suite.cases))


if __name__ == "__main__":
    sys.exit(main())
