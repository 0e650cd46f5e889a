"""Changed files: bytes, lengths, whole parts, and what lies inside archives, compressed files and JSON, packed again so that it is reached."""

import gzip
import io
import json
import struct
import warnings
import zipfile
import zlib

NUMBERS = (
    b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\x00\x00\x00\x80",
    bytes(8),
    struct.pack("<Q", 1 << 40),
    struct.pack(">Q", 1 << 40),
    b"\x80" * 12,
    struct.pack("<d", float("nan")),
)
VALUES = (
    None,
    True,
    -1,
    0,
    1 << 31,
    1 << 63,
    1 << 100,
    1e308,
    float("nan"),
    "",
    "x" * 300,
    "\x00",
    "../../../etc/passwd",
    "os.system",
    [],
    {},
    [[]],
    [None] * 3,
)


def mutated(content, rng, others):
    """The content, changed.

    Args:
        content (bytes): a valid file. rng (Random): where all choices come from. others (Sequence[bytes]): files to take parts from.
    """
    deep = _deep(content)
    if deep is not None and rng.random() < 0.6:
        return deep(content, rng, others)
    return _bytes(content, rng, others)


def _bytes(content, rng, others):
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        size = len(data)
        at = (
            rng.randrange(size + 1) if rng.random() < 0.6 else rng.randrange(min(size, 300) + 1)
        )  # headers stand in front
        kind = rng.randrange(9)
        if kind == 0 and size:
            data[at % size] ^= 1 << rng.randrange(8)
        elif kind == 1 and size:
            data[at % size] = rng.randrange(256)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at : at + rng.randrange(1, 40)]
        elif kind == 4:
            data[at:at] = data[max(at - 30, 0) : at + rng.randrange(60)]
        elif kind == 5:
            number = rng.choice(NUMBERS)
            data[at : at + len(number)] = number
        elif kind == 6:
            data[at:at] = rng.choice(NUMBERS)
        elif kind == 7:
            other = rng.choice(others)
            start = rng.randrange(len(other) + 1)
            data[at : at + rng.randrange(64)] = other[start : start + rng.randrange(200)]
        else:
            other = rng.choice(others)  # the begin of one file, the rest of another
            data[:at] = other[: rng.randrange(min(len(other), 400) + 1)]
    return bytes(data)


def _deep(content):
    """The function that changes what lies inside, or None where nothing does."""
    if content[:2] == b"PK":
        return _zip
    if content[:2] == b"\x1f\x8b":
        return _gzip
    if content[:1] == b"x" and _inflated(content) is not None:
        return _zlib
    if content[:1] in (b"{", b"["):
        return _json
    if content[8:9] == b"{" and len(content) > 16:
        return _json_behind_its_length
    return None


def _inflated(content):
    try:
        return zlib.decompress(content)
    except zlib.error:
        return None


def _zip(content, rng, others):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    where = rng.randrange(len(members))
    name, inner = members[where]
    kind, method = rng.randrange(6), zipfile.ZIP_STORED
    if kind <= 2:
        members[where] = name, mutated(inner, rng, others)
    elif kind == 3:
        members[where] = rng.choice(("", "..", "/etc/passwd", name + "x", "\x00", name.upper())), inner
    elif kind == 4:
        members.append((name, rng.choice(others)))
    else:
        members[where], method = (name, inner + bytes(1 << 22)), zipfile.ZIP_DEFLATED
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", method) as archive:
        warnings.filterwarnings("ignore", "Duplicate name")  # which some of these files have
        archive._didModify = True
        seen = set()
        for name, data in members:
            if name not in seen or kind == 4:
                archive.writestr(zipfile.ZipInfo(name), data, method)
            seen.add(name)
    made = bytearray(out.getvalue())
    if rng.random() < 0.2:  # sizes and methods in the list of members
        at = made.rfind(b"PK\x01\x02")
        field, size = rng.choice(((10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (42, 4)))
        if at >= 0:
            made[at + field : at + field + size] = bytes(rng.randrange(256) for _ in range(size))
    return bytes(made)


def _gzip(content, rng, others):
    try:
        inner = gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return _bytes(content, rng, others)
    return gzip.compress(mutated(inner, rng, others), 1)


def _zlib(content, rng, others):
    return zlib.compress(mutated(_inflated(content), rng, others), 1)


def _json(content, rng, others):
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return _bytes(content, rng, others)
    for _ in range(rng.choice((1, 1, 2, 4))):
        tree = _tree(tree, rng)
    return json.dumps(tree).encode()


def _tree(tree, rng):
    """The tree with one value, key or item changed."""
    if not isinstance(tree, (dict, list)) or not tree or rng.random() < 0.15:
        return rng.choice(VALUES)
    made = dict(tree) if isinstance(tree, dict) else list(tree)
    key = rng.choice(list(made)) if isinstance(made, dict) else rng.randrange(len(made))
    kind = rng.random()
    if kind < 0.1:
        del made[key]
    elif kind < 0.2 and isinstance(made, dict):
        made[rng.choice((key + "x", "", "class", "object", "array", "__class__"))] = made.pop(key)
    elif kind < 0.2:
        made.append(made[key])
    elif kind < 0.22:
        made[key] = json.loads("[" * 900 + "]" * 900)
    else:
        made[key] = _tree(made[key], rng)
    return made


def _json_behind_its_length(content, rng, others):
    size = struct.unpack("<Q", content[:8])[0]
    if size > len(content):
        return _bytes(content, rng, others)
    text = _json(content[8 : 8 + size].rstrip(b"\x00 "), rng, others)
    if len(text) <= size or rng.random() < 0.5:
        rest = content[8 + size :]
        if len(text) < size:
            rest = bytes(size - len(text)) + rest  # what follows stays where it was
        return struct.pack("<Q", len(text)) + text + rest
    return struct.pack("<Q", len(text)) + text + content[8 + len(text) :]
