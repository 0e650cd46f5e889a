"""More workloads of `compiled.py`: networks as other fields write them, in MindSpore and by hand in JAX."""

import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax
from compiled_nets import Workload, workload


def shapes_of(tree):
    """A tree of shapes as float32 arrays that are not there."""
    return jax.tree_util.tree_map(
        lambda s: jax.ShapeDtypeStruct(s, jnp.float32), tree, is_leaf=lambda s: isinstance(s, tuple)
    )


def images(*shape):
    return np.random.RandomState(0).randn(*shape).astype(np.float32)


def trained(net, optimizer):
    """The usual training step of a network that gives its loss."""
    from mindspore import nn

    return nn.TrainOneStepCell(net, optimizer(net.trainable_params())).set_train()


def dense(n_in, n_out):
    return {"w": (n_in, n_out), "b": (n_out,)}


def normed(size, n_in, n_out, groups=1):
    """A convolution and its BatchNorm."""
    return {"w": (size, size, n_in // groups, n_out), "scale": (n_out,), "shift": (n_out,)}


def convolve(x, w, stride=1, groups=1, pad=None):
    """A convolution of images (batch, height, width, channels)."""
    pad = (w.shape[0] - 1) // 2 if pad is None else pad
    kind = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(
        x, w.astype(x.dtype), (stride, stride), [(pad, pad)] * 2, dimension_numbers=kind, feature_group_count=groups
    )


def batch_norm(p, x):
    """BatchNorm in training over all but the last axis, with float32 sums."""
    axes = tuple(range(x.ndim - 1))
    y = x.astype(jnp.float32)
    mean = y.mean(axes)
    variance = jnp.square(y).mean(axes) - mean * mean
    y = (y - mean) * (jax.lax.rsqrt(variance + 1e-5) * p["scale"]) + p["shift"]
    return y.astype(x.dtype)


@workload("efficientnet")
class EfficientNet(Workload):
    """Three stages of EfficientNet-B0 with depthwise convolutions and squeeze-and-excitation, 32 images of 112 x 112, float32, RMSProp."""

    count, size, classes = 32, 112, 100
    stages = (
        (1, 16, 1, 3, 1),
        (6, 24, 2, 3, 2),
        (6, 40, 2, 5, 2),
    )  # expansion, width, blocks, size of the window, stride

    def blocks(self):
        """(width, expanded, width out, size of the window, stride) of each block."""
        width = 32
        for expand, out, count, size, stride in self.stages:
            for i in range(count):
                yield width, width * expand, out, size, 1 if i else stride
                width = out

    def batch(self):
        return images(self.count, 3, self.size, self.size), np.zeros(self.count, np.int32)

    def jax(self):
        shapes = {"stem": normed(3, 3, 32), "blocks": [], "head": dense(40, self.classes)}
        for width, wide, out, size, _ in self.blocks():
            block = {"expand": normed(1, width, wide)} if wide != width else {}
            few = max(1, width // 4)
            block |= {"deep": normed(size, wide, wide, wide), "squeeze": dense(wide, few), "excite": dense(few, wide)}
            shapes["blocks"].append(block | {"narrow": normed(1, wide, out)})

        def layer(p, x, stride=1, groups=1):
            return batch_norm(p, convolve(x, p["w"], stride, groups))

        def loss(p, x, y):
            h = jax.nn.silu(layer(p["stem"], x, 2))
            for q, (width, wide, out, _, stride) in zip(p["blocks"], self.blocks()):
                x = h
                h = jax.nn.silu(layer(q["expand"], h)) if "expand" in q else h
                h = jax.nn.silu(layer(q["deep"], h, stride, wide))
                s = jax.nn.silu(nets_jax.linear(q["squeeze"], h.mean((1, 2))))
                h = h * jax.nn.sigmoid(nets_jax.linear(q["excite"], s))[:, None, None]
                h = layer(q["narrow"], h)
                h = x + h if stride == 1 and width == out else h
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], h.mean((1, 2))), y)

        x, y = self.batch()
        return shapes_of(shapes), loss, (x.transpose(0, 2, 3, 1), y), optax.rmsprop(1e-3, momentum=0.9)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer = self

        def layer(n_in, n_out, size, stride=1, groups=1, act=True):
            conv = nn.Conv2d(n_in, n_out, size, stride, "pad", size // 2, group=groups)
            return nn.SequentialCell([conv, nn.BatchNorm2d(n_out), *[nn.SiLU()] * act])

        class Excite(nn.Cell):
            def __init__(self, width, few):
                super().__init__()
                self.squeeze, self.act = nn.Conv2d(width, few, 1, has_bias=True), nn.SiLU()
                self.excite, self.sigmoid = nn.Conv2d(few, width, 1, has_bias=True), nn.Sigmoid()

            def construct(self, x):
                s = ops.mean(x, (2, 3), keep_dims=True)
                return x * self.sigmoid(self.excite(self.act(self.squeeze(s))))

        class Block(nn.Cell):
            def __init__(self, width, wide, out, size, stride):
                super().__init__()
                layers = [layer(width, wide, 1)] if wide != width else []
                layers += [layer(wide, wide, size, stride, wide), Excite(wide, max(1, width // 4))]
                self.layers = nn.SequentialCell([*layers, layer(wide, out, 1, act=False)])
                self.adds = stride == 1 and width == out

            def construct(self, x):
                return x + self.layers(x) if self.adds else self.layers(x)

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.stem = layer(3, 32, 3, 2)
                self.blocks = nn.SequentialCell([Block(*b) for b in outer.blocks()])
                self.head, self.loss = nn.Dense(40, outer.classes), nn.CrossEntropyLoss()

            def construct(self, x, y):
                h = self.blocks(self.stem(x))
                return self.loss(self.head(h.mean((2, 3))), y)

        return trained(Net(), lambda p: nn.RMSProp(p, 1e-3, momentum=0.9)), [Tensor(a) for a in self.batch()]


@workload("yolo")
class Detector(Workload):
    """A detector with two scales (as YOLOv3): convolutions, a route up, boxes by anchors, overlap and cross entropies; 8 images of 256 x 256."""

    count, size, classes, anchors = 8, 256, 80, ((0.1, 0.2), (0.3, 0.2), (0.5, 0.6))
    widths = (16, 32, 64, 128)

    def batch(self):
        outs = [
            np.zeros((self.count, self.size // s, self.size // s, 3, 5 + self.classes), np.float32) for s in (8, 16)
        ]
        return images(self.count, 3, self.size, self.size), *outs

    def jax(self):
        n, out = (3, *self.widths), 3 * (5 + self.classes)
        shapes = {"down": [normed(3, a, b) for a, b in zip(n, n[1:])], "route": normed(1, 128, 64)}
        shapes |= {"join": normed(3, 128, 64), "coarse": dense(128, out), "fine": dense(64, out)}
        bce, sigmoid = optax.sigmoid_binary_cross_entropy, jax.nn.sigmoid
        anchors = np.array(self.anchors, np.float32)

        def layer(p, x, stride=1):
            return jax.nn.leaky_relu(batch_norm(p, convolve(x, p["w"], stride)), 0.1)

        def scale_loss(out, target):
            b, h, w = out.shape[:3]
            out = out.reshape(b, h, w, 3, -1)
            x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
            grid = np.stack([x, y], -1)[None, :, :, None]
            centre = (sigmoid(out[..., :2]) + grid) / np.array([w, h], np.float32)
            size = jnp.exp(out[..., 2:4]) * anchors
            there = target[..., 4:5]
            low = jnp.maximum(centre - size / 2, target[..., :2] - target[..., 2:4] / 2)
            high = jnp.minimum(centre + size / 2, target[..., :2] + target[..., 2:4] / 2)
            both = jnp.prod(jnp.maximum(high - low, 0.0), -1, keepdims=True)
            overlap = both / (
                jnp.prod(size, -1, keepdims=True) + jnp.prod(target[..., 2:4], -1, keepdims=True) - both + 1e-9
            )
            near = (overlap < 0.5).astype(jnp.float32)
            sure = bce(out[..., 4:5], there) * (there + (1 - there) * jax.lax.stop_gradient(near))
            kinds = bce(out[..., 5:], target[..., 5:]) * there
            return ((1 - overlap) * there).sum() / b + sure.sum() / b + kinds.sum() / b

        def loss(p, x, fine, coarse):
            kept = []
            for q in p["down"]:
                x = layer(q, x, 2)
                kept.append(x)
            up = layer(p["route"], x)
            up = jnp.repeat(jnp.repeat(up, 2, 1), 2, 2)
            joined = layer(p["join"], jnp.concatenate([up, kept[-2]], -1))
            return scale_loss(nets_jax.linear(p["coarse"], x), coarse) + scale_loss(
                nets_jax.linear(p["fine"], joined), fine
            )

        x, *targets = self.batch()
        return shapes_of(shapes), loss, (x.transpose(0, 2, 3, 1), *targets), optax.sgd(1e-3, momentum=0.9)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer = self

        def layer(n_in, n_out, size, stride=1):
            conv = nn.Conv2d(n_in, n_out, size, stride, "pad", size // 2)
            return nn.SequentialCell([conv, nn.BatchNorm2d(n_out), nn.LeakyReLU(0.1)])

        class ScaleLoss(nn.Cell):
            def __init__(self):
                super().__init__()
                self.anchors, self.sigmoid = Tensor(np.array(outer.anchors, np.float32)), nn.Sigmoid()
                self.bce = ops.SigmoidCrossEntropyWithLogits()

            def construct(self, out, target):
                b, _, h, w = out.shape
                out = out.reshape(b, 3, -1, h, w).transpose(0, 3, 4, 1, 2)
                x, y = ops.meshgrid(ops.arange(w), ops.arange(h))
                grid = ops.stack([x, y], -1).astype(out.dtype).reshape(1, h, w, 1, 2)
                centre = (self.sigmoid(out[..., :2]) + grid) / ops.stack([ops.ones(1) * w, ops.ones(1) * h], -1)
                size = ops.exp(out[..., 2:4]) * self.anchors
                there = target[..., 4:5]
                low = ops.maximum(centre - size / 2, target[..., :2] - target[..., 2:4] / 2)
                high = ops.minimum(centre + size / 2, target[..., :2] + target[..., 2:4] / 2)
                sides = ops.maximum(high - low, Tensor(0.0))
                both = sides[..., 0:1] * sides[..., 1:2]
                area = size[..., 0:1] * size[..., 1:2] + target[..., 2:3] * target[..., 3:4]
                overlap = both / (area - both + 1e-9)
                near = ops.stop_gradient((overlap < 0.5).astype(out.dtype))
                sure = self.bce(out[..., 4:5], there) * (there + (1 - there) * near)
                kinds = self.bce(out[..., 5:], target[..., 5:]) * there
                return ((1 - overlap) * there).sum() / b + sure.sum() / b + kinds.sum() / b

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                n, out = (3, *outer.widths), 3 * (5 + outer.classes)
                self.down = nn.CellList([layer(a, b, 3, 2) for a, b in zip(n, n[1:])])
                self.route, self.join = layer(128, 64, 1), layer(128, 64, 3)
                self.coarse, self.fine = nn.Conv2d(128, out, 1, has_bias=True), nn.Conv2d(64, out, 1, has_bias=True)
                self.concat, self.loss = ops.Concat(axis=1), ScaleLoss()

            def construct(self, x, fine, coarse):
                kept = []
                for stage in self.down:
                    x = stage(x)
                    kept.append(x)
                size = kept[-2].shape[2:]
                up = ops.ResizeNearestNeighbor(size)(self.route(x))
                joined = self.join(self.concat((up, kept[-2])))
                return self.loss(self.coarse(x), coarse) + self.loss(self.fine(joined), fine)

        return trained(Net(), lambda p: nn.Momentum(p, 1e-3, 0.9)), [Tensor(a) for a in self.batch()]


@workload("translate")
class Translator(Workload):
    """An encoder and a decoder of a Transformer, 2 layers each, padding and causal masks, smoothed labels; 16 x 128 tokens, float32, Adam."""

    width, heads, inner, vocabulary, shape, depth = 512, 8, 2048, 8000, (16, 128), 2

    def batch(self):
        ids = np.ones(self.shape, np.int32)
        return ids, ids, ids

    def places(self):
        at, half = np.arange(self.shape[1])[:, None], np.arange(self.width // 2)[None]
        angles = at / 10000 ** (2 * half / self.width)
        return np.concatenate([np.sin(angles), np.cos(angles)], -1).astype(np.float32)

    def jax(self):
        w = self.width

        def norm():
            return {"scale": (w,), "shift": (w,)}

        def attention():
            return {k: dense(w, w) for k in "qkvo"} | {"norm": norm()}

        def forward():
            return {"up": dense(w, self.inner), "down": dense(self.inner, w), "norm": norm()}

        layers = range(self.depth)
        shapes = {"source": (self.vocabulary, w), "target": (self.vocabulary, w), "head": dense(w, self.vocabulary)}
        shapes |= {"encoder": [{"self": attention(), "forward": forward()} for _ in layers]}
        shapes |= {"decoder": [{"self": attention(), "cross": attention(), "forward": forward()} for _ in layers]}

        def attend(p, x, memory, mask):
            split = lambda y: y.reshape(*y.shape[:2], self.heads, -1)  # noqa: E731
            q, k, v = (split(nets_jax.linear(p[m], s)) for m, s in (("q", x), ("k", memory), ("v", memory)))
            out = jax.nn.dot_product_attention(q, k, v, mask=mask)
            return nets_jax.layer_norm(p["norm"], x + nets_jax.linear(p["o"], out.reshape(x.shape)))

        def forward_of(p, x):
            h = jax.nn.relu(nets_jax.linear(p["up"], x))
            return nets_jax.layer_norm(p["norm"], x + nets_jax.linear(p["down"], h))

        def loss(p, source, target, labels):
            places = self.places()
            seen = (source != 0)[:, None, None]
            causal = np.tril(np.ones((self.shape[1],) * 2, bool))[None, None]
            h = p["source"][source] * w**0.5 + places
            for q in p["encoder"]:
                h = forward_of(q["forward"], attend(q["self"], h, h, seen))
            y = p["target"][target] * w**0.5 + places
            mask = causal & (target != 0)[:, None, None]
            for q in p["decoder"]:
                y = attend(q["self"], y, y, mask)
                y = forward_of(q["forward"], attend(q["cross"], y, h, seen))
            logits = nets_jax.linear(p["head"], y)
            sums = jax.nn.logsumexp(logits, -1)
            at = jax.lax.broadcasted_iota(jnp.int32, logits.shape, 2) == labels[..., None]
            there = sums - jnp.where(at, logits, 0.0).sum(-1)
            each = 0.9 * there + 0.1 * (sums - logits.mean(-1))
            kept = (labels != 0).astype(jnp.float32)
            return (each * kept).sum() / kept.sum()

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-4)

    def msjax(self):
        import mindspore as ms
        from mindspore import Tensor, nn, ops

        outer = self

        class Attention(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.q, self.k, self.v, self.o = (nn.Dense(w, w) for _ in range(4))
                self.softmax, self.norm = nn.Softmax(-1), nn.LayerNorm((w,), epsilon=1e-5)

            def heads(self, x):
                return x.reshape(x.shape[0], x.shape[1], outer.heads, -1).transpose(0, 2, 1, 3)

            def construct(self, x, memory, mask):
                q, k, v = self.heads(self.q(x)), self.heads(self.k(memory)), self.heads(self.v(memory))
                scores = ops.matmul(q, k.transpose(0, 1, 3, 2)) / (outer.width // outer.heads) ** 0.5
                weights = self.softmax(ops.masked_fill(scores, mask == 0, -1e9))
                out = ops.matmul(weights, v).transpose(0, 2, 1, 3).reshape(x.shape)
                return self.norm(x + self.o(out))

        class FeedForward(nn.Cell):
            def __init__(self):
                super().__init__()
                self.up, self.down = (
                    nn.Dense(outer.width, outer.inner, activation="relu"),
                    nn.Dense(outer.inner, outer.width),
                )
                self.norm = nn.LayerNorm((outer.width,), epsilon=1e-5)

            def construct(self, x):
                return self.norm(x + self.down(self.up(x)))

        class Encoder(nn.Cell):
            def __init__(self):
                super().__init__()
                self.attention, self.forward = Attention(), FeedForward()

            def construct(self, x, mask):
                return self.forward(self.attention(x, x, mask))

        class Decoder(nn.Cell):
            def __init__(self):
                super().__init__()
                self.attention, self.cross, self.forward = Attention(), Attention(), FeedForward()

            def construct(self, x, memory, mask, seen):
                return self.forward(self.cross(self.attention(x, x, mask), memory, seen))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.source = nn.Embedding(outer.vocabulary, outer.width)
                self.target = nn.Embedding(outer.vocabulary, outer.width)
                self.encoder = nn.CellList([Encoder() for _ in range(outer.depth)])
                self.decoder = nn.CellList([Decoder() for _ in range(outer.depth)])
                self.head, self.places = nn.Dense(outer.width, outer.vocabulary), Tensor(outer.places())
                self.causal = Tensor(np.tril(np.ones((outer.shape[1],) * 2, np.float32)))
                self.loss = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)

            def construct(self, source, target, labels):
                seen = (source != 0).astype(ms.float32).expand_dims(1).expand_dims(1)
                h = self.source(source) * outer.width**0.5 + self.places
                for layer in self.encoder:
                    h = layer(h, seen)
                mask = (target != 0).astype(ms.float32).expand_dims(1).expand_dims(1) * self.causal
                y = self.target(target) * outer.width**0.5 + self.places
                for layer in self.decoder:
                    y = layer(y, h, mask, seen)
                return self.loss(self.head(y).reshape(-1, outer.vocabulary), labels.reshape(-1))

        return trained(Net(), lambda p: nn.Adam(p, 1e-4)), [Tensor(a) for a in self.batch()]
