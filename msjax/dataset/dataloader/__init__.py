"""`mindspore.dataset.dataloader`: a loader over datasets with random access or iteration, in the manner of PyTorch."""

from msjax.dataset.dataloader.collate import default_collate, default_convert
from msjax.dataset.dataloader.datasets import Dataset, IterableDataset, TensorDataset
from msjax.dataset.dataloader.loader import DataLoader
from msjax.dataset.dataloader.samplers import (
    BatchSampler,
    DistributedSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)
from msjax.dataset.dataloader.work import get_worker_info

__all__ = [
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "TensorDataset",
    "default_collate",
    "default_convert",
    "get_worker_info",
]
