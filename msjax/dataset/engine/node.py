"""All that a source or an operation is built from, under one name."""

from .dataset import Dataset
from .kinds import AudioBaseDataset, TextBaseDataset, UnionBaseDataset, VisionBaseDataset
from .lists import flatten_single_lists, to_list
from .peers import Alone
from .registry import find_node, register_service
from .source import MappableDataset, ShuffleLevel, SourceDataset, first_rows, gather

__all__ = [
    "Alone",
    "AudioBaseDataset",
    "Dataset",
    "MappableDataset",
    "ShuffleLevel",
    "SourceDataset",
    "TextBaseDataset",
    "UnionBaseDataset",
    "VisionBaseDataset",
    "find_node",
    "first_rows",
    "flatten_single_lists",
    "gather",
    "register_service",
    "to_list",
]
