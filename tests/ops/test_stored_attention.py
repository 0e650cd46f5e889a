"""Attention of inference with keys in pages, of 8 bits, and at the end of their arrays, beside the formula in NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops

MODES = pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "graph"])
B, N, KV, D, S, PAGE = 2, 4, 2, 8, 12, 4


def attended(q, k, v, scale, seen, mask=None):
    """(B, N, S, D) of a query and keys (B, heads, S, D). seen: (B, keys) bool."""
    k, v = (np.repeat(a.astype(np.float64), N // KV, 1) for a in (k, v))
    scores = q.astype(np.float64) @ k.swapaxes(-1, -2) * scale
    hidden = ~seen[:, None, None] if mask is None else ~seen[:, None, None] | mask
    scores = np.where(hidden, -np.inf, scores)
    shares = np.exp(scores - scores.max(-1, keepdims=True, initial=-1e30))
    total = shares.sum(-1, keepdims=True)
    return (shares / np.where(total == 0, 1, total)) @ v


def laid(x, layout):
    """(B, N, S, D) in the layout."""
    x = x if layout == "BNSD" else x.swapaxes(1, 2)
    return Tensor(np.ascontiguousarray(x.reshape(*x.shape[:2], -1) if layout == "BSH" else x))


def plain(x, layout):
    x = x.asnumpy()
    return x if layout == "BNSD" else x.reshape(*x.shape[:2], N, D).swapaxes(1, 2)


def in_pages(x, layout, random):
    """(pages, table) of (B, N, S, D): shuffled, with one page that belongs to none."""
    table = random.permutation(B * S // PAGE + 1)[: B * S // PAGE].reshape(B, -1)
    blocks = x.reshape(B, KV, -1, PAGE, D).transpose(0, 2, 1, 3, 4)
    pages = np.full((table.size + 1, KV, PAGE, D), 99, x.dtype)
    pages[table.reshape(-1)] = blocks.reshape(-1, KV, PAGE, D)
    if layout != "BNSD":
        pages = pages.swapaxes(1, 2)
    return Tensor(np.ascontiguousarray(pages.reshape(*pages.shape[:2], -1) if layout == "BSH" else pages)), table


def drawn(seed, queries):
    random = np.random.RandomState(seed)
    q = random.randn(B, N, queries, D).astype(np.float32)
    k, v = (random.randint(-20, 21, (B, KV, S, D)).astype(np.int8) for _ in range(2))
    return random, q, k, v


@MODES
@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH"])
@pytest.mark.parametrize("mode", ["tensor", "channel", "token"])
@pytest.mark.parametrize("paged", [False, True], ids=["whole", "paged"])
def test_keys_of_8_bits(run, layout, mode, paged):
    random, q, k, v = drawn(0, 1)
    shape = {
        "tensor": (2,),
        "channel": {"BNSD": (2, KV, 1, D), "BSND": (2, KV, D), "BSH": (2, KV * D)}[layout],
        "token": (2, B, S),
    }[mode]
    scale, offset = (
        (random.rand(*shape) * 0.05 + 0.01).astype(np.float32),
        random.randint(-5, 6, shape).astype(np.float32),
    )
    wide = {"tensor": (2, 1, 1, 1, 1), "channel": (2, 1, KV, 1, D), "token": (2, B, 1, S, 1)}[mode]
    both = (np.stack([k, v]) + offset.reshape(wide)) * scale.reshape(wide)
    lengths = np.array([7, 12])
    wanted = attended(q, both[0], both[1], 0.3, np.arange(S) < lengths[:, None])
    (stored_k, table), (stored_v, _) = (
        (in_pages(a, layout, np.random.RandomState(4)) if paged else (laid(a, layout), None)) for a in (k, v)
    )
    given = {"block_table": Tensor(table.astype(np.int32)), "block_size": PAGE} if paged else {}
    given |= dict(num_heads=N, num_key_value_heads=KV, input_layout=layout)

    def fused(q, k, v, scale, offset):
        return ops.fused_infer_attention_score(
            q, [k], [v], actual_seq_lengths_kv=[7, 12], antiquant_scale=scale, antiquant_offset=offset, scale=0.3, antiquant_mode=int(mode == "token"),
            **given,
        )[0]  # fmt: skip

    def step(q, k, v, scale, offset):
        return ops.incre_flash_attention(
            q,
            [k],
            [v],
            actual_seq_lengths=[7, 12],
            antiquant_scale=scale,
            antiquant_offset=offset,
            scale_value=0.3,
            **given,
        )

    def apart(q, k, v, scale, offset):
        return ops.fused_infer_attention_score(
            q, [k], [v], actual_seq_lengths_kv=[7, 12], key_antiquant_scale=scale[0], key_antiquant_offset=offset[0],
            value_antiquant_scale=scale[1], value_antiquant_offset=offset[1], key_antiquant_mode=int(mode == "token"),
            value_antiquant_mode=int(mode == "token"), scale=0.3, **given,
        )[0]  # fmt: skip

    for function in (fused, apart, *(() if mode == "token" else (step,))):
        out = run(function)(laid(q, layout), stored_k, stored_v, Tensor(scale), Tensor(offset))
        np.testing.assert_allclose(plain(out, layout), wanted, rtol=1e-4, atol=1e-5)


@MODES
@pytest.mark.parametrize("layout", ["BNSD", "BSH"])
def test_what_counts_stands_at_the_end(run, layout):
    random, q, k, v = drawn(1, 5)
    k, v = (a.astype(np.float32) / 10 for a in (k, v))
    lengths, kv_lengths, place = np.array([3, 2]), np.array([6, 9]), np.arange(S)
    seen = (place >= S - 2 - kv_lengths[:, None]) & (place < S - 2)
    mask = random.rand(B, 1, 5, S) < 0.3
    rows = (np.arange(5) >= 4 - lengths[:, None]) & (np.arange(5) < 4)
    wanted = np.where(rows[:, None, :, None], attended(q, k, v, 0.5, seen, mask), 0)

    def prompt(q, k, v, mask):
        return ops.fused_infer_attention_score(
            q, [k], [v], atten_mask=mask, actual_seq_lengths=[3, 2], actual_seq_lengths_kv=[6, 9], query_padding_size=Tensor(1), scale=0.5,
            kv_padding_size=Tensor([2]), num_heads=N, num_key_value_heads=KV, input_layout=layout, sparse_mode=1,
        )[0]  # fmt: skip

    out = plain(run(prompt)(laid(q, layout), laid(k, layout), laid(v, layout), Tensor(mask)), layout)
    np.testing.assert_allclose(out[~np.isnan(wanted)], wanted[~np.isnan(wanted)], rtol=1e-4, atol=1e-5)

    def step(q, k, v, hidden):
        return ops.incre_flash_attention(
            q, [k], [v], attn_mask=hidden, actual_seq_lengths=[6, 11], kv_padding_size=Tensor(2), scale_value=0.5, num_heads=N,
            num_key_value_heads=KV, input_layout=layout,
        )  # fmt: skip

    out = plain(run(step)(laid(q[:, :, :1], layout), laid(k, layout), laid(v, layout), Tensor(mask[:, 0, 0])), layout)
    wanted = attended(
        q[:, :, :1], k, v, 0.5, seen & [[True], [False]], mask[:, :, :1]
    )  # the second begins before the array
    assert not out[1].any()
    np.testing.assert_allclose(out[0], wanted[0], rtol=1e-4, atol=1e-5)


@MODES
def test_attention_of_whole_numbers_and_outputs_of_8_bits(run):
    random, q, k, v = drawn(2, 5)
    q8 = random.randint(-20, 21, q.shape).astype(np.int8)
    once, between, after = np.float32(0.01), np.float32(127), np.float32(0.02)
    scores = q8.astype(np.int64) @ np.repeat(k, 2, 1).astype(np.int64).swapaxes(-1, -2) * np.float64(once) * 0.2
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    whole = np.round(shares / shares.sum(-1, keepdims=True) * between)
    wanted = whole @ np.repeat(v, 2, 1) * after
    given = dict(num_heads=N, num_key_value_heads=KV, input_layout="BNSD")
    scales = [Tensor(np.array([once]).view(np.uint32).astype(np.uint64)), Tensor([between]), Tensor([after])]

    def prompt(q, k, v, *scales):
        return ops.prompt_flash_attention(
            q,
            k,
            v,
            deq_scale1=scales[0],
            quant_scale1=scales[1],
            deq_scale2=scales[2],
            scale_value=0.2,
            next_tokens=2**31 - 1,
            **given,
        )

    out = run(prompt)(Tensor(q8), Tensor(k), Tensor(v), *scales)
    assert out.dtype == ms.float16
    # a share that lies between two whole numbers may be rounded to either
    assert np.abs(out.asnumpy() - wanted).max() <= 20 * after and np.abs(out.asnumpy() - wanted).mean() < 0.02
    kf, vf = (a.astype(np.float32) / 10 for a in (k, v))
    by_channel, shift = random.rand(N, D).astype(np.float32) * 30 + 5, random.randint(-3, 4, (N, D)).astype(np.float32)

    def small(q, k, v, scale, offset):
        return ops.fused_infer_attention_score(
            q, [k], [v], quant_scale2=scale, quant_offset2=offset, scale=0.2, **given
        )[0]

    out = run(small)(Tensor(q), Tensor(kf), Tensor(vf), Tensor(by_channel), Tensor(shift))
    exact = attended(q, kf, vf, 0.2, np.ones((B, S), bool)) * by_channel[:, None] + shift[:, None]
    assert out.dtype == ms.int8
    assert np.abs(out.asnumpy() - np.clip(exact, -128, 127)).max() <= 0.501


def test_what_does_not_fit_is_said():
    q, k = Tensor(np.ones((B, N, 1, D), np.float32)), Tensor(np.ones((B, KV, S, D), np.int8))
    given = dict(num_heads=N, num_key_value_heads=KV, input_layout="BNSD")
    with pytest.raises(ValueError, match="must have 1 or 16 elements in the mode 0"):
        ops.incre_flash_attention(q, [k], [k], antiquant_scale=Tensor(np.ones((2, 3), np.float32)), **given)
    with pytest.raises(ValueError, match="first axis of 2"):
        ops.fused_infer_attention_score(q, [k], [k], antiquant_scale=Tensor(np.ones((3, 3), np.float32)), **given)
    with pytest.raises(ValueError, match="needs 'dequant_scale1'"):
        ops.prompt_flash_attention(k, k, k, num_heads=KV, input_layout="BNSD")
    with pytest.raises(ValueError, match="'key_shared_prefix' is reserved"):
        ops.fused_infer_attention_score(q, [q], [q], key_shared_prefix=q, num_heads=N, input_layout="BNSD")
