"""Networks of the benchmarks as one writes them in JAX: each gives (parameters, loss of parameters and a batch)."""

import jax
import jax.numpy as jnp
import numpy as np
import optax


def dense(rng, n_in, n_out, dtype=np.float32):
    return {"w": jnp.asarray(rng.randn(n_in, n_out) / n_in**0.5, dtype), "b": jnp.zeros(n_out, dtype)}


def linear(p, x):
    return x @ p["w"] + p["b"]


def lstm_layer(p, x, reverse=False):
    """The outputs of a layer over x of (time, batch, features)."""

    def step(state, z):
        h, c = state
        i, f, g, o = jnp.split(z + h @ p["h"]["w"], 4, 1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((x.shape[1], p["h"]["w"].shape[0]), x.dtype)
    xs = linear(p["x"], x) + p["h"]["b"]
    return jax.lax.scan(step, (zeros, zeros), xs, reverse=reverse)[1]


def scale(width, dtype=np.float32):
    return {"scale": jnp.ones(width, dtype), "shift": jnp.zeros(width, dtype)}


def layer_norm(p, x):
    y = x.astype(jnp.float32)
    mean = y.mean(-1, keepdims=True)
    variance = jnp.square(y - mean).mean(-1, keepdims=True)
    return ((y - mean) * jax.lax.rsqrt(variance + 1e-5)).astype(x.dtype) * p["scale"] + p["shift"]


def _blocks(rng, layers, width, dtype):
    return [
        {
            "norm1": scale(width, dtype),
            "qkv": dense(rng, width, 3 * width, dtype),
            "out": dense(rng, width, width, dtype),
            "norm2": scale(width, dtype),
            "up": dense(rng, width, 4 * width, dtype),
            "down": dense(rng, 4 * width, width, dtype),
        }
        for _ in range(layers)
    ]


def attend(q, k, v, causal):
    """Attention of arrays (batch, length, heads, width)."""
    kernel = "cudnn" if q.dtype != jnp.float32 and jax.default_backend() == "gpu" else None
    return jax.nn.dot_product_attention(q, k, v, is_causal=causal, implementation=kernel)


def flash(q, k, v, causal):
    """The same, by JAX's flash attention for TPU."""
    from jax.experimental.pallas.ops.tpu.flash_attention import flash_attention

    q, k, v = (a.transpose(0, 2, 1, 3) for a in (q, k, v))
    return flash_attention(q, k, v, causal=causal, sm_scale=q.shape[-1] ** -0.5).transpose(0, 2, 1, 3)


def _attention(p, x, heads, causal, attend):
    batch, length, width = x.shape
    q, k, v = (t.reshape(batch, length, heads, -1) for t in jnp.split(linear(p["qkv"], x), 3, -1))
    return linear(p["out"], attend(q, k, v, causal).reshape(x.shape))


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits.astype(jnp.float32), labels).mean()


def transformer(vocabulary, width, layers, heads, length, causal, dtype=np.float32, attend=attend):
    """GPT-2 (causal) or BERT (not), without dropout: the loss of predicting tokens. x and y: (batch, length) int32."""
    rng = np.random.RandomState(1)
    params = {
        "tokens": jnp.asarray(rng.randn(vocabulary, width) * 0.02, dtype),
        "places": jnp.asarray(rng.randn(length, width) * 0.02, dtype),
        "blocks": _blocks(rng, layers, width, dtype),
        "norm": scale(width, dtype),
    }

    def loss(params, x, y):
        h = params["tokens"][x] + params["places"]
        for p in params["blocks"]:
            h = h + _attention(p, layer_norm(p["norm1"], h), heads, causal, attend)
            h = h + linear(p["down"], jax.nn.gelu(linear(p["up"], layer_norm(p["norm2"], h))))
        return cross_entropy(layer_norm(params["norm"], h) @ params["tokens"].T, y)

    return params, loss


def _convolve(x, w, stride=1, layout="NCHW", groups=1):
    pad = (w.shape[2 if layout == "NCHW" else 0] - 1) // 2
    kernel = "OIHW" if layout == "NCHW" else "HWIO"
    kind = (layout, kernel, layout)
    return jax.lax.conv_general_dilated(
        x, w.astype(x.dtype), (stride, stride), [(pad, pad)] * 2, dimension_numbers=kind, feature_group_count=groups
    )


def resnet(blocks, bottleneck, classes, small, layout="NCHW", dtype=np.float32, kept=None):
    """ResNet in training (He et al., 2016), with the batch's statistics. small: the first layers of CIFAR's. x: images of the layout.

    kept: dtype of the weights, if it is not that of the products.
    """
    rng = np.random.RandomState(1)
    channel = layout.index("C")
    apart = tuple(i for i in range(4) if i != channel)

    def conv(n_in, n_out, size):
        w = rng.randn(n_out, n_in, size, size) / (n_in * size * size) ** 0.5
        return jnp.asarray(w if layout == "NCHW" else w.transpose(2, 3, 1, 0), kept or dtype)

    def unit(n_in, n_out, stride):
        sizes = (
            [(n_in, n_out, 1), (n_out, n_out, 3), (n_out, 4 * n_out, 1)]
            if bottleneck
            else [(n_in, n_out, 3), (n_out, n_out, 3)]
        )
        p = {"convs": [conv(*s) for s in sizes], "norms": [scale(s[1]) for s in sizes]}
        if stride != 1 or n_in != sizes[-1][1]:
            p["short"], p["short_norm"] = conv(n_in, sizes[-1][1], 1), scale(sizes[-1][1])
        return p

    params = {"stem": conv(3, 64, 3 if small else 7), "norm": scale(64), "units": []}
    width, strides = 64, []
    for stage, count in enumerate(blocks):
        for i in range(count):
            strides.append(2 if stage and not i else 1)
            params["units"].append(unit(width, 64 << stage, strides[-1]))
            width = (64 << stage) * (4 if bottleneck else 1)
    params["head"] = dense(rng, width, classes)

    def norm(p, x):
        y = x.astype(jnp.float32)
        mean = y.mean(apart, keepdims=True)
        variance = jnp.square(y - mean).mean(apart, keepdims=True)
        shape = [1] * 4
        shape[channel] = -1
        out = (y - mean) * jax.lax.rsqrt(variance + 1e-5) * p["scale"].reshape(shape) + p["shift"].reshape(shape)
        return out.astype(x.dtype)

    def apply(p, x, stride):
        h = x
        for i, (w, n) in enumerate(zip(p["convs"], p["norms"])):
            strided = i == (1 if bottleneck else 0)
            h = norm(n, _convolve(h, w, stride if strided else 1, layout))
            h = jax.nn.relu(h) if i < len(p["convs"]) - 1 else h
        short = norm(p["short_norm"], _convolve(x, p["short"], stride, layout)) if "short" in p else x
        return jax.nn.relu(h + short)

    def loss(params, x, y):
        h = jax.nn.relu(norm(params["norm"], _convolve(x.astype(dtype), params["stem"], 1 if small else 2, layout)))
        if not small:
            window = [3 if i not in (0, channel) else 1 for i in range(4)]
            stride = [2 if i not in (0, channel) else 1 for i in range(4)]
            pads = [(1, 1) if i not in (0, channel) else (0, 0) for i in range(4)]
            h = jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, window, stride, pads)
        for p, stride in zip(params["units"], strides):
            h = apply(p, h, stride)
        pooled = h.astype(jnp.float32).mean(tuple(i for i in range(1, 4) if i != channel))
        return cross_entropy(linear(params["head"], pooled), y)

    return params, loss


def efficientnet(stages, head, classes):
    """EfficientNet in training (Tan and Le, 2019), without dropout. stages: (expand, width, blocks, size, stride). x: NCHW images."""
    rng = np.random.RandomState(1)

    def conv(n_in, n_out, size, groups=1):
        return jnp.asarray(
            rng.randn(n_out, n_in // groups, size, size) / (n_in // groups * size * size) ** 0.5, np.float32
        )

    def normed(n_in, n_out, size, groups=1):
        return {"w": conv(n_in, n_out, size, groups), "norm": scale(n_out)}

    def biased(n_in, n_out):
        return {"w": conv(n_in, n_out, 1), "b": jnp.zeros((n_out, 1, 1), np.float32)}

    params, width, settings = {"stem": normed(3, 32, 3), "blocks": []}, 32, []
    for expand, n_out, blocks, size, stride in stages:
        for i in range(blocks):
            wide = width * expand
            block = {"expand": normed(width, wide, 1)} if expand > 1 else {}
            block |= {"deep": normed(wide, wide, size, wide), "squeeze": biased(wide, max(1, width // 4))}
            block |= {"excite": biased(max(1, width // 4), wide), "narrow": normed(wide, n_out, 1)}
            params["blocks"].append(block)
            stride = 1 if i else stride
            settings.append((stride, stride == 1 and width == n_out))
            width = n_out
    params |= {"top": normed(width, head, 1), "head": dense(rng, head, classes)}

    def norm(p, x):
        mean = x.mean((0, 2, 3), keepdims=True)
        variance = jnp.square(x - mean).mean((0, 2, 3), keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p["scale"][:, None, None] + p["shift"][:, None, None]

    def layer(p, x, stride=1, groups=1):
        return norm(p["norm"], _convolve(x, p["w"], stride, groups=groups))

    def block(p, x, stride, adds):
        h = jax.nn.silu(layer(p["expand"], x)) if "expand" in p else x
        h = jax.nn.silu(layer(p["deep"], h, stride, h.shape[1]))
        s = _convolve(h.mean((2, 3), keepdims=True), p["squeeze"]["w"]) + p["squeeze"]["b"]
        h = h * jax.nn.sigmoid(_convolve(jax.nn.silu(s), p["excite"]["w"]) + p["excite"]["b"])
        h = layer(p["narrow"], h)
        return x + h if adds else h

    def loss(params, x, y):
        h = jax.nn.silu(layer(params["stem"], x, 2))
        for p, setting in zip(params["blocks"], settings):
            h = block(p, h, *setting)
        h = jax.nn.silu(layer(params["top"], h))
        return cross_entropy(linear(params["head"], h.mean((2, 3))), y)

    return params, loss


def lstm(width, layers, classes, dtype=np.float32):
    """A recurrent classifier. x: (time, batch, width), y: (batch,)."""
    rng = np.random.RandomState(1)
    params = {
        "layers": [{part: dense(rng, width, 4 * width, dtype) for part in ("x", "h")} for _ in range(layers)],
        "head": dense(rng, width, classes, dtype),
    }

    def loss(params, x, y):
        for p in params["layers"]:
            x = lstm_layer(p, x)
        return cross_entropy(linear(params["head"], x[-1]), y)

    return params, loss


def training(params, loss, optimizer):
    """A function (x, y) -> loss that makes one jitted, donated step."""

    def update(state, x, y):
        params, inner = state
        value, grads = jax.value_and_grad(loss)(params, x, y)
        updates, inner = optimizer.update(grads, inner, params)
        return (optax.apply_updates(params, updates), inner), value

    jitted, state = jax.jit(update, donate_argnums=0), (params, optimizer.init(params))

    def step(x, y):
        nonlocal state
        state, value = jitted(state, x, y)
        return value

    step.lowered = lambda x, y, **options: jitted.trace(state, x, y).lower(**options)
    return step
