"""Workloads of `compiled_sharded.py`: each net as MindSpore's users write it, with strategies or without, and by hand in JAX."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

WORKLOADS = {}
HALF = jnp.bfloat16


def workload(name):
    def add(cls):
        WORKLOADS[name] = cls
        return cls

    return add


class Workload:
    """One net, twice, over a grid of devices (data, model).

    `jax(mesh)`: (shapes of the parameters, their layouts, loss, batch). `msjax()`: (network with its loss, inputs). rows: the axes of the grid
    over which the batch lies. zero: what ZeRO divides, 0 to 3. mode: MindSpore's parallel mode. folded: equal layers are one loop; of those whose
    hand-written step has stacks of weights for it, all under the key "layers".
    """

    layers, model, zero, rows, mode, stages = 1, 8, 1, "data", "semi_auto_parallel", 1

    def __init__(self, layers, devices, folded=False):
        self.layers, self.folded = layers or type(self).layers, folded
        model = math.gcd(self.model, devices)
        self.grid = (devices // model, model)
        self.note = f", {self.layers} layers" if layers and layers != type(self).layers else ""
        self.note += ", folded" if folded else ""

    @property
    def strategy(self):
        """Over how many devices strategies divide: (data, model)."""
        return self.grid

    def laid(self, mesh):
        """`laid(x, *names)`: x, laid out over the mesh."""
        return lambda x, *spec: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))


def _shapes(tree):
    """(shapes, layouts) of a tree of (shape, layout)."""
    pair = lambda t: isinstance(t, tuple) and len(t) == 2 and isinstance(t[1], P)  # noqa: E731
    shapes = jax.tree_util.tree_map(lambda t: jax.ShapeDtypeStruct(t[0], jnp.float32), tree, is_leaf=pair)
    return shapes, jax.tree_util.tree_map(lambda t: t[1], tree, is_leaf=pair)


def _kernel(q, k, v, causal):
    """JAX's flash attention of arrays (batch, heads, length, width) on one device."""
    from jax.experimental.pallas.ops.tpu.flash_attention import flash_attention

    k, v = (jnp.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    return flash_attention(q, k, v, causal=causal, sm_scale=q.shape[-1] ** -0.5)


def _attend(mesh, q, k, v, causal):
    """The same over a mesh: batch over "data", heads over "model"."""
    lies = P("data", "model", None, None)
    kernel = functools.partial(_kernel, causal=causal)
    return jax.shard_map(kernel, mesh=mesh, in_specs=(lies,) * 3, out_specs=lies, check_vma=False)(q, k, v)


def _picked(logits, labels):
    """Mean cross entropy of float32 logits whose classes are split: the logit of the label is a masked sum."""
    at = jax.lax.broadcasted_iota(jnp.int32, logits.shape, logits.ndim - 1) == labels[..., None]
    return (jax.nn.logsumexp(logits, -1) - jnp.where(at, logits, 0.0).sum(-1)).mean()


def _sharded(operator, *strategies):
    return operator.shard(strategies)


class _Llama(Workload):
    """Llama-2: RMS norm, rotary attention, gated perceptron; bfloat16 products, float32 weights; embedding and loss over the vocabulary."""

    vocabulary, width, heads, key_heads, inner, shape = 32000, 4096, 32, 32, 11008, (4, 4096)

    def __init__(self, *given):
        super().__init__(*given)
        self.shape = (max(self.shape[0], self.grid[0]), self.shape[1])

    def batch(self):
        return np.zeros(self.shape, np.int32), np.zeros(self.shape, np.int32)

    def angles(self):
        half = self.width // self.heads // 2
        angles = np.arange(self.shape[1])[:, None] / (10000 ** (np.arange(half) / half))[None]
        angles = np.concatenate([angles, angles], -1)[None, None]
        return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)

    def jax(self, mesh):
        w, f, n = self.width, self.inner, self.width // self.heads
        k, laid = self.key_heads * n, self.laid(mesh)
        column, row, whole = P(None, "model"), P("model", None), P()
        layer = {"norm1": ((w,), whole), "norm2": ((w,), whole), "q": ((w, w), column), "k": ((w, k), column)}
        layer |= {"v": ((w, k), column), "o": ((w, w), row)}
        layer |= {"gate": ((w, f), column), "up": ((w, f), column), "down": ((f, w), row)}
        stack = {name: ((self.layers, *shape), P(None, *spec)) for name, (shape, spec) in layer.items()}
        shapes = {
            "tokens": ((self.vocabulary, w), row),
            "norm": ((w,), whole),
            "head": ((w, self.vocabulary), column),
            "layers": stack if self.folded else [dict(layer) for _ in range(self.layers)],
        }
        cos, sin = (a.astype(HALF) for a in self.angles())

        def norm(weight, x):
            y = x.astype(jnp.float32)
            return (y * jax.lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-6) * weight).astype(HALF)

        def turned(x):
            a, b = jnp.split(x, 2, -1)
            return x * cos + jnp.concatenate([-b, a], -1) * sin

        @jax.checkpoint
        def block(p, x):
            x = laid(x, "data", None, None)
            y = norm(p["norm1"], x)
            q, k, v = (
                (y @ p[m].astype(HALF)).reshape(*y.shape[:2], -1, n).transpose(0, 2, 1, 3) for m in ("q", "k", "v")
            )
            out = _attend(mesh, turned(q), turned(k), v, True).transpose(0, 2, 1, 3).reshape(x.shape)
            h = laid(x + out @ p["o"].astype(HALF), "data", None, None)
            y = norm(p["norm2"], h)
            gated = jax.nn.silu(y @ p["gate"].astype(HALF)) * (y @ p["up"].astype(HALF))
            return laid(h + gated @ p["down"].astype(HALF), "data", None, None)

        def loss(p, ids, labels):
            h = laid(p["tokens"].astype(HALF)[ids], "data", None, None)
            if self.folded:
                h, _ = jax.lax.scan(lambda h, q: (block(q, h), None), h, p["layers"])
            else:
                for q in p["layers"]:
                    h = block(q, h)
            logits = laid(norm(p["norm"], h) @ p["head"].astype(HALF), "data", None, "model")
            return _picked(logits.astype(jnp.float32), labels)

        return *_shapes(shapes), loss, self.batch()

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer
        from mindspore.ops.operations.nn_ops import FlashAttentionScore

        outer, half, (dp, mp), shard = self, ms.bfloat16, self.grid, _sharded
        rows = (dp, 1, 1)
        heads = (dp, mp, 1, 1)

        class Linear(nn.Cell):
            def __init__(self, n_in, n_out, column):
                super().__init__()
                self.weight = Parameter(initializer("normal", (n_out, n_in), ms.float32), name="weight")
                self.matmul = ops.MatMul(transpose_b=True)
                self.matmul.shard(((dp, 1), (mp, 1)) if column else ((dp, mp), (1, mp)))
                self.cast, self.reshape, self.sizes = ops.Cast(), ops.Reshape(), (n_in, n_out)

            def construct(self, x):
                shape = x.shape[:-1] + (self.sizes[1],)
                x = self.reshape(x, (-1, self.sizes[0]))
                return self.reshape(self.matmul(x, self.cast(self.weight, half)), shape)

        class Norm(nn.Cell):
            def __init__(self):
                super().__init__()
                self.weight = Parameter(initializer("ones", (outer.width,), ms.float32), name="weight")
                self.square, self.mean = shard(ops.Square(), rows), shard(ops.ReduceMean(keep_dims=True), rows)
                self.rsqrt, self.add = shard(ops.Rsqrt(), rows), ops.Add()
                self.mul, self.scale = shard(ops.Mul(), rows, rows), shard(ops.Mul(), rows, (1,))
                self.cast = ops.Cast()

            def construct(self, x):
                y = self.cast(x, ms.float32)
                n = self.rsqrt(self.add(self.mean(self.square(y), -1), 1e-6))
                return self.cast(self.scale(self.mul(y, n), self.weight), half)

        class Attention(nn.Cell):
            def __init__(self):
                super().__init__()
                w, n = outer.width, outer.width // outer.heads
                self.q, self.k = Linear(w, w, True), Linear(w, outer.key_heads * n, True)
                self.v, self.o = Linear(w, outer.key_heads * n, True), Linear(w, w, False)
                self.transpose, self.back = shard(ops.Transpose(), (dp, 1, mp, 1)), shard(ops.Transpose(), heads)
                self.reshape, self.split, self.neg = ops.Reshape(), ops.Split(-1, 2), shard(ops.Neg(), heads)
                self.mul, self.add = shard(ops.Mul(), heads, (1, 1, 1, 1)), shard(ops.Add(), heads, heads)
                self.concat = shard(ops.Concat(-1), heads, heads)
                self.attend = FlashAttentionScore(outer.heads, scale_value=n**-0.5, input_layout="BNSD", sparse_mode=2)
                self.attend.shard((heads, heads, heads, (1, 1)))
                self.mask = Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))
                self.n = n

            def turned(self, x, cos, sin):
                a, b = self.split(x)
                return self.add(self.mul(x, cos), self.mul(self.concat((self.neg(b), a)), sin))

            def heads(self, x, count):
                return self.transpose(self.reshape(x, (*x.shape[:2], count, self.n)), (0, 2, 1, 3))

            def construct(self, x, cos, sin):
                q = self.turned(self.heads(self.q(x), outer.heads), cos, sin)
                k = self.turned(self.heads(self.k(x), outer.key_heads), cos, sin)
                v = self.heads(self.v(x), outer.key_heads)
                out = self.attend(q, k, v, None, None, None, self.mask)[3]
                return self.o(self.reshape(self.back(out, (0, 2, 1, 3)), x.shape))

        class FeedForward(nn.Cell):
            def __init__(self):
                super().__init__()
                w, f = outer.width, outer.inner
                self.gate, self.up, self.down = Linear(w, f, True), Linear(w, f, True), Linear(f, w, False)
                split = (dp, 1, mp)
                self.sigmoid, self.mul = shard(ops.Sigmoid(), split), shard(ops.Mul(), split, split)

            def construct(self, x):
                gate = self.gate(x)
                return self.down(self.mul(self.mul(gate, self.sigmoid(gate)), self.up(x)))

        class Block(nn.Cell):
            def __init__(self):
                super().__init__()
                self.norm1, self.norm2, self.attention, self.forward = Norm(), Norm(), Attention(), FeedForward()
                self.add1, self.add2 = shard(ops.Add(), rows, rows), shard(ops.Add(), rows, rows)

            def construct(self, x, cos, sin):
                h = self.add1(x, self.attention(self.norm1(x), cos, sin))
                return self.add2(h, self.forward(self.norm2(h)))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.tokens = Parameter(
                    initializer("normal", (outer.vocabulary, outer.width), ms.float32), name="tokens"
                )
                self.gather, self.cast, self.reshape = shard(ops.Gather(), (mp, 1), (dp, 1)), ops.Cast(), ops.Reshape()
                self.layers = nn.CellList([Block() for _ in range(outer.layers)])
                for layer in self.layers:
                    layer.recompute()
                self.norm, self.head = Norm(), Linear(outer.width, outer.vocabulary, True)
                self.cos, self.sin = (Tensor(a, half) for a in outer.angles())
                self.log_softmax, self.pick = shard(ops.LogSoftmax(-1), (dp, 1)), ops.GatherD()

            def construct(self, ids, labels):
                h = self.cast(self.gather(self.tokens, ids, 0), half)
                for layer in self.layers:
                    h = layer(h, self.cos, self.sin)
                logits = self.cast(self.reshape(self.head(self.norm(h)), (-1, outer.vocabulary)), ms.float32)
                return -self.pick(self.log_softmax(logits), 1, self.reshape(labels, (-1, 1))).mean()

        return Net(), [Tensor(a) for a in self.batch()]


@workload("llama")
class Llama7B(_Llama):
    """Two layers of Llama-2 7B: data 2 x model 8 on 16 chips."""

    layers = 2


@workload("gqa")
class Llama70B(_Llama):
    """One layer of Llama-2 70B: eight heads of keys for 64 of queries."""

    width, heads, key_heads, inner, shape = 8192, 64, 8, 28672, (2, 4096)


class _Transformer(Workload):
    """Layers of a vision transformer: layer norm, attention, perceptron with GELU; bfloat16 products, float32 weights."""

    width, heads, inner, shape = 1024, 16, 4096, (64, 256)
    strategies = False

    def batch(self):
        return (np.zeros((*self.shape, self.width), np.float32),)

    def layer(self, column=P(), row=P(), bias=P()):
        """The weights of a layer, and how they lie: {name: (shape, layout)}."""
        w, f, whole = self.width, self.inner, P()
        layer = {"norm1": ((w,), whole), "shift1": ((w,), whole), "norm2": ((w,), whole), "shift2": ((w,), whole)}
        for m in ("q", "k", "v"):
            layer |= {m: ((w, w), column), f"{m} bias": ((w,), bias)}
        layer |= {"o": ((w, w), row), "o bias": ((w,), whole), "up": ((w, f), column), "up bias": ((f,), bias)}
        return layer | {"down": ((f, w), row), "down bias": ((w,), whole)}

    def block(self, laid, attend):
        """What a layer computes: `block(weights, x)`. attend: attention of q, k, v."""

        def norm(scale, shift, x):
            y = x.astype(jnp.float32)
            mean = y.mean(-1, keepdims=True)
            variance = jnp.square(y - mean).mean(-1, keepdims=True)
            return ((y - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift).astype(HALF)

        def dense(p, name, x):
            return x @ p[name].astype(HALF) + p[f"{name} bias"].astype(HALF)

        def block(p, x):
            y = norm(p["norm1"], p["shift1"], x)
            q, k, v = (
                dense(p, m, y).reshape(*y.shape[:2], self.heads, -1).transpose(0, 2, 1, 3) for m in ("q", "k", "v")
            )
            out = attend(q, k, v).transpose(0, 2, 1, 3).reshape(x.shape)
            h = laid(x + dense(p, "o", out), "data", None, None)
            y = norm(p["norm2"], p["shift2"], h)
            return laid(h + dense(p, "down", jax.nn.gelu(dense(p, "up", y))), "data", None, None)

        return block

    def jax(self, mesh):
        laid = self.laid(mesh)
        layer = self.layer(P(None, "model"), P("model", None), P("model"))
        block = self.block(laid, lambda q, k, v: _attend(mesh, q, k, v, False))

        def loss(p, x):
            h = laid(x.astype(HALF), "data", None, None)
            for q in p:
                h = block(q, h)
            return jnp.square(h.astype(jnp.float32)).mean()

        return *_shapes([dict(layer) for _ in range(self.layers)]), loss, self.batch()

    def msjax(self):
        import mindspore as ms
        from mindspore import Tensor, nn, ops

        outer, half, (dp, mp) = self, ms.bfloat16, self.strategy
        rows, heads = (dp, 1, 1), (dp, mp, 1, 1)
        shard = _sharded if self.strategies else lambda operator, *strategies: operator

        def dense(n_in, n_out, column):
            layer = nn.Dense(n_in, n_out).to_float(half)
            if outer.strategies:
                layer.matmul.shard(((dp, 1), (mp, 1)) if column else ((dp, mp), (1, mp)))
                layer.bias_add.shard(((dp, mp), (mp,)) if column else ((dp, 1), (1,)))
            return layer

        class Block(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.norm1, self.norm2 = nn.LayerNorm((w,), epsilon=1e-5), nn.LayerNorm((w,), epsilon=1e-5)
                if outer.strategies:
                    self.norm1.layer_norm.shard((rows, (1,), (1,)))
                    self.norm2.layer_norm.shard((rows, (1,), (1,)))
                self.q, self.k, self.v, self.o = (dense(w, w, column) for column in (True, True, True, False))
                self.up, self.down = dense(w, outer.inner, True), dense(outer.inner, w, False)
                self.transpose, self.back = shard(ops.Transpose(), (dp, 1, mp, 1)), shard(ops.Transpose(), heads)
                self.gelu = shard(ops.GeLU(), (dp, 1, mp))
                self.add1, self.add2 = shard(ops.Add(), rows, rows), shard(ops.Add(), rows, rows)
                attend = ops.operations.nn_ops.FlashAttentionScore(
                    outer.heads, scale_value=(w // outer.heads) ** -0.5, input_layout="BNSD"
                )
                self.attend = shard(attend, heads, heads, heads)

            def heads(self, x):
                return self.transpose(x.reshape(*x.shape[:2], outer.heads, -1), (0, 2, 1, 3))

            def norm(self, layer, x):
                return layer(x.astype(ms.float32)).astype(half)

            def construct(self, x):
                y = self.norm(self.norm1, x)
                out = self.attend(self.heads(self.q(y)), self.heads(self.k(y)), self.heads(self.v(y)))[3]
                h = self.add1(x, self.o(self.back(out, (0, 2, 1, 3)).reshape(x.shape)))
                return self.add2(h, self.down(self.gelu(self.up(self.norm(self.norm2, h)))))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.layers = nn.CellList([Block() for _ in range(outer.layers)])

            def construct(self, x):
                x = x.astype(half)
                for layer in self.layers:
                    x = layer(x)
                return ops.square(x.astype(ms.float32)).mean()

        return Net(), [Tensor(a) for a in self.batch()]


@workload("vit")
class ViT22B(_Transformer):
    """One layer of ViT-22B, its parts one after the other: data 2 x model 8."""

    width, heads, inner, shape, strategies = 6144, 48, 24576, (8, 256), True


@workload("data")
class Data(_Transformer):
    """Two layers of ViT-L over data alone: no strategy is written."""

    layers, model, zero, mode = 2, 1, 0, "data_parallel"


@workload("zero1")
class Zero1(Data):
    """The same with the optimizer's state divided."""

    zero = 1


@workload("zero3")
class Zero3(Data):
    """The same with weights, gradients and state divided."""

    zero = 3


@workload("pipeline")
class Pipeline(_Transformer):
    """Eight layers of ViT-L in four stages, each over four chips by data; eight parts of the batch, layers computed again for the gradient.

    By hand it is one loop over ticks within `shard_map`, which passes activations on by `ppermute`. The axis "model" holds the stages.
    """

    layers, model, stages, parts, strategies = 8, 4, 4, 8, True

    @property
    def strategy(self):
        return self.grid[0], 1

    def jax(self, mesh):
        stages, parts, each = self.stages, self.parts, self.layers // self.stages
        layer = {
            name: ((stages, each, *shape), P("model", *[None] * (1 + len(shape))))
            for name, (shape, _) in self.layer().items()
        }
        block = jax.checkpoint(self.block(lambda x, *_: x, lambda q, k, v: _kernel(q, k, v, False)))

        def stage(p, x):
            for i in range(each):
                x = block({name: a[0, i] for name, a in p.items()}, x)
            return x

        def on_each(p, x):
            place = jax.lax.axis_index("model")
            x = x.astype(HALF).reshape(parts, -1, *x.shape[1:])

            def tick(passed, t):
                out = stage(p, jnp.where(place == 0, x[jnp.minimum(t, parts - 1)], passed))
                return jax.lax.ppermute(out, "model", [(i, (i + 1) % stages) for i in range(stages)]), out

            _, outs = jax.lax.scan(tick, jnp.zeros_like(x[0]), jnp.arange(parts + stages - 1))
            squares = jnp.square(outs[stages - 1 :].astype(jnp.float32)).mean()
            return jax.lax.pmean(jax.lax.psum(jnp.where(place == stages - 1, squares, 0.0), "model"), "data")

        shapes, specs = _shapes(layer)
        loss = jax.shard_map(on_each, mesh=mesh, in_specs=(specs, P("data")), out_specs=P(), check_vma=False)
        return shapes, specs, loss, self.batch()

    def msjax(self):
        from mindspore import nn

        net, inputs = super().msjax()
        for i, layer in enumerate(net.layers):
            layer.pipeline_stage = i * self.stages // self.layers
        return nn.PipelineCell(net, self.parts), inputs


@workload("vocabulary")
class Vocabulary(Workload):
    """An embedding and a loss of 128,256 words, split over the vocabulary, with a perceptron between: the logits are never whole."""

    vocabulary, width, shape = 128256, 2048, (8, 1024)

    def batch(self):
        return np.zeros(self.shape, np.int32), np.zeros(self.shape, np.int32)

    def jax(self, mesh):
        laid, w, v = self.laid(mesh), self.width, self.vocabulary
        shapes = {"tokens": ((v, w), P("model", None)), "head": ((w, v), P(None, "model"))}

        def loss(p, ids, labels):
            h = laid(p["tokens"][ids].astype(HALF), "data", None, None)
            logits = laid(jnp.tanh(h) @ p["head"].astype(HALF), "data", None, "model")
            return _picked(logits.astype(jnp.float32), labels)

        return *_shapes(shapes), loss, self.batch()

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, half, (dp, mp) = self, ms.bfloat16, self.grid

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                v, w = outer.vocabulary, outer.width
                self.tokens = Parameter(initializer("normal", (v, w), ms.float32), name="tokens")
                self.head = Parameter(initializer("normal", (v, w), ms.float32), name="head")
                self.gather = ops.Gather().shard(((mp, 1), (dp, 1)))
                self.matmul = ops.MatMul(transpose_b=True).shard(((dp, 1), (mp, 1)))
                self.loss = (
                    ops.SparseSoftmaxCrossEntropyWithLogits()
                )  # MindSpore splits it over all devices or not at all

            def construct(self, ids, labels):
                h = ops.tanh(self.gather(self.tokens, ids, 0).astype(half))
                logits = self.matmul(h.reshape(-1, outer.width), self.head.astype(half))
                return self.loss(logits.astype(ms.float32), labels.reshape(-1))

        return Net(), [Tensor(a) for a in self.batch()]


@workload("moe")
class Experts(Workload):
    """A layer of 16 experts (top 1, capacity 1.25), split over "model", tokens over all chips: one all-to-all there and one back."""

    experts, width, inner, shape, capacity, rows = 16, 1024, 4096, (32, 512), 40, ("data", "model")

    def batch(self):
        return (np.zeros((*self.shape, self.width), np.float32),)

    def jax(self, mesh):
        e, w, f, c, laid = self.experts, self.width, self.inner, self.capacity, self.laid(mesh)
        split = P("model", None, None)
        shapes = {"gate": ((w, e), P()), "up": ((e, w, f), split), "down": ((e, f, w), split)}
        tokens = ("data", "model")

        def loss(p, x):
            x = laid(x, tokens, None, None)
            chances = jax.nn.softmax(x @ p["gate"], -1)
            mask = jax.nn.one_hot(chances.argmax(-1), e, dtype=jnp.float32)
            place = jnp.cumsum(mask, 1) * mask - 1
            slots = jax.nn.one_hot(
                place.astype(jnp.int32), c, dtype=jnp.float32
            )  # none where the place is -1 or too late
            send = laid((slots * mask[..., None]).astype(HALF), tokens, None, None, None)
            combine = send * chances[..., None].astype(HALF)
            given = jnp.einsum("gtec,gtw->gecw", send, x.astype(HALF))
            given = laid(laid(given, tokens, None, None, None).transpose(1, 0, 2, 3), "model", "data", None, None)
            h = jax.nn.gelu(jnp.einsum("egcw,ewf->egcf", given, p["up"].astype(HALF)))
            out = laid(jnp.einsum("egcf,efw->egcw", h, p["down"].astype(HALF)), "model", "data", None, None)
            out = laid(out.transpose(1, 0, 2, 3), tokens, None, None, None)
            out = jnp.einsum("gtec,gecw->gtw", combine, out)
            return jnp.square(out.astype(jnp.float32)).mean()

        return *_shapes(shapes), loss, self.batch()

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, half, (dp, mp) = self, ms.bfloat16, self.grid
        both = dp * mp

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                e, w, f = outer.experts, outer.width, outer.inner
                self.gate = Parameter(initializer("normal", (w, e), ms.float32), name="gate")
                self.up = Parameter(initializer("normal", (e, w, f), ms.float32), name="up")
                self.down = Parameter(initializer("normal", (e, f, w), ms.float32), name="down")
                self.choose = ops.BatchMatMul(transpose_a=True).shard(((both, 1, 1), (both, 1, 1)))
                self.there = ops.Transpose().shard(((both, 1, 1, 1),))
                self.expert = ops.BatchMatMul().shard(((mp, dp, 1), (mp, 1, 1)))
                self.back = ops.Transpose().shard(((mp, dp, 1, 1),))
                self.join = ops.BatchMatMul().shard(((both, 1, 1), (both, 1, 1)))
                self.softmax = ops.Softmax(-1).shard(((both, 1, 1),))
                self.gelu = ops.GeLU().shard(((mp, dp, 1),))

            def construct(self, x):
                e, c, (g, t, w) = outer.experts, outer.capacity, x.shape
                chances = self.softmax(ops.matmul(x, self.gate))
                mask = ops.one_hot(chances.argmax(-1), e).astype(ms.float32)
                place = ops.cumsum(mask, 1) * mask - 1
                slots = ops.one_hot(place.astype(ms.int32), c).astype(ms.float32)
                send = (slots * mask.expand_dims(-1)).astype(half)
                combine = (send * chances.expand_dims(-1).astype(half)).reshape(g, t, e * c)
                given = self.choose(send.reshape(g, t, e * c), x.astype(half)).reshape(g, e, c, w)
                given = self.there(given, (1, 0, 2, 3)).reshape(e, g * c, w)
                out = self.expert(self.gelu(self.expert(given, self.up.astype(half))), self.down.astype(half))
                out = self.back(out.reshape(e, g, c, w), (1, 0, 2, 3)).reshape(g, e * c, w)
                return ops.square(self.join(combine, out).astype(ms.float32)).mean()

        return Net(), [Tensor(a) for a in self.batch()]
