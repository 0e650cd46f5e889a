"""Golden files are text: one line a case, sorted by name, so a change of one case is a change of one line.

A line is a JSON list: the names of the groups that the case is in, the name of the case, and what was recorded:

    ["ops.abs|arr(3)", {"out": {"array": "Float32", "shape": [3], "values": [1.5, 0.25, 0.1]}}]

Values of an array stand in order of their indices. A float is the shortest decimal number that gives back the same bits; `bits` holds, by
position, the bits of what no decimal number gives (a NaN with a sign). A complex number is two values, a truth value 0 or 1. Arrays whose
text would be longer than `LONGEST` characters are their bytes: `zlib`, in base64.

`read(name)` gives nested dicts by these names, `write(name, data)` writes them.
"""

import base64
import functools
import json
import pathlib
import zlib

import numpy as np

GOLDENS = pathlib.Path(__file__).resolve().parent / "goldens"
LONGEST = 20_000
_STORED_AS = {"bfloat16": "float32"}  # which NumPy lacks


def _number_type(name):
    kind = np.dtype(_STORED_AS.get(name.lower(), name.lower()))
    return kind, np.dtype(f"f{kind.itemsize // 2}") if kind.kind == "c" else kind


def array_record(array, name=None):
    """The plain data of an array; `name` is MindSpore's name of its dtype, if it was a Tensor."""
    array = np.asarray(array, order="C")
    name = name or str(array.dtype)
    if array.dtype.kind == "U":
        return {"array": name, "shape": list(array.shape), "values": array.reshape(-1).tolist()}
    kind, part = _number_type(name)
    assert kind == array.dtype, f"{name} is recorded as {array.dtype}"
    flat = array.reshape(-1).view(part)
    if part.kind == "f":
        values = [float(str(value)) for value in flat]
    else:
        values = [int(value) for value in flat]
    record = {"array": name, "shape": list(array.shape), "values": values}
    again, unsigned = np.array(values, part), f"u{part.itemsize}"
    lost = np.flatnonzero(again.view(unsigned) != flat.view(unsigned))
    if lost.size:
        record["bits"] = {str(i): f"{flat.view(unsigned)[i]:0{2 * part.itemsize}x}" for i in lost}
    if len(json.dumps(record["values"])) > LONGEST:
        packed = zlib.compress(array.astype(array.dtype.newbyteorder("<")).tobytes(), 9)
        record = {"array": name, "shape": list(array.shape), "zlib": base64.b64encode(packed).decode()}
    return record


def _decoded(found):
    """An array for its record (for a Tensor's: name of the dtype, array); other dicts as they are."""
    if "array" not in found:
        return found
    name = found["array"]
    if name.startswith("<U"):
        return np.array(found["values"], name).reshape(found["shape"])
    kind, part = _number_type(name)
    if "zlib" in found:
        flat = np.frombuffer(zlib.decompress(base64.b64decode(found["zlib"])), kind.newbyteorder("<")).astype(kind)
    else:
        flat = np.array(found["values"], part)
        for position, bits in found.get("bits", {}).items():
            flat.view(f"u{part.itemsize}")[int(position)] = int(bits, 16)
    array = flat.view(kind).reshape(found["shape"])
    return (name, array) if name[0].isupper() else array


def lines(name):
    """The lines of goldens/`name`.jsonl, with their arrays."""
    text = (GOLDENS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line, object_hook=_decoded) for line in text.split("\n") if line]


@functools.cache
def read(name):
    """{name of the case: what was recorded} of goldens/`name`.jsonl; with groups, dicts of such dicts."""
    found = {}
    for *groups, case, recorded in lines(name):
        inner = found
        for group in groups:
            inner = inner.setdefault(group, {})
        assert case not in inner, f"{name}.jsonl holds {case} twice"
        inner[case] = recorded
    return found


def _flat(data, groups):
    for name, value in data.items():
        if groups and isinstance(value, dict) and value:
            yield from ([name, *rest] for rest in _flat(value, groups - 1))
        else:
            yield [name, value]


def write(name, data, groups=0):
    """Write goldens/`name`.jsonl: {name: plain data or NumPy arrays}, or dicts of such dicts in so many levels of groups."""
    path = GOLDENS / f"{name}.jsonl"
    rows = sorted(_flat(data, groups), key=lambda row: row[:-1])
    text = [json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=array_record) for row in rows]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} kB, {len(text)} cases")
