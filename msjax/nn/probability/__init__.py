"""Probability distributions, changes of variable and Bayesian layers: the names of `mindspore.nn.probability`."""

from . import distribution  # isort: skip    (the bijectors build on it)
from ..inner_operators import OF_PROBABILITY, attach
from . import bijector, bnn_layers

attach({**vars(distribution), **vars(bijector)}, OF_PROBABILITY)

__all__ = ["bijector", "bnn_layers", "distribution"]
