"""Names of weights: which role the last word says, and PyTorch's words under MindSpore's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from .words import words

T = TypeVar("T")
_MEANS = ("running_mean", "moving_mean")
_VARIANCES = ("running_var", "moving_variance", "running_variance")
_TABLES = ("embedding_table", "embedding_weight", "embeddings_table")
LENGTHS = {"weight_v": "weight_g", "original1": "original0"}  # of the directions of weight normalization
COUNTERS = ("num_batches_tracked",)  # PyTorch's counters of batches; MindSpore keeps none


def split(name: str) -> tuple[str, str]:
    """("layer.0", "weight") of "layer.0.weight"."""
    owner, _, last = name.rpartition(".")
    return owner, last


def is_embedding(owner: str) -> bool:
    """Whether the name of a layer says that it is a table of embeddings."""
    last = owner.rpartition(".")[2].lower()
    return (
        "embed" in last
        and last not in ("embed_out", "unembed", "unembedding")
        or last in ("wte", "wpe", "wtt", "shared", "relative_attention_bias")
    )


def role(name: str, entries: Mapping[str, object]) -> str:
    """The role of a weight: "weight", "bias", "table", "scale", "shift", "mean", "variance", "counter", "direction" and "length"
    (of weight normalization), or "" if no word of the name tells.

    A `weight` with one axis, or as long as the `bias` beside it along each axis, or of a layer that is called a norm, and that bias belong to
    a normalization.

    Args:
        name: Its name.
        entries: All names of the file or network, with what has a `shape`.
    """
    owner, last = split(name)
    beside = f"{owner}." if owner else ""
    if last in _MEANS:
        return "mean"
    if last in _VARIANCES:
        return "variance"
    if last in COUNTERS:
        return "counter"
    for direction, length in LENGTHS.items():
        if last in (direction, length) and {beside + direction, beside + length} <= entries.keys():
            return "direction" if last == direction else "length"
    if last == "gamma":
        return "scale"
    if last == "beta":
        return "shift"
    if last in _TABLES:
        return "table"
    weight = entries.get(f"{beside}weight")
    norm = weight is not None and _is_norm(owner, weight.shape, entries.get(f"{beside}bias"))
    if last == "weight":
        if norm:
            return "scale"
        return (
            "table" if len(weight.shape) == 2 and f"{beside}bias" not in entries and is_embedding(owner) else "weight"
        )
    if last == "bias":
        return "shift" if norm else "bias"
    if last.endswith("_weight"):
        return "weight"
    if last.endswith("_bias"):
        return "bias"
    return ""


def _is_norm(owner, shape, bias):
    if len(shape) < 2 or bias is not None:
        return len(shape) == 1 or tuple(shape) == tuple(getattr(bias, "shape", ()))
    said = [word for word in words(split(owner)[1]) if not word.isdigit()]
    return said[-1:] == ["norm"]


_MINDSPORE = {
    "mean": "moving_mean",
    "variance": "moving_variance",
    "scale": "gamma",
    "shift": "beta",
    "table": "embedding_table",
}


def torch_to_mindspore(arrays: Mapping[str, T]) -> dict[str, T]:
    """The same arrays under the names that MindSpore's layers give them.

    Weights and biases of normalizations (one axis) become gamma and beta, their statistics moving_mean and moving_variance, the table
    of an embedding embedding_table; counters of batches are left out.

    Args:
        arrays: Names with arrays, or with anything that has a `shape`.
    """
    renamed = {}
    for name, array in arrays.items():
        owner, last = split(name)
        what = role(name, arrays)
        if what != "counter":
            renamed[(f"{owner}." if owner else "") + _MINDSPORE.get(what, last)] = array
    return renamed
