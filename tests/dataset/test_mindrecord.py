"""Record files: those of MindSpore read here, ours are the same bytes, and what is refused."""

import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import threading
import zipfile

import numpy as np
import pytest
import record_tables
from source_files import describe_rows

import msjax.dataset as ds
from msjax import mindrecord
from msjax.mindrecord import FileReader, FileWriter, MindPage, cipher, codec, crypt, save_rows

ZIP = pathlib.Path(__file__).parents[1] / "goldens" / "records.zip"
NAMES = sorted(set(record_tables.TABLES) - {"encrypted"})


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """A folder with the files that MindSpore wrote."""
    folder = tmp_path_factory.mktemp("theirs")
    with zipfile.ZipFile(ZIP) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def key():
    """The key of the encrypted file, for one test."""
    mindrecord.set_enc_key(record_tables.KEY)
    yield record_tables.KEY
    mindrecord.set_enc_key(None)
    mindrecord.set_enc_mode()
    mindrecord.set_dec_mode(None)


def same(value, other):
    return np.array_equal(value, other) and getattr(value, "dtype", None) == getattr(other, "dtype", None)


def plain_rows(name):
    return [row for rows in record_tables.TABLES[name][2] for row in rows]


def rows_of(dataset):
    return list(dataset.create_tuple_iterator(num_epochs=1, output_numpy=True))


def dump(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


def write(path, rows, schema, **sizes):
    writer = FileWriter(str(path))
    for name, size in sizes.items():
        getattr(writer, f"set_{name}_size")(size)
    writer.add_schema(schema)
    writer.write_raw_data(rows)
    writer.commit()
    return str(path)


@pytest.fixture
def numbers(tmp_path):
    """Two shards of ten numbered rows in three classes."""
    writer = FileWriter(str(tmp_path / "n.mindrecord"), 2)
    writer.add_schema({"a": {"type": "int32"}, "label": {"type": "int32"}})
    writer.add_index(["label"])
    writer.write_raw_data([{"a": i, "label": i % 3} for i in range(10)])
    writer.commit()
    return [str(tmp_path / f"n.mindrecord{i}") for i in range(2)]


# --- the format -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_their_files_read_here(name, theirs):
    rows = list(FileReader(str(theirs / name)).get_next())
    assert len(rows) == len(plain_rows(name))
    for row, expected in zip(rows, plain_rows(name)):
        assert row.keys() == expected.keys()
        for field, value in expected.items():
            assert same(row[field], np.reshape(value, row[field].shape) if isinstance(value, np.ndarray) else value)


@pytest.mark.parametrize("name", [*NAMES, "saved"])
def test_mind_dataset_gives_mindspores_arrays(name, theirs):
    expected = json.loads((theirs / "expected.json").read_text())[name]
    dataset = ds.MindDataset(str(theirs / name), shuffle=False)
    assert dataset.get_col_names() == expected["columns"]
    assert describe_rows(rows_of(dataset)) == expected["rows"]


@pytest.mark.parametrize("name", NAMES)
def test_our_files_are_the_same_bytes(name, theirs, tmp_path):
    record_tables.write(mindrecord, name, str(tmp_path / name))
    assert (tmp_path / name).read_bytes() == (theirs / name).read_bytes()
    assert dump(tmp_path / f"{name}.db") == dump(theirs / f"{name}.db")


def test_mindspore_reads_our_files(tmp_path, mindspore_python):
    record_tables.write(mindrecord, "all", str(tmp_path / "all"), shards=3)
    code = (
        "import sys; from mindspore.mindrecord import FileReader;print(sorted(row['label'] for row in "
        "FileReader(sys.argv[1]).get_next()))"
    )
    out = subprocess.run(
        [mindspore_python, "-c", code, str(tmp_path / "all0")], capture_output=True, text=True, check=True
    )
    assert json.loads(out.stdout.splitlines()[-1]) == sorted(row["label"] for row in plain_rows("all"))


def test_append_equals_writing_at_once(theirs, tmp_path):
    schema, index, calls = record_tables.TABLES["all"]
    record_tables.write(mindrecord, "all", str(tmp_path / "all"))
    whole = (tmp_path / "all").read_bytes()
    (tmp_path / "all").unlink(), (tmp_path / "all.db").unlink()
    writer = FileWriter(str(tmp_path / "all"))
    writer.set_header_size(1 << 15), writer.set_page_size(1 << 15)
    writer.add_schema(schema, "table all")
    writer.add_index(index)
    writer.write_raw_data(calls[0])
    writer.commit()
    writer = FileWriter.open_for_append(str(tmp_path / "all"))
    writer.write_raw_data(calls[1])
    writer.commit()
    assert (tmp_path / "all").read_bytes() == whole


def test_shards_share_the_rows(tmp_path):
    writer = FileWriter(str(tmp_path / "s"), 3)
    writer.add_schema({"a": {"type": "int32"}})
    for i in range(7):  # one row at a time still fills all shards
        writer.write_raw_data([{"a": i}])
    writer.commit()
    assert [FileReader([str(tmp_path / f"s{i}")]).len() for i in range(3)] == [3, 2, 2]
    reader = FileReader(str(tmp_path / "s1"))  # one shard stands for all
    assert sorted(row["a"] for row in reader.get_next()) == list(range(7))
    assert [row["a"] for row in FileReader([str(tmp_path / "s2")]).get_next()] == [2, 5]


def test_parallel_writer_gives_each_list_to_one_shard(tmp_path):
    writer = FileWriter(str(tmp_path / "p"), 2)
    writer.add_schema({"a": {"type": "int32"}})
    for start in (0, 10):
        writer.write_raw_data([{"a": start + i} for i in range(3)], parallel_writer=True)
    writer.commit()
    assert [[row["a"] for row in FileReader([str(tmp_path / f"p{i}")]).get_next()] for i in (0, 1)] == [
        [0, 1, 2],
        [10, 11, 12],
    ]
    with pytest.raises(RuntimeError, match="must be consistent"):
        writer.write_raw_data([{"a": 1}])


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        [127, 128],
        [-128, -129],
        [32767, 32768, -32769],
        [2**31 - 1, 2**31],
        [-(2**31), -(2**31) - 1],
        [2**62, -(2**63), 0],
        [],
    ],
)
def test_integers_are_packed_and_unpacked(values):
    array = np.array(values, np.int64)
    assert same(codec.unpack_integers(codec.pack_integers(array), "int64"), array)


@pytest.mark.parametrize(
    "value",
    [
        0,
        127,
        128,
        255,
        256,
        65536,
        2**32,
        2**63,
        -1,
        -32,
        -33,
        -129,
        -40000,
        -(2**33),
        0.5,
        0.1,
        float("inf"),
        1e300,
        "",
        "x" * 31,
        "x" * 32,
        "x" * 300,
        "é" * 70000,
        True,
        None,
    ],
)
def test_message_pack_round_trip(value):
    assert codec.unpack(codec.pack_map({"k": value, "a": 1})) == {"k": value, "a": 1}


def test_damaged_rows_are_refused():
    with pytest.raises(ValueError, match="damaged"):
        codec.unpack(codec.pack_map({"k": "long text"})[:-3])
    with pytest.raises(ValueError, match="cut short"):
        codec.unpack_integers(codec.pack_integers([1, 300])[:-1], "int64")


# --- reading ----------------------------------------------------------------------------------------------------------


def test_reader_columns_and_schema(theirs):
    reader = FileReader(str(theirs / "all"), columns=["label", "data"])
    assert [sorted(row) for row in reader.get_next()] == [["data", "label"]] * 12
    assert list(reader.schema()) == sorted(record_tables.TABLES["all"][0])
    assert reader.len() == 12
    reader.close()
    with pytest.raises(RuntimeError, match="'?nope'? can not found in schema"):
        FileReader(str(theirs / "all"), columns=["nope"])
    with pytest.raises(mindrecord.ParamTypeError, match="'columns' expect list type"):
        FileReader(str(theirs / "all"), columns="label")


def test_mind_page(theirs):
    pages = MindPage(str(theirs / "all"))
    assert pages.candidate_fields == ["name", "label", "score"]
    pages.category_field = "label"
    info = json.loads(pages.read_category_info())
    assert info["key"] == "label_0"
    assert [(entry["name"], entry["count"]) for entry in info["categories"][:3]] == [("-1", 2), ("0", 2), ("1", 2)]
    assert [row["label"] for row in pages.read_at_page_by_name("1", 0, 5)] == [1, 1]
    assert [row["label"] for row in pages.read_at_page_by_id(2, 1, 1)] == [1]
    for error, match, call in (
        (mindrecord.MRMDefineCategoryError, "not a candidate", lambda: setattr(pages, "category_field", "big")),
        (mindrecord.ParamTypeError, "category_fields", lambda: setattr(pages, "category_field", 3)),
        (mindrecord.ParamValueError, "num_row", lambda: pages.read_at_page_by_id(0, 0, 0)),
        (RuntimeError, "category_name: 99", lambda: pages.read_at_page_by_name("99", 0, 1)),
    ):
        with pytest.raises(error, match=match):
            call()


def test_missing_and_damaged_files_are_named(tmp_path, theirs):
    with pytest.raises(RuntimeError, match="nope is not exists, the file can not be found"):
        FileReader(str(tmp_path / "nope"))
    (tmp_path / "bad").write_bytes(b"x" * 100)
    with pytest.raises(RuntimeError, match="bad.db is not exists|header is larger"):
        FileReader(str(tmp_path / "bad"))
    (tmp_path / "bad.db").write_bytes(b"x" * 100)
    with pytest.raises(RuntimeError, match="header is larger"):
        FileReader(str(tmp_path / "bad"))
    data = (theirs / "all").read_bytes()
    (tmp_path / "all").write_bytes(data[: len(data) - 200])
    (tmp_path / "all.db").write_bytes((theirs / "all.db").read_bytes())
    with pytest.raises(RuntimeError, match="cut short"):
        list(FileReader(str(tmp_path / "all")).get_next())
    with pytest.raises(ValueError, match="file that exists and can be read.*nope"):
        ds.MindDataset(str(tmp_path / "nope"))


def test_rows_are_read_from_many_threads(theirs):
    records = mindrecord.RecordSet(str(theirs / "all"))
    expected = [records.row(i)["name"] for i in range(12)]
    found = [None] * 8

    def read(slot):
        found[slot] = [records.row(i)["name"] for i in range(12)]

    threads = [threading.Thread(target=read, args=(slot,)) for slot in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


# --- writing ----------------------------------------------------------------------------------------------------------

INT = {"a": {"type": "int32"}}


@pytest.mark.parametrize(
    "error, match, schema",
    [
        ("MRMInvalidSchemaError", "empty", {}),
        ("MRMInvalidSchemaError", "should be dict", [1]),
        ("MRMInvalidSchemaError", "composed of", {"a b": {"type": "int32"}}),
        ("MRMInvalidSchemaError", "illegal attribute 'int16'", {"a": {"type": "int16"}}),
        ("MRMInvalidSchemaError", "illegal attributes", {"a": {"type": "int32", "x": 1}}),
        ("MRMInvalidSchemaError", "illegal attribute 'string'", {"a": {"type": "string", "shape": [1]}}),
        ("MRMInvalidSchemaError", "illegal attribute '3'", {"a": {"type": "int32", "shape": 3}}),
    ],
)
def test_bad_schemas(error, match, schema, tmp_path):
    with pytest.raises(getattr(mindrecord, error), match=match):
        FileWriter(str(tmp_path / "f")).add_schema(schema)


@pytest.mark.parametrize(
    "error, match, call",
    [
        ("ParamValueError", "must be a str that is not empty", lambda path: FileWriter("")),
        ("ParamValueError", "in the name of the file", lambda path: FileWriter("a?b")),
        ("ParamValueError", "end with '/'", lambda path: FileWriter("a/")),
        ("ParamValueError", "an int in .1, 1000., but got .0.", lambda path: FileWriter(path, 0)),
        ("ParamValueError", "overwrite", lambda path: FileWriter(path, overwrite=1)),
        (RuntimeError, "header size: 100 should be in range", lambda path: FileWriter(path).set_header_size(100)),
        (RuntimeError, "divided by four", lambda path: FileWriter(path).set_header_size(16385)),
        (RuntimeError, "page size: 1 should be in range", lambda path: FileWriter(path).set_page_size(1)),
        (RuntimeError, "schema is not found", lambda path: FileWriter(path).write_raw_data([{"a": 1}])),
        ("MRMGetMetaError", "meta info", lambda path: FileWriter(path).add_index(["a"])),
        (RuntimeError, "Invalid dir", lambda path: write(path + "/no/f", [{"a": 1}], INT)),
        (RuntimeError, "no valid data", lambda path: write(path, [{"a": "text"}], INT)),
        (
            RuntimeError,
            "too small to save a blob row",
            lambda path: write(path, [{"a": b"x" * 40000}], {"a": {"type": "bytes"}}, page=32768),
        ),
        ("ParamTypeError", "raw_data", lambda path: write(path, {"a": 1}, INT)),
        ("ParamTypeError", "raw_data item", lambda path: write(path, [1], INT)),
    ],
)
def test_what_the_writer_refuses(error, match, call, tmp_path):
    with pytest.raises(error if isinstance(error, type) else getattr(mindrecord, error), match=match):
        call(str(tmp_path / "f"))


def test_writer_order_of_calls(tmp_path):
    path = write(tmp_path / "f", [{"a": 1}], INT)
    with pytest.raises(RuntimeError, match="already exist"):
        write(path, [{"a": 2}], INT)
    writer = FileWriter(path, overwrite=True)
    writer.add_schema(INT)
    with pytest.raises(mindrecord.MRMAddSchemaError):
        writer.add_schema(INT)
    with pytest.raises(RuntimeError, match="'index_fields': b can not found"):
        writer.add_index(["b"])
    writer.add_index(["a"])
    with pytest.raises(RuntimeError, match="a is added repeatedly"):
        writer.add_index(["a"])
    writer.write_raw_data([{"a": 2}])
    writer.commit()
    with pytest.raises(RuntimeError, match="flushed MindRecord files"):
        writer.write_raw_data([{"a": 3}])
    assert [row["a"] for row in FileReader(path).get_next()] == [2]


def test_rows_that_do_not_fit_are_left_out(tmp_path, caplog):
    schema = {"a": {"type": "int32"}, "v": {"type": "float32", "shape": [2]}}
    good = {"a": 1, "v": np.zeros(2, np.float32)}
    bad = [{"a": "x", "v": good["v"]}, {"a": 2}, {"a": 3, "v": np.zeros(2)}, {"a": 4, "v": np.zeros(3, np.float32)}]
    path = write(tmp_path / "f", [bad[0], good, *bad[1:]], schema)
    assert [row["a"] for row in FileReader(path).get_next()] == [1]
    assert len(caplog.records) == 4


def test_a_failed_shard_is_not_committed(tmp_path):
    writer = FileWriter(str(tmp_path / "f"))
    writer.set_page_size(1 << 15)
    writer.add_schema({"a": {"type": "bytes"}})
    writer.check_all_worker_status()
    with pytest.raises(RuntimeError, match="too small to save"):
        writer.write_raw_data([{"a": b"x" * 40000}])
    for call in (writer.commit, lambda: writer.write_raw_data([{"a": b"x"}])):
        with pytest.raises(RuntimeError, match="stopped abnormally"):
            call()
    writer.close()


def test_empty_file_has_no_rows(tmp_path):
    writer = FileWriter(str(tmp_path / "f"))
    writer.add_schema(INT)
    writer.commit()
    assert FileReader(str(tmp_path / "f")).len() == 0


# --- encryption -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 16, 17, 100000])
@pytest.mark.parametrize("mode", cipher.MAGIC)
def test_encryption_round_trip(size, mode):
    data = np.random.RandomState(size).bytes(size)
    frame = cipher.encrypt(data, b"k" * 16, mode)
    assert cipher.decrypt(frame, b"k" * 16, mode) == data
    assert cipher.decrypt(frame, b"q" * 16, mode) != data
    assert cipher.decrypt(frame[:-1] if size else frame[:10], b"k" * 16, mode) is None
    assert all(cipher.decrypt(frame, b"k" * 16, other) is None for other in cipher.MAGIC if other != mode)


def test_frame_of_an_earlier_version_reads():
    frame = bytes.fromhex(
        "d85e3a7f7ec30ec558af52e21574167dbf69c35e2600000010000000a501c6942a5caff32e343ff8969f759f0e0000007ac5be974ff15e131b01bf332270"
    )
    assert cipher.decrypt(frame, b"0123456789012345") == b"written before"


def test_missing_library_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(ImportError, match=r"pip install 'msjax\[crypto\]'"):
        cipher.encrypt(b"", b"k" * 16)


def test_their_encrypted_file_reads_here(theirs, key):
    dataset = ds.MindDataset([str(theirs / "encrypted")], shuffle=False)
    assert [row[0].tobytes() for row in rows_of(dataset)] == [bytes(range(i + 1)) for i in range(3)]
    reader = FileReader(str(theirs / "encrypted"))
    assert [row["label"] for row in reader.get_next()] == [0, 1, 2]
    reader.close()
    del dataset


def test_encrypted_files_leave_no_plain_copy(tmp_path, key):
    path = write(tmp_path / "f", [{"a": 1}], INT, header=1 << 14, page=1 << 15)
    assert (tmp_path / "f").read_bytes().endswith(b"AES-GCMENCRYPT")
    reader = FileReader(path)
    assert [row["a"] for row in reader.get_next()] == [1]
    assert (tmp_path / crypt._FOLDER).exists()
    reader.close()
    assert not (tmp_path / crypt._FOLDER).exists()
    mindrecord.set_enc_key("q" * 16)
    with pytest.raises(RuntimeError, match="Failed to decrypt"):
        FileReader(path)
    mindrecord.set_enc_key(None)
    with pytest.raises(RuntimeError, match="is encrypted"):
        FileReader(path)
    assert sorted(os.listdir(tmp_path)) == ["f", "f.db"]


def test_plain_file_with_a_key_is_refused(theirs, key):
    with pytest.raises(RuntimeError, match="is not encrypted"):
        FileReader(str(theirs / "all"))
    with pytest.raises(RuntimeError, match="automatic sharding"):
        FileWriter("f", 2)


def test_own_encryption(tmp_path, key):
    def flip(stream, size, out, secret):
        out.write(bytes(b ^ 1 for b in stream.read(size)))

    def unflip(stream, size, out, secret):
        data = stream.read(size)
        out.write(bytes(b ^ 1 for b in data[:-11]))  # a length of 0 and the name of the mode stand behind the data

    mindrecord.set_enc_mode(flip)
    with pytest.raises(RuntimeError, match="define custom decryption"):
        crypt.get_dec_mode()
    mindrecord.set_dec_mode(unflip)
    path = write(tmp_path / "f", [{"a": 7}], INT, header=1 << 14, page=1 << 15)
    assert (tmp_path / "f").read_bytes().endswith(b"UDF-ENCENCRYPT")
    assert [row["a"] for row in FileReader(path).get_next()] == [7]


@pytest.mark.parametrize(
    "call, value",
    [
        (mindrecord.set_enc_key, 3),
        (mindrecord.set_enc_key, "short"),
        (mindrecord.set_enc_mode, 3),
        (mindrecord.set_dec_mode, "DES"),
    ],
)
def test_settings_are_checked(call, value):
    with pytest.raises(ValueError):
        call(value)


# --- MindDataset ------------------------------------------------------------------------------------------------------


def values(numbers, **arguments):
    return [
        int(row[0])
        for row in rows_of(ds.MindDataset(arguments.pop("files", numbers[0]), columns_list=["a"], **arguments))
    ]


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ({}, list(range(10))),
        ({"num_samples": 4}, [0, 1, 2, 3]),
        ({"num_shards": 2, "shard_id": 1}, [1, 3, 5, 7, 9]),
        ({"num_shards": 3, "shard_id": 1}, [1, 4, 7, 0]),
        ({"num_shards": 4, "shard_id": 3}, [3, 7, 1]),
        ({"num_shards": 2, "shard_id": 1, "num_samples": 3}, [1, 3, 5]),
        ({"num_padded": 2, "padded_sample": {"a": 77}}, [*range(10), 77, 77]),
        ({"num_padded": 2, "padded_sample": {"a": 77}, "num_shards": 4, "shard_id": 3}, [3, 7, 77]),
    ],
)
def test_sampling_is_mindspores(arguments, expected, numbers):
    assert values(numbers, shuffle=False, **arguments) == expected


@pytest.mark.parametrize("padded, shards", [(1, 4), (2, 5), (3, 2)])
def test_rows_with_padded_ones_fill_the_shards(padded, shards, numbers):
    dataset = ds.MindDataset(numbers, ["a"], num_padded=padded, padded_sample={"a": 77}, num_shards=shards, shard_id=0)
    for look in (dataset.get_dataset_size, lambda: list(dataset.create_tuple_iterator())):
        with pytest.raises(RuntimeError, match="cannot be divided"):
            look()


@pytest.mark.parametrize(
    "column, value",
    [
        ("number", np.array([1])),
        ("number", 1.5),
        ("number", 2**40),
        ("number", b"1"),
        ("number", None),
        ("number", np.int32(4)),
        ("real", "s"),
        ("real", [1.0]),
        ("name", b"q"),
        ("array", 3),
        ("array", [1, 2]),
        ("array", "abc"),
        ("blob", "abc"),
        ("blob", 3),
    ],
)
def test_padded_samples_are_refused(column, value, tmp_path):
    row = {"number": 1, "real": 1.0, "name": "x", "array": np.array([4, 5]), "blob": b"z"}
    writer = FileWriter(str(tmp_path / "one"), 1)
    writer.add_schema(
        {
            "number": {"type": "int32"},
            "real": {"type": "float64"},
            "name": {"type": "string"},
            "array": {"type": "int64", "shape": [-1]},
            "blob": {"type": "bytes"},
        }
    )
    writer.write_raw_data([row])
    writer.commit()

    def read(sample):
        return rows_of(
            ds.MindDataset(str(tmp_path / "one"), list(row), padded_sample=sample, num_padded=1, shuffle=False)
        )

    assert len(read(row)) == len(read({**row, "number": "3", "real": 3, "name": 1.5})) == 2
    with pytest.raises(RuntimeError, match="padded_sample"):
        read({**row, column: value})


def test_samplers(numbers):
    assert values(numbers, sampler=ds.SequentialSampler(2, 3)) == [2, 3, 4]
    assert values(numbers, sampler=ds.SubsetSampler([5, 1])) == [5, 1]
    assert values(numbers, sampler=ds.DistributedSampler(3, 1, shuffle=False)) == [1, 4, 7, 0]
    assert [i % 3 for i in values(numbers, sampler=ds.PKSampler(2))] == [0, 0, 1, 1, 2, 2]
    with pytest.raises(ValueError, match="sampler that MindRecord files support"):
        values(numbers, sampler=ds.WeightedRandomSampler([1] * 10))
    with pytest.raises(RuntimeError, match="'class_column': nope can not found"):
        values(numbers, sampler=ds.PKSampler(2, class_column="nope"))


@pytest.mark.parametrize("mode", [*ds.Shuffle, True, None])
def test_shuffles(mode, numbers):
    ds.config.set_seed(5)
    got = values(numbers, shuffle=mode)
    assert sorted(got) == list(range(10))
    if mode is ds.Shuffle.FILES:
        assert got in ([*range(10)], [*range(5, 10), *range(5)])
    elif mode is ds.Shuffle.INFILE:
        assert set(got[:5]) == set(range(5)) and got[:5] + got[5:] != list(range(10))
    elif mode is ds.Shuffle.FALSE:
        assert got == list(range(10))
    else:
        assert got != list(range(10))
    shards = [values(numbers, shuffle=mode, num_shards=2, shard_id=i) for i in range(2)]
    assert sorted(shards[0] + shards[1]) == list(range(10))


@pytest.mark.parametrize("arguments, first, second", [
    ({}, "1870562934", "8269143057"),
    ({"shuffle": ds.Shuffle.INFILE}, "4013295687", "1402369578"),
    ({"shuffle": ds.Shuffle.FILES}, "5678901234", "0123456789"),
    ({"shuffle": ds.Shuffle.PARTIAL}, "6325017489", None),
    ({"num_shards": 2, "shard_id": 1}, "80694", "67932"),
    ({"shuffle": ds.Shuffle.PARTIAL, "num_shards": 2, "shard_id": 1}, "46820", "06842"),
    ({"shuffle": ds.Shuffle.PARTIAL, "num_samples": 7}, "9160785", "7069815"),
    ({"num_samples": 7}, "8080711", None),
    ({"sampler": lambda: ds.RandomSampler(replacement=True)}, "8080711758", None),
    ({"sampler": lambda: ds.RandomSampler(True, 12)}, "808071175822", None),
    ({"num_shards": 2, "shard_id": 1, "shuffle": ds.Shuffle.INFILE}, "03967", "04768"),
    ({"num_shards": 2, "shard_id": 1, "shuffle": ds.Shuffle.FILES}, "68024", "68024"),
    ({"sampler": lambda: ds.RandomSampler()}, "1870562934", "8269143057"),
    ({"sampler": lambda: ds.SubsetRandomSampler([1, 3, 5, 7])}, "3751", "3751"),
    ({"sampler": lambda: ds.DistributedSampler(2, 1)}, "80694", "67932"),
])  # fmt: skip
def test_orders_are_those_of_mindspore(arguments, first, second, numbers):
    """What MindSpore 2.10 draws for seed 5 in two epochs."""
    ds.config.set_seed(5)
    arguments = {name: value() if name == "sampler" else value for name, value in arguments.items()}
    rows = ds.MindDataset(numbers, ["a"], **arguments).create_dict_iterator(num_epochs=2, output_numpy=True)
    got = ["".join(str(int(row["a"])) for row in rows) for _ in range(2)]
    assert got == [first, second or got[1]]


def test_files_of_a_list_and_random_access(numbers):
    assert len(rows_of(ds.MindDataset(dataset_file=numbers[0], block_reader=True))) == 10  # the names of 1.x
    assert values(numbers, files=numbers[::-1], shuffle=False) == [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]
    dataset = ds.MindDataset(numbers[0], shuffle=False)
    assert [int(value) for value in dataset[4]] == [4, 1]
    with pytest.raises(RuntimeError, match=r"\[0, 9\], but got 30"):
        dataset[30]
    with pytest.raises(ValueError, match="cannot be negative"):
        dataset[-1]


@pytest.mark.parametrize(
    "error, match, arguments",
    [
        (RuntimeError, "num_padded is specified but", {"num_padded": 1}),
        (RuntimeError, "requires num_padded", {"padded_sample": {"a": 1}}),
        (ValueError, "cannot match columns_list", {"padded_sample": {"b": 1}, "num_padded": 1}),
        (ValueError, "num_samples' cannot", {"shuffle": ds.Shuffle.FILES, "num_samples": 3}),
        (RuntimeError, "sampler and shuffle", {"shuffle": True, "sampler": ds.SequentialSampler()}),
        (TypeError, "columns_list", {"columns_list": "a"}),
    ],
)
def test_mind_dataset_refuses(error, match, arguments, numbers):
    with pytest.raises(error, match=match):
        ds.MindDataset(numbers[0], **{"columns_list": ["a"], **arguments})


def test_obs_dataset_fetches_files(numbers, tmp_path, monkeypatch):
    import types

    class Client:
        def __init__(self, **arguments):
            assert arguments == {"access_key_id": "ak", "secret_access_key": "sk", "server": "https://s"}

        def getObject(self, bucket, key, downloadPath):  # noqa: N802, N803 - the client's names
            source = pathlib.Path(numbers[0]).parent / pathlib.Path(key).name
            if bucket != "b" or not source.exists():
                return types.SimpleNamespace(status=404, errorCode="NoSuchKey", errorMessage="none")
            pathlib.Path(downloadPath).write_bytes(source.read_bytes())
            return types.SimpleNamespace(status=200)

        def close(self):
            pass

    from msjax.dataset.sources import mindrecord as source

    (tmp_path / "local").mkdir()
    monkeypatch.setattr(source, "_local_folder", lambda server: str(tmp_path / "local"))
    arguments = ("https://s", "ak", "sk", "obs://b/sync")
    names = [f"obs://b/folder/{pathlib.Path(path).name}" for path in numbers]
    monkeypatch.setitem(__import__("sys").modules, "obs", None)
    with pytest.raises(ImportError, match="esdk-obs-python"):
        ds.OBSMindDataset(names, *arguments)
    monkeypatch.setitem(__import__("sys").modules, "obs", types.SimpleNamespace(ObsClient=Client))
    assert [int(row[0]) for row in rows_of(ds.OBSMindDataset(names, *arguments, shuffle=False))] == list(range(10))
    shard = ds.OBSMindDataset(names, *arguments, shuffle=False, num_shards=2, shard_id=1, shard_equal_rows=False)
    assert [int(row[0]) for row in rows_of(shard)] == [5, 6, 7, 8, 9]
    with pytest.raises(RuntimeError, match="NoSuchKey"):
        ds.OBSMindDataset(["obs://b/none"], *arguments)
    with pytest.raises(ValueError, match="starts with http"):
        ds.OBSMindDataset(names, "ftp://s", *arguments[1:])


# --- save -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("files", [1, 2])
def test_save_gives_what_mindspore_saves(files, tmp_path, theirs):
    dataset = ds.NumpySlicesDataset(record_tables.saved_columns(), shuffle=False)
    dataset.save(str(tmp_path / "f"), files)
    names = ["f"] if files == 1 else ["f0", "f1"]
    rows = rows_of(ds.MindDataset(str(tmp_path / names[0]), shuffle=False))
    expected = json.loads((theirs / "expected.json").read_text())["saved"]["rows"]
    assert describe_rows(rows) == expected
    if files == 1:
        assert FileReader(str(tmp_path / "f")).schema() == FileReader(str(theirs / "saved")).schema()


def test_save_that_fails_leaves_nothing(tmp_path):
    def rows():
        yield {"x": np.arange(3)}
        raise OSError(28, "No space left on device")

    with pytest.raises(RuntimeError, match="Failed to save the dataset to .*No space"):
        save_rows(rows(), str(tmp_path / "f"))
    for bad, match in (
        ([{"x": np.zeros(2)}, {"x": np.zeros((2, 2))}], "shape"),
        ([], "no row"),
        ([{"x": np.zeros(2, complex)}], "complex128"),
        ([{"x": np.array(["a", "b"])}], "multi-dimensional"),
    ):
        with pytest.raises(RuntimeError, match=match):
            save_rows(bad, str(tmp_path / "f"))
    assert os.listdir(tmp_path) == []


def test_errors_print_as_mindspores():
    error = mindrecord.ParamTypeError("raw_data", "list")
    assert str(error) == "[ParamTypeError]: Invalid parameter type. 'raw_data' expect list type."
    assert error.error_code == mindrecord.MindRecordException.transform_error_code(1) == 1347686401
    assert isinstance(error, mindrecord.MindRecordException)


@pytest.mark.parametrize(
    ("kind", "values", "names"),
    [
        ("float32", [7.0, -3.0, 1e20, 123456789.0], ["-3.0", "1.0e+20", "123456789.0", "7.0"]),
        ("float64", [2.5, 1 / 3, 1e15], ["0.333333333333333", "1.0e+15", "2.5"]),
        ("int64", [7, 10**15, -2], ["-2", "1000000000000000", "7"]),
    ],
)
def test_categories_of_numbers_have_the_names_of_the_index(tmp_path, kind, values, names):
    """As MindSpore 2.10 gives them: sorted as text, floats with 15 digits and a point."""
    path = str(tmp_path / "numbers.mindrecord")
    writer = FileWriter(path, 1)
    writer.add_schema({"rating": {"type": kind}}, "ratings")
    writer.add_index(["rating"])
    writer.write_raw_data([{"rating": v} for v in values])
    writer.commit()
    pages = MindPage(path)
    assert [c["name"] for c in json.loads(pages.read_category_info())["categories"]] == names
    found = [pages.read_at_page_by_name(name, 0, 5) for name in names]
    assert sorted(row["rating"] for rows in found for row in rows) == sorted(values)


def test_iterators_of_a_reader_go_on_where_the_last_has_stopped(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"))
    writer.add_schema({"a": {"type": "int32"}})
    writer.write_raw_data([{"a": i} for i in range(6)])
    writer.commit()
    reader = FileReader(str(tmp_path / "rows"))
    assert [next(reader.get_next())["a"] for _ in range(3)] == [0, 1, 2]
    rows, others = reader.get_next(), reader.get_next()
    assert (next(rows)["a"], next(others)["a"], [row["a"] for row in rows], list(reader.get_next())) == (3, 4, [5], [])
