"""The layers, by kind. `nn.layer` offers them all (see `nn/__init__.py`)."""

from .math import CosineSimilarity  # here only: `nn.CosineSimilarity` is a metric

__all__ = ["CosineSimilarity"]
