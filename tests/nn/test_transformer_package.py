"""`mindspore.nn.transformer` of MindSpore 1.x: values against formulas in float64, names, incremental prediction."""

import importlib

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from mindspore.nn import transformer as tf

BATCH, STEPS, MEMORY, HIDDEN, HEADS, INNER = 2, 5, 7, 8, 2, 12
RANDOM = np.random.RandomState(3)
HALF = {"rtol": 4e-3, "atol": 4e-3}  # matrix products run in float16


def data(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def tensor(array, dtype=ms.float32):
    return Tensor(np.asarray(array), dtype)


def filled(net):
    """Evaluation, with fixed values in the Parameters; and they as a dict of float64 arrays."""
    random = np.random.RandomState(7)
    for x in net.get_parameters():
        if "past" not in x.name:
            x.set_data(tensor(random.uniform(-0.5, 0.5, x.shape)).astype(x.dtype))
    net.set_train(False)
    return net, {x.name: x.asnumpy().astype(np.float64) for x in net.get_parameters()}


# --- the formulas
def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, w, name):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * w[f"{name}.gamma"] + w[f"{name}.beta"]


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def attention(q, k, v, mask, w, name):
    def heads(x, i):
        x = x @ w[f"{name}dense{i}.weight"].T + w[f"{name}dense{i}.bias"]
        return x.reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    q, k, v = heads(q, 1), heads(k, 2), heads(v, 3)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(HIDDEN / HEADS) - 10000.0 * (1 - mask[:, None])
    out = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(q.shape[0], q.shape[2], HIDDEN)
    return out @ w[f"{name}projection.weight"] + w[f"{name}projection.bias"], (k.transpose(0, 1, 3, 2), v)


def feed_forward(x, w, name):
    inner = gelu(x @ w[f"{name}mapping.weight"] + w[f"{name}mapping.bias"])
    return inner @ w[f"{name}projection.weight"] + w[f"{name}projection.bias"]


def encoder_layer(x, mask, w, name="", post=False):
    n = layer_norm(x, w, f"{name}layernorm1")
    out, present = attention(n, n, n, mask, w, f"{name}attention.")
    x = (n if post else x) + out
    n = layer_norm(x, w, f"{name}layernorm2")
    return (n if post else x) + feed_forward(n, w, f"{name}output."), present


def decoder_layer(x, mask, memory, memory_mask, w, name=""):
    n = layer_norm(x, w, f"{name}layernorm1")
    out, present = attention(n, n, n, mask, w, f"{name}attention.")
    x = x + out
    out, crossed = attention(
        layer_norm(x, w, f"{name}cross_attention_layernorm"), memory, memory, memory_mask, w, f"{name}cross_attention."
    )
    x = x + out
    return x + feed_forward(layer_norm(x, w, f"{name}layernorm2"), w, f"{name}output."), (*present, *crossed)


def causal(batch=BATCH, steps=STEPS):
    return np.broadcast_to(np.tril(np.ones((steps, steps))), (batch, steps, steps))


# --- values
def test_attention_mask(mode):
    valid = np.array([[1, 1, 1, 0], [1, 0, 1, 1]], np.float32)
    found = tf.AttentionMask(4)(tensor(valid))
    np.testing.assert_array_equal(found.asnumpy(), valid[:, :, None] * valid[:, None] * np.tril(np.ones((4, 4))))
    assert found.dtype == ms.float32


def test_vocab_embedding(mode):
    net = tf.VocabEmbedding(6, 3)
    out, table = net(tensor([[1, 5], [0, 1]], ms.int32))
    np.testing.assert_array_equal(out.asnumpy(), net.embedding_table.asnumpy()[[[1, 5], [0, 1]]])
    assert table.shape == (6, 3) and [p.name for p in net.get_parameters()] == ["embedding_table"]


@pytest.mark.parametrize("flat", [False, True])
def test_multi_head_attention(mode, flat):
    net, w = filled(tf.MultiHeadAttention(BATCH, STEPS, MEMORY, HIDDEN, HEADS, compute_dtype=ms.float32))
    q, k, mask = data(BATCH, STEPS, HIDDEN), data(BATCH, MEMORY, HIDDEN), RANDOM.randint(0, 2, (BATCH, STEPS, MEMORY))
    mask[:, :, 0] = 1
    expected, kept = attention(q, k, k, mask, w, "")
    given = [tensor(x.reshape(-1, HIDDEN) if flat else x) for x in (q, k, k)]
    out, present = net(*given, tensor(mask))
    np.testing.assert_allclose(out.asnumpy().reshape(expected.shape), expected, rtol=1e-4, atol=2e-6)
    assert out.shape == given[0].shape and out.dtype == ms.float32
    for found, wanted in zip(present, kept, strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-4, atol=2e-6)


@pytest.mark.parametrize("post", [False, True])
def test_encoder(mode, post):
    net, w = filled(
        tf.TransformerEncoder(
            batch_size=BATCH,
            num_layers=2,
            hidden_size=HIDDEN,
            ffn_hidden_size=INNER,
            seq_length=STEPS,
            num_heads=HEADS,
            post_layernorm_residual=post,
        )
    )
    x, expected, presents = data(BATCH, STEPS, HIDDEN), None, []
    expected = x.astype(np.float64)
    for i in range(2):
        expected, present = encoder_layer(expected, causal(), w, f"{i}.", post)
        presents.append(present)
    out, past = net(tensor(x), tensor(causal(), ms.float16))
    np.testing.assert_allclose(out.asnumpy(), expected, **HALF)
    for found, wanted in zip(past, presents, strict=True):
        for a, b in zip(found, wanted, strict=True):
            assert a.dtype == ms.float16
            np.testing.assert_allclose(a.asnumpy(), b, **HALF)
    assert out.dtype == (ms.float16 if post else ms.float32)


def test_encoder_and_decoder(mode):
    net, w = filled(
        tf.Transformer(
            batch_size=BATCH,
            encoder_layers=1,
            decoder_layers=2,
            hidden_size=HIDDEN,
            ffn_hidden_size=INNER,
            src_seq_length=MEMORY,
            tgt_seq_length=STEPS,
            num_heads=HEADS,
        )
    )
    source, target, full = data(BATCH, MEMORY, HIDDEN), data(BATCH, STEPS, HIDDEN), np.ones((BATCH, STEPS, MEMORY))
    memory, _ = encoder_layer(source, np.ones((BATCH, MEMORY, MEMORY)), w, "encoder.blocks.0.")
    expected = target
    for i in range(2):
        expected, present = decoder_layer(expected, causal(), memory, full, w, f"decoder.blocks.{i}.")
    masks = [tensor(m, ms.float16) for m in (np.ones((BATCH, MEMORY, MEMORY)), causal(), full)]
    out, kept, decoded = net(tensor(source), masks[0], tensor(target), *masks[1:])
    np.testing.assert_allclose(out.asnumpy(), expected, **HALF)
    assert len(kept) == 1 and [len(x) for x in decoded] == [4, 4]
    np.testing.assert_allclose(decoded[1][3].asnumpy(), present[3], **HALF)


def test_feed_forward_and_linear(mode):
    net, w = filled(tf.FeedForward(HIDDEN, INNER, 0.1))
    x = data(BATCH, STEPS, HIDDEN)
    out = net(tensor(x))
    assert out.dtype == ms.float16
    np.testing.assert_allclose(out.asnumpy(), feed_forward(x, w, ""), **HALF)
    linear, w = filled(tf.layers._Linear(HIDDEN, 3, activation=nn.Tanh, compute_dtype=ms.float32))
    np.testing.assert_allclose(
        linear(tensor(x)).asnumpy(), np.tanh(x @ w["weight"].T + w["bias"]), rtol=1e-4, atol=1e-6
    )
    norm, w = filled(tf.layers._LayerNorm((1100,)))
    x = data(2, 1100)
    np.testing.assert_allclose(
        norm(tensor(x)).asnumpy(), layer_norm(x, {f"n.{k}": v for k, v in w.items()}, "n"), rtol=1e-4, atol=1e-5
    )


def test_cross_entropy(mode):
    logits, label, mask = 3 * data(6, 5), RANDOM.randint(0, 5, 6), np.array([1, 0, 1, 1, 1, 0], np.float32)
    prob, onehot = softmax(logits.astype(np.float64)), np.eye(5)[label]
    loss = tf.CrossEntropyLoss()
    given = tensor(label, ms.int32), tensor(mask)
    found, grad = ops.value_and_grad(lambda x: loss(x, *given).sum())(tensor(logits))
    expected = (-np.log((prob * onehot).sum(-1) + 1e-24) * mask).sum() / (mask.sum() + 1e-5)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(
        grad.asnumpy(), (prob - onehot) * mask[:, None] / (mask.sum() + 1e-5), rtol=1e-5, atol=1e-7
    )
    assert loss(tensor(logits), *given).shape == (1,)
    hopeless = ops.grad(lambda x: loss(x, tensor([0], ms.int32), tensor([1.0])).sum())(tensor([[0.0, 200.0]]))
    np.testing.assert_allclose(hopeless.asnumpy(), [[-1, 1]], rtol=2e-5)  # not 0, as that of log(0 + 1e-24)


def routed(scores, chosen, capacity):
    """The weights of TopkRouter, token by token."""
    groups, tokens, experts = scores.shape
    weights, used, loss = np.zeros((groups, tokens, experts, capacity)), np.zeros((groups, experts), int), 0.0
    prob = softmax(scores)
    for _ in range(chosen):
        best, normal = prob.argmax(-1), prob / prob.sum(-1, keepdims=True)
        loss += (np.eye(experts)[best].mean(1) * normal.mean(1)).mean() * experts**2
        left = prob.copy()
        for g in range(groups):
            for t in range(tokens):
                e = best[g, t]
                if used[g, e] < capacity:
                    weights[g, t, e, used[g, e]] = prob[g, t, e]
                    left[g, t, e] = 0
                used[g, e] += 1
            used[g] = np.minimum(used[g], capacity)
        prob = left
    return weights / (weights.sum((-1, -2), keepdims=True) + 1e-9), loss


@pytest.mark.parametrize(
    "mode_name, chosen, factor", [("PYNATIVE", 2, 1.0), ("GRAPH", 2, 1.0), ("GRAPH", 2, 4.0), ("GRAPH", 1, 1.1)]
)
def test_mixture_of_experts(mode_name, chosen, factor):
    ms.set_context(mode=getattr(ms, f"{mode_name}_MODE"))
    config = tf.MoEConfig(expert_num=3, capacity_factor=factor, num_experts_chosen=chosen)
    net, w = filled(tf.moe.MoE(HIDDEN, INNER, 0.1, moe_config=config))
    x = data(BATCH, STEPS, HIDDEN)
    tokens = x.reshape(1, -1, HIDDEN).astype(np.float64)
    capacity = tf.moe.calculate_expert_capacity(chosen, BATCH * STEPS, factor, 3)
    weights, loss = routed(tokens @ w["router.dense.weight"].T, chosen, capacity)
    expected = np.zeros_like(tokens[0])
    for e in range(3):
        part = {
            k[4:].split(".")[0] + "." + k.split(".")[-1]: v[e] if "weight" in k else v[0, e, 0]
            for k, v in w.items()
            if k.startswith("ffn")
        }
        expected += weights[0, :, e].sum(-1, keepdims=True) * feed_forward(tokens[0], part, "")
    out, aux_loss = net(tensor(x))
    np.testing.assert_allclose(out.asnumpy().reshape(expected.shape), expected, **HALF)
    np.testing.assert_allclose(aux_loss.asnumpy(), 0.05 * loss, rtol=1e-4)


# --- incremental prediction
def test_one_step_at_a_time_gives_what_the_whole_sequence_gives(mode):
    options = dict(
        batch_size=BATCH, num_layers=2, hidden_size=HIDDEN, ffn_hidden_size=INNER, seq_length=STEPS, num_heads=HEADS
    )
    whole, _ = filled(tf.TransformerEncoder(**options))
    net, _ = filled(tf.TransformerEncoder(**options, use_past=True))
    assert sorted(p.name for p in net.get_parameters() if "past" in p.name) == [
        f"{i}.{kind}_past" for i in range(2) for kind in ("key", "value")
    ]
    x, valid = data(BATCH, STEPS, HIDDEN), 3
    expected, past = whole(tensor(x), tensor(causal()))
    net.add_flags_recursive(is_first_iteration=True)
    padded = np.where(np.arange(STEPS)[:, None] < valid, x, 9.0)
    length = tensor([valid] * BATCH, ms.int32)
    first, _ = net(tensor(padded), tensor(causal()), tensor([False], ms.bool_), length)
    np.testing.assert_allclose(first.asnumpy()[:, :valid], expected.asnumpy()[:, :valid], **HALF)
    net.add_flags_recursive(is_first_iteration=False)
    for i in range(valid, STEPS):
        step, kept = net(tensor(x[:, i : i + 1]), tensor(np.ones((BATCH, 1, STEPS))), tensor([True], ms.bool_), length)
        np.testing.assert_allclose(step.asnumpy(), expected.asnumpy()[:, i : i + 1], **HALF)
    for a, b in zip(kept[1], past[1], strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), **HALF)
    np.testing.assert_allclose(net.blocks[0].key_past.asnumpy(), past[0][0].asnumpy(), **HALF)


# --- training
def test_gradients_against_differences(mode):
    net, w = filled(tf.MultiHeadAttention(BATCH, STEPS, STEPS, HIDDEN, HEADS, compute_dtype=ms.float32))
    x, sens = data(BATCH, STEPS, HIDDEN), data(BATCH, STEPS, HIDDEN)

    def loss(x):
        return (net(x, x, x, tensor(causal()))[0] * tensor(sens)).sum()

    dx, dw = ops.grad(loss, 0, net.trainable_params())(tensor(x))

    def formula(x, w):
        return (attention(x, x, x, causal(), w, "")[0] * sens).sum()

    names = [p.name for p in net.trainable_params()]
    for name, place in (
        ("dense1.weight", (1, 2)),
        ("dense2.weight", (3, 0)),
        ("projection.bias", (4,)),
        ("dense3.bias", (5,)),
    ):
        moved = {sign: {**w, name: w[name] + 0} for sign in (1, -1)}
        for sign in moved:
            moved[sign][name][place] += sign * 1e-5
        slope = (formula(x, moved[1]) - formula(x, moved[-1])) / 2e-5
        np.testing.assert_allclose(dw[names.index(name)].asnumpy()[place], slope, rtol=1e-3, atol=1e-4)
    up, down = x.astype(np.float64), x.astype(np.float64)
    up[1, 2, 3] += 1e-5
    down[1, 2, 3] -= 1e-5
    np.testing.assert_allclose(dx.asnumpy()[1, 2, 3], (formula(up, w) - formula(down, w)) / 2e-5, rtol=1e-3, atol=1e-4)


def test_training_lowers_the_loss():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    net = tf.TransformerEncoder(
        batch_size=BATCH,
        num_layers=1,
        hidden_size=HIDDEN,
        ffn_hidden_size=INNER,
        seq_length=STEPS,
        num_heads=HEADS,
        moe_config=tf.MoEConfig(2),
        parallel_config=tf.TransformerOpParallelConfig(recompute=tf.TransformerRecomputeConfig(recompute=True)),
    )
    net.set_train()
    x, target, mask = tensor(data(BATCH, STEPS, HIDDEN)), tensor(data(BATCH, STEPS, HIDDEN)), tensor(causal())
    optimizer = nn.Adam(net.trainable_params(), 0.03)

    def loss(x):
        out, _, balance = net(x, mask)
        return ops.square(out - target).mean() + balance

    step = ms.value_and_grad(loss, None, optimizer.parameters)
    losses = []
    for _ in range(20):
        value, grads = step(x)
        optimizer(grads)
        losses.append(float(value.asnumpy()))
    assert np.mean(losses[-5:]) < 0.8 * np.mean(losses[:3])


# --- names, configurations, errors
def test_names_and_shapes_of_parameters():
    net = tf.TransformerDecoder(
        num_layers=1,
        batch_size=BATCH,
        hidden_size=HIDDEN,
        ffn_hidden_size=INNER,
        src_seq_length=MEMORY,
        tgt_seq_length=STEPS,
        num_heads=HEADS,
    )
    square = {"projection", "dense1", "dense2", "dense3"}
    shapes = {"gamma": (HIDDEN,), "beta": (HIDDEN,), "weight": (HIDDEN, HIDDEN), "bias": (HIDDEN,)}
    expected = [(f"0.{n}.{p}", (HIDDEN,)) for n in ("layernorm1", "layernorm2") for p in ("gamma", "beta")]
    for name in ("attention", "cross_attention"):
        expected += [
            (f"0.{name}.{d}.{p}", shapes[p])
            for d in ("projection", "dense1", "dense2", "dense3")
            for p in ("weight", "bias")
            if d in square
        ]
    expected += [(f"0.cross_attention_layernorm.{p}", (HIDDEN,)) for p in ("gamma", "beta")]
    expected += [
        ("0.output.mapping.weight", (HIDDEN, INNER)),
        ("0.output.mapping.bias", (INNER,)),
        ("0.output.projection.weight", (INNER, HIDDEN)),
        ("0.output.projection.bias", (HIDDEN,)),
    ]
    assert [(p.name, p.shape) for p in net.get_parameters()] == expected
    moe = tf.moe.MoE(HIDDEN, INNER, 0.1, moe_config=tf.MoEConfig(4))
    assert [(p.name, p.shape) for p in moe.get_parameters()] == [
        ("ffn.mapping.weight", (4, HIDDEN, INNER)),
        ("ffn.mapping.bias", (1, 4, 1, INNER)),
        ("ffn.projection.weight", (4, INNER, HIDDEN)),
        ("ffn.projection.bias", (1, 4, 1, HIDDEN)),
        ("router.dense.weight", (4, HIDDEN)),
    ]


@pytest.fixture(autouse=True)
def one_device():
    """Some configurations change the parallel context."""
    ms.reset_auto_parallel_context()
    yield
    ms.reset_auto_parallel_context()


def test_configurations():
    config = tf.TransformerOpParallelConfig(data_parallel=2, expert_parallel=2, recompute=True, vocab_emb_dp=False)
    config.model_parallel = 4
    assert config.dp_mp_config.model_parallel == config.moe_parallel_config.dpmp.model_parallel == 4
    assert (config.embedding_dp_mp_config.vocab_emb_dp, config.moe_parallel_config.expert_parallel) == (False, 2)
    assert "model_parallel:4" in str(config.dp_mp_config) and str(config).startswith("[ParallelConfig]\n")
    config.optimizer_shard = True
    assert ms.get_auto_parallel_context("enable_parallel_optimizer") is True
    config.pipeline_stage, config.model_parallel = 2, 2
    with pytest.raises(ValueError, match="number of layers 1 must not be less than the pipeline_stage 2"):
        tf.TransformerEncoder(BATCH, 1, HIDDEN, INNER, STEPS, HEADS, parallel_config=config)
    net = tf.TransformerEncoder(BATCH, 4, HIDDEN, INNER, STEPS, HEADS, parallel_config=config)
    assert [block.pipeline_stage for block in net.blocks] == [0, 0, 1, 1]
    ms.reset_auto_parallel_context()
    with pytest.raises(ValueError, match="'pipeline_stages' of set_auto_parallel_context is 1"):
        tf.TransformerEncoder(BATCH, 4, HIDDEN, INNER, STEPS, HEADS, parallel_config=config)


def test_layers_are_configured_by_the_user():
    seen = []

    def configure(network, layer_id, offset, parallel_config, layers):
        seen.append((type(network).__name__, layer_id, offset, layers))

    tf.Transformer(HIDDEN, BATCH, INNER, MEMORY, STEPS, 1, 2, lambda_func=configure)
    assert seen == [
        ("TransformerEncoderLayer", 0, 0, 1),
        ("TransformerDecoderLayer", 0, 1, 2),
        ("TransformerDecoderLayer", 1, 1, 2),
    ]


PAST = dict(batch_size=1, hidden_size=8, ffn_hidden_size=8, num_heads=2, seq_length=4)


def run(net, *inputs):
    return net(*inputs)


@pytest.mark.parametrize(
    "make, error, match",
    [
        (
            lambda: tf.FeedForward(0, 4, 0.1),
            ValueError,
            "For 'FeedForward', the 'hidden_size' must be int and must > 0",
        ),
        (lambda: tf.FeedForward(4, 4, 1.5), ValueError, "'dropout_rate' must be in range"),
        (
            lambda: tf.FeedForward(4, 4, 0.1, hidden_act=3),
            TypeError,
            "the 'hidden_act' must be the name of an activation",
        ),
        (lambda: tf.FeedForward(4, 4, 0.1, hidden_act="none"), KeyError, "none"),
        (lambda: tf.FeedForward(4, 4, 0.1, param_init_type=ms.int32), TypeError, "'param_init_type' must be one of"),
        (
            lambda: tf.FeedForward(4, 4, 0.1, parallel_config=3),
            TypeError,
            "the type of 'parallel_config' must be one of",
        ),
        (lambda: tf.FeedForward(4, 6, 0.1, parallel_config=tf.OpParallelConfig(1, 4)), ValueError, "'ffn_hidden_size'"),
        (lambda: tf.OpParallelConfig(0), ValueError, "data_parallel"),
        (lambda: tf.TransformerOpParallelConfig(recompute=1), TypeError, "TransformerRecomputeConfig or a bool"),
        (lambda: tf.MultiHeadAttention(1, 2, 2, 9, 2), ValueError, "'hidden_size' must be a multiple of 'num_heads'"),
        (lambda: tf.MoEConfig(2, 0.5), ValueError, "'capacity_factor' must be at least 1.0"),
        (
            lambda: tf.MoEConfig(2, group_wise_a2a=True, comp_comm_parallel_degree=0),
            ValueError,
            "comp_comm_parallel_degree",
        ),
        (lambda: tf.MoEConfig(2, aux_loss_factor=1.5), ValueError, "'aux_loss_factor' must be less than 1.0"),
        (lambda: tf.MoEConfig(2, num_experts_chosen=3), ValueError, "must not be larger than 'expert_num' 2"),
        (lambda: tf.moe._check_moe_config(3), TypeError, "must be a MoEConfig"),
        (lambda: tf.FixedSparseAttention(2, 8, 64, 64), RuntimeError, "kernels MatmulDDS and DSDMatmul"),
        (lambda: tf.Transformer(8, 1, 8, 4, 4, use_past=True), ValueError, "together with decoder layers"),
        (
            lambda: tf.TransformerDecoderLayer(8, 8, 2, 1, 4, 4, use_past=True),
            ValueError,
            "must be a bool that is False",
        ),
        (
            lambda: run(tf.TransformerEncoderLayer(**PAST), tensor(data(1, 3, 8)), tensor(causal(1, 4))),
            ValueError,
            "shape of 'x' must be",
        ),
        (
            lambda: run(tf.TransformerEncoderLayer(**PAST), tensor(data(1, 4, 8)), tensor(causal(1, 4), ms.int32)),
            TypeError,
            "'input_mask' must be one of",
        ),
        (
            lambda: run(tf.TransformerEncoderLayer(**PAST, use_past=True), tensor(data(1, 4, 8)), tensor(causal(1, 4))),
            TypeError,
            "'init_reset' must be a Tensor, because use_past is True",
        ),
        (
            lambda: run(
                tf.TransformerEncoderLayer(**PAST),
                tensor(data(1, 4, 8)),
                tensor(causal(1, 4)),
                True,
                tensor([1], ms.int32),
            ),
            TypeError,
            "'batch_valid_length' must be None, because use_past is False",
        ),
        (
            lambda: run(tf.AttentionMask(4), tensor(np.ones((1, 3)))),
            ValueError,
            "axis 1 of 'input_mask' must have length 4",
        ),
        (lambda: run(tf.VocabEmbedding(4, 2), tensor(np.ones(3), ms.int32)), ValueError, "must have 2 dimensions"),
        (
            lambda: run(tf.CrossEntropyLoss(), tensor(data(2, 3)), tensor([1, 2]), tensor([1.0, 1.0])),
            TypeError,
            "'label' must be Int32",
        ),
        (
            lambda: tf.layers._Linear(2, 3, weight_init=tensor(data(2, 3))),
            ValueError,
            r"'weight_init' must be \(3, 2\)",
        ),
    ],
)
def test_errors(make, error, match):
    with pytest.raises(error, match=match):
        make()


def test_the_paths_under_which_projects_import_it():
    for path in ("nn.transformer.transformer", "parallel._transformer.transformer"):
        module = importlib.import_module(f"mindspore.{path}")
        assert module.TransformerEncoder is tf.TransformerEncoder is not nn.TransformerEncoder
        assert callable(module._get_lambda_func()) and module.default_transformer_config.data_parallel == 1
    from mindspore.nn.transformer.layers import _args_type_validator_check, _LayerNorm, _Linear, _valid_type_checks
    from mindspore.parallel._transformer.moe import default_moe_config
    from mindspore.parallel._transformer.op_parallel_config import default_dpmp_config
    from mindspore.parallel.nn import AttentionMask

    assert AttentionMask is tf.AttentionMask and default_moe_config.expert_num == default_dpmp_config.data_parallel == 1

    @_args_type_validator_check(size=_valid_type_checks([int], "f"))
    def f(size, other=None):
        return size

    assert (
        f(2) == 2 and _Linear(2, 2).shard(((1, 1), (1, 1))).out_channels == _LayerNorm((2,)).shard(((1,),)).gamma.size
    )
    with pytest.raises(TypeError, match=r"For 'f', the type of 'size' must be one of \['int'\]"):
        f("2")


@pytest.mark.parametrize("strategy", [1, (1, 1), [(1, 1)], ((1.0, 1),)], ids=str)
def test_a_strategy_of_another_kind_is_refused(strategy):
    for layer in (tf.layers._Linear(2, 2), tf.layers._LayerNorm((2,))):
        with pytest.raises(TypeError, match="strategy"):
            layer.shard(strategy)
