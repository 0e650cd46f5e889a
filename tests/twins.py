"""Parts of small networks that compute as those of `transformers` do, under the names of another toolkit."""

import mindspore as ms
import numpy as np
from mindspore import nn, ops


def value(*shape):
    """A Parameter of its own: a table of embeddings, a class token."""
    return ms.Parameter(ops.zeros(shape))


class Linear(nn.Cell):
    """x @ weight, of shape (in, out)."""

    def __init__(self, size, out, bias=True):
        super().__init__()
        self.weight = value(size, out)
        self.bias = value(out) if bias else None

    def construct(self, x):
        x = ops.matmul(x, self.weight)
        return x if self.bias is None else x + self.bias


class Scale(nn.Cell):
    """The norm that has a scale alone, called `word`. `plus` is added to it."""

    def __init__(self, size, eps=1e-6, plus=0.0, word="weight"):
        super().__init__()
        self.insert_param_to_cell(word, value(size))
        self.word, self.eps, self.plus = word, eps, plus

    def construct(self, x):
        return (getattr(self, self.word) + self.plus) * (x * ops.rsqrt((x * x).mean(-1, keep_dims=True) + self.eps))


def norm(size, eps=1e-5):
    return nn.LayerNorm([size], epsilon=eps)


def dense(size, out, bias=True):
    return nn.Dense(size, out, has_bias=bias)


class Twin(nn.Cell):
    """A network of parts.

    Args:
        parts: {role, or (role, number of its layer): Cell or Parameter}
        names: {role: its path in the network, with {} for the number}; the last word of a Parameter's path is its own name.
        forward: What it computes, of the parts and the inputs.
    """

    def __init__(self, parts, names, forward):
        super().__init__()
        flat = {}
        for role, part in parts.items():
            path = names[role] if isinstance(role, str) else names[role[0]].format(*role[1:])
            flat[path] = part
        for name, child in _nested(flat).items():
            _put(self, name, child)
        self.parts, self.forward = parts, forward

    def construct(self, *inputs):
        return self.forward(self.parts, *inputs)


def _nested(flat):
    """{first word of the paths: what is below it}; a Cell is whole before another one takes it, and names its Parameters."""
    below = {}
    for path, part in flat.items():
        first, _, rest = path.partition(".")
        below.setdefault(first, {})[rest] = part
    return {first: paths[""] if "" in paths else _nested(paths) for first, paths in below.items()}


def _put(cell, name, child):
    if isinstance(child, dict):
        holder = nn.Cell()
        for inside, part in child.items():
            _put(holder, inside, part)
        child = holder
    if isinstance(child, ms.Parameter):
        child.name = name
        cell.insert_param_to_cell(name, child, False)
    else:
        setattr(cell, name, child)  # which gives the Parameters inside their prefix


# --- attention
def turned(x, share, base=10000.0):
    """The rotary form of (batch, heads, length, size): the first `share` of each head's elements is turned by its position."""
    size = int(x.shape[-1] * share)
    angles = np.outer(np.arange(x.shape[-2]), 1 / base ** (np.arange(0, size, 2) / size)).astype(np.float32)
    cos, sin = (ms.Tensor(np.tile(f(angles), 2)) for f in (np.cos, np.sin))
    part, half = x[..., :size], size // 2
    part = part * cos + ops.concat([-part[..., half:], part[..., :half]], -1) * sin
    return part if size == x.shape[-1] else ops.concat([part, x[..., size:]], -1)


def causal(length):
    return ms.Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))


def attention(q, k, v, heads, added=None, scale=None, cap=None, change=None):
    """(batch, length, heads * size) from such q, k and v; fewer heads of k and v are repeated.

    Args:
        added: What is added to the scores.
        change: Of q and of k, by heads: a norm, a rotation.
    """
    batch, length, size = q.shape[0], q.shape[1], q.shape[-1] // heads
    q, k, v = (a.reshape(batch, a.shape[1], -1, size).swapaxes(1, 2) for a in (q, k, v))
    if change is not None:
        q, k = change(q, 0), change(k, 1)
    k, v = (a.repeat_interleave(heads // a.shape[1], 1) if a.shape[1] < heads else a for a in (k, v))
    scores = ops.matmul(q, k.swapaxes(-1, -2)) * (size**-0.5 if scale is None else scale)
    if cap is not None:
        scores = ops.tanh(scores / cap) * cap
    if added is not None:
        scores = scores + added
    return ops.matmul(ops.softmax(scores, -1), v).swapaxes(1, 2).reshape(batch, length, heads * size)


def by_heads(qkv, heads):
    """q, k and v of one product that has them head by head."""
    batch, length, width = qkv.shape
    parts = qkv.reshape(batch, length, heads, 3, width // heads // 3)
    return (parts[..., i, :].reshape(batch, length, width // 3) for i in range(3))


def gelu(x):
    return ops.gelu(x, approximate="none")


def gelu_tanh(x):
    return ops.gelu(x, approximate="tanh")


def quick_gelu(x):
    return x * ops.sigmoid(1.702 * x)
