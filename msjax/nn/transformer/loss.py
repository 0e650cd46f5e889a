"""Cross entropy over the tokens that a mask counts."""

from ... import ops
from ...core.spec.checking import checked
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from .layers import FLOATS, _check_input_dtype, _check_input_shape
from .op_parallel_config import OpParallelConfig, default_dpmp_config

__all__ = ["CrossEntropyLoss"]


class _TokenLoss(Cell):
    """-log(softmax(logits)[label] + 1e-24) of each row. Its gradient is softmax(logits) - onehot(label), as if there
    were no 1e-24: a label that is very unlikely still draws its logit up.
    """

    def construct(self, logits, label):
        return -ops.log((self._softmax(logits) * self._one_hot(logits, label)).sum(-1) + 1e-24)

    def bprop(self, logits, label, out, dout):
        """Gradient for the logits; none for the label."""
        grad = (self._softmax(logits) - self._one_hot(logits, label)) * dout.expand_dims(-1)
        return grad.astype(logits.dtype), ops.zeros_like(label)

    def _softmax(self, logits):
        return ops.softmax(logits.astype(mstype.float32), -1)

    def _one_hot(self, logits, label):
        return ops.one_hot(label, logits.shape[-1], Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32))


class CrossEntropyLoss(Cell):
    """sum(input_mask * -log softmax(logits)[label]) / (sum(input_mask) + 1e-5).

    Args:
        parallel_config: an OpParallelConfig, recorded.

    Inputs: logits (N, C), float32 or float16; label (N,), int32; input_mask (N,), float32: 0 leaves a row out.
    Outputs: float32 Tensor of shape (1,).

    Raises:
        TypeError: another config, inputs that are not Tensors or of other dtypes. ValueError: inputs of other ranks.

    Example:
        >>> from mindspore.nn.transformer import CrossEntropyLoss
        >>> logits = Tensor(np.ones((2, 5), np.float32))
        >>> print(CrossEntropyLoss()(logits, Tensor(np.array([1, 3], np.int32)), Tensor(np.ones(2, np.float32))))
        [1.6094298]
    """

    @checked
    def __init__(self, parallel_config: OpParallelConfig = default_dpmp_config):
        super().__init__()
        self.parallel_config = parallel_config
        self._token_loss = _TokenLoss()

    def construct(self, logits: Tensor, label: Tensor, input_mask: Tensor):
        for name, value, dtypes, ndim in (
            ("logits", logits, FLOATS, 2),
            ("label", label, (mstype.int32,), 1),
            ("input_mask", input_mask, (mstype.float32,), 1),
        ):
            if not isinstance(value, Tensor):
                raise TypeError(
                    f"For '{self.cls_name}', the '{name}' must be a Tensor, but got {type(value).__name__}."
                )
            _check_input_dtype(value.dtype, name, dtypes, self.cls_name)
            _check_input_shape(value.shape, name, self.cls_name, ndim)
        loss = (self._token_loss(logits, label) * input_mask).sum()
        return (loss / (input_mask.sum() + 1e-5)).reshape(1)
