"""Fourier transforms and windows."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..core.operators.record import composite, op, records
from ..core.operators.rows import Face, Prim, args
from ..core.spec import Array, Axis, Dtype, Ints, MaybeArray, Number, Static
from ..core.spec.rules import OfType
from ..core.values import dtype as mstype
from ..core.values.promote import numpy_among
from ..core.values.tensor import Tensor
from .elementwise.math import to_float
from .shape.shaping import axis_of
from .shapes import ANY, number_of_axes

_NORMS = (None, "backward", "forward", "ortho")


def _check(name, norm):
    if norm not in _NORMS:
        raise ValueError(f"For '{name}', the 'norm' must be one of {_NORMS[1:]} or None, but got {norm!r}.")


def _lengths(x, s, dims):
    """(lengths, axes) of a transform over several axes."""
    if dims is None:
        dims = tuple(range(x.ndim)) if s is None else tuple(range(x.ndim - len(s), x.ndim))
    dims = tuple(axis_of("fft", d, x.ndim) for d in ((dims,) if isinstance(dims, int) else dims))
    if s is None:
        return None, dims
    s = (s,) if isinstance(s, int) else tuple(s)
    return tuple(x.shape[d] if n == -1 else n for n, d in zip(s, dims)), dims


def _hfftn(x, s, dims, norm):
    lengths, dims = _lengths(x, s, dims)
    if len(dims) > 1:
        x = jnp.fft.fftn(x, None if lengths is None else lengths[:-1], dims[:-1], norm)
    return jnp.fft.hfft(x, None if lengths is None else lengths[-1], dims[-1], norm)


def _ihfftn(x, s, dims, norm):
    lengths, dims = _lengths(x, s, dims)
    x = jnp.fft.ihfft(x, None if lengths is None else lengths[-1], dims[-1], norm)
    return jnp.fft.ifftn(x, None if lengths is None else lengths[:-1], dims[:-1], norm) if len(dims) > 1 else x


def _rfft(x, n, dim, norm):
    if not jnp.iscomplexobj(x):
        return jnp.fft.rfft(x, n, dim, norm)
    return _half(jnp.fft.fft(x, n, dim, norm), dim)


def _rfftn(x, lengths, dims, norm):
    if not jnp.iscomplexobj(x):
        return jnp.fft.rfftn(x, lengths, dims, norm)
    return _half(jnp.fft.fftn(x, lengths, dims, norm), dims[-1])


def _half(x, dim):
    """The frequencies up to half of the length: of complex signals, too, these are given."""
    return lax.slice_in_dim(x, 0, x.shape[dim] // 2 + 1, axis=dim)


def _several(fn):
    def transform(x, s, dims, norm):
        lengths, dims = _lengths(x, s, dims)
        return fn(x, lengths, dims, norm)

    return transform


_SINGLE = {
    "fft": (jnp.fft.fft, "Fourier transform"),
    "ifft": (jnp.fft.ifft, "Inverse Fourier transform"),
    "rfft": (_rfft, "Fourier transform of a real signal, the half that is not redundant"),
    "irfft": (jnp.fft.irfft, "Inverse of `rfft`, a real signal"),
    "hfft": (jnp.fft.hfft, "Fourier transform of a Hermitian signal, which is real"),
    "ihfft": (jnp.fft.ihfft, "Inverse of `hfft`"),
}
_SEVERAL = {
    "fft": _several(jnp.fft.fftn),
    "ifft": _several(jnp.fft.ifftn),
    "rfft": _several(_rfftn),
    "irfft": _several(jnp.fft.irfftn),
    "hfft": _hfftn,
    "ihfft": _ihfftn,
}


def _ready(name, x):
    """float16 is computed in float32."""
    if name == "ihfft" and jnp.issubdtype(x.dtype, jnp.complexfloating):
        raise TypeError(f"For '{name}', the 'input' must not be complex, but got {mstype.from_numpy(x.dtype)}.")
    return x.astype(jnp.float32) if x.dtype in (jnp.float16, jnp.bfloat16) else to_float(x)


def _register(name):
    fn, what = _SINGLE[name]
    many = _SEVERAL[name]

    def single(input: Array, n: Static[int | None] = None, dim: Static[int] = -1, norm: str | None = None) -> Array:
        _check(name, norm)
        return fn(_ready(name, input), n, axis_of(name, dim, input.ndim), norm)

    def double(
        input: Array, s: Static[Ints | None] = None, dim: Static[Ints] = (-2, -1), norm: str | None = None
    ) -> Array:
        _check(name, norm)
        return many(_ready(name, input), s, dim, norm)

    def general(
        input: Array, s: Static[Ints | None] = None, dim: Static[Axis] = None, norm: str | None = None
    ) -> Array:
        _check(name, norm)
        if name not in ("hfft", "ihfft"):
            number_of_axes(f"{name}n", range(1, ANY), input=input.shape)
        return many(_ready(name, input), s, dim, norm)

    for made, suffix, axes in (
        (single, "", "one axis"),
        (double, "2", "two axes"),
        (general, "n", "several axes (all by default)"),
    ):
        made.__doc__ = (
            f"{what} over {axes}.\n\nArgs:\n    input: Tensor. {'n' if not suffix else 's'}: length of the signal "
            "(cut off or filled with zeros)."
            f' norm: where the scaling is: None or "backward", "forward", "ortho".\n\nExample:\n'
            f"    >>> ops.{name}{suffix}(ops.ones((4, 4)))\n"
        )
        op(made, name=f"{name}{suffix}", ops=f"{name}{suffix}", mint=f"fft.{name}{suffix}")


for _name in _SINGLE:
    _register(_name)


def _shift(input, dim, back):
    axes = tuple(range(input.ndim)) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    return jnp.roll(input, [-(input.shape[a] // 2) if back else input.shape[a] // 2 for a in axes], axes)


@op(ops=True, mint="fft.fftshift")
def fftshift(input: Array, dim: Static[Axis] = None) -> Array:
    """The zero frequency moved to the middle of axes.

    Example:
        >>> print(ops.fftshift(Tensor([0, 1, 2, 3])))
        [2 3 0 1]
    """
    return _shift(input, dim, False)


@op(ops=True, mint="fft.ifftshift")
def ifftshift(input: Array, dim: Static[Axis] = None) -> Array:
    """The inverse of `fftshift`.

    Example:
        >>> print(ops.ifftshift(Tensor([2, 3, 0, 1])))
        [0 1 2 3]
    """
    return _shift(input, dim, True)


def _frequencies(name):
    def frequencies(n: int, d: Number = 1.0, dtype: Dtype | None = None) -> Array:
        values = getattr(np.fft, name)(n, d)  # named here, for NumPy loads `fft` when it is named
        return Tensor(values.astype(mstype.to_numpy(dtype or mstype.float32)))

    frequencies.__doc__ = (
        f"Frequencies of `{name[:-4]}` for n samples at distance d.\n\nExample:\n    >>> ops.{name}(4)\n"
    )
    composite(frequencies, name=name, ops=name, mint=f"fft.{name}")


_frequencies("fftfreq")
_frequencies("rfftfreq")


@op(prim=Prim("FFTWithSize", inputs=("x",)), ops=False)
def fft_with_size(
    x: Array,
    signal_ndim: int,
    inverse: bool,
    real: bool,
    norm: str = "backward",
    onesided: bool = True,
    signal_sizes: Ints = (),
) -> Array:
    """Fourier transform over the last 1 to 3 axes, of complex or real signals, forward or inverse."""
    axes = tuple(range(-signal_ndim, 0))
    if not real:
        return (jnp.fft.ifftn if inverse else jnp.fft.fftn)(x, axes=axes, norm=norm)
    if inverse:
        if onesided and x.shape[-1:] == (1,):
            raise ValueError(f"For 'FFTWithSize', the last dimension of the input cannot be 1, but got {x.shape}.")
        sizes = tuple(signal_sizes) or None
        return (
            jnp.fft.irfftn(x, sizes, axes, norm)
            if onesided
            else lax.real(jnp.fft.ifftn(x, axes=axes, norm=norm)).astype(lax.real(x).dtype)
        )
    return jnp.fft.rfftn(x, axes=axes, norm=norm) if onesided else jnp.fft.fftn(x, axes=axes, norm=norm)


# --- cosine transforms
def _cosine(name):
    """Operators for a cosine transform along one axis, and along several."""
    title = name.upper()

    def along(x, n, axis):
        if jnp.issubdtype(x.dtype, jnp.complexfloating):
            return lax.complex(along(lax.real(x), n, axis), along(lax.imag(x), n, axis))
        from jax.scipy import fft  # NumPy's comes with it: not for those who only import

        return getattr(fft, name)(x, type=2, n=n, axis=axis, norm="ortho")

    def ready(x, type, norm):
        if type != 2:
            raise ValueError(f"For '{title}', the 'type' can only be 2, but got {type}.")
        if norm not in (None, "ortho"):
            raise ValueError(f"For '{title}', the 'norm' can only be 'ortho', but got {norm!r}.")
        return x if x.dtype == jnp.float64 or jnp.iscomplexobj(x) else x.astype(jnp.float32)

    def length(n):
        if n is not None and (isinstance(n, bool) or not isinstance(n, int)):
            raise TypeError(f"For '{title}', the 'n' must be int, but got {type(n).__name__}.")
        if n is not None and n < 1:
            raise ValueError(f"For '{title}', the 'n' must be positive, but got {n}.")
        return n

    def single(x: Array, type: Static[int] = 2, n: Static[Any] = None, axis: Static[int] = -1, norm: Any = None):
        return along(ready(x, type, norm), length(n), axis_of(title, axis, x.ndim))

    def several(x: Array, type: Static[int] = 2, s: Static[Any] = None, axes: Static[Any] = None, norm: Any = None):
        x = ready(x, type, norm)
        lengths, axes = _lengths(x, s, axes)
        for i, axis in enumerate(axes):
            x = along(x, None if lengths is None else length(lengths[i]), axis)
        return x

    single.__doc__ = f"{title} of type 2 along one axis, with orthonormal scaling; integers give float32."
    several.__doc__ = f"{title} of type 2 along several axes (all by default), with orthonormal scaling."
    op(single, name=name, ops=False, prim=Prim(title))
    op(several, name=f"{name}n", ops=False, prim=Prim(f"{title}N"))


_cosine("dct")
_cosine("idct")


# --- windows
def _window(name, length, periodic, dtype, compute, kernel=True):
    length = int(length)
    if length < 0:
        raise ValueError(f"For '{name}', the 'window_length' must not be negative, but got {length}.")
    count = length + 1 if periodic else length
    values = np.ones(length) if length <= 1 else np.asarray(compute(count))[:length]
    if length <= 1 and not kernel:  # MindSpore computes these windows with NumPy and hands on its ones
        dtype = mstype.float64
    taken = "float16 float32 float64" if kernel else "float16 bfloat16 float32 float64"
    return Tensor(values.astype(numpy_among(name, dtype, taken)))


def _blackman(count):
    """NumPy's window, whose ends are -1e-17 there and 0 in MindSpore: the terms are summed from the other side."""
    angles = 2 * np.pi * np.arange(count) / (count - 1)
    return 0.08 * np.cos(2 * angles) - 0.5 * np.cos(angles) + 0.42


def _length(name, value, axes=0):
    number_of_axes(name, axes, window_length=np.shape(value) if not isinstance(value, Tensor) else value.shape)
    if isinstance(value, bool) or not isinstance(value, (int, Tensor)):
        raise TypeError(f"For '{name}', the 'window_length' must be an int, but got {type(value).__name__}.")
    return value


@composite(
    ops=Face("bartlett_window", args("window_length", periodic=True).only(dtype=None)),
    prim=Prim("BartlettWindow", init=args(periodic=True, dtype=mstype.float32), call=args("window_length")),
)
def bartlett_window(window_length: Array, periodic: bool = True, dtype: Dtype | None = None) -> Array:
    """Triangular window.

    Example:
        >>> print(ops.bartlett_window(Tensor(5)))
        [0.  0.4 0.8 0.8 0.4]
    """
    return _window(
        "bartlett_window", _length("bartlett_window", window_length), periodic, dtype or mstype.float32, np.bartlett
    )


@composite(
    ops=Face("blackman_window", args("window_length", periodic=True).only(dtype=None)),
    prim=Prim("BlackmanWindow", init=args(periodic=True, dtype=mstype.float32), call=args("window_length")),
)
def blackman_window(window_length: Array, periodic: bool = True, dtype: Dtype | None = None) -> Array:
    """Blackman window.

    Example:
        >>> print(ops.blackman_window(Tensor(5)))
        [0.         0.20077014 0.84922987 0.84922987 0.20077014]
    """
    return _window(
        "blackman_window", _length("blackman_window", window_length), periodic, dtype or mstype.float32, _blackman
    )


@composite(
    ops=Face(
        "hamming_window",
        args("window_length", periodic=True, alpha=0.54, beta=0.46).only(dtype=None),
        fixed={"vector": False},
    ),
    prim=Prim(
        "HammingWindow",
        init=args(periodic=True, alpha=0.54, beta=0.46, dtype=mstype.float32),
        call=args("length"),
        to={"length": "window_length"},
        fixed={"vector": True},
    ),
)
def hamming_window(
    window_length: Any,
    periodic: bool = True,
    alpha: Number = 0.54,
    beta: Number = 0.46,
    dtype: Dtype | None = None,
    vector: bool = False,
) -> Array:
    """alpha - beta * cos(2 pi n / N).

    Example:
        >>> print(ops.hamming_window(5))
        [0.08000001 0.39785221 0.9121478  0.9121478  0.39785221]
    """
    # They are attributes of the kernel, in float32: the window is 0.08000001 at its end.
    alpha, beta = float(np.float32(alpha)), float(np.float32(beta))
    return _window(
        "hamming_window",
        _length("hamming_window", window_length, 1 if vector else 0),
        periodic,
        dtype or mstype.float32,
        lambda n: alpha - beta * np.cos(2 * np.pi * np.arange(n) / (n - 1)),
        kernel=vector,
    )


@composite(ops=Face("hann_window", args("window_length", periodic=True).only(dtype=None)))
def hann_window(window_length: int, periodic: bool = True, dtype: Dtype | None = None) -> Array:
    """Hann window (float64 by default).

    Example:
        >>> print(ops.hann_window(5))
        [0.        0.3454915 0.9045085 0.9045085 0.3454915]
    """
    return _window(
        "hann_window",
        _length("hann_window", window_length),
        periodic,
        dtype or mstype.float64,
        np.hanning,
        kernel=False,
    )


@composite(ops=Face("kaiser_window", args("window_length", periodic=True, beta=12.0).only(dtype=None)))
def kaiser_window(window_length: int, periodic: bool = True, beta: Number = 12.0, dtype: Dtype | None = None) -> Array:
    """Kaiser window of shape beta (float64 by default).

    Example:
        >>> print(ops.kaiser_window(5))
        [5.27734413e-05 1.01719688e-01 7.92939834e-01 7.92939834e-01
         1.01719688e-01]
    """
    return _window(
        "kaiser_window",
        _length("kaiser_window", window_length),
        periodic,
        dtype or mstype.float64,
        lambda n: np.kaiser(n, beta),
        kernel=False,
    )


# --- short-time Fourier transform
@op(prim=Prim("STFT", inputs=("x", "window")), ops=False, name="prim_stft")
def prim_stft(
    x: Array,
    window: Array,
    n_fft: int,
    hop_length: int,
    win_length: int,
    normalized: bool,
    onesided: bool,
    return_complex: bool,
) -> Array:
    """Fourier transforms of overlapping windows of signals: (..., frequency, window), complex or as pairs of real
    numbers.
    """
    window = jnp.pad(window, ((n_fft - win_length) // 2, n_fft - win_length - (n_fft - win_length) // 2))
    starts = np.arange(0, x.shape[-1] - n_fft + 1, hop_length)
    frames = x[..., starts[:, None] + np.arange(n_fft)] * window
    real = not jnp.issubdtype(frames.dtype, jnp.complexfloating)
    out = jnp.fft.rfft(frames) if onesided and real else jnp.fft.fft(frames)
    out = jnp.swapaxes(out / np.sqrt(n_fft) if normalized else out, -1, -2)
    if return_complex:
        return out
    return jnp.stack([lax.real(out), lax.imag(out)], -1)


@composite(ops=True)
def stft(
    x: Array,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: MaybeArray = None,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: OfType[bool] | None = None,
    return_complex: OfType[bool] | None = None,
):
    """Fourier transforms of overlapping windows of signals.

    Args:
        x: signals in the last axis.
        n_fft: length of a window.
        hop_length: distance of windows (n_fft // 4).
        win_length: length of `window` (n_fft).
        center: pad the signal so that windows are centred.
        onesided: the half that is not redundant.
        return_complex: complex numbers, or pairs.

    Example:
        >>> ops.stft(ops.ones((2, 64)), 16).shape
        (2, 9, 17, 2)
    """
    hop_length, win_length = (
        n_fft // 4 if hop_length is None else hop_length,
        n_fft if win_length is None else win_length,
    )
    is_complex = str(x.dtype).startswith("Complex")
    if window is None:
        window = Tensor(np.ones(win_length), mstype.float32)
    onesided = not (is_complex or str(window.dtype).startswith("Complex")) if onesided is None else onesided
    return_complex = is_complex if return_complex is None else return_complex
    if center:
        single = x.ndim == 1
        x = records["expand_dims"](x, 0) if single else x
        x = (
            records["mirror_pad"](x, ((0, 0), (n_fft // 2, n_fft // 2)), pad_mode.upper())
            if pad_mode.upper() != "CONSTANT"
            else records["prim_pad"](x, ((0, 0), (n_fft // 2, n_fft // 2)))
        )
        x = records["squeeze"](x, 0) if single else x
    return records["prim_stft"](
        x, window, n_fft, hop_length, win_length, bool(normalized), bool(onesided), bool(return_complex)
    )


@op(prim=Prim("FFT3D"), ops=False, name="fft3d_of_1x")
def fft3d_of_1x(x: Array):
    """The half of a real transform over three axes, the last of n // 2 + 1 places, as MindSpore 1.x has it."""
    if x.ndim != 3:
        raise ValueError(f"For 'FFT3D', the dimension of input must be 3, but got {x.ndim}.")
    return jnp.fft.rfftn(x)


@op(prim=Prim("IFFT3D"), ops=False, name="ifft3d_of_1x")
def ifft3d_of_1x(x: Array):
    """The way back from `FFT3D`, times the number of places: it is not divided by it."""
    if x.ndim != 3:
        raise ValueError(f"For 'IFFT3D', the dimension of input must be 3, but got {x.ndim}.")
    out = jnp.fft.irfftn(x)
    return out * out.size
