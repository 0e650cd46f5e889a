"""Recurrent layers: RNN, GRU and LSTM over whole sequences, in several layers and both directions."""

import inspect
import math
from typing import Annotated, Literal

import numpy as np

from ... import ops
from ...core.operators import check
from ...core.operators.record import records
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, PositiveInt, Within
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor
from ..arguments import DType
from ..cell.cell import Cell
from .basic import Dropout

_lstm, _gru, _rnn = records["lstm_layer"], records["gru_layer"], records["rnn_layer"]
_FLOATS = (mstype.float32, mstype.float16, mstype.bfloat16)


class _OneLayer(Cell):
    """One layer in one direction: (outputs (T, B, H), new state)."""

    def construct(self, x, h, seq_length, w_ih, w_hh, b_ih, b_hh, backwards=False):
        raise NotImplementedError(f"'{self.cls_name}' must define 'construct'.")


# The classes have the names that MindSpore prints.
class _DynamicLSTMCPUGPU(_OneLayer):
    """An LSTM layer; the state is (h, c)."""

    def construct(self, x, h, seq_length, w_ih, w_hh, b_ih, b_hh, backwards=False):
        out, h_n, c_n = _lstm(x, *h, w_ih, w_hh, b_ih, b_hh, seq_length, backwards)
        return out, (h_n, c_n)


class _DynamicGRUCPUGPU(_OneLayer):
    """A GRU layer."""

    def construct(self, x, h, seq_length, w_ih, w_hh, b_ih, b_hh, backwards=False):
        return _gru(x, h, w_ih, w_hh, b_ih, b_hh, seq_length, backwards)


class _DynamicRNNTanh(_OneLayer):
    """A plain recurrent layer with tanh."""

    _nonlinearity = "tanh"

    def construct(self, x, h, seq_length, w_ih, w_hh, b_ih, b_hh, backwards=False):
        return _rnn(x, h, w_ih, w_hh, b_ih, b_hh, seq_length, backwards, self._nonlinearity)


class _DynamicRNNRelu(_DynamicRNNTanh):
    """A plain recurrent layer with relu."""

    _nonlinearity = "relu"


class _DynamicRNNBase(_OneLayer):
    """A layer of any mode, which libraries' own recurrent layers make; its weights are cast to the dtype of x."""

    def __init__(self, mode):
        super().__init__()
        if mode not in _MODES:
            raise ValueError(f"Unrecognized RNN mode: {mode}")
        self.is_lstm, self._layer = mode == "LSTM", _MODES[mode][1]()

    def construct(self, x, h, seq_length, w_ih, w_hh, b_ih, b_hh, backwards=False):
        return self._layer(x, h, seq_length, w_ih, w_hh, b_ih, b_hh, backwards)


_MODES = {
    "LSTM": (4, _DynamicLSTMCPUGPU),
    "GRU": (3, _DynamicGRUCPUGPU),
    "RNN_TANH": (1, _DynamicRNNTanh),
    "RNN_RELU": (1, _DynamicRNNRelu),
}


# Functions that libraries' own recurrent layers import.
def _init_state(shape, dtype, is_lstm):
    """Zeros, for LSTM a pair of them."""
    zeros = ops.zeros(shape, dtype)
    return (zeros, zeros) if is_lstm else zeros


def sequence_mask(lengths, maxlen):
    """(..., maxlen) int32: 1 before each length."""
    return ops.sequence_mask(lengths, maxlen).astype(mstype.int32)


def select_by_mask(inputs, mask):
    """inputs (T, B, H) where mask (B, T) is not 0, else zeros."""
    return mask.expand_dims(-1).swapaxes(0, 1).expand_as(inputs).astype(mstype.bool_) * inputs


def get_hidden(output, seq_length):
    """(B, H): output (T, B, H) at the last step of each sequence."""
    batch = ops.arange(0, seq_length.shape[0], 1, dtype=seq_length.dtype)
    return ops.gather_nd(output, ops.stack((seq_length - 1, batch), 1))


class _RNNBase(Cell):
    """Layers of a recurrent network, one on the other.

    Args:
        input_size, hidden_size: features of the input and of the state.
        num_layers: number of layers.
        has_bias: whether there are biases.
        batch_first: x is (B, T, I) instead of (T, B, I), and so is the output.
        dropout: probability of dropout between the layers, in [0, 1).
        bidirectional: a second network runs backwards; outputs are concatenated.
        dtype: dtype of the Parameters.

    Inputs: x; hx, the initial state (num_layers * directions, B, hidden_size), zeros by default (for LSTM a pair of
    them); seq_length (B,):
    steps behind it give zeros and leave the state. Outputs: (output, state).

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind, range or shape.
    """

    @checked
    def __init__(
        self,
        mode: AsValue[Literal["LSTM", "GRU", "RNN_TANH", "RNN_RELU"]],
        input_size: PositiveInt,
        hidden_size: PositiveInt,
        num_layers: PositiveInt = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: Annotated[float, Within("[0, 1)")] = 0.0,
        bidirectional: bool = False,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        gates, layer = _MODES[mode]
        self.rnn = layer()
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.has_bias, self.batch_first, self.dropout = has_bias, batch_first, dropout
        self.bidirectional, self.is_lstm = bidirectional, mode == "LSTM"
        self.dropout_op = Dropout(p=float(dropout))
        made = {"weight_ih": [], "weight_hh": [], "bias_ih": [], "bias_hh": []}
        bound, directions = 1 / math.sqrt(hidden_size), 2 if bidirectional else 1
        for number in range(num_layers):
            features = input_size if number == 0 else hidden_size * directions
            for suffix in ("", "_reverse")[:directions]:
                for part, shape in (
                    ("weight_ih", (gates * hidden_size, features)),
                    ("weight_hh", (gates * hidden_size, hidden_size)),
                    ("bias_ih", (gates * hidden_size,)),
                    ("bias_hh", (gates * hidden_size,)),
                )[: 4 if has_bias else 2]:
                    # NumPy's own stream, as MindSpore draws these: a script's later draws are then the same
                    content = np.random.uniform(-bound, bound, shape).astype(np.float32)
                    made[part].append(Parameter(Tensor(content, dtype=dtype), name=f"{part}_l{number}{suffix}"))
        self.w_ih_list, self.w_hh_list = ParameterTuple(made["weight_ih"]), ParameterTuple(made["weight_hh"])
        self.b_ih_list, self.b_hh_list = ParameterTuple(made["bias_ih"]), ParameterTuple(made["bias_hh"])

    def construct(self, x, hx=None, seq_length=None):
        hx = self._checked_state(x, hx, seq_length)
        if self.batch_first:
            x = x.swapaxes(0, 1)
        directions = 2 if self.bidirectional else 1
        states = []
        for number in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                i = number * directions + direction
                state = (hx[0][i], hx[1][i]) if self.is_lstm else hx[i]
                bias = (self.b_ih_list[i], self.b_hh_list[i]) if self.has_bias else (None, None)
                out, state = self.rnn(x, state, seq_length, self.w_ih_list[i], self.w_hh_list[i], *bias, direction == 1)
                outputs.append(out)
                states.append(state)
            x = outputs[0] if directions == 1 else ops.cat(outputs, 2)
            if self.dropout and number < self.num_layers - 1:
                x = self.dropout_op(x)
        out = x.swapaxes(0, 1) if self.batch_first else x
        if self.is_lstm:
            return out, (ops.stack([h for h, _ in states]), ops.stack([c for _, c in states]))
        return out, ops.stack(states)

    def _checked_state(self, x, hx, seq_length):
        """The initial state, after checks of the inputs."""
        name = self.cls_name
        if not isinstance(x, Tensor):
            raise TypeError(f"For '{name}', the 'x' must be Tensor, but got '{type(x).__name__}'.")
        if x.ndim != 3:
            raise ValueError(f"For '{name}', the 'x' must have 3 axes, but got shape {x.shape}.")
        # As MindSpore: float64 is computed in float64 where the state is made here, and refused beside a state.
        check.check_type_name("x", x.dtype, _FLOATS if hx is not None else (*_FLOATS, mstype.float64), name)
        batch = x.shape[0 if self.batch_first else 1]
        if seq_length is not None:
            check.check_type_name("seq_length", seq_length.dtype, (mstype.int32, mstype.int64), name)
            if seq_length.shape != (batch,):
                raise ValueError(
                    f"For '{name}', batch size of x and seq_length must be equal, but got {batch} of x "
                    f"and {seq_length.shape} of seq_length."
                )
        shape = (self.num_layers * (2 if self.bidirectional else 1), batch, self.hidden_size)
        if hx is None:
            return _init_state(shape, x.dtype, self.is_lstm)
        if self.is_lstm and (not isinstance(hx, (tuple, list)) or len(hx) != 2):
            raise TypeError(f"For '{name}', the 'hx' must be a tuple of two Tensors, but got {type(hx).__name__}.")
        for state in hx if self.is_lstm else (hx,):
            if not isinstance(state, Tensor):
                raise TypeError(f"For '{name}', the 'hx' must hold Tensors, but got '{type(state).__name__}'.")
            if state.dtype != x.dtype:
                raise TypeError(
                    f"For '{name}', the dtype of 'hx' must be that of 'x', {x.dtype}, but got {state.dtype}."
                )
            if state.shape != shape and not (name == "RNN" and state.ndim == 3 and state.shape[::2] == shape[::2]):
                raise ValueError(f"For '{name}', the shape of 'hx' must be {shape}, but got {state.shape}.")
        return hx


class RNN(_RNNBase):
    __doc__ = (
        _RNNBase.__doc__
        + """
    h = tanh(x w_ih^T + b_ih + h w_hh^T + b_hh), or relu with nonlinearity="relu".

    Example:
        >>> nn.RNN(3, 4)(Tensor(np.ones((5, 2, 3), np.float32)))[0].shape
        (5, 2, 4)
    """
    )

    def __init__(self, *args, **kwargs):
        nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"For '{self.cls_name}', the 'nonlinearity' must be in ['tanh', 'relu'], but got {nonlinearity}."
            )
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)


class GRU(_RNNBase):
    __doc__ = (
        _RNNBase.__doc__
        + """
    Gated recurrent units (Cho et al., 2014).

    Example:
        >>> nn.GRU(3, 4)(Tensor(np.ones((5, 2, 3), np.float32)))[0].shape
        (5, 2, 4)
    """
    )

    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)


class LSTM(_RNNBase):
    __doc__ = (
        _RNNBase.__doc__
        + """
    Long short-term memory (Hochreiter and Schmidhuber, 1997).

    Example:
        >>> nn.LSTM(3, 4)(Tensor(np.ones((5, 2, 3), np.float32)))[0].shape
        (5, 2, 4)
    """
    )

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)


def _shown(cls, *more):
    """Show the parameters of the constructor: those of the base class without the mode, and more keywords."""
    own, _, *taken = inspect.signature(_RNNBase.__init__).parameters.values()
    given = [p for p in taken if p.kind is not p.VAR_KEYWORD]
    rest = [p for p in taken if p.kind is p.VAR_KEYWORD]
    cls.__init__.__signature__ = inspect.Signature([own, *given, *more, *rest])


_shown(
    RNN,
    inspect.Parameter(
        "nonlinearity", inspect.Parameter.KEYWORD_ONLY, default="tanh", annotation=Literal["tanh", "relu"]
    ),
)
_shown(GRU)
_shown(LSTM)


__all__ = ["GRU", "LSTM", "RNN"]
