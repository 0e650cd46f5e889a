"""Text sources with columns: CSV files and the data sets kept in them, JSON lines, questions and answers."""

import csv
import json
import os
import re
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from ...core.constructor import given, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, That
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.node import SourceDataset, TextBaseDataset
from ..engine.samplers import Shuffle
from ..rules import NumSamples, PositiveInt32
from .base import (
    EntrySource,
    Files,
    FilesSource,
    TextSource,
    UsageSource,
    declare,
    expect_file,
    find_files,
    list_folder,
    once,
    text,
    with_sections_of,
)
from .texts import LateWorkersTextSource, stream_lines


def _csv_rows(path, delimiter=",", strict=True):
    """Yield (line number, fields) of a CSV file; empty lines are left out. strict: RuntimeError where a quote is not closed or text
    follows it.
    """
    # A field may be longer than the module's limit of 128 KiB: articles are.
    csv.field_size_limit(1 << 30)
    with open(expect_file(path, "a CSV file"), encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter, strict=strict)
        try:
            for fields in reader:
                if fields:
                    yield reader.line_num, fields
        except (csv.Error, UnicodeDecodeError) as error:
            raise RuntimeError(
                f"Invalid file, failed to parse csv file: {path} at line {reader.line_num}. Error message: {error}."
            ) from error


def _whole(field):
    """The whole number that a field begins with, as C's `stoi` reads it: 3 of "3.0"."""
    return int(_beginning(_WHOLE, field))


def _real(field):
    """The number that a field begins with, as C's `stof` reads it."""
    found = _beginning(_REAL, field)
    return float.fromhex(found) if "x" in found.lower() else float(found)


_WHOLE = re.compile(r"\s*([+-]?\d+)", re.ASCII)
_REAL = re.compile(
    r"\s*([+-]?(?:0x[0-9a-f]+(?:\.[0-9a-f]*)?(?:p[+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|infinity|inf|nan))",
    re.ASCII | re.IGNORECASE,
)


def _beginning(pattern, field):
    found = pattern.match(field)
    if not found:
        raise ValueError(f"{field!r} begins with no number")
    return found[1]


Delimiter: TypeAlias = Annotated[
    str, That("of one character, no quote and no line end", lambda mark: len(mark) == 1 and mark not in '"\r\n')
]


_AreNames = That("names", lambda names: all(isinstance(name, str) for name in names), is_type=True)


class CSVDataset(FilesSource, TextBaseDataset):
    """CSV files; a column for each of theirs.

    Args:
        dataset_files (Union[str, list[str]]): paths, which may be patterns such as "*.csv".
        field_delim (str, optional): what stands between two fields. Default: ",".
        column_defaults (list, optional): a value for each column that tells its type: str, int (int32) or float
            (float32). Default: None, all are strings.
        column_names (list[str], optional): names of the columns; the first line then is a row. Default: None, which
            takes the names from the first line of each file.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: a pattern matches no file, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: a file does not have the columns, or a field is not of its type.
    """

    whole_files = True

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_files: Files,
        field_delim: Delimiter | None = ",",
        column_defaults: list[str | int | float] | None = None,
        column_names: Annotated[Any, _AreNames] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        values = {("given_names" if name == "column_names" else name): value for name, value in given(self).items()}
        declare(self, SourceDataset, values, field_delim=",", column_defaults=list, given_names=list)
        self.dataset_files = find_files(dataset_files)

    @once
    def _names(self):
        names = self.given_names
        if not names:  # of the first line as it is: as in MindSpore, quotes belong to the names
            with open(self.dataset_files[0], encoding="utf-8-sig", newline="") as file:
                line = file.readline().rstrip("\r\n")
            names = line.split(self.field_delim) if line else []
        check(
            names and len(set(names)) == len(names),
            f"Invalid columns, the columns of csv file {self.dataset_files[0]} should have different names, but got {names}.",
            RuntimeError,
        )
        return names

    @property
    def column_names(self):
        return list(self._names)

    def files(self):
        return self.dataset_files

    def file_size(self, file: str):
        count = sum(1 for _ in _csv_rows(file, self.field_delim, strict=False))
        return max(count - (not self.given_names), 0)

    def file_rows(self, file: str):
        rows = _csv_rows(file, self.field_delim)
        if not self.given_names:
            next(rows, None)
        names, defaults = self._names, self.column_defaults
        kinds = [
            _whole if isinstance(value, int) else _real if isinstance(value, float) else text for value in defaults
        ]
        kinds += [text] * (len(names) - len(kinds))
        check(
            len(kinds) == len(names),
            f"Invalid columns, 'column_defaults' has {len(defaults)} values, but there are the columns {names}.",
            RuntimeError,
        )
        dtypes = {_whole: np.int32, _real: np.float32}
        for number, fields in rows:
            check(
                len(fields) == len(names),
                f"Invalid file, failed to parse csv file: {file} at line {number}. Error message: it has "
                f"{len(fields)} fields, but there are the columns {names}.",
                RuntimeError,
            )
            try:
                yield tuple(
                    [
                        text(field) if kind is text else np.array(kind(field), dtypes[kind])
                        for field, kind in zip(fields, kinds)
                    ]
                )
            except (ValueError, OverflowError) as error:
                raise RuntimeError(
                    f"Invalid csv, csv file: {file} parse failed at line {number}, type does not match: {error}."
                ) from error


class _NewsRows(FilesSource, TextBaseDataset):
    """CSV files of parts without a line of names; all columns are strings."""

    whole_files = True

    def files(self):
        return [os.path.join(self.dataset_dir, f"{part}.csv") for part in self.parts()]

    def file_rows(self, file: str):
        for number, fields in _csv_rows(file):
            check(
                len(fields) == len(self.column_names),
                f"Invalid file, failed to parse csv file: {file} at line {number}. Error message: it has "
                f"{len(fields)} fields, but {type(self).__name__} has the columns {self.column_names}.",
                RuntimeError,
            )
            yield tuple([text(field) for field in fields])


def _news(name, title, columns, base=TextSource):
    doc = f"{title}; columns {', '.join(columns)} (strings).\n\n{TextSource.__doc__}"
    by_name = base is TextSource  # MindSpore reads the other two as they are told: train, test
    members = {"__doc__": doc, "__module__": __name__, "column_names": columns, "by_name": by_name}
    return type(name, (_NewsRows, base), members)


AGNewsDataset = _news("AGNewsDataset", "AG News", ["index", "title", "description"])
AmazonReviewDataset = _news("AmazonReviewDataset", "Amazon Review", ["label", "title", "content"])
DBpediaDataset = _news("DBpediaDataset", "DBpedia", ["class", "title", "content"])
YahooAnswersDataset = _news("YahooAnswersDataset", "Yahoo! Answers", ["class", "title", "content", "answer"])
SogouNewsDataset = _news("SogouNewsDataset", "Sogou News", ["index", "title", "content"], LateWorkersTextSource)
YelpReviewDataset = _news("YelpReviewDataset", "Yelp Review", ["label", "text"], LateWorkersTextSource)


class SST2Dataset(TextSource, TextBaseDataset):
    """Stanford Sentiment Treebank 2; columns sentence and, except for "test", label (strings)."""

    __doc__ = with_sections_of(TextSource, __doc__)
    usages, default_usage = ("train", "test", "dev"), "train"

    @property
    def column_names(self):
        return ["sentence"] if self.usage == "test" else ["sentence", "label"]

    def files(self):
        return [os.path.join(self.dataset_dir, f"{self.usage}.tsv")]

    def file_rows(self, file: str):
        lines = stream_lines(file, "sentences of SST2")
        next(lines, None)  # the names of the columns
        for number, line in enumerate(lines, 2):
            fields = line.split("\t")
            check(
                len(fields) == 2,
                f"Invalid file, {file} at line {number} should have 2 fields with a tab between "
                f"them, but got '{line}'.",
                RuntimeError,
            )
            yield (text(fields[1]),) if self.usage == "test" else tuple(map(text, fields))


class SQuADDataset(TextSource, TextBaseDataset):
    """SQuAD 1.1 and 2.0; columns context, question (strings), text (the answers) and answer_start (uint32); a question
    without an answer has one empty one, at 4294967295.
    """

    __doc__ = with_sections_of(TextSource, __doc__)
    column_names = ["context", "question", "text", "answer_start"]
    usages = ("train", "dev", "all")
    by_name = False

    def files(self):
        names = list_folder(self.dataset_dir, "JSON files of SQuAD", (".json",))
        found = [
            os.path.join(self.dataset_dir, name) for part in self.parts() for name in names if name.startswith(part)
        ]
        check(
            found, f"Invalid data, {self.dataset_dir} holds no file {self.parts()[0]}-v*.json of SQuAD.", RuntimeError
        )
        return found

    def file_rows(self, file: str):
        with open(file, encoding="utf-8") as stream:
            try:
                for article in json.load(stream)["data"]:
                    for paragraph in article["paragraphs"]:
                        context = text(paragraph["context"])
                        for question in paragraph["qas"]:
                            answers = question.get("answers") or [{"text": "", "answer_start": 0xFFFFFFFF}]
                            yield (
                                context,
                                text(question["question"]),
                                text([answer["text"] for answer in answers]),
                                np.array([answer["answer_start"] for answer in answers], np.uint32),
                            )
            except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise RuntimeError(f"Invalid file, {file} is no JSON file of SQuAD: {error!r}.") from error


class IMDBDataset(UsageSource, EntrySource, TextBaseDataset):
    """IMDb reviews; columns text (string) and label (int32: 1 positive, 0 negative)."""

    __doc__ = with_sections_of(UsageSource, __doc__)
    columns = {"text": "document", "label": np.int32}
    _LABELS = {"pos": 1, "neg": 0}

    def scan(self):
        self.labelled = list(self._LABELS)
        return [
            (os.path.join(self.dataset_dir, part, kind, name), label)
            for part in self.parts()
            for kind, label in self._LABELS.items()
            for name in list_folder(os.path.join(self.dataset_dir, part, kind), "reviews of IMDb", (".txt",))
        ]

    def _value(self, kind, value):
        if kind != "document":
            return super()._value(kind, value)
        with open(value, encoding="utf-8") as stream:
            return text(stream.read())


# task: columns of training and evaluation files, columns of test files; a column of the file may lie in a dict
_CLUE = {
    "AFQMC": (("label", "sentence1", "sentence2"), ("id", "sentence1", "sentence2")),
    "TNEWS": (("keywords", "label", "label_desc", "sentence"), ("id", "keywords", "sentence")),
    "IFLYTEK": (("label", "label_des", "sentence"), ("id", "sentence")),
    "CMNLI": (("label", "sentence1", "sentence2"), ("id", "sentence1", "sentence2")),
    "WSC": (
        ("idx", "label", "span1_index", "span1_text", "span2_index", "span2_text", "text"),
        ("idx", "span1_index", "span1_text", "span2_index", "span2_text", "text"),
    ),
    "CSL": (("abst", "id", "keyword", "label"), ("abst", "id", "keyword")),
}


class CLUEDataset(FilesSource, TextBaseDataset):
    """CLUE tasks, one JSON object in each line; columns by task: numbers are uint32, all others strings.

    Args:
        dataset_files (Union[str, list[str]]): paths, which may be patterns.
        task (str, optional): "AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC" or "CSL". Default: "AFQMC".
        usage (str, optional): "train", "test" or "eval". Default: "train".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: a pattern matches no file, or an argument is out of range.
        RuntimeError: a line is not JSON, or lacks a column.
    """

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_files: Files,
        task: AsValue[Literal["AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC", "CSL"]] = "AFQMC",
        usage: AsValue[Literal["train", "test", "eval"]] = "train",
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset)
        self.dataset_files = find_files(dataset_files)

    @property
    def column_names(self):
        return list(_CLUE[self.task][self.usage == "test"])

    def files(self):
        return self.dataset_files

    def file_rows(self, file: str):
        for number, line in enumerate(stream_lines(file, "JSON lines of CLUE"), 1):
            if not line:
                continue
            try:
                entry = json.loads(line)
                entry = {**entry, **entry.get("target", {})} if self.task == "WSC" else entry
                values = [entry[name] for name in self.column_names]
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise RuntimeError(
                    f"Invalid json file, {file} at line {number} is not a line of {self.task} "
                    f"({self.usage}), which has the columns {self.column_names}: {error!r}."
                ) from error
            yield tuple([np.array(value, np.uint32) if isinstance(value, int) else text(value) for value in values])
