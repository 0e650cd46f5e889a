"""Images of faces, with boxes or attributes: WIDER FACE, CelebA, LFW."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.constructor import given, with_arguments
from ...core.keywords import old_keywords
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset
from ..rules import Folder, NumSamples, PositiveInt32
from .base import EntrySource, UsageDecodingSource, declare, read_lines, with_sections_of
from .detection import no_pk_sampler

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


class WIDERFaceDataset(UsageDecodingSource, EntrySource):
    """WIDER FACE; columns image (uint8) and, except for "test", bbox, blur, expression, illumination, occlusion, pose
    and invalid (int32) with a row for each face.
    """

    __doc__ = with_sections_of(UsageDecodingSource, __doc__)
    usages = ("train", "test", "valid", "all")
    _FACTS = ("blur", "expression", "illumination", "occlusion", "pose", "invalid")
    _FOLDER = {"train": "train", "valid": "val"}

    @property
    def columns(self):
        facts = {} if self.usage == "test" else dict.fromkeys(("bbox", *self._FACTS), np.int32)
        return {"image": "image", **facts}

    def scan(self):
        split = os.path.join(self.dataset_dir, "wider_face_split")
        if self.usage == "test":
            images = os.path.join(self.dataset_dir, "WIDER_test", "images")
            names = read_lines(os.path.join(split, "wider_face_test_filelist.txt"), "the list of images")
            return [(os.path.join(images, name),) for name in names if name]
        rows = []
        for part, folder in self._FOLDER.items():
            if self.usage in (part, "all"):
                rows += self._faces(
                    os.path.join(split, f"wider_face_{folder}_bbx_gt.txt"),
                    os.path.join(self.dataset_dir, f"WIDER_{folder}", "images"),
                )
        return rows

    def _faces(self, path, images):
        lines = iter([line.strip() for line in read_lines(path, "the boxes of WIDER FACE")])
        rows = []
        for name in filter(None, lines):
            try:
                # An image without a face has one line of zeros all the same.
                faces = np.array([next(lines).split() for _ in range(max(int(next(lines)), 1))], np.int32)
                # The files have invalid, occlusion, pose in the places of occlusion, pose, invalid; MindSpore goes by
                # place.
                rows.append((os.path.join(images, name), faces[:, :4], *faces[:, 4:10].T))
            except (StopIteration, ValueError, IndexError) as error:
                raise RuntimeError(f"Invalid annotation, {path} is damaged at the image {name}.") from error
        return rows


class CelebADataset(EntrySource):
    """CelebA faces; columns image (uint8) and attr (uint32, 40 flags).

    Args:
        dataset_dir (str): folder of the images and of `list_attr_celeba.txt`.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        usage (str, optional): "train", "valid", "test" or "all"; all but "all" need `list_eval_partition.txt`.
            Default: "all".
        sampler (Sampler, optional): chooses the rows; PKSampler is refused. Default: None.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        extensions (list[str], optional): extensions of the files to read. Default: None, all.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.
        decrypt (callable, optional): function from a path to the bytes of the file. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    columns = {"image": "image", "attr": np.uint32}
    _PARTS = {"train": "0", "valid": "1", "test": "2"}

    @old_keywords(dataset_type="usage")
    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        usage: AsValue[Literal["all", "train", "valid", "test"]] | None = "all",
        sampler: "SamplerLike | None" = None,
        decode: bool | None = False,
        extensions: list | None = None,
        num_samples: NumSamples | None = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
        decrypt: Callable | None = None,
    ):
        no_pk_sampler(self, sampler)
        declare(self, MappableDataset, usage="all")

    def scan(self):
        path = os.path.join(self.dataset_dir, "list_attr_celeba.txt")
        lines = read_lines(path, "the attributes of CelebA")[2:]
        chosen = None
        if self.usage != "all":
            parts = read_lines(os.path.join(self.dataset_dir, "list_eval_partition.txt"), "the partition of CelebA")
            chosen = {line.split()[0] for line in parts if line.split()[1:] == [self._PARTS[self.usage]]}
        rows = []
        for line in filter(str.strip, lines):
            name, *flags = line.split()
            if self.extensions and os.path.splitext(name)[1] not in self.extensions:
                continue
            if chosen is None or name in chosen:
                rows.append((os.path.join(self.dataset_dir, name), [flag == "1" for flag in flags]))
        return rows


class LFWDataset(EntrySource):
    """Labeled Faces in the Wild; columns image (uint8) and label (uint32), or image1, image2 and label (1 where both
    show one person).

    Args:
        dataset_dir (str): the folder.
        task (str, optional): "people" or "pairs". Default: None, people.
        usage (str, optional): "10fold", "train", "test" or "all". Default: None, all.
        image_set (str, optional): "original", "funneled" or "deepfunneled". Default: None, funneled.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    _FOLDER = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
    _LISTS = {"10fold": [""], "train": ["DevTrain"], "test": ["DevTest"], "all": ["DevTrain", "DevTest"]}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        task: Literal["people", "pairs"] | None = None,
        usage: Literal["10fold", "train", "test", "all"] | None = None,
        image_set: Literal["original", "funneled", "deepfunneled"] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        task, usage, image_set = task or "people", usage or "all", image_set or "funneled"
        declare(self, MappableDataset, {**given(self), "task": task, "usage": usage, "image_set": image_set})

    @property
    def columns(self):
        images = ["image"] if self.task == "people" else ["image1", "image2"]
        return {**dict.fromkeys(images, "image"), "label": np.uint32}

    def _image(self, name, number):
        return os.path.join(self.dataset_dir, self._FOLDER[self.image_set], name, f"{name}_{int(number):04d}.jpg")

    def _read(self, name):
        """The words of the lines of one list; a line with a single number only announces the number of lines that
        follow.
        """
        lines = [line.split() for line in read_lines(os.path.join(self.dataset_dir, name), "a list of LFW")[1:]]
        return [words for words in lines if len(words) > 1]

    def scan(self):
        lines = [words for part in self._LISTS[self.usage] for words in self._read(f"{self.task}{part}.txt")]
        if self.task == "pairs":
            return [
                (self._image(words[0], words[1]), self._image(words[-2], words[-1]), 0)
                if len(words) == 4
                else (self._image(words[0], words[1]), self._image(words[0], words[2]), 1)
                for words in lines
            ]
        names = read_lines(os.path.join(self.dataset_dir, "lfw-names.txt"), "the names of LFW")
        labels = {line.split()[0]: label for label, line in enumerate(names) if line.strip()}
        return [
            (self._image(name, number), labels[name])
            for name, count in (words[:2] for words in lines)
            for number in range(1, int(count) + 1)
        ]
