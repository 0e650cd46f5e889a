"""Layers for the second-order optimizer `nn.thor`: they also keep the Kronecker factors A (of inputs) and G (of
output gradients).
"""

from typing import Literal

import numpy as np

from ... import ops
from ...core.keywords import Only, old_keywords
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like, PositiveFloat, PositiveInt, TypedPair
from ...core.values import dtype as mstype
from ...core.values.initializer import initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import DType, Init, PadMode
from ..cell.cell import Cell
from .basic import Dense
from .bias import add_bias
from .conv_base import ConvolutionBase
from .embedding import Embedding, EmbeddingLookup


def _factor(name, content):
    return Parameter(Tensor(np.asarray(content, np.float32)), name=name, requires_grad=False)


def _second_moment(rows):
    """rows^T rows / number of rows."""
    rows = rows.astype(mstype.float32)
    return ops.matmul(rows.swapaxes(0, 1), rows) * (1.0 / rows.shape[0])


class _Factors(Cell):
    """`thor` switches the factors on; `_watched` hands the gradient of its argument to `save_gradient`."""

    thor = True

    def _watched(self, x):
        return ops.InsertGradientOf(self.save_gradient)(x)


class DenseThor(Dense, _Factors):
    """Dense that keeps `matrix_a` (in, in) and `matrix_g` (out, out) for `nn.thor`; arguments as for Dense.

    Example:
        >>> nn.DenseThor(3, 4)(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
        activation: Like[str | Cell | None] = None,
    ):
        super().__init__(in_channels, out_channels, weight_init, bias_init, has_bias, activation)
        self.thor = True
        self.matrix_a, self.matrix_g = (
            _factor("matrix_a", np.eye(in_channels)),
            _factor("matrix_g", np.eye(out_channels)),
        )

    def save_gradient(self, dout: Tensor):
        """Note the second moment of the output's gradient, and pass it on."""
        self.matrix_g = _second_moment(dout)
        return dout

    def construct(self, x: Tensor):
        out = ops.dense(x, self.weight)
        if self.thor:
            # divided by the number of columns, as MindSpore's for this layer
            self.matrix_a = _second_moment(x) * (x.shape[0] / x.shape[1])
            out = self._watched(out)
        out = out if self.bias is None else add_bias(out, self.bias)
        return self.activation(out) if self.activation_flag else out

    def extend_repr(self):
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}" + (
            ", has_bias=True" if self.has_bias else ""
        )


class Conv2dThor(ConvolutionBase, _Factors):
    """Conv2d that keeps the factors of patches and output gradients for `nn.thor`; arguments as for Conv2d.

    Example:
        >>> nn.Conv2dThor(3, 8, 3)(Tensor(np.ones((1, 3, 8, 8), np.float32))).shape
        (1, 8, 8, 8)
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: TypedPair[PositiveInt],
        stride: TypedPair[PositiveInt] = 1,
        pad_mode: PadMode = "same",
        padding: Like[int | tuple] = 0,
        dilation: TypedPair[PositiveInt] = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
    ):
        super().__init__(
            in_channels,
            out_channels,
            check.twice(kernel_size),
            check.twice(stride),
            pad_mode,
            padding,
            check.twice(dilation),
            group,
            has_bias,
            weight_init,
            bias_init,
        )
        self.thor = True
        self.hw = self.kernel_size[0] * self.kernel_size[1]
        self.matrix_a_dim, self.matrix_g_dim = in_channels * self.hw, out_channels
        self.a_normalizer = Parameter(initializer(1, [1], mstype.float32), name="a_normalizer", requires_grad=False)
        self.g_normalizer = Parameter(initializer(1, [1], mstype.float32), name="g_normalizer", requires_grad=False)
        self.matrix_a_cov = _factor("matrix_a", np.zeros((self.matrix_a_dim,) * 2))
        self.matrix_g_cov = _factor("matrix_g", np.zeros((self.matrix_g_dim,) * 2))

    def save_gradient(self, dout: Tensor):
        """Note the second moment of the output's gradient (its mean over the batch), and pass it on."""
        rows = dout.mean(0).reshape(self.out_channels, -1).swapaxes(0, 1)
        self.g_normalizer = Tensor([float(rows.shape[0])], mstype.float32)
        self.matrix_g_cov = _second_moment(rows)
        return dout

    def construct(self, x: Tensor):
        out = ops.conv2d(x, self.weight, None, self.stride, self.pad_mode, self.padding, self.dilation, self.group)
        if self.thor:
            rows = self._patches(x)
            self.a_normalizer = Tensor([float(rows.shape[0])], mstype.float32)
            self.matrix_a_cov = _second_moment(rows)
            out = self._watched(out)
        return out if self.bias is None else add_bias(out, self.bias)

    def _patches(self, x):
        """(positions, in_channels * kH * kW): patches with "same" padding, means over the batch."""
        (kh, kw), (sh, sw) = self.kernel_size, self.stride
        height, width = x.shape[2:]
        rows, columns = -(-height // sh), -(-width // sw)
        lacks = max((rows - 1) * sh + kh - height, 0), max((columns - 1) * sw + kw - width, 0)
        padded = ops.pad(x.mean(0), (lacks[1] // 2, lacks[1] - lacks[1] // 2, lacks[0] // 2, lacks[0] - lacks[0] // 2))
        taps = [
            padded[:, i : i + (rows - 1) * sh + 1 : sh, j : j + (columns - 1) * sw + 1 : sw]
            for i in range(kh)
            for j in range(kw)
        ]
        return ops.stack(taps, 1).reshape(self.matrix_a_dim, rows * columns).swapaxes(0, 1)

    def extend_repr(self):
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, bias_init={self.bias_init}"
        )


class _EmbeddingFactors(_Factors):
    """Factors of a table: how often each id occurs, and the second moment of the rows' gradients."""

    def _set(self):
        self.thor = True
        self.matrix_a = _factor("matrix_a", np.zeros(self.vocab_size))
        self.matrix_g = _factor("matrix_g", np.zeros((self.embedding_size,) * 2))

    def save_gradient(self, dout):
        """Note the second moment of the rows' gradients, and pass them on."""
        self.matrix_g = _second_moment(dout.reshape(-1, self.embedding_size))
        return dout

    def _rows(self, ids):
        flat = ids.reshape(-1)
        self.matrix_a = ops.one_hot(
            flat, self.vocab_size, Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32)
        ).sum(0)
        return self._watched(ops.gather(self.embedding_table, flat, 0)).reshape(*ids.shape, self.embedding_size)


class EmbeddingThor(Embedding, _EmbeddingFactors):
    """Embedding that keeps the factors for `nn.thor`; arguments as for Embedding.

    Example:
        >>> nn.EmbeddingThor(10, 4)(Tensor([1, 2], mindspore.int32)).shape
        (2, 4)
    """

    @checked
    def __init__(
        self,
        vocab_size: PositiveInt,
        embedding_size: PositiveInt,
        use_one_hot: bool = False,
        embedding_table: Init = "normal",
        dtype: DType = mstype.float32,
        padding_idx: int | None = None,
    ):
        super().__init__(vocab_size, embedding_size, use_one_hot, embedding_table, dtype, padding_idx)
        self._set()

    def construct(self, ids: Tensor):
        return self._rows(ids) if self.thor and not self.use_one_hot else super().construct(ids)


class EmbeddingLookupThor(EmbeddingLookup, _EmbeddingFactors):
    """EmbeddingLookup with a float16 table that keeps the factors for `nn.thor` with target "DEVICE"; arguments as
    for EmbeddingLookup.

    Example:
        >>> nn.EmbeddingLookupThor(10, 4)(Tensor([1, 2], mindspore.int32)).shape
        (2, 4)
    """

    @old_keywords(vocab_cache_size=Only(0))
    @checked
    def __init__(
        self,
        vocab_size: PositiveInt,
        embedding_size: PositiveInt,
        param_init: Init = "normal",
        target: AsValue[Literal["CPU", "DEVICE"]] = "CPU",
        slice_mode: Like[str] = "batch_slice",
        manual_shapes: Like[tuple | None] = None,
        max_norm: PositiveFloat | None = None,
        sparse: bool = True,
    ):
        super().__init__(
            vocab_size, embedding_size, param_init, target, slice_mode, manual_shapes, max_norm, sparse, mstype.float16
        )
        self._set()

    def _looked_up(self, indices):
        return self._rows(indices) if self.thor and self.target == "DEVICE" else super()._looked_up(indices)


__all__ = ["Conv2dThor", "DenseThor", "EmbeddingLookupThor", "EmbeddingThor"]
