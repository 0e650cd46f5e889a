"""Still more workloads of `compiled.py`: texts by convolutions, windows of images, segmentation, volumes, tags by a random field."""

import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax
from compiled_more_nets import batch_norm, convolve, dense, images, normed, shapes_of, trained
from compiled_nets import Workload, workload


@workload("textcnn")
class TextCnn(Workload):
    """TextCNN: an embedding, windows of 3, 4 and 5 words with 96 channels each, the largest over time; 64 x 56 words of 128, float32, Adam."""

    count, length, vocabulary, width, channels, windows = 64, 56, 8000, 128, 96, (3, 4, 5)

    def batch(self):
        return np.ones((self.count, self.length), np.int32), np.zeros(self.count, np.int32)

    def jax(self):
        convs = [{"w": (k, self.width, self.channels), "b": (self.channels,)} for k in self.windows]
        shapes = {"table": (self.vocabulary, self.width), "convs": convs, "head": dense(3 * self.channels, 2)}

        def loss(p, ids, y):
            x = p["table"][ids]
            kind = ("NWC", "WIO", "NWC")
            found = [
                jax.nn.relu(jax.lax.conv_general_dilated(x, q["w"], (1,), "VALID", dimension_numbers=kind) + q["b"])
                for q in p["convs"]
            ]
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], jnp.concatenate([h.max(1) for h in found], -1)), y)

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer = self

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                w, c = outer.width, outer.channels
                self.table = nn.Embedding(outer.vocabulary, w)
                layers = [nn.Conv2d(1, c, (k, w), pad_mode="valid", has_bias=True) for k in outer.windows]
                pools = [nn.MaxPool2d((outer.length - k + 1, 1)) for k in outer.windows]
                self.convs, self.pools = nn.CellList(layers), nn.CellList(pools)
                self.relu, self.concat = nn.ReLU(), ops.Concat(1)
                self.head, self.loss = nn.Dense(3 * c, 2), nn.CrossEntropyLoss()

            def construct(self, ids, y):
                x = ops.expand_dims(self.table(ids), 1)
                found = ()
                for conv, pool in zip(self.convs, self.pools):
                    h = pool(self.relu(conv(x)))
                    found += (h.squeeze((2, 3)),)
                return self.loss(self.head(self.concat(found)), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("swin")
class Swin(Workload):
    """Two blocks of a Swin Transformer, windows of 7 x 7, the second shifted, biases by relative place; 16 images of 28 x 28 x 192, AdamW."""

    count, size, window, width, heads = 16, 28, 7, 192, 6

    def batch(self):
        return (images(self.count, self.size * self.size, self.width),)

    def places(self):
        """The number of the relative place of each pair in a window."""
        at = np.stack(np.meshgrid(*[np.arange(self.window)] * 2, indexing="ij")).reshape(2, -1)
        apart = at[:, :, None] - at[:, None] + self.window - 1
        return (apart[0] * (2 * self.window - 1) + apart[1]).astype(np.int32)

    def hidden(self):
        """-100 between places of a shifted window that are no neighbours: (windows, 49, 49)."""
        parts, shift, n = np.zeros((self.size, self.size)), self.window // 2, self.size // self.window
        cuts = (slice(0, -self.window), slice(-self.window, -shift), slice(-shift, None))
        for i, rows in enumerate(cuts):
            for j, columns in enumerate(cuts):
                parts[rows, columns] = 3 * i + j
        parts = parts.reshape(n, self.window, n, self.window).transpose(0, 2, 1, 3).reshape(n * n, -1)
        return np.where(parts[:, None] == parts[:, :, None], 0, -100).astype(np.float32)

    def jax(self):
        w, n, win = self.width, self.size // self.window, self.window
        block = {"norm1": {"scale": (w,), "shift": (w,)}, "norm2": {"scale": (w,), "shift": (w,)}}
        block |= {"qkv": dense(w, 3 * w), "out": dense(w, w), "up": dense(w, 4 * w), "down": dense(4 * w, w)}
        block["bias"] = ((2 * win - 1) ** 2, self.heads)
        places, hidden = self.places(), self.hidden()

        def attend(p, x, shift):
            b = len(x)
            x = x.reshape(b, self.size, self.size, w)
            x = jnp.roll(x, (-shift, -shift), (1, 2)) if shift else x
            x = x.reshape(b, n, win, n, win, w).transpose(0, 1, 3, 2, 4, 5).reshape(b * n * n, win * win, w)
            q, k, v = jnp.moveaxis(nets_jax.linear(p["qkv"], x).reshape(*x.shape[:2], 3, self.heads, -1), 2, 0)
            scores = jnp.einsum("bqhd,bkhd->bhqk", q * (w // self.heads) ** -0.5, k)
            scores = scores + p["bias"][places].transpose(2, 0, 1)
            if shift:
                scores = (scores.reshape(b, n * n, *scores.shape[1:]) + hidden[:, None]).reshape(scores.shape)
            x = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), v).reshape(x.shape)
            x = nets_jax.linear(p["out"], x).reshape(b, n, n, win, win, w).transpose(0, 1, 3, 2, 4, 5)
            x = x.reshape(b, self.size, self.size, w)
            return (jnp.roll(x, (shift, shift), (1, 2)) if shift else x).reshape(b, -1, w)

        def loss(p, x):
            for i, q in enumerate(p["blocks"]):
                x = x + attend(q, nets_jax.layer_norm(q["norm1"], x), i * (win // 2))
                h = jax.nn.gelu(nets_jax.linear(q["up"], nets_jax.layer_norm(q["norm2"], x)), approximate=False)
                x = x + nets_jax.linear(q["down"], h)
            return jnp.square(x).mean()

        return shapes_of({"blocks": [block, block]}), loss, self.batch(), optax.adamw(1e-3)

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, w, n, win = self, self.width, self.size // self.window, self.window

        class Attention(nn.Cell):
            def __init__(self, shift):
                super().__init__()
                self.qkv, self.out, self.softmax = nn.Dense(w, 3 * w), nn.Dense(w, w), nn.Softmax(-1)
                self.bias = Parameter(initializer("normal", ((2 * win - 1) ** 2, outer.heads)), name="bias")
                self.places, self.shift = Tensor(outer.places().reshape(-1)), shift
                self.hidden = Tensor(outer.hidden()).expand_dims(1).expand_dims(0) if shift else None

            def construct(self, x):
                b, length, c = x.shape
                qkv = self.qkv(x).reshape(b, length, 3, outer.heads, -1).transpose(2, 0, 3, 1, 4)
                q, k, v = qkv[0] * (c // outer.heads) ** -0.5, qkv[1], qkv[2]
                scores = ops.matmul(q, k.swapaxes(-2, -1))
                bias = ops.gather(self.bias, self.places, 0).reshape(length, length, -1).transpose(2, 0, 1)
                scores = scores + bias.expand_dims(0)
                if self.shift:
                    scores = scores.reshape(b // (n * n), n * n, outer.heads, length, length) + self.hidden
                    scores = scores.reshape(-1, outer.heads, length, length)
                out = ops.matmul(self.softmax(scores), v)
                return self.out(out.transpose(0, 2, 1, 3).reshape(b, length, c))

        class Block(nn.Cell):
            def __init__(self, shift):
                super().__init__()
                self.norm1, self.norm2 = nn.LayerNorm((w,), epsilon=1e-5), nn.LayerNorm((w,), epsilon=1e-5)
                self.attention, self.shift = Attention(shift), shift
                self.up, self.down, self.act = nn.Dense(w, 4 * w), nn.Dense(4 * w, w), nn.GELU(approximate=False)

            def construct(self, x):
                b, _, c = x.shape
                h = self.norm1(x).reshape(b, outer.size, outer.size, c)
                if self.shift:
                    h = ms.numpy.roll(h, (-self.shift, -self.shift), (1, 2))
                h = h.reshape(b, n, win, n, win, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, win * win, c)
                h = self.attention(h).reshape(b, n, n, win, win, c).transpose(0, 1, 3, 2, 4, 5)
                h = h.reshape(b, outer.size, outer.size, c)
                if self.shift:
                    h = ms.numpy.roll(h, (self.shift, self.shift), (1, 2))
                x = x + h.reshape(b, -1, c)
                return x + self.down(self.act(self.up(self.norm2(x))))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.blocks = nn.SequentialCell([Block(0), Block(win // 2)])

            def construct(self, x):
                return ops.square(self.blocks(x)).mean()

        optimizer = lambda p: nn.AdamWeightDecay(p, 1e-3, weight_decay=1e-4)  # noqa: E731
        return trained(Net(), optimizer), [Tensor(a) for a in self.batch()]


@workload("volume")
class Volumes(Workload):
    """Convolutions of volumes: 3 layers with BatchNorm, ReLU and pools, 4 volumes of 16 x 64 x 64, float32, Momentum."""

    shape, widths, classes = (4, 1, 16, 64, 64), (1, 16, 32, 64), 10

    def batch(self):
        return images(*self.shape), np.zeros(self.shape[0], np.int32)

    def jax(self):
        layers = [{"w": (3, 3, 3, a, b), "scale": (b,), "shift": (b,)} for a, b in zip(self.widths, self.widths[1:])]

        def loss(p, x, y):
            for q in p["layers"]:
                kind = ("NDHWC", "DHWIO", "NDHWC")
                x = jax.lax.conv_general_dilated(x, q["w"], (1, 1, 1), [(1, 1)] * 3, dimension_numbers=kind)
                x = jax.nn.relu(batch_norm(q, x))
                window = (1, 2, 2, 2, 1)
                x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, window, "VALID")
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], x.mean((1, 2, 3))), y)

        x, y = self.batch()
        shapes = {"layers": layers, "head": dense(self.widths[-1], self.classes)}
        return shapes_of(shapes), loss, (x.transpose(0, 2, 3, 4, 1), y), optax.sgd(1e-3, momentum=0.9)

    def msjax(self):
        from mindspore import Tensor, nn

        outer = self

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                layers = []
                for a, b in zip(outer.widths, outer.widths[1:]):
                    conv = nn.Conv3d(a, b, 3, pad_mode="pad", padding=1)
                    layers += [conv, nn.BatchNorm3d(b), nn.ReLU(), nn.MaxPool3d(2, 2)]
                self.layers = nn.SequentialCell(layers)
                self.head, self.loss = nn.Dense(outer.widths[-1], outer.classes), nn.CrossEntropyLoss()

            def construct(self, x, y):
                return self.loss(self.head(self.layers(x).mean((2, 3, 4))), y)

        return trained(Net(), lambda p: nn.Momentum(p, 1e-3, 0.9)), [Tensor(a) for a in self.batch()]


@workload("segment")
class Segmentation(Workload):
    """DeepLab's head: dilated convolutions, the mean of the image, bilinear growth, and a cross entropy of pixels, some of them ignored; Momentum."""

    count, size, width, classes, rates = 4, 128, 64, 21, (1, 3, 6)

    def batch(self):
        return images(self.count, 3, self.size, self.size), np.zeros((self.count, self.size, self.size), np.int32)

    def jax(self):
        w = self.width
        shapes = {"stem": normed(3, 3, 32), "down": normed(3, 32, w), "mean": normed(1, w, w)}
        shapes |= {"rates": [normed(3, w, w) for _ in self.rates], "join": normed(1, 4 * w, w), "head": dense(w, 21)}

        def dilated(p, x, rate):
            kind = ("NHWC", "HWIO", "NHWC")
            x = jax.lax.conv_general_dilated(
                x, p["w"], (1, 1), [(rate, rate)] * 2, rhs_dilation=(rate, rate), dimension_numbers=kind
            )
            return jax.nn.relu(batch_norm(p, x))

        def layer(p, x, stride=1):
            return jax.nn.relu(batch_norm(p, convolve(x, p["w"], stride)))

        def loss(p, x, y):
            h = layer(p["down"], layer(p["stem"], x, 2), 2)
            parts = [dilated(q, h, rate) for q, rate in zip(p["rates"], self.rates)]
            mean = layer(p["mean"], h.mean((1, 2), keepdims=True))
            h = layer(p["join"], jnp.concatenate([*parts, jnp.broadcast_to(mean, h.shape)], -1))
            out = nets_jax.linear(p["head"], h)
            out = jax.image.resize(out, (len(out), self.size, self.size, self.classes), "bilinear")
            kept = (y != 255).astype(jnp.float32)
            lost = optax.softmax_cross_entropy_with_integer_labels(out, jnp.where(y == 255, 0, y))
            return (lost * kept).sum() / kept.sum()

        x, y = self.batch()
        return shapes_of(shapes), loss, (x.transpose(0, 2, 3, 1), y), optax.sgd(1e-3, momentum=0.9)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer, w = self, self.width

        def layer(n_in, n_out, size, stride=1, rate=1):
            conv = nn.Conv2d(n_in, n_out, size, stride, "pad", rate * (size // 2), dilation=rate)
            return nn.SequentialCell([conv, nn.BatchNorm2d(n_out), nn.ReLU()])

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.down = nn.SequentialCell([layer(3, 32, 3, 2), layer(32, w, 3, 2)])
                self.rates = nn.CellList([layer(w, w, 3, 1, rate) for rate in outer.rates])
                self.mean, self.join = layer(w, w, 1), layer(4 * w, w, 1)
                self.head = nn.Conv2d(w, outer.classes, 1, has_bias=True)
                self.loss = nn.CrossEntropyLoss(ignore_index=255)

            def construct(self, x, y):
                h = self.down(x)
                parts = ()
                for branch in self.rates:
                    parts += (branch(h),)
                mean = self.mean(ops.mean(h, (2, 3), keep_dims=True))
                parts += (ops.broadcast_to(mean, parts[0].shape),)
                out = self.head(self.join(ops.concat(parts, 1)))
                return self.loss(ops.interpolate(out, size=y.shape[1:], mode="bilinear"), y)

        return trained(Net(), lambda p: nn.Momentum(p, 1e-3, 0.9)), [Tensor(a) for a in self.batch()]


@workload("crf")
class Tagger(Workload):
    """LSTM-CRF: an LSTM in both directions, and a random field of 9 tags over 32 x 32 words of 128, float32, Adam."""

    width, vocabulary, tags, shape = 128, 4000, 9, (32, 32)

    def batch(self):
        return np.ones(self.shape, np.int32), np.zeros(self.shape, np.int32), np.ones(self.shape, np.float32)

    def jax(self):
        w, half, tags = self.width, self.width // 2, self.tags
        cell = {"x": dense(w, 4 * half), "h": dense(half, 4 * half)}
        shapes = {"table": (self.vocabulary, w), "there": cell, "back": cell, "head": dense(w, tags)}
        shapes |= {"moves": (tags, tags), "first": (tags,), "last": (tags,)}

        def loss(p, ids, y, mask):
            x = p["table"][ids.T]
            h = jnp.concatenate(
                [nets_jax.lstm_layer(p["there"], x), nets_jax.lstm_layer(p["back"], x, reverse=True)], -1
            )
            scores, y, mask = nets_jax.linear(p["head"], h), y.T, mask.T
            at = jnp.take_along_axis(scores, y[..., None], -1)[..., 0]
            good = p["first"][y[0]] + at[0] + ((p["moves"][y[:-1], y[1:]] + at[1:]) * mask[1:]).sum(0)
            good = good + p["last"][jnp.take_along_axis(y, mask.sum(0).astype(jnp.int32)[None] - 1, 0)[0]]

            def step(alpha, now):
                score, kept = now
                new = jax.nn.logsumexp(alpha[:, :, None] + p["moves"] + score[:, None], 1)
                return jnp.where(kept[:, None] > 0, new, alpha), None

            alpha, _ = jax.lax.scan(step, p["first"] + scores[0], (scores[1:], mask[1:]))
            return (jax.nn.logsumexp(alpha + p["last"], -1) - good).mean()

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, tags = self, self.tags

        class Field(nn.Cell):
            """As in MindSpore's tutorial of sequence labelling."""

            def __init__(self):
                super().__init__()
                self.first = Parameter(initializer("uniform", (tags,)), name="first")
                self.last = Parameter(initializer("uniform", (tags,)), name="last")
                self.moves = Parameter(initializer("uniform", (tags, tags)), name="moves")

            def score(self, emissions, y, mask, ends):
                rows = ops.arange(0, y.shape[1])
                total = self.first[y[0]] + emissions[0, rows, y[0]]
                for i in range(1, y.shape[0]):
                    total += self.moves[y[i - 1], y[i]] * mask[i]
                    total += emissions[i, rows, y[i]] * mask[i]
                return total + self.last[y[ends, rows]]

            def normalizer(self, emissions, mask):
                alpha = self.first + emissions[0]
                for i in range(1, emissions.shape[0]):
                    new = alpha.expand_dims(2) + self.moves + emissions[i].expand_dims(1)
                    new = ops.logsumexp(new, axis=1)
                    alpha = ops.where(mask[i].expand_dims(1) > 0, new, alpha)
                return ops.logsumexp(alpha + self.last, axis=1)

            def construct(self, emissions, y, mask):
                emissions, y, mask = emissions.swapaxes(0, 1), y.swapaxes(0, 1), mask.swapaxes(0, 1)
                ends = mask.sum(0).astype(y.dtype) - 1
                return (self.normalizer(emissions, mask) - self.score(emissions, y, mask, ends)).mean()

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.table, self.head, self.field = nn.Embedding(outer.vocabulary, w), nn.Dense(w, tags), Field()
                self.reads = nn.LSTM(w, w // 2, bidirectional=True, batch_first=True)

            def construct(self, ids, y, mask):
                return self.field(self.head(self.reads(self.table(ids))[0]), y, mask)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]
