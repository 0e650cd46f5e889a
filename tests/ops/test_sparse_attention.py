"""Sparse attention against the formulas of the papers, in float64."""

import importlib

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops
from mindspore import dtype as mstype
from ops_formulas import assert_gradient, attention_of, slices

from msjax.core.operators.record import records


def draw(seed, *shape):
    return np.random.RandomState(seed).randn(*shape)


def assert_close(found, wanted, **keywords):
    np.testing.assert_allclose(
        np.asarray(found.asnumpy(), np.float64), wanted, **{"rtol": 2e-4, "atol": 2e-5, **keywords}
    )


def f32(x):
    return Tensor(x.astype(np.float32))


def assert_gradients(fn, arrays, formula):
    """Gradients of sum(fn(*arrays) * weight) against differences of the formula."""
    out = formula(*arrays)
    weight = draw(99, *out.shape)
    found = ms.grad(lambda *t: (fn(*t) * f32(weight)).sum(), tuple(range(len(arrays))))(*map(f32, arrays))
    for i, (got, x) in enumerate(zip(found if isinstance(found, tuple) else (found,), arrays)):
        assert_gradient(got, lambda v, i=i: (formula(*arrays[:i], v, *arrays[i + 1 :]) * weight).sum(), x)


# --- Native Sparse Attention
def compressed(x, weight, block, stride, ends):
    out = []
    for part in slices(ends):
        rows = x[part]
        for start in range(0, len(rows) - block + 1, stride):
            out.append(sum(rows[start + j] * weight[j][:, None] for j in range(block)))
    return np.array(out)


def test_nsa_compress():
    x, weight, ends = draw(0, 21, 2, 3), draw(1, 4, 2), (9, 12, 21)
    out = ops.nsa_compress(f32(x), f32(weight), 4, 2, actual_seq_len=ends)
    assert_close(out, compressed(x, weight, 4, 2, ends))
    assert out.shape == (3 + 0 + 3, 2, 3)
    assert_gradients(
        lambda a, b: ops.nsa_compress(a, b, 4, 2, actual_seq_len=ends),
        (x, weight),
        lambda a, b: compressed(a, b, 4, 2, ends),
    )
    half = ops.nsa_compress(Tensor(x, mstype.float16), Tensor(weight, mstype.float16), 4, 2, actual_seq_len=ends)
    assert half.dtype == mstype.float16


@pytest.mark.parametrize(
    "change, error, text",
    [
        ({"weight": draw(0, 3, 2)}, RuntimeError, "weight"),
        ({"compress_block_size": 4.0}, TypeError, "compress_block_size"),
        ({"compress_stride": 5}, RuntimeError, "compress_stride"),
        ({"actual_seq_len": (5, 4, 21)}, RuntimeError, "decrease"),
        ({"actual_seq_len": (5, 20)}, RuntimeError, "number of tokens"),
        ({"actual_seq_len": (5.0, 21)}, TypeError, "ints"),
        ({"input": draw(0, 21, 2)}, RuntimeError, "T, N, D"),
    ],
)
def test_nsa_compress_refuses(change, error, text):
    given = {
        "input": draw(0, 21, 2, 3),
        "weight": draw(1, 4, 2),
        "compress_block_size": 4,
        "compress_stride": 2,
        "actual_seq_len": (21,),
        **change,
    }
    with pytest.raises(error, match=text):
        ops.nsa_compress(**{k: f32(v) if isinstance(v, np.ndarray) else v for k, v in given.items()})


def test_nsa_compress_refuses_two_dtypes():
    with pytest.raises(TypeError, match="dtype"):
        ops.nsa_compress(f32(draw(0, 8, 2, 3)), Tensor(draw(1, 4, 2), mstype.float16), 4, 2, actual_seq_len=(8,))


Q_ENDS, CMP_ENDS, SEL_ENDS = (5, 9), (7, 12), (4, 7)
QUERY, KEY, VALUE = draw(2, 9, 4, 6), draw(3, 12, 2, 6), draw(4, 12, 2, 3)
MASK = np.triu(np.ones((5, 7), bool), 2)
FORCED = np.zeros((5, 4), bool)
FORCED[:, 0] = True


def compress_attention(query, key, value, mask, forced, ratio=2, overlap=2, count=2):
    """Equations 8 to 10 of the paper, index by index."""
    out, blocks, tops, sums = [], [], [], []
    for q, k, b in zip(slices(Q_ENDS), slices(CMP_ENDS), slices(SEL_ENDS)):
        rows, columns, chosen = q.stop - q.start, k.stop - k.start, b.stop - b.start
        seen = np.ones((rows, columns)) if mask is None else ~mask[:rows, :columns] * 1.0
        part, top, total, weights = attention_of(query[q], key[k], value[k], 0.4, lambda s, n, seen=seen: seen[s])
        found = np.full((rows, key.shape[1], count), -1)
        for s in range(rows):
            for n in range(key.shape[1]):
                p = weights[s, 2 * n] + weights[s, 2 * n + 1]
                score = np.zeros(chosen)
                for j in range(1, chosen + 1):
                    for a in range(ratio):
                        for c in range(overlap):
                            at = ratio * j - a - c
                            score[j - 1] += p[at] if 0 <= at < columns else 0
                if forced is not None:
                    score[forced[s, :chosen]] = np.inf
                best = np.argsort(-score, kind="stable")[:count]
                found[s, n, : len(best)] = best
        out.append(part)
        blocks.append(found)
        tops.append(top)
        sums.append(total)
    return tuple(map(np.concatenate, (out, blocks, tops, sums)))


@pytest.mark.parametrize("mask, forced, count", [(None, None, 2), (MASK, FORCED, 2), (MASK, None, 6)])
def test_nsa_compress_attention(mask, forced, count):
    out = ops.nsa_compress_attention(
        f32(QUERY),
        f32(KEY),
        f32(VALUE),
        0.4,
        4,
        32,
        16,
        32,
        count,
        topk_mask=None if forced is None else Tensor(forced),
        atten_mask=None if mask is None else Tensor(mask),
        actual_seq_qlen=Q_ENDS,
        actual_cmp_seq_kvlen=list(CMP_ENDS),
        actual_sel_seq_kvlen=SEL_ENDS,
    )
    wanted = compress_attention(QUERY, KEY, VALUE, mask, forced, count=count)
    assert_close(out[0], wanted[0])
    assert out[1].dtype == mstype.int32
    np.testing.assert_array_equal(out[1].asnumpy(), wanted[1])
    assert out[2].shape == out[3].shape == (9, 4, 8)
    for got, w in zip(out[2:], wanted[2:]):
        assert_close(got, np.repeat(w[..., None], 8, -1))


def test_nsa_compress_attention_gradient():
    def call(q, k, v):
        return ops.nsa_compress_attention(
            q,
            k,
            v,
            0.4,
            4,
            32,
            16,
            32,
            2,
            atten_mask=Tensor(MASK),
            actual_seq_qlen=Q_ENDS,
            actual_cmp_seq_kvlen=CMP_ENDS,
            actual_sel_seq_kvlen=SEL_ENDS,
        )[0]

    assert_gradients(call, (QUERY, KEY, VALUE), lambda q, k, v: compress_attention(q, k, v, MASK, None)[0])


@pytest.mark.parametrize(
    "change, text",
    [
        ({"head_num": 3}, "head_num"),
        ({"compress_stride": 24}, "divide"),
        ({"select_block_count": 0}, "select_block_count"),
        ({"actual_seq_qlen": (5, 8)}, "actual_seq_qlen"),
        ({"actual_sel_seq_kvlen": (7,)}, "as many sequences"),
        ({"atten_mask": Tensor(MASK[:, :3])}, "atten_mask"),
        ({"key": f32(KEY[..., :5])}, "one length"),
        ({"key": f32(draw(0, 12, 3, 6)), "value": f32(draw(0, 12, 3, 3))}, "multiple"),
    ],
)
def test_nsa_compress_attention_refuses(change, text):
    given = {
        "query": f32(QUERY),
        "key": f32(KEY),
        "value": f32(VALUE),
        "scale_value": 0.4,
        "head_num": 4,
        "compress_block_size": 32,
        "compress_stride": 16,
        "select_block_size": 32,
        "select_block_count": 2,
        "actual_seq_qlen": Q_ENDS,
        "actual_cmp_seq_kvlen": CMP_ENDS,
        "actual_sel_seq_kvlen": SEL_ENDS,
        **change,
    }
    with pytest.raises(RuntimeError, match=text):
        ops.nsa_compress_attention(**given)


BLOCKS = np.random.RandomState(5).randint(-1, 4, (9, 2, 2)).astype(np.int32)
BLOCKS[:, :, 0] = 1
BLOCKS[0, 0] = (1, 1)  # a block twice


def select_attention(query, key, value, blocks=BLOCKS, size=3):
    parts = []
    for q, k in zip(slices(Q_ENDS), slices(CMP_ENDS)):
        length = k.stop - k.start

        def counts(s, n, q=q, length=length):
            found = np.zeros(length)
            for block in blocks[q][s, n]:
                if block >= 0:
                    found[block * size : (block + 1) * size] += 1
            return found

        parts.append(attention_of(query[q], key[k], value[k], 0.3, counts)[:3])
    return tuple(np.concatenate(p) for p in zip(*parts))


def test_nsa_select_attention():
    def call(q, k, v):
        return ops.nsa_select_attention(
            q, k, v, Tensor(BLOCKS), 0.3, 4, 3, 2, actual_seq_qlen=Q_ENDS, actual_seq_kvlen=CMP_ENDS
        )

    out, wanted = call(f32(QUERY), f32(KEY), f32(VALUE)), select_attention(QUERY, KEY, VALUE)
    assert_close(out[0], wanted[0])
    for got, w in zip(out[1:], wanted[1:]):
        assert_close(got, np.repeat(w[..., None], 8, -1))
    assert_gradients(
        lambda q, k, v: call(q, k, v)[0], (QUERY, KEY, VALUE), lambda q, k, v: select_attention(q, k, v)[0]
    )
    compiled = ms.jit(lambda q, k, v: call(q, k, v)[0])(f32(QUERY), f32(KEY), f32(VALUE))
    assert_close(compiled, wanted[0])


def test_nsa_select_attention_refuses():
    given = {"actual_seq_qlen": Q_ENDS, "actual_seq_kvlen": CMP_ENDS}
    with pytest.raises(ValueError, match="atten_mask"):
        ops.nsa_select_attention(
            f32(QUERY), f32(KEY), f32(VALUE), Tensor(BLOCKS), 0.3, 4, 3, 2, atten_mask=Tensor(MASK), **given
        )
    with pytest.raises(RuntimeError, match="topk_indices"):
        ops.nsa_select_attention(f32(QUERY), f32(KEY), f32(VALUE), Tensor(BLOCKS), 0.3, 4, 3, 3, **given)


# --- DeepSeek's sparse attention. Two sequences, of 3 queries and 8 keys and of 2 queries and 5 keys.
Q_LENGTHS, K_LENGTHS, HEADS, DIM, ROPE = (3, 2), (8, 5), 4, 6, 2
IQ, IK, IW = (
    [draw(10 + i, n, HEADS, DIM) for i, n in enumerate(Q_LENGTHS)],
    [draw(20 + i, n, DIM) for i, n in enumerate(K_LENGTHS)],
    [draw(30 + i, n, HEADS) for i, n in enumerate(Q_LENGTHS)],
)
IV = [draw(40 + i, n, DIM) for i, n in enumerate(K_LENGTHS)]
RQ, RK = (
    [draw(50 + i, n, HEADS, ROPE) for i, n in enumerate(Q_LENGTHS)],
    [draw(60 + i, n, ROPE) for i, n in enumerate(K_LENGTHS)],
)
LAYOUTS = ["BSND", "TND", "BSND/PA_BSND", "TND/PA_BSND"]


def padded(parts, length):
    """(B, length, ...) with what must not be read in the rows that are missing."""
    return np.stack([np.concatenate([p, np.full((length - len(p), *p.shape[1:]), 7.0)]) for p in parts])


def queries_in(layout, parts):
    return f32(np.concatenate(parts)) if layout.startswith("TND") else f32(padded(parts, 3))


def keys_in(layout, parts):
    parts = [p[:, None] for p in parts]
    if layout == "BSND":
        return f32(padded(parts, 8))
    if layout == "TND":
        return f32(np.concatenate(parts))
    pages = padded(parts, 8).reshape(
        4, 4, 1, -1
    )  # pages of four keys: of the first sequence 0 and 1, of the second 2 and 3
    return f32(pages[[1, 3, 0, 2]])


def settings(layout, key_name):
    running = {"TND": np.cumsum, "BSND": np.asarray}
    query_layout, _, key_layout = layout.partition("/")
    key_layout = key_layout or query_layout
    given = {
        "layout_query": query_layout,
        f"layout_{key_name}": key_layout,
        "actual_seq_lengths_query": Tensor(running[query_layout](Q_LENGTHS).astype(np.int32)),
        f"actual_seq_lengths_{key_name}": Tensor(
            (np.cumsum if key_layout == "TND" else np.asarray)(K_LENGTHS).astype(np.int32)
        ),
    }
    if key_layout == "PA_BSND":
        given["block_table"] = Tensor(np.array([[2, 0], [3, 1]], np.int32))
    return given


def results(layout, out):
    """Rows of each sequence of a result."""
    out = np.asarray(out.asnumpy(), np.float64)
    return [out[:3], out[3:]] if layout.startswith("TND") else [out[0], out[1, :2]]


@pytest.mark.parametrize("mode", [0, 3])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_lightning_indexer(layout, mode):
    count = 6
    found, values = ops.lightning_indexer(
        queries_in(layout, IQ),
        keys_in(layout, IK),
        queries_in(layout, IW),
        sparse_count=count,
        sparse_mode=mode,
        **settings(layout, "key"),
    )
    assert found.dtype == mstype.int32 and found.shape == values.shape == (
        (5, 1, count) if layout.startswith("TND") else (2, 3, 1, count)
    )
    for q, k, w, got, scores in zip(IQ, IK, IW, results(layout, found), results(layout, values)):
        for s in range(len(q)):
            seen = len(k) if mode == 0 else len(k) - len(q) + s + 1
            wanted = (w[s][:, None] * np.maximum(q[s] @ k[:seen].T, 0)).sum(0)
            order = np.argsort(-wanted, kind="stable")[:count]
            np.testing.assert_array_equal(got[s, 0, : len(order)], order)
            np.testing.assert_allclose(scores[s, 0, : len(order)], wanted[order], rtol=1e-4, atol=1e-5)
            assert (got[s, 0, len(order) :] == -1).all() and (scores[s, 0, len(order) :] == -np.inf).all()
    if layout.startswith("BSND"):
        assert (found.asnumpy()[1, 2] == -1).all()  # a query that the sequence does not have


def test_lightning_indexer_without_lengths_and_gradient():
    q, k, w = draw(0, 1, 3, 2, 4), draw(1, 1, 5, 1, 4), draw(2, 1, 3, 2)
    found, values = ops.lightning_indexer(f32(q), f32(k), f32(w), sparse_count=3, sparse_mode=0, return_value=True)

    def formula(q, k, w):
        score = np.einsum("bqn,bqnk->bqk", w, np.maximum(np.einsum("bqnd,bkd->bqnk", q, k[:, :, 0]), 0))
        return -np.sort(-score, -1)[..., None, :3]

    assert_close(values, formula(q, k, w))
    assert found.shape == (1, 3, 1, 3)
    assert_gradients(
        lambda a, b, c: ops.lightning_indexer(a, b, c, sparse_count=3, sparse_mode=0)[1], (q, k, w), formula
    )


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("mode", [0, 3])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_sparse_flash_attention(layout, mode, size):
    chosen = [
        np.random.RandomState(70 + i).randint(-1, -(-n // size), (len(q), 1, 5))
        for i, (n, q) in enumerate(zip(K_LENGTHS, IQ))
    ]
    indices = (
        np.concatenate(chosen)
        if layout.startswith("TND")
        else np.stack([chosen[0], np.concatenate([chosen[1], chosen[1][:1]])])
    )
    out, top, total = ops.sparse_flash_attention(
        queries_in(layout, IQ),
        keys_in(layout, IK),
        keys_in(layout, IV),
        Tensor(indices.astype(np.int32)),
        0.3,
        query_rope=queries_in(layout, RQ),
        key_rope=keys_in(layout, RK),
        sparse_block_size=size,
        sparse_mode=mode,
        attention_mode=2,
        **settings(layout, "kv"),
    )
    assert top.shape == total.shape == ((1, 5, HEADS) if layout.startswith("TND") else (2, 1, 3, HEADS))
    statistics = [
        [x[0, :3], x[0, 3:]] if layout.startswith("TND") else [x[0, 0], x[1, 0, :2]]
        for x in (top.asnumpy(), total.asnumpy())
    ]
    for i, got in enumerate(results(layout, out)):
        q, k, v = np.concatenate([IQ[i], RQ[i]], -1), np.concatenate([IK[i], RK[i]], -1)[:, None], IV[i][:, None]

        def counts(s, n, i=i):
            length, rows = K_LENGTHS[i], Q_LENGTHS[i]
            seen = length if mode == 0 else length - rows + s + 1
            found = np.zeros(length)
            for block in chosen[i][s, 0]:
                if block >= 0:
                    found[block * size : min((block + 1) * size, seen)] += 1
            return found

        wanted = attention_of(q, k, v, 0.3, counts)
        np.testing.assert_allclose(got, wanted[0], rtol=2e-4, atol=2e-5)
        seen = wanted[2] > 0
        for x, w in zip(statistics, wanted[1:3]):
            np.testing.assert_allclose(x[i][seen], w[seen], rtol=2e-4, atol=2e-5)


def test_sparse_flash_attention_gradient():
    q, k, v, rq, rk = (
        draw(0, 1, 2, 2, 3),
        draw(1, 1, 4, 1, 3),
        draw(2, 1, 4, 1, 3),
        draw(3, 1, 2, 2, 2),
        draw(4, 1, 4, 1, 2),
    )
    indices = np.array([[[[0, 2, 2]], [[3, 1, -1]]]], np.int32)

    def call(*t):
        return ops.sparse_flash_attention(
            t[0], t[1], t[2], Tensor(indices), 0.5, query_rope=t[3], key_rope=t[4], sparse_mode=0, attention_mode=2
        )[0]

    def formula(q, k, v, rq, rk):
        counts = [np.bincount(row[0][row[0] >= 0], minlength=4) * 1.0 for row in indices[0]]
        return attention_of(
            np.concatenate([q, rq], -1)[0], np.concatenate([k, rk], -1)[0], v[0], 0.5, lambda s, n: counts[s]
        )[0][None]

    assert_close(call(*map(f32, (q, k, v, rq, rk))), formula(q, k, v, rq, rk))
    assert_gradients(call, (q, k, v, rq, rk), formula)


@pytest.mark.parametrize(
    "change, error, text",
    [
        ({"attention_mode": 0}, RuntimeError, "attention_mode"),
        ({"query_rope": None}, RuntimeError, "query_rope"),
        ({"sparse_mode": 1}, RuntimeError, "sparse_mode"),
        ({"pre_tokens": 5}, RuntimeError, "pre_tokens"),
        ({"sparse_block_size": 3}, RuntimeError, "power of 2"),
        ({"layout_query": "BNSD"}, RuntimeError, "layout"),
        ({"layout_kv": "TND"}, RuntimeError, "layout"),
        ({"layout_kv": "PA_BSND", "actual_seq_lengths_kv": Tensor([4], mstype.int32)}, RuntimeError, "block_table"),
        ({"layout_kv": "PA_BSND", "block_table": Tensor([[0]], mstype.int32)}, RuntimeError, "lengths"),
        ({"value": Tensor(draw(2, 1, 4, 1, 3), mstype.float16)}, TypeError, "dtype"),
    ],
)
def test_sparse_flash_attention_refuses(change, error, text):
    given = {
        "query": f32(draw(0, 1, 2, 2, 3)),
        "key": f32(draw(1, 1, 4, 1, 3)),
        "value": f32(draw(2, 1, 4, 1, 3)),
        "sparse_indices": Tensor(np.zeros((1, 2, 1, 3), np.int32)),
        "scale_value": 0.5,
        "query_rope": f32(draw(3, 1, 2, 2, 2)),
        "key_rope": f32(draw(4, 1, 4, 1, 2)),
        "attention_mode": 2,
        **change,
    }
    with pytest.raises(error, match=text):
        ops.sparse_flash_attention(**given)


@pytest.mark.parametrize(
    "change, error, text",
    [
        ({"sparse_mode": 2}, RuntimeError, "sparse_mode"),
        ({"next_tokens": 1}, RuntimeError, "next_tokens"),
        ({"weights": f32(draw(2, 1, 3, 3))}, RuntimeError, "weights"),
        ({"key": f32(draw(1, 1, 5, 2, 4))}, RuntimeError, "one head"),
        ({"layout_key": "PA_BSND", "return_value": True}, ValueError, "return_value"),
        ({"sparse_count": 0}, RuntimeError, "sparse_count"),
    ],
)
def test_lightning_indexer_refuses(change, error, text):
    given = {
        "query": f32(draw(0, 1, 3, 2, 4)),
        "key": f32(draw(1, 1, 5, 1, 4)),
        "weights": f32(draw(2, 1, 3, 2)),
        **change,
    }
    with pytest.raises(error, match=text):
        ops.lightning_indexer(**given)


def test_long_inputs_are_computed_in_parts(monkeypatch):
    """The same results and gradients when the queries come in parts."""
    module = importlib.import_module("msjax.ops.attention.chosen_keys")
    sparse = [
        queries_in("TND", IQ),
        keys_in("TND", IK),
        keys_in("TND", IV),
        Tensor(np.tile(np.arange(3, dtype=np.int32), (5, 1, 1))),
    ]
    calls = {
        "nsa_select_attention": lambda q: ops.nsa_select_attention(
            q, f32(KEY), f32(VALUE), Tensor(BLOCKS), 0.3, 4, 3, 2, actual_seq_qlen=Q_ENDS, actual_seq_kvlen=CMP_ENDS
        ),
        "nsa_compress_attention": lambda q: ops.nsa_compress_attention(
            q,
            f32(KEY),
            f32(VALUE),
            0.4,
            4,
            32,
            16,
            32,
            2,
            topk_mask=Tensor(FORCED),
            atten_mask=Tensor(MASK),
            actual_seq_qlen=Q_ENDS,
            actual_cmp_seq_kvlen=CMP_ENDS,
            actual_sel_seq_kvlen=SEL_ENDS,
        ),
        "sparse_flash_attention": lambda q: ops.sparse_flash_attention(
            *sparse,
            0.3,
            attention_mode=2,
            query_rope=queries_in("TND", RQ),
            key_rope=keys_in("TND", RK),
            **settings("TND", "kv"),
        ),
        "lightning_indexer": lambda q: ops.lightning_indexer(
            sparse[0], sparse[1], queries_in("TND", IW), sparse_count=4, **settings("TND", "key")
        ),
    }

    def run():
        found = [x.asnumpy() for call in calls.values() for x in call(f32(QUERY))]
        return [*found, ms.grad(lambda q: calls["nsa_select_attention"](q)[0].sum())(f32(QUERY)).asnumpy()]

    wanted = run()
    monkeypatch.setattr(module, "_MOST", 60)
    for name in calls:  # what was compiled before holds all scores at a time
        monkeypatch.setattr(records[name], "_forward", {})
    for a, b in zip(run(), wanted):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
