"""thor: momentum on gradients that are preconditioned with Kronecker factors of the Fisher matrix (K-FAC; Martens and
Grosse, 2015).

The factors A (of a layer's inputs) and G (of its output gradients) are noted by the layers of `nn.layer.thor_layer`,
into which `thor` turns the network's own. Inverses are taken of blocks of at most 128 rows along the diagonal, as
MindSpore does.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from ... import optim
from ...core.operators import check
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor, wrap
from ..layer.basic import Dense
from ..layer.conv import Conv2d
from ..layer.embedding import Embedding, EmbeddingLookup
from ..layer.normalization import LayerNorm
from ..layer.thor_layer import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor
from .optimizer import Optimizer, _now

if TYPE_CHECKING:
    from ..cell.cell import Cell

_BLOCK = 128


def thor(
    net: "Cell",
    learning_rate: Any,
    damping: Any,
    momentum: float,
    weight_decay: Any = 0.0,
    loss_scale: float = 1.0,
    batch_size: int = 32,
    use_nesterov: bool = False,
    decay_filter: Any = lambda x: True,
    split_indices: Any = None,
    enable_clip_grad: bool = False,
    frequency: int = 100,
):
    """Second-order optimizer for networks of Dense, Conv2d and Embedding layers; turns these into their Thor forms,
    in place.

    Args:
        net: Cell.
        learning_rate: Tensor.
        damping: Tensor, added to the factors, one value for each step.
        momentum: float >= 0.
        weight_decay, loss_scale: see Optimizer.
        batch_size: of the training, scales the factors.
        use_nesterov: see Momentum.
        decay_filter: function of a Parameter, whether it is decayed.
        split_indices: accepted.
        enable_clip_grad: clip each gradient to norm 1.
        frequency: every how many steps `ModelThor` renews the inverses, at least 2.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.

    Example:
        >>> optimizer = nn.thor(net, learning_rate=Tensor([0.1, 0.1]), damping=Tensor([0.3, 0.2]), momentum=0.9)
    """
    ConvertNetUtils().convert_to_thor_net(net)
    return ThorGpu(
        net,
        learning_rate,
        damping,
        momentum,
        weight_decay,
        loss_scale,
        batch_size,
        use_nesterov,
        decay_filter,
        split_indices,
        enable_clip_grad,
        frequency,
    )


class ThorGpu(Optimizer):
    """The optimizer that `thor` makes. The flag `thor` (see `add_flags`) says whether a step renews the inverses or
    uses the last ones.
    """

    def __init__(
        self,
        net: "Cell",
        learning_rate: Any,
        damping: Any,
        momentum: float,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        batch_size: int = 32,
        use_nesterov: bool = False,
        decay_filter: Any = lambda x: True,
        split_indices: Any = None,
        enable_clip_grad: bool = False,
        frequency: int = 100,
    ):
        super().__init__(learning_rate, [p for p in net.get_parameters() if p.requires_grad], weight_decay, loss_scale)
        name = self.cls_name
        check.check_value_type("momentum", momentum, [float], name)
        if momentum < 0.0:
            raise ValueError(
                f"For 'thor', the argument 'momentum' must be at least 0.0, but got 'momentum' {momentum}."
            )
        check.check_value_type("frequency", frequency, [int], name)
        if frequency < 2:
            raise ValueError(
                f"For 'thor', the argument 'frequency' must be at least 2, but got 'frequency' {frequency}."
            )
        check.check_value_type("learning rate", learning_rate, [Tensor], name)
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self.params = self.parameters
        self.use_nesterov = check.check_bool(use_nesterov)
        self.moments = self._clones("moments")
        self.net = net
        for field, part in (
            ("matrix_a_cov", "matrix_a"),
            ("matrix_g_cov", "matrix_g"),
            ("a_normalizer", "a_normalizer"),
            ("g_normalizer", "g_normalizer"),
        ):
            setattr(self, field, ParameterTuple(p for p in net.get_parameters() if part in p.name))
        self.damping, self.frequency = damping, frequency
        self.enable_clip_grad, self.split_indices = enable_clip_grad, split_indices
        self.cov_step = Parameter(Tensor([0], mstype.int32), name="cov_step", requires_grad=False)
        self._scale_of_g = np.float32(batch_size) ** 2 / np.float32(loss_scale) ** 2
        self._batch = np.float32(batch_size)
        owners = {id(p): cell for _, cell in net.cells_and_names() for p in cell._params.values() if p is not None}
        self.__dict__["_layers"] = tuple(_factored(owners.get(id(p)), p) for p in self.parameters)
        shapes = [
            _inverse_shapes(layer, p.shape) for layer, p in zip(self._layers, self.parameters) if _has_factors(layer)
        ]
        self.matrix_a, self.matrix_g = (
            ParameterTuple(
                Parameter(
                    Tensor(np.zeros(pair[side], np.float32)), name=f"matrix_{'ag'[side]}_inv_{i}", requires_grad=False
                )
                for i, pair in enumerate(shapes)
            )
            for side in (0, 1)
        )
        self.weight_decay = weight_decay
        self.decay_flags = tuple(decay_filter(p) for p in self.parameters)
        self.add_flags(thor=True)

    def get_frequency(self):
        """Every how many steps the inverses are to be renewed."""
        return self.frequency

    _state_fields = {**Optimizer._state_fields, "trace": "moments"}

    def transformation(self, learning_rate: Any):
        return optim.momentum(learning_rate, self.momentum.jax_array, self.use_nesterov)

    def construct(self, gradients: Sequence[Tensor]):
        damping = self.damping.jax_array[jnp.minimum(self.cov_step.jax_array[0], self.damping.shape[0] - 1)].astype(
            jnp.float32
        )
        number, ready = 0, []
        for gradient, layer in zip(self.scale_grad(gradients), self._layers):
            g = gradient.jax_array
            if _has_factors(layer):
                if self.thor:
                    for box, inverse in zip(
                        (self.matrix_a[number], self.matrix_g[number]), self._inverses(layer, damping, g)
                    ):
                        box._assign(inverse)
                g = _preconditioned(g, self.matrix_a[number].jax_array, self.matrix_g[number].jax_array)
                number += 1
            elif isinstance(layer, LayerNorm):
                g = g / (g * g / self._batch + jnp.sqrt(damping))
            ready.append(g)
        self.cov_step._assign(self.cov_step.jax_array + np.int32(1))
        decay = np.float32(self.weight_decay)
        ready = [
            g + p.jax_array * decay if flag and decay else g
            for g, p, flag in zip(ready, self.parameters, self.decay_flags)
        ]
        if self.enable_clip_grad:
            ready = [g / jnp.maximum(jnp.sqrt(jnp.sum(g * g)), 1) for g in ready]
        self._run_transformation(self._core_transformation(_now), [wrap(g) for g in ready])
        return (True,) * len(ready)

    def _inverses(self, layer, damping, gradient):
        """(inverse of A, inverse of G) of a layer, damped, in the shape in which they are kept."""
        convolution = isinstance(layer, Conv2dThor)
        a, g = (layer.matrix_a_cov, layer.matrix_g_cov) if convolution else (layer.matrix_a, layer.matrix_g)
        a, g = a.jax_array, g.jax_array * self._scale_of_g
        damping_a = damping_g = damping
        factor = np.float32(1)
        if convolution:
            damping_a, damping_g = damping / layer.a_normalizer.jax_array[0], damping / layer.g_normalizer.jax_array[0]
            factor = jnp.sqrt(1 / layer.a_normalizer.jax_array[0])
        if a.ndim == 1:  # a table: ids are independent, A is diagonal
            g = g + jnp.sqrt(damping_g) * jnp.eye(g.shape[0], dtype=g.dtype)
            return 1 / (a / self._batch + jnp.sqrt(damping_a)), jnp.linalg.inv(g)
        a, g = _block_inverse(a, jnp.sqrt(damping_a)) * factor, _block_inverse(g, jnp.sqrt(damping_g)) * factor
        return jnp.broadcast_to(a, (g.shape[0], *a.shape)), g


def _has_factors(layer):
    return isinstance(layer, (DenseThor, Conv2dThor, EmbeddingThor, EmbeddingLookupThor))


def _factored(owner, param):
    """The layer whose factors precondition a Parameter, a LayerNorm, or None for a Parameter that goes as it is."""
    return None if _has_factors(owner) and param is getattr(owner, "bias", None) else owner


def _block(size):
    return min(size, _BLOCK)


def _blocks(size):
    return -(-size // _block(size))


def _inverse_shapes(layer, shape):
    """Shapes in which the inverses of A and G are kept."""
    if isinstance(layer, (EmbeddingThor, EmbeddingLookupThor)):
        return (shape[0],), (shape[1], shape[1])
    rows, columns = shape[0], int(np.prod(shape[1:]))
    return (_blocks(rows), _blocks(columns), _block(columns), _block(columns)), (
        _blocks(rows),
        _block(rows),
        _block(rows),
    )


def _block_inverse(matrix, damping):
    """Inverses of the damped blocks along the diagonal: (blocks, size, size). The last block is filled up with ones
    on its diagonal.
    """
    size = matrix.shape[0]
    block, count = _block(size), _blocks(size)
    lack = block * count - size
    matrix = matrix + damping * jnp.eye(size, dtype=matrix.dtype)
    matrix = jnp.pad(matrix, ((0, lack), (0, lack)))
    matrix = matrix + jnp.diag(jnp.concatenate([jnp.zeros(size, matrix.dtype), jnp.ones(lack, matrix.dtype)]))
    parts = matrix.reshape(count, block, count, block)
    return jnp.linalg.inv(jnp.stack([parts[i, :, i] for i in range(count)]))


def _preconditioned(gradient, a, g):
    """G^-1 gradient A^-1, block by block."""
    if a.ndim == 1:
        return (a[:, None] * gradient) @ g
    flat = gradient.reshape(gradient.shape[0], -1)
    (rows, columns), (block_g, block_a) = flat.shape, (g.shape[-1], a.shape[-1])
    padded = jnp.pad(flat, ((0, g.shape[0] * block_g - rows), (0, a.shape[1] * block_a - columns)))
    parts = padded.reshape(g.shape[0], block_g, a.shape[1], block_a)
    new = jnp.einsum("hij,hjwk,hwkl->hiwl", g, parts, a).reshape(padded.shape)
    return new[:rows, :columns].reshape(gradient.shape)


class ConvertNetUtils:
    """Replaces the layers of a network by layers that record their Kronecker factors.

    Example:
        >>> from mindspore.train import ConvertNetUtils
        >>> ConvertNetUtils().convert_to_thor_net(net)
        >>> type(net.dense).__name__
        'DenseThor'
    """

    def convert_to_thor_net(self, net: "Cell"):
        """Replace Dense, Conv2d, Embedding and EmbeddingLookup inside `net`, which keep their Parameters."""
        self._convert(net, "")
        for _, cell in net.cells_and_names():
            cell.cell_type = "second-order"

    def _convert(self, net, prefix):
        for name, cell in list(net.name_cells().items()):
            path = f"{prefix}{name}."
            make = _CONVERSIONS.get(type(cell))
            if make is None:
                if not _has_factors(cell):
                    self._convert(cell, path)
            elif _wanted(cell, path.lower()):
                twin = make(cell)
                for attribute, param in cell._params.items():
                    if param is not None:
                        twin._params[attribute] = param
                for attribute, param in twin._params.items():
                    if param is not None and attribute not in cell._params:
                        param.name = path + param.name
                twin.set_train(cell.training)
                net._cells[name] = twin
                net._note_change()


def _wanted(cell, path):
    if isinstance(cell, (Dense, Conv2d)):
        return cell.weight.requires_grad and "rpn_with_loss.rpn_convs_list." not in path and "wide" not in path
    return cell.embedding_table.requires_grad


def _dense(cell):
    twin = DenseThor(cell.in_channels, cell.out_channels, has_bias=cell.has_bias)
    twin.activation, twin.activation_flag = cell.activation, cell.activation_flag
    return twin


def _conv(cell):
    return Conv2dThor(
        cell.in_channels,
        cell.out_channels,
        cell.kernel_size,
        cell.stride,
        cell.pad_mode,
        cell.padding,
        cell.dilation,
        cell.group,
        cell.has_bias,
    )


def _embedding(cell):
    return EmbeddingThor(cell.vocab_size, cell.embedding_size)


def _lookup(cell):
    return EmbeddingLookupThor(cell.vocab_size, cell.embedding_size, target=cell.target, sparse=cell.sparse)


_CONVERSIONS = {Dense: _dense, Conv2d: _conv, Embedding: _embedding, EmbeddingLookup: _lookup}

__all__ = ["thor"]
