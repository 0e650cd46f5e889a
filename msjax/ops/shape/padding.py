"""Padding by constants, reflection, edges and circulation."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Nested, Number, Shown, Static
from ...core.spec.rules import AsValue
from ...core.values.promote import written
from ..shapes import number_of_axes

_MODES = {
    "constant": "constant",
    "reflect": "reflect",
    "edge": "edge",
    "replicate": "edge",
    "circular": "wrap",
    "symmetric": "symmetric",
}


def padded(name: str, x: Any, pairs: Any, mode: str = "constant", value: Any = 0):
    """x with (before, after) elements added to each axis; negative numbers cut."""
    if mode not in _MODES:
        raise ValueError(f"For '{name}', the 'mode' must be one of {sorted(_MODES)}, but got {mode!r}.")
    if len(pairs) != x.ndim:
        raise ValueError(
            f"For '{name}', there must be a pair of paddings for each of the {x.ndim} axes, but got {pairs}."
        )
    for (before, after), length in zip(pairs, x.shape):
        if before + length < 0 or after + length < 0 or before + after + length < 0:
            raise ValueError(
                f"For '{name}', the paddings must not cut more than there is, but got {pairs} for shape "
                f"{tuple(x.shape)}."
            )
        if mode == "reflect" and max(before, after) >= max(length, 1) and max(before, after) > 0:
            raise ValueError(
                f"For '{name}', the paddings of mode 'reflect' must be less than the axis, but got {pairs} for shape "
                f"{tuple(x.shape)}."
            )
        if mode in ("symmetric", "circular") and max(before, after) > length:
            raise ValueError(
                f"For '{name}', the paddings of mode {mode!r} must be at most the axis, but got {pairs} for shape "
                f"{tuple(x.shape)}."
            )
    cut = tuple(slice(max(-before, 0), length - max(-after, 0)) for (before, after), length in zip(pairs, x.shape))
    x = x[cut] if any(p < 0 for pair in pairs for p in pair) else x
    pairs = [(max(a, 0), max(b, 0)) for a, b in pairs]
    if all(p == (0, 0) for p in pairs):
        return x
    if mode == "constant":
        if x.dtype.kind in "iu" and (isinstance(value, (int, float)) or getattr(value, "weak_type", False)):
            _check_whole(name, float(value), x.dtype)
        return jnp.pad(x, pairs, constant_values=written(value, x.dtype))
    return jnp.pad(x, pairs, mode=_MODES[mode])


def _check_whole(name, value, dtype):
    """Raises Python's own errors for padding an integer Tensor with a value that is not a 64-bit number."""
    if value != value:
        raise ValueError(f"For '{name}', an integer Tensor can not be padded with NaN.")
    if not -(2.0**63) <= value < 2.0 ** (64 if dtype == jnp.uint64 else 63):
        raise OverflowError(
            f"For '{name}', an integer Tensor can not be padded with an infinity or a number beyond int64."
        )


def _last_first(name, padding, ndim):
    """Pairs for all axes from numbers that start with the last axis."""
    if not isinstance(padding, (tuple, list)):
        raise TypeError(f"For '{name}', the 'padding' must be a tuple or a list, but got {type(padding).__name__}.")
    if len(padding) % 2:
        raise ValueError(
            f"For '{name}', the size of padding must be divisible by 2, but got {len(padding)}: {padding}."
        )
    for v in padding:
        if isinstance(v, bool) or not isinstance(v, (int, np.integer)):
            raise TypeError(f"For '{name}', the elements of 'padding' must be int, but got {v!r}.")
    if len(padding) > 2 * ndim:
        raise ValueError(
            f"For '{name}', the length of 'padding' must be at most twice the number of axes, but got {padding}."
        )
    pairs = [(int(padding[i]), int(padding[i + 1])) for i in range(0, len(padding), 2)]
    return [(0, 0)] * (ndim - len(pairs)) + pairs[::-1]


def in_pairs(numbers: Sequence):
    """Numbers as (before, after, before, after, ...) that were given as (before, before, ..., after, after, ...)."""
    half = len(numbers) // 2
    return [number for pair in zip(numbers[:half], numbers[half:]) for number in pair]


def _is_pair(v):
    return isinstance(v, (tuple, list)) and len(v) == 2


@op(
    ops=Face("pad", args("input_x", "padding", mode="constant", value=None), to={"input_x": "input"}),
    mint=Face(
        "nn.functional.pad",
        args("input", "pad", mode="constant", value=None),
        to={"pad": "padding"},
        fixed={"one_or_two_before": True},
    ),
)
def pad(
    input: Array,
    padding: Static[Nested],
    mode: Static[str] = "constant",
    value: Number | None = None,
    one_or_two_before: bool = False,
) -> Array:
    """Padding of the last axes.

    padding: before and after the last axis, before and after the one in front of it, ...; negative numbers cut. Or, as in
    MindSpore 1.x, a pair for each axis, the first one first, of zeros. mode: "constant" (with `value`, 0 by default),
    "reflect", "replicate" or "circular".

    Example:
        >>> print(ops.pad(x, (1, 1, 2, 2)))
        [[0.         0.         0.         0.         0.        ]
         [0.         0.         0.         0.         0.        ]
         [0.         0.         0.16666667 0.33333334 0.        ]
         [0.         0.5        0.6666667  0.8333333  0.        ]
         [0.         0.         0.         0.         0.        ]
         [0.         0.         0.         0.         0.        ]]
    """
    if len(padding) == 0:
        return input
    if len(padding) == input.ndim and mode == "constant" and value is None and all(map(_is_pair, padding)):
        return pad_primitive(input, padding)
    if mode != "constant" and value is not None:
        raise ValueError(f"For 'pad', the padding mode '{mode}' can not set value, but got value {value}.")
    if mode != "constant" and len(padding) > 6:
        raise ValueError(f"For 'pad', the padding must be less than or equal to 6, but got {len(padding)}.")
    if one_or_two_before and mode != "constant":  # an (N, C, ...) or (C, ...) array
        number_of_axes("pad", range(len(padding) // 2 + 1, len(padding) // 2 + 3), input=input.shape)
    return padded("pad", input, _last_first("pad", padding, input.ndim), mode, 0 if value is None else value)


@op(prim=Prim("Pad", inputs=("x",)), ops=False)
def pad_primitive(x: Array, paddings: Static[Nested]) -> Array:
    """Zeros around each axis; paddings is ((before, after), ...)."""
    if not isinstance(paddings, (tuple, list)):
        raise TypeError(f"For 'Pad', the type of 'paddings' must be tuple, but got {type(paddings).__name__}.")
    return padded("Pad", x, [(int(a), int(b)) for a, b in paddings])


@op(prim=Prim("PadV3", inputs=("x", "paddings", "constant_value")), ops=False)
def pad_v3(
    x: Array,
    paddings: Static[Any],
    constant_value: Annotated[Array | None, Shown("Tensor | float | None")] = None,
    mode: str = "constant",
    paddings_contiguous: bool = True,
) -> Array:
    """Padding that starts with the last axis; without `paddings_contiguous` all numbers before the axes precede those
    behind.
    """
    numbers = [paddings] if isinstance(paddings, int) else list(paddings)
    numbers = numbers if paddings_contiguous else in_pairs(numbers)
    return padded(
        "PadV3",
        x,
        _last_first("PadV3", numbers, x.ndim),
        mode,
        0 if constant_value is None else jnp.reshape(constant_value, ()),
    )


@op(
    ops=Face("mirror_pad", args("input_x", "paddings", "mode")),
    prim=Prim("MirrorPad", init=args(mode="REFLECT"), call=args("x", "paddings"), to={"x": "input_x"}),
)
def mirror_pad(
    input_x: Array, paddings: Static[Any], mode: AsValue[Literal["REFLECT", "SYMMETRIC"]] = "REFLECT"
) -> Array:
    """Mirrored padding; "SYMMETRIC" repeats the edge, "REFLECT" does not. paddings is ((before, after), ...)."""
    number_of_axes("MirrorPad", range(1, 6), input_x=input_x.shape)
    return padded("MirrorPad", input_x, [(int(a), int(b)) for a, b in paddings], mode.lower())


@op(ops=True, prim=Prim("Padding", inputs=("x",)))
def padding(x: Array, pad_dim_size: int = 8) -> Array:
    """The last axis, which has one element, filled up with zeros to `pad_dim_size`."""
    if x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(f"For 'Padding', the last axis of 'x' must have size 1, but got shape {tuple(x.shape)}.")
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, pad_dim_size - 1)])
