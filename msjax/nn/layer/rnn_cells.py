"""One step of a recurrent network: RNNCell, GRUCell, LSTMCell."""

import math
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from ...core.operators import check
from ...core.operators.record import records
from ...core.spec.checking import checked
from ...core.spec.rules import Length, PositiveInt, Raises
from ...core.values import dtype as mstype
from ...core.values.initializer import Uniform, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import DType
from ..cell.cell import Cell

if TYPE_CHECKING:
    from ...core.values.dtype import Type

_FLOATS = (mstype.float32, mstype.float16, mstype.bfloat16)


class RNNCellBase(Cell):
    """Parameters of the cells: weight_ih (num_chunks * hidden_size, input_size), weight_hh, and biases, uniform
    within 1 / sqrt(hidden_size).

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind.
    """

    @checked
    def __init__(
        self,
        input_size: PositiveInt,
        hidden_size: PositiveInt,
        has_bias: bool,
        num_chunks: PositiveInt,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.input_size, self.hidden_size, self.has_bias = input_size, hidden_size, has_bias
        rows = num_chunks * hidden_size

        def made(*shape):
            return Parameter(Tensor(np.random.randn(*shape), dtype=dtype))

        self.weight_ih, self.weight_hh = made(rows, input_size), made(rows, hidden_size)
        self.bias_ih = self.bias_hh = None
        if has_bias:
            self.bias_ih, self.bias_hh = made(rows), made(rows)
        # MindSpore draws twice: the numbers of NumPy's stream that the first content takes keep a script's later draws the same
        self.reset_parameters(dtype)

    def reset_parameters(self, dtype: "Type" = mstype.float32):
        """Draw all Parameters again."""
        for weight in self.get_parameters():
            weight.set_data(initializer(Uniform(1 / math.sqrt(self.hidden_size)), weight.shape, dtype))

    def _check(self, **inputs):
        for what, value in inputs.items():
            if not isinstance(value, Tensor):
                raise TypeError(
                    f"For '{self.cls_name}', the '{what}' must be Tensor, but got '{type(value).__name__}'."
                )
            check.check_type_name(what, value.dtype, _FLOATS, self.cls_name)
            if value.ndim != 2:
                raise ValueError(f"For '{self.cls_name}', the '{what}' must have 2 axes, but got shape {value.shape}.")

    def _weights(self):
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh


class RNNCell(RNNCellBase):
    """h' = tanh(x weight_ih^T + bias_ih + h weight_hh^T + bias_hh), or relu.

    Args:
        input_size, hidden_size: features of x and of the state.
        has_bias: whether there are biases.
        nonlinearity: "tanh" or "relu".
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind.

    Example:
        >>> nn.RNNCell(3, 4)(Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((2, 4), np.float32))).shape
        (2, 4)
    """

    @checked
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        nonlinearity: Literal["tanh", "relu"] = "tanh",
        dtype: DType = mstype.float32,
    ):
        super().__init__(input_size, hidden_size, has_bias, 1, dtype)
        self.nonlinearity = nonlinearity

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        self._check(x=x, hx=hx)
        return records["simple_step"](x, hx, *self._weights(), self.nonlinearity)


class GRUCell(RNNCellBase):
    """One step of a GRU: x (B, input_size) and h (B, hidden_size) give the new h.

    Args: as for RNNCell, without nonlinearity.

    Example:
        >>> nn.GRUCell(3, 4)(Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((2, 4), np.float32))).shape
        (2, 4)
    """

    @checked
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: DType = mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, 3, dtype)

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        self._check(x=x, hx=hx)
        return records["simple_step"](x, hx, *self._weights(), "gru")


class LSTMCell(RNNCellBase):
    """One step of an LSTM: x (B, input_size) and the pair (h, c), each (B, hidden_size), give the new pair.

    Args: as for RNNCell, without nonlinearity.

    Raises:
        ValueError: arguments of the layer that had this name before MindSpore 1.6; that layer is nn.LSTM.

    Example:
        >>> state = Tensor(np.ones((2, 4), np.float32)), Tensor(np.ones((2, 4), np.float32))
        >>> nn.LSTMCell(3, 4)(Tensor(np.ones((2, 3), np.float32)), state)[0].shape
        (2, 4)
    """

    @checked
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: DType = mstype.float32, **old):
        if old:
            if old.keys() - {"batch_size", "dropout", "bidirectional", "batch_first"}:
                raise TypeError(f"LSTMCell() got unexpected keyword arguments {sorted(old)}.")
            raise ValueError(
                f"For 'LSTMCell', {sorted(old)} belong to the layer that had this name before MindSpore "
                "1.6: use nn.LSTM instead."
            )
        super().__init__(input_size, hidden_size, has_bias, 4, dtype)

    @checked
    def construct(self, x: Tensor, hx: Annotated[tuple | list, Length(2), Raises(length=TypeError)]):
        self._check(**{"x": x, "hx[0]": hx[0], "hx[1]": hx[1]})
        return records["lstm_step"](x, *hx, *self._weights())


# The steps as functions, which libraries' own recurrent layers import.
def _rnn_tanh_cell(inputs, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """One step of an RNN with tanh."""
    return records["simple_step"](inputs, hidden, w_ih, w_hh, b_ih, b_hh, "tanh")


def _rnn_relu_cell(inputs, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """One step of an RNN with relu."""
    return records["simple_step"](inputs, hidden, w_ih, w_hh, b_ih, b_hh, "relu")


def _gru_cell(inputs, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """One step of a GRU."""
    return records["simple_step"](inputs, hidden, w_ih, w_hh, b_ih, b_hh, "gru")


def _lstm_cell(inputs, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """One step of an LSTM; `hidden` is the pair (h, c)."""
    return records["lstm_step"](inputs, *hidden, w_ih, w_hh, b_ih, b_hh)


__all__ = ["GRUCell", "LSTMCell", "RNNCell"]
