"""Expert routing, attention with caches, FusedAdaFactor, the embedding cache, and operators around the user's own code."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, ops
from mindspore import dtype as mstype
from ops_formulas import assert_gradient, attention_of


def draw(seed, *shape):
    return np.random.RandomState(seed).randn(*shape)


def f32(x):
    return Tensor(np.asarray(x, np.float32))


# --- mixture of experts
X, IDS, SCALES = draw(0, 4, 3), np.array([[2, 0], [0, 3], [2, 3], [3, 0]], np.int32), np.abs(draw(1, 4, 2))
PAIRS = [(t, k) for e in range(5) for t in range(4) for k in range(2) if IDS[t, k] == e]  # the order of the experts


def test_dispatch_puts_tokens_in_the_order_of_experts():
    out = ops.moe_distribute_dispatch(
        f32(X), Tensor(IDS), 1, 0, 5, expert_scales=f32(SCALES), group_ep="hccl_world_group"
    )
    np.testing.assert_allclose(out[0].asnumpy(), np.float32([X[t] for t, _ in PAIRS]))
    assert out[1].shape == (8,) and out[1].dtype == mstype.float32
    seen, ranks = {}, []
    for expert in IDS.ravel():
        ranks.append(seen.setdefault(expert, 0))
        seen[expert] += 1
    assert out[2].dtype == mstype.int32 and out[2].asnumpy().tolist() == ranks
    assert out[3].dtype == mstype.int64 and out[3].asnumpy().tolist() == [3, 3, 5, 8, 8]
    assert out[4].dtype == mstype.int32 and out[4].asnumpy().tolist() == [3, 0, 2, 3, 0]
    assert out[5].shape == (1,)
    np.testing.assert_allclose(out[6].asnumpy(), np.float32([SCALES[p] for p in PAIRS]))
    counts = ops.moe_distribute_dispatch(f32(X), Tensor(IDS), 1, 0, 5, expert_token_nums_type=1)[3]
    assert counts.asnumpy().tolist() == [3, 0, 2, 3, 0]


def routed(x, scales, factors):
    return np.array([sum(scales[t, k] * x[t] * factors[IDS[t, k]] for k in range(2)) for t in range(4)])


def test_combine_sums_what_the_experts_made():
    factors = np.arange(1.0, 6)
    weight = draw(3, 4, 3)

    def call(x, scales):
        out = ops.moe_distribute_dispatch(x, Tensor(IDS), 1, 0, 5)
        made = out[0] * f32([factors[IDS[p]] for p in PAIRS])[:, None]
        return ops.moe_distribute_combine(
            made, Tensor(IDS), out[2], out[4], scales, 1, 0, 5, group_ep="hccl_world_group"
        )

    wanted = routed(X, SCALES, factors)
    np.testing.assert_allclose(call(f32(X), f32(SCALES)).asnumpy(), wanted, rtol=1e-5)
    np.testing.assert_allclose(ms.jit(call)(f32(X), f32(SCALES)).asnumpy(), wanted, rtol=1e-5)
    dx, ds = ms.grad(lambda x, s: (call(x, s) * f32(weight)).sum(), (0, 1))(f32(X), f32(SCALES))
    assert_gradient(dx, lambda v: (routed(v, SCALES, factors) * weight).sum(), X)
    assert_gradient(ds, lambda v: (routed(X, v, factors) * weight).sum(), SCALES)


@pytest.mark.parametrize(
    "change, error, text",
    [
        ({"ep_world_size": 16}, RuntimeError, "one process"),
        ({"ep_rank_id": 1}, RuntimeError, "one process"),
        ({"tp_world_size": 2}, RuntimeError, "one process"),
        ({"quant_mode": 2}, RuntimeError, "quant_mode"),
        ({"scales": f32(SCALES)}, RuntimeError, "scales"),
        ({"shared_expert_num": 1}, RuntimeError, "shared_expert_num"),
        ({"global_bs": 5}, ValueError, "global_bs"),
        ({"expert_token_nums_type": 2}, ValueError, "expert_token_nums_type"),
        ({"expert_ids": Tensor(IDS[:3])}, ValueError, "expert_ids"),
        ({"expert_ids": Tensor(IDS - 1)}, ValueError, "-1 to 2"),
        ({"expert_ids": Tensor(IDS + 2)}, ValueError, "2 to 5"),
        ({"moe_expert_num": 1, "expert_ids": Tensor(IDS * 0)}, ValueError, "as many experts as choices"),
    ],
)
def test_dispatch_refuses(change, error, text):
    given = {"x": f32(X), "expert_ids": Tensor(IDS), "ep_world_size": 1, "ep_rank_id": 0, "moe_expert_num": 5, **change}
    with pytest.raises(error, match=text):
        ops.moe_distribute_dispatch(**given)


@pytest.mark.parametrize(
    "change, error, text",
    [
        ({"ep_world_size": 8}, RuntimeError, "one process"),
        ({"common_quant_mode": 2}, RuntimeError, "common_quant_mode"),
        ({"activate_scale": f32(SCALES)}, RuntimeError, "activate_scale"),
        ({"expert_scales": f32(SCALES[:3])}, ValueError, "weight"),
    ],
)
def test_combine_refuses(change, error, text):
    given = {
        "expand_x": f32(draw(0, 8, 3)),
        "expert_ids": Tensor(IDS),
        "expand_idx": Tensor(np.zeros(8, np.int32)),
        "ep_send_counts": Tensor(np.zeros(5, np.int32)),
        "expert_scales": f32(SCALES),
        "ep_world_size": 1,
        "ep_rank_id": 0,
        "moe_expert_num": 5,
        **change,
    }
    with pytest.raises(error, match=text):
        ops.moe_distribute_combine(**given)


@pytest.mark.parametrize("k, inner", [(2, 1), (1, 2), (3, 3), (4, 2)])
def test_group_topk_keeps_the_best_groups(k, inner):
    scores = np.abs(draw(4, 5, 12))
    wanted = scores.reshape(5, 4, 3).copy()
    for row in wanted:
        groups = np.sort(row, -1)[:, -inner:].sum(-1)
        row[np.argsort(-groups, kind="stable")[k:]] = 0
    token, numbers = Parameter(f32(scores), name="token"), Tensor(np.arange(1024, dtype=np.int32))
    out = ops.GroupTopk()(token, numbers, 4, k, inner)
    for found in (token, out):
        np.testing.assert_allclose(found.asnumpy(), wanted.reshape(5, 12).astype(np.float32))
    for arguments in ((5, 1, 1), (4, 5, 1), (4, 1, 4)):
        with pytest.raises(ValueError, match="GroupTopk"):
            ops.GroupTopk()(token, numbers, *arguments)


# --- attention
def flash(q, k, v):
    """(2, 3, 4) queries of two sequences with two heads, causal."""
    out = [
        attention_of(*(x[b].reshape(3, 2, 2) for x in (q, k, v)), 0.7, lambda s, n: np.arange(3) <= s) for b in range(2)
    ]
    return np.stack([o[0].reshape(3, 4) for o in out]), [np.stack([o[i].T for o in out]) for i in (1, 2)]


@pytest.mark.parametrize("path", ["ops", "nn_ops", "auto_generate"])
def test_flash_attention_score_under_all_its_paths(path):
    from mindspore.ops import auto_generate
    from mindspore.ops.operations import nn_ops

    made = {"ops": ops, "nn_ops": nn_ops, "auto_generate": auto_generate}[path].FlashAttentionScore(
        head_num=2, scale_value=0.7, input_layout="BSH", sparse_mode=2
    )
    q, k, v = (draw(i, 2, 3, 4) for i in (5, 6, 7))
    top, total, empty, out = made(f32(q), f32(k), f32(v), None, None, None, None, None)
    wanted, statistics = flash(q, k, v)
    np.testing.assert_allclose(out.asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    assert top.shape == total.shape == (2, 2, 3, 8) and empty.shape == (1,) and top.dtype == mstype.float32
    for found, w in zip((top, total), statistics):
        np.testing.assert_allclose(found.asnumpy(), np.repeat(w[..., None], 8, -1), rtol=1e-4, atol=1e-5)
    weight = draw(8, 2, 3, 4)
    found = ms.grad(lambda *t: (made(*t)[3] * f32(weight)).sum(), (0, 1, 2))(f32(q), f32(k), f32(v))
    arrays = [q, k, v]
    for i, got in enumerate(found):
        assert_gradient(got, lambda x, i=i: (flash(*arrays[:i], x, *arrays[i + 1 :])[0] * weight).sum(), arrays[i])


def test_flash_attention_score_of_a_row_of_tokens():
    q, k, v = (draw(i, 5, 2, 4) for i in (5, 6, 7))
    ends = Tensor([2, 5], mstype.int32)
    top, _, _, out = ops.FlashAttentionScore(2, scale_value=0.5, input_layout="TND", sparse_mode=3)(
        f32(q), f32(k), f32(v), actual_seq_qlen=ends, actual_seq_kvlen=ends
    )
    for part in (slice(0, 2), slice(2, 5)):
        wanted = attention_of(
            q[part], k[part], v[part], 0.5, lambda s, n, part=part: np.arange(part.stop - part.start) <= s
        )
        np.testing.assert_allclose(out.asnumpy()[part], wanted[0], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(top.asnumpy()[part][..., 0], wanted[1], rtol=1e-4, atol=1e-5)


def test_position_terms_before_and_after_the_scaling():
    q, k, v = (draw(i, 1, 2, 3, 4) for i in (5, 6, 7))
    bias = draw(8, 1, 2, 3, 3)

    def formula(before, after):
        scores = 0.5 * (np.einsum("bnqd,bnkd->bnqk", q, k) + before) + after
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True) @ v

    given = f32(q), f32(k), f32(v)
    for found, wanted in (
        (
            ops.flash_attention_score(*given, 2, real_shift=f32(bias), scalar_value=0.5, input_layout="BNSD"),
            formula(bias, 0),
        ),
        (ops.FlashAttentionScore(2, scale_value=0.5, input_layout="BNSD")(*given, f32(bias))[3], formula(bias, 0)),
        (ops.speed_fusion_attention(*given, 2, "BNSD", pse=f32(bias), scale=0.5)[0], formula(bias, 0)),
        (ops.speed_fusion_attention(*given, 2, "BNSD", pse=f32(bias), scale=0.5, pse_type=0)[0], formula(0, bias)),
    ):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="pse_type"):
        ops.speed_fusion_attention(*given, 2, "BNSD", pse=f32([1.0, 2.0]), pse_type=2)


LENGTHS, TABLE = np.array([5, 3], np.int32), np.array([[2, 0], [1, -1]], np.int32)
PAGED_Q, PAGES_K, PAGES_V = draw(0, 2, 4, 6), draw(1, 3, 3, 2, 6), draw(2, 3, 3, 2, 6)


def paged(bias=None, hidden=None, values=PAGES_V):
    out = []
    for b, length in enumerate(LENGTHS):
        k, v = (np.concatenate([pages[max(p, 0)] for p in TABLE[b]])[:length] for pages in (PAGES_K, values))
        rows = []
        for n in range(4):
            scores = k[:, n // 2] @ PAGED_Q[b, n] * 0.3 + (0 if bias is None else bias[b, n, 0, :length])
            weights = np.exp(scores - scores.max()) * (1 if hidden is None else ~hidden[b, :length])
            rows.append(weights / weights.sum() @ v[:, n // 2])
        out.append(rows)
    return np.array(out)


@pytest.mark.parametrize("keys", [5, 6, 8])
@pytest.mark.parametrize("flat", [False, True])
def test_paged_attention_mask(keys, flat):
    bias = draw(3, 2, 4, 1, keys)
    query, caches = (
        f32(PAGED_Q.reshape(2, 1, 24) if flat else PAGED_Q),
        [f32(c.reshape(3, 3, 12) if flat else c) for c in (PAGES_K, PAGES_V)],
    )
    made = ops.PagedAttentionMask(4, 0.3, 2)
    out = made(query, *caches, Tensor(TABLE), Tensor(LENGTHS), alibi_mask=f32(bias))
    assert out.shape == query.shape
    np.testing.assert_allclose(out.asnumpy().reshape(2, 4, 6), paged(bias), rtol=1e-4, atol=1e-5)
    out = made(query, *caches, Tensor(TABLE), Tensor(LENGTHS))
    np.testing.assert_allclose(out.asnumpy().reshape(2, 4, 6), paged(), rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match=r"must have 2 \* 12 elements"):
        made(query, *caches, Tensor(TABLE), Tensor(LENGTHS), f32(bias))


def test_paged_attention():
    call = ops.PagedAttention(4, 0.3, 2)
    given = f32(PAGED_Q), f32(PAGES_K), f32(PAGES_V), Tensor(TABLE), Tensor(LENGTHS)
    np.testing.assert_allclose(call(*given).asnumpy(), paged(), rtol=1e-4, atol=1e-5)
    hidden = np.zeros((2, 6), bool)
    hidden[:, 1] = True
    np.testing.assert_allclose(
        call(*given, attn_mask=f32(hidden)).asnumpy(), paged(hidden=hidden), rtol=1e-4, atol=1e-5
    )
    bias = draw(4, 2, 6)
    wanted = paged(np.broadcast_to(bias[:, None, None], (2, 4, 1, 6)))
    np.testing.assert_allclose(call(*given, alibi_mask=f32(bias)).asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    latent = ops.PagedAttention(4, 0.3, 2, mla_v_dim=3)(*given[:2], None, *given[3:])
    np.testing.assert_allclose(latent.asnumpy(), paged(values=PAGES_K)[..., :3], rtol=1e-4, atol=1e-5)
    dq = ms.grad(lambda q: call(q, *given[1:]).sum())(given[0])
    assert dq.shape == (2, 4, 6) and np.isfinite(dq.asnumpy()).all()
    for change, text in (
        ({"antiquant_scale": given[0]}, r"must have 2 \* 12 elements"),
        ({"antiquant_offset": given[0]}, "needs an 'antiquant_scale'"),
        ({"block_tables": None}, "block_tables"),
        ({"context_lens": None, "q_seq_lens": Tensor([1, 1])}, "context_lens"),
    ):
        with pytest.raises(ValueError, match=text):
            call(
                **{**dict(zip(("query", "key_cache", "value_cache", "block_tables", "context_lens"), given)), **change}
            )
    with pytest.raises(ValueError, match="'MASK_DEFAULT' or 'TRAPEZOIDAL', but got 'OTHER'"):
        ops.PagedAttention(4, 0.3, 2, mask_mode="OTHER")(*given)


def test_paged_attention_of_several_tokens_a_sequence():
    """The tokens of sequence b are the last ones of its context; without a mask they see all of it."""
    counts, tokens = np.array([2, 3], np.int32), draw(5, 5, 4, 6)
    given = f32(PAGES_K), f32(PAGES_V), Tensor(TABLE), Tensor(LENGTHS), None, None, None, Tensor(counts)

    def plain(causal):
        out, token = [], 0
        for b, (count, length) in enumerate(zip(counts, LENGTHS)):
            k, v = (np.concatenate([pages[max(p, 0)] for p in TABLE[b]]) for pages in (PAGES_K, PAGES_V))
            for i in range(count):
                seen = length - count + i + 1 if causal else length
                for n in range(4):
                    scores = k[:seen, n // 2] @ tokens[token, n] * 0.3
                    weights = np.exp(scores - scores.max())
                    out.append(weights / weights.sum() @ v[:seen, n // 2])
                token += 1
        return np.array(out).reshape(5, 4, 6)

    whole = ops.PagedAttention(4, 0.3, 2)(f32(tokens), *given)
    np.testing.assert_allclose(whole.asnumpy(), plain(False), rtol=1e-4, atol=1e-5)
    later = ops.PagedAttention(4, 0.3, 2, mask_mode="TRAPEZOIDAL")(f32(tokens.reshape(5, 24)), *given)
    np.testing.assert_allclose(later.asnumpy().reshape(5, 4, 6), plain(True), rtol=1e-4, atol=1e-5)
    mask = np.zeros((5, 5), np.float32)
    for token, seen in enumerate((4, 5, 1, 2, 3)):
        mask[token, seen:] = 1
    masked = ops.PagedAttention(4, 0.3, 2)(f32(tokens), *given[:6], f32(mask), given[7])
    np.testing.assert_allclose(masked.asnumpy(), plain(True), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("mode", ["DEFAULT", "PERTOKEN"])
@pytest.mark.parametrize("bits", [False, True])
def test_paged_attention_over_a_cache_of_int8(mode, bits):
    random = np.random.default_rng(3)
    keys, values = random.integers(-127, 128, (2, 3, 3, 2, 6)).astype(np.int8)
    size = 12 if mode == "DEFAULT" else 9
    scale = random.uniform(0.005, 0.02, (2, size)).astype(np.float32)
    offset = random.integers(-3, 4, (2, size)).astype(np.int32)
    shape = (1, 1, 2, 6) if mode == "DEFAULT" else (3, 3, 1, 1)
    restored = [
        ((c.astype(np.float32) + offset[i].reshape(shape)) * scale[i].reshape(shape)).astype(np.float32)
        for i, c in enumerate((keys, values))
    ]
    stored = Tensor(scale.view(np.int32).astype(np.int64)) if bits else f32(scale)
    where = Tensor(TABLE), Tensor(LENGTHS)
    got = ops.PagedAttention(4, 0.3, 2, mode)(
        f32(PAGED_Q), Tensor(keys), Tensor(values), *where, stored, Tensor(offset)
    )
    want = ops.PagedAttention(4, 0.3, 2)(f32(PAGED_Q), *map(f32, restored), *where)
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5, atol=1e-6)
    got = ops.PagedAttentionMask(4, 0.3, 2, mode)(
        f32(PAGED_Q), Tensor(keys), Tensor(values), *where, stored, Tensor(offset)
    )
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5, atol=1e-6)


def test_keys_alone_are_put_into_their_cache():
    cache, keys = ms.Parameter(f32(np.zeros((2, 2, 1, 3)))), draw(6, 3, 1, 3)
    put = ops.ReshapeAndCache()
    put(f32(keys), None, cache, None, Tensor([3, -1, 0], ms.int32))
    want = np.zeros((4, 1, 3), np.float32)
    want[3], want[0] = keys[0], keys[2]
    np.testing.assert_array_equal(cache.asnumpy(), want.reshape(2, 2, 1, 3))
    for wrong, text in (
        ((f32(keys), f32(keys), cache, None, Tensor([0, 1, 2])), "both be given or both be None"),
        ((f32(keys), None, cache, None, Tensor([0, 1])), "a slot for each token, but got 2 slots"),
        ((f32(keys), None, cache, None, None), "'slot_mapping' must be given"),
    ):
        with pytest.raises(ValueError, match=text):
            put(*wrong)


# --- FusedAdaFactor
def ada_factor(state, grad, scale, moment, decays, eps, clip, b1, b2, decay, rate):
    """The step of Shazeer and Stern (2018), as MindSpore's CPU kernel was measured to do it."""
    p, mean, row, column, full = state
    square = grad**2 + eps[0]
    if p.ndim > 1:
        row, column = row * b2 + square.mean(-1) * (1 - b2), column * b2 + square.mean(-2) * (1 - b2)
        second = (row / row.mean(-1, keepdims=True))[..., None] * column[..., None, :]
    else:
        second = full = full * b2 + square * (1 - b2)
    update = grad / np.sqrt(second)
    rate = rate * max(eps[1], np.sqrt((p**2).mean())) if scale else rate
    update = rate * update / max(1, np.sqrt((update**2).mean()) / clip)
    if moment:
        update = mean = mean * b1 + update * (1 - b1)
    return p * (1 - decay * rate if decays else 1) - update, mean, row, column, full


@pytest.mark.parametrize("shape", [(2, 3, 2), (4,), (3, 5)])
@pytest.mark.parametrize("flags", [(False, False, False), (True, True, True), (False, True, False)])
@pytest.mark.parametrize("norm", [None, 2.0])
def test_fused_ada_factor(shape, flags, norm):
    state = [
        draw(0, *shape),
        0.1 * draw(1, *shape),
        *(np.abs(draw(2 + i, *s)) + 0.1 for i, s in enumerate((shape[:-1], shape[:-2] + shape[-1:], shape))),
    ]
    state = [np.float64(np.float32(x)) for x in state]
    grad = np.float64(np.float32(draw(7, *shape)))
    params = [Parameter(f32(x), name=f"p{i}") for i, x in enumerate(state)]
    numbers = ((1e-30, 1e-3), 0.8, 0.9, 0.8, 1e-2, 0.03)
    if norm is None:
        out = ops.FusedAdaFactor(*flags)(*numbers, f32(grad), *params)
    else:
        out = ops.FusedAdaFactorWithGlobalNorm(*flags)(*numbers, f32(grad), *params, Tensor(norm, mstype.float32))
    wanted = ada_factor(state, grad / (norm or 1), *flags, *numbers)
    for found, w in zip(params, wanted):
        np.testing.assert_allclose(found.asnumpy(), w, rtol=1e-5, atol=1e-6)
    assert out.shape == shape
    with pytest.raises(ValueError, match="gradient"):
        ops.FusedAdaFactor()(*numbers, f32(grad[:1]), *params)


# --- the embedding cache: what MindSpore 2.10 gave on CPU
CACHES = [
    (
        [
            [34, 7, 1, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [2, 1, 2, 1],
            [23, 2, 1, 2],
            [28, 5, 2, 2],
            [0, 0, 0, 0],
            [38, 3, 0, 1],
            [17, 4, 2, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [19, 6, 1, 1],
            [0, 0, 0, 0],
            [3, 0, 1, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ],
        [17, 28, 42, 13, 28, 19],
        4,
        42,
        0,
        [[4, 5, -1, 1, 5, 6], [2], [13], [1]],
        [
            [34, 7, 1, 1],
            [13, 1, 4, 2],
            [0, 0, 0, 0],
            [23, 2, 1, 1],
            [28, 5, 4, 1],
            [28, 5, 4, 0],
            [0, 0, 0, 0],
            [38, 3, 0, 1],
            [17, 4, 4, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [19, 6, 4, 1],
            [0, 0, 0, 0],
            [3, 0, 1, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ],
    ),
    (
        [
            [0, 0, 0, 0],
            [18, 6, 1, 1],
            [0, 0, 0, 0],
            [2, 3, 0, 1],
            [0, 0, 0, 0],
            [20, 4, 2, 1],
            [12, 1, 2, 1],
            [33, 2, 0, 2],
            [30, 0, 2, 1],
            [17, 5, 0, 2],
            [7, 7, 2, 6],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ],
        [16, 7, 24, 11, 12, 18],
        4,
        42,
        0,
        [[3, 7, 4, 2, 1, 6], [2, 20, 33], [16, 24, 11], [3, 4, 2]],
        [
            [0, 0, 0, 0],
            [18, 6, 4, 1],
            [0, 0, 0, 0],
            [2, 3, 0, 0],
            [0, 0, 0, 0],
            [7, 7, 4, 1],
            [12, 1, 4, 1],
            [33, 2, 0, 0],
            [30, 0, 2, 1],
            [17, 5, 0, 2],
            [7, 7, 4, 0],
            [0, 0, 0, 0],
            [11, 2, 4, 1],
            [24, 4, 4, 1],
            [16, 3, 4, 1],
            [0, 0, 0, 0],
        ],
    ),
    (
        [
            [21, 7, 2, 2],
            [0, 0, 0, 0],
            [31, 1, 0, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [20, 2, 0, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [9, 4, 0, 1],
            [22, 5, 1, 1],
            [0, 0, 0, 0],
            [19, 0, 2, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [29, 6, 1, 1],
            [8, 3, 0, 1],
        ],
        [7, 5, 33, 36, 21, 20],
        4,
        42,
        3,
        [[4, 2, 5, 0, 1, 6], [9, 20, 22, 19, 31, 29], [4, 2, 30, 33, 18, 17], [4, 2, 5, 0, 1, 6]],
        [
            [21, 7, 2, 2],
            [18, 1, 4, 1],
            [31, 1, 0, 0],
            [2, 2, 4, 1],
            [0, 0, 0, 0],
            [20, 2, 0, 0],
            [33, 0, 4, 1],
            [4, 4, 4, 1],
            [30, 5, 4, 1],
            [17, 6, 4, 2],
            [0, 0, 0, 0],
            [19, 0, 2, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [29, 6, 1, 0],
            [8, 3, 0, 1],
        ],
    ),
]


@pytest.mark.parametrize("table, indices, step, most, first, results, after", CACHES)
def test_map_cache_idx(table, indices, step, most, first, results, after):
    hashmap = Parameter(Tensor(np.array(table, np.int32)), name="hashmap")
    settings = [Tensor([v], mstype.int32) for v in (step, most, first)]
    found = ops.MapCacheIdx()(hashmap, Tensor(np.array(indices, np.int32)), *settings)
    assert [f.asnumpy().tolist() for f in found] == results and all(f.dtype == mstype.int32 for f in found)
    assert hashmap.asnumpy().tolist() == after


def test_map_cache_idx_refuses():
    used = Parameter(Tensor(np.array([[1, 0, 3, 1]] * 4, np.int32)), name="used")
    numbers = [Tensor([v], mstype.int32) for v in (4, 42, 0)]
    with pytest.raises(RuntimeError, match="full"):
        ops.MapCacheIdx()(used, Tensor([7], mstype.int32), *numbers)
    with pytest.raises(ValueError, match="hashmap"):
        ops.MapCacheIdx()(Tensor(np.zeros((4, 3), np.int32)), Tensor([7], mstype.int32), *numbers)
    with pytest.raises(TypeError, match="ints"):
        ops.MapCacheIdx()(used, Tensor([7], mstype.int64), *numbers)


def test_there_is_no_parameter_server():
    with pytest.raises(RuntimeError, match="no parameter server"):
        ops.Push("ApplyMomentum", [0])((Tensor([1.0]),), ((1,),))
    with pytest.raises(RuntimeError, match="no parameter server"):
        ops.Pull()(Tensor([1]), Tensor([1.0]))


# --- the user's own code
def double_plus(x, y):
    return x * 2 + y


def triple_gradient(x, y, out, dout):
    return dout * 3, dout + 0 * out


def test_morph_is_its_function():
    x, y = f32([1.0, 2.0]), f32([3.0, 4.0])
    for bprop, factor in ((None, 2), (triple_gradient, 3)):
        call = ops.Morph(double_plus, lambda *shapes: shapes[0], lambda *dtypes: dtypes[0], bprop)
        for run in (call, ms.jit(lambda a, b, call=call: call(a, b))):
            np.testing.assert_array_equal(run(x, y).asnumpy(), [5, 8])
            np.testing.assert_array_equal(call(y=y, x=x).asnumpy(), [5, 8])
            dx, dy = ms.grad(lambda a, b, run=run: run(a, b).sum(), (0, 1))(x, y)
            assert dx.asnumpy().tolist() == [factor] * 2 and dy.asnumpy().tolist() == [1, 1]
    with pytest.raises(ValueError, match="defaults"):
        ops.Morph(lambda x, y=1: x, abs, abs, triple_gradient)
    with pytest.raises(TypeError, match="infer_shape"):
        ops.Morph(double_plus, 1, abs)


def test_dump_gradient_saves_what_comes_back(tmp_path):
    dump = ops.DumpGradient()

    def call(x, y):
        return dump(str(tmp_path / "x_dout.npy"), x, "out") * y

    dx, dy = ms.grad(call, (0, 1))(Tensor(1.0, mstype.float32), Tensor(2.0, mstype.float32))
    assert dx.asnumpy() == 2 and dy.asnumpy() == 1
    (saved,) = tmp_path.glob("x_dout_float32_*.npy")
    assert np.load(saved) == 2
    for arguments, error in (
        (("", Tensor(1.0), "in"), ValueError),
        (("p", 1.0, "in"), TypeError),
        (("p", Tensor(1.0), "up"), ValueError),
    ):
        with pytest.raises(error):
            dump(*arguments)


def test_custom_op_builder_describes_and_points_elsewhere():
    made = ops.CustomOpBuilder(
        "mine", ("a.cpp", "b.cpp"), backend="CPU", include_paths="/inc", cflags="-O3", ldflags="-lm", build_dir="/tmp/x"
    )
    assert made.get_sources() == ["a.cpp", "b.cpp"] and made.get_include_paths() == ["/inc"]
    assert (
        made.get_cflags()[-1] == "-O3"
        and "-std=c++17" in made.get_cflags()
        and made.get_ldflags() == ["-shared", "-lm"]
    )
    for call in (made.build, made.load):
        with pytest.raises(RuntimeError, match="msjax.register_op"):
            call()
    for keywords, error in (
        ({"name": 1}, TypeError),
        ({"backend": "GPU"}, ValueError),
        ({"sources": [1]}, TypeError),
        ({"backend": "CPU", "enable_atb": True}, ValueError),
        ({"debug_mode": 1}, TypeError),
    ):
        with pytest.raises(error, match="CustomOpBuilder"):
            ops.CustomOpBuilder(**{"name": "mine", "sources": "a.cpp", **keywords})
