"""Observers of quantization aware training: they look at values, and round them to the numbers that few bits can hold."""

import functools
from collections import namedtuple
from typing import Any

import numpy as np

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import Like, NonNegativeInt
from ...core.values.dtype import QuantDtype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..cell.cell import Cell

__all__ = ["FakeQuantWithMinMaxObserver"]


class _Partial:
    """A class with some arguments given; a call gives the others. `p`: the `functools.partial`."""

    def __init__(self, made, keywords):
        self.p = functools.partial(made, **keywords)

    def __call__(self, *args, **keywords):
        return self.p(*args, **keywords)

    def __repr__(self):
        return repr(self.p)

    def partial_init(self, **kwargs):
        """The same with more of them given."""
        return _Partial(self.p, kwargs)


class _Observer(Cell):
    """Observes the range of values, and returns them rounded to a few bits."""

    def __init__(self, quant_dtype):
        super().__init__()
        self.quant_dtype = quant_dtype

    @classmethod
    def partial_init(cls, **kwargs):
        """The class with some of its arguments given."""
        return _Partial(cls, kwargs)

    def extend_repr(self):
        return f"quant_dtype={self.quant_dtype}"

    def construct(self):
        """Nothing; subclasses define the observation."""


class UniformQuantObserver(_Observer):
    """An observer for evenly spaced numbers.

    Args:
        quant_dtype: QuantDtype of 2 to 8 bits. per_channel: whether each channel has a range of its own. symmetric: whether 0 is the
            middle of it. narrow_range: whether the lowest number is left out. num_channels: number of channels.
    """

    min_max_map = {
        QuantDtype[f"{'' if signed else 'U'}INT{bits}"]: (
            (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        )
        for signed in (True, False)
        for bits in range(2, 9)
    }

    def __init__(
        self,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        per_channel: bool = False,
        symmetric: bool = False,
        narrow_range: bool = False,
        num_channels: int = 1,
    ):
        super().__init__(quant_dtype)
        self.per_channel, self.symmetric, self.narrow_range = per_channel, symmetric, narrow_range
        self.num_channels = num_channels


class FakeQuantWithMinMaxObserver(UniformQuantObserver):
    """Rounds x to the numbers of `quant_dtype` between a lowest and a highest one.

    In training these follow x, in evaluation they stay. Where rounding clips x its gradient is 0.

    Args:
        min_init, max_init: the range at the start: numbers, or a list with one for each channel.
        ema, ema_decay: whether the range is a moving average, and how much of it stays in a step.
        per_channel, channel_axis, num_channels: whether each index of an axis has its own range.
        quant_dtype, symmetric, narrow_range: the numbers that there are.
        quant_delay: steps of training in which x stays as it is.
        neg_trunc, mode: in mode "LEARNED_SCALE" the range is a Parameter that is trained (only symmetric, with narrow_range), with
            neg_trunc from 0 on (without narrow_range); "DEFAULT": it is observed.

    Raises:
        TypeError, ValueError: an argument of the wrong kind, or options that do not go together.

    Example:
        >>> nn.FakeQuantWithMinMaxObserver()(Tensor([[1.0, 2.0, 1.0], [-2.0, 0.0, -1.0]]))
        Tensor(shape=[2, 3], dtype=Float32, value=
        [[ 9.88235474e-01,  1.97647095e+00,  9.88235474e-01],
         [-1.97647047e+00,  0.00000000e+00, -9.88235474e-01]])
    """

    @checked
    def __init__(
        self,
        min_init: int | float | list = -6,
        max_init: int | float | list = 6,
        ema: Like[bool] = False,
        ema_decay: Like[float] = 0.999,
        per_channel: Like[bool] = False,
        channel_axis: Like[int] = 1,
        num_channels: Like[int] = 1,
        quant_dtype: Like[QuantDtype] = QuantDtype.INT8,
        symmetric: Like[bool] = False,
        narrow_range: Like[bool] = False,
        quant_delay: NonNegativeInt = 0,
        neg_trunc: Like[bool] = False,
        mode: Any = "DEFAULT",
    ):
        super().__init__(quant_dtype, per_channel, symmetric, narrow_range, num_channels)
        self.min_init, self.max_init, self.ema, self.ema_decay = min_init, max_init, ema, ema_decay
        self.channel_axis, self.quant_delay, self.neg_trunc, self.mode = channel_axis, quant_delay, neg_trunc, mode
        self.num_bits = quant_dtype.num_bits
        low, high = self._range(min_init, max_init)
        if mode == "DEFAULT":
            self.minq = Parameter(Tensor(low), name="quant_min", requires_grad=False)
            self.maxq = Parameter(Tensor(high), name="quant_max", requires_grad=False)
            self._default_operators()
        elif mode == "LEARNED_SCALE":
            self._check_learned()
            self.minq = Parameter(Tensor(low * (not neg_trunc)), name="minq")
            self.maxq = Parameter(Tensor(high), name="maxq")
            self.quant_max = Parameter(self._highest(), name="quant_max", requires_grad=False)
            self._learned_operators()
        else:
            raise ValueError(
                f"For '{self.cls_name}', only `DEFAULT` and `LEARNED_SCALE` mode are valid, but got 'mode': {mode}."
            )
        # of training, where rounding waits; in a tuple, as MindSpore counts in the kernel: checkpoints do not have it
        self._steps = (Parameter(Tensor(np.zeros(1, np.int32)), name="steps", requires_grad=False),)

    def _default_operators(self):
        axis = {"channel_axis": self.channel_axis} if self.per_channel else {}
        update = ops.MinMaxUpdatePerChannel if self.per_channel else ops.MinMaxUpdatePerLayer
        self.ema_update = update(ema=self.ema, ema_decay=self.ema_decay, **axis)
        rounds = ops.FakeQuantPerChannel if self.per_channel else ops.FakeQuantPerLayer
        self.fake_quant = rounds(
            num_bits=self.num_bits, symmetric=self.symmetric, narrow_range=self.narrow_range, **axis
        )

    def _learned_operators(self):
        if self.per_channel:
            self.fake_quant = ops.FakeLearnedScaleQuantPerChannel(
                neg_trunc=self.neg_trunc, channel_axis=self.channel_axis
            )
        else:
            self.fake_quant = ops.FakeLearnedScaleQuantPerLayer(neg_trunc=self.neg_trunc)

    def _check_learned(self):
        start = f"For '{self.cls_name}', the 'LEARNED_SCALE' mode only support "
        if not self.symmetric:
            raise ValueError(f"{start}'symmetric' quant, but got 'symmetric': {self.symmetric}.")
        if self.neg_trunc == self.narrow_range:
            raise ValueError(
                f"{start}'narrow_range=True', or 'neg_trunc=True' with 'narrow_range=False', but got 'narrow_range': "
                f"{self.narrow_range}, 'neg_trunc': {self.neg_trunc}."
            )

    def _range(self, min_init, max_init):
        """The lowest and the highest numbers as arrays; ValueError unless they are in order."""
        low, high = self._for_each_channel(min_init), self._for_each_channel(max_init)
        if not (high > low).all():
            raise ValueError(
                f"For '{self.cls_name}', the 'max_init' must be greater than 'min_init', but got 'max_init': {max_init}, "
                f"'min_init': {min_init}."
            )
        return low, high

    def _for_each_channel(self, given):
        count = self.num_channels if self.per_channel else 1
        if isinstance(given, list) and len(given) != count:
            raise ValueError(
                f"For '{self.cls_name}', the length of the 'min_init/max_init' list must be {count}, 'num_channels' (1 where "
                f"all channels share a range), but got {len(given)}."
            )
        return np.array(given if isinstance(given, list) else [given] * count, np.float32)

    def _highest(self):
        return Tensor(np.array([2 ** (self.num_bits - (not self.neg_trunc)) - 1], np.float32))

    def reset(self, quant_dtype: QuantDtype = QuantDtype.INT8, min_init: float = -6, max_init: float = 6):
        """Start again with another range; ValueError in another mode than "LEARNED_SCALE"."""
        if self.mode != "LEARNED_SCALE":
            raise ValueError(f"For '{self.cls_name}', only `LEARNED_SCALE` mode is valid, but got 'mode': {self.mode}.")
        self.quant_dtype, self.num_bits = quant_dtype, quant_dtype.num_bits
        self.min_init, self.max_init = 0 if self.neg_trunc else min_init, max_init
        low, high = self._range(self.min_init, max_init)
        self.minq.set_data(Tensor(low))
        self.maxq.set_data(Tensor(high))
        self.quant_max.set_data(self._highest())

    def extend_repr(self):
        return (
            f"quant_dtype={self.quant_dtype}, symmetric={self.symmetric}, narrow_range={self.narrow_range}, ema={self.ema}"
            f"({self.ema_decay}), per_channel={self.per_channel}({self.channel_axis}, {self.num_channels}), "
            f"quant_delay={self.quant_delay}, min_init={self.min_init}, max_init={self.max_init}"
        )

    def construct(self, x: Tensor):
        if self.mode == "LEARNED_SCALE":
            rounded = self.fake_quant(x, self.maxq, self.quant_max)
            if self.training and not self.neg_trunc:
                ops.assign(self.minq, -self.maxq)
        else:
            if self.training:
                low, high = self.ema_update(x, self.minq, self.maxq)
                ops.assign(self.minq, low)
                ops.assign(self.maxq, high)
            rounded = self.fake_quant(x, self.minq, self.maxq)
        if not (self.training and self.quant_delay):
            return rounded
        waits = self._steps[0] < self.quant_delay
        ops.assign_add(self._steps[0], Tensor(np.ones(1, np.int32)))
        return ops.select(waits, x, rounded)


QuantConfig = namedtuple("QuantConfig", ["weight", "activation"])
quant_config_default = QuantConfig(
    FakeQuantWithMinMaxObserver.partial_init(), FakeQuantWithMinMaxObserver.partial_init()
)
