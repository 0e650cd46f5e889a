"""Images, signals and volumes in another size: nearest, linear, cubic, area, and kernels of scale_and_translate.

Every linear mode is separable: one matrix of weights for each axis, a constant of the compiled program, and so is its gradient.
"""

import math
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Ints, Static
from ...core.spec.rules import AsValue
from ..dtypes import floats_only
from ..pool.adaptive import _adaptive_mean
from ..shapes import number_of_axes


def _places(out, length, scale, align_corners, half_pixel):
    """Where each output element lies in the input."""
    index = np.arange(out, dtype=np.float64)
    if align_corners:
        return index * ((length - 1) / (out - 1)) if out > 1 else index * 0
    scale = length / out if scale is None else scale
    return (index + 0.5) * scale - 0.5 if half_pixel else index * scale


def _matrix(out, length, taps):
    """(out, length) weights from pairs (place of each output element, its weight); places outside are clamped."""
    matrix = np.zeros((out, length))
    for place, weight in taps:
        np.add.at(matrix, (np.arange(out), np.clip(place, 0, length - 1)), weight)
    return matrix


def _linear(out, length, scale, align_corners, half_pixel):
    places = np.clip(_places(out, length, scale, align_corners, half_pixel), 0, None)
    low = np.minimum(np.floor(places).astype(int), length - 1)
    part = np.minimum(places - low, 1) if length > 1 else places * 0
    return _matrix(out, length, ((low, 1 - part), (low + 1, part)))


def cubic_weights(t: Any, a: float = -0.75):
    """The weights of four neighbours in Keys' cubic kernel, for a place that is `t` (0 to 1) behind the second of them."""

    def near(t):
        return ((a + 2) * t - (a + 3)) * t * t + 1

    def far(t):
        return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a

    return far(t + 1), near(t), near(1 - t), far(2 - t)


def _cubic_taps(low, part, a):
    """[(neighbour, weight)] of a place that is `part` behind the neighbour `low`."""
    return list(zip((low - 1, low, low + 1, low + 2), cubic_weights(part, a)))


def _mint_cubic(out, length, scale, align_corners, half_pixel):
    """Keys' kernel with a = -0.75 and repeated edges: Ascend's operators behind `mint`, and PyTorch's, which they follow."""
    places = _places(out, length, scale, align_corners, half_pixel)
    low = np.floor(places).astype(int)
    return _matrix(out, length, _cubic_taps(low, places - low, -0.75))


def _cubic(out, length, scale, align_corners, half_pixel):
    """Keys' kernel: with half pixels a = -0.5 and taps outside do not count, else a = -0.75 and they repeat the edge.

    As in MindSpore and TensorFlow, places between pixels are rounded to 1/1024.
    """
    places = _places(out, length, scale, align_corners, half_pixel)
    low = np.floor(places).astype(int)
    taps = _cubic_taps(low, np.rint((places - low) * 1024) / 1024, -0.5 if half_pixel else -0.75)
    if half_pixel:
        taps = [(place, np.where((place >= 0) & (place < length), weight, 0)) for place, weight in taps]
        total = sum(weight for _, weight in taps)
        taps = [(place, weight / total) for place, weight in taps]
    return _matrix(out, length, taps)


def _area(out, length, align_corners):
    """Means over boxes, edges counted by their part."""
    scale = (length - 1) / (out - 1) if align_corners and out > 1 else length / out
    start = np.arange(out)[:, None] * scale
    cells = np.arange(length)
    overlap = np.clip(np.minimum(start + scale, cells + 1) - np.maximum(start, cells), 0, None)
    return overlap / scale


def _apply(x, axis, matrix):
    weights = jnp.asarray(matrix, x.dtype)
    return jnp.moveaxis(jnp.tensordot(x, weights, ((axis,), (1,)), precision=lax.Precision.HIGHEST), -1, axis)


def _separable(name, x, size, scales, weights, align_corners, half_pixel, first=2):
    """x with the axes from `first` on resized by `weights`."""
    floats_only(name, input=x)
    out = x.astype(jnp.float32) if x.dtype in (jnp.float16, jnp.bfloat16) else x
    for i, (length, wanted) in enumerate(zip(x.shape[first:], size)):
        if length != wanted or (scales and scales[i] != 1):
            out = _apply(
                out, first + i, weights(wanted, length, 1 / scales[i] if scales else None, align_corners, half_pixel)
            )
    return out.astype(x.dtype)


def _nearest(x, size, scales=None, align_corners=False, half_pixel=False, first=2):
    """Each output element is a copy of the nearest input element."""
    for i, (length, wanted) in enumerate(zip(x.shape[first:], size)):
        axis = first + i
        if not align_corners and not scales and wanted % length == 0:
            if wanted != length:  # whole factors: repeated, so that the gradient is a plain sum
                repeated = jnp.broadcast_to(
                    jnp.expand_dims(x, axis + 1), (*x.shape[: axis + 1], wanted // length, *x.shape[axis + 1 :])
                )
                x = repeated.reshape(*x.shape[:axis], wanted, *x.shape[axis + 1 :])
            continue
        index = np.arange(wanted, dtype=np.float32)
        if align_corners and wanted > 1:
            places = np.floor(index * np.float32((length - 1) / (wanted - 1)) + np.float32(0.5))
        else:
            places = np.floor(
                (index + np.float32(0.5 if half_pixel else 0))
                * np.float32(1 / scales[i] if scales else length / wanted)
            )
        x = jnp.take(x, jnp.asarray(np.clip(places, 0, length - 1).astype(np.int32)), axis)
    return x


_RANKS = {
    "nearest": (3, 4, 5),
    "linear": (3,),
    "bilinear": (4,),
    "bicubic": (4,),
    "area": (3, 4, 5),
    "nearest-exact": (3, 4),
    "trilinear": (5,),
}
_TAKES_SCALE = (("nearest", 5), ("trilinear", 5))


# These two under MindSpore's names, spelling and all: projects import them.
def _interploate_ext_make_tuple(input, value):
    """One number for each spatial axis, from one number or from all of them."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * (input.ndim - 2)


def _interpolate_ext_scale_factor_convert_size(input, scale_factor):
    """The spatial sizes times the factors, rounded down."""
    return tuple(math.floor(length * s) for length, s in zip(input.shape[2:], scale_factor))


def _target(name, input, size, scale_factor, mode, recompute):
    """(size, scales or None) of the result."""
    n = input.ndim - 2
    if size is not None and scale_factor is not None:
        raise ValueError(f"For '{name}', 'size' and 'scale_factor' cannot be set simultaneously")
    if size is None and scale_factor is None:
        raise ValueError(f"For '{name}', 'size' and 'scale_factor' cannot be both empty")
    given = size if size is not None else scale_factor
    values = _interploate_ext_make_tuple(input, given)
    kinds = (int, np.integer) if size is not None else (int, float, np.number)
    what = "size" if size is not None else "scale_factor"
    if any(isinstance(v, bool) or not isinstance(v, kinds) for v in values):
        raise TypeError(
            f"For '{name}', the '{what}' must be {'int' if size is not None else 'float'}, but got {given!r}."
        )
    if len(values) != n:
        raise ValueError(
            f"For '{name}', the '{what}' must have {n} numbers for input of shape {tuple(input.shape)}, but got {given!r}."
        )
    if any(v <= 0 for v in values):
        raise ValueError(f"For '{name}', the '{what}' must be positive, but got {given!r}.")
    if size is not None:
        if recompute:
            raise ValueError(
                f"For '{name}', it is incorrect to set 'recompute_scale_factor' to True after specifying an explicit 'size'."
            )
        return values, None
    made = _interpolate_ext_scale_factor_convert_size(input, values)
    if any(v < 1 for v in made):
        raise ValueError(
            f"For '{name}', the result would be empty: 'scale_factor' {given!r} for shape {tuple(input.shape)}."
        )
    if recompute or mode == "area":
        return made, None
    return made, values


def _interpolate(name, input, size, scale_factor, mode, align_corners, recompute, cubic=_cubic):
    if mode not in _RANKS:
        raise ValueError(f"For '{name}', the 'mode' must be one of {sorted(_RANKS)}, but got {mode!r}.")
    if input.ndim not in _RANKS[mode]:
        raise ValueError(
            f"For '{name}', mode '{mode}' takes inputs with {' or '.join(map(str, _RANKS[mode]))} axes, but got shape {tuple(input.shape)}."
        )
    size, scales = _target(name, input, size, scale_factor, mode, recompute)
    if align_corners is not None and not isinstance(align_corners, bool):
        raise TypeError(f"For '{name}', the 'align_corners' must be bool, but got {type(align_corners).__name__}.")
    if align_corners is not None and mode in ("nearest", "area", "nearest-exact"):
        raise ValueError(f"For '{name}', 'align_corners' option cannot be set with mode '{mode}'.")
    if mode == "area":
        floats_only(name, input=input)
        return _adaptive_mean(name, input.ndim - 2, input, size)
    if mode.startswith("nearest"):
        return _nearest(input, size, scales, half_pixel=mode == "nearest-exact")
    weights = cubic if mode == "bicubic" else _linear
    return _separable(
        name, input, size, None if align_corners else scales, weights, bool(align_corners), not align_corners
    )


@op(ops=True)
def interpolate(
    input: Array,
    size: Static[Ints | None] = None,
    scale_factor: Static[Any] = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Array:
    """An (N, C, L), (N, C, H, W) or (N, C, D, H, W) array in another size.

    size: the new sizes, or scale_factor: how much larger. mode: "nearest", "linear" (3 axes), "bilinear", "bicubic" (4), "trilinear" (5), "area",
    "nearest-exact". align_corners: the corners of input and output agree (linear and cubic modes only).
    recompute_scale_factor: the scales follow from the new size; elsewhere than nearest and trilinear of volumes it must be True with scale_factor.

    Example:
        >>> ops.interpolate(Tensor(np.ones((1, 3, 4, 4), np.float32)), size=(8, 8), mode="bilinear").shape
        (1, 3, 8, 8)
    """
    if (
        scale_factor is not None
        and not recompute_scale_factor
        and mode != "area"
        and (mode, input.ndim) not in _TAKES_SCALE
        and mode in _RANKS
    ):
        raise ValueError(
            f"For 'interpolate', 'scale_factor' option cannot currently be set with the mode = {mode} and dim = {input.ndim}D."
        )
    return _interpolate("interpolate", input, size, scale_factor, mode, align_corners, recompute_scale_factor)


@op(ops=True)
def upsample(
    input: Array,
    size: Static[Any] = None,
    scale_factor: Static[Any] = None,
    mode: str = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
):
    """The same as `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


@op(
    ops=False,
    mint=(
        "nn.functional.interpolate",
        Face("nn.functional.upsample", args("input", size=None, scale_factor=None, mode="nearest", align_corners=None)),
    ),
)
def mint_interpolate(
    input: Array,
    size: Static[Ints | None] = None,
    scale_factor: Static[Any] = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Array:
    """As `ops.interpolate`, and every mode takes `scale_factor`; bicubic as in PyTorch, which `mint` follows."""
    return _interpolate(
        "interpolate", input, size, scale_factor, mode, align_corners, recompute_scale_factor, _mint_cubic
    )


# --- Primitives
def _check_corners(name, align_corners, half_pixel_centers):
    if align_corners and half_pixel_centers:
        raise ValueError(f"For '{name}', 'align_corners' and 'half_pixel_centers' cannot both be True.")


def _size2(size):
    return tuple(int(v) for v in (size if isinstance(size, (tuple, list)) else (size, size)))


@op(prim=Prim("ResizeBilinearV2", inputs=("image", "size")), ops=False)
def resize_bilinear_v2(
    image: Array, size: Static[Ints], align_corners: bool = False, half_pixel_centers: bool = False
) -> Array:
    """An (N, C, H, W) image in another size, bilinear."""
    number_of_axes("ResizeBilinearV2", 4, image=image.shape)
    _check_corners("ResizeBilinearV2", align_corners, half_pixel_centers)
    return _separable("ResizeBilinearV2", image, _size2(size), None, _linear, align_corners, half_pixel_centers)


@op(prim=Prim("ResizeBilinear", inputs=("x",)), ops=False)
def resize_bilinear(x: Array, size: Static[Any], align_corners: bool = False, half_pixel_centers: bool = False):
    """An (N, C, H, W) image in another size, bilinear."""
    return resize_bilinear_v2(x, size, align_corners, half_pixel_centers)


@op(prim=Prim("ResizeNearestNeighborV2", inputs=("image", "size")), ops=False)
def resize_nearest_neighbor_v2(
    image: Array, size: Static[Any], align_corners: bool = False, half_pixel_centers: bool = False
):
    """An (N, C, H, W) image in another size, nearest pixels."""
    number_of_axes("ResizeNearestNeighborV2", 4, image=image.shape)
    number_of_axes("ResizeNearestNeighborV2", 1, size=np.shape(size))
    _check_corners("ResizeNearestNeighborV2", align_corners, half_pixel_centers)
    return _nearest(image, _size2(size), None, align_corners, half_pixel_centers)


@op(prim=Prim("ResizeNearestNeighbor", inputs=("input_x",)), ops=False)
def resize_nearest_neighbor(
    input_x: Array, size: Static[Ints], align_corners: bool = False, half_pixel_centers: bool = False
) -> Array:
    """An (N, C, H, W) image in another size, nearest pixels."""
    number_of_axes("ResizeNearestNeighbor", 4, image=input_x.shape)
    return _nearest(input_x, _size2(size), None, align_corners, half_pixel_centers)


@op(prim=Prim("ResizeBicubic", inputs=("image", "size")), ops=False)
def resize_bicubic(image: Array, size: Static[Ints], align_corners: bool = False, half_pixel_centers: bool = False):
    """An (N, C, H, W) image in another size, bicubic."""
    number_of_axes("ResizeBicubic", 4, image=image.shape)
    number_of_axes("ResizeBicubic", 1, size=np.shape(size))
    _check_corners("ResizeBicubic", align_corners, half_pixel_centers)
    return _separable("ResizeBicubic", image, _size2(size), None, _cubic, align_corners, half_pixel_centers)


@op(prim=Prim("ResizeLinear1D", inputs=("x", "size")), ops=False)
def resize_linear1d(
    x: Array,
    size: Static[Ints],
    coordinate_transformation_mode: AsValue[Literal["align_corners", "half_pixel", "asymmetric"]] = "align_corners",
):
    """An (N, C, L) signal in another length, linear."""
    number_of_axes("ResizeLinear1D", 3, x=x.shape)
    size = (size,) if isinstance(size, int) else tuple(size)
    return _separable(
        "ResizeLinear1D",
        x,
        size,
        None,
        _linear,
        coordinate_transformation_mode == "align_corners",
        coordinate_transformation_mode == "half_pixel",
    )


@op(prim=Prim("ResizeArea", inputs=("images", "size")), ops=False)
def resize_area(images: Array, size: Static[Any], align_corners: bool = False):
    """An (N, H, W, C) image in another size, means over areas, as float32."""
    number_of_axes("ResizeArea", 4, images=images.shape)
    number_of_axes("ResizeArea", 1, size=np.shape(size))
    out = images.astype(jnp.float32)
    for axis, wanted in enumerate(_size2(size), 1):
        out = _apply(out, axis, _area(wanted, images.shape[axis], align_corners))
    return out


def _volume(name, x, output_size, scales):
    number_of_axes(name, 5, x=x.shape)
    if (output_size is None) == (scales is None):
        raise ValueError(
            f"For '{name}', exactly one of 'output_size' and 'scales' must be given, but got {output_size} and {scales}."
        )
    if output_size is not None:
        return tuple(output_size), None
    return tuple(math.floor(length * s) for length, s in zip(x.shape[2:], scales)), tuple(scales)


@op(prim=Prim("UpsampleNearest3D"), ops=False)
def upsample_nearest3d(x: Array, output_size: Static[Ints | None] = None, scales: Static[Ints | None] = None):
    """An (N, C, D, H, W) volume in another size, nearest elements."""
    return _nearest(x, *_volume("UpsampleNearest3D", x, output_size, scales))


@op(prim=Prim("UpsampleTrilinear3D", inputs=("x", "output_size", "scales")), ops=False)
def upsample_trilinear3d(
    x: Array, output_size: Static[Ints | None] = None, scales: Static[Ints | None] = None, align_corners: bool = False
):
    """An (N, C, D, H, W) volume in another size, trilinear."""
    size, factors = _volume("UpsampleTrilinear3D", x, output_size, scales)
    return _separable(
        "UpsampleTrilinear3D", x, size, None if align_corners else factors, _linear, align_corners, not align_corners
    )


def _lanczos(radius):
    def kernel(t):
        near = jnp.where(jnp.abs(t) < 1e-3, 1.0, t)
        value = radius * jnp.sin(math.pi * near) * jnp.sin(math.pi * near / radius) / (math.pi**2 * near**2)
        return jnp.where(jnp.abs(t) < 1e-3, 1.0, jnp.where(jnp.abs(t) < radius, value, 0.0))

    return kernel


def _cubic_kernel(b, c):
    def kernel(t):
        t = jnp.abs(t)
        near = ((12 - 9 * b - 6 * c) * t**3 + (-18 + 12 * b + 6 * c) * t**2 + 6 - 2 * b) / 6
        far = ((-b - 6 * c) * t**3 + (6 * b + 30 * c) * t**2 + (-12 * b - 48 * c) * t + 8 * b + 24 * c) / 6
        return jnp.where(t < 1, near, jnp.where(t < 2, far, 0.0))

    return kernel


_KERNELS = {
    "lanczos1": _lanczos(1),
    "lanczos3": _lanczos(3),
    "lanczos5": _lanczos(5),
    "gaussian": lambda t: jnp.where(jnp.abs(t) < 1.5, jnp.exp(-2 * t * t), 0),
    "box": lambda t: jnp.where(jnp.abs(t) < 0.5, 1.0, jnp.where(jnp.abs(t) == 0.5, 0.5, 0.0)),
    "triangle": lambda t: jnp.maximum(0, 1 - jnp.abs(t)),
    "keyscubic": _cubic_kernel(0, 0.5),
    "mitchellcubic": _cubic_kernel(1 / 3, 1 / 3),
}


@op(prim=Prim("ScaleAndTranslate", inputs=("images", "size", "scale", "translation")), ops=False)
def scale_and_translate(
    images: Array,
    size: Static[Any],
    scale: Array,
    translation: Array,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
):
    """An (N, H, W, C) image scaled and moved by the given factors and pixels (height, width), as float32 of the given size."""
    if kernel_type not in _KERNELS:
        raise ValueError(
            f"For 'ScaleAndTranslate', the 'kernel_type' must be one of {sorted(_KERNELS)}, but got {kernel_type!r}."
        )
    number_of_axes("ScaleAndTranslate", 4, images=images.shape)
    number_of_axes("ScaleAndTranslate", 1, scale=scale.shape, translation=translation.shape)
    out = images.astype(jnp.float32)
    for axis, wanted in enumerate(_size2(size), 1):
        length, inverse = images.shape[axis], 1 / scale[axis - 1]
        wide = jnp.maximum(inverse, 1) if antialias else 1.0
        place = (jnp.arange(wanted, dtype=jnp.float32) + 0.5) * inverse - translation[axis - 1] * inverse
        weights = _KERNELS[kernel_type]((jnp.arange(length, dtype=jnp.float32)[:, None] + 0.5 - place) / wide)
        total = jnp.sum(weights, 0)
        inside = (place >= 0) & (place <= length)
        weights = jnp.where(inside & (jnp.abs(total) > 1e-3), weights / jnp.where(total != 0, total, 1), 0)
        out = jnp.moveaxis(
            jnp.tensordot(out, weights.astype(jnp.float32), ((axis,), (0,)), precision=lax.Precision.HIGHEST), -1, axis
        )
    return out
