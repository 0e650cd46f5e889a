"""Probability distributions, changes of variable and Bayesian layers: the names of `mindspore.nn.probability`."""

from . import distribution  # isort: skip    (the bijectors build on it)
from . import bijector, bnn_layers

__all__ = ["bijector", "bnn_layers", "distribution"]
