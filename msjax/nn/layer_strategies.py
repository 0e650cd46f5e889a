"""Layers whose inner operators have strategies: `dense.matmul.shard(...)`, `conv.conv2d.shard(...)`, `embedding.gather.shard(...)`.

The layers here compute without those operators (see `inner_operators.py`). Where one has a strategy, what MindSpore's layer would give
it is laid out, and checked, by that strategy, in compiled programs.
"""

from typing import TYPE_CHECKING, Any

from .. import log, ops
from ..core.operators.primitive import Primitive
from ..parallel.shardings import call_primitive

if TYPE_CHECKING:
    from .cell.cell import Cell

_CONVOLUTIONS = ("conv2d", "conv3d", "conv2d_transpose", "conv3d_transpose")
_STATISTICS = ("gamma", "beta", "moving_mean", "moving_variance")
_told = set()


def _has_strategy(value):
    return isinstance(value, Primitive) and hasattr(type(value), "_unsharded")


def in_parts(cell: "Cell", construct: Any):
    """`construct` of a layer with the strategies of its inner operators applied; unchanged if there are none."""
    own = {name: value for name, value in cell.__dict__.items() if _has_strategy(value)}
    function = getattr(construct, "__func__", construct)
    if not own or not function.__module__.startswith("msjax.nn.layer"):
        return construct
    for name in [c.__name__ for c in type(cell).__mro__]:
        if name in _FORMS:
            return lambda *args: _FORMS[name](cell, own, construct, *args)
    return lambda *args, **kwargs: _of_inputs(cell, own, construct, args, kwargs)


def _placed(own, name, call, *args):
    """`call(*args)`, its Tensors laid out by the strategy of an inner operator, if that one has any."""
    if name in own and all(arg is not None for arg in args):
        return call_primitive(own[name], call, args)
    return call(*args)


def _of_inputs(cell, own, construct, args, kwargs):
    """A layer with one inner operator that takes the layer's inputs."""
    for name, one in own.items():
        if len(one.in_strategy or ()) != len(args) or len(own) > 1:
            _tell(cell, name)
            return construct(*args, **kwargs)
        return call_primitive(one, lambda *args: construct(*args, **kwargs), args)


def _tell(cell, name):
    what = (type(cell).__name__, name)
    if what not in _told:
        _told.add(what)
        log.warning(
            f"nn.{what[0]} computes without its operator '{name}', so the strategy of that one is not used: "
            "give the strategy to the layer (Cell.shard), or to an operator of your own."
        )


def _dense(cell, own, construct, x):
    shape = x.shape
    if "reshape" in own:
        _tell(cell, "reshape")
    x = x if len(shape) == 2 else x.reshape(-1, shape[-1])
    out = _placed(own, "matmul", ops.MatMul(transpose_b=True), x, cell.weight)
    if cell.bias is not None:
        out = _placed(own, "bias_add", ops.BiasAdd(), out, cell.bias)
    if cell.activation_flag:
        out = cell.activation(out)
    return out if len(shape) == 2 else out.reshape(*shape[:-1], out.shape[-1])


def _convolution(cell, own, construct, x):
    name = next(n for n in _CONVOLUTIONS if hasattr(type(cell), n))
    flat = len(x.shape) == 3  # one dimension is computed as two
    out = _placed(
        own, name, lambda x, _: construct(x.squeeze(2) if flat else x), x.expand_dims(2) if flat else x, cell.weight
    )
    out = out.expand_dims(2) if flat else out
    out = _placed(own, "bias_add", lambda out, _: out, out, cell.bias)
    return out.squeeze(2) if flat else out


def _embedding(cell, own, construct, ids):
    flat = ids.reshape(-1)
    if cell.use_one_hot:
        one_hot = _placed(
            own, "one_hot", ops.OneHot(), flat, cell.vocab_size, ops.ones((), cell.dtype), ops.zeros((), cell.dtype)
        )
        out = _placed(own, "array_mul", ops.MatMul(), one_hot, cell.embedding_table)
    else:
        out = _placed(own, "gather", ops.Gather(), cell.embedding_table, flat, 0)
    return out.reshape(*ids.shape, cell.embedding_size)


def _batch_norm(cell, own, construct, x):
    batch = cell.training if cell.use_batch_statistics is None else cell.use_batch_statistics
    state = [getattr(cell, name) for name in _STATISTICS]
    return _placed(own, "bn_train" if batch else "bn_infer", lambda x, *_: construct(x), x, *state)


def _layer_norm(cell, own, construct, x):
    return construct(x)  # which computes with the operator itself


def _cross_entropy(cell, own, construct, logits, labels):
    one = own.get("softmax_cross_entropy")
    if one is None or not cell.sparse:
        return _placed(own, "softmax_cross_entropy", construct, logits, labels)
    # MindSpore makes one-hot vectors of the labels, which then lie as the logits
    depth = logits.shape[-1]
    vectors = ops.one_hot(labels, depth, ops.ones((), logits.dtype), ops.zeros((), logits.dtype))
    return call_primitive(one, lambda logits, _: construct(logits, labels), (logits, vectors))


_FORMS = {
    "Dense": _dense,
    **dict.fromkeys(
        ("Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"), _convolution
    ),
    "Embedding": _embedding,
    "_BatchNorm": _batch_norm,
    "LayerNorm": _layer_norm,
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
}
