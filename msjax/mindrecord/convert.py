"""Converters of well-known file formats to record files."""

import csv
import gzip
import itertools
import logging
import os
import string
import zlib
from typing import Annotated, TypeAlias

import numpy as np

from ..core.spec.checking import checked, compare
from ..core.spec.rules import AsValue, Nothing, Raises
from ..files.archives import gunzip
from . import tfrecord
from .cifar import Cifar10, Cifar100
from .constants import SUCCESS, FileName, Partitions, check_filename
from .exceptions import ParamValueError, PathNotExistsError
from .writer import FileWriter

_log = logging.getLogger("msjax")
_BATCH = 256
# Sizes for large images: the header of 16 MiB is the default one, a page holds at most two default pages.
_HEADER_SIZE, _PAGE_SIZE = 1 << 24, 1 << 26


def _jpeg(image):
    import cv2  # heavy, and only this needs it

    return cv2.imencode(".jpeg", image)[1].tobytes()


def _write(writer, schema, description, rows, index=None):
    """Write all rows and finish the files."""
    writer.add_schema(schema, description)
    if index:
        writer.add_index(index)
    rows = iter(rows)
    while batch := list(itertools.islice(rows, _BATCH)):
        writer.write_raw_data(batch)
    return writer.commit()


Path: TypeAlias = Annotated[
    FileName, Raises(type=ValueError, value=ParamValueError)
]  # of the converters that look at the type themselves
Names: TypeAlias = Annotated[list[str], Raises(type=ValueError)]


class _Converter:
    """Base class of the converters: `transform` is the public name of `run`."""

    def transform(self, *args, **kwargs):
        """Convert; see `run` for arguments and errors."""
        self.run(*args, **kwargs)


class _CifarToMR(_Converter):
    """Converts the Python version of CIFAR to two record files, one of them with ``_test`` behind its name.

    Args:
        source (str): folder of the pickled files.
        destination (str): the record file.

    Raises:
        ParamValueError: a name is not valid.
        PathNotExistsError: the folder lacks a file.
    """

    reader = None
    required = ()  # (prefix of a file that must be there, how an error calls it)

    def __init__(self, source, destination):
        check_filename(source)
        names = os.listdir(source)
        for prefix, shown, whole in self.required:
            if not any(name == prefix if whole else name.startswith(prefix) for name in names):
                raise PathNotExistsError(f"{shown}; it was expected in the folder {source}.")
        check_filename(destination)
        self.source, self.destination = source, destination

    def run(self, fields=None):
        """Convert.

        Args:
            fields (list[str], optional): fields to index, such as ``["id", "label"]``. Default: None.

        Returns:
            SUCCESS.

        Raises:
            ValueError: `fields` is not a list.
            RuntimeError: a file is damaged, or the record files are there already.
        """
        compare(type(self).__name__, "fields", fields or None, AsValue[list] | None)
        data = self.reader(self.source, False)
        data.load_data()
        labels = [(attribute[:-1], attribute) for _, attribute, _ in self.reader.labels_of]
        schema = {"id": {"type": "int64"}, **{name: {"type": "int64"} for name, _ in labels}, "data": {"type": "bytes"}}
        for split, path, what in (
            (data, self.destination, "img_train"),
            (data.Test, f"{self.destination}_test", "img_test"),
        ):
            rows = (
                {
                    "id": number,
                    "data": _jpeg(image[..., ::-1]),
                    **{name: int(getattr(split, attribute)[number, 0]) for name, attribute in labels},
                }
                for number, image in enumerate(split.images)
            )
            _write(FileWriter(path, 1), schema, what, rows, fields)
        return SUCCESS


class Cifar10ToMR(_CifarToMR):
    __doc__ = _CifarToMR.__doc__
    reader = Cifar10
    required = (("data_batch_", "data_batch_*", False), ("test_batch", "test_batch", False))


class Cifar100ToMR(_CifarToMR):
    __doc__ = _CifarToMR.__doc__
    reader = Cifar100
    required = (("train", "train", True), ("test", "test", True))


class CsvToMR(_Converter):
    """Converts a CSV file, whose first line names the columns, to record files.

    Args:
        source (str): the CSV file.
        destination (str): the record file.
        columns_list (list[str], optional): columns to keep; None for all. Default: None.
        partition_number (int, optional): number of files. Default: 1.

    Raises:
        ValueError: an argument is not valid.
    """

    @checked
    def __init__(
        self, source: Path, destination: Path, columns_list: Names | Nothing = None, partition_number: Partitions = 1
    ):
        self.source, self.destination, self.columns_list = source, destination, columns_list
        self.writer = FileWriter(destination, partition_number)

    def run(self):
        """Convert; columns of integers, numbers and True/False keep their kind, all others become strings.

        Raises:
            IOError: there is no such file.
            RuntimeError: a column of `columns_list` does not exist.
            ValueError: a column's name is a number.
        """
        if not os.path.exists(self.source):
            raise OSError(f"Csv file {self.source} do not exist.")
        with open(self.source, encoding="utf-8", newline="") as stream:
            names, *lines = [line for line in csv.reader(stream) if line]
        columns = dict(zip(names, zip(*lines) if lines else [()] * len(names)))
        for name in self.columns_list or ():
            if name not in columns:
                raise RuntimeError(f"The parameter columns_list is illegal, column {name} does not exist.")
        chosen = list(self.columns_list or names)
        for name in chosen:
            if name.isdigit():
                raise ValueError(
                    f"The first line content: {name} of the CSV file is used as a column name and does "
                    f"not allow starting with a number."
                )
        kinds = {name: _column_kind(columns[name]) for name in chosen}
        self.writer.set_header_size(_HEADER_SIZE)
        self.writer.set_page_size(_PAGE_SIZE)
        values = [map(kinds[name][1], columns[name]) for name in chosen]
        rows = (dict(zip(chosen, row)) for row in zip(*values))
        _write(self.writer, {name: {"type": kinds[name][0]} for name in chosen}, "csv_schema", rows, chosen)
        return 0


def _column_kind(texts):
    """Field type of a CSV column, and the function from text to value."""
    if texts and all(text in ("True", "False", "true", "false", "TRUE", "FALSE") for text in texts):
        return "int32", lambda text: int(text.lower() == "true")
    for kind, convert in (("int64", int), ("float64", lambda text: float(text or "nan"))):
        try:
            for text in texts:
                convert(text)
        except ValueError:
            continue
        return kind, convert
    return "string", str


class ImageNetToMR(_Converter):
    """Converts ImageNet, a folder of JPEG files for each class, to record files.

    Args:
        map_file (str): text file; each line is the name of a class's folder, a space, its label.
        image_dir (str): folder of the classes' folders.
        destination (str): the record file.
        partition_number (int, optional): number of files. Default: 1.

    Raises:
        ParamValueError: a name is not valid.
        ValueError: `partition_number` is not an int.
    """

    @checked
    def __init__(
        self, map_file: FileName, image_dir: FileName, destination: FileName, partition_number: Partitions = 1
    ):
        self.map_file, self.image_dir, self.destination = map_file, image_dir, destination
        self.writer = FileWriter(destination, partition_number)

    def run(self):
        """Convert.

        Raises:
            IOError: the map file does not exist.
            PathNotExistsError: no folder of the map file exists.
        """
        self.writer.set_header_size(_HEADER_SIZE)
        self.writer.set_page_size(_PAGE_SIZE)
        schema = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
        _write(self.writer, schema, "imagenet_schema", self._rows(), ["label", "file_name"])
        return 0

    def _rows(self):
        if not os.path.exists(self.map_file):
            raise OSError(f"map file {self.map_file} not exists")
        with open(self.map_file, encoding="utf-8") as stream:
            folders = {int(label): name for name, label, *_ in map(str.split, filter(str.strip, stream))}
        found = {}
        for label, name in folders.items():
            folder = os.path.join(self.image_dir, name)
            if os.path.isdir(folder):
                found[label] = folder
            else:
                _log.warning("%s dir is not exist", folder)
        if not found:
            raise PathNotExistsError(f"not valid image dir in {self.image_dir}")
        for label, folder in found.items():
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                if not name.endswith(("JPEG", "jpg")):
                    _log.warning("%s file is not suffix with JPEG/jpg, skip it.", path)
                    continue
                with open(path, "rb") as stream:
                    image = stream.read()
                if image:
                    yield {"file_name": path, "label": label, "image": image}
                else:
                    _log.warning("The image file: %s is invalid.", path)


class MnistToMR(_Converter):
    """Converts MNIST to the record files ``<destination>_train.mindrecord`` and ``<destination>_test.mindrecord``.

    Args:
        source (str): folder of the four ``.gz`` files.
        destination (str): beginning of the record files' names.
        partition_number (int, optional): number of files of each. Default: 1.

    Raises:
        ParamValueError: a name is not valid.
        ValueError: `partition_number` is not an int.
    """

    @checked
    def __init__(self, source: FileName, destination: FileName, partition_number: Partitions = 1):
        self.source = source
        self.writer_train = FileWriter(f"{destination}_train.mindrecord", partition_number)
        self.writer_test = FileWriter(f"{destination}_test.mindrecord", partition_number)

    def run(self):
        """Convert.

        Returns:
            SUCCESS.

        Raises:
            FileNotFoundError: one of the four files is missing.
        """
        for prefix, writer in (("train", self.writer_train), ("t10k", self.writer_test)):
            images = self._read(f"{prefix}-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28, 1)
            labels = self._read(f"{prefix}-labels-idx1-ubyte.gz", 8)
            writer.set_header_size(_HEADER_SIZE)
            writer.set_page_size(_PAGE_SIZE)
            rows = ({"label": int(label), "data": _jpeg(image)} for image, label in zip(images, labels))
            _write(writer, {"label": {"type": "int64"}, "data": {"type": "bytes"}}, "mnist_schema", rows, ["label"])
        return SUCCESS

    def _read(self, name, head):
        path = os.path.join(self.source, name)
        try:
            return np.frombuffer(gunzip(path), np.uint8, offset=head)
        except (EOFError, ValueError, zlib.error, gzip.BadGzipFile) as error:
            raise RuntimeError(f"Invalid file, {path} is not a file of MNIST: {error}") from error


# name of a TensorFlow dtype: field type
_TF_TYPE = {
    "string": "string",
    "int8": "int32",
    "int16": "int32",
    "int32": "int32",
    "int64": "int64",
    "uint8": "int32",
    "uint16": "int32",
    "uint32": "int64",
    "uint64": "int64",
    "float16": "float32",
    "float32": "float32",
    "float64": "float64",
    "bool": "int32",
}
_PUNCTUATION = str.maketrans(dict.fromkeys((string.punctuation + " ").replace("_", ""), "_"))


class TFRecordToMR(_Converter):
    """Converts a TFRecord file to a record file; TensorFlow is not needed.

    Args:
        source (str): the TFRecord file.
        destination (str): the record file.
        feature_dict (dict): name of a feature to an object with ``shape`` ([] or [n]) and ``dtype`` (a TensorFlow
            dtype, a NumPy dtype or its name), such as ``tf.io.FixedLenFeature``.
        bytes_fields (list[str], optional): string features that are kept as bytes. Default: None.

    Raises:
        ValueError: an argument is not valid.
    """

    @checked
    def __init__(self, source: Path, destination: Path, feature_dict: AsValue[dict], bytes_fields: Names | None = None):
        self.source, self.destination = source, destination
        self.features = {}  # feature: (field, type, number of values or None for a scalar)
        for name, feature in feature_dict.items():
            if not hasattr(feature, "shape") or not hasattr(feature, "dtype"):
                raise ValueError(f"Parameter feature_dict: {feature_dict} only support FixedLenFeature.")
            self.features[name] = _feature(name, list(feature.shape), feature.dtype, name in (bytes_fields or ()))
        for name in bytes_fields or ():
            if name not in feature_dict:
                raise ValueError(f"Parameter bytes_fields's item: {name} is not in feature_dict: {feature_dict}.")
            if self.features[name][1] != "bytes":
                raise ValueError(f"Parameter bytes_field: {name} should be tf.string in feature_dict.")

    def run(self):
        """Convert.

        Raises:
            ValueError: a record lacks a feature, or has another number of values.
            RuntimeError: the file is damaged.
        """
        schema = {
            field: {"type": kind} if count is None else {"type": kind, "shape": [count]}
            for field, kind, count in self.features.values()
        }
        return _write(FileWriter(self.destination), schema, "TFRecord to MindRecord", self.tfrecord_iterator())

    def tfrecord_iterator(self):
        """Yield each record as a dict from field to value."""
        for data in tfrecord.read_records(self.source):
            yield self._row(tfrecord.parse_example(data, self.features))

    tfrecord_iterator_oldversion = tfrecord_iterator

    def _row(self, example):
        row = {}
        for name, (field, kind, count) in self.features.items():
            found, values = example.get(name, (None, []))
            wanted = "bytes" if kind in ("string", "bytes") else "int64" if kind.startswith("int") else "float"
            if found != wanted or len(values) != (1 if count is None else count):
                raise ValueError(
                    f"TFRecord feature_dict parameter error: '{name}' should have {count or 1} value(s) "
                    f"of {wanted}, but has {len(values)} of {found}."
                )
            if wanted == "bytes":
                row[field] = values[0] if kind == "bytes" else values[0].decode("utf-8")
            else:
                row[field] = values.astype(kind) if count is not None else values[0].item()
        return row


def _feature(name, shape, dtype, as_bytes):
    kind = _TF_TYPE.get(dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or np.dtype(dtype).name)
    if kind is None:
        raise ValueError(f"Type {dtype} is not supported in MindRecord.")
    field = name.translate(_PUNCTUATION)
    if not shape:
        return field, "bytes" if as_bytes and kind == "string" else kind, None
    if len(shape) != 1:
        raise ValueError(f"Parameter len(feature_dict[{name}].shape) should be 1.")
    if not isinstance(shape[0], int):
        raise ValueError(
            f'Invalid parameter feature_dict, value and type mismatch, please check item of feature_dict["{name}"].'
        )
    if shape[0] < 1:
        raise ValueError(f"Parameter feature_dict[{name}].shape[0] should > 0")
    if kind == "string":
        raise ValueError(
            f"Parameter feature_dict[{name}].dtype is tf.string which shape[0] is not None. It is not supported."
        )
    return field, kind, shape[0]
