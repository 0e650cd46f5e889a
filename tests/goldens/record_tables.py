"""Tables that are written to record files, by MindSpore for the goldens and by msjax in the tests."""

import numpy as np

KEY = "0123456789abcdef"
_ALL = {
    "name": {"type": "string"},
    "label": {"type": "int32"},
    "big": {"type": "int64"},
    "f": {"type": "float32"},
    "score": {"type": "float64"},
    "data": {"type": "bytes"},
    "vec": {"type": "float32", "shape": [2, 2]},
    "ids": {"type": "int64", "shape": [-1]},
    "small": {"type": "int32", "shape": [3]},
}


def _all_rows(count):
    rng = np.random.RandomState(1)
    return [
        {
            "name": f"grüß{i}" + "y" * (i * i * 100 % 700),
            "label": i - 1,
            "big": (-1) ** i * 7**i,
            "f": i / 4,
            "score": i * 0.3,
            "data": bytes([65 + i]) * (i * i * 37 % 900 + 1),
            "vec": rng.rand(2, 2).astype(np.float32),
            "ids": rng.randint(-(2**40), 2**40, i + 1) >> (5 * i % 40),
            "small": np.arange(3, dtype=np.int32) * 100 ** (i % 5),
        }
        for i in range(count)
    ]


def _long_rows(count):
    rng = np.random.RandomState(2)
    return [{"s": "z" * rng.randint(20000), "d": b"q" * rng.randint(1, 20000)} for _ in range(count)]


# name: schema, indexed fields, rows of each call
TABLES = {
    "all": (_ALL, ["name", "label", "score"], [_all_rows(3), _all_rows(9)]),
    "bytes": ({"data": {"type": "bytes"}}, None, [[{"data": b"x" * 20000}, {"data": b"y\0"}, {"data": b"z" * 20000}]]),
    "scalars": (
        {"a": {"type": "int64"}, "f": {"type": "float32"}},
        None,
        [[{"a": (-1) ** i * 2**i, "f": i / 3} for i in range(60)]],
    ),
    "array": ({"a": {"type": "float64", "shape": [3]}}, None, [[{"a": np.arange(3.0) + i} for i in range(4)]]),
    "long": ({"s": {"type": "string"}, "d": {"type": "bytes"}}, ["s"], [_long_rows(3), _long_rows(8), _long_rows(1)]),
    "encrypted": (
        {"label": {"type": "int32"}, "data": {"type": "bytes"}},
        ["label"],
        [[{"label": i, "data": bytes(range(i + 1))} for i in range(3)]],
    ),
}


def write(mindrecord, name, path, shards=1):
    """Write one table with a `mindrecord` package, MindSpore's or msjax's."""
    schema, index, calls = TABLES[name]
    writer = mindrecord.FileWriter(path, shards)
    writer.set_header_size(1 << 15)  # small files: the default header alone has 16 MiB
    writer.set_page_size(1 << 15)
    writer.add_schema(schema, f"table {name}")
    if index:
        writer.add_index(index)
    for rows in calls:
        writer.write_raw_data([dict(row) for row in rows])
    writer.commit()


def saved_columns():
    """Columns that `Dataset.save` writes."""
    return {
        "a": np.arange(6, dtype=np.uint8).reshape(3, 2),
        "b": np.arange(3),
        "c": np.arange(3) / 2,
        "d": np.array(["x", "yy", "z"]),
        "e": np.ones((3, 2, 2), np.float16),
        "g": np.array([True, False, True]),
    }
