"""Pooling layers: maximum, mean, power mean, adaptive, fractional, and the inverse of maximum."""

from typing import TYPE_CHECKING, Literal

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AnyCase, AsValue, Like, Pair, PositiveInt, Triple
from ..arguments import PadMode
from ..cell.cell import Cell

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


class _PoolNd(Cell):
    """Kernel, stride and pad mode of the pooling layers, and how they are printed.

    Args:
        kernel_size, stride: positive ints, or one for each axis.
        pad_mode: "valid", "same" (output = ceil(input / stride)) or "pad" (`padding` on both sides of each axis).
        padding: int, or one for each axis; only with pad_mode "pad".
        ceil_mode: whether a last, partial window counts.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range, or one that `pad_mode` does not allow.
    """

    @checked
    def __init__(
        self,
        kernel_size: PositiveInt | tuple[PositiveInt, ...],
        stride: PositiveInt | tuple[PositiveInt, ...],
        pad_mode: AnyCase[PadMode],
        data_format: AsValue[Literal["NCHW", "NHWC"]] = "NCHW",
    ):
        super().__init__()
        self.pad_mode, self.format = pad_mode.upper(), data_format
        self.kernel_size, self.stride = (
            size[0] if isinstance(size, tuple) and len(size) == 1 else size for size in (kernel_size, stride)
        )

    def construct(self, *inputs):
        raise NotImplementedError(f"'{self.cls_name}' must define 'construct'.")

    def extend_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


def _each(value, n):
    return (value,) * n if isinstance(value, int) else tuple(value)


def _padding(cell, padding, n):
    """n paddings from an int or from 1 or n of them."""
    check.check_value_type("padding", padding, (int, tuple, list), cell.cls_name)
    values = (padding,) if isinstance(padding, int) else tuple(padding)
    check.check_non_negative_int_sequence(values, "padding", cell.cls_name)
    if len(values) not in (1, n):
        raise ValueError(f"For '{cell.cls_name}', the length of 'padding' must be 1 or {n}, but got {len(values)}.")
    return values * n if len(values) == 1 else values


def _dilation(cell, dilation, n):
    if not isinstance(dilation, (int, tuple)):
        raise ValueError(f"For '{cell.cls_name}', the 'dilation' must be int or tuple, but got {type(dilation)}.")
    values = (dilation,) if isinstance(dilation, int) else dilation
    if len(values) not in (1, n):
        raise ValueError(f"For '{cell.cls_name}', the length of 'dilation' must be 1 or {n}, but got {len(values)}.")
    return values * n if len(values) == 1 else values


def _check_length(cell, n):
    for what in ("kernel_size", "stride"):
        value = getattr(cell, what)
        if isinstance(value, tuple) and len(value) != n:
            raise ValueError(
                f"For '{cell.cls_name}', the length of '{what}' must be equal to {n}, but got {len(value)}."
            )


def _batched(n, pool, x, where):
    """pool(x) of (N, C, ...); an input without the batch axis gets one for the call."""
    if x.ndim == n + 1:
        out = pool(x.expand_dims(0))
        return tuple(o.squeeze(0) for o in out) if isinstance(out, tuple) else out.squeeze(0)
    if x.ndim != n + 2:
        raise ValueError(f"For '{where}', the input must have {n + 1} or {n + 2} axes, but got shape {x.shape}.")
    return pool(x)


# --- maximum
class _MaxPool(_PoolNd):
    """Base of the maximum poolings: extra arguments need pad_mode "pad"."""

    _n = 2

    def _set(self, padding, dilation, return_indices, ceil_mode):
        self.return_indices, self.ceil_mode = return_indices, ceil_mode
        self.use_pad = self.pad_mode == "PAD"
        if self.use_pad:
            self.padding, self.dilation = _padding(self, padding, self._n), _dilation(self, dilation, self._n)
        elif padding != 0 or dilation != 1 or return_indices or ceil_mode:
            raise ValueError(
                f"For '{self.cls_name}', the 'padding', 'dilation', 'return_indices' and 'ceil_mode' must have their "
                f"defaults when 'pad_mode' is not 'pad', but got pad_mode:{self.pad_mode.lower()}."
            )

    def _operator(self, kernel_size, stride):
        """The Primitive that MindSpore's layer keeps: the plain one does not pad."""
        if not self.use_pad:
            return ops.MaxPool(kernel_size, stride, self.pad_mode.lower(), self.format)

        def full(value, fill):
            value = value if isinstance(value, tuple) else (value,) * self._n
            return (fill,) * (3 - len(value)) + value

        pads, dilation = full(self.padding, 0), full(self.dilation, 1)
        return ops.MaxPool3DWithArgmax(full(kernel_size, 1), full(stride, 1), pads, dilation, self.ceil_mode)


class MaxPool2d(_MaxPool):
    __doc__ = (
        """Maximum over windows of (N, C, H, W) or (C, H, W).
    """
        + _PoolNd.__doc__.split("\n", 1)[1]
        + """
    Example:
        >>> nn.MaxPool2d(2, 2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 1, 2, 2)
    """
    )

    @checked
    def __init__(
        self,
        kernel_size: Pair[PositiveInt] | tuple[PositiveInt] = 1,
        stride: Pair[PositiveInt] | tuple[PositiveInt] = 1,
        pad_mode: AnyCase[PadMode] = "valid",
        padding: Like[int | tuple | list] = 0,
        dilation: Like[int | tuple] = 1,
        return_indices: Like[bool] = False,
        ceil_mode: Like[bool] = False,
        data_format: AsValue[Literal["NCHW", "NHWC"]] = "NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, data_format)
        if self.pad_mode == "PAD" and self.format == "NHWC":
            raise ValueError(f"For '{self.cls_name}', the 'NHWC' format is not supported when 'pad_mode' is 'pad'.")
        if self.pad_mode == "PAD":
            _check_length(self, 2)
        self._set(padding, dilation, return_indices, ceil_mode)
        self.max_pool = self._operator(self.kernel_size, self.stride)

    def construct(self, x: "Tensor"):
        return _batched(2, self._padded if self.use_pad else self.max_pool, x, self.cls_name)

    def _padded(self, x):
        return ops.max_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.dilation, self.return_indices, self.ceil_mode
        )


class MaxPool1d(_MaxPool):
    __doc__ = (
        """Maximum over windows of (N, C, L) or (C, L).
    """
        + _PoolNd.__doc__.split("\n", 1)[1]
        + """
    Example:
        >>> nn.MaxPool1d(2, 2)(Tensor(np.ones((1, 1, 4), np.float32))).shape
        (1, 1, 2)
    """
    )
    _n = 1

    @checked
    def __init__(
        self,
        kernel_size: PositiveInt = 1,
        stride: PositiveInt = 1,
        pad_mode: AnyCase[PadMode] = "valid",
        padding: Like[int | tuple | list] = 0,
        dilation: Like[int | tuple] = 1,
        return_indices: Like[bool] = False,
        ceil_mode: Like[bool] = False,
    ):
        super().__init__(kernel_size, stride, pad_mode)
        self._set(padding, dilation, return_indices, ceil_mode)
        ones = (1, 1) if self.use_pad else (1,)  # what MindSpore shows
        self._window = (1, kernel_size), (1, stride)
        self.kernel_size, self.stride = (*ones, kernel_size), (*ones, stride)
        self.max_pool = self._operator(*self._window)

    def construct(self, x: "Tensor"):
        return _batched(1, self._pool, x, self.cls_name)

    def _pool(self, x):
        x = x.expand_dims(2)
        if not self.use_pad:
            return self.max_pool(x).squeeze(2)
        out = ops.max_pool2d(
            x, *self._window, (0, *self.padding), (1, *self.dilation), self.return_indices, self.ceil_mode
        )
        return tuple(o.squeeze(2) for o in out) if self.return_indices else out.squeeze(2)


class MaxPool3d(_MaxPool):
    __doc__ = (
        """Maximum over windows of (N, C, D, H, W) or (C, D, H, W).
    """
        + _PoolNd.__doc__.split("\n", 1)[1]
        + """
    Example:
        >>> nn.MaxPool3d(2, 2)(Tensor(np.ones((1, 1, 4, 4, 4), np.float32))).shape
        (1, 1, 2, 2, 2)
    """
    )
    _n = 3

    @checked
    def __init__(
        self,
        kernel_size: Triple[PositiveInt] = 1,
        stride: Triple[PositiveInt] = 1,
        pad_mode: AnyCase[PadMode] = "valid",
        padding: Like[int | tuple | list] = 0,
        dilation: Like[int | tuple] = 1,
        return_indices: Like[bool] = False,
        ceil_mode: Like[bool] = False,
    ):
        super().__init__(kernel_size, stride, pad_mode)
        self.return_indices, self.ceil_mode = return_indices, ceil_mode
        self.use_pad = self.pad_mode == "PAD"
        self.padding, self.dilation = _padding(self, padding, 3), _dilation(self, dilation, 3)
        if not self.use_pad and (dilation != 1 or return_indices):
            raise ValueError(
                f"For '{self.cls_name}', the 'pad_mode' must be 'pad' when 'dilation' is not 1 or 'return_indices' is "
                f"True, but got pad_mode:{pad_mode}."
            )
        if not self.use_pad and any(self.padding):
            raise ValueError(
                f"For '{self.cls_name}', the 'padding' must be zero when 'pad_mode' is not 'pad', but got {padding}."
            )
        if not self.use_pad and ceil_mode:
            raise ValueError("When the 'pad_mode' is 'same' or 'valid', the 'ceil_mode' only supports 'None'.")
        self.max_pool = ops.MaxPool3D(self.kernel_size, self.stride, self.pad_mode.lower())

    def construct(self, x: "Tensor"):
        return _batched(3, self._padded if self.use_pad else self.max_pool, x, self.cls_name)

    def _padded(self, x):
        return ops.max_pool3d(
            x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )


class MaxPool2dExt(Cell):
    """`mint.nn.MaxPool2d`: maximum over windows; `stride` is the kernel's size by default.

    Example:
        >>> mint.nn.MaxPool2d(2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 1, 2, 2)
    """

    @checked
    def __init__(
        self,
        kernel_size: Like[int | tuple] = 1,
        stride: Like[int | tuple | None] = None,
        padding: Like[int | tuple] = 0,
        dilation: Like[int | tuple] = 1,
        return_indices: Like[bool] = False,
        ceil_mode: Like[bool] = False,
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation, self.return_indices, self.ceil_mode = padding, dilation, return_indices, ceil_mode

    def construct(self, input: "Tensor"):
        return _batched(
            2,
            lambda x: ops.max_pool2d(
                x, self.kernel_size, self.stride, self.padding, self.dilation, self.return_indices, self.ceil_mode
            ),
            input,
            self.cls_name,
        )


# --- mean
class _AvgPool(_PoolNd):
    """Base of the mean poolings: the plain form in modes "valid" and "same", the general form for other arguments."""

    def _set(self, n, padding, ceil_mode, count_include_pad, divisor_override):
        if divisor_override is not None and divisor_override <= 0:
            raise ValueError(f"For '{self.cls_name}', the 'divisor_override' must be > 0, but got {divisor_override}.")
        self.padding = _padding(self, padding, n)
        if self.pad_mode != "PAD" and any(self.padding):
            raise ValueError(
                f"For '{self.cls_name}', the 'padding' must be zero when 'pad_mode' is not 'pad', but got {padding}."
            )
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override
        self.is_expand = self.pad_mode == "PAD" or ceil_mode or not count_include_pad or divisor_override is not None
        # MindSpore looks at the two flags only where one of them, or a padding, asks for the general form.
        for name, flag in (("ceil_mode", ceil_mode), ("count_include_pad", count_include_pad)):
            if self.is_expand and not isinstance(flag, bool):
                raise TypeError(
                    f"For '{self.cls_name}', the '{name}' must be a bool, but got '{flag}' with type "
                    f"'{type(flag).__name__}'."
                )

    def _general(self, x, kernel, stride):
        """Of (N, C, D, H, W), with three window sizes."""
        sides = tuple(p for p in (0, 0, *self.padding)[-3:] for _ in range(2))
        return ops.AvgPool3D(
            kernel,
            stride,
            self.pad_mode.lower(),
            sides,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override or 0,
        )(x)


class AvgPool2d(_AvgPool):
    __doc__ = (
        """Mean over windows of (N, C, H, W) or (C, H, W).
    """
        + _PoolNd.__doc__.split("\n", 1)[1]
        + """
    count_include_pad: whether padding counts in the mean. divisor_override: what sums are divided by instead of their
    count.

    Example:
        >>> nn.AvgPool2d(2, 2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 1, 2, 2)
    """
    )

    @checked
    def __init__(
        self,
        kernel_size: Like[int | tuple] = 1,
        stride: Like[int | tuple] = 1,
        pad_mode: AnyCase[PadMode] = "valid",
        padding: Like[int | tuple | list] = 0,
        ceil_mode: Like[bool] = False,
        count_include_pad: Like[bool] = True,
        divisor_override: PositiveInt | None = None,
        data_format: AsValue[Literal["NCHW", "NHWC"]] = "NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, data_format)
        self._set(2, padding, ceil_mode, count_include_pad, divisor_override)
        if self.is_expand:
            if self.format == "NHWC":
                raise ValueError(
                    f"For '{self.cls_name}', the 'NHWC' format needs 'pad_mode' 'valid' or 'same' and the defaults of "
                    "'padding', 'ceil_mode', 'count_include_pad' and 'divisor_override'."
                )
            _check_length(self, 2)
        self.avg_pool = ops.AvgPool(self.kernel_size, self.stride, self.pad_mode.lower(), self.format)

    def construct(self, x: "Tensor"):
        return _batched(2, self._pool if self.is_expand else self.avg_pool, x, self.cls_name)

    def _pool(self, x):
        if self.pad_mode != "SAME":
            return ops.avg_pool2d(
                x,
                self.kernel_size,
                self.stride,
                self.padding,
                self.ceil_mode,
                self.count_include_pad,
                self.divisor_override or 0,
            )
        return self._general(x.expand_dims(2), (1, *_each(self.kernel_size, 2)), (1, *_each(self.stride, 2))).squeeze(2)


class AvgPool1d(_AvgPool):
    __doc__ = (
        """Mean over windows of (N, C, L) or (C, L).
    """
        + _PoolNd.__doc__.split("\n", 1)[1]
        + """
    count_include_pad: whether padding counts in the mean.

    Example:
        >>> nn.AvgPool1d(2, 2)(Tensor(np.ones((1, 1, 4), np.float32))).shape
        (1, 1, 2)
    """
    )

    @checked
    def __init__(
        self,
        kernel_size: PositiveInt = 1,
        stride: PositiveInt = 1,
        pad_mode: AnyCase[PadMode] = "valid",
        padding: Like[int | tuple | list] = 0,
        ceil_mode: Like[bool] = False,
        count_include_pad: Like[bool] = True,
    ):
        super().__init__(kernel_size, stride, pad_mode)
        self._set(1, padding, ceil_mode, count_include_pad, None)
        self._window = (1, self.kernel_size), (1, self.stride)
        if not self.is_expand:
            self.kernel_size, self.stride = self._window
        self.avg_pool = ops.AvgPool(*self._window, self.pad_mode.lower())

    def construct(self, x: "Tensor"):
        return _batched(1, self._pool, x, self.cls_name)

    def _pool(self, x):
        kernel, stride = self._window
        if not self.is_expand:
            if (
                x.shape[2] - kernel[1] < stride[1]
            ):  # MindSpore takes the first window alone, also where "same" has more of them
                return ops.ReduceMean(keep_dims=True)(ops.slice(x, (0, 0, 0), (*x.shape[:2], kernel[1])), 2)
            return self.avg_pool(x.expand_dims(2)).squeeze(2)
        return self._general(x.expand_dims(2).expand_dims(3), (1, *kernel), (1, *stride)).squeeze(3).squeeze(2)


class AvgPool3d(_AvgPool):
    __doc__ = (
        """Mean over windows of (N, C, D, H, W) or (C, D, H, W).
    """
        + _PoolNd.__doc__.split("\n", 1)[1]
        + """
    count_include_pad: whether padding counts in the mean. divisor_override: what sums are divided by instead of their
    count.

    Example:
        >>> nn.AvgPool3d(2, 2)(Tensor(np.ones((1, 1, 4, 4, 4), np.float32))).shape
        (1, 1, 2, 2, 2)
    """
    )

    @checked
    def __init__(
        self,
        kernel_size: Triple[PositiveInt] = 1,
        stride: Triple[PositiveInt] = 1,
        pad_mode: AnyCase[PadMode] = "valid",
        padding: Like[int | tuple | list] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: PositiveInt | None = None,
    ):
        super().__init__(kernel_size, stride, pad_mode)
        self._set(3, padding, ceil_mode, count_include_pad, divisor_override)

    def construct(self, x: "Tensor"):
        return _batched(3, lambda x: self._general(x, self.kernel_size, self.stride), x, self.cls_name)


class _AvgPoolExt(Cell):
    """Mean pooling as `mint.nn` has it: `stride` is the kernel's size by default."""

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def _call(self, pool, n, input):
        return _batched(
            n,
            lambda x: pool(
                x,
                self.kernel_size,
                self.stride,
                self.padding,
                self.ceil_mode,
                self.count_include_pad,
                *(() if n == 1 else (self.divisor_override or 0,)),
            ),
            input,
            self.cls_name,
        )


class AvgPool1dExt(_AvgPoolExt):
    """`mint.nn.AvgPool1d`: mean over windows of (N, C, L).

    Example:
        >>> mint.nn.AvgPool1d(2)(Tensor(np.ones((1, 1, 4), np.float32))).shape
        (1, 1, 2)
    """

    @checked
    def __init__(
        self,
        kernel_size: Like[int | tuple],
        stride: Like[int | tuple | None] = None,
        padding: Like[int | tuple] = 0,
        ceil_mode: Like[bool] = False,
        count_include_pad: Like[bool] = True,
    ):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)

    def construct(self, input: "Tensor"):
        return self._call(ops.avg_pool1d, 1, input)


class AvgPool2dExt(_AvgPoolExt):
    """`mint.nn.AvgPool2d`: mean over windows of (N, C, H, W).

    Example:
        >>> mint.nn.AvgPool2d(2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 1, 2, 2)
    """

    def construct(self, input: "Tensor"):
        return self._call(ops.avg_pool2d, 2, input)


class AvgPool3dExt(_AvgPoolExt):
    """`mint.nn.AvgPool3d`: mean over windows of (N, C, D, H, W).

    Example:
        >>> mint.nn.AvgPool3d(2)(Tensor(np.ones((1, 1, 4, 4, 4), np.float32))).shape
        (1, 1, 2, 2, 2)
    """

    def construct(self, input: "Tensor"):
        return self._call(ops.avg_pool3d, 3, input)


# --- power mean
class LPPool1d(Cell):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of (N, C, L) or (C, L).

    Example:
        >>> nn.LPPool1d(2, 2)(Tensor(np.ones((1, 1, 4), np.float32))).shape
        (1, 1, 2)
    """

    @checked
    def __init__(
        self,
        norm_type: Like[float],
        kernel_size: Like[int | tuple],
        stride: Like[int | tuple | None] = None,
        ceil_mode: Like[bool] = False,
    ):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def construct(self, x: "Tensor"):
        return ops.lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(LPPool1d):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of (N, C, H, W).

    Example:
        >>> nn.LPPool2d(2, 2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 1, 2, 2)
    """

    def construct(self, x: "Tensor"):
        return ops.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


__all__ = [
    "AvgPool1d",
    "AvgPool1dExt",
    "AvgPool2d",
    "AvgPool2dExt",
    "AvgPool3d",
    "AvgPool3dExt",
    "LPPool1d",
    "LPPool2d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool2dExt",
    "MaxPool3d",
]
