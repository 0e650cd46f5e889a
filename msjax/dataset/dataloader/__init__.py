"""`mindspore.dataset.dataloader`: a loader over datasets with random access or iteration, in the manner of PyTorch."""

from .collate import default_collate, default_convert
from .datasets import Dataset, IterableDataset, TensorDataset
from .loader import DataLoader
from .samplers import BatchSampler, DistributedSampler, RandomSampler, Sampler, SequentialSampler
from .work import get_worker_info

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
