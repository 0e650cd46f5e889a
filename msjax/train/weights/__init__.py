"""Weights from where they are: files of MindSpore, PyTorch, safetensors, NumPy and Orbax, and the network that they belong to."""

from .entries import Entry
from .families import families
from .files import open_weights, read_weights, write_weights
from .matching import UncertainMatch, match
from .names import torch_to_mindspore
from .network import match_network, matched, unmatched

__all__ = [
    "Entry",
    "UncertainMatch",
    "families",
    "match",
    "match_network",
    "matched",
    "open_weights",
    "read_weights",
    "torch_to_mindspore",
    "unmatched",
    "write_weights",
]
