"""The sparse attention of DeepSeek-V3.2: an indexer chooses tokens, attention sees these.

The results are those that MindSpore documents for its Ascend kernels; limits of the kernels on lengths and dtypes do not hold here.
"""

import jax
import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, MaybeArray, Number, Static
from .chosen_keys import counted, counted_softmax, in_parts, require

_FAR = 2**63 - 1


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
    ops=Face(
        "lightning_indexer",
        args("query", "key", "weights").only(
            actual_seq_lengths_query=None,
            actual_seq_lengths_key=None,
            block_table=None,
            layout_query="BSND",
            layout_key="BSND",
            sparse_count=2048,
            sparse_mode=3,
            pre_tokens=9223372036854775807,
            next_tokens=9223372036854775807,
            return_value=False,
        ),
    ),
    prim=Prim("LightningIndexer"),
)
def lightning_indexer(
    query: Array,
    key: Array,
    weights: Array,
    actual_seq_lengths_query: MaybeArray = None,
    actual_seq_lengths_key: MaybeArray = None,
    block_table: MaybeArray = None,
    layout_query: str = "BSND",
    layout_key: str = "BSND",
    sparse_count: int = 2048,
    sparse_mode: int = 3,
    pre_tokens: int = _FAR,
    next_tokens: int = _FAR,
    return_value: bool = False,
):
    """The keys that matter most to each query: those with the greatest sum_h weights[h] * relu(query[h] . key) (DeepSeek-V3.2, 2025).

    Args:
        query: (B, S1, N, D) or (T1, N, D).
        key: (B, S2, 1, D), (T2, 1, D) or pages (blocks, block size, 1, D).
        weights: (B, S1, N) or (T1, N).
        actual_seq_lengths_query, actual_seq_lengths_key: lengths of the sequences; running ends in the layout "TND".
        block_table: (B, blocks): the pages of each sequence.
        layout_query: "BSND" or "TND".
        layout_key: also "PA_BSND" (pages).
        sparse_count: how many keys.
        sparse_mode: 0 all keys, 3 those up to the query's own place, counted from the end.
        pre_tokens, next_tokens: only the default.
        return_value: whether the scores are wanted; they are given in any case.

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
    require(name, sparse_count >= 1, "'sparse_count' must be at least 1", sparse_count)
    keys = _tokens_of(name, key, layout_key, block_table)
    require(name, keys.shape[-2] == 1, "'key' must have one head", keys.shape[-2])
    require(
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

    found = in_parts(
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
    ops=Face(
        "sparse_flash_attention",
        args("query", "key", "value", "sparse_indices", "scale_value").only(
            block_table=None,
            actual_seq_lengths_query=None,
            actual_seq_lengths_kv=None,
            query_rope=None,
            key_rope=None,
            sparse_block_size=1,
            layout_query="BSND",
            layout_kv="BSND",
            sparse_mode=3,
            pre_tokens=9223372036854775807,
            next_tokens=9223372036854775807,
            attention_mode=0,
            return_softmax_lse=False,
        ),
    ),
    prim=Prim("SparseFlashAttention"),
    residuals=True,
)
def sparse_flash_attention(
    query: Array,
    key: Array,
    value: Array,
    sparse_indices: Array,
    scale_value: Static[Number],
    block_table: MaybeArray = None,
    actual_seq_lengths_query: MaybeArray = None,
    actual_seq_lengths_kv: MaybeArray = None,
    query_rope: MaybeArray = None,
    key_rope: MaybeArray = None,
    sparse_block_size: int = 1,
    layout_query: str = "BSND",
    layout_kv: str = "BSND",
    sparse_mode: int = 3,
    pre_tokens: int = _FAR,
    next_tokens: int = _FAR,
    attention_mode: int = 0,
    return_softmax_lse: bool = False,
):
    """Attention of each query to the keys that were chosen for it: softmax(scale_value * (Q K^T + Q_rope K_rope^T)) V over these.

    Args:
        query: (B, S1, N, D) or (T1, N, D).
        key, value: (B, S2, 1, D), (T2, 1, D) or pages (blocks, block size, 1, D).
        sparse_indices: int32 (B, S1, 1, K) or (T1, 1, K): blocks of `sparse_block_size` keys, counted in their sequence; -1 is none.
        scale_value: factor of the scores.
        block_table: (B, blocks): the pages of each sequence.
        actual_seq_lengths_query, actual_seq_lengths_kv: lengths of the sequences; running ends in the layout "TND".
        query_rope, key_rope: as query and key, with vectors of another length.
        layout_query: "BSND" or "TND".
        layout_kv: also "PA_BSND" (pages).
        sparse_mode: 0 all chosen keys, 3 only those up to the query's own place, counted from the end.
        pre_tokens, next_tokens: only the default.
        attention_mode: only 2 (with the parts for rotary embedding).
        return_softmax_lse: whether maximum and sum are wanted; they are given in any case.

    Returns:
        (attention like `query`, softmax maximum and sum, float32 (B, 1, S1, N) or (1, T1, N)). A query that sees no key gets 0.

    Raises:
        TypeError: dtypes that differ. RuntimeError: layouts, lengths, modes or shapes that do not fit.

    Example:
        >>> q = q_rope = Tensor(np.ones((1, 2, 2, 4), np.float32))
        >>> k = v = k_rope = Tensor(np.ones((1, 4, 1, 4), np.float32))
        >>> chosen = Tensor(np.zeros((1, 2, 1, 3), np.int32))
        >>> ops.sparse_flash_attention(q, k, v, chosen, 0.04, query_rope=q_rope, key_rope=k_rope, attention_mode=2)[0]
        Tensor(shape=[1, 2, 2, 4], dtype=Float32, value=
        [[[[ 1.00000000e+00,  1.00000000e+00,  1.00000000e+00,  1.00000000e+00],
           [ 1.00000000e+00,  1.00000000e+00,  1.00000000e+00,  1.00000000e+00]],
          [[ 1.00000000e+00,  1.00000000e+00,  1.00000000e+00,  1.00000000e+00],
           [ 1.00000000e+00,  1.00000000e+00,  1.00000000e+00,  1.00000000e+00]]]])
    """
    name = "sparse_flash_attention"
    _check_sparse(name, sparse_mode, pre_tokens, next_tokens)
    if attention_mode != 2 or query_rope is None or key_rope is None:
        raise RuntimeError(
            f"For '{name}', the 'attention_mode' can only be 2, with 'query_rope' and 'key_rope', but got {attention_mode} and "
            f"{'None' if query_rope is None or key_rope is None else 'both'}."
        )
    size = sparse_block_size
    require(
        name, 1 <= size <= 128 and size & (size - 1) == 0, "'sparse_block_size' must be a power of 2 in [1, 128]", size
    )
    if return_softmax_lse and layout_kv == "PA_BSND":
        raise RuntimeError(f"For '{name}', 'return_softmax_lse' must be False with keys in pages, but got True.")
    if len({x.dtype for x in (query, key, value)}) > 1:
        raise TypeError(
            f"For '{name}', query, key and value must have the same dtype, but got {query.dtype}, {key.dtype} and {value.dtype}."
        )
    keys, values, key_rope = (_tokens_of(name, x, layout_kv, block_table) for x in (key, value, key_rope))
    require(name, keys.shape[-2] == 1, "'key' and 'value' must have one head", keys.shape[-2])
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
        counts = counted(jnp.where(chosen, tokens + start[..., None], -1), rows.total)
        scores = sum(
            jnp.einsum("qbnd,bkd->qbnk", a, b, preferred_element_type=jnp.float32)
            for a, b in ((vectors, keys), (turned, key_rope))
        )
        weights, top, total = counted_softmax(scores * scale_value, counts[:, :, None])
        return jnp.einsum("qbnk,bkd->qbnd", weights.astype(values.dtype), values), top[..., 0], total[..., 0]

    found = in_parts(
        step, batch * batched.shape[2] * rows.total, *rows.by_query(batched, rope, tokens), *rows.bounds(sparse_mode)
    )
    out, top, total = (jnp.moveaxis(x, 0, 1) for x in found)
    if layout_query == "BSND":
        top, total = top[:, None], total[:, None]
    return out.reshape(*query.shape[:-1], -1).astype(query.dtype), top, total
