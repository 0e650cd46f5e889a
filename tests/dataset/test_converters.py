"""Converters to record files: each on small files in the real format of its source."""

import gzip
import pickle
import types

import cv2
import numpy as np
import pytest
from source_files import example, idx, image, put, tfrecord

import msjax as ms
from msjax import mindrecord
from msjax.mindrecord import FileReader
from msjax.mindrecord.cifar import Cifar10, Cifar100


def rows(path):
    return list(FileReader(str(path)).get_next())


def pixels(data):
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)


@pytest.fixture
def cifar(tmp_path):
    """Pickled files of both versions, two smooth images each: JPEG keeps those."""

    def content(seed, **labels):
        planes = np.repeat(np.arange(6, dtype=np.uint8) * 20 + seed, 1024).reshape(2, 3072)
        return {b"data": planes, **{key.encode(): values for key, values in labels.items()}}

    for number in range(1, 6):
        put(str(tmp_path / "ten"), f"data_batch_{number}", pickle.dumps(content(number, labels=[number, 0]), 2))
    put(str(tmp_path / "ten"), "test_batch", pickle.dumps(content(9, labels=[9, 8]), 2))
    for name in ("train", "test"):
        put(str(tmp_path / "hundred"), name, pickle.dumps(content(3, fine_labels=[77, 5], coarse_labels=[11, 2]), 2))
    return tmp_path


def test_cifar10(cifar):
    mindrecord.Cifar10ToMR(str(cifar / "ten"), str(cifar / "out")).transform(["label"])
    train, test = rows(cifar / "out"), rows(cifar / "out_test")
    assert [row["label"] for row in train] == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0] and [row["label"] for row in test] == [
        9,
        8,
    ]
    assert [row["id"] for row in test] == [0, 1]
    image_ = pixels(test[0]["data"])[..., ::-1]
    assert np.abs(image_.astype(int) - np.array([9, 29, 49])).max() <= 2


def test_cifar100(cifar):
    assert mindrecord.Cifar100ToMR(str(cifar / "hundred"), str(cifar / "out")).run() == mindrecord.SUCCESS
    assert [(row["fine_label"], row["coarse_label"]) for row in rows(cifar / "out")] == [(77, 11), (5, 2)]
    fine = Cifar100(str(cifar / "hundred"))
    arrays = fine.load_data()
    assert [array.shape for array in arrays] == [(2, 32, 32, 3), (2, 100), (2, 20)] * 2
    assert fine.Test.fine_labels[0].argmax() == 77


def test_cifar_refuses(cifar):
    with pytest.raises(mindrecord.PathNotExistsError, match="data_batch_"):
        mindrecord.Cifar10ToMR(str(cifar / "hundred"), str(cifar / "out"))
    with pytest.raises(ValueError, match="'fields' must be a list"):
        mindrecord.Cifar10ToMR(str(cifar / "ten"), str(cifar / "out")).transform("label")
    put(str(cifar / "ten"), "test_batch", pickle.dumps(types.SimpleNamespace()))
    with pytest.raises(RuntimeError, match="Not a valid Cifar10 Dataset: .*test_batch.*is not plain data"):
        Cifar10(str(cifar / "ten")).load_data()


def test_mnist(tmp_path):
    for part, count in (("train", 3), ("t10k", 2)):
        images = np.full((count, 28, 28), 40, np.uint8)
        put(str(tmp_path), f"{part}-images-idx3-ubyte.gz", gzip.compress(idx(images)))
        put(str(tmp_path), f"{part}-labels-idx1-ubyte.gz", gzip.compress(idx(np.arange(count, dtype=np.uint8))))
    assert mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "out")).run() == mindrecord.SUCCESS
    found = rows(tmp_path / "out_train.mindrecord")
    assert [row["label"] for row in found] == [0, 1, 2] and np.abs(pixels(found[0]["data"]).astype(int) - 40).max() <= 1
    assert len(rows(tmp_path / "out_test.mindrecord")) == 2
    with pytest.raises(ValueError, match="'partition_number' must be an int"):
        mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "x"), partition_number="1")


def test_csv(tmp_path):
    path = put(str(tmp_path), "a.csv", 'n,f,flag,text\n1,0.5,True,"a, b"\n-2,,False,c\n')
    mindrecord.CsvToMR(path, str(tmp_path / "out")).transform()
    found = rows(tmp_path / "out")
    assert [(row["n"], row["flag"], row["text"]) for row in found] == [(1, 1, "a, b"), (-2, 0, "c")]
    assert found[0]["f"] == 0.5 and np.isnan(found[1]["f"])
    assert {name: field["type"] for name, field in FileReader(str(tmp_path / "out")).schema().items()} == {
        "n": "int64",
        "f": "float64",
        "flag": "int32",
        "text": "string",
    }
    mindrecord.CsvToMR(path, str(tmp_path / "two"), ["text"], 2).transform()
    assert sorted(row["text"] for row in rows(tmp_path / "two0")) == ["a, b", "c"]
    for error, match, arguments in (
        (RuntimeError, "column z does not exist", (path, str(tmp_path / "x"), ["z"])),
        (OSError, "do not exist", (path + "no", str(tmp_path / "y"))),
        (ValueError, "a list of items, each a str", (path, str(tmp_path / "z"), "n")),
    ):
        with pytest.raises(error, match=match):
            mindrecord.CsvToMR(*arguments).transform()
    with pytest.raises(ValueError, match="starting with a number"):
        mindrecord.CsvToMR(put(str(tmp_path), "b.csv", "1,2\n3,4\n"), str(tmp_path / "w")).transform()


def test_imagenet(tmp_path, caplog):
    for name in ("n01/a.JPEG", "n01/b.jpg", "n02/c.JPEG", "n02/notes.txt"):
        put(str(tmp_path), name, image(len(name)))
    put(str(tmp_path), "n02/empty.JPEG", b"")
    labels = put(str(tmp_path), "map.txt", "n01 0\nn02 1\nn03 2\n")
    assert mindrecord.ImageNetToMR(labels, str(tmp_path), str(tmp_path / "out"), 2).run() == 0
    found = sorted(rows(tmp_path / "out0"), key=lambda row: row["file_name"])
    assert [(row["label"], row["file_name"][-10:]) for row in found] == [
        (0, "n01/a.JPEG"),
        (0, "/n01/b.jpg"),
        (1, "n02/c.JPEG"),
    ]
    assert found[0]["image"] == image(len("n01/a.JPEG")) and len(caplog.records) == 3
    with pytest.raises(mindrecord.PathNotExistsError, match="not valid image dir"):
        mindrecord.ImageNetToMR(labels, str(tmp_path / "n01"), str(tmp_path / "x")).transform()
    with pytest.raises(OSError, match="not exists"):
        mindrecord.ImageNetToMR(labels + "no", str(tmp_path), str(tmp_path / "y")).transform()


def feature(shape, dtype):
    return types.SimpleNamespace(shape=shape, dtype=dtype)


def test_tfrecord(tmp_path):
    path = put(
        str(tmp_path),
        "x.tfrecord",
        tfrecord(
            *(
                example(**{"a/b": i, "text": f"t{i}", "raw": [b"\xff\x00"], "v": [1.5, float(i)], "f": [0.25]})
                for i in range(300)
            )
        ),
    )
    features = {
        "a/b": feature([], "int64"),
        "text": feature([], "string"),
        "raw": feature([], "string"),
        "v": feature([2], np.dtype("float32")),
        "f": feature([], np.float64),
    }
    mindrecord.TFRecordToMR(path, str(tmp_path / "out"), features, ["raw"]).transform()
    found = rows(tmp_path / "out")
    assert len(found) == 300 and found[2]["a_b"] == 2 and found[2]["text"] == "t2" and found[2]["raw"] == b"\xff\x00"
    assert found[2]["v"].tolist() == [1.5, 2.0] and found[2]["f"] == 0.25
    for match, bad, fields in (
        ("is not in feature_dict", features, ["nope"]),
        ("must be a list", features, "raw"),
        ("should be tf.string", features, ["f"]),
        ("should be 1", {"v": feature([1, 2], "int8")}, None),
        ("is tf.string which shape", {"text": feature([2], "string")}, None),
        ("only support FixedLenFeature", {"v": 3}, None),
        ("should > 0", {"v": feature([0], "int8")}, None),
        ("not supported in MindRecord", {"v": feature([], "complex64")}, None),
    ):
        with pytest.raises(ValueError, match=match):
            mindrecord.TFRecordToMR(path, str(tmp_path / "x"), bad, fields)
    with pytest.raises(ValueError, match="'v' should have 3 value"):
        mindrecord.TFRecordToMR(path, str(tmp_path / "y"), {"v": feature([3], "float32")}).transform()


def test_names_of_the_package():
    assert set(mindrecord.__all__) >= {"FileWriter", "FileReader", "MindPage", "set_enc_key", "SUCCESS", "FAILED"}
    assert ms.mindrecord is mindrecord if hasattr(ms, "mindrecord") else True
