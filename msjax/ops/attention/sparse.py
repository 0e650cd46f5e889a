"""Attention to chosen keys: Native Sparse Attention (Yuan et al., 2025) and the sparse attention of DeepSeek-V3.2, as plain formulas.

Which keys a query sees is a count for each pair (0: hidden; a key that is chosen twice counts twice, as if it were gathered twice), so
that one softmax serves all layouts. Long inputs are computed in parts of the queries, whose scores the gradient computes again. The results are
those that MindSpore documents for its Ascend kernels; limits of the kernels on lengths and dtypes do not hold here.
"""

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op

_FAR = 2**63 - 1
_MOST = 2**27  # scores that are held at a time


def _softmax(scores, counts):
    """(probabilities, maximum, sum) along the last axis; `counts` (None: all 1) multiply each exponential, 0 hides. float32."""
    if counts is not None:
        scores = jnp.where(counts > 0, scores, -1e38)
    top = jax.lax.stop_gradient(jnp.max(scores, -1, keepdims=True))
    weights = jnp.exp(scores - top)
    if counts is not None:
        weights = weights * counts.astype(weights.dtype)
    total = jnp.sum(weights, -1, keepdims=True)
    return weights / jnp.where(total == 0, 1, total), top, total


def _in_parts(step, scores, *queries):
    """`step(*queries)`, in parts if there would be too many scores.

    queries: arrays (or None) with one row for each query, as the results of `step` have; scores: how many a query has.
    """
    rows = queries[0].shape[0]
    parts = max(1, -(-rows * scores // _MOST))
    if parts == 1:
        return step(*queries)
    size = -(-rows // parts)

    def split(x):
        x = jnp.pad(x, [(0, parts * size - rows)] + [(0, 0)] * (x.ndim - 1))
        return x.reshape(parts, size, *x.shape[1:])

    again = jax.checkpoint(step)
    out = jax.lax.map(lambda part: again(*part), jax.tree.map(split, queries))
    return jax.tree.map(lambda x: x.reshape(parts * size, *x.shape[2:])[:rows], out)


def _require(name, right, what, got):
    if not right:
        raise RuntimeError(f"For '{name}', {what}, but got {got}.")


# --- Native Sparse Attention: all Tensors are (tokens of all sequences, heads, length)
def _ends(name, what, ends, total):
    """Running ends of the sequences -> list of slices."""
    if not isinstance(ends, (tuple, list)) or any(isinstance(e, bool) or not isinstance(e, int) for e in ends):
        raise TypeError(f"For '{name}', the '{what}' must be a tuple or list of ints, but got {ends!r}.")
    _require(
        name,
        len(ends) > 0 and all(a <= b for a, b in zip((0, *ends), ends)),
        f"'{what}' must not be empty and not decrease",
        ends,
    )
    _require(
        name, total is None or ends[-1] == total, f"the last of '{what}' must be the number of tokens, {total}", ends
    )
    return [slice(a, b) for a, b in zip((0, *ends), ends)]


def _check_heads(name, query, key, value, head_num):
    for what, x in (("query", query), ("key", key), ("value", value)):
        _require(name, x.ndim == 3, f"the '{what}' must have the axes (T, N, D)", x.shape)
    _require(name, head_num == query.shape[1], f"'head_num' must be that of 'query', {query.shape[1]}", head_num)
    _require(
        name,
        key.shape[:2] == value.shape[:2],
        "'key' and 'value' must have as many tokens and heads",
        f"{key.shape}, {value.shape}",
    )
    _require(
        name,
        query.shape[1] % key.shape[1] == 0,
        "the heads of 'query' must be a multiple of those of 'key'",
        f"{query.shape}, {key.shape}",
    )
    _require(
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
    ops="nsa_compress(input, weight, compress_block_size, compress_stride, *, actual_seq_len)",
    prim="NsaCompress()(input, weight, compress_block_size, compress_stride, actual_seq_len=None)",
    static=("compress_block_size", "compress_stride", "actual_seq_len"),
)
def nsa_compress(input, weight, compress_block_size, compress_stride, actual_seq_len=None):
    """Weighted sums of windows of tokens: out[i, n] = sum_j weight[j, n] * input[i * compress_stride + j, n], sequence by sequence.

    Args:
        input: (T, N, D). weight: (compress_block_size, N). compress_block_size, compress_stride: length and distance of the windows.
        actual_seq_len: running ends of the sequences, the last is T; windows do not reach from one into the next.

    Returns:
        (T', N, D): for each sequence of length L, 1 + (L - compress_block_size) // compress_stride windows (none if it is shorter).

    Raises:
        TypeError: the lengths are no ints, the dtypes differ. RuntimeError: shapes and lengths that do not fit.

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
    _require(name, input.ndim == 3, "the 'input' must have the axes (T, N, D)", input.shape)
    _require(name, 1 <= stride <= block, "'compress_stride' must be in [1, compress_block_size]", stride)
    _require(
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
    ops="nsa_compress_attention(query, key, value, scale_value, head_num, compress_block_size, compress_stride, select_block_size, "
    "select_block_count, *, topk_mask=None, atten_mask=None, actual_seq_qlen, actual_cmp_seq_kvlen, actual_sel_seq_kvlen)",
    prim="NsaCompressAttention()(query, key, value, scale_value, head_num, compress_block_size, compress_stride, select_block_size, "
    "select_block_count, topk_mask=None, atten_mask=None, actual_seq_qlen=None, actual_cmp_seq_kvlen=None, actual_sel_seq_kvlen=None)",
    static=(
        "scale_value",
        "head_num",
        "compress_block_size",
        "compress_stride",
        "select_block_size",
        "select_block_count",
        "actual_seq_qlen",
        "actual_cmp_seq_kvlen",
        "actual_sel_seq_kvlen",
    ),
    residuals=True,
)
def nsa_compress_attention(
    query,
    key,
    value,
    scale_value,
    head_num,
    compress_block_size,
    compress_stride,
    select_block_size,
    select_block_count,
    topk_mask=None,
    atten_mask=None,
    actual_seq_qlen=None,
    actual_cmp_seq_kvlen=None,
    actual_sel_seq_kvlen=None,
):
    """Attention to compressed keys, and the blocks of keys that matter most to each query (equations 8 to 10 of the paper).

    Args:
        query: (T1, N1, D1). key: (T2, N2, D1), value: (T2, N2, D2): the compressed ones. scale_value: factor of the scores.
        head_num: N1. compress_block_size, compress_stride: of the windows that were compressed. select_block_size: tokens in a block of
        keys to select. select_block_count: how many of them. topk_mask: bool (queries, blocks) of a sequence: True is selected in any
        case. atten_mask: bool (queries, compressed keys): True hides. actual_seq_qlen, actual_cmp_seq_kvlen, actual_sel_seq_kvlen:
        running ends of the sequences: of queries, compressed keys, blocks.

    Returns:
        (attention (T1, N1, D2), blocks int32 (T1, N2, select_block_count), the most important first and -1 where a sequence has no more,
        softmax maximum and sum float32 (T1, N1, 8)). A query that sees no key gets 0.

    Raises:
        TypeError: the ends are no ints. RuntimeError: shapes, lengths and ends that do not fit.

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
    _require(
        name,
        fits,
        "'compress_stride' must divide 'compress_block_size' and 'select_block_size', the greatest of the three",
        f"{stride}, {compress_block_size}, {select_block_size}",
    )
    _require(name, select_block_count >= 1, "'select_block_count' must be at least 1", select_block_count)
    queries = _ends(name, "actual_seq_qlen", actual_seq_qlen, query.shape[0])
    keys = _ends(name, "actual_cmp_seq_kvlen", actual_cmp_seq_kvlen, key.shape[0])
    blocks = _ends(name, "actual_sel_seq_kvlen", actual_sel_seq_kvlen, None)
    _require(
        name,
        len(queries) == len(keys) == len(blocks),
        "all ends must be of as many sequences",
        f"{len(queries)}, {len(keys)}, {len(blocks)}",
    )
    value, parts = value.astype(query.dtype), []
    for q, k, b in zip(queries, keys, blocks):
        rows, columns, chosen = q.stop - q.start, k.stop - k.start, b.stop - b.start
        seen = None if atten_mask is None else ~atten_mask[:rows, :columns].astype(bool)
        _require(
            name,
            seen is None or seen.shape == (rows, columns),
            f"'atten_mask' must reach over {(rows, columns)}",
            seen is not None and atten_mask.shape,
        )
        forced = None if topk_mask is None else topk_mask[:rows, :chosen].astype(bool)
        _require(
            name,
            forced is None or forced.shape == (rows, chosen),
            f"'topk_mask' must reach over {(rows, chosen)}",
            forced is not None and topk_mask.shape,
        )
        matrix = _importance(columns, chosen, select_block_size // stride, compress_block_size // stride)

        def step(vectors, seen, forced, keys=key[k], values=value[k], matrix=matrix):
            weights, top, total = _softmax(_scores(vectors, keys, scale_value), seen)
            score = jax.lax.stop_gradient(jnp.sum(weights, 1)) @ matrix
            score = score if forced is None else jnp.where(forced, jnp.inf, score)
            return (
                _summed(weights, values),
                _first(score, select_block_count).transpose(1, 0, 2),
                _per_row(top),
                _per_row(total),
            )

        parts.append(_in_parts(step, query.shape[1] * columns, query[q], seen, forced))
    return tuple(jnp.concatenate(p) for p in zip(*parts))


@op(
    ops="nsa_select_attention(query, key, value, topk_indices, scale_value, head_num, select_block_size, select_block_count, *, atten_mask=None, "
    "actual_seq_qlen, actual_seq_kvlen)",
    prim="NsaSelectAttention()(query, key, value, topk_indices, scale_value, head_num, select_block_size, select_block_count, atten_mask=None, "
    "actual_seq_qlen=None, actual_seq_kvlen=None)",
    static=(
        "scale_value",
        "head_num",
        "select_block_size",
        "select_block_count",
        "actual_seq_qlen",
        "actual_seq_kvlen",
    ),
    residuals=True,
)
def nsa_select_attention(
    query,
    key,
    value,
    topk_indices,
    scale_value,
    head_num,
    select_block_size,
    select_block_count,
    atten_mask=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
):
    """Attention of each query to the blocks of keys that were selected for it (equations 11 and 12 of the paper).

    Args:
        query: (T1, N1, D1). key: (T2, N2, D1). value: (T2, N2, D2). topk_indices: int32 (T1, N2, select_block_count): blocks, counted in
        their sequence; numbers that no block has select nothing. scale_value: factor of the scores. head_num: N1. select_block_size:
        tokens in a block. select_block_count: how many are selected. atten_mask: None. actual_seq_qlen, actual_seq_kvlen: running ends of
        the sequences.

    Returns:
        (attention (T1, N1, D2), softmax maximum and sum float32 (T1, N1, 8))

    Raises:
        TypeError: the ends are no ints. RuntimeError: shapes that do not fit. ValueError: an `atten_mask`, which the kernel does not take.

    Example:
        >>> q = Tensor(np.ones((256, 8, 16), np.float32))
        >>> k = v = Tensor(np.ones((256, 2, 16), np.float32))
        >>> blocks = Tensor(np.zeros((256, 2, 16), np.int32))
        >>> ops.nsa_select_attention(q, k, v, blocks, 0.1, 8, 64, 16, actual_seq_qlen=[256], actual_seq_kvlen=[256])[0]
    """
    name = "nsa_select_attention"
    if atten_mask is not None:
        raise ValueError(f"For '{name}', the 'atten_mask' can only be None: hide keys by selecting other blocks.")
    _check_heads(name, query, key, value, head_num)
    wanted = (query.shape[0], key.shape[1], select_block_count)
    _require(name, topk_indices.shape == wanted, f"the shape of 'topk_indices' must be {wanted}", topk_indices.shape)
    queries = _ends(name, "actual_seq_qlen", actual_seq_qlen, query.shape[0])
    keys = _ends(name, "actual_seq_kvlen", actual_seq_kvlen, key.shape[0])
    _require(name, len(queries) == len(keys), "both ends must be of as many sequences", f"{len(queries)}, {len(keys)}")
    value, parts = value.astype(query.dtype), []
    for q, k in zip(queries, keys):
        length = k.stop - k.start

        def step(vectors, chosen, keys=key[k], values=value[k], length=length):
            counts = _counted(chosen.transpose(1, 0, 2), -(-length // select_block_size))
            counts = jnp.repeat(counts, select_block_size, -1)[..., :length][:, None]
            weights, top, total = _softmax(_scores(vectors, keys, scale_value), counts)
            return _summed(weights, values), _per_row(top), _per_row(total)

        parts.append(_in_parts(step, query.shape[1] * length, query[q], topk_indices[q]))
    return tuple(jnp.concatenate(p) for p in zip(*parts))


def _counted(indices, length):
    """int32 (..., length): how often each number occurs along the last axis of `indices`; numbers outside are left out."""
    flat = indices.reshape(-1, indices.shape[-1])
    flat = jnp.where(flat < 0, length, flat)
    counts = (
        jnp.zeros((flat.shape[0], length), jnp.int32)
        .at[jnp.arange(flat.shape[0], dtype=jnp.int32)[:, None], flat]
        .add(1, mode="drop")
    )
    return counts.reshape(*indices.shape[:-1], length)


# --- DeepSeek's sparse attention: an indexer chooses tokens, attention sees these
def _tokens_of(name, x, layout, block_table):
    """Keys as (B, S, ...) or, in the layout "TND", (T, ...); pages of "PA_BSND" are put in order."""
    if layout != "PA_BSND":
        return x
    if block_table is None:
        raise RuntimeError(f"For '{name}', pages need a 'block_table', but got None.")
    pages = x[jnp.maximum(block_table, 0)]
    return pages.reshape(block_table.shape[0], -1, *x.shape[2:])


class _Rows:
    """Which token each query and key is, for the layouts of queries and keys.

    Queries "BSND" have keys (B, S2); queries "TND" are one row of tokens (1, T1), against all keys of all sequences (1, T2).
    """

    def __init__(self, name, layout_query, layout_key, query, keys, query_lengths, key_lengths):
        if layout_query not in ("BSND", "TND") or layout_key not in ("BSND", "TND", "PA_BSND"):
            raise RuntimeError(
                f"For '{name}', the layouts must be 'BSND' or 'TND', of keys also 'PA_BSND', but got {layout_query!r}, {layout_key!r}."
            )
        if layout_key != "PA_BSND" and layout_key != layout_query:
            raise RuntimeError(
                f"For '{name}', keys that are not in pages must have the layout of the queries, but got {layout_query!r}, {layout_key!r}."
            )
        if layout_key != "BSND" and key_lengths is None or layout_query == "TND" and query_lengths is None:
            raise RuntimeError(
                f"For '{name}', the lengths of the sequences must be given in the layouts 'TND' and 'PA_BSND', but got None."
            )
        as_row = layout_query == "TND"
        query_lengths, key_lengths = (
            None if v is None else jnp.asarray(v).reshape(-1).astype(jnp.int32) for v in (query_lengths, key_lengths)
        )
        if as_row:
            places = jnp.arange(query.shape[0], dtype=jnp.int32)
            starts = jnp.pad(query_lengths[:-1], (1, 0))
            sequence = jnp.minimum(jnp.searchsorted(query_lengths, places, side="right"), query_lengths.shape[0] - 1)
            self.row, self.rows = (places - starts[sequence])[None], (query_lengths - starts)[sequence][None]
        else:
            self.row = jnp.arange(query.shape[1], dtype=jnp.int32)[None]
            self.rows = (
                jnp.full(query.shape[:1], query.shape[1], jnp.int32) if query_lengths is None else query_lengths
            )[:, None]
        if layout_key == "TND":
            starts = jnp.pad(key_lengths[:-1], (1, 0))
            lengths, self.total = key_lengths - starts, keys.shape[0]
        else:
            each = keys.shape[1]
            lengths = jnp.full(keys.shape[:1], each, jnp.int32) if key_lengths is None else key_lengths
            starts, self.total = (
                jnp.arange(keys.shape[0], dtype=jnp.int32) * each,
                keys.shape[0] * each if as_row else each,
            )
        if as_row:  # (1, T1), else (B, 1)
            self.start, self.keys = starts[sequence][None], lengths[sequence][None]
        else:
            self.start, self.keys = jnp.zeros((keys.shape[0], 1), jnp.int32), lengths[:, None]

    def bounds(self, mode):
        """int32 (queries, B) twice: where the keys of each query's sequence start, and how many of them it may see."""
        last = self.keys - self.rows + self.row + 1 if mode == 3 else self.keys
        seen = jnp.where(self.row < self.rows, jnp.clip(last, 0, self.keys), 0)
        return self.by_query(jnp.broadcast_to(self.start, seen.shape), seen)

    @staticmethod
    def by_query(*arrays):
        """Arrays (B, queries, ...) as (queries, B, ...)."""
        return tuple(jnp.moveaxis(a, 1, 0) for a in arrays)


def _check_sparse(name, mode, pre_tokens, next_tokens):
    if mode not in (0, 3):
        raise RuntimeError(f"For '{name}', the 'sparse_mode' must be 0 or 3, but got {mode}.")
    for what, value in (("pre_tokens", pre_tokens), ("next_tokens", next_tokens)):
        if value != _FAR:
            raise RuntimeError(f"For '{name}', the '{what}' can only be {_FAR}, but got {value}.")


@op(
    ops="lightning_indexer(query, key, weights, *, actual_seq_lengths_query=None, actual_seq_lengths_key=None, block_table=None, layout_query='BSND', "
    "layout_key='BSND', sparse_count=2048, sparse_mode=3, pre_tokens=9223372036854775807, next_tokens=9223372036854775807, return_value=False)",
    prim="LightningIndexer()(query, key, weights, actual_seq_lengths_query=None, actual_seq_lengths_key=None, block_table=None, layout_query='BSND', "
    "layout_key='BSND', sparse_count=2048, sparse_mode=3, pre_tokens=9223372036854775807, next_tokens=9223372036854775807, return_value=False)",
)
def lightning_indexer(
    query,
    key,
    weights,
    actual_seq_lengths_query=None,
    actual_seq_lengths_key=None,
    block_table=None,
    layout_query="BSND",
    layout_key="BSND",
    sparse_count=2048,
    sparse_mode=3,
    pre_tokens=_FAR,
    next_tokens=_FAR,
    return_value=False,
):
    """The keys that matter most to each query: those with the greatest sum_h weights[h] * relu(query[h] . key) (DeepSeek-V3.2, 2025).

    Args:
        query: (B, S1, N, D) or (T1, N, D). key: (B, S2, 1, D), (T2, 1, D) or pages (blocks, block size, 1, D). weights: (B, S1, N) or
        (T1, N). actual_seq_lengths_query, actual_seq_lengths_key: lengths of the sequences; running ends in the layout "TND".
        block_table: (B, blocks): the pages of each sequence. layout_query: "BSND" or "TND". layout_key: also "PA_BSND" (pages).
        sparse_count: how many keys. sparse_mode: 0 all keys, 3 those up to the query's own place, counted from the end. pre_tokens,
        next_tokens: only the default. return_value: whether the scores are wanted; they are given in any case.

    Returns:
        (int32 numbers of the keys in their sequence, the greatest first and -1 where there are no more; their scores in the dtype of
        `query`, -inf there), both (B, S1, 1, sparse_count) or (T1, 1, sparse_count).

    Raises:
        RuntimeError: layouts, lengths or heads that do not fit. ValueError: scores of keys in pages.

    Example:
        >>> q, k = Tensor(np.ones((1, 3, 2, 4), np.float32)), Tensor(np.ones((1, 5, 1, 4), np.float32))
        >>> w = Tensor(np.ones((1, 3, 2), np.float32))
        >>> chosen, _ = ops.lightning_indexer(q, k, w, sparse_count=16)
    """
    name = "lightning_indexer"
    _check_sparse(name, sparse_mode, pre_tokens, next_tokens)
    if return_value and layout_key == "PA_BSND":
        raise ValueError(f"For '{name}', 'return_value' must be False with keys in pages, but got True.")
    _require(name, sparse_count >= 1, "'sparse_count' must be at least 1", sparse_count)
    keys = _tokens_of(name, key, layout_key, block_table)
    _require(name, keys.shape[-2] == 1, "'key' must have one head", keys.shape[-2])
    _require(
        name, weights.shape == query.shape[:-1], f"the shape of 'weights' must be {query.shape[:-1]}", weights.shape
    )
    rows = _Rows(name, layout_query, layout_key, query, keys, actual_seq_lengths_query, actual_seq_lengths_key)
    batched = query if layout_query == "BSND" else query[None]
    keys = keys[..., 0, :].reshape(batched.shape[0], rows.total, -1)

    def step(vectors, weight, start, seen):  # (queries, B, N, D), (queries, B, N), twice (queries, B)
        def add_head(total, head):
            products = jnp.einsum("qbd,bkd->qbk", head[0], keys, preferred_element_type=jnp.float32)
            return total + head[1][..., None].astype(jnp.float32) * jax.nn.relu(products), None

        first = jnp.zeros((*vectors.shape[:2], rows.total), jnp.float32)
        scores = jax.lax.scan(add_head, first, (jnp.moveaxis(vectors, 2, 0), jnp.moveaxis(weight, 2, 0)))[0]
        place = jnp.arange(rows.total, dtype=jnp.int32) - start[..., None]
        hidden = (place < 0) | (place >= seen[..., None])
        return jax.lax.top_k(jnp.where(hidden, -jnp.inf, scores), min(sparse_count, rows.total))

    found = _in_parts(
        step,
        batched.shape[0] * batched.shape[2] * rows.total,
        *rows.by_query(batched, weights.reshape(batched.shape[:3])),
        *rows.bounds(sparse_mode),
    )
    values, found = (jnp.moveaxis(x, 0, 1) for x in found)
    found = jnp.where(values == -jnp.inf, -1, found.astype(jnp.int32) - rows.start[..., None])
    width = [(0, 0), (0, 0), (0, sparse_count - found.shape[-1])]
    found, values = jnp.pad(found, width, constant_values=-1), jnp.pad(values, width, constant_values=-jnp.inf)
    shape = (*query.shape[:-2], 1, sparse_count)
    return found.reshape(shape), values.astype(query.dtype).reshape(shape)


@op(
    ops="sparse_flash_attention(query, key, value, sparse_indices, scale_value, *, block_table=None, actual_seq_lengths_query=None, "
    "actual_seq_lengths_kv=None, query_rope=None, key_rope=None, sparse_block_size=1, layout_query='BSND', layout_kv='BSND', sparse_mode=3, "
    "pre_tokens=9223372036854775807, next_tokens=9223372036854775807, attention_mode=0, return_softmax_lse=False)",
    prim="SparseFlashAttention()(query, key, value, sparse_indices, scale_value, block_table=None, actual_seq_lengths_query=None, "
    "actual_seq_lengths_kv=None, query_rope=None, key_rope=None, sparse_block_size=1, layout_query='BSND', layout_kv='BSND', sparse_mode=3, "
    "pre_tokens=9223372036854775807, next_tokens=9223372036854775807, attention_mode=0, return_softmax_lse=False)",
    static=("scale_value",),
    residuals=True,
)
def sparse_flash_attention(
    query,
    key,
    value,
    sparse_indices,
    scale_value,
    block_table=None,
    actual_seq_lengths_query=None,
    actual_seq_lengths_kv=None,
    query_rope=None,
    key_rope=None,
    sparse_block_size=1,
    layout_query="BSND",
    layout_kv="BSND",
    sparse_mode=3,
    pre_tokens=_FAR,
    next_tokens=_FAR,
    attention_mode=0,
    return_softmax_lse=False,
):
    """Attention of each query to the keys that were chosen for it: softmax(scale_value * (Q K^T + Q_rope K_rope^T)) V over these.

    Args:
        query: (B, S1, N, D) or (T1, N, D). key, value: (B, S2, 1, D), (T2, 1, D) or pages (blocks, block size, 1, D). sparse_indices:
        int32 (B, S1, 1, K) or (T1, 1, K): blocks of `sparse_block_size` keys, counted in their sequence; -1 is none. scale_value: factor of the
        scores. block_table: (B, blocks): the pages of each sequence. actual_seq_lengths_query, actual_seq_lengths_kv: lengths of the
        sequences; running ends in the layout "TND". query_rope, key_rope: as query and key, with vectors of another length.
        layout_query: "BSND" or "TND". layout_kv: also "PA_BSND" (pages). sparse_mode: 0 all chosen keys, 3 only those up to the
        query's own place, counted from the end. pre_tokens, next_tokens: only the default. attention_mode: only 2 (with the parts for
        rotary embedding). return_softmax_lse: whether maximum and sum are wanted; they are given in any case.

    Returns:
        (attention like `query`, softmax maximum and sum, float32 (B, 1, S1, N) or (1, T1, N)). A query that sees no key gets 0.

    Raises:
        TypeError: dtypes that differ. RuntimeError: layouts, lengths, modes or shapes that do not fit.

    Example:
        >>> q = q_rope = Tensor(np.ones((1, 2, 2, 4), np.float32))
        >>> k = v = k_rope = Tensor(np.ones((1, 4, 1, 4), np.float32))
        >>> chosen = Tensor(np.zeros((1, 2, 1, 3), np.int32))
        >>> ops.sparse_flash_attention(q, k, v, chosen, 0.04, query_rope=q_rope, key_rope=k_rope, attention_mode=2)[0]
    """
    name = "sparse_flash_attention"
    _check_sparse(name, sparse_mode, pre_tokens, next_tokens)
    if attention_mode != 2 or query_rope is None or key_rope is None:
        raise RuntimeError(
            f"For '{name}', the 'attention_mode' can only be 2, with 'query_rope' and 'key_rope', but got {attention_mode} and "
            f"{'None' if query_rope is None or key_rope is None else 'both'}."
        )
    size = sparse_block_size
    _require(
        name, 1 <= size <= 128 and size & (size - 1) == 0, "'sparse_block_size' must be a power of 2 in [1, 128]", size
    )
    if return_softmax_lse and layout_kv == "PA_BSND":
        raise RuntimeError(f"For '{name}', 'return_softmax_lse' must be False with keys in pages, but got True.")
    if len({x.dtype for x in (query, key, value)}) > 1:
        raise TypeError(
            f"For '{name}', query, key and value must have the same dtype, but got {query.dtype}, {key.dtype} and {value.dtype}."
        )
    keys, values, key_rope = (_tokens_of(name, x, layout_kv, block_table) for x in (key, value, key_rope))
    _require(name, keys.shape[-2] == 1, "'key' and 'value' must have one head", keys.shape[-2])
    rows = _Rows(name, layout_query, layout_kv, query, keys, actual_seq_lengths_query, actual_seq_lengths_kv)
    batched, rope = (x if layout_query == "BSND" else x[None] for x in (query, query_rope))
    batch = batched.shape[0]
    keys, values, key_rope = (x[..., 0, :].reshape(batch, rows.total, -1) for x in (keys, values, key_rope))

    blocks = sparse_indices.reshape(*batched.shape[:2], -1, 1)
    tokens = (blocks * size + jnp.arange(size, dtype=jnp.int32)).reshape(*batched.shape[:2], -1)

    def step(
        vectors, turned, tokens, start, seen
    ):  # (queries, B, N, D) twice, (queries, B, tokens), twice (queries, B)
        chosen = (tokens >= 0) & (tokens < seen[..., None])
        counts = _counted(jnp.where(chosen, tokens + start[..., None], -1), rows.total)
        scores = sum(
            jnp.einsum("qbnd,bkd->qbnk", a, b, preferred_element_type=jnp.float32)
            for a, b in ((vectors, keys), (turned, key_rope))
        )
        weights, top, total = _softmax(scores * scale_value, counts[:, :, None])
        return jnp.einsum("qbnk,bkd->qbnd", weights.astype(values.dtype), values), top[..., 0], total[..., 0]

    found = _in_parts(
        step, batch * batched.shape[2] * rows.total, *rows.by_query(batched, rope, tokens), *rows.bounds(sparse_mode)
    )
    out, top, total = (jnp.moveaxis(x, 0, 1) for x in found)
    if layout_query == "BSND":
        top, total = top[:, None], total[:, None]
    return out.reshape(*query.shape[:-1], -1).astype(query.dtype), top, total
