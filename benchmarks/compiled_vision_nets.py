"""Workloads of `compiled.py` from further fields: ConvNeXt, clouds of points, growing images by shuffled channels, a history of items."""

import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax
from compiled_more_nets import batch_norm, convolve, dense, images, shapes_of, trained
from compiled_nets import Workload, workload


@workload("convnext")
class ConvNext(Workload):
    """Two blocks of ConvNeXt: depthwise 7 x 7, LayerNorm over channels, GELU, a scale of each channel; 16 images of 56 x 56 x 96, AdamW."""

    count, size, width, blocks, classes = 16, 56, 96, 2, 100

    def batch(self):
        return images(self.count, self.width, self.size, self.size), np.zeros(self.count, np.int32)

    def jax(self):
        w = self.width
        block = {"conv": (7, 7, 1, w), "shift": (w,), "norm": {"scale": (w,), "shift": (w,)}, "gamma": (w,)}
        block |= {"up": dense(w, 4 * w), "down": dense(4 * w, w)}

        def norm(q, x):
            mean = x.mean(-1, keepdims=True)
            variance = jnp.square(x - mean).mean(-1, keepdims=True)
            return (x - mean) * jax.lax.rsqrt(variance + 1e-6) * q["scale"] + q["shift"]

        def loss(p, x, y):
            for q in p["blocks"]:
                h = norm(q["norm"], convolve(x, q["conv"], groups=w) + q["shift"])
                h = nets_jax.linear(q["down"], jax.nn.gelu(nets_jax.linear(q["up"], h), approximate=False))
                x = x + q["gamma"] * h
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], x.mean((1, 2))), y)

        x, y = self.batch()
        shapes = {"blocks": [block] * self.blocks, "head": dense(w, self.classes)}
        return shapes_of(shapes), loss, (x.transpose(0, 2, 3, 1), y), optax.adamw(1e-3, weight_decay=0.05)

    def msjax(self):
        from mindspore import Parameter, Tensor, nn, ops

        outer, w = self, self.width

        class Block(nn.Cell):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(w, w, 7, 1, "pad", 3, group=w, has_bias=True)
                self.norm, self.act = nn.LayerNorm((w,), epsilon=1e-6), nn.GELU(approximate=False)
                self.up, self.down = nn.Dense(w, 4 * w), nn.Dense(4 * w, w)
                self.gamma = Parameter(Tensor(np.full(w, 1e-6, np.float32)), name="gamma")

            def construct(self, x):
                h = ops.transpose(self.conv(x), (0, 2, 3, 1))
                h = self.gamma * self.down(self.act(self.up(self.norm(h))))
                return x + ops.transpose(h, (0, 3, 1, 2))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.blocks = nn.SequentialCell([Block() for _ in range(outer.blocks)])
                self.head, self.loss = nn.Dense(w, outer.classes), nn.CrossEntropyLoss()

            def construct(self, x, y):
                return self.loss(self.head(self.blocks(x).mean((2, 3))), y)

        return trained(Net(), lambda p: nn.AdamWeightDecay(p, 1e-3, weight_decay=0.05)), [
            Tensor(a) for a in self.batch()
        ]


@workload("points")
class PointNet(Workload):
    """PointNet: three products for each point with BatchNorm and ReLU, the largest over the points, two layers; 32 clouds of 1,024 points, Adam."""

    count, points, widths, classes = 32, 1024, (3, 64, 128, 1024), 40

    def batch(self):
        return images(self.count, 3, self.points), np.zeros(self.count, np.int32)

    def jax(self):
        n = self.widths
        shapes = {"each": [{"w": (a, b), "scale": (b,), "shift": (b,)} for a, b in zip(n, n[1:])]}
        shapes |= {"hidden": {"w": (n[-1], 256), "scale": (256,), "shift": (256,)}, "head": dense(256, self.classes)}

        def loss(p, x, y):
            for q in p["each"]:
                x = jax.nn.relu(batch_norm(q, x @ q["w"]))
            h = jax.nn.relu(batch_norm(p["hidden"], x.max(1) @ p["hidden"]["w"]))
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], h), y)

        x, y = self.batch()
        return shapes_of(shapes), loss, (x.transpose(0, 2, 1), y), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer, n = self, self.widths

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.convs = nn.CellList([nn.Conv1d(a, b, 1) for a, b in zip(n, n[1:])])
                self.norms = nn.CellList([nn.BatchNorm2d(b) for b in n[1:]])
                self.hidden, self.norm = nn.Dense(n[-1], 256, has_bias=False), nn.BatchNorm1d(256)
                self.head, self.loss, self.relu = nn.Dense(256, outer.classes), nn.CrossEntropyLoss(), nn.ReLU()

            def construct(self, x, y):
                for conv, norm in zip(self.convs, self.norms):
                    x = self.relu(norm(conv(x).expand_dims(-1)).squeeze(-1))
                h = self.relu(self.norm(self.hidden(ops.max(x, 2)[0])))
                return self.loss(self.head(h), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("grow")
class Grown(Workload):
    """Super-resolution: four residual blocks of 64 channels, shuffled channels for twice the size, the mean absolute error; 16 x 3 x 96 x 96, Adam."""

    count, size, width, blocks = 16, 96, 64, 4

    def batch(self):
        return images(self.count, 3, self.size, self.size), images(self.count, 3, 2 * self.size, 2 * self.size)

    def jax(self):
        w = self.width

        def conv_of(a, b):
            return {"w": (3, 3, a, b), "b": (b,)}

        shapes = {"in": conv_of(3, w), "blocks": [[conv_of(w, w), conv_of(w, w)] for _ in range(self.blocks)]}
        shapes |= {"up": conv_of(w, 4 * w), "out": conv_of(w, 3)}

        def conv(q, x):
            return convolve(x, q["w"]) + q["b"]

        def loss(p, x, y):
            h = first = conv(p["in"], x)
            for a, b in p["blocks"]:
                h = h + 0.1 * conv(b, jax.nn.relu(conv(a, h)))
            h = conv(p["up"], h + first)
            n, s, _, _ = h.shape
            h = h.reshape(n, s, s, 2, 2, w).transpose(0, 1, 3, 2, 4, 5).reshape(n, 2 * s, 2 * s, w)
            return jnp.abs(conv(p["out"], h) - y).mean()

        return shapes_of(shapes), loss, [a.transpose(0, 2, 3, 1) for a in self.batch()], optax.adam(1e-4)

    def msjax(self):
        from mindspore import Tensor, nn

        outer, w = self, self.width

        def conv(a, b):
            return nn.Conv2d(a, b, 3, has_bias=True)

        class Block(nn.Cell):
            def __init__(self):
                super().__init__()
                self.body = nn.SequentialCell(conv(w, w), nn.ReLU(), conv(w, w))

            def construct(self, x):
                return x + self.body(x) * 0.1

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.first, self.up, self.out = conv(3, w), conv(w, 4 * w), conv(w, 3)
                self.blocks = nn.SequentialCell([Block() for _ in range(outer.blocks)])
                self.shuffle, self.loss = nn.PixelShuffle(2), nn.L1Loss()

            def construct(self, x, y):
                x = self.first(x)
                return self.loss(self.out(self.shuffle(self.up(self.blocks(x) + x))), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-4)), [Tensor(a) for a in self.batch()]


@workload("interest")
class Interest(Workload):
    """A deep interest network: a history of 50 items weighted by what each has to do with the one that is shown; 512 rows, 63,001 items, Adam."""

    count, history, items, width = 512, 50, 63001, 64

    def batch(self):
        lengths = np.full((self.count, 1), self.history, np.int32)
        history, shown = np.ones((self.count, self.history), np.int32), np.ones(self.count, np.int32)
        return history, shown, lengths, np.ones((self.count, 1), np.float32)

    def jax(self):
        w = self.width
        shapes = {"items": (self.items, w), "attend": [dense(4 * w, 80), dense(80, 40), dense(40, 1)]}
        shapes["layers"] = [dense(2 * w, 200), dense(200, 80), dense(80, 1)]

        def layers(stack, x, act):
            for q in stack[:-1]:
                x = act(nets_jax.linear(q, x))
            return nets_jax.linear(stack[-1], x)

        def loss(p, history, shown, lengths, y):
            keys, query = p["items"][history], p["items"][shown]
            asked = jnp.broadcast_to(query[:, None], keys.shape)
            given = jnp.concatenate([asked, keys, asked - keys, asked * keys], -1)
            scores = layers(p["attend"], given, jax.nn.sigmoid)[..., 0] / w**0.5
            scores = jnp.where(jnp.arange(self.history) < lengths, scores, -1e9)
            seen = jnp.einsum("bt,btw->bw", jax.nn.softmax(scores), keys)
            out = layers(p["layers"], jnp.concatenate([seen, query], -1), jax.nn.sigmoid)
            return optax.sigmoid_binary_cross_entropy(out, y).mean()

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer, w = self, self.width

        def layers(*sizes):
            made = []
            for a, b in zip(sizes, sizes[1:]):
                made += [nn.Dense(a, b), nn.Sigmoid()]
            return nn.SequentialCell(made[:-1])

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.items = nn.Embedding(outer.items, w)
                self.attend, self.layers = layers(4 * w, 80, 40, 1), layers(2 * w, 200, 80, 1)
                self.concat, self.softmax = ops.Concat(-1), nn.Softmax(-1)
                self.places, self.loss = Tensor(np.arange(outer.history)[None], "int32"), nn.BCEWithLogitsLoss()

            def construct(self, history, shown, lengths, y):
                keys, query = self.items(history), self.items(shown)
                asked = ops.tile(query.expand_dims(1), (1, outer.history, 1))
                given = self.concat((asked, keys, asked - keys, asked * keys))
                scores = self.attend(given).squeeze(-1) / w**0.5
                scores = ops.masked_fill(scores, self.places >= lengths, -1e9)
                seen = ops.matmul(self.softmax(scores).expand_dims(1), keys).squeeze(1)
                return self.loss(self.layers(self.concat((seen, query))), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]
