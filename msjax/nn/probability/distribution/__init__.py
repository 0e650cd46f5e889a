"""Distributions: the names of `mindspore.nn.probability.distribution`."""
from .base import Distribution
from .continuous import (
    Beta,
    Cauchy,
    Exponential,
    Gamma,
    Gumbel,
    HalfNormal,
    Laplace,
    Logistic,
    LogNormal,
    Normal,
    StudentT,
    Uniform,
)
from .discrete import Bernoulli, Categorical, Geometric, Poisson
from .transformed import TransformedDistribution

__all__ = ["Bernoulli", "Beta", "Categorical", "Cauchy", "Distribution", "Exponential", "Gamma", "Geometric", "Gumbel",
           "HalfNormal",
           "Laplace", "LogNormal", "Logistic", "Normal", "Poisson", "StudentT", "TransformedDistribution", "Uniform"]
