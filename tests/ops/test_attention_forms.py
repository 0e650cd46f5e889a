"""Attention in blocks and by the kernels of other devices gives what the one formula gives: values and gradients."""

import importlib

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

import msjax
from msjax.core.above import above

kernels, accelerators = (importlib.import_module(f"msjax.ops.attention.{n}") for n in ("kernels", "accelerators"))
Bias, Hidden, Kept = kernels.Bias, kernels.Hidden, kernels.Kept
B, N, S, K, D = 2, 4, 23, 29, 8


def draw(*shape, seed=0):
    return jnp.asarray(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def bools(*shape):
    return jnp.asarray(np.random.RandomState(5).rand(*shape) < 0.3)


def attend(*inputs, **named):
    return kernels.attend(kernels.Inputs(*inputs, **named))


ROW = np.arange(S, dtype=np.int32)
CASES = {
    "plain": {},
    "causal": dict(hidden=Hidden(ROW, causal=True)),
    "a band": dict(hidden=Hidden(ROW + 3, ROW - 2)),
    "behind a prefix": dict(hidden=Hidden(ROW, prefix=jnp.asarray([2, 9]).reshape(2, 1, 1, 1))),
    "sequences": dict(hidden=Hidden(row=jnp.arange(S) // 9, column=jnp.arange(K) // 9)),
    "sequences, causal": dict(
        hidden=Hidden(jnp.arange(S) % 9, place=jnp.arange(K) % 9, row=jnp.arange(S) // 9, column=jnp.arange(K) // 9)
    ),
    "masks": dict(hidden=Hidden(dense=(bools(S, K), bools(B, 1, 1, K), bools(B, N, S, K)))),
    "hidden rows": dict(hidden=Hidden(dense=(jnp.zeros((B, N, S, K), bool).at[1, 2, 5].set(True),))),
    "biases": dict(biases=[Bias(draw(B, N, S, K, seed=7), 0.5), Bias(draw(N, 1, K, seed=8)), Bias(draw(S, K, seed=9))]),
    "dropout by bits": dict(
        kept=Kept(0.7, bits=jnp.asarray(np.random.RandomState(3).randint(0, 256, (B, N, S, 4)), jnp.uint8))
    ),
    "dropout": dict(kept=Kept(0.7, key=jax.random.key(3)), hidden=Hidden(ROW, causal=True)),
}


def values_and_gradients(attend, options, lengths=(S, K), heads=2):
    arrays = [
        draw(B, n, length, D, seed=i)
        for i, (n, length) in enumerate(zip((N, heads, heads), (lengths[0], *lengths[1:] * 2)))
    ]
    given = [b.array for b in options.get("biases", ())]

    def run(arrays, given):
        biases = [b._replace(array=a) for a, b in zip(given, options.get("biases", ()))]
        return attend(*arrays, 0.3, **{**options, "biases": biases})

    def both(arrays, given):
        out, pull = jax.vjp(run, arrays, given)
        return out, pull(jax.tree.map(lambda v: jnp.cos(jnp.arange(v.size, dtype=v.dtype)).reshape(v.shape), out))

    return jax.tree.leaves(jax.jit(both)(arrays, given))


EACH = ("behind a prefix", "masks", "biases", "dropout by bits", "dropout")  # a sequence's part of them is taken


@pytest.mark.parametrize("name, together", [*((n, True) for n in CASES), *((n, False) for n in EACH)])
def test_blocks(name, together, monkeypatch):
    rows, block = (4, 4 * B * N * K) if together else (8, 100)
    wanted = values_and_gradients(attend, CASES[name])
    for key, value in dict(_MOST=0, _BLOCK=block, _ROWS=rows).items():
        monkeypatch.setattr(kernels, key, value)
    for found, plain in zip(values_and_gradients(attend, CASES[name]), wanted, strict=True):
        np.testing.assert_allclose(found, plain, rtol=1e-4, atol=1e-5)


def test_memory_grows_with_the_length():
    def loss(q, k, v, length):
        return attend(q, k, v, 0.125, hidden=Hidden(np.arange(length, dtype=np.int32)))[0].sum()

    def bytes_of(length):
        x = jax.ShapeDtypeStruct((1, 1, length, 64), jnp.float32)
        return jax.jit(jax.grad(loss, (0, 1, 2)), static_argnums=3).lower(x, x, x, length).compile().memory_analysis()

    at = {length: bytes_of(length).temp_size_in_bytes for length in (4096, 16384)}
    assert at[16384] < 200e6 and at[16384] < 6 * at[4096]


TPU = {
    "causal": CASES["causal"],
    "sequences, hidden rows": dict(hidden=CASES["sequences"]["hidden"].also(*CASES["hidden rows"]["hidden"].dense)),
    "a band, masks, biases": dict(
        hidden=CASES["a band"]["hidden"].also(*CASES["masks"]["hidden"].dense), biases=CASES["biases"]["biases"]
    ),
}


@pytest.mark.parametrize("name", TPU)
def test_the_kernel_of_tpu(name):
    from jax.experimental.pallas import tpu

    options = TPU[name]
    wanted = values_and_gradients(lambda *a, **k: attend(*a, **k)[0], options)
    with tpu.force_tpu_interpret_mode():
        found = values_and_gradients(
            lambda q, k, v, scale, biases, hidden=Hidden(): accelerators.on_tpu(q, k, v, scale, biases, hidden), options
        )
    for ours, plain in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, plain, rtol=1e-3, atol=1e-3)


def test_which_kernel(monkeypatch):
    monkeypatch.setattr(accelerators, "present_device", lambda: device)
    half = [jnp.zeros((1, 2, 256, 64), jnp.bfloat16)] * 3
    single = [x.astype(jnp.float32) for x in half]
    causal, kept = Hidden(np.arange(256), causal=True), Kept(0.9, key=jax.random.key(0))
    for device, backend, inputs, dropout, wanted in (
        ("CPU", "cpu", half, None, None),
        ("TPU", "cpu", half, None, accelerators.on_tpu),
        ("TPU", "cpu", [x[:, :, :64] for x in half], None, None),  # too short
        ("TPU", "cpu", half, kept, None),
        ("GPU", "gpu", half, None, accelerators.by_cudnn),
        ("GPU", "cpu", half, None, None),  # lowered where no such device is
        ("GPU", "gpu", single, None, None),
        ("GPU", "gpu", half, kept, None),
    ):
        monkeypatch.setattr(accelerators, "_cudnn_is_there", lambda backend=backend: backend == "gpu")
        assert accelerators.kernel(*inputs, causal, (), dropout) is wanted
    with above.answering(is_apart=lambda: True):
        assert accelerators.kernel(*half, causal, (), None) is None


def test_which_masks_are_known_to_be_causal():
    later, row = np.triu(np.ones((S, S)), 1), np.arange(S)
    for mask in (later.astype(bool), jnp.asarray(later, bool)[None, None], np.broadcast_to(later, (B, 1, S, S))):
        biases, hidden = kernels.recognised([Bias(draw(S, S))], Hidden(dense=(mask,)), S, S)
        assert hidden.causal and not hidden.dense and len(biases) == 1
    for bias in (
        later.astype(bool),
        later * np.float32(-1e9),
        np.where(later, -np.inf, 0),
        (later * -1e9).astype(jnp.bfloat16),
    ):
        assert kernels.recognised([Bias(jnp.asarray(bias))], Hidden(), S, S)[1].causal
    assert not kernels.recognised([Bias(jnp.asarray(later * -3.0))], Hidden(), S, S)[1].causal
    others = [
        (Hidden(dense=(later.T.astype(bool),)), S),
        (Hidden(row + 1, dense=(later,)), S),
        (Hidden(dense=(later,)), S - 1),
    ]
    assert not any(kernels.recognised([], hidden, queries, S)[1].causal for hidden, queries in others)
    given = jax.make_jaxpr(lambda m: kernels.recognised([], Hidden(dense=(m,)), S, S)[1].dense[0])(later)  # not known
    assert len(given.jaxpr.outvars) == 1


def test_layers_without_weights(monkeypatch):
    x = Tensor(np.random.RandomState(0).randn(3, 7, 16).astype(np.float32))
    later = Tensor(np.triu(np.ones((7, 7)), 1).astype(bool))
    padding = Tensor(np.arange(7) >= np.array([[7], [5], [4]]))
    net = nn.MultiheadAttention(16, 4, batch_first=True, add_zero_attn=True)

    def gradient():
        return ms.grad(lambda x: (net(x, x, x, padding, False, later)[0] ** 2).sum())(x)

    plain = gradient().asnumpy()
    monkeypatch.setattr(kernels, "_MOST", 0)
    np.testing.assert_allclose(gradient().asnumpy(), plain, rtol=1e-4, atol=1e-5)


def test_fused_kernels_in_programs_for_tpu():
    q = Tensor(np.zeros((1, 2, 256, 64)), ms.bfloat16)

    def loss(q):
        out = ops.flash_attention_score(q, q, q, 2, input_layout="BNSD", scalar_value=0.125, sparse_mode=2)
        return out.astype(ms.float32).sum()

    text = msjax.lower(lambda q: ms.grad(loss)(q), q, platforms="tpu")
    assert text.count("tpu_custom_call") == 3  # forward, gradient of the query, of key and value

    def parts(q):  # as MindFormers has it: what is not used of it is not computed
        attention = ops.auto_generate.FlashAttentionScore(2, 1.0, 0.125, 2147483647, 0, 0, "BNSD", 0)
        return attention(q, q, q, None, None, None, Tensor(np.triu(np.ones((256, 256), np.uint8), 1)))[3]

    text = msjax.lower(parts, q, platforms="tpu")
    assert text.count("tpu_custom_call") == 1 and "256x256xf32" not in text.replace("tensor<1x2x256x256xf32>", "")
    x = Tensor(np.zeros((2, 128, 32), np.float32))
    text = msjax.lower(nn.TransformerEncoderLayer(32, 2, 64, 0.0, batch_first=True), x, platforms="tpu")
    assert text.count("tpu_custom_call") == 1
