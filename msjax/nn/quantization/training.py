"""Quantization aware training: layers of a network are exchanged for those that round (`nn/layer/quant.py`)."""

import enum
from abc import ABC, abstractmethod
from typing import Any

from ... import log
from ...core.operators import check
from ...core.operators.primitive import Primitive
from ...core.values.dtype import QuantDtype
from ..cell.cell import Cell
from ..container import SequentialCell
from ..layer import quant
from ..layer.activation import HSigmoid, HSwish, LeakyReLU, ReLU, ReLU6, Sigmoid
from ..layer.combined import Conv2dBnAct, DenseBnAct
from ..layer.quant_observer import FakeQuantWithMinMaxObserver, QuantConfig
from . import ranges

_DEPRECATED = (
    "The compression module is deprecated and may not be supported in later version, please use MindSpore Golden "
    "Stick(https://gitee.com/mindspore/golden-stick) instead."
)
_PLAIN = (ReLU, ReLU6, Sigmoid)  # activations of which the result is rounded
_BOTH = (LeakyReLU, HSigmoid, HSwish)  # of which the input is, too


class OptimizeOption(enum.Enum):
    """The method of a quantizer: rounding by observed ranges (QAT), or by trained ranges (LEARNED_SCALE)."""

    QAT = "QAT"
    LEARNED_SCALE = "LEARNED_SCALE"

    def __str__(self):
        return str(self.value)


def create_quant_config(
    quant_observer: Any = (FakeQuantWithMinMaxObserver, FakeQuantWithMinMaxObserver),
    quant_delay: tuple = (0, 0),
    quant_dtype: QuantDtype = (QuantDtype.INT8, QuantDtype.INT8),
    per_channel: tuple = (False, False),
    symmetric: tuple = (False, False),
    narrow_range: tuple = (False, False),
    mode: Any = "DEFAULT",
):
    """The observers of weights and of activations, for the layers that round.

    Each argument but `mode` is a pair, first for weights, then for activations; they mean what they do for
    FakeQuantWithMinMaxObserver.

    Raises:
        ValueError: `per_channel` is not False for activations.

    Example:
        >>> from msjax.nn.quantization.training import create_quant_config
        >>> create_quant_config(per_channel=(True, False)).weight(num_channels=4).per_channel
        True
    """
    if per_channel[-1]:
        raise ValueError("Arg 'per_channel' second element must be 'False'.")
    settings = {"quant_delay": quant_delay, "quant_dtype": quant_dtype, "per_channel": per_channel}
    settings |= {"symmetric": symmetric, "narrow_range": narrow_range}
    weight, activation = (
        quant_observer[i].partial_init(**{name: pair[i] for name, pair in settings.items()}, mode=mode) for i in (0, -1)
    )
    return QuantConfig(weight, activation)


class _AddFakeQuantInput(Cell):
    """A network whose one input is rounded."""

    def __init__(self, network, quant_delay=0):
        super().__init__(auto_prefix=False)
        self.fake_quant_input = FakeQuantWithMinMaxObserver(quant_delay=quant_delay, ema=True)
        self.fake_quant_input.update_parameters_name("fake_quant_input.")
        self.network = network

    def construct(self, data):
        return self.network(self.fake_quant_input(data))


class _AddFakeQuantAfterSubCell(Cell):
    """A Cell, an operator or a function whose result is rounded; keywords: of the observer, and `optimize_option`."""

    def __init__(self, subcell, optimize_option=(), **kwargs):
        super().__init__(auto_prefix=False)
        self.subcell = subcell
        learned = OptimizeOption.LEARNED_SCALE in optimize_option
        self.mode, self.max_init = ("LEARNED_SCALE", 16) if learned else ("DEFAULT", 6)
        self.min_init = -self.max_init
        self.fake_quant_act = FakeQuantWithMinMaxObserver(
            self.min_init, self.max_init, ema=True, mode=self.mode, **kwargs
        )

    def construct(self, *data):
        return self.fake_quant_act(self.subcell(*data))


class Quantizer(ABC):
    """Base class of quantizers: each turns a network into a quantized one.

    Args:
        optimize_option: OptimizeOption, or a list of them.

    Raises:
        ValueError: it is something else.
    """

    def __init__(self, optimize_option: OptimizeOption = OptimizeOption.QAT):
        options = optimize_option if isinstance(optimize_option, (list, tuple)) else [optimize_option]
        for option in options:
            check.check_isinstance("optimize_option", option, OptimizeOption)
        self.optimize_option = options

    @abstractmethod
    def quantize(self, network: Cell):
        """The network, with its layers exchanged."""


def _pair(name, value):
    values = value if isinstance(value, (list, tuple)) else [value]
    if len(values) > 2:
        raise ValueError(f"input `{name}` len should less then 2")
    return values[0], values[-1]


class QuantizationAwareTraining(Quantizer):
    """Turns a network into one that is trained with quantized weights and activations.

    Conv2dBnAct and DenseBnAct become layers that round their weight and the result of their activation; operators among Add, Sub,
    Mul, RealDiv, ReduceMean that are attributes of a Cell round their result.

    Args:
        bn_fold: whether the normalization goes into the weight before it is rounded. one_conv_fold: whether by
            Conv2dBnFoldQuantOneConv (else by Conv2dBnFoldQuant). freeze_bn: steps after which the latter's statistics stay.
        quant_delay, quant_dtype, per_channel, symmetric, narrow_range: as for `create_quant_config`, or one value for both.
        optimize_option: OptimizeOption, or a list. LEARNED_SCALE needs symmetric, narrow_range, freeze_bn=0 and no delay.

    Raises:
        TypeError, ValueError: an argument of the wrong kind, or options that do not go together.

    Example:
        >>> from msjax.nn.quantization.training import QuantizationAwareTraining
        >>> net = nn.SequentialCell(nn.DenseBnAct(4, 2, activation="relu"))
        >>> type(QuantizationAwareTraining(bn_fold=False).quantize(net)[0].dense).__name__
        'DenseQuant'
    """

    __quant_op_name__ = ["Add", "Sub", "Mul", "RealDiv", "ReduceMean"]

    def __init__(
        self,
        bn_fold: bool = True,
        freeze_bn: int = 10000000,
        quant_delay: tuple = (0, 0),
        quant_dtype: QuantDtype = (QuantDtype.INT8, QuantDtype.INT8),
        per_channel: tuple = (False, False),
        symmetric: tuple = (False, False),
        narrow_range: tuple = (False, False),
        optimize_option: OptimizeOption = OptimizeOption.QAT,
        one_conv_fold: bool = True,
    ):
        super().__init__(optimize_option)
        delay, kinds = _pair("quant delay", quant_delay), _pair("quant dtype", quant_dtype)
        channel, symmetric = _pair("per channel", per_channel), _pair("symmetric", symmetric)
        narrow = _pair("narrow range", narrow_range)
        self.weight_qdelay, self.act_qdelay = (check.check_non_negative_int(d, "quant delay") for d in delay)
        self.bn_fold = check.check_bool(bn_fold, "bn fold")
        self.freeze_bn = check.check_non_negative_int(freeze_bn, "freeze bn")
        self.weight_dtype, self.act_dtype = (check.check_isinstance("quant dtype", k, QuantDtype) for k in kinds)
        self.weight_channel, self.act_channel = (check.check_bool(c, "per channel") for c in channel)
        self.weight_symmetric, self.act_symmetric = (check.check_bool(s, "symmetric") for s in symmetric)
        self.weight_range, self.act_range = (check.check_bool(n, "narrow range") for n in narrow)
        self.one_conv_fold = check.check_bool(one_conv_fold, "one conv fold")
        self.eps = 1e-5
        self._learned = OptimizeOption.LEARNED_SCALE in self.optimize_option
        self.mode = "LEARNED_SCALE" if self._learned else "DEFAULT"
        if self._learned:
            for name, wanted, given in (
                ("symmetric", (True, True), symmetric),
                ("narrow_range", (True, True), narrow),
                ("freeze_bn", 0, freeze_bn),
                ("quant_delay", (0, 0), delay),
            ):
                if given != wanted:
                    raise ValueError(
                        f"OptimizeOption.LEARNED_SCALE currently only support {name}={wanted}, but get {name}={given}"
                    )
        self.quant_config = create_quant_config(
            quant_delay=delay,
            quant_dtype=kinds,
            per_channel=channel,
            symmetric=symmetric,
            narrow_range=narrow,
            mode=self.mode,
        )

    def quantize(self, network: Cell):
        """The network itself, with its layers exchanged."""
        log.warning(_DEPRECATED)
        network.update_cell_prefix()
        network = self._convert_subcells2quant(network)
        network.update_cell_type("quant")
        return network

    def _convert_subcells2quant(self, network):
        changed = False
        for name, subcell in network.name_cells().items():
            if subcell is network:
                continue
            if isinstance(subcell, (Conv2dBnAct, DenseBnAct)):
                self._convert(subcell).update_parameters_name(f"{subcell.param_prefix}.")
                network.insert_child_to_cell(name, subcell)
                changed = True
            else:
                self._convert_subcells2quant(subcell)
        if isinstance(network, SequentialCell) and changed:
            network.cell_list = list(network.cells())
        rounding = (FakeQuantWithMinMaxObserver, quant.ActQuant, quant.TensorAddQuant, quant.MulQuant)
        if not isinstance(network, (*rounding, *ranges.WEIGHTED)):
            self._round_after_operators(network)
        return network

    def _round_after_operators(self, network):
        found = {
            name: value
            for name, value in vars(network).items()
            if name[0] != "_" and isinstance(value, Primitive) and value.name in self.__quant_op_name__
        }
        for name, operator in found.items():
            added = self._rounded(operator)
            added.update_parameters_name(".".join(filter(None, (network.param_prefix, name))) + ".")
            delattr(network, name)
            network.insert_child_to_cell(name, added)

    def _rounded(self, function):
        return _AddFakeQuantAfterSubCell(
            function,
            self.optimize_option,
            quant_dtype=self.act_dtype,
            quant_delay=self.act_qdelay,
            per_channel=self.act_channel,
            symmetric=self.act_symmetric,
            narrow_range=self.act_range,
        )

    def _config(self, weight, norm):
        """The observers, with a range for this weight."""
        low, high = -6, 6
        if self._learned:
            weight = ranges.normalized_weight(weight, norm, self.eps)
            low, high = ranges.thresholds(weight, self.weight_dtype, self.weight_channel)
        return self.quant_config._replace(weight=self.quant_config.weight.partial_init(min_init=low, max_init=high))

    def _convert(self, subcell):
        """A Conv2dBnAct or DenseBnAct itself, with its layers exchanged."""
        convolution = isinstance(subcell, Conv2dBnAct)
        old = subcell.conv if convolution else subcell.dense
        norm = subcell.batchnorm if subcell.has_bn else None
        config = self._config(old.weight, norm)
        new = self._convolution(old, norm, config) if convolution else self._dense(old, config)
        new.weight = old.weight
        if old.has_bias:
            new.bias = old.bias
        if convolution:
            if norm is not None:
                subcell.has_bn = False
                del subcell.batchnorm
            subcell.conv = new
        else:
            subcell.dense = new
        if subcell.has_act and subcell.activation is not None:
            subcell.activation = self._activation(subcell.activation)
        elif subcell.after_fake:
            subcell.has_act, subcell.activation = True, self._rounded(_same)
        return subcell

    def _dense(self, old, config):
        return quant.DenseQuant(old.in_channels, old.out_channels, has_bias=old.has_bias, quant_config=config)

    def _convolution(self, old, norm, config):
        names = ("stride", "pad_mode", "padding", "dilation", "group", "has_bias")
        given = {name: getattr(old, name) for name in names}
        sizes = (old.in_channels, old.out_channels, old.kernel_size)
        if norm is None:
            return quant.Conv2dQuant(*sizes, **given, quant_config=config)
        given |= {"eps": norm.eps, "momentum": 1 - norm.momentum, "quant_config": config}
        if not self.bn_fold:
            new = quant.Conv2dBnWithoutFoldQuant(*sizes, **given)
            owner = new.batchnorm
        else:
            if self.one_conv_fold:
                new = owner = quant.Conv2dBnFoldQuantOneConv(*sizes, **given)
            else:
                new = owner = quant.Conv2dBnFoldQuant(*sizes, **given, freeze_bn=self.freeze_bn)
        for name in ("gamma", "beta", "moving_mean", "moving_variance"):
            setattr(owner, name, getattr(norm, name))
        return new

    def _activation(self, activation):
        if type(activation) not in (*_PLAIN, *_BOTH):
            raise ValueError("Unsupported activation in auto quant: ", type(activation))
        both = type(activation) in _BOTH
        return quant.ActQuant(
            activation, ema=both, fake_before=both, quant_config=self.quant_config, quant_dtype=self.act_dtype
        )

    def _set_mixed_bits(self, network, strategy):
        """Give the weights of each layer bits of their own: [[8], [6], ...], one entry for each Conv2dBnAct and DenseBnAct.

        Raises:
            ValueError: the option is not LEARNED_SCALE, or the strategy does not fit.
        """
        if not self._learned:
            raise ValueError(
                "The `_set_mixed_bits` function is currently only valid for `LEARNED_SCALE` optimize_option."
            )
        cells = [cell for _, cell in network.cells_and_names() if isinstance(cell, (Conv2dBnAct, DenseBnAct))]
        if len(cells) != len(strategy):
            raise ValueError("The dimension of quantifiable layers is not consistent with that of strategy.")
        for cell, (bits, *_) in zip(cells, strategy):
            if bits not in range(2, 9):
                raise ValueError("Input strategy is invalid: ", bits)
            cell.weight_dtype = QuantDtype[f"INT{bits}"]
            layer = cell.conv if isinstance(cell, Conv2dBnAct) else cell.dense
            weight = ranges.normalized_weight(layer.weight, layer if hasattr(layer, "gamma") else None, self.eps)
            layer.fake_quant_weight.reset(
                cell.weight_dtype, *ranges.thresholds(weight, cell.weight_dtype, self.weight_channel)
            )
        return network


def _same(x):
    return x
