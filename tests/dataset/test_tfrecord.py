"""TFRecord files: what the golden cases of test_sources do not cover - shuffles, limits, errors, schemas, messages."""

import json
import struct

import numpy as np
import pytest
from source_files import example, put, tfrecord

import msjax as ms
import msjax.dataset as ds
from msjax.mindrecord import tfrecord as records


def rows_of(dataset):
    return list(dataset.create_tuple_iterator(num_epochs=1, output_numpy=True))


def numbers(dataset):
    return [int(row[0].reshape(-1)[0]) for row in rows_of(dataset)]


@pytest.fixture
def files(tmp_path):
    """Three files of the numbers 0..4, 5..8, 9..11."""
    parts = {"a": range(5), "b": range(5, 9), "c": range(9, 12)}
    return [
        put(str(tmp_path), f"{name}.tfrecord", tfrecord(*(example(one=i, s=f"t{i}", f=[i / 2, 1.0]) for i in part)))
        for name, part in parts.items()
    ]


def test_shuffles(files):
    ds.config.set_seed(7)
    one = ds.TFRecordDataset(files, columns_list=["one"], shuffle=False, num_parallel_workers=1)
    assert numbers(one) == list(range(12))
    mixed = numbers(ds.TFRecordDataset(files, columns_list=["one"]))
    assert sorted(mixed) == list(range(12)) != mixed
    by_file = ds.TFRecordDataset(files, columns_list=["one"], shuffle=ds.Shuffle.FILES, num_parallel_workers=1)
    runs = set()
    iterator = by_file.create_tuple_iterator(num_epochs=12, output_numpy=True)
    for _ in range(12):
        runs.add(tuple(int(row[0][0]) for row in iterator))
    parts = [tuple(range(5)), tuple(range(5, 9)), tuple(range(9, 12))]
    assert len(runs) > 1 and all(
        sorted(run) == list(range(12)) and all(str(part)[1:-1] in str(run) for part in parts) for run in runs
    )


@pytest.mark.parametrize("equal", [True, False])
def test_shards_cover_all_rows(files, equal):
    parts = [
        numbers(
            ds.TFRecordDataset(
                files, columns_list=["one"], shuffle=False, num_shards=3, shard_id=i, shard_equal_rows=equal
            )
        )
        for i in range(3)
    ]
    assert [len(part) for part in parts] == ([4, 4, 4] if equal else [5, 4, 3])
    assert sorted(sum(parts, [])) == list(range(12))
    assert len(numbers(ds.TFRecordDataset(files, columns_list=["one"], num_shards=3, shard_id=1, num_samples=2))) == 2


def test_more_shards_than_files_are_refused(files):
    with pytest.raises(RuntimeError, match="numbers of tfrecord file: 3, num_shards: 4"):
        ds.TFRecordDataset(files, num_shards=4, shard_id=0)
    assert (
        len(numbers(ds.TFRecordDataset(files, columns_list=["one"], num_shards=4, shard_id=0, shard_equal_rows=True)))
        == 3
    )


def test_schema_object(files):
    schema = ds.Schema()
    schema.add_column("one", ms.int32, [])
    schema.add_column("s", ms.string)
    schema.add_column("f", "float64", [2, 1])
    one, s, f = rows_of(ds.TFRecordDataset(files[0], schema=schema, shuffle=False))[3]
    assert (one.dtype, one.shape, int(one)) == (np.int32, (), 3)
    assert s.tolist() == ["t3"] and f.dtype == np.float64 and f.tolist() == [[1.5], [1.0]]


@pytest.mark.parametrize(
    "name, kind, shape, match",
    [
        ("nope", "int64", None, "Feature name: nope is required in schema but could not be found"),
        ("one", "string", None, "the actual type: int64, but the predefined type: string"),
        ("s", "float32", None, "the actual type: string, but the predefined type: float32"),
        ("f", "float32", [3], "Column shape of f defined in schema does not match"),
    ],
)
def test_records_that_do_not_fit_the_schema(files, name, kind, shape, match):
    schema = ds.Schema()
    schema.add_column(name, kind, shape)
    with pytest.raises(RuntimeError, match=match) as error:
        rows_of(ds.TFRecordDataset(files[0], schema=schema, shuffle=False))
    assert files[0] in str(error.value)


@pytest.mark.parametrize("cut", [3, 15, 30, -1])
def test_truncated_files(tmp_path, cut):
    path = put(str(tmp_path), "t", tfrecord(example(one=1), example(one=2))[:cut])
    with pytest.raises(RuntimeError, match=f"Invalid TFRecord file: {path}"):
        rows_of(ds.TFRecordDataset(path, shuffle=False))
    with pytest.raises(RuntimeError, match="A TFRecord file without compression was expected there"):
        records.count_records(path)


def test_other_bad_files(tmp_path, files):
    with pytest.raises(RuntimeError, match="with GZIP compression was expected"):
        rows_of(ds.TFRecordDataset(files[0], compression_type="GZIP"))
    with pytest.raises(RuntimeError, match="not an Example message"):
        rows_of(ds.TFRecordDataset(put(str(tmp_path), "x", tfrecord(b"\x0a\xff\xff")), shuffle=False))
    with pytest.raises(RuntimeError, match="there is no record"):
        rows_of(ds.TFRecordDataset(put(str(tmp_path), "empty", b"")))
    with pytest.raises(RuntimeError, match="failed to find column name: nope"):
        rows_of(ds.TFRecordDataset(files, columns_list=["nope"]))
    with pytest.raises(ValueError, match="'compression_type' must be"):
        ds.TFRecordDataset(files, compression_type="LZ4")
    with pytest.raises(ValueError, match="did not match any files"):
        ds.TFRecordDataset("/none/*.tfrecord")
    with pytest.raises(TypeError, match="'dataset_files' must be"):
        ds.TFRecordDataset(3)


def test_messages_that_other_writers_make():
    packed = records.parse_example(example(i=[5, -1, 2**62], f=[0.5], b=["x"]))
    assert packed["i"][1].tolist() == [5, -1, 2**62] and packed["f"][1].tolist() == [0.5]

    def sized(number, data):
        return bytes([number << 3 | 2, len(data)]) + data

    loose = b"\x08\x05\x08\x07"  # integers one by one, not packed
    floats = b"\x0d" + struct.pack("<f", 2.5) + b"\x0d" + struct.pack("<f", 1.0)
    unknown = sized(9, b"later field") + b"\x50\x01"
    message = unknown + sized(
        1,
        b"".join(
            sized(1, sized(1, name) + sized(2, value))
            for name, value in (
                (b"i", sized(3, loose)),
                (b"f", sized(2, floats)),
                (b"none", b""),
                (b"no list", sized(3, b"")),
            )
        ),
    )
    features = records.parse_example(message)
    assert features["i"][1].tolist() == [5, 7] and features["f"][1].tolist() == [2.5, 1.0]
    assert features["none"] == (None, []) and features["no list"][1].tolist() == []
    assert list(records.parse_example(message, {"f"})) == ["f"]


# --- Schema -----------------------------------------------------------------------------------------------------------


def test_schema_as_text():
    schema = ds.Schema()
    schema.add_column("b", ms.int32, [3])
    schema.add_column("e", "float16")
    schema.parse_columns([{"name": "a", "type": "int8", "shape": [3, 2]}])
    schema.parse_columns({"z": {"type": "string", "rank": 0}})
    columns = [
        {"name": "b", "rank": 1, "shape": [3], "type": "int32"},
        {"name": "e", "rank": 1, "type": "float16"},
        {"name": "a", "rank": 2, "shape": [3, 2], "type": "int8"},
        {"name": "z", "rank": 0, "shape": [], "type": "string"},
    ]
    assert json.loads(str(schema)) == json.loads(schema.to_json()) == {"columns": columns}
    again = ds.Schema()
    again.from_json({"datasetType": "TF", "numRows": 3, "columns": columns})
    assert again.columns == schema.columns and ds.Schema.get_num_rows(again) == 3


def test_schema_file(tmp_path):
    path = put(
        str(tmp_path),
        "s.json",
        json.dumps(
            {
                "datasetType": "TF",
                "numRows": 7,
                "columns": {"b": {"type": "int64", "rank": 1, "t_impl": "flex"}, "a": {"type": "bool"}},
            }
        ),
    )
    assert list(ds.Schema(path).columns) == ["a", "b"] and ds.Schema.get_num_rows(path) == 7
    with pytest.raises(ValueError, match="file that exists and can be read.*nope"):
        ds.Schema(path + "nope")
    with pytest.raises(RuntimeError, match="failed to parse"):
        ds.Schema(put(str(tmp_path), "bad.json", "{"))


@pytest.mark.parametrize(
    "error, match, call",
    [
        (TypeError, "Unknown column type", lambda s: s.add_column("x", "foo")),
        (TypeError, "'name' must be a str that is not empty", lambda s: s.add_column("", ms.int32)),
        (TypeError, "'name' must be a str", lambda s: s.add_column(3, ms.int32)),
        (TypeError, "'de_type' must be", lambda s: s.add_column("x", None)),
        (TypeError, "shape", lambda s: s.add_column("x", "int8", (1,))),
        (RuntimeError, "must be a dict or a list", lambda s: s.parse_columns(5)),
        (RuntimeError, "type is missing", lambda s: s.parse_columns({"a": {"shape": [1]}})),
        (RuntimeError, "Unknown field a", lambda s: s.from_json({"a": 1})),
        (RuntimeError, "Columns are missing", lambda s: s.from_json({"numRows": 1})),
        (RuntimeError, "numRows must be greater", lambda s: s.from_json({"columns": {}, "numRows": 0})),
    ],
)
def test_schema_refuses(error, match, call):
    with pytest.raises(error, match=match):
        call(ds.Schema())
