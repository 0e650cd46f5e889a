"""Native Sparse Attention (Yuan et al., 2025), as plain formulas.

The results are those that MindSpore documents for its Ascend kernels; limits of the kernels on lengths and dtypes do not hold here.
All Tensors are (tokens of all sequences, heads, length).
"""

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op
from ...core.operators.rows import REQUIRED, Face, Prim, args
from ...core.spec import Array, Ints, MaybeArray, Number, Static
from .chosen_keys import counted, counted_softmax, in_parts, require


def _ends(name, what, ends, total):
    """Running ends of the sequences -> list of slices."""
    if not isinstance(ends, (tuple, list)) or any(isinstance(e, bool) or not isinstance(e, int) for e in ends):
        raise TypeError(f"For '{name}', the '{what}' must be a tuple or list of ints, but got {ends!r}.")
    require(
        name,
        len(ends) > 0 and all(a <= b for a, b in zip((0, *ends), ends)),
        f"'{what}' must not be empty and not decrease",
        ends,
    )
    require(
        name, total is None or ends[-1] == total, f"the last of '{what}' must be the number of tokens, {total}", ends
    )
    return [slice(a, b) for a, b in zip((0, *ends), ends)]


def _check_heads(name, query, key, value, head_num):
    for what, x in (("query", query), ("key", key), ("value", value)):
        require(name, x.ndim == 3, f"the '{what}' must have the axes (T, N, D)", x.shape)
    require(name, head_num == query.shape[1], f"'head_num' must be that of 'query', {query.shape[1]}", head_num)
    require(
        name,
        key.shape[:2] == value.shape[:2],
        "'key' and 'value' must have as many tokens and heads",
        f"{key.shape}, {value.shape}",
    )
    require(
        name,
        query.shape[1] % key.shape[1] == 0,
        "the heads of 'query' must be a multiple of those of 'key'",
        f"{query.shape}, {key.shape}",
    )
    require(
        name,
        query.shape[2] == key.shape[2],
        "'query' and 'key' must have vectors of one length",
        f"{query.shape}, {key.shape}",
    )


def _scores(query, key, scale):
    """float32 (heads of key, heads of query for each, queries, keys) of one sequence."""
    grouped = query.reshape(query.shape[0], key.shape[1], -1, query.shape[2])
    return jnp.einsum("sngd,tnd->ngst", grouped, key, preferred_element_type=jnp.float32) * scale


def _summed(weights, value):
    """(queries, heads, length) of weights like `_scores` and the values (keys, heads, length)."""
    out = jnp.einsum("ngst,tnd->sngd", weights.astype(value.dtype), value)
    return out.reshape(out.shape[0], -1, value.shape[2])


def _per_row(x):
    """(queries, heads, 8) of a maximum or sum like `_scores`: the kernels keep eight copies."""
    x = x.reshape(-1, x.shape[2]).T
    return jnp.broadcast_to(x[..., None], (*x.shape, 8))


@op(
    ops=Face("nsa_compress", args("input", "weight", "compress_block_size", "compress_stride").only("actual_seq_len")),
    prim=Prim("NsaCompress"),
)
def nsa_compress(
    input: Array,
    weight: Array,
    compress_block_size: Static[int],
    compress_stride: Static[int],
    actual_seq_len: Static[Ints | None] = None,
) -> Array:
    """Weighted sums of windows of tokens: out[i, n] = sum_j weight[j, n] * input[i * compress_stride + j, n], sequence by sequence.

    Args:
        input: (T, N, D).
        weight: (compress_block_size, N).
        compress_block_size, compress_stride: length and distance of the windows.
        actual_seq_len: running ends of the sequences, the last is T; windows do not reach from one into the next.

    Returns:
        (T', N, D): for each sequence of length L, 1 + (L - compress_block_size) // compress_stride windows (none if it is shorter).

    Raises:
        TypeError: the lengths are not ints, the dtypes differ. RuntimeError: shapes and lengths that do not fit.

    Example:
        >>> x, weight = Tensor(np.ones((256, 2, 16), np.float32)), Tensor(np.ones((32, 2), np.float32))
        >>> ops.nsa_compress(x, weight, 32, 16, actual_seq_len=(128, 256)).shape
        (14, 2, 16)
    """
    name, block, stride = "nsa_compress", compress_block_size, compress_stride
    for what, value in (("compress_block_size", block), ("compress_stride", stride)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For '{name}', the '{what}' must be int, but got {type(value).__name__}.")
    if input.dtype != weight.dtype:
        raise TypeError(
            f"For '{name}', the 'input' and 'weight' must have the same dtype, but got {input.dtype} and {weight.dtype}."
        )
    require(name, input.ndim == 3, "the 'input' must have the axes (T, N, D)", input.shape)
    require(name, 1 <= stride <= block, "'compress_stride' must be in [1, compress_block_size]", stride)
    require(
        name,
        weight.shape == (block, input.shape[1]),
        f"the shape of 'weight' must be {(block, input.shape[1])}",
        weight.shape,
    )
    starts = [
        np.arange(s.start, s.stop - block + 1, stride)
        for s in _ends(name, "actual_seq_len", actual_seq_len, input.shape[0])
    ]
    rows = np.concatenate(starts)[:, None] + np.arange(block)
    out = jnp.einsum("tjnd,jn->tnd", input[rows], weight, preferred_element_type=jnp.float32)
    return out.astype(input.dtype)


def _importance(blocks, chosen, ratio, overlap):
    """(blocks, chosen) matrix that sums the probabilities of compressed blocks to those of selected ones.

    Equation 9 of the paper, P_slc[j] = sum_{m < ratio} sum_{n < overlap} P_cmp[ratio * j - m - n], with j counted from 1.
    """
    matrix = np.zeros((blocks, chosen), np.float32)
    for m in range(ratio):
        for n in range(overlap):
            rows = ratio * np.arange(1, chosen + 1) - m - n
            inside = rows < blocks
            matrix[rows[inside], np.arange(chosen)[inside]] += 1
    return matrix


def _first(scores, count):
    """int32 indices of the `count` greatest along the last axis, the first of equal ones first; -1 where there are no more."""
    found = jax.lax.top_k(scores, min(count, scores.shape[-1]))[1].astype(jnp.int32)
    missing = count - found.shape[-1]
    return jnp.pad(found, [(0, 0)] * (found.ndim - 1) + [(0, missing)], constant_values=-1)


@op(
    ops=Face(
        "nsa_compress_attention",
        args(
            "query",
            "key",
            "value",
            "scale_value",
            "head_num",
            "compress_block_size",
            "compress_stride",
            "select_block_size",
            "select_block_count",
        ).only(
            topk_mask=None,
            atten_mask=None,
            actual_seq_qlen=REQUIRED,
            actual_cmp_seq_kvlen=REQUIRED,
            actual_sel_seq_kvlen=REQUIRED,
        ),
    ),
    prim=Prim("NsaCompressAttention"),
    residuals=True,
)
def nsa_compress_attention(
    query: Array,
    key: Array,
    value: Array,
    scale_value: Static[Number],
    head_num: Static[int],
    compress_block_size: Static[int],
    compress_stride: Static[int],
    select_block_size: Static[int],
    select_block_count: Static[int],
    topk_mask: MaybeArray = None,
    atten_mask: MaybeArray = None,
    actual_seq_qlen: Static[Ints | None] = None,
    actual_cmp_seq_kvlen: Static[Ints | None] = None,
    actual_sel_seq_kvlen: Static[Ints | None] = None,
):
    """Attention to compressed keys, and the blocks of keys that matter most to each query (equations 8 to 10 of the paper).

    Args:
        query: (T1, N1, D1).
        key: (T2, N2, D1),
        value: (T2, N2, D2): the compressed ones.
        scale_value: factor of the scores.
        head_num: N1.
        compress_block_size, compress_stride: of the windows that were compressed.
        select_block_size: tokens in a block of keys to select.
        select_block_count: how many of them.
        topk_mask: bool (queries, blocks) of a sequence: True is selected in any case.
        atten_mask: bool (queries, compressed keys): True hides.
        actual_seq_qlen, actual_cmp_seq_kvlen, actual_sel_seq_kvlen: running ends of the sequences: of queries, compressed keys, blocks.

    Returns:
        (attention (T1, N1, D2), blocks int32 (T1, N2, select_block_count), the most important first and -1 where a sequence has no more,
        softmax maximum and sum float32 (T1, N1, 8)). A query that sees no key gets 0.

    Raises:
        TypeError: the ends are not ints. RuntimeError: shapes, lengths and ends that do not fit.

    Example:
        >>> q = Tensor(np.ones((256, 8, 16), np.float32))
        >>> k = v = Tensor(np.ones((15, 2, 16), np.float32))
        >>> out, blocks, _, _ = ops.nsa_compress_attention(
        ...     q,
        ...     k,
        ...     v,
        ...     0.1,
        ...     8,
        ...     32,
        ...     16,
        ...     64,
        ...     16,
        ...     actual_seq_qlen=[256],
        ...     actual_cmp_seq_kvlen=[15],
        ...     actual_sel_seq_kvlen=[4],
        ... )
    """
    name = "nsa_compress_attention"
    _check_heads(name, query, key, value, head_num)
    stride = compress_stride
    fits = (
        1 <= stride <= compress_block_size <= select_block_size
        and select_block_size % stride == 0
        and compress_block_size % stride == 0
    )
    require(
        name,
        fits,
        "'compress_stride' must divide 'compress_block_size' and 'select_block_size', the greatest of the three",
        f"{stride}, {compress_block_size}, {select_block_size}",
    )
    require(name, select_block_count >= 1, "'select_block_count' must be at least 1", select_block_count)
    queries = _ends(name, "actual_seq_qlen", actual_seq_qlen, query.shape[0])
    keys = _ends(name, "actual_cmp_seq_kvlen", actual_cmp_seq_kvlen, key.shape[0])
    blocks = _ends(name, "actual_sel_seq_kvlen", actual_sel_seq_kvlen, None)
    require(
        name,
        len(queries) == len(keys) == len(blocks),
        "all ends must be of as many sequences",
        f"{len(queries)}, {len(keys)}, {len(blocks)}",
    )
    value, parts = value.astype(query.dtype), []
    for q, k, b in zip(queries, keys, blocks):
        rows, columns, chosen = q.stop - q.start, k.stop - k.start, b.stop - b.start
        seen = None if atten_mask is None else ~atten_mask[:rows, :columns].astype(bool)
        require(
            name,
            seen is None or seen.shape == (rows, columns),
            f"'atten_mask' must reach over {(rows, columns)}",
            seen is not None and atten_mask.shape,
        )
        forced = None if topk_mask is None else topk_mask[:rows, :chosen].astype(bool)
        require(
            name,
            forced is None or forced.shape == (rows, chosen),
            f"'topk_mask' must reach over {(rows, chosen)}",
            forced is not None and topk_mask.shape,
        )
        matrix = _importance(columns, chosen, select_block_size // stride, compress_block_size // stride)

        def step(vectors, seen, forced, keys=key[k], values=value[k], matrix=matrix):
            weights, top, total = counted_softmax(_scores(vectors, keys, scale_value), seen)
            score = jax.lax.stop_gradient(jnp.sum(weights, 1)) @ matrix
            score = score if forced is None else jnp.where(forced, jnp.inf, score)
            return (
                _summed(weights, values),
                _first(score, select_block_count).transpose(1, 0, 2),
                _per_row(top),
                _per_row(total),
            )

        parts.append(in_parts(step, query.shape[1] * columns, query[q], seen, forced))
    return tuple(jnp.concatenate(p) for p in zip(*parts))


@op(
    ops=Face(
        "nsa_select_attention",
        args(
            "query",
            "key",
            "value",
            "topk_indices",
            "scale_value",
            "head_num",
            "select_block_size",
            "select_block_count",
        ).only(atten_mask=None, actual_seq_qlen=REQUIRED, actual_seq_kvlen=REQUIRED),
    ),
    prim=Prim("NsaSelectAttention"),
    residuals=True,
)
def nsa_select_attention(
    query: Array,
    key: Array,
    value: Array,
    topk_indices: Array,
    scale_value: Static[Number],
    head_num: Static[int],
    select_block_size: Static[int],
    select_block_count: Static[int],
    atten_mask: MaybeArray = None,
    actual_seq_qlen: Static[Ints | None] = None,
    actual_seq_kvlen: Static[Ints | None] = None,
):
    """Attention of each query to the blocks of keys that were selected for it (equations 11 and 12 of the paper).

    Args:
        query: (T1, N1, D1).
        key: (T2, N2, D1).
        value: (T2, N2, D2).
        topk_indices: int32 (T1, N2, select_block_count): blocks, counted in their sequence; numbers that no block has select nothing.
        scale_value: factor of the scores.
        head_num: N1.
        select_block_size: tokens in a block.
        select_block_count: how many are selected.
        atten_mask: None.
        actual_seq_qlen, actual_seq_kvlen: running ends of the sequences.

    Returns:
        (attention (T1, N1, D2), softmax maximum and sum float32 (T1, N1, 8))

    Raises:
        TypeError: the ends are not ints. RuntimeError: shapes that do not fit. ValueError: an `atten_mask`, which the kernel does not take.

    Example:
        >>> q = Tensor(np.ones((256, 8, 16), np.float32))
        >>> k = v = Tensor(np.ones((256, 2, 16), np.float32))
        >>> blocks = Tensor(np.zeros((256, 2, 16), np.int32))
        >>> ops.nsa_select_attention(q, k, v, blocks, 0.1, 8, 64, 16, actual_seq_qlen=[256], actual_seq_kvlen=[256])[
        ...     0
        ... ].shape
        (256, 8, 16)
    """
    name = "nsa_select_attention"
    if atten_mask is not None:
        raise ValueError(f"For '{name}', the 'atten_mask' can only be None: hide keys by selecting other blocks.")
    _check_heads(name, query, key, value, head_num)
    wanted = (query.shape[0], key.shape[1], select_block_count)
    require(name, topk_indices.shape == wanted, f"the shape of 'topk_indices' must be {wanted}", topk_indices.shape)
    queries = _ends(name, "actual_seq_qlen", actual_seq_qlen, query.shape[0])
    keys = _ends(name, "actual_seq_kvlen", actual_seq_kvlen, key.shape[0])
    require(name, len(queries) == len(keys), "both ends must be of as many sequences", f"{len(queries)}, {len(keys)}")
    value, parts = value.astype(query.dtype), []
    for q, k in zip(queries, keys):
        length = k.stop - k.start

        def step(vectors, chosen, keys=key[k], values=value[k], length=length):
            counts = counted(chosen.transpose(1, 0, 2), -(-length // select_block_size))
            counts = jnp.repeat(counts, select_block_size, -1)[..., :length][:, None]
            weights, top, total = counted_softmax(_scores(vectors, keys, scale_value), counts)
            return _summed(weights, values), _per_row(top), _per_row(total)

        parts.append(in_parts(step, query.shape[1] * length, query[q], topk_indices[q]))
    return tuple(jnp.concatenate(p) for p in zip(*parts))
