"""All that a source or an operation is built from, under one name."""

from .dataset import (
    Alone,
    AudioBaseDataset,
    Dataset,
    TextBaseDataset,
    UnionBaseDataset,
    VisionBaseDataset,
    find_node,
    flatten_single_lists,
    register_service,
    to_list,
)
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
