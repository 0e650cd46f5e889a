"""Made by `python -m msjax stubs`: do not edit."""
from . import _utils as _utils
from . import bernoulli as bernoulli
from . import beta as beta
from . import categorical as categorical
from . import cauchy as cauchy
from . import distribution as distribution
from . import exponential as exponential
from . import gamma as gamma
from . import geometric as geometric
from . import gumbel as gumbel
from . import half_normal as half_normal
from . import laplace as laplace
from . import log_normal as log_normal
from . import logistic as logistic
from . import normal as normal
from . import poisson as poisson
from . import student_t as student_t
from . import transformed_distribution as transformed_distribution
from . import uniform as uniform
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.probability.distribution import *
from msjax.nn.probability import *
from msjax import *
from msjax import *
from msjax.nn.probability import *
from msjax.nn.probability.distribution import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from typing import Any
from . import _utils as _utils
from . import bernoulli as bernoulli
from . import beta as beta
from . import categorical as categorical
from . import cauchy as cauchy
from . import distribution as distribution
from . import exponential as exponential
from . import gamma as gamma
from . import geometric as geometric
from . import gumbel as gumbel
from . import half_normal as half_normal
from . import laplace as laplace
from . import log_normal as log_normal
from . import logistic as logistic
from . import normal as normal
from . import poisson as poisson
from . import student_t as student_t
from . import transformed_distribution as transformed_distribution
from . import uniform as uniform
def __getattr__(name: str) -> Any: ...
