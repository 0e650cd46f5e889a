"""Where rows come from: one file a family of sources."""

from msjax.dataset.sources.generator import GeneratorDataset
from msjax.dataset.sources.mnist import MnistDataset
from msjax.dataset.sources.schema import Schema
from msjax.dataset.sources.slices import NumpySlicesDataset, PaddedDataset

__all__ = ["GeneratorDataset", "MnistDataset", "NumpySlicesDataset", "PaddedDataset", "Schema"]
