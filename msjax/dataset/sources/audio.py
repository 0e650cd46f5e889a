"""Audio sources: WAV and SPHERE files with their labels."""

import os
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.constructor import with_arguments
from ...core.spec.checking import checked, compare
from ...core.spec.rules import Like
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.node import AudioBaseDataset, MappableDataset
from ..rules import Folder, NumSamples, PositiveInt32
from .base import (
    EntrySource,
    FolderSource,
    UsageSource,
    declare,
    expect_file,
    list_images,
    read_lines,
    sub_folders,
    text,
    with_sections_of,
)
from .damage import read_as_told

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


def _samples(data, width, big_endian=False):
    """Samples of `width` bytes as float32; the largest positive one is 1."""
    order = ">" if big_endian else "<"
    if width == 1:  # the only width without a sign
        return (np.frombuffer(data, np.uint8).astype(np.float32) - 128) / np.float32(127)
    if width == 3:
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return ((wide.view("<i4")[:, 0] >> 8) / ((1 << 23) - 1)).astype(np.float32)
    values = np.frombuffer(data, f"{order}i{width}")
    return (values / float((1 << (8 * width - 1)) - 1)).astype(np.float32)


def read_wave(path: str):
    """Samples of a WAV file, float32 of shape (1, frames x channels) with the channels interleaved, and their rate in
    Hz.

    Raises:
        RuntimeError: the file is missing, or no WAV file of integer samples.
    """
    import wave  # needed by audio only

    try:
        with wave.open(path, "rb") as stream:
            data = stream.readframes(stream.getnframes())
            check(
                len(data) == stream.getnframes() * stream.getnchannels() * stream.getsampwidth(),
                f"Invalid file, the audio file {path} is cut short.",
                RuntimeError,
            )
            return _samples(data, stream.getsampwidth())[None], stream.getframerate()
    except (OSError, EOFError, wave.Error, RuntimeError) as error:
        if isinstance(error, RuntimeError) and str(error):
            raise  # ours; that of the library has no text
        raise RuntimeError(
            f"Invalid file, failed to read {path}: a WAV file was expected there ({error!r})."
        ) from error


def read_sphere(path: str):
    """Samples of a NIST SPHERE file, float32 of shape (frames,), and their rate in Hz.

    Raises:
        RuntimeError: the file is missing, no SPHERE file, or compressed.
    """
    with open(expect_file(path, "a NIST SPHERE file"), "rb") as stream:
        head = stream.read(16)
        check(head.startswith(b"NIST_1A"), f"Invalid file, {path} is no NIST SPHERE file.", RuntimeError)
        size = int(head[8:16])
        lines = (head + stream.read(size - 16)).decode("ascii", "replace").splitlines()[2:]
        fields = {words[0]: words[2] for line in lines if len(words := line.split(maxsplit=2)) == 3}
        coding = fields.get("sample_coding", "pcm")
        check(
            coding == "pcm",
            f"Invalid file, the samples of {path} are coded as '{coding}'; only 'pcm' can be read.",
            RuntimeError,
        )
        data = stream.read()
    width = int(fields.get("sample_n_bytes", 2))
    data = data[: len(data) // width * width]
    return _samples(data, width, fields.get("sample_byte_format", "01") == "10"), int(fields["sample_rate"])


class WaveSource(EntrySource, AudioBaseDataset):
    """A source of WAV files: `scan` gives the path in the place of the first two columns, waveform and sample_rate."""

    rate = np.uint32  # type of the column sample_rate

    @property
    def column_names(self):
        return ["waveform", "sample_rate", *self.columns]

    def row(self, index: int):
        path, *values = self.entries[index]
        with read_as_told(self):
            waveform, rate = read_wave(path)
            return (
                waveform,
                np.array(rate, self.rate),
                *(self._value(kind, value) for kind, value in zip(self.columns.values(), values, strict=True)),
            )

    def class_labels(self):
        check(
            "label" in self.columns,
            f"PKSampler needs a column of labels, but {type(self).__name__} has the columns {self.column_names}.",
            RuntimeError,
        )
        column = 1 + list(self.columns).index("label")
        return np.unique([np.asarray(entry[column]).reshape(-1)[0] for entry in self.entries], return_inverse=True)[1]


def _list_waves(folder):
    return list_images(folder, "WAV files", (".wav",))


class CMUArcticDataset(WaveSource):
    """CMU Arctic; columns waveform (float32), sample_rate (uint32), transcript and utterance_id (strings).

    Args:
        dataset_dir (str): folder of the speakers' folders.
        name (str, optional): the speaker, such as "aew" or "bdl". Default: None, aew.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    columns = {"transcript": text, "utterance_id": text}
    _SPEAKERS = (
        "aew",
        "ahw",
        "aup",
        "awb",
        "axb",
        "bdl",
        "clb",
        "eey",
        "fem",
        "gka",
        "jmk",
        "ksp",
        "ljm",
        "lnh",
        "rms",
        "rxr",
        "slp",
        "slt",
    )

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        name: str | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        compare("CMUArcticDataset", "name", name, Literal[self._SPEAKERS] | None)
        declare(self, MappableDataset, name="aew")

    def scan(self):
        folder = os.path.join(self.dataset_dir, f"cmu_us_{self.name}_arctic")
        path = os.path.join(folder, "etc", "txt.done.data")
        rows = []
        for line in read_lines(path, "the transcripts of CMU Arctic"):
            if line.strip():
                words = line.split('"')  # ( arctic_a0001 "Author of the danger trail." )
                check(
                    len(words) >= 3,
                    f"Invalid file, {path} has the line '{line}', which is not in the format of CMU Arctic.",
                    RuntimeError,
                )
                name = words[0].strip("( ")
                wave = os.path.join(folder, "wav", f"{name}.wav")
                rows.append((wave, '"'.join(words[1:-1]), name.removeprefix("arctic_")))
        return rows


class GTZANDataset(UsageSource, WaveSource):
    """GTZAN music genres; columns waveform (float32), sample_rate (uint32) and label (string). The dataset folder
    contains one folder for each genre; `usage` selects the same files for all parts.
    """

    __doc__ = with_sections_of(UsageSource, __doc__)
    columns = {"label": text}
    usages = ("train", "valid", "test", "all")

    def scan(self):
        return [
            (path, genre)
            for genre in sub_folders(self.dataset_dir, "a folder for each genre of GTZAN")
            for path in _list_waves(os.path.join(self.dataset_dir, genre))
        ]


class LibriTTSDataset(UsageSource, WaveSource):
    """LibriTTS; columns waveform (float32), sample_rate (uint32), original_text, normalized_text (strings), speaker_id,
    chapter_id (uint32) and utterance_id (string).
    """

    __doc__ = with_sections_of(UsageSource, __doc__)
    columns = {
        "original_text": text,
        "normalized_text": text,
        "speaker_id": np.uint32,
        "chapter_id": np.uint32,
        "utterance_id": text,
    }
    usages = (
        "dev-clean",
        "dev-other",
        "test-clean",
        "test-other",
        "train-clean-100",
        "train-clean-360",
        "train-other-500",
        "all",
    )

    def scan(self):
        rows = []
        for part in self.parts():
            root = os.path.join(self.dataset_dir, part)
            if self.usage == "all" and not os.path.isdir(root):
                continue
            for speaker in sub_folders(root, "a folder for each speaker of LibriTTS"):
                for chapter in sub_folders(os.path.join(root, speaker), "chapters"):
                    folder = os.path.join(root, speaker, chapter)
                    lines = read_lines(
                        os.path.join(folder, f"{speaker}_{chapter}.trans.tsv"), "transcripts of LibriTTS"
                    )
                    for line in filter(None, lines):
                        name, original, normalized = line.split("\t")
                        rows.append(
                            (
                                os.path.join(folder, f"{name}.wav"),
                                original,
                                normalized,
                                int(speaker),
                                int(chapter),
                                name,
                            )
                        )
        return rows


class LJSpeechDataset(FolderSource, WaveSource):
    """LJSpeech; columns waveform (float32), sample_rate (int32), transcription and normalized_transcription
    (strings).
    """

    __doc__ = with_sections_of(FolderSource, __doc__)
    columns = {"transcription": text, "normalized_transcription": text}
    rate = np.int32

    def scan(self):
        lines = read_lines(os.path.join(self.dataset_dir, "metadata.csv"), "the transcripts of LJSpeech")
        return [
            (os.path.join(self.dataset_dir, "wavs", f"{name}.wav"), first, second)
            for name, first, second in (line.split("|", 2) for line in lines if line)
        ]


class SpeechCommandsDataset(UsageSource, WaveSource):
    """Speech Commands; columns waveform (float32), sample_rate (int32), label, speaker_id (strings) and
    utterance_number (int32).
    """

    __doc__ = with_sections_of(UsageSource, __doc__)
    columns = {"label": text, "speaker_id": text, "utterance_number": np.int32}
    rate = np.int32
    usages = ("train", "test", "valid", "all")
    _LISTS = {"test": "testing_list.txt", "valid": "validation_list.txt"}
    _MARK = "_nohash_"

    def _listed(self, part):
        return {
            line.strip() for line in read_lines(os.path.join(self.dataset_dir, self._LISTS[part]), "a list of files")
        }

    def scan(self):
        if self.usage in self._LISTS:
            chosen, left_out = self._listed(self.usage), set()
        else:
            chosen = None
            left_out = self._listed("test") | self._listed("valid") if self.usage == "train" else set()
        rows = []
        for label in sub_folders(self.dataset_dir, "a folder for each word of Speech Commands"):
            for path in _list_waves(os.path.join(self.dataset_dir, label)):
                name, mark, number = os.path.splitext(os.path.basename(path))[0].partition(self._MARK)
                listed = f"{label}/{os.path.basename(path)}"
                if mark and listed not in left_out and (chosen is None or listed in chosen):
                    rows.append((path, label, name, int(number)))
        return rows


class TedliumDataset(WaveSource):
    """TED-LIUM; columns waveform (float32), sample_rate (int32), transcript, talk_id, speaker_id and identifier
    (strings).

    Args:
        dataset_dir (str): the folder.
        release (str): "release1", "release2" or "release3".
        usage (str, optional): "train", "test", "dev" or "all"; "all" alone for "release3". Default: None, all.
        extensions (str, optional): extension of the sound files. Default: None, ".sph".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    columns = {"transcript": text, "talk_id": text, "speaker_id": text, "identifier": text}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        release: Literal["release1", "release2", "release3"],
        usage: str | None = None,
        extensions: Like[str] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        usages = ("all",) if release == "release3" else ("train", "test", "dev", "all")
        compare("TedliumDataset", "usage", usage, Literal[usages] | None)
        declare(self, MappableDataset, usage="all", extensions=".sph")

    def scan(self):
        if self.release == "release3":
            folders = ["data"]
        else:
            folders = ["train", "test", "dev"] if self.usage == "all" else [self.usage]
        rows = []
        for folder in folders:
            root = os.path.join(self.dataset_dir, folder)
            for path in list_images(os.path.join(root, "stm"), "transcripts of TED-LIUM", (".stm",)):
                for line in filter(str.strip, read_lines(path, "a transcript")):
                    words = line.split(maxsplit=6)
                    check(
                        len(words) >= 6,
                        f"Invalid file, {path} has the line '{line}', which is not in the format of TED-LIUM.",
                        RuntimeError,
                    )
                    talk, _, speaker, start, end, identifier, *said = words
                    sound = os.path.join(root, "sph", talk + self.extensions)
                    rows.append((sound, float(start), float(end), said[0] if said else "", talk, speaker, identifier))
        return rows

    def row(self, index: int):
        path, start, end, *texts = self.entries[index]
        with read_as_told(self):
            samples, rate = read_sphere(path)
            return (samples[None, int(start * rate) : int(end * rate)], np.array(rate, np.int32), *map(text, texts))


class YesNoDataset(FolderSource, WaveSource):
    """YesNo: eight words in each recording; columns waveform (float32), sample_rate (int32) and label (int32, 8 of 0
    and 1).
    """

    __doc__ = with_sections_of(FolderSource, __doc__)
    columns = {"label": np.int32}
    rate = np.int32

    def scan(self):
        return [
            (path, [int(word) for word in os.path.splitext(os.path.basename(path))[0].split("_")])
            for path in _list_waves(self.dataset_dir)
        ]
