"""Padding: constant, reflected, repeated, circular."""
import jax.numpy as jnp
from jax import lax

from ..core.op import op
from ..core.promote import cast
from .shaping import shape_of

_MODES = {"constant": None, "reflect": "reflect", "replicate": "edge", "edge": "edge", "circular": "wrap", "symmetric": "symmetric"}


def pad_array(name, x, pairs, mode, value=0):
    """x padded with (before, after) for each axis; negative numbers cut off."""
    if mode not in _MODES:
        raise ValueError(f"For '{name}', the 'mode' must be one of {sorted(_MODES)}, but got {mode!r}.")
    if mode == "constant":
        return lax.pad(x, cast(0 if value is None else value, x.dtype), [(a, b, 0) for a, b in pairs])
    for (a, b), n in zip(pairs, x.shape):
        if mode == "reflect" and max(a, b) >= n or mode in ("circular", "symmetric") and max(a, b) > n:
            raise ValueError(f"For '{name}' with mode {mode!r}, the padding must be smaller than the axis, but got {(a, b)} for an axis of length {n}.")
    x = x[tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(pairs, x.shape))]
    return jnp.pad(x, [(max(a, 0), max(b, 0)) for a, b in pairs], _MODES[mode])


def _from_last(name, padding, ndim):
    """Pairs for all axes of numbers that begin with the last axis."""
    numbers = shape_of(name, padding)
    if len(numbers) % 2:
        raise ValueError(f"For '{name}', the length of 'padding' must be even, but got {len(numbers)}.")
    if len(numbers) > 2 * ndim:
        raise ValueError(f"For '{name}', the length of 'padding' must be at most twice the number of axes, {ndim}, but got {len(numbers)}.")
    pairs = [(numbers[2 * i], numbers[2 * i + 1]) for i in range(len(numbers) // 2)]
    return [(0, 0)] * (ndim - len(pairs)) + pairs[::-1]


@op(ops="pad(input_x, padding, mode='constant', value=None)", mint="nn.functional.pad(input, pad, mode='constant', value=None)",
    operands=("input", "value"), static=("padding",))
def pad(input, padding, mode="constant", value=None):
    """Elements added before and behind the axes.

    Args:
        input: Tensor. padding: (before, after) of the last axis, then of the one before it, ...; negative numbers cut off.
        mode: "constant", "reflect", "replicate" or "circular". value: what "constant" adds (0).

    Example:
        >>> ops.pad(Tensor([[1.0, 2.0]]), (1, 2))
    """
    if value is not None and mode != "constant":
        raise ValueError(f"For 'pad', the 'value' must be None unless the mode is 'constant', but got {value} with mode {mode!r}.")
    if not isinstance(mode, str):
        raise TypeError(f"For 'pad', the 'mode' must be a str, but got {type(mode).__name__}.")
    return pad_array("pad", input, _from_last("pad", padding, input.ndim), mode, value)


@op(prim="Pad(paddings)(input_x)", ops=False, name="prim_pad", operands=("input_x",))
def prim_pad(input_x, paddings):
    """Zeros added before and behind each axis, as a tuple of pairs says."""
    pairs = [shape_of("Pad", p) for p in paddings]
    if len(pairs) != input_x.ndim or any(len(p) != 2 for p in pairs):
        raise ValueError(f"For 'Pad', the 'paddings' must be a pair for each of the {input_x.ndim} axes, but got {paddings}.")
    return pad_array("Pad", input_x, pairs, "constant")


@op(prim="PadV3(mode='constant', paddings_contiguous=True)(x, paddings, constant_value=None)", ops=False, operands=("x", "constant_value"),
    static=("paddings",))
def pad_v3(x, paddings, constant_value=None, mode="constant", paddings_contiguous=True):
    """Elements added before and behind the axes, beginning with the last axis."""
    numbers = shape_of("PadV3", paddings)
    if not paddings_contiguous:
        half = len(numbers) // 2
        numbers = tuple(n for pair in zip(numbers[:half], numbers[half:]) for n in pair)
    return pad_array("PadV3", x, _from_last("PadV3", numbers, x.ndim), mode, constant_value)


@op(prim="MirrorPad(mode='REFLECT')(input_x, paddings)", ops="mirror_pad(input_x, paddings, mode)", operands=("input_x",), static=("paddings",))
def mirror_pad(input, paddings, mode="REFLECT"):
    """Elements mirrored at the borders ("REFLECT": without the border itself, "SYMMETRIC": with it), as pairs for each axis say.

    Example:
        >>> ops.mirror_pad(Tensor([1.0, 2.0, 3.0]), Tensor([[1, 1]]), "REFLECT")
    """
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"For 'MirrorPad', the 'mode' must be 'REFLECT' or 'SYMMETRIC', but got {mode!r}.")
    return pad_array("MirrorPad", input, [shape_of("MirrorPad", p) for p in paddings], mode.lower())


@op(prim="Padding(pad_dim_size=8)(x)", ops="padding(x, pad_dim_size=8)")
def padding(x, pad_dim_size=8):
    """The last axis, of length 1, filled up with zeros to pad_dim_size.

    Example:
        >>> ops.padding(Tensor([[8.0], [10.0]]), 4)
    """
    if x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(f"For 'Padding', the last axis of 'x' must have length 1, but got shape {x.shape}.")
    return pad_array("Padding", x, [(0, 0)] * (x.ndim - 1) + [(0, pad_dim_size - 1)], "constant")
