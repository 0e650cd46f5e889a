"""Text sources that give a line, or the same line of two files, for each row."""

import os
import warnings
from collections.abc import Sequence
from typing import Annotated, Literal
from xml.etree import ElementTree

from ...core.constructor import with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Length, That
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.node import SourceDataset, TextBaseDataset
from ..engine.samplers import Shuffle
from ..rules import Folder, NumSamples, PositiveInt32
from .base import Files, FilesSource, TextSource, declare, expect_file, find_files, read_lines, text, with_sections_of


def stream_lines(path: str, what: str):
    """Yield the lines of a text file without their ends, so that a file of gigabytes is never in memory."""
    with open(expect_file(path, what), encoding="utf-8", newline="\n") as stream:
        try:
            for line in stream:
                yield line.rstrip("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            raise RuntimeError(f"Invalid file, {path} is no UTF-8 text: {error}.") from error


class TextFileDataset(FilesSource, TextBaseDataset):
    """Lines of text files; column text (string). Empty lines are left out.

    Args:
        dataset_files (Union[str, list[str]]): paths, which may be patterns such as "*.txt".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: a pattern matches no file, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: sampling arguments contradict one another, or a file is not UTF-8 text.

    Examples:
        >>> import os, tempfile
        >>> from msjax.dataset import TextFileDataset
        >>> path = os.path.join(tempfile.mkdtemp(), "a.txt")
        >>> with open(path, "w") as stream:
        ...     _ = stream.write("one" + chr(10) + "two")
        >>> rows = TextFileDataset(path, shuffle=False).create_tuple_iterator(num_epochs=1, output_numpy=True)
        >>> [str(row[0]) for row in rows]
        ['one', 'two']
    """

    column_names = ["text"]

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_files: Files,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset)
        self.dataset_files = find_files(dataset_files)

    def files(self):
        return self.dataset_files

    def file_rows(self, file: str):
        return ((text(line),) for line in stream_lines(file, "text") if line)


class EnWik9Dataset(FilesSource, TextBaseDataset):
    """EnWik9; column text (string), a line.

    Args:
        dataset_dir (str): folder of the file `enwik9`.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: True.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: the file is missing.
    """

    column_names = ["text"]

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = True,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset)

    def files(self):
        return [os.path.join(self.dataset_dir, "enwik9")]

    def file_rows(self, file: str):
        return ((text(line),) for line in stream_lines(file, "the text of EnWik9"))


class _LinesOfParts(TextSource, TextBaseDataset):
    column_names = ["text"]
    usages = ("train", "valid", "test", "all")
    name = ""  # of the file of a part

    def files(self):
        return [os.path.join(self.dataset_dir, self.name.format(part)) for part in self.parts()]

    def file_rows(self, file: str):
        return ((text(line),) for line in stream_lines(file, "text") if line)


class PennTreebankDataset(_LinesOfParts):
    """Penn Treebank; column text (string), a line."""

    __doc__ = with_sections_of(TextSource, __doc__)
    name = "ptb.{}.txt"


class WikiTextDataset(_LinesOfParts):
    """WikiText-2 and WikiText-103; column text (string), a line."""

    __doc__ = with_sections_of(TextSource, __doc__)
    name = "wiki.{}.tokens"


# --- pairs of files ---------------------------------------------------------------------------------------------------


def _pair_rows(pair, read):
    first, second = (list(read(path)) for path in pair)
    check(
        len(first) == len(second),
        f"Invalid data, {pair[0]} has {len(first)} sentences, but {pair[1]} has {len(second)}.",
        RuntimeError,
    )
    return ((text(a), text(b)) for a, b in zip(first, second))


IwsltSet = Literal["dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014"]


def _one_of(*allowed):
    """The rule of a pair of languages."""
    return That(f"one of {[list(pair) for pair in allowed]}", lambda pair: tuple(pair) in allowed)


class Multi30kDataset(FilesSource, TextBaseDataset):
    """Multi30k; columns text and translation (strings).

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): "train", "valid", "test" or "all". Default: None, all.
        language_pair (Sequence[str], optional): ["en", "de"] or ["de", "en"]. Default: None, the first.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: None, Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing.
    """

    column_names = ["text", "translation"]
    _FILES = {"train": ("training", "train"), "valid": ("validation", "val"), "test": ("mmt16_task1_test", "test")}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "valid", "all"] | None = None,
        language_pair: Annotated[Sequence, Length(2), _one_of(("en", "de"), ("de", "en"))] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset, usage="all")
        self.language_pair = list(language_pair or ("en", "de"))

    def files(self):
        return [
            [os.path.join(self.dataset_dir, folder, f"{name}.{language}") for language in self.language_pair]
            for part, (folder, name) in self._FILES.items()
            if self.usage in (part, "all")
        ]

    def file_rows(self, file: str):
        return _pair_rows(file, lambda path: (line for line in read_lines(path, "sentences of Multi30k") if line))


class _IwsltSource(FilesSource, TextBaseDataset):
    column_names = ["text", "translation"]
    prefix = ""  # of the files of evaluation sets
    sets = {}  # part: name of its evaluation set
    by_name = False

    def folder(self):
        """Where the files are."""
        raise NotImplementedError(f"{type(self).__name__} has to implement folder().")

    def files(self):
        pair = "-".join(self.language_pair)
        stems = {"train": "train.tags." + pair + ".{}"}
        for part, name in self.sets.items():
            stems[part] = f"{self.prefix}.{name}.{pair}." + "{}.xml"
        return [
            [os.path.join(self.folder(), stem.format(language)) for language in self.language_pair]
            for part, stem in stems.items()
            if self.usage in (part, "all")
        ]

    def file_rows(self, file: str):
        return _pair_rows(file, self._segments if file[0].endswith(".xml") else self._sentences)

    @staticmethod
    def _sentences(path):
        """Lines of a training file that are not markup."""
        return (line.strip() for line in read_lines(path, "sentences of IWSLT") if not line.lstrip().startswith("<"))

    @staticmethod
    def _segments(path):
        """Sentences of an evaluation set."""
        try:
            return [
                node.text.strip() for node in ElementTree.parse(expect_file(path, "sentences of IWSLT")).iter("seg")
            ]
        except (
            ElementTree.ParseError,
            LookupError,
            AttributeError,
        ) as error:  # LookupError: an encoding that is not known
            raise RuntimeError(f"Invalid file, failed to load xml file {path}: {error}.") from error


class IWSLT2016Dataset(_IwsltSource):
    """IWSLT 2016; columns text and translation (strings).

    Args:
        dataset_dir (str): the folder, with `texts` in it.
        usage (str, optional): "train", "valid", "test" or "all". Default: None, all.
        language_pair (Sequence[str], optional): such as ["de", "en"]. Default: None, that one.
        valid_set (str, optional): "dev2010" or "tst2010" to "tst2014". Default: None, tst2013.
        test_set (str, optional): one of the same. Default: None, tst2014.
        num_samples (int, optional): at most so many rows. Default: None, all.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        num_parallel_workers (int, optional): accepted. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    prefix = "IWSLT16.TED"
    _PAIRS = tuple(pair for other in ("ar", "de", "fr", "cs") for pair in (("en", other), (other, "en")))

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "valid", "all"] | None = None,
        language_pair: Annotated[Sequence[str], _one_of(*_PAIRS)] | None = None,
        valid_set: IwsltSet | None = None,
        test_set: IwsltSet | None = None,
        num_samples: NumSamples | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset, usage="all", valid_set="tst2013", test_set="tst2014")
        self.language_pair = list(language_pair or ("de", "en"))
        self.sets = {"valid": self.valid_set, "test": self.test_set}

    def folder(self):
        return os.path.join(self.dataset_dir, "texts", *self.language_pair, "-".join(self.language_pair))


class IWSLT2017Dataset(_IwsltSource):
    """IWSLT 2017; columns text and translation (strings).

    Args:
        dataset_dir (str): the folder, with `texts` in it.
        usage (str, optional): "train", "valid", "test" or "all". Default: None, all.
        language_pair (Sequence[str], optional): such as ["de", "en"]. Default: None, that one.
        num_samples (int, optional): at most so many rows. Default: None, all.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        num_parallel_workers (int, optional): accepted. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    prefix = "IWSLT17.TED"
    sets = {"valid": "dev2010", "test": "tst2010"}
    _PAIRS = (
        ("en", "nl"),
        ("en", "de"),
        ("en", "it"),
        ("en", "ro"),
        ("ro", "de"),
        ("ro", "en"),
        ("ro", "nl"),
        ("ro", "it"),
        ("de", "ro"),
        ("de", "en"),
        ("de", "nl"),
        ("de", "it"),
        ("it", "en"),
        ("it", "nl"),
        ("it", "de"),
        ("it", "ro"),
        ("nl", "de"),
        ("nl", "en"),
        ("nl", "it"),
        ("nl", "ro"),
    )

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "valid", "all"] | None = None,
        language_pair: Annotated[Sequence[str], _one_of(*_PAIRS)] | None = None,
        num_samples: NumSamples | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset, usage="all")
        self.language_pair = list(language_pair or ("de", "en"))

    def folder(self):
        inner = os.path.join("DeEnItNlRo", "DeEnItNlRo", "DeEnItNlRo-DeEnItNlRo")
        outer = os.path.join(self.dataset_dir, "texts")  # some archives have it, some begin below
        return os.path.join(outer if os.path.isdir(outer) else self.dataset_dir, inner)


# --- sentences of tagged words ----------------------------------------------------------------------------------------


class LateWorkersTextSource(TextSource):
    __doc__ = TextSource.__doc__

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: str | None = None,
        num_samples: NumSamples | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset, usage=self.default_usage)


class _TaggedWords(LateWorkersTextSource, TextBaseDataset):
    name, names, separator = "", {}, " "

    def files(self):
        return [os.path.join(self.dataset_dir, self.name.format(self.names.get(part, part))) for part in self.parts()]

    def file_rows(self, file: str):
        """Sentences of a file: an empty line ends one. As in MindSpore, words after the last empty line are left out."""
        words = []
        for number, line in enumerate(stream_lines(file, "tagged words"), 1):
            if line.strip():
                words.append(line.lstrip(" ").split(self.separator)[:3])
                check(
                    len(words[-1]) == 3,
                    f"Invalid file, {file} at line {number} should be a word and two tags, but got '{line}'.",
                    RuntimeError,
                )
            elif words:
                yield tuple(text(column) for column in zip(*words))
                words = []
        if words:
            warnings.warn(
                f"{file}: no empty line ends the last sentence, so its {len(words)} words are left out, as in MindSpore; "
                "add an empty line at the end of the file.",
                stacklevel=2,
            )


class UDPOSDataset(_TaggedWords):
    """Universal Dependencies; columns word, universal and stanford (strings, one for each word of a sentence)."""

    __doc__ = with_sections_of(TextSource, __doc__)
    column_names = ["word", "universal", "stanford"]
    usages = ("train", "valid", "test", "all")
    name, names, separator = "en-ud-tag.v2.{}.txt", {"valid": "dev"}, "\t"


class CoNLL2000Dataset(_TaggedWords):
    """CoNLL 2000 chunking; columns word, pos_tag and chunk_tag (strings, one for each word of a sentence)."""

    __doc__ = with_sections_of(TextSource, __doc__)
    column_names = ["word", "pos_tag", "chunk_tag"]
    name = "{}.txt"
