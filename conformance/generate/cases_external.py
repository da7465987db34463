# SPDX-License-Identifier: Apache-2.0
"""External data: keys, ranges and files (SV022, SV023, SV024, SV052)."""

import hashlib

from cases_rules import graph

FILE = bytes(range(16, 56))  # 40 bytes, all different
FOUR = "struct four {\n  uint8[4] x\n}\n"
SHA1 = hashlib.sha1(FILE).hexdigest()


def keys(**pairs):
    return "[%s]" % ", ".join('"%s": "%s"' % p for p in pairs.items())


def add(suite):
    def check(name, rules, doc, entries, *findings, files=None, text=FOUR, **members):
        files = {"w.bin": FILE} if files is None else files
        suite.check(name, rules, doc, text + graph("four w = " + entries), *findings, files=files, **members)

    ok, range_, place = "SV023", "SV023 error", "SV024 error"
    check("sv023/accepted", ok, "Four bytes at an offset.", keys(location="w.bin", offset="8", length="4"))
    check("sv023/accepted-no-offset", ok, "An offset that is absent is 0.", keys(location="w.bin", length="4"))
    check("sv023/accepted-end", ok, "The last four bytes.", keys(location="w.bin", offset="36", length="4"))
    check("sv023/accepted-zeros", ok, "Numbers may begin with zeros.", keys(location="w.bin", offset="0008", length="04"))
    check("sv023/accepted-checksum", ok, "The SHA-1 of the whole file.", keys(location="w.bin", length="4", checksum=SHA1))
    check("sv023/accepted-checksum-capitals", ok, "The SHA-1 in capital letters.", keys(location="w.bin", length="4", checksum=SHA1.upper()))
    check("sv023/accepted-empty", ok, "No bytes at the end of the file.", keys(location="w.bin", offset="40", length="0"), text="struct four {}\n")
    check("sv023/refused-beyond", ok, "One byte beyond the end.", keys(location="w.bin", offset="37", length="4"), range_)
    check("sv023/refused-empty-beyond", ok, "No bytes, beyond the end of the file.", keys(location="w.bin", offset="41", length="0"), range_, text="struct four {}\n")
    check("sv023/refused-short-file", ok, "A file that is too short.", keys(location="w.bin", length="4"), range_, files={"w.bin": b"123"})
    check("sv023/refused-no-length", ok, "No length.", keys(location="w.bin", offset="8"), range_)
    check("sv023/refused-no-location", ok, "No location.", keys(length="4"), range_)
    check("sv023/refused-other-length", ok, "A length that is not the size.", keys(location="w.bin", length="5"), range_)
    check("sv023/refused-unknown-key", ok, "A key that is unknown.", keys(location="w.bin", length="4", lenght="4"), range_)
    check("sv023/refused-case", ok, "Keys are written in small letters.", keys(location="w.bin", length="4", Offset="0"), range_)
    check("sv023/refused-twice", ok, "A key twice.", '["location": "w.bin", "length": "4", "length": "4"]', range_)
    for name, text in [("plus", "+8"), ("minus", "-8"), ("blank-before", " 8"), ("blank-after", "8 "), ("hexadecimal", "0x8"), ("fraction", "8.0"), ("empty", ""), ("too-large", "18446744073709551616"),
                       ("underscore", "1_0"), ("other-digits", "\u0668")]:
        check("sv023/refused-offset-" + name, ok, "The offset %r." % text, keys(location="w.bin", offset=text, length="4"), range_)
    check("sv023/refused-length-plus", ok, "A length with a sign.", keys(location="w.bin", length="+4"), range_)
    check("sv023/refused-wrapped", ok, "An offset and a length whose sum is 2^64.", keys(location="w.bin", offset="18446744073709551612", length="4"), range_)
    check("sv023/refused-largest-offset", ok, "An offset of 2^64-1.", keys(location="w.bin", offset="18446744073709551615", length="4"), range_)
    check("sv023/refused-checksum", ok, "The SHA-1 of another file.", keys(location="w.bin", length="4", checksum="0" * 40), range_)
    check("sv023/refused-checksum-form", ok, "A checksum of 39 digits.", keys(location="w.bin", length="4", checksum="0" * 39), range_)
    check("sv023/refused-checksum-letters", ok, "A checksum with other letters.", keys(location="w.bin", length="4", checksum="g" * 40), range_)
    check("sv022/refused-both", "SV022", "Four bytes in the message, and four in a file.", 'hex "01020304" ' + keys(location="w.bin", length="4"), "SV022 error")

    good = keys(location="w.bin", length="4")
    check("sv024/accepted-folder", "SV024", "A file in a folder below.", keys(location="d/w.bin", length="4"), files={"d/w.bin": FILE})
    check("sv024/accepted-dots", "SV024", "Two dots within a name.", keys(location="a..b.bin", length="4"), files={"a..b.bin": FILE})
    check("sv024/accepted-two-dots-first", "SV024", "Two dots at the beginning of a name.", keys(location="..w", length="4"), files={"..w": FILE})
    check("sv024/accepted-dot", "SV024", "The folder itself in the way.", keys(location="./w.bin", length="4"))
    check("sv024/accepted-up-and-down", "SV024", "A way that does not leave the folder.", keys(location="d/../w.bin", length="4"), files={"w.bin": FILE, "d/other.bin": FILE})
    check("sv024/refused-missing", "SV024", "There is no such file.", keys(location="v.bin", length="4"), place)
    check("sv024/refused-missing-checksum", "SV024", "There is no such file, of which a checksum is given.", keys(location="v.bin", length="4", checksum=SHA1), place)
    for name, location, doc in [
        ("parent", "../w.bin", "A file beside the folder."), ("parent-later", "d/../../w.bin", "A way that leaves the folder."), ("absolute", "/w.bin", "An absolute name."),
        ("empty", "", "An empty name."), ("drive", "C:\\\\w.bin", "A drive, and a backslash."), ("drive-slash", "C:/w.bin", "A drive."), ("drive-relative", "C:w.bin", "A drive."), ("backslash", "d\\\\w.bin", "A backslash."),
        ("nul", "w.bin\\u0000x", "A NUL."), ("dot", ".", "The folder itself."), ("two-dots", "..", "The folder above."), ("slash", "w.bin/", "A slash at the end."),
    ]:
        check("sv024/refused-" + name, "SV024", doc, keys(location=location, length="4"), place)
    made = lambda **step: [step]
    check("sv024/refused-is-folder", "SV024", "A folder.", good, place, files={"other.bin": FILE}, setup=made(make="folder", path="w.bin"))
    check("sv024/refused-fifo", "SV024", "A FIFO, which must not be waited for.", good, place, files={"other.bin": FILE}, setup=made(make="fifo", path="w.bin"), needs=["fifo"])
    check("sv024/refused-symlink", "SV024", "A symbolic link to a file beside it.", good, place, files={"v.bin": FILE}, setup=made(make="symlink", path="w.bin", target="v.bin"), needs=["links"])
    check("sv024/refused-symlink-out", "SV024", "A symbolic link that leaves the folder.", good, place, files={"v.bin": FILE}, setup=made(make="symlink", path="w.bin", target="../w.bin"), needs=["links"])
    check("sv024/refused-symlink-between", "SV024", "A symbolic link in the middle of the way.", keys(location="d/w.bin", length="4"), place, files={"e/w.bin": FILE}, setup=made(make="symlink", path="d", target="e"), needs=["links"])
    check("sv024/refused-dangling", "SV024", "A symbolic link to nothing.", good, place, files={"v.bin": FILE}, setup=made(make="symlink", path="w.bin", target="nothing"), needs=["links"])
    check("sv024/refused-device", "SV024", "A symbolic link to a device.", good, place, files={"v.bin": FILE}, setup=made(make="symlink", path="w.bin", target="/dev/zero"), needs=["links"])
    check("sv024/refused-hard-link", "SV024", "A file of two names.", good, place, files={"v.bin": FILE}, setup=made(make="hardlink", path="w.bin", target="v.bin"), needs=["links"])
    check("sv024/refused-file-as-folder", "SV024", "A file where a folder is expected.", keys(location="w.bin/x", length="4"), place)

    def two(name, doc, first, second, *findings, text=FOUR + "\nstruct eight {\n  uint8[8] x\n}\n", types=("four", "four")):
        values = ["%s %s = %s" % (t, n, e) for t, n, e in zip(types, "ab", (first, second))]
        suite.check("sv052/" + name, "SV052", doc, text + graph(*values), *findings, files={"w.bin": FILE, "v.bin": FILE})

    at = lambda offset, location="w.bin", length="4": keys(location=location, offset=offset, length=length)
    two("accepted", "Two ranges, one after the other.", at("0"), at("4"))
    two("accepted-shared", "The same range twice.", at("4"), at("4"))
    two("accepted-other-file", "Ranges of two files.", at("0"), at("2", "v.bin"))
    two("warned", "The last byte of one range is the first of the next.", at("0"), at("3"), "SV052 warning")
    two("warned-inside", "A range within another.", at("2"), at("0", length="8"), "SV052 warning", types=("four", "eight"))
    two("warned-same-begin", "Two ranges of one beginning.", at("0"), at("0", length="8"), "SV052 warning", types=("four", "eight"))
    two("warned-other-name", "One file by two names.", at("0"), at("2", "./w.bin"), "SV052 warning")
    suite.check("sv052/warned-initializer", "SV052", "A structured value and an initializer.", FOUR + graph("four a = " + at("0"), "uint8[4] b = " + at("2")), "SV052 warning", files={"w.bin": FILE})
    suite.check("sv030/warned-external", "SV030", "A BOOL of 2 in a file.", "struct flag {\n  bool b\n}\n" + graph("flag w = " + keys(location="w.bin", offset="1", length="1")), "SV030 warning", files={"w.bin": b"\0\2\1"})
