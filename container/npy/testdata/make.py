# SPDX-License-Identifier: Apache-2.0
"""Writes the samples of this folder with NumPy, and index.json with what they hold."""
import json, os
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
index = {}
ONNX = {"b1": "BOOL", "i1": "INT8", "i2": "INT16", "i4": "INT32", "i8": "INT64", "u1": "UINT8", "u2": "UINT16",
        "u4": "UINT32", "u8": "UINT64", "f2": "FLOAT16", "f4": "FLOAT", "f8": "DOUBLE", "c8": "COMPLEX64", "c16": "COMPLEX128"}


def describe(a):
    kind = a.dtype.kind + str(a.dtype.itemsize)
    return {"type": ONNX[kind], "shape": list(a.shape), "hex": a.astype(a.dtype.newbyteorder("<")).tobytes("C").hex()}


def save(name, a):
    np.save(name, a, allow_pickle=True)
    index[name] = {"arrays": {name[:-4]: describe(a)}, "canonical": a.dtype.byteorder != ">" and a.flags.c_contiguous}


def values(kind, *shape):
    n = int(np.prod(shape))
    if kind == "b1":
        return (np.arange(n) % 3 != 0).reshape(shape)
    v = np.arange(1, n + 1)
    if kind[0] == "i":
        v = v * -3 + 7
    if kind[0] in "fc":
        v = (v * 1.375 - 5)
    if kind[0] == "c":
        v = v + 1j * np.arange(n, 0, -1)
    return v.astype(kind).reshape(shape)


for kind in ONNX:
    save(f"{kind}.npy", values(kind, 2, 3))
for kind in ["i2", "u8", "f2", "f4", "f8", "c8", "c16"]:
    save(f"big-{kind}.npy", values(kind, 2, 3).astype(">" + kind))
save("scalar.npy", np.array(-2.5, "<f4"))
save("vector.npy", values("i4", 5))
save("empty.npy", values("f4", 0, 3))
save("deep.npy", values("u2", 2, 3, 4, 1, 2))
save("fortran.npy", np.asfortranarray(values("i4", 2, 3, 4)))
save("big-fortran.npy", np.asfortranarray(values("f8", 3, 2).astype(">f8")))
save("wide-header.npy", values("i1", *([1] * 19 + [3])))
for version in [(2, 0), (3, 0)]:
    name = f"version{version[0]}.npy"
    with open(name, "wb") as f:
        np.lib.format.write_array(f, values("i8", 3), version=version)
    index[name] = {"arrays": {name[:-4]: describe(values("i8", 3))}, "canonical": False}
members = {"weight": values("f4", 2, 2), "f": np.asfortranarray(values("i2", 2, 3)), "big": values("i4", 2).astype(">i4"), "s": np.array(7, "u1")}
np.savez("stored.npz", **members)
np.savez_compressed("deflated.npz", **members)
for name in ["stored.npz", "deflated.npz"]:
    index[name] = {"arrays": {k: describe(v) for k, v in members.items()}, "canonical": False}
np.save("bad-object.npy", np.array([1, "two", None], dtype=object))
np.save("bad-string.npy", np.array(["one", "two"]))
np.save("bad-record.npy", np.zeros(2, dtype=[("a", "<i2"), ("b", "<f4")]))
np.save("bad-date.npy", np.array(["2026-01-02"], dtype="datetime64[D]"))
with open("index.json", "w") as f:
    json.dump({"numpy": np.__version__, "files": index}, f, indent=1, sort_keys=True)
    f.write("\n")
