"""The inverse of max pooling: maxima put back to where they were."""

import math

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Integers, Ints, Static
from ...core.values.ranges import check_range
from .functions import _unbatched, _windows, batched


# --- the inverse of max pooling
def _unpool(name, n, x, indices, kernel_size, stride, padding, output_size):
    if x.shape != indices.shape:
        raise ValueError(
            f"For '{name}', the shape of 'x' and 'indices' must be equal, but got {tuple(x.shape)} and {tuple(indices.shape)}."
        )
    kernel, stride, pads, _ = _windows(name, n, kernel_size, stride, padding)
    x, added = batched(name, x, n)
    size = tuple((length - 1) * s - 2 * p[0] + k for length, s, p, k in zip(x.shape[2:], stride, pads, kernel))
    if output_size is not None and len(output_size):
        given = tuple(output_size)[-n:]
        if any(abs(g - v) >= s for g, v, s in zip(given, size, stride)):
            raise ValueError(f"For '{name}', the 'output_size' must be near {size}, but got {given}.")
        size = given
    batch, count = math.prod(x.shape[:2]), math.prod(x.shape[2:])
    check_range(indices, 0, math.prod(size), name)
    flat = jnp.zeros((batch, math.prod(size)), x.dtype)
    flat = flat.at[jnp.arange(batch)[:, None], indices.reshape(batch, count)].set(x.reshape(batch, count))
    return _unbatched(flat.reshape(*x.shape[:2], *size), added)


@op(ops=True)
def max_unpool1d(
    x: Array,
    indices: Integers,
    kernel_size: Static[Ints],
    stride: Ints | None = None,
    padding: Ints = 0,
    output_size: Static[Ints | None] = None,
) -> Array:
    """Maxima put back to their positions, zeros elsewhere, for (N, C, L) or (C, L) arrays."""
    return _unpool("max_unpool1d", 1, x, indices, kernel_size, stride, padding, output_size)


@op(
    ops=True,
    mint=Face(
        "nn.functional.max_unpool2d",
        args("input", "indices", "kernel_size", stride=None, padding=0, output_size=None),
        to={"input": "x"},
    ),
)
def max_unpool2d(
    x: Array,
    indices: Integers,
    kernel_size: Static[Ints],
    stride: Ints | None = None,
    padding: Ints = 0,
    output_size: Static[Ints | None] = None,
) -> Array:
    """Maxima put back to their positions, zeros elsewhere, for (N, C, H, W) or (C, H, W) arrays."""
    return _unpool("max_unpool2d", 2, x, indices, kernel_size, stride, padding, output_size)


@op(ops=True)
def max_unpool3d(
    x: Array,
    indices: Integers,
    kernel_size: Static[Ints],
    stride: Ints | None = None,
    padding: Ints = 0,
    output_size: Static[Ints | None] = None,
) -> Array:
    """Maxima put back to their positions, zeros elsewhere, for (N, C, D, H, W) or (C, D, H, W) arrays."""
    return _unpool("max_unpool3d", 3, x, indices, kernel_size, stride, padding, output_size)


def _unpool_primitive(n):
    def run(
        x: Array,
        argmax: Array,
        ksize: Static[Ints],
        strides: Ints = 0,
        pads: Ints = 0,
        output_shape: Ints = (),
        data_format: str | None = None,
    ) -> Array:
        name, formats = f"MaxUnpool{n}D", ("NHWC", "NDHWC")
        last = data_format in formats
        x, argmax = (jnp.moveaxis(a, -1, 1) if last else a for a in (x, argmax))
        shape = tuple(output_shape)
        size = (shape[1:-1] if last else shape[2:]) if shape else None
        out = _unpool(name, n, x, argmax, ksize, None if strides in (0, None) else strides, pads, size)
        return jnp.moveaxis(out, 1, -1) if last else out

    run.__name__ = f"max_unpool{n}d_primitive"
    run.__doc__ = "Maxima put back to their flat positions, zeros elsewhere."
    return run


for _n, _format in ((2, "NCHW"), (3, "NCDHW")):
    op(
        _unpool_primitive(_n),
        ops=False,
        prim=Prim(
            f"MaxUnpool{_n}D",
            init=args("ksize", strides=0, pads=0, output_shape=(), data_format=_format),
            call=args("x", "argmax"),
        ),
    )
