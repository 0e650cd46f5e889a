"""MnistDataset: idx files plain and gzipped, damaged files, what is missing."""

import gzip
import struct

import mindspore.dataset as ds
import numpy as np
import pytest

COUNTS = {"train": 5, "t10k": 3}


def idx(magic, *shape):
    data = np.arange(int(np.prod(shape)), dtype=np.uint32).astype(np.uint8)
    return struct.pack(f">{1 + len(shape)}I", magic, *shape) + data.tobytes()


def write(folder, prefix, packed=False, images=None):
    count = COUNTS[prefix]
    for name, content in (
        (f"{prefix}-images-idx3-ubyte", images or idx(2051, count, 28, 28)),
        (f"{prefix}-labels-idx1-ubyte", idx(2049, count)),
    ):
        path = folder / (name + (".gz" if packed else ""))
        path.write_bytes(gzip.compress(content) if packed else content)


@pytest.mark.parametrize("packed", [False, True])
def test_plain_and_gzipped(tmp_path, packed):
    for prefix in COUNTS:
        write(tmp_path, prefix, packed)
    for usage, labels in (("train", [0, 1, 2, 3, 4]), ("test", [0, 1, 2]), (None, [0, 1, 2, 0, 1, 2, 3, 4])):
        data = ds.MnistDataset(str(tmp_path), usage, shuffle=False)
        rows = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
        assert sorted(int(row["label"]) for row in rows) == sorted(labels) and len(data) == len(labels)
        assert rows[0]["image"].shape == (28, 28, 1) and rows[0]["image"].dtype == np.uint8
        assert rows[0]["label"].dtype == np.uint32 and rows[1]["image"][0, 0, 0] == 784 % 256


def test_plain_file_is_taken_where_both_are(tmp_path):
    write(tmp_path, "train")
    write(tmp_path, "train", packed=True)
    assert ds.MnistDataset(str(tmp_path)).get_dataset_size() == 5


def test_files_are_read_once_for_all_iterators(tmp_path):
    write(tmp_path, "train", packed=True)
    data = ds.MnistDataset(str(tmp_path))
    assert data.get_dataset_size() == 5
    for path in tmp_path.iterdir():
        path.unlink()
    assert len(list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))) == 5


def test_rows_can_be_written_to(tmp_path):
    write(tmp_path, "train")

    def clear(image):
        image[...] = 0
        return image

    data = ds.MnistDataset(str(tmp_path), shuffle=False)
    cleared = data.map(clear, "image")
    assert all(not row[0].any() for row in cleared.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert all(row[0].any() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))


@pytest.mark.parametrize(
    "images,words",
    [
        (idx(2051, 5, 28, 28)[:-1], r"truncated: its header tells of 3936 bytes, but it has 3935"),
        (idx(2051, 5, 28, 28)[:10], "too short"),
        (b"", "too short"),
        (idx(2049, 5, 28, 28), "magic number 2051, but got: 2049"),
        (idx(2051, 4, 28, 28), "number of images and labels differs"),
    ],
)
def test_damaged_files(tmp_path, images, words):
    for packed in (False, True):
        folder = tmp_path / str(packed)
        folder.mkdir()
        write(folder, "train", packed, images or None)
        if not images:
            path = folder / f"train-images-idx3-ubyte{'.gz' if packed else ''}"
            path.write_bytes(gzip.compress(b"") if packed else b"")
        with pytest.raises(RuntimeError, match=words):
            ds.MnistDataset(str(folder)).get_dataset_size()


def test_damaged_gzip(tmp_path):
    write(tmp_path, "train", packed=True)
    path = tmp_path / "train-images-idx3-ubyte.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RuntimeError, match="not a complete gzip file"):
        ds.MnistDataset(str(tmp_path)).get_dataset_size()


def test_what_is_missing(tmp_path):
    with pytest.raises(RuntimeError, match=f"{tmp_path}.*train-images-idx3-ubyte"):
        ds.MnistDataset(str(tmp_path)).get_dataset_size()
    write(tmp_path, "train")
    with pytest.raises(RuntimeError, match="t10k-images-idx3-ubyte"):
        ds.MnistDataset(str(tmp_path), "test").get_dataset_size()
    (tmp_path / "train-labels-idx1-ubyte").unlink()
    with pytest.raises(RuntimeError, match="can't read"):
        ds.MnistDataset(str(tmp_path)).output_shapes()
