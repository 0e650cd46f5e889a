"""Made by `python -m msjax stubs`: do not edit."""
from . import bnn_cell_wrapper as bnn_cell_wrapper
from . import conv_variational as conv_variational
from . import dense_variational as dense_variational
from . import layer_distribution as layer_distribution
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.probability.bnn_layers import _DENSE as _DENSE
from msjax.nn.probability.bnn_layers import _DenseVariational as _DenseVariational
from msjax.nn.probability.bnn_layers import _PRIORS as _PRIORS
from msjax.nn.probability.bnn_layers import _Variational as _Variational
from msjax.nn.probability.bnn_layers import _check_normal as _check_normal
from msjax.nn.probability.bnn_layers import check_posterior as check_posterior
from msjax.nn.probability.bnn_layers import check_prior as check_prior
from msjax.nn.probability.bnn_layers import normal_post_fn as normal_post_fn
from msjax.nn.probability.bnn_layers import *
from msjax.nn.probability import *
from msjax import *
from msjax import *
from msjax.nn.probability import *
from msjax.nn.probability.bnn_layers import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.probability.bnn_layers import _DENSE as _DENSE
from msjax.nn.probability.bnn_layers import _DenseVariational as _DenseVariational
from msjax.nn.probability.bnn_layers import _PRIORS as _PRIORS
from msjax.nn.probability.bnn_layers import _Variational as _Variational
from msjax.nn.probability.bnn_layers import _check_normal as _check_normal
from msjax.nn.probability.bnn_layers import check_posterior as check_posterior
from msjax.nn.probability.bnn_layers import check_prior as check_prior
from msjax.nn.probability.bnn_layers import normal_post_fn as normal_post_fn
from typing import Any
from . import bnn_cell_wrapper as bnn_cell_wrapper
from . import conv_variational as conv_variational
from . import dense_variational as dense_variational
from . import layer_distribution as layer_distribution
def __getattr__(name: str) -> Any: ...
