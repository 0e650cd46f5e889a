"""Images that a manifest file lists."""

import json
from typing import TYPE_CHECKING

import numpy as np

from ...core.constructor import with_arguments
from ...core.spec.checking import checked
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset
from ..rules import NumSamples, PositiveInt32, ReadableFile
from .base import EntrySource, declare, once, read_lines

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


_HEADS = (b"\xff\xd8\xff", b"\x89PN", b"BM", b"GIF")  # of JPEG, PNG, BMP and GIF


def _is_image(path):
    """Whether the first three bytes of a file are those of an image."""
    try:
        with open(path, "rb") as file:
            head = file.read(3)
    except OSError as error:
        raise RuntimeError(f"Invalid manifest file, failed to read {path}: {error}.") from error
    if len(head) < 3:
        raise RuntimeError(
            f"Invalid manifest file, failed to read {path}: it has {len(head)} bytes, which is no image."
        )
    return head.startswith(_HEADS)


class ManifestDataset(EntrySource):
    """Images named by a manifest file, JSON in each line; columns image (uint8) and label (int32, several for an image
    of several classes).

    Args:
        dataset_file (str): the manifest file.
        usage (str, optional): which lines to read, such as "train", "eval" or "inference". Default: "train".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        class_indexing (dict, optional): class to label; other classes are left out. Default: None, which numbers the
            sorted classes.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the file does not exist, or an argument is out of range.
        RuntimeError: a line is damaged, or no line is of that usage.
    """

    columns = {"image": "image", "label": np.int32}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_file: ReadableFile,
        usage: str | None = "train",
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        class_indexing: dict | None = None,
        decode: bool | None = False,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, usage="train")

    @once
    def _lines(self):
        """Image and the classes of its annotations, for each line of this usage."""
        found = []
        for number, line in enumerate(read_lines(self.dataset_file, "a manifest file"), 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
                path, usage = entry["source"], entry["usage"].lower()
                names = [item["name"] for item in entry["annotation"]]
                # MindSpore looks at the file of every line, whatever its usage, and leaves out what is no image.
                if _is_image(path) and usage == self.usage.lower():
                    found.append((path, names))
            except KeyError as error:
                raise RuntimeError(
                    f"Invalid manifest file, {error} is missing in {self.dataset_file} at line {number}."
                ) from error
            except (ValueError, TypeError, AttributeError) as error:
                raise RuntimeError(
                    f"Invalid manifest file, {self.dataset_file} at line {number} can not be read: {error!r}."
                ) from error
        return found

    @once
    def labelled(self):
        """Class to label."""
        found = sorted({name for _, names in self._lines for name in names})
        return self.class_indexing or {name: label for label, name in enumerate(found)}

    def scan(self):
        rows = []
        for path, names in self._lines:
            labels = [self.labelled[name] for name in names if name in self.labelled]
            if labels:
                rows.append((path, labels[0] if len(labels) == 1 else labels))
        return rows

    def get_class_indexing(self):
        """Class to label, a dict."""
        return dict(self.labelled)
