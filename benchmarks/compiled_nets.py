"""Workloads of `compiled.py`: each net in MindSpore and, with the kernels that an expert takes, in JAX."""

import accelerator
import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax

WORKLOADS = {}


def workload(name):
    def add(cls):
        WORKLOADS[name] = cls
        return cls

    return add


class Workload:
    """`jax()`: (parameters, loss, batch, optimizer). `msjax()`: (step, inputs). `note` says what was left out."""

    note = ""

    def __init__(self, layers=None):
        self.layers = layers

    def by_hand(self):
        """The hand-written step: (function of (state, *batch) that gives (state, loss), shapes of the state, batch)."""
        params, loss, batch, optimizer = self.jax()

        def update(state, *batch):
            params, inner = state
            value, grads = jax.value_and_grad(loss)(params, *batch)
            updates, inner = optimizer.update(grads, inner, params)
            return (optax.apply_updates(params, updates), inner), value

        return update, (params, jax.eval_shape(optimizer.init, params)), batch


def _of_accelerator(name, **kernels):
    sizes = accelerator.FULL[name]

    class OfAccelerator(Workload):
        def __init__(self, layers=None):
            super().__init__(layers)
            self.sizes = dict(sizes)
            if layers and "layers" in sizes and name != "lstm" and layers < sizes["layers"]:
                self.sizes["layers"], self.note = layers, f", {layers} layers"
            if layers and "blocks" in sizes:
                self.sizes["blocks"], self.note = (layers,) * 4, f", {layers} blocks a stage"

        def jax(self):
            options = accelerator.net_of(name, self.sizes)
            x, y = accelerator.batch_of(name, self.sizes)
            if name == "resnet50":
                made = nets_jax.resnet(
                    **options, layout="NHWC", dtype=jnp.bfloat16, kept=jnp.float32
                )  # as amp O2 has it
                return *made, (x.transpose(0, 2, 3, 1), y), optax.sgd(0.01, momentum=0.9)
            if name == "lstm":
                return *nets_jax.lstm(**options), (x, y), optax.adam(1e-4)
            return *nets_jax.transformer(**options, dtype=jnp.bfloat16, **kernels), (x, y), optax.adam(1e-4)

        def msjax(self):
            return accelerator.train_cell(name, self.sizes)

    WORKLOADS[name] = OfAccelerator


def _images(batch, channels, size, classes):
    rng = np.random.RandomState(0)
    return rng.randn(batch, channels, size, size).astype(np.float32), rng.randint(0, classes, batch).astype(np.int32)


@workload("mlp")
class MLP(Workload):
    """784-512-512-10 with Momentum, 64 rows."""

    widths = (784, 512, 512, 10)

    def batch(self):
        rng = np.random.RandomState(0)
        return rng.randn(64, 784).astype(np.float32), rng.randint(0, 10, 64).astype(np.int32)

    def jax(self):
        rng = np.random.RandomState(0)
        params = [nets_jax.dense(rng, a, b) for a, b in zip(self.widths, self.widths[1:])]

        def loss(params, x, y):
            for layer in params[:-1]:
                x = jax.nn.relu(nets_jax.linear(layer, x))
            return nets_jax.cross_entropy(nets_jax.linear(params[-1], x), y)

        return params, loss, self.batch(), optax.sgd(0.01, momentum=0.9)

    def msjax(self):
        from mindspore import Tensor, nn

        layers = [nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10)]
        net = nn.WithLossCell(nn.SequentialCell(layers), nn.CrossEntropyLoss())
        step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.01, 0.9)).set_train()
        return step, [Tensor(a) for a in self.batch()]


@workload("lenet")
class LeNet(Workload):
    """LeNet-5 on 32 x 32, 64 images, Momentum."""

    def jax(self):
        rng = np.random.RandomState(0)
        x, y = _images(64, 1, 32, 10)
        params = {
            "convs": [jnp.asarray(rng.randn(5, 5, a, b), jnp.float32) for a, b in ((1, 6), (6, 16))],
            "dense": [nets_jax.dense(rng, a, b) for a, b in ((400, 120), (120, 84), (84, 10))],
        }

        def loss(params, x, y):
            for w in params["convs"]:
                x = jax.nn.relu(
                    jax.lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
                )
                x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
            x = x.reshape(x.shape[0], -1)
            for layer in params["dense"][:-1]:
                x = jax.nn.relu(nets_jax.linear(layer, x))
            return nets_jax.cross_entropy(nets_jax.linear(params["dense"][-1], x), y)

        return params, loss, (x.transpose(0, 2, 3, 1), y), optax.sgd(0.01, momentum=0.9)

    def msjax(self):
        from mindspore import Tensor, nn

        layers = [nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2)]
        layers += [nn.Conv2d(6, 16, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()]
        layers += [nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10)]
        net = nn.WithLossCell(nn.SequentialCell(layers), nn.CrossEntropyLoss())
        step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.01, 0.9)).set_train()
        return step, [Tensor(a) for a in _images(64, 1, 32, 10)]


_of_accelerator("gpt2", attend=nets_jax.flash)
_of_accelerator("bert", attend=nets_jax.flash)
_of_accelerator("lstm")
_of_accelerator("resnet50")


@workload("dlrm")
class Embeddings(Workload):
    """26 tables of 100,000 rows of 16, a perceptron below and one above (as DLRM), 2,048 rows, Adam."""

    tables, rows, width, batch_size = 26, 100_000, 16, 2048
    below, above = (13, 64, 16), (26 * 16 + 16, 256, 1)

    def batch(self):
        rng = np.random.RandomState(0)
        numbers = rng.randn(self.batch_size, 13).astype(np.float32)
        ids = rng.randint(0, self.rows, (self.batch_size, self.tables)).astype(np.int32)
        return numbers, ids, rng.randint(0, 2, (self.batch_size, 1)).astype(np.float32)

    def jax(self):
        rng = np.random.RandomState(0)
        params = {
            "tables": jax.ShapeDtypeStruct((self.tables, self.rows, self.width), jnp.float32),
            "below": [nets_jax.dense(rng, a, b) for a, b in zip(self.below, self.below[1:])],
            "above": [nets_jax.dense(rng, a, b) for a, b in zip(self.above, self.above[1:])],
        }

        def loss(params, numbers, ids, y):
            for layer in params["below"]:
                numbers = jax.nn.relu(nets_jax.linear(layer, numbers))
            rows = jax.vmap(lambda table, i: table[i], (0, 1), 1)(params["tables"], ids)
            h = jnp.concatenate([rows.reshape(rows.shape[0], -1), numbers], 1)
            h = jax.nn.relu(nets_jax.linear(params["above"][0], h))
            return optax.sigmoid_binary_cross_entropy(nets_jax.linear(params["above"][1], h), y).mean()

        return params, loss, self.batch(), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer = self

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.tables = nn.CellList(
                    [nn.Embedding(outer.rows, outer.width, embedding_table="normal") for _ in range(outer.tables)]
                )
                self.below = nn.SequentialCell(nn.Dense(13, 64), nn.ReLU(), nn.Dense(64, 16), nn.ReLU())
                self.above = nn.SequentialCell(nn.Dense(outer.above[0], 256), nn.ReLU(), nn.Dense(256, 1))
                self.loss = nn.BCEWithLogitsLoss()

            def construct(self, numbers, ids, y):
                rows = [table(ids[:, i]) for i, table in enumerate(self.tables)]
                return self.loss(self.above(ops.concat([*rows, self.below(numbers)], 1)), y)

        net = Net()
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-3)).set_train()
        return step, [Tensor(a) for a in self.batch()]


@workload("llama")
class Llama(Workload):
    """A block of Llama-2 7B: RMS norm, rotary attention, gated perceptron; bfloat16 products, float32 weights, Adam; 2 x 2,048 tokens."""

    width, heads, inner, shape = 4096, 32, 11008, (2, 2048)

    def batch(self):
        return (np.zeros((*self.shape, self.width), np.float32),)

    def attention(self, q, k, v):
        """Attention of MindSpore's Tensors (B, N, S, D) that hides later keys."""
        from mindspore import ops

        factor = (self.width // self.heads) ** -0.5
        options = {"scalar_value": factor, "input_layout": "BNSD", **self.hidden(q.shape[2])}
        return ops.flash_attention_score(q, k, v, self.heads, **options)

    def hidden(self, length):
        """Arguments of `flash_attention_score` that hide later keys."""
        return {"sparse_mode": 2}

    def _angles(self):
        half = self.width // self.heads // 2
        angles = np.arange(self.shape[1])[:, None] / (10000 ** (np.arange(half) / half))[None]
        return np.concatenate([angles, angles], -1)[None, None]

    def jax(self):
        w, f = self.width, self.inner
        shapes = {"norm1": (w,), "norm2": (w,), "q": (w, w), "k": (w, w), "v": (w, w), "o": (w, w)}
        shapes |= {"gate": (w, f), "up": (w, f), "down": (f, w)}
        params = {k: jax.ShapeDtypeStruct(s, jnp.float32) for k, s in shapes.items()}
        angles, half = self._angles(), jnp.bfloat16
        cos, sin = (np.asarray(a, np.float32) for a in (np.cos(angles), np.sin(angles)))

        def norm(weight, x):
            y = x.astype(jnp.float32)
            return (y * jax.lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-6) * weight).astype(half)

        def turned(x):
            a, b = jnp.split(x, 2, -1)
            return x * cos.astype(half) + jnp.concatenate([-b, a], -1) * sin.astype(half)

        def loss(params, x):
            from jax.experimental.pallas.ops.tpu.flash_attention import flash_attention

            b, n, w = x.shape
            p = {k: v if v.ndim == 1 else v.astype(half) for k, v in params.items()}
            x = x.astype(half)
            y = norm(p["norm1"], x)
            q, k, v = ((y @ p[m]).reshape(b, n, self.heads, -1).transpose(0, 2, 1, 3) for m in "qkv")
            out = flash_attention(turned(q), turned(k), v, causal=True, sm_scale=(w // self.heads) ** -0.5)
            h = x + out.transpose(0, 2, 1, 3).reshape(b, n, w) @ p["o"]
            y = norm(p["norm2"], h)
            h = h + (jax.nn.silu(y @ p["gate"]) * (y @ p["up"])) @ p["down"]
            return jnp.square(h.astype(jnp.float32)).mean()

        return params, loss, self.batch(), optax.adam(1e-4)

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, half = self, ms.bfloat16

        class Block(nn.Cell):
            def __init__(self):
                super().__init__()
                w, f = outer.width, outer.inner
                for name in "qkvo":
                    setattr(self, name, Parameter(initializer("normal", (w, w), ms.float32), name=name))
                self.gate = Parameter(initializer("normal", (w, f), ms.float32), name="gate")
                self.up = Parameter(initializer("normal", (w, f), ms.float32), name="up")
                self.down = Parameter(initializer("normal", (f, w), ms.float32), name="down")
                self.norm1 = Parameter(initializer("ones", (w,), ms.float32), name="norm1")
                self.norm2 = Parameter(initializer("ones", (w,), ms.float32), name="norm2")
                angles = outer._angles()
                self.cos, self.sin = (Tensor(t(angles).astype(np.float32)).astype(half) for t in (np.cos, np.sin))

            def norm(self, weight, x):
                y = x.astype(ms.float32)
                return (y * ops.rsqrt((y * y).mean(-1, True) + 1e-6) * weight).astype(half)

            def turned(self, x):
                a, b = ops.chunk(x, 2, -1)
                return x * self.cos + ops.concat([-b, a], -1) * self.sin

            def product(self, x, weight):
                return ops.matmul(x, weight.astype(half))

            def construct(self, x):
                b, n, w = x.shape
                x = x.astype(half)
                y = self.norm(self.norm1, x)
                q, k, v = (
                    self.product(y, m).reshape(b, n, outer.heads, -1).swapaxes(1, 2) for m in (self.q, self.k, self.v)
                )
                out = outer.attention(self.turned(q), self.turned(k), v)
                h = x + self.product(out.swapaxes(1, 2).reshape(b, n, w), self.o)
                y = self.norm(self.norm2, h)
                h = h + self.product(ops.silu(self.product(y, self.gate)) * self.product(y, self.up), self.down)
                return ops.square(h.astype(ms.float32)).mean()

        net = Block()
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-4)).set_train()
        return step, [Tensor(a) for a in self.batch()]


@workload("mask")
class LlamaWithMask(Llama):
    """The same block, whose `construct` builds its causal mask."""

    def hidden(self, length):
        from mindspore import ops

        return {"attn_mask": (1 - ops.tril(ops.ones((length, length)))).expand_dims(0).expand_dims(0)}


@workload("chain")
class LlamaOfOperators(Llama):
    """The same block, whose attention is written with a product, a mask, a softmax in float32 and a product."""

    def attention(self, q, k, v):
        import mindspore as ms
        from mindspore import ops

        later = ops.triu(ops.ones((q.shape[2], q.shape[2])), 1) == 1
        scores = ops.matmul(q, k.swapaxes(2, 3)) / (self.width // self.heads) ** 0.5
        weights = ops.softmax(scores.masked_fill(later, float("-inf")).astype(ms.float32), axis=-1)
        return ops.matmul(weights.astype(v.dtype), v)


def _layer_norm(p, name, x):
    """Layer norm in float32 of (..., width), whose scale and shift are `name` and `name shift`; bfloat16 out."""
    y = x.astype(jnp.float32)
    mean = y.mean(-1, keepdims=True)
    variance = jnp.square(y - mean).mean(-1, keepdims=True)
    return ((y - mean) * jax.lax.rsqrt(variance + 1e-5) * p[name] + p[f"{name} shift"]).astype(jnp.bfloat16)


def _dense(p, name, x):
    return x @ p[name].astype(x.dtype) + p[f"{name} bias"].astype(x.dtype)


@workload("vit")
class VisionTransformer(Workload):
    """ViT-B/16 on 32 images of 224 x 224 (197 tokens), 12 layers; float32 weights, bfloat16 products, Adam."""

    width, heads, inner, patch, size, classes, count = 768, 12, 3072, 16, 224, 1000, 32

    def __init__(self, layers=None):
        super().__init__(layers)
        self.depth = min(layers or 12, 12)
        self.note = f", {self.depth} layers" if self.depth < 12 else ""
        self.tokens = (self.size // self.patch) ** 2 + 1

    def batch(self):
        return _images(self.count, 3, self.size, self.classes)

    def jax(self):
        w, f, half = self.width, self.inner, jnp.bfloat16
        block = {"norm1": (w,), "norm1 shift": (w,), "norm2": (w,), "norm2 shift": (w,), "qkv": (w, 3 * w)}
        block |= {"qkv bias": (3 * w,), "out": (w, w), "out bias": (w,), "up": (w, f), "up bias": (f,)}
        block |= {"down": (f, w), "down bias": (w,)}
        shapes = {"patch": (w, 3, self.patch, self.patch), "patch bias": (w,), "class": (1, 1, w)}
        shapes |= {"places": (1, self.tokens, w), "norm": (w,), "norm shift": (w,), "head": (w, self.classes)}
        shapes |= {"head bias": (self.classes,), "blocks": [dict(block) for _ in range(self.depth)]}
        is_shape = lambda s: isinstance(s, tuple)  # noqa: E731
        params = jax.tree_util.tree_map(lambda s: jax.ShapeDtypeStruct(s, jnp.float32), shapes, is_leaf=is_shape)

        def loss(p, x, y):
            stride = (self.patch, self.patch)
            h = jax.lax.conv_general_dilated(x.astype(half), p["patch"].astype(half), stride, "VALID")
            h = h.reshape(*h.shape[:2], -1).swapaxes(1, 2) + p["patch bias"].astype(half)
            first = jnp.broadcast_to(p["class"].astype(half), (h.shape[0], 1, w))
            h = jnp.concatenate([first, h], 1) + p["places"].astype(half)
            for q in p["blocks"]:
                qkv = _dense(q, "qkv", _layer_norm(q, "norm1", h)).reshape(*h.shape[:2], 3, self.heads, -1)
                out = nets_jax.attend(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2], False)
                h = h + _dense(q, "out", out.reshape(h.shape))
                h = h + _dense(q, "down", jax.nn.gelu(_dense(q, "up", _layer_norm(q, "norm2", h))))
            return nets_jax.cross_entropy(_dense(p, "head", _layer_norm(p, "norm", h[:, 0])), y)

        return params, loss, self.batch(), optax.adam(1e-4)

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, half = self, ms.bfloat16

        class Attention(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.qkv, self.out = nn.Dense(w, 3 * w).to_float(half), nn.Dense(w, w).to_float(half)
                self.softmax = nn.Softmax(-1)

            def construct(self, x):
                b, n, w = x.shape
                qkv = self.qkv(x).reshape(b, n, 3, outer.heads, w // outer.heads).transpose(2, 0, 3, 1, 4)
                q, k, v = qkv[0], qkv[1], qkv[2]
                scores = ops.matmul(q, k.swapaxes(-2, -1)) * (w // outer.heads) ** -0.5
                out = ops.matmul(self.softmax(scores.astype(ms.float32)).astype(half), v)
                return self.out(out.transpose(0, 2, 1, 3).reshape(b, n, w))

        class Block(nn.Cell):
            def __init__(self):
                super().__init__()
                w, f = outer.width, outer.inner
                self.norm1, self.norm2 = nn.LayerNorm((w,), epsilon=1e-5), nn.LayerNorm((w,), epsilon=1e-5)
                self.attention, self.gelu = Attention(), nn.GELU()
                self.up, self.down = nn.Dense(w, f).to_float(half), nn.Dense(f, w).to_float(half)

            def norm(self, layer, x):
                return layer(x.astype(ms.float32)).astype(half)

            def construct(self, x):
                h = x + self.attention(self.norm(self.norm1, x))
                return h + self.down(self.gelu(self.up(self.norm(self.norm2, h))))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.patch = nn.Conv2d(3, w, outer.patch, outer.patch, pad_mode="valid", has_bias=True).to_float(half)
                self.first = Parameter(initializer("zeros", (1, 1, w)), name="first")
                self.places = Parameter(initializer("zeros", (1, outer.tokens, w)), name="places")
                self.blocks = nn.SequentialCell([Block() for _ in range(outer.depth)])
                self.norm = nn.LayerNorm((w,), epsilon=1e-5)
                self.head = nn.Dense(w, outer.classes).to_float(half)

            def construct(self, x):
                h = self.patch(x)
                h = h.reshape(h.shape[0], h.shape[1], -1).swapaxes(1, 2)
                first = ops.broadcast_to(self.first.astype(half), (h.shape[0], 1, outer.width))
                h = self.blocks(ops.concat((first, h), 1) + self.places.astype(half))
                h = self.norm(h[:, 0].astype(ms.float32)).astype(half)
                return self.head(h).astype(ms.float32)

        net = nn.WithLossCell(Net(), nn.CrossEntropyLoss())
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-4)).set_train()
        return step, [Tensor(a) for a in self.batch()]


@workload("unet")
class DiffusionBlock(Workload):
    """A block of a diffusion UNet: group norm, SiLU, two 3 x 3 convolutions with the time between, attention over 16 x 16; 16 x 320 x 32 x 32."""

    channels, groups, heads, size, count = 320, 32, 8, 32, 16

    def batch(self):
        rng = np.random.RandomState(0)
        images = rng.randn(self.count, self.channels, self.size, self.size).astype(np.float32)
        return images, rng.randn(self.count, 4 * self.channels).astype(np.float32)

    def jax(self):
        c, half = self.channels, jnp.bfloat16
        shapes = {"norm1": (c,), "norm1 shift": (c,), "norm2": (c,), "norm2 shift": (c,), "norm3": (c,)}
        shapes |= {"norm3 shift": (c,), "conv1": (3, 3, c, c), "conv2": (3, 3, c, c), "down": (3, 3, c, c)}
        shapes |= {"time": (4 * c, c), "time bias": (c,), "qkv": (c, 3 * c), "qkv bias": (3 * c,)}
        shapes |= {"out": (c, c), "out bias": (c,), "conv1 bias": (c,), "conv2 bias": (c,), "down bias": (c,)}
        params = {k: jax.ShapeDtypeStruct(s, jnp.float32) for k, s in shapes.items()}

        def norm(p, name, x):
            y = x.astype(jnp.float32).reshape(x.shape[0], -1, self.groups, c // self.groups)
            mean = y.mean((1, 3), keepdims=True)
            variance = jnp.square(y - mean).mean((1, 3), keepdims=True)
            y = ((y - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)
            return (y * p[name] + p[f"{name} shift"]).astype(half)

        def conv(p, name, x, stride=1):
            kind = ("NHWC", "HWIO", "NHWC")
            out = jax.lax.conv_general_dilated(
                x, p[name].astype(half), (stride, stride), [(1, 1)] * 2, dimension_numbers=kind
            )
            return out + p[f"{name} bias"].astype(half)

        def loss(p, x, time):
            x = x.astype(half)
            h = conv(p, "conv1", jax.nn.silu(norm(p, "norm1", x)))
            h = h + _dense(p, "time", jax.nn.silu(time.astype(half)))[:, None, None]
            h = x + conv(p, "conv2", jax.nn.silu(norm(p, "norm2", h)))
            h = conv(p, "down", h, 2)
            y = norm(p, "norm3", h).reshape(h.shape[0], -1, c)
            q, k, v = jnp.split(_dense(p, "qkv", y).reshape(*y.shape[:2], self.heads, -1), 3, -1)
            h = h + _dense(p, "out", nets_jax.attend(q, k, v, False).reshape(y.shape)).reshape(h.shape)
            return jnp.square(h.astype(jnp.float32)).mean()

        images, time = self.batch()
        return params, loss, (images.transpose(0, 2, 3, 1), time), optax.adam(1e-4)

    def msjax(self):
        import mindspore as ms
        from mindspore import Tensor, nn, ops

        outer, half = self, ms.bfloat16

        class Block(nn.Cell):
            def __init__(self):
                super().__init__()
                c = outer.channels
                self.norm1, self.norm2, self.norm3 = (nn.GroupNorm(outer.groups, c) for _ in range(3))
                self.conv1, self.conv2 = (nn.Conv2d(c, c, 3, has_bias=True).to_float(half) for _ in range(2))
                self.down = nn.Conv2d(c, c, 3, 2, pad_mode="pad", padding=1, has_bias=True).to_float(half)
                self.time, self.silu = nn.Dense(4 * c, c).to_float(half), nn.SiLU()
                self.qkv, self.out = nn.Dense(c, 3 * c).to_float(half), nn.Dense(c, c).to_float(half)

            def norm(self, layer, x):
                return layer(x.astype(ms.float32)).astype(half)

            def construct(self, x, time):
                x = x.astype(half)
                h = self.conv1(self.silu(self.norm(self.norm1, x)))
                h = h + self.time(self.silu(time.astype(half)))[:, :, None, None]
                h = x + self.conv2(self.silu(self.norm(self.norm2, h)))
                h = self.down(h)
                b, c, height, width = h.shape
                y = self.norm(self.norm3, h).reshape(b, c, -1).swapaxes(1, 2)
                qkv = self.qkv(y).reshape(b, -1, outer.heads, 3 * c // outer.heads).swapaxes(1, 2)
                q, k, v = ops.chunk(qkv, 3, -1)
                scores = ops.matmul(q, k.swapaxes(-2, -1)) * (c // outer.heads) ** -0.5
                out = ops.matmul(ops.softmax(scores.astype(ms.float32), -1).astype(half), v)
                out = self.out(out.swapaxes(1, 2).reshape(b, -1, c)).swapaxes(1, 2)
                return ops.square((h + out.reshape(b, c, height, width)).astype(ms.float32)).mean()

        net = Block()
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-4)).set_train()
        return step, [Tensor(a) for a in self.batch()]


@workload("moe")
class Experts(Workload):
    """Eight experts of a gated choice (top 1, capacity 1.25): 8 x 512 tokens of 1,024; bfloat16 products, Adam."""

    experts, width, inner, shape, capacity = 8, 1024, 4096, (8, 512), 80

    def batch(self):
        return (np.zeros((*self.shape, self.width), np.float32),)

    def jax(self):
        e, w, f, c, half = self.experts, self.width, self.inner, self.capacity, jnp.bfloat16
        shapes = {"gate": (w, e), "up": (e, w, f), "down": (e, f, w)}
        params = {k: jax.ShapeDtypeStruct(s, jnp.float32) for k, s in shapes.items()}

        def loss(p, x):
            chances = jax.nn.softmax(x @ p["gate"], -1)
            mask = jax.nn.one_hot(chances.argmax(-1), e, dtype=jnp.float32)
            place = jnp.cumsum(mask, 1) * mask - 1
            slots = jax.nn.one_hot(place.astype(jnp.int32), c, dtype=jnp.float32)
            send = (slots * mask[..., None]).astype(half)
            given = jnp.einsum("gtec,gtw->egcw", send, x.astype(half))
            h = jax.nn.gelu(jnp.einsum("egcw,ewf->egcf", given, p["up"].astype(half)))
            out = jnp.einsum("egcf,efw->egcw", h, p["down"].astype(half))
            out = jnp.einsum("gtec,egcw->gtw", send * chances[..., None].astype(half), out)
            return jnp.square(out.astype(jnp.float32)).mean()

        return params, loss, self.batch(), optax.adam(1e-4)

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, half = self, ms.bfloat16

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                e, w, f = outer.experts, outer.width, outer.inner
                self.gate = Parameter(initializer("normal", (w, e), ms.float32), name="gate")
                self.up = Parameter(initializer("normal", (e, w, f), ms.float32), name="up")
                self.down = Parameter(initializer("normal", (e, f, w), ms.float32), name="down")

            def construct(self, x):
                e, c, (g, t, w) = outer.experts, outer.capacity, x.shape
                chances = ops.softmax(ops.matmul(x, self.gate), -1)
                mask = ops.one_hot(chances.argmax(-1), e).astype(ms.float32)
                place = ops.cumsum(mask, 1) * mask - 1
                slots = ops.one_hot(place.astype(ms.int32), c).astype(ms.float32)
                send = (slots * mask.expand_dims(-1)).astype(half)
                combine = (send * chances.expand_dims(-1).astype(half)).reshape(g, t, e * c)
                given = ops.bmm(send.reshape(g, t, e * c).swapaxes(1, 2), x.astype(half)).reshape(g, e, c, w)
                given = given.swapaxes(0, 1).reshape(e, g * c, w)
                h = ops.gelu(ops.bmm(given, self.up.astype(half)), approximate="tanh")
                out = ops.bmm(h, self.down.astype(half))
                out = out.reshape(e, g, c, w).swapaxes(0, 1).reshape(g, e * c, w)
                return ops.square(ops.bmm(combine, out).astype(ms.float32)).mean()

        net = Net()
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-4)).set_train()
        return step, [Tensor(a) for a in self.batch()]
