"""Images with captions, attributes or segmentations in files of their own."""

import os
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.constructor import with_arguments
from ...core.spec.checking import checked, compare
from ..check import check, check_file
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset
from ..rules import Folder, NumSamples, PositiveInt32, ReadableFile
from .base import (
    DecodingSource,
    EntrySource,
    declare,
    expect_file,
    expect_folder,
    list_images,
    read_bytes,
    read_lines,
    sub_folders,
    text,
    with_sections_of,
)
from .matlab import read_matlab

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike, Shuffle

# The names of the classes, in the order of their labels
_FLOWERS = ", ".join(
    (
        "pink primrose, hard-leaved pocket orchid, canterbury bells, sweet pea, english marigold, tiger lily",
        "moon orchid, bird of paradise, monkshood, globe thistle, snapdragon, colt's foot, king protea, spear thistle",
        "yellow iris, globe-flower, purple coneflower, peruvian lily, balloon flower, giant white arum lily",
        "fire lily, pincushion flower, fritillary, red ginger, grape hyacinth, corn poppy, prince of wales feathers",
        "stemless gentian, artichoke, sweet william, carnation, garden phlox, love in the mist, mexican aster",
        "alpine sea holly, ruby-lipped cattleya, cape flower, great masterwort, siam tulip, lenten rose",
        "barbeton daisy, daffodil, sword lily, poinsettia, bolero deep blue, wallflower, marigold, buttercup",
        "oxeye daisy, common dandelion, petunia, wild pansy, primula, sunflower, pelargonium, bishop of llandaff",
        "gaura, geranium, orange dahlia, pink-yellow dahlia?, cautleya spicata, japanese anemone, black-eyed susan",
        "silverbush, californian poppy, osteospermum, spring crocus, bearded iris, windflower, tree poppy, gazania",
        "azalea, water lily, rose, thorn apple, morning glory, passion flower, lotus, toad lily, anthurium",
        "frangipani, clematis, hibiscus, columbine, desert-rose, tree mallow, magnolia, cyclamen, watercress",
        "canna lily, hippeastrum, bee balm, ball moss, foxglove, bougainvillea, camellia, mallow, mexican petunia",
        "bromelia, blanket flower, trumpet creeper, blackberry lily",
    )
).split(", ")


class Flowers102Dataset(EntrySource):
    """Oxford 102 Flower; columns image (uint8), segmentation (uint8, of that task) and label (uint32).

    Args:
        dataset_dir (str): the folder.
        task (str, optional): "Classification" or "Segmentation". Default: "Classification".
        usage (str, optional): "train", "valid", "test" or "all". Default: "all".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: 1.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.

    Raises:
        ValueError: a folder or file does not exist, or an argument is out of range.
        RuntimeError: an image is missing.
    """

    _PARTS = {"train": "trnid", "test": "tstid", "valid": "valid"}  # in the order in which "all" reads them

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: str,
        task: Literal["Classification", "Segmentation"] | None = "Classification",
        usage: Literal["train", "valid", "test", "all"] | None = "all",
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = 1,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
    ):
        declare(self, MappableDataset, usage="all", task="Classification")
        for name in ("jpg", "segmim") if self.task == "Segmentation" else ("jpg",):
            path = os.path.join(dataset_dir, name)
            check(os.path.isdir(path), f"The folder {path} does not exist or is not a directory or permission denied!")
        for name in ("imagelabels.mat", "setid.mat"):
            check_file(os.path.join(dataset_dir, name), name)

    @property
    def columns(self):
        segmentation = {"segmentation": "image"} if self.task == "Segmentation" else {}
        return {"image": "image", **segmentation, "label": np.uint32}

    def scan(self):
        labels = read_matlab(os.path.join(self.dataset_dir, "imagelabels.mat"), "labels of Flowers 102", "labels")
        labels = labels[0].astype(int) - 1
        where, rows = os.path.join(self.dataset_dir, "setid.mat"), []
        for part, key in self._PARTS.items():
            if self.usage in (part, "all"):
                for number in read_matlab(where, "the parts of Flowers 102", key)[0].tolist():
                    check(
                        type(number) is int and 1 <= number <= len(labels),
                        f"Invalid file, {where} names image {number}.",
                        RuntimeError,
                    )
                    names = [f"jpg/image_{number:05d}.jpg", f"segmim/segmim_{number:05d}.jpg"]
                    paths = [os.path.join(self.dataset_dir, name) for name in names]
                    rows.append((*paths[: len(self.columns) - 1], labels[number - 1]))
        return rows

    def get_class_indexing(self):
        """Name of a flower to its label, a dict."""
        return {name: label for label, name in enumerate(_FLOWERS)}


class SBUDataset(DecodingSource, EntrySource):
    """SBU captioned photos; columns image (uint8) and caption (string). Missing photos are left out."""

    __doc__ = with_sections_of(DecodingSource, __doc__)
    columns = {"image": "image", "caption": text}
    _NAMES = ("SBU_captioned_photo_dataset_urls.txt", "SBU_captioned_photo_dataset_captions.txt")

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: "bool | Shuffle | None" = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset)
        for name in self._NAMES:
            check_file(os.path.join(dataset_dir, name), name)
        folder = os.path.join(dataset_dir, "sbu_images")
        check(os.path.isdir(folder), f"The folder {folder} does not exist or is not a directory or permission denied!")

    def scan(self):
        urls, captions = (read_lines(os.path.join(self.dataset_dir, name), "text of SBU") for name in self._NAMES)
        check(
            len(urls) == len(captions),
            f"Invalid data, there are {len(urls)} URLs but {len(captions)} captions in {self.dataset_dir}.",
            RuntimeError,
        )
        rows = []
        for url, caption in zip(urls, captions):
            # "http://static.flickr.com/2723/4385058960_b0f2.jpg" is kept as "m_2723_4385058960_b0f2.jpg": from the 24th letter on
            name = url.strip()[23:].replace("/", "_")
            path = os.path.join(self.dataset_dir, "sbu_images", name)
            if os.path.isfile(path):
                rows.append((path, caption.rstrip()))
        return rows


class FlickrDataset(EntrySource):
    """Flickr8k and Flickr30k; columns image (uint8) and annotation (5 strings).

    Args:
        dataset_dir (str): folder of the images.
        annotation_file (str): text file of lines "name.jpg#number<tab>caption".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: None, False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder or file does not exist, or an argument is out of range.
        RuntimeError: a line of the file is not as it should be.
    """

    columns = {"image": "image", "annotation": text}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        annotation_file: ReadableFile,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset)

    def scan(self):
        captions = {}
        for number, line in enumerate(read_lines(self.annotation_file, "captions"), 1):
            if not line:
                continue
            name, tab, caption = line.partition("\t")
            check(
                tab and "#" in name,
                f"Invalid file, {self.annotation_file} at line {number} should be "
                f"'name.jpg#number<tab>caption', but got '{line}'.",
                RuntimeError,
            )
            name = name[: name.rindex("#")]
            if os.path.splitext(name)[1].lower() in (".jpg", ".jpeg"):
                captions.setdefault(name, []).append(caption)
        return [(os.path.join(self.dataset_dir, name), lines) for name, lines in captions.items()]


class CityscapesDataset(EntrySource):
    """Cityscapes; columns image (uint8) and task (uint8, or a string of JSON for "polygon").

    Args:
        dataset_dir (str): folder with `leftImg8bit` and `gtFine` or `gtCoarse`.
        usage (str, optional): "train", "test", "val" or "all"; with coarse quality "train", "train_extra", "val" or
            "all". Default: "train".
        quality_mode (str, optional): "fine" or "coarse". Default: "fine".
        task (str, optional): "instance", "semantic", "polygon" or "color". Default: "instance".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: None, False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing.
    """

    _ENDS = {
        "instance": "instanceIds.png",
        "semantic": "labelIds.png",
        "polygon": "polygons.json",
        "color": "color.png",
    }
    _PARTS = {"fine": ("train", "test", "val"), "coarse": ("train", "train_extra", "val")}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: str = "train",
        quality_mode: Literal["fine", "coarse"] = "fine",
        task: Literal["instance", "semantic", "polygon", "color"] = "instance",
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        compare("CityscapesDataset", "usage", usage, Literal[(*self._PARTS[quality_mode], "all")])
        declare(self, MappableDataset)

    @property
    def columns(self):
        return {"image": "image", "task": "json" if self.task == "polygon" else "image"}

    def _value(self, kind, value):
        if kind != "json":
            return super()._value(kind, value)
        import json

        content = json.loads(read_bytes(value, "polygons of Cityscapes").tobytes())
        return text(json.dumps(content, separators=(",", ":"), sort_keys=True))

    def scan(self):
        quality = "gtFine" if self.quality_mode == "fine" else "gtCoarse"
        rows = []
        for part in self._PARTS[self.quality_mode] if self.usage == "all" else (self.usage,):
            images, truth = (os.path.join(self.dataset_dir, name, part) for name in ("leftImg8bit", quality))
            if self.usage == "all" and not os.path.isdir(truth):
                continue
            for town in sub_folders(expect_folder(images, "images of Cityscapes"), "towns"):
                for path in list_images(os.path.join(images, town), "images", (".png",)):
                    stem = os.path.basename(path).removesuffix("_leftImg8bit.png")
                    rows.append(
                        (
                            path,
                            expect_file(
                                os.path.join(truth, town, f"{stem}_{quality}_{self._ENDS[self.task]}"),
                                "the truth of an image",
                            ),
                        )
                    )
        return rows
