"""Kernels that MindSpore has on Ascend devices alone: grouped products, routing of tokens, numbers of 8 bits. What is expected is NumPy's."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops
from mindspore.ops import auto_generate as kernels
from mindspore.ops.function import math_func

MODES = pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "graph"])
LAST = [2, 6, 6, 9]  # the row after the last of each group; the third has none, and one row belongs to none
BOUNDS = list(zip([0, *LAST], LAST))


def draw(seed, *shape):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


X, W, B = draw(0, 10, 5), draw(1, 4, 5, 3), draw(2, 4, 3)
GROUPED = np.concatenate([X[a:b] @ W[e] for e, (a, b) in enumerate(BOUNDS)] + [np.zeros((1, 3), np.float32)])
WITH_BIAS = GROUPED + np.repeat(np.vstack([B, np.zeros((1, 3))]), [2, 4, 0, 3, 1], axis=0)


def assert_near(got, wanted, rtol=1e-5):
    assert got.shape == wanted.shape
    np.testing.assert_allclose(got.float().asnumpy(), wanted, rtol=rtol, atol=rtol)


# --- grouped products
@MODES
@pytest.mark.parametrize("groups", [LAST, Tensor(LAST), Tensor(np.diff([0, *LAST]))], ids=["ints", "ends", "counts"])
def test_gmm_multiplies_groups_of_rows(run, groups):
    counts = isinstance(groups, Tensor) and groups.asnumpy().tolist() != LAST
    out = run(lambda x, w: math_func.gmm([x], [w], group_list=groups, group_list_type=int(counts))[0])(
        Tensor(X), Tensor(W)
    )
    assert_near(out, GROUPED)


def test_gmm_of_groups_of_columns():
    out = math_func.gmm([Tensor(X).T], [Tensor(GROUPED)], group_list=Tensor(LAST), group_type=2)[0]
    assert_near(out, np.stack([X[a:b].T @ GROUPED[a:b] for a, b in BOUNDS]))
    with pytest.raises(ValueError, match="group_type"):
        math_func.gmm([Tensor(X)], [Tensor(W)], group_list=LAST, group_type=1)


def test_gradients_of_gmm_are_those_of_its_operators():
    def loss(x, w):
        return (math_func.gmm([x], [w], group_list=Tensor(LAST))[0] * Tensor(GROUPED)).sum()

    of_x, of_w = ms.grad(loss, (0, 1))(Tensor(X), Tensor(W))
    assert_near(of_x, np.concatenate([GROUPED[a:b] @ W[e].T for e, (a, b) in enumerate(BOUNDS)] + [np.zeros((1, 5))]))
    assert_near(of_w, np.stack([X[a:b].T @ GROUPED[a:b] for a, b in BOUNDS]))
    given = [Tensor(GROUPED)], [Tensor(X)], [Tensor(W)]
    (again_x,), (again_w,), _ = math_func.gmm_backward(*given, group_list=Tensor(LAST))
    flat = kernels.GmmBackward()(*given, Tensor(LAST))
    (alone,), *_ = math_func.gmm_backward_fusion(given[0], given[2], group_list=Tensor(LAST))
    for got, wanted in ((again_x, of_x), (again_w, of_w), (flat[0], of_x), (flat[1], of_w), (alone, of_x)):
        assert_near(got, wanted.asnumpy())


def test_gmm_has_gradients_of_every_order():
    """Those of sum(gmm(x, w) ** 3) are those of the products written out."""

    def out(x, w):
        return math_func.gmm([x], [w], group_list=Tensor(LAST))[0][:9]

    def plain(x, w):
        return ops.cat([x[a:b] @ w[e] for e, (a, b) in enumerate(BOUNDS) if a < b])

    def second(product):
        first = ms.grad(lambda x, w: (product(x, w) ** 3).sum(), 1)
        return ms.grad(lambda x, w: (first(x, w) ** 2).sum(), (0, 1))(Tensor(X), Tensor(W))

    for got, wanted in zip(second(out), second(plain), strict=True):
        assert_near(got, wanted.asnumpy(), 1e-3)


@MODES
def test_grouped_matmul_of_pairs_and_of_groups(run):
    pairs = run(lambda a, b, w: kernels.GroupedMatmul()([a, b], [w, w], None))(Tensor(X), Tensor(X[:2]), Tensor(W[0]))
    assert_near(pairs[0], X @ W[0])
    assert_near(pairs[1], X[:2] @ W[0])
    call = kernels.GroupedMatmul(3, 0)
    (out,) = run(lambda x, w, b, g: call([x], [w], [b], None, None, None, None, g))(
        Tensor(X), Tensor(W), Tensor(B), Tensor(LAST)
    )
    assert_near(out, WITH_BIAS)
    (turned,) = kernels.GroupedMatmul(3, 0, False, True)(
        [Tensor(X)], [Tensor(W.transpose(0, 2, 1))], group_list=Tensor(LAST)
    )
    assert_near(turned, GROUPED)


def test_grouped_matmul_with_weights_of_8_bits():
    weight = np.random.RandomState(3).randint(-128, 128, (4, 5, 3)).astype(np.int8)
    scale, offset = np.abs(draw(4, 4, 3)).astype(np.float16) / 50, draw(5, 4, 3).astype(np.float16)
    real = (weight.astype(np.float32) + offset[:, None]) * scale[:, None]
    (out,) = ops.auto_generate.grouped_matmul_v2(
        [Tensor(X.astype(np.float16))],
        [Tensor(weight)],
        antiquant_scale=[Tensor(scale)],
        antiquant_offset=[Tensor(offset)],
        group_list=Tensor(LAST),
        split_item=3,
        group_type=0,
    )
    assert out.dtype == ms.float16
    assert_near(out[:9], np.concatenate([X[a:b] @ real[e] for e, (a, b) in enumerate(BOUNDS)]), 2e-2)
    x8 = np.random.RandomState(6).randint(-128, 128, (10, 5)).astype(np.int8)
    columns, rows = np.abs(draw(7, 4, 3)), np.abs(draw(8, 10))
    (exact,) = kernels.grouped_matmul_v4(
        [Tensor(x8)],
        [Tensor(weight)],
        scale=[Tensor(columns)],
        pre_token_scale=[Tensor(rows)],
        group_list=Tensor(np.diff([0, *LAST])),
        split_item=3,
        group_type=0,
        group_list_type=1,
        output_dtype=ms.float32,
    )
    whole = [
        x8[a:b].astype(int) @ weight[e].astype(int) * columns[e] * rows[a:b, None] for e, (a, b) in enumerate(BOUNDS)
    ]
    assert_near(exact[:9], np.concatenate(whole).astype(np.float32), 1e-6)


def test_grouped_matmul_says_what_it_takes():
    with pytest.raises(TypeError, match="'split_item' and 'group_type' must be 0 and -1"):
        kernels.grouped_matmul([Tensor(X)], [Tensor(W)], group_list=Tensor(LAST), split_item=0, group_type=0)
    with pytest.raises(TypeError, match="'group_list' must be given"):
        kernels.grouped_matmul([Tensor(X)], [Tensor(W)], split_item=3, group_type=0)
    with pytest.raises(ValueError, match="'act_type' must be 0"):
        kernels.grouped_matmul_v4([Tensor(X)], [Tensor(W[0])], act_type=1)


def test_products_that_are_added_in_place():
    out = Tensor(draw(9, 4 * 5, 3))
    before = out.asnumpy().copy()
    result = kernels.grouped_matmul_add_(Tensor(X), Tensor(GROUPED), Tensor(LAST), out)
    wanted = before + np.concatenate([X[a:b].T @ GROUPED[a:b] for a, b in BOUNDS])
    assert_near(result, wanted)
    assert_near(out, wanted)
    c = Tensor(draw(10, 5, 3))
    wanted = c.asnumpy() + X.T @ GROUPED
    kernels.matmul_add_(Tensor(X), Tensor(GROUPED), c)
    assert_near(c, wanted)


def test_feed_forward_of_experts():
    def fast_gelu(x):
        return x / (1 + np.exp(-1.702 * x))

    w2, b1, b2 = draw(11, 4, 3, 5), draw(12, 4, 3), draw(13, 4, 5)
    out = kernels.FFNExt("fastgelu", 1)(Tensor(X), Tensor(W), Tensor(w2), Tensor([2, 4, 0, 4]), Tensor(b1), Tensor(b2))
    wanted = [
        fast_gelu(X[a:b] @ W[e] + b1[e]) @ w2[e] + b2[e] for e, (a, b) in enumerate(zip([0, 2, 6, 6], [2, 6, 6, 10]))
    ]
    assert_near(out, np.concatenate(wanted))
    assert_near(
        kernels.FFNExt("relu")(Tensor(X[None]), Tensor(W[0]), Tensor(w2[0])), (np.maximum(X @ W[0], 0) @ w2[0])[None]
    )
    with pytest.raises(ValueError, match="'activation' must be one of"):
        ops.auto_generate.FFNExt("sine")(Tensor(X), Tensor(W[0]), Tensor(w2[0]))


# --- which experts, and in what order
SCORES = draw(14, 6, 8)
SOFTMAX = np.exp(SCORES) / np.exp(SCORES).sum(-1, keepdims=True)
BEST = np.argsort(-SOFTMAX, axis=-1, kind="stable")[:, :2]


@MODES
def test_gating(run):
    finished = np.array([0, 1, 0, 0, 1, 0], bool)
    top, experts, places = run(lambda x, f: kernels.MoeGatingTopKSoftmax()(x, f, 2))(Tensor(SCORES), Tensor(finished))
    assert_near(top, np.take_along_axis(SOFTMAX, BEST, -1))
    np.testing.assert_array_equal(experts.asnumpy(), np.where(finished[:, None], 8, BEST))
    np.testing.assert_array_equal(places.asnumpy(), np.arange(12).reshape(2, 6).T)
    assert experts.dtype == ms.int32 and places.dtype == ms.int32


def test_tokens_go_to_their_experts_and_come_back():
    x = draw(15, 6, 4)
    scales, experts, places = kernels.MoeGatingTopKSoftmax()(Tensor(SCORES), None, 2)
    by_expert, rows, numbers = kernels.MoeInitRouting()(Tensor(x), places, experts, 6)
    order = np.argsort(BEST.ravel(), kind="stable")
    assert_near(by_expert, x[order // 2])
    np.testing.assert_array_equal(numbers.asnumpy(), BEST.ravel()[order])
    ends = kernels.MoeComputeExpertTokens()(numbers, 8)
    np.testing.assert_array_equal(ends.asnumpy(), np.searchsorted(BEST.ravel()[order], np.arange(8), side="right"))
    weight, bias, skip = draw(16, 8, 4, 4), draw(17, 8, 4), draw(18, 6, 4)
    made = math_func.gmm([by_expert], [Tensor(weight)], group_list=ends)[0]
    out = kernels.MoeFinalizeRouting()(made, Tensor(skip), None, Tensor(bias), scales, rows, experts)
    wanted = skip + sum(
        SOFTMAX[np.arange(6), BEST[:, k], None] * (np.einsum("th,thj->tj", x, weight[BEST[:, k]]) + bias[BEST[:, k]])
        for k in range(2)
    )
    assert_near(out, wanted)


def test_groups_of_experts_are_chosen_first():
    bias = draw(19, 8) / 10
    weights, experts = kernels.FusedAddTopKDiv()(Tensor(SCORES), Tensor(bias), 4, 2, 2, 3, 0, True, 2.5)
    sigmoid = 1 / (1 + np.exp(-SCORES))
    for t in range(6):
        biased = sigmoid[t] + bias
        groups = np.argsort(-biased.reshape(4, 2).sum(1), kind="stable")[:2]
        allowed = [e for e in np.argsort(-biased, kind="stable") if e // 2 in groups][:3]
        assert experts.asnumpy()[t].tolist() == allowed
        assert_near(weights[t], sigmoid[t][allowed] / sigmoid[t][allowed].sum() * 2.5)
    with pytest.raises(ValueError, match="'is_norm' True"):
        kernels.FusedAddTopKDiv()(Tensor(SCORES), Tensor(bias), 4, 2, 2, 3, 0, False)


def routed(experts, counts, capacity, expert_num, by_choice):
    tokens, choices = experts.shape
    dispatch, combine, used = np.zeros((expert_num, capacity), int), np.zeros_like(experts), [0] * expert_num
    order = [(t, k) for k in range(choices) for t in range(tokens)] if by_choice else list(np.ndindex(tokens, choices))
    for t, k in order:
        e = experts[t, k]
        combine[t, k] = e * (capacity + 1)
        if counts[t, k] and used[e] < capacity:
            dispatch[e, used[e]] = t + 1
            used[e] += 1
            combine[t, k] += used[e]
    return dispatch, combine


@MODES
@pytest.mark.parametrize("by_choice", [0, 1])
def test_routers_give_each_expert_so_many_tokens(run, by_choice):
    experts = np.random.RandomState(20).randint(0, 4, (2, 10, 2)).astype(np.int32)
    probabilities = np.random.RandomState(21).rand(2, 10, 2).astype(np.float32)
    by_rank = run(lambda x: kernels.TopKRouter()(x, 3, 4, by_choice))(Tensor(experts))
    by_sum = run(lambda x, p: kernels.TopPRouter()(x, 3, 4, by_choice, 0.7, p))(Tensor(experts), Tensor(probabilities))
    for row in range(2):
        for (dispatch, combine), counts in (
            (by_rank, np.ones((10, 2), bool)),
            (by_sum, np.cumsum(probabilities[row], 1) < 0.7),
        ):
            wanted = routed(experts[row], counts, 3, 4, by_choice)
            np.testing.assert_array_equal(dispatch.asnumpy()[row], wanted[0])
            np.testing.assert_array_equal(combine.asnumpy()[row], wanted[1])


# --- numbers of 8 bits
@pytest.mark.parametrize(
    "mode,rounding", [("ROUND", np.round), ("Floor", np.floor), ("CEIL", np.ceil), ("TRUNC", np.trunc)]
)
def test_quant_v2(mode, rounding):
    scale, offset = draw(22, 5), draw(23, 5)
    out = kernels.QuantV2()(Tensor(X), Tensor(scale), Tensor(offset), False, mode, ms.int8)
    np.testing.assert_array_equal(out.asnumpy(), rounding(X * scale + offset).astype(np.int8))
    loud = kernels.QuantV2()(Tensor([100.0, -150.0]), Tensor([80.0, 40.0]), Tensor([0.0, 2.0]))
    assert loud.asnumpy().tolist() == [127, -128] and loud.dtype == ms.int8
    with pytest.raises(ValueError, match="'rounding_mode' must be one of"):
        kernels.QuantV2()(Tensor(X), Tensor(scale), Tensor(offset), False, "UP")


def test_dynamic_quant():
    smooth = np.abs(draw(24, 5))
    quantized, scale = kernels.DynamicQuantExt()(Tensor(X), Tensor(smooth))
    wanted = np.abs(X * smooth).max(-1) / 127
    assert_near(scale, wanted)
    np.testing.assert_allclose(quantized.asnumpy(), np.round(X * smooth / wanted[:, None]), atol=1)
    zero, _ = kernels.DynamicQuantExt()(Tensor(np.zeros((2, 3), np.float32)))
    assert not zero.asnumpy().any()


def test_quant_batch_matmul_is_exact_until_it_is_scaled():
    rng = np.random.RandomState(25)
    a, b = (rng.randint(-128, 128, s).astype(np.int8) for s in ((2, 4, 600), (600, 3)))
    bias, scale, rows = rng.randint(-99, 99, 3).astype(np.int32), np.abs(draw(26, 3)) / 1e4, np.abs(draw(27, 4))
    bits = scale.view(np.uint32).astype(np.int64)
    exact = (a.astype(np.int64) @ b.astype(np.int64) + bias) * scale.astype(np.float64)
    out = kernels.QuantBatchMatmul(False, True, ms.float16)(
        Tensor(a), Tensor(np.ascontiguousarray(b.T)), Tensor(bits), None, Tensor(bias)
    )
    assert out.dtype == ms.float16
    assert_near(out, exact, 1e-3)
    half = kernels.quant_batch_matmul(
        Tensor(a), Tensor(b), Tensor(scale), bias=Tensor(bias), pertokenScaleOptional=Tensor(rows), dtype=ms.bfloat16
    )
    assert_near(half, exact * rows[:, None], 1e-2)
    small = kernels.quant_batch_matmul(Tensor(a), Tensor(b), Tensor(scale), Tensor([1.0]), Tensor(bias), dtype=ms.int8)
    np.testing.assert_allclose(small.asnumpy(), np.clip(np.round(exact + 1), -128, 127), atol=1)


@pytest.mark.parametrize("group", [0, 2])
@pytest.mark.parametrize("turned", [False, True])
def test_weight_quant_batch_matmul(group, turned):
    weight = np.random.RandomState(28).randint(-128, 128, (6, 3)).astype(np.int8)
    shape = (3, 3) if group else (3,)
    scale, offset, bias, x = np.abs(draw(29, *shape)) / 99, draw(30, *shape), draw(31, 3), draw(32, 2, 4, 6)
    spread = (lambda a: np.repeat(a, 2, axis=0)) if group else (lambda a: a)
    wanted = x @ ((weight + spread(offset)) * spread(scale)) + bias
    given = [np.ascontiguousarray(a.T) if turned and a.ndim == 2 else a for a in (weight, scale, offset)]
    call = kernels.WeightQuantBatchMatmul(False, turned, group)
    assert_near(call(Tensor(x), *map(Tensor, given), None, None, Tensor(bias)), wanted, 1e-4)


# --- caches and attention
@pytest.mark.parametrize("axis", [-1, -2])
def test_kv_cache_scatter_update_changes_the_cache(axis):
    cache, places = draw(33, 2, 3, 5, 4), np.array([2, 0])
    new = draw(34, 2, 3, *((5, 1) if axis == -1 else (1, 4)))
    wanted = cache.copy()
    for b, place in enumerate(places):
        wanted[(b, slice(None), *((slice(None), place) if axis == -1 else (place,)))] = new[b].squeeze(axis)
    held = Tensor(cache)
    assert_near(kernels.KVCacheScatterUpdate()(held, Tensor(places), Tensor(new), axis, "update"), wanted)
    assert_near(held, wanted)


def test_attention_of_inference_as_primitives():
    q, k, v = (Tensor(draw(s, 1, 4, 8)) for s in (35, 36, 37))
    prompt = kernels.PromptFlashAttention(num_heads=2, scale_value=0.5)(q, k, v)
    assert_near(prompt, ops.prompt_flash_attention(q, k, v, num_heads=2, scale_value=0.5).asnumpy())
    step = kernels.IncreFlashAttention(2, "BSH", 0.5)(q[:, :1], [k], [v])
    assert_near(step, ops.incre_flash_attention(q[:, :1], [k], [v], num_heads=2, scale_value=0.5).asnumpy())
    both, sums = kernels.FusedInferAttentionScore(2, 0.5, softmax_lse_flag=True)(q, [k], [v])
    wanted = ops.fused_infer_attention_score(q, [k], [v], num_heads=2, scale=0.5, softmax_lse_flag=True)
    assert_near(both, wanted[0].asnumpy())
    assert_near(sums, wanted[1].asnumpy())
