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


def _of_accelerator(name, **kernels):
    sizes = accelerator.FULL[name]

    class OfAccelerator(Workload):
        def __init__(self, layers=None):
            super().__init__(layers)
            self.sizes = dict(sizes)
            if layers and "layers" in sizes and name != "lstm" and layers < sizes["layers"]:
                self.sizes["layers"], self.note = layers, f", {layers} layers"

        def jax(self):
            options = accelerator.net_of(name, self.sizes)
            x, y = accelerator.batch_of(name, self.sizes)
            if name == "resnet50":
                made = nets_jax.resnet(**options, layout="NHWC", dtype=jnp.bfloat16)
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
                out = ops.flash_attention_score(
                    self.turned(q),
                    self.turned(k),
                    v,
                    outer.heads,
                    scalar_value=(w // outer.heads) ** -0.5,
                    input_layout="BNSD",
                    sparse_mode=2,
                )
                h = x + self.product(out.swapaxes(1, 2).reshape(b, n, w), self.o)
                y = self.norm(self.norm2, h)
                h = h + self.product(ops.silu(self.product(y, self.gate)) * self.product(y, self.up), self.down)
                return ops.square(h.astype(ms.float32)).mean()

        net = Block()
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-4)).set_train()
        return step, [Tensor(a) for a in self.batch()]
