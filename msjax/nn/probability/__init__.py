"""Distributions and bijectors: the names of `mindspore.nn.probability`."""
from . import bijector, distribution

__all__ = ["bijector", "distribution"]
