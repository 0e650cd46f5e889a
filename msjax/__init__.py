"""msjax: the MindSpore API on JAX. `import mindspore as ms` gives this module under `python -m msjax`."""
import jax

jax.config.update("jax_enable_x64", True)         # Tensor([1, 2]) is int64 in MindSpore

from .core.tensor import Tensor  # noqa: E402, F401
from .core.parameter import Parameter, ParameterTuple  # noqa: E402, F401
from .core.compile import jit, mutable  # noqa: E402, F401
from .core.context import *  # noqa: E402, F401, F403
from .core.seed import set_seed, get_seed  # noqa: E402, F401
from . import nn, ops  # noqa: E402, F401
from .ops import grad, value_and_grad, vmap, jvp, vjp  # noqa: E402, F401
