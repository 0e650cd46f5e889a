"""The distributions: the names of `mindspore.nn.probability.distribution`."""

from ..utils import (  # noqa: F401    (MindSpore's distribution._utils: what subclasses in projects use)
    CheckTensor,
    CheckTuple,
    broadcast_to,
    cast_to_tensor,
    check_distribution_name,
    check_greater,
    check_greater_equal_zero,
    check_greater_zero,
    check_prob,
    check_rank,
    check_sum_equal_one,
    clamp_probs,
    exp_generic,
    log1p_generic,
    log_generic,
    logits_to_probs,
    probs_to_logits,
    raise_none_error,
    raise_not_defined,
    raise_not_impl_error,
    raise_not_implemented_util,
    raise_type_error,
    set_param_type,
)
from .continuous import Beta, Cauchy, Exponential, Gamma, HalfNormal, Laplace, Logistic, Normal, StudentT, Uniform
from .discrete import Bernoulli, Categorical, Geometric, Poisson
from .distribution import Distribution
from .of_transforms import Gumbel, LogNormal, TransformedDistribution

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Cauchy",
    "Distribution",
    "Exponential",
    "Gamma",
    "Geometric",
    "Gumbel",
    "HalfNormal",
    "Laplace",
    "LogNormal",
    "Logistic",
    "Normal",
    "Poisson",
    "StudentT",
    "TransformedDistribution",
    "Uniform",
]
