"""MindSpore's optimizers and learning-rate schedules as optax transformations and schedules, for programs without Cells.

Each function gives an `optax.GradientTransformationExtraArgs` with MindSpore's numbers; it works in a plain training loop, in
`optax.chain`, under `optax.MultiSteps`, `optax.apply_if_finite` and `optax.inject_hyperparams`. `mindspore.nn.Adam` and its like are Cells
around these functions, `mindspore.experimental.optim` around those of `experimental`, `mindspore.mint.optim` around those of `mint`.

Example:
    >>> import jax, jax.numpy as jnp, optax
    >>> from msjax import optim
    >>> optimizer = optax.chain(optax.clip_by_global_norm(1.0), optim.adam_weight_decay(0.1, weight_decay=0.01))
    >>> params = {"w": jnp.float32([3.0, -4.0])}
    >>> state = optimizer.init(params)
    >>> for _ in range(2):
    ...     gradients = jax.grad(lambda p: (p["w"] ** 2).sum())(params)
    ...     updates, state = optimizer.update(gradients, state, params)
    ...     params = optax.apply_updates(params, updates)
    >>> print(params["w"])
    [ 2.253387  -3.2510445]
"""

import importlib as _importlib
import typing as _typing

if _typing.TYPE_CHECKING:
    from . import experimental, mint, schedules  # noqa: F401
    from .adam_family import adam, adam_weight_decay, adamax  # noqa: F401
    from .adaptive import adadelta, adagrad, ftrl, proximal_adagrad, rmsprop  # noqa: F401
    from .building import in_float32, stepwise  # noqa: F401
    from .descents import momentum, sgd  # noqa: F401
    from .factored import adafactor  # noqa: F401
    from .layerwise import lamb, scale_by_lars, without_bias_and_layer_norm  # noqa: F401
    from .parts import centralize, decayed_weights, without_beta_and_gamma  # noqa: F401
    from .signs import asgd, rprop  # noqa: F401

_HOMES = {
    "adam_family": ("adam", "adam_weight_decay", "adamax"),
    "adaptive": ("adadelta", "adagrad", "ftrl", "proximal_adagrad", "rmsprop"),
    "building": ("in_float32", "stepwise"),
    "descents": ("momentum", "sgd"),
    "factored": ("adafactor",),
    "layerwise": ("lamb", "scale_by_lars", "without_bias_and_layer_norm"),
    "parts": ("centralize", "decayed_weights", "without_beta_and_gamma"),
    "signs": ("asgd", "rprop"),
}
_MODULES = ("experimental", "mint", "schedules")
_NAMES = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted([*_NAMES, *_MODULES])


def __getattr__(name):
    """Loaded when asked for: the operators of `msjax.ops` need the formulas alone, and optax takes a tenth of a second to import."""
    if name in _NAMES:
        return getattr(_importlib.import_module(f".{_NAMES[name]}", __name__), name)
    if name in _MODULES:
        return _importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}.")


def __dir__():
    return __all__
