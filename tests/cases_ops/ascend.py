"""Operators whose kernels only Ascend or GPUs have: recorded from their documented formula, written with operators of the CPU build."""

import mindspore as ms
import numpy as np
from golden_cases import Table, arr, lit, par, pos, unit
from mindspore import Tensor, ops

C = Table()
T = {"_rtol": 2e-4, "_atol": 2e-5}


# ---------------------------------------------------------------- recurrent networks
def lstm(x, w, b, seq_length, h, c, forget_bias=0.0):
    """The eight outputs of DynamicRNN."""
    h, c, steps = h[0], c[0], []
    for t in range(x.shape[0]):
        i, j, f, o = ops.split(ops.matmul(ops.cat((x[t], h), 1), w) + b, h.shape[1], 1)
        i, j, f, o = ops.sigmoid(i), ops.tanh(j), ops.sigmoid(f + forget_bias), ops.sigmoid(o)
        c = f * c + i * j
        h = o * ops.tanh(c)
        steps.append((h, h, c, i, j, f, o, ops.tanh(c)))
    return tuple(ops.stack(part) for part in zip(*steps))


def gru(x, w, u, b, d, seq_length, h, order="rzh"):
    """The six outputs of DynamicGRUV2."""
    steps = []
    for t in range(x.shape[0]):
        inner, outer = ops.matmul(x[t], w), ops.matmul(h, u)
        inner, outer = inner if b is None else inner + b, outer if d is None else outer + d
        (rx, zx, nx), (rh, zh, nh) = (ops.split(z, h.shape[1], 1) for z in (inner, outer))
        if order == "zrh":
            rx, zx, rh, zh = zx, rx, zh, rh
        reset, update = ops.sigmoid(rx + rh), ops.sigmoid(zx + zh)
        new = ops.tanh(nx + reset * nh)
        h = (1 - update) * new + update * h
        steps.append((h, h, update, reset, new, nh))
    return tuple(ops.stack(part) for part in zip(*steps))


LSTM = unit(3, 2, 4), unit(9, 20), unit(20), None, unit(1, 2, 5), unit(1, 2, 5)
C("ops.DynamicRNN()", *LSTM, _like=lstm, **T)
C("ops.DynamicRNN(forget_bias=1.0)", *LSTM, _like=lambda *a: lstm(*a, forget_bias=1.0), **T)
GRU = unit(3, 2, 4), unit(4, 15), unit(5, 15)
C("ops.DynamicGRUV2()", *GRU, unit(15), unit(15), None, unit(2, 5), _like=gru, **T)
C("ops.DynamicGRUV2(gate_order='zrh')", *GRU, None, None, None, unit(2, 5), _like=lambda *a: gru(*a, order="zrh"), **T)


def gpu_gru(x, h, w):
    """CudnnGRU's outputs: the same GRU with flat weights, gates r, z, n."""
    w = w.reshape(-1)
    inner, outer = w[:60].reshape(15, 4), w[60:135].reshape(15, 5)
    out = gru(x, inner.T, outer.T, w[135:150], w[150:], None, h[0])[0]
    return out, out[-1:]


CUDNN = "ops.operations._rl_inner_ops.CudnnGRU"
C(
    f"lambda *a: {CUDNN}(4, 5, 1, True, False, 0.0)(*a)[:2]",
    unit(3, 2, 4),
    unit(1, 2, 5),
    unit(165, 1, 1),
    _like=gpu_gru,
    **T,
)


# ---------------------------------------------------------------- attention
def heads_of(x, heads, layout):
    """(B, N, S, D)"""
    if layout == "BNSD":
        return x
    if layout == "SBH":
        x = x.transpose(1, 0, 2)
    return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(0, 2, 1, 3)


def attention(q, k, v, heads, real_shift=None, attn_mask=None, scalar_value=1.0, input_layout="BSH"):
    """softmax(scale * Q K^T + shift) V, without the keys that the mask hides; every key head serves a group of query heads."""
    size = q.shape[-1] if input_layout == "BNSD" else q.shape[-1] // heads
    q, k, v = (heads_of(x, x.shape[-1] // size, input_layout) for x in (q, k, v))
    k, v = (ops.repeat_interleave(x, heads // x.shape[1], 1) for x in (k, v))
    scores = ops.matmul(q, k.swapaxes(2, 3)) * scalar_value
    scores = scores if real_shift is None else scores + real_shift
    scores = scores if attn_mask is None else ops.masked_fill(scores, attn_mask.astype(ms.bool_), -1e30)
    out = ops.matmul(ops.softmax(scores, -1), v)
    if input_layout == "BNSD":
        return out
    out = out.transpose(0, 2, 1, 3).reshape(out.shape[0], out.shape[2], -1)
    return out.transpose(1, 0, 2) if input_layout == "SBH" else out


UPPER = lit(np.triu(np.ones((3, 3)), 1).astype(int).tolist(), "uint8")
F = "ops.flash_attention_score"
C(F, arr(2, 3, 8), arr(2, 3, 8), arr(2, 3, 8), 2, scalar_value=0.5, _like=attention, **T)
C(F, arr(3, 2, 8), arr(4, 2, 4), arr(4, 2, 4), 2, input_layout="SBH", _like=attention, **T)
C(F, *[arr(1, 2, 3, 4)] * 3, 2, real_shift=arr(1, 2, 3, 3), attn_mask=UPPER, input_layout="BNSD", _like=attention, **T)


NN = "ops.operations.nn_ops"
C(
    f"lambda *a: {NN}.FlashAttentionScore(2, scale_value=0.5)(*a)[3]",
    *[arr(2, 3, 8)] * 3,
    _like=lambda *a: attention(*a, 2, scalar_value=0.5),
    **T,
)


def rotated(query, key, cos, sin, position_ids):
    """x cos + turned(x) sin with the rows of cos and sin at the positions (Su et al., 2021)."""

    def turn(x):
        heads = x.reshape(*x.shape[:-1], -1, cos.shape[-1])
        half = cos.shape[-1] // 2
        turned = ops.cat((-heads[..., half:], heads[..., :half]), -1)
        c, s = (a[position_ids].reshape(x.shape[0], 1, 1, -1) for a in (cos, sin))
        return (heads * c + turned * s).reshape(x.shape)

    return turn(query), turn(key)


C(
    "ops.ApplyRotaryPosEmb()",
    arr(2, 1, 8),
    arr(2, 1, 4),
    unit(6, 4),
    unit(6, 4),
    lit([3, 5], "int32"),
    _like=rotated,
    **T,
)


def cached(key, value, key_cache, value_cache, slots):
    """Tokens to the slots of the caches; a negative slot belongs to padding."""
    for cache, new in ((key_cache, key), (value_cache, value)):
        rows = cache.asnumpy().reshape(-1, *cache.shape[2:])
        for slot, row in zip(slots.asnumpy(), new.asnumpy()):
            if slot >= 0:
                rows[slot] = row
        ops.assign(cache, Tensor(rows.reshape(cache.shape)))
    return key


C(
    "ops.ReshapeAndCache()",
    arr(3, 2, 4),
    arr(3, 2, 4),
    par(arr(3, 2, 2, 4)),
    par(arr(3, 2, 2, 4)),
    lit([4, 0, -1], "int32"),
    _grad=False,
    _like=cached,
)


def decoded(cache, update, lengths, *rest):
    """One more step in each row of the cache, at the place of its length."""
    rows = cache.asnumpy()
    for row, new, length in zip(rows, update.asnumpy(), lengths.asnumpy()):
        if length >= 0:
            row[..., length, :] = new[..., 0, :]
    return ops.assign(cache, Tensor(rows))


def prompted(cache, update, lengths, batch_index, *rest):
    """Rows of the cache replaced by prompts, zeros behind them."""
    rows = cache.asnumpy()
    for new, row in zip(update.asnumpy(), batch_index.asnumpy()):
        if row >= 0:
            rows[row] = 0
            rows[row][..., : new.shape[-2], :] = new
    return ops.assign(cache, Tensor(rows))


INNER = "ops.operations._inner_ops"
for shape in ((3, 2, 4, 5), (3, 4, 5)):
    axis, size = lit([len(shape) - 2]), lit([4])
    step = (*shape[:-2], 1, 5)
    prompt = (2, *shape[1:-2], 3, 5)
    lengths = lit([3, -1, 0])
    C(
        f"{INNER}.DecoderKVCache()",
        par(arr(*shape)),
        arr(*step),
        lengths,
        lit([0, 1, 2]),
        axis,
        size,
        size,
        _grad=False,
        _like=decoded,
    )
    C(
        f"{INNER}.PromptKVCache()",
        par(arr(*shape)),
        arr(*prompt),
        lengths,
        lit([2, -1]),
        axis,
        size,
        size,
        _grad=False,
        _like=prompted,
    )


def paged(query, key_cache, value_cache, tables, lengths):
    """Attention of each query to the first keys of its pages."""
    rows = []
    for i, (pages, length) in enumerate(zip(tables.asnumpy().tolist(), lengths.asnumpy().tolist())):
        k, v = (ops.cat([cache[p] for p in pages], 0)[:length].swapaxes(0, 1) for cache in (key_cache, value_cache))
        k, v = (ops.repeat_interleave(x, 2, 0) for x in (k, v))
        rows.append(ops.matmul(ops.softmax(ops.matmul(query[i].expand_dims(1), k.swapaxes(1, 2)) * 0.5, -1), v)[:, 0])
    return ops.stack(rows)


C(
    "ops.auto_generate.PagedAttentionMask(4, 0.5, 2)",
    arr(2, 4, 4),
    arr(5, 2, 2, 4),
    arr(5, 2, 2, 4),
    lit([[3, 1], [0, 4]], "int32"),
    lit([3, 2], "int32"),
    _like=paged,
    **T,
)
C(
    "ops.PagedAttention(4, 0.5, 2)",
    arr(2, 4, 4),
    arr(5, 2, 2, 4),
    arr(5, 2, 2, 4),
    lit([[3, 1], [0, 4]], "int32"),
    lit([3, 2], "int32"),
    _like=paged,
    **T,
)


# ---------------------------------------------------------------- dropout and momentum
def kept(x, mask, keep_prob):
    """x / p where the bit is set, 0 elsewhere."""
    bits = np.unpackbits(mask.asnumpy(), bitorder="little")[: x.size].reshape(x.shape)
    return x * Tensor(bits.astype(np.float32)) / keep_prob


C("ops.DropoutDoMask()", arr(2, 8), lit([178, 45, *[0] * 14], "uint8"), lit(0.5, "float32"), _like=kept)
C("lambda: ops.DropoutGenMask()((2, 3), Tensor(0.5))", _random=True, _like="lambda: Tensor(np.zeros(16, np.uint8))")
C("lambda: ops.Randperm(5)(Tensor([5], ms.int32))", _random=True, _like="lambda: ops.randperm(5).astype(ms.int32)")


def momentum(decay, scale, p, m, rate, g, mu):
    """Momentum of a gradient that is unscaled and has weight decay added."""
    ops.assign(m, m * mu + (g * scale + p * decay))
    return ops.assign(p, p - m * rate)


C(
    "ops.FusedWeightScaleApplyMomentum()",
    lit([0.01], "float32"),
    lit([0.5], "float32"),
    par(arr(3)),
    par(arr(3)),
    lit([0.1], "float32"),
    arr(3),
    lit([0.9], "float32"),
    _grad=False,
    _like=momentum,
)
C("F.relu_", arr(3), _force=True, _like="ops.relu")
C("lambda x: (F.relu_(x), x)[1]", arr(3), _force=True, _like="ops.relu")
C("ops.operations._inner_ops.SiLU()", pos(3), _like="ops.silu")


# ---------------------------------------------------------------- products of groups, and routing
ENDS, COUNTS, SIZES = lit([2, 6, 6, 9]), lit([2, 4, 0, 3]), (2, 4, 0, 3)
G = "ops.auto_generate"


def rows_in_groups(x, w, b=None):
    """x[group] @ w[group] for groups of SIZES rows."""
    first, outs = 0, []
    for i, size in enumerate(SIZES):
        if size:
            out = ops.matmul(x[first : first + size], w[i])
            outs.append(out if b is None else out + b[i])
        first += size
    return ops.cat(outs)


C(
    f"lambda x, w, g: {G}.GroupedMatmul(3, 0)([x], [w], group_list=g)[0]",
    arr(9, 5),
    arr(4, 5, 3),
    ENDS,
    _like=lambda x, w, g: rows_in_groups(x, w),
    **T,
)
C(
    f"lambda x, w, b, g: {G}.grouped_matmul_v4([x], [w], [b], group_list=g, split_item=3, group_type=0, group_list_type=1)[0]",
    arr(9, 5),
    arr(4, 5, 3),
    arr(4, 3),
    COUNTS,
    _like=lambda x, w, b, g: rows_in_groups(x, w, b),
    **T,
)
C(
    "lambda x, w, g: ops.function.math_func.gmm([x], [w], group_list=g)[0]",
    arr(9, 5),
    arr(4, 5, 3),
    ENDS,
    _like=lambda x, w, g: rows_in_groups(x, w),
    **T,
)
C(
    "lambda x, w, g: ops.function.math_func.gmm([x], [w], group_list=g, group_type=2)[0]",
    arr(5, 9),
    arr(9, 3),
    ENDS,
    _like=lambda x, w, g: ops.stack(
        [ops.matmul(x[:, :2], w[:2]), ops.matmul(x[:, 2:6], w[2:6]), ops.zeros((5, 3)), ops.matmul(x[:, 6:], w[6:])]
    ),
    **T,
)
C(
    f"{G}.FFNExt('silu')",
    unit(9, 5),
    unit(4, 5, 3),
    unit(4, 3, 5),
    COUNTS,
    unit(4, 3),
    unit(4, 5),
    _like=lambda x, v, w, n, a, b: rows_in_groups(ops.silu(rows_in_groups(x, v, a)), w, b),
    **T,
)
C(
    f"lambda x: {G}.MoeGatingTopKSoftmax()(x, None, 2)[0]",
    arr(6, 8),
    _like=lambda x: ops.topk(ops.softmax(x, -1), 2)[0],
    **T,
)
C(
    f"{G}.MoeFinalizeRouting()",
    arr(6, 4),
    arr(3, 4),
    None,
    arr(5, 4),
    arr(3, 2),
    lit([2, 3, 1, 0, 5, 4], "int32"),
    lit([[0, 1], [0, 2], [4, 3]], "int32"),
    _like=lambda x, skip, none, b, s, rows, experts: (
        skip + ((x[rows].reshape(2, 3, 4) + b[experts.T]) * s.T.expand_dims(2)).sum(0)
    ),
    **T,
)
C(
    f"{G}.WeightQuantBatchMatmul()",
    arr(2, 6),
    lit([[1, -2, 3], [4, 5, -6], [-7, 8, 9], [1, 2, 3], [-4, -5, 6], [7, 8, -128]], "int8"),
    arr(3),
    arr(3),
    _like=lambda x, w, s, o: ops.matmul(x, (w.astype(ms.float32) + o) * s),
    **T,
)
C(f"{G}.SoftmaxBackward()", arr(2, 3), arr(2, 3), _like=lambda d, y: y * (d - (d * y).sum(-1, keepdims=True)), **T)
C("ops.einsum", arr(2, 3), [0, 1], arr(3, 4), [1, 2], [2, 0], _like=lambda x, a, y, b, c: ops.matmul(x, y).T, **T)


# ---------------------------------------------------------------- faces of `mint` and methods
BOOLS = lit([True, False, True], "bool")
C("mint.bitwise_not", BOOLS, _like=lambda x: ops.logical_not(x))
C("lambda x: x.bitwise_not()", BOOLS, _like=lambda x: ops.logical_not(x))
C("mint.bitwise_not", lit([5, -1], "int16"), _like=lambda x: ops.invert(x))
C("mint.trace", lit([[1, 2], [3, 100]], "int8"), _like=lambda x: ms.Tensor(101, ms.int64))
C("mint.trace", lit([[True, True], [False, True]], "bool"), _like=lambda x: ms.Tensor(2, ms.int64))
C("mint.linalg.qr", arr(3, 2), _like=lambda x: ops.qr(x), **T)
C("lambda x: mint.linalg.qr(x, mode='r')[1]", arr(3, 2), _like=lambda x: ops.qr(x)[1], **T)
C("lambda x: mint.linalg.qr(x, mode='r')[0]", arr(3, 2), _like=lambda x: x[:0, 0])
C(
    "lambda x: mint.nn.functional.log_softmax(x, 0, dtype=ms.float32)",
    lit([1.0, 2.5], "float16"),
    _like=lambda x: ops.log_softmax(x.astype(ms.float32), 0),
    **T,
)
C(
    "lambda w: mint.nn.functional.embedding(ms.Tensor([0, 2, 0]), w, max_norm=1.0) ** 2",
    lit([[3.0, 4.0], [5.0, 6.0], [0.3, 0.4]]),
    _like=lambda w: (
        (w + ops.stop_gradient(ms.Tensor([[-2.4, -3.2], [0.0, 0.0], [0.0, 0.0]])))[ms.Tensor([0, 2, 0])] ** 2
    ),
    **T,
)
