"""Further workloads of `compiled.py`: sequences, graphs, recommendation, two networks that train each other, reinforcement learning."""

import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax
from compiled_more_nets import batch_norm, convolve, dense, images, normed, shapes_of, trained
from compiled_nets import Workload, workload


@workload("seq2seq")
class SeqToSeq(Workload):
    """A GRU that reads, and one that writes word by word with attention (Bahdanau's) and given words; 32 x 32 words of 256, float32, Adam."""

    width, vocabulary, shape = 256, 4000, (32, 32)

    def batch(self):
        return np.ones(self.shape, np.int32), np.ones(self.shape, np.int32), np.ones(self.shape, np.int32)

    def jax(self):
        w, v = self.width, self.vocabulary
        gru = lambda n: {"x": dense(n, 3 * w), "h": dense(w, 3 * w)}  # noqa: E731
        shapes = {"source": (v, w), "target": (v, w), "reads": gru(w), "writes": gru(2 * w), "head": dense(2 * w, v)}
        shapes |= {"query": dense(w, w), "key": dense(w, w), "score": dense(w, 1)}

        def cell(p, x, h):
            r, z, n = jnp.split(x, 3, -1)
            hr, hz, hn = jnp.split(nets_jax.linear(p["h"], h), 3, -1)
            z = jax.nn.sigmoid(z + hz)
            return (1 - z) * jnp.tanh(n + jax.nn.sigmoid(r + hr) * hn) + z * h

        def loss(p, source, target, labels):
            zeros = jnp.zeros((self.shape[0], w))
            xs = nets_jax.linear(p["reads"]["x"], p["source"][source].swapaxes(0, 1))

            def read(h, x):
                h = cell(p["reads"], x, h)
                return h, h

            last, memory = jax.lax.scan(read, zeros, xs)
            memory = memory.swapaxes(0, 1)
            keys = nets_jax.linear(p["key"], memory)

            def write(h, x):
                scores = nets_jax.linear(p["score"], jnp.tanh(nets_jax.linear(p["query"], h)[:, None] + keys))[..., 0]
                context = jnp.einsum("bt,btw->bw", jax.nn.softmax(scores, -1), memory)
                h = cell(p["writes"], nets_jax.linear(p["writes"]["x"], jnp.concatenate([x, context], -1)), h)
                return h, jnp.concatenate([h, context], -1)

            _, outs = jax.lax.scan(write, last, p["target"][target].swapaxes(0, 1))
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], outs), labels.swapaxes(0, 1))

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer = self

        class Decoder(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.query, self.key, self.score = nn.Dense(w, w), nn.Dense(w, w), nn.Dense(w, 1)
                self.cell, self.tanh, self.softmax = nn.GRUCell(2 * w, w), nn.Tanh(), nn.Softmax(axis=1)

            def construct(self, xs, memory, h):
                keys, outs = self.key(memory), []
                for i in range(outer.shape[1]):
                    scores = self.score(self.tanh(ops.expand_dims(self.query(h), 1) + keys))
                    context = ops.squeeze(ops.bmm(self.softmax(scores).transpose(0, 2, 1), memory), 1)
                    h = self.cell(ops.concat((xs[:, i], context), 1), h)
                    outs.append(ops.concat((h, context), 1))
                return ops.stack(outs, 1)

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                w, v = outer.width, outer.vocabulary
                self.source, self.target = nn.Embedding(v, w), nn.Embedding(v, w)
                self.reads, self.writes, self.head = nn.GRU(w, w, batch_first=True), Decoder(), nn.Dense(2 * w, v)
                self.loss = nn.CrossEntropyLoss()

            def construct(self, source, target, labels):
                memory, last = self.reads(self.source(source), ops.zeros((1, outer.shape[0], outer.width)))
                out = self.head(self.writes(self.target(target), memory, last[0]))
                return self.loss(out.reshape(-1, outer.vocabulary), labels.reshape(-1))

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("gan")
class Adversaries(Workload):
    """DCGAN: a generator of transposed convolutions and a critic, each with its Adam, in one step; 64 images of 32 x 32, float32."""

    count, latent = 64, 100

    def batch(self):
        return images(self.count, 3, 32, 32), images(self.count, self.latent, 1, 1)

    def by_hand(self):
        maker = {"a": normed(4, 100, 256), "b": normed(4, 256, 128), "c": normed(4, 128, 64)}
        maker["d"] = {"w": (4, 4, 64, 3)}
        critic = {
            "a": {"w": (4, 4, 3, 64)},
            "b": normed(4, 64, 128),
            "c": normed(4, 128, 256),
            "d": {"w": (4, 4, 256, 1)},
        }
        params, adam = (shapes_of(maker), shapes_of(critic)), optax.adam(2e-4, 0.5)
        bce = optax.sigmoid_binary_cross_entropy

        def turned(p, x, stride, pad):
            kind = ("NHWC", "HWIO", "NHWC")
            pads = [(3 - pad, 3 - pad)] * 2
            return jax.lax.conv_general_dilated(
                x, p["w"], (1, 1), pads, lhs_dilation=(stride,) * 2, dimension_numbers=kind
            )

        def make(p, z):
            h = jax.nn.relu(batch_norm(p["a"], turned(p["a"], z, 1, 0)))
            h = jax.nn.relu(batch_norm(p["b"], turned(p["b"], h, 2, 1)))
            h = jax.nn.relu(batch_norm(p["c"], turned(p["c"], h, 2, 1)))
            return jnp.tanh(turned(p["d"], h, 2, 1))

        def judge(p, x):
            h = jax.nn.leaky_relu(convolve(x, p["a"]["w"], 2, pad=1), 0.2)
            h = jax.nn.leaky_relu(batch_norm(p["b"], convolve(h, p["b"]["w"], 2, pad=1)), 0.2)
            h = jax.nn.leaky_relu(batch_norm(p["c"], convolve(h, p["c"]["w"], 2, pad=1)), 0.2)
            return convolve(h, p["d"]["w"], 1, pad=0)

        def update(state, x, z):
            (maker, critic), (of_maker, of_critic) = state

            def critic_loss(p):
                real, false = judge(p, x), judge(p, jax.lax.stop_gradient(make(maker, z)))
                return bce(real, jnp.ones_like(real)).mean() + bce(false, jnp.zeros_like(false)).mean()

            def maker_loss(p):
                out = judge(critic, make(p, z))
                return bce(out, jnp.ones_like(out)).mean()

            lost, grads = jax.value_and_grad(critic_loss)(critic)
            updates, of_critic = adam.update(grads, of_critic, critic)
            critic = optax.apply_updates(critic, updates)
            made, grads = jax.value_and_grad(maker_loss)(maker)
            updates, of_maker = adam.update(grads, of_maker, maker)
            return ((optax.apply_updates(maker, updates), critic), (of_maker, of_critic)), (lost, made)

        x, z = (a.transpose(0, 2, 3, 1) for a in self.batch())
        return update, (params, tuple(jax.eval_shape(adam.init, p) for p in params)), (x, z)

    def msjax(self):
        import mindspore as ms
        from mindspore import Tensor, nn, ops

        def up(n_in, n_out, stride, pad, last=False):
            layers = [nn.Conv2dTranspose(n_in, n_out, 4, stride, "pad" if pad else "valid", pad)]
            return [*layers, nn.Tanh()] if last else [*layers, nn.BatchNorm2d(n_out), nn.ReLU()]

        def down(n_in, n_out, norm=True):
            return [nn.Conv2d(n_in, n_out, 4, 2, "pad", 1), *[nn.BatchNorm2d(n_out)] * norm, nn.LeakyReLU(0.2)]

        maker = nn.SequentialCell(
            [*up(100, 256, 1, 0), *up(256, 128, 2, 1), *up(128, 64, 2, 1), *up(64, 3, 2, 1, True)]
        )
        critic = nn.SequentialCell(
            [*down(3, 64, False), *down(64, 128), *down(128, 256), nn.Conv2d(256, 1, 4, 1, "valid")]
        )
        bce = nn.BCEWithLogitsLoss()
        of_maker = nn.Adam(maker.trainable_params(), 2e-4, beta1=0.5)
        of_critic = nn.Adam(critic.trainable_params(), 2e-4, beta1=0.5)

        def critic_loss(x, z):
            real, false = critic(x), critic(ops.stop_gradient(maker(z)))
            return bce(real, ops.ones_like(real)) + bce(false, ops.zeros_like(false))

        def maker_loss(z):
            out = critic(maker(z))
            return bce(out, ops.ones_like(out))

        judged = ms.value_and_grad(critic_loss, None, of_critic.parameters)
        made = ms.value_and_grad(maker_loss, None, of_maker.parameters)

        @ms.jit
        def step(x, z):
            lost, grads = judged(x, z)
            lost = ops.depend(lost, of_critic(grads))
            won, grads = made(z)
            return lost, ops.depend(won, of_maker(grads))

        return step, [Tensor(a) for a in self.batch()]


@workload("graph")
class GraphAttention(Workload):
    """Two layers of graph attention (GAT, 4 heads of 64) over 4,096 nodes and 32,768 edges by gathers and segment sums, float32, Adam."""

    nodes, edges, width, heads, inner, classes = 4096, 32768, 256, 4, 64, 7

    def batch(self):
        ids = np.zeros(self.edges, np.int32)
        return images(self.nodes, self.width), ids, ids, np.zeros(self.nodes, np.int32)

    def jax(self):
        n = self.heads * self.inner
        layer = {"w": (self.width, n), "from": (self.heads, self.inner), "to": (self.heads, self.inner), "b": (n,)}
        shapes = {"layers": [layer, {**layer, "w": (n, n)}], "head": dense(n, self.classes)}

        def attend(p, x, source, target):
            h = (x @ p["w"]).reshape(-1, self.heads, self.inner)
            scores = (h * p["from"]).sum(-1)[source] + (h * p["to"]).sum(-1)[target]
            scores = jax.nn.leaky_relu(scores, 0.2)
            most = jax.ops.segment_max(scores, target, self.nodes)
            weights = jnp.exp(scores - jax.lax.stop_gradient(most)[target])
            total = jax.ops.segment_sum(weights, target, self.nodes)
            out = jax.ops.segment_sum(h[source] * (weights / (total[target] + 1e-9))[..., None], target, self.nodes)
            return out.reshape(self.nodes, -1) + p["b"]

        def loss(p, x, source, target, y):
            for q in p["layers"]:
                x = jax.nn.elu(attend(q, x, source, target))
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], x), y)

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-3)

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer = self

        class Attention(nn.Cell):
            def __init__(self, n_in):
                super().__init__()
                n, shape = outer.heads * outer.inner, (outer.heads, outer.inner)
                self.dense, self.act = nn.Dense(n_in, n, has_bias=False), nn.LeakyReLU(0.2)
                self.source, self.target = (Parameter(initializer("normal", shape), name=k) for k in ("from", "to"))
                self.bias = Parameter(initializer("zeros", (n,)), name="bias")

            def construct(self, x, source, target):
                h = self.dense(x).reshape(-1, outer.heads, outer.inner)
                scores = (h * self.source).sum(-1)[source] + (h * self.target).sum(-1)[target]
                scores = self.act(scores)
                most = ops.unsorted_segment_max(ops.stop_gradient(scores), target, outer.nodes)
                weights = ops.exp(scores - ops.gather(most, target, 0))
                total = ops.unsorted_segment_sum(weights, target, outer.nodes)
                weights = weights / (ops.gather(total, target, 0) + 1e-9)
                sent = ops.gather(h, source, 0) * weights.expand_dims(-1)
                out = ops.zeros((outer.nodes, outer.heads, outer.inner), ms.float32)
                out = ops.tensor_scatter_add(out, target.expand_dims(-1), sent)
                return out.reshape(outer.nodes, -1) + self.bias

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                n = outer.heads * outer.inner
                self.layers, self.elu = nn.CellList([Attention(outer.width), Attention(n)]), nn.ELU()
                self.head, self.loss = nn.Dense(n, outer.classes), nn.CrossEntropyLoss()

            def construct(self, x, source, target, y):
                for layer in self.layers:
                    x = self.elu(layer(x, source, target))
                return self.loss(self.head(x), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("widedeep")
class WideAndDeep(Workload):
    """Wide and deep: one table of 500,000 rows of 16 and one of 1, 39 fields with values, LazyAdam's sparse updates; 4,096 rows."""

    rows, width, fields, count = 500_000, 16, 39, 4096

    def batch(self):
        shape = (self.count, self.fields)
        return np.zeros(shape, np.int32), images(*shape), np.zeros((self.count, 1), np.float32)

    def by_hand(self):
        w = self.width
        shapes = {
            "deep": (self.rows, w),
            "wide": (self.rows, 1),
            "up": dense(self.fields * w, 256),
            "down": dense(256, 1),
        }
        rate, params = 1e-3, shapes_of(shapes)

        def loss(p, rows, values, y):
            deep, wide = rows
            h = jax.nn.relu(nets_jax.linear(p["up"], (deep * values[..., None]).reshape(len(values), -1)))
            out = nets_jax.linear(p["down"], h) + (wide[..., 0] * values).sum(1, keepdims=True)
            return optax.sigmoid_binary_cross_entropy(out, y).mean()

        def lazily(table, mean, square, ids, grads, scale):
            ids, at = jnp.unique(ids.reshape(-1), size=ids.size, fill_value=self.rows, return_inverse=True)
            total = jax.ops.segment_sum(grads.reshape(ids.size, -1), at, ids.size)
            m = 0.9 * mean.at[ids].get(mode="fill", fill_value=0) + 0.1 * total
            v = 0.999 * square.at[ids].get(mode="fill", fill_value=0) + 0.001 * total * total
            table = table.at[ids].add(-scale * m / (jnp.sqrt(v) + 1e-8), mode="drop", unique_indices=True)
            return table, mean.at[ids].set(m, mode="drop"), square.at[ids].set(v, mode="drop")

        def update(state, ids, values, y):
            p, mean, square, count = state
            count = count + 1
            scale = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
            rows = (p["deep"][ids], p["wide"][ids])
            value, (grads, of_rows) = jax.value_and_grad(loss, (0, 1))(p, rows, values, y)
            new, means, squares = {}, {}, {}
            for name, given in zip(("deep", "wide"), of_rows):
                new[name], means[name], squares[name] = lazily(p[name], mean[name], square[name], ids, given, scale)
            for name in ("up", "down"):
                take = jax.tree_util.tree_map
                means[name] = take(lambda m, g: 0.9 * m + 0.1 * g, mean[name], grads[name])
                squares[name] = take(lambda v, g: 0.999 * v + 0.001 * g * g, square[name], grads[name])
                step = lambda w, m, v: w - scale * m / (jnp.sqrt(v) + 1e-8)  # noqa: E731
                new[name] = take(step, p[name], means[name], squares[name])
            return (new, means, squares, count), value

        return update, (params, params, params, jax.ShapeDtypeStruct((), jnp.float32)), self.batch()

    def msjax(self):
        from mindspore import Tensor, nn

        outer = self

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                w = outer.width
                self.deep = nn.EmbeddingLookup(outer.rows, w, target="DEVICE", sparse=True)
                self.wide = nn.EmbeddingLookup(outer.rows, 1, target="DEVICE", sparse=True)
                self.up, self.down = nn.Dense(outer.fields * w, 256, activation="relu"), nn.Dense(256, 1)
                self.loss = nn.BCEWithLogitsLoss()

            def construct(self, ids, values, y):
                values = values.expand_dims(-1)
                h = (self.deep(ids) * values).reshape(outer.count, -1)
                out = self.down(self.up(h)) + (self.wide(ids) * values).sum(1)
                return self.loss(out, y)

        return trained(Net(), lambda p: nn.LazyAdam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("conformer")
class Conformer(Workload):
    """A block of a Conformer: half perceptrons, attention, gated depthwise convolution over time; 16 x 256 frames of 256, float32, AdamW."""

    width, heads, inner, kernel, shape = 256, 4, 1024, 31, (16, 256)

    def batch(self):
        return images(*self.shape, self.width), np.ones(self.shape, np.float32)

    def jax(self):
        w = self.width
        forward = {"norm": {"scale": (w,), "shift": (w,)}, "up": dense(w, self.inner), "down": dense(self.inner, w)}
        norm = forward["norm"]
        shapes = {"before": forward, "after": forward, "norm": norm, "attend": {k: dense(w, w) for k in "qkvo"}}
        shapes |= {"norm1": norm, "norm2": norm, "gate": dense(w, 2 * w), "back": dense(w, w)}
        shapes |= {"deep": {"w": (self.kernel, 1, w), "b": (w,), "scale": (w,), "shift": (w,)}}

        def half(p, x):
            h = jax.nn.silu(nets_jax.linear(p["up"], nets_jax.layer_norm(p["norm"], x)))
            return x + 0.5 * nets_jax.linear(p["down"], h)

        def loss(p, x, mask):
            h = half(p["before"], x)
            y = nets_jax.layer_norm(p["norm1"], h)
            split = lambda y: y.reshape(*y.shape[:2], self.heads, -1)  # noqa: E731
            q, k, v = (split(nets_jax.linear(p["attend"][m], y)) for m in "qkv")
            out = jax.nn.dot_product_attention(q, k, v, mask=(mask > 0)[:, None, None])
            h = h + nets_jax.linear(p["attend"]["o"], out.reshape(h.shape))
            a, b = jnp.split(nets_jax.linear(p["gate"], nets_jax.layer_norm(p["norm2"], h)), 2, -1)
            y = a * jax.nn.sigmoid(b) * mask[..., None]
            pads, kind = [(self.kernel // 2,) * 2], ("NWC", "WIO", "NWC")
            y = jax.lax.conv_general_dilated(
                y, p["deep"]["w"], (1,), pads, dimension_numbers=kind, feature_group_count=self.width
            )
            y = jax.nn.silu(batch_norm(p["deep"], y + p["deep"]["b"]))
            h = h + nets_jax.linear(p["back"], y) * mask[..., None]
            return jnp.square(nets_jax.layer_norm(p["norm"], half(p["after"], h))).mean()

        return shapes_of(shapes), loss, self.batch(), optax.adamw(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer, w = self, self.width

        class Half(nn.Cell):
            def __init__(self):
                super().__init__()
                self.norm, self.act = nn.LayerNorm((w,), epsilon=1e-5), nn.SiLU()
                self.up, self.down = nn.Dense(w, outer.inner), nn.Dense(outer.inner, w)

            def construct(self, x):
                return x + 0.5 * self.down(self.act(self.up(self.norm(x))))

        class Attention(nn.Cell):
            def __init__(self):
                super().__init__()
                self.q, self.k, self.v, self.o = (nn.Dense(w, w) for _ in range(4))
                self.softmax = nn.Softmax(-1)

            def heads(self, x):
                return x.reshape(x.shape[0], x.shape[1], outer.heads, -1).transpose(0, 2, 1, 3)

            def construct(self, x, mask):
                q, k, v = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))
                scores = ops.matmul(q, k.swapaxes(-1, -2)) * (w // outer.heads) ** -0.5
                scores = scores + (1 - mask.expand_dims(1).expand_dims(1)) * -10000.0
                out = ops.matmul(self.softmax(scores), v)
                return self.o(out.transpose(0, 2, 1, 3).reshape(x.shape))

        class Gated(nn.Cell):
            def __init__(self):
                super().__init__()
                pad = outer.kernel // 2
                self.gate = nn.Conv1d(w, 2 * w, 1, has_bias=True)
                self.deep = nn.Conv1d(w, w, outer.kernel, pad_mode="pad", padding=pad, group=w, has_bias=True)
                self.norm, self.act = nn.BatchNorm1d(w), nn.SiLU()
                self.back = nn.Conv1d(w, w, 1, has_bias=True)

            def construct(self, x, mask):
                b, t, _ = x.shape
                a, gate = ops.split(self.gate(x.transpose(0, 2, 1)), w, axis=1)
                y = self.deep(a * ops.sigmoid(gate) * mask.expand_dims(1))
                y = self.norm(y.transpose(0, 2, 1).reshape(-1, w)).reshape(b, t, w).transpose(0, 2, 1)
                return (self.back(self.act(y)) * mask.expand_dims(1)).transpose(0, 2, 1)

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.before, self.after, self.attention, self.gated = Half(), Half(), Attention(), Gated()
                self.norm, self.norm1, self.norm2 = (nn.LayerNorm((w,), epsilon=1e-5) for _ in range(3))

            def construct(self, x, mask):
                h = self.before(x)
                h = h + self.attention(self.norm1(h), mask)
                h = h + self.gated(self.norm2(h), mask)
                return ops.square(self.norm(self.after(h))).mean()

        return trained(Net(), lambda p: nn.AdamWeightDecay(p, 1e-3, weight_decay=1e-4)), [
            Tensor(a) for a in self.batch()
        ]


@workload("ppo")
class ProximalPolicy(Workload):
    """A step of PPO: a Gaussian policy and a value of 256 x 256, clipped ratios, entropy, clipped global norm; 2,048 states, float32, Adam."""

    states, actions, width, count = 64, 8, 256, 2048

    def batch(self):
        n = self.count
        return images(n, self.states), images(n, self.actions), images(n), images(n), images(n)

    def jax(self):
        def layers(last):
            return [dense(self.states, self.width), dense(self.width, self.width), dense(self.width, last)]

        shapes = {"policy": layers(self.actions), "value": layers(1), "spread": (self.actions,)}

        def run(p, x):
            for q in p[:-1]:
                x = jnp.tanh(nets_jax.linear(q, x))
            return nets_jax.linear(p[-1], x)

        def loss(p, states, actions, before, gains, returns):
            mean, spread = run(p["policy"], states), p["spread"]
            each = -0.5 * jnp.square((actions - mean) / jnp.exp(spread)) - spread - 0.5 * np.log(2 * np.pi)
            ratio = jnp.exp(each.sum(-1) - before)
            gained = jnp.minimum(ratio * gains, jnp.clip(ratio, 0.8, 1.2) * gains)
            missed = jnp.square(run(p["value"], states)[:, 0] - returns).mean()
            entropy = (spread + 0.5 * np.log(2 * np.pi * np.e)).sum()
            return -gained.mean() + 0.5 * missed - 0.01 * entropy

        optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(3e-4))
        return shapes_of(shapes), loss, self.batch(), optimizer

    def msjax(self):
        import mindspore as ms
        import mindspore.nn.probability.distribution as msd
        from mindspore import Parameter, Tensor, nn, ops

        outer = self

        def layers(last):
            n, w = outer.states, outer.width
            return nn.SequentialCell(nn.Dense(n, w), nn.Tanh(), nn.Dense(w, w), nn.Tanh(), nn.Dense(w, last))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.policy, self.value = layers(outer.actions), layers(1)
                self.spread = Parameter(Tensor(np.zeros(outer.actions, np.float32)), name="spread")
                self.normal = msd.Normal(dtype=ms.float32)

            def construct(self, states, actions, before, gains, returns):
                mean, deviation = self.policy(states), ops.exp(self.spread)
                ratio = ops.exp(self.normal.log_prob(actions, mean, deviation).sum(-1) - before)
                gained = ops.minimum(ratio * gains, ops.clip_by_value(ratio, 0.8, 1.2) * gains)
                missed = ops.square(self.value(states).squeeze(-1) - returns).mean()
                entropy = self.normal.entropy(mean, deviation).sum(-1).mean()
                return -gained.mean() + 0.5 * missed - 0.01 * entropy

        net = Net()
        optimizer = nn.Adam(net.trainable_params(), 3e-4)
        grad = ms.value_and_grad(net, None, optimizer.parameters)

        @ms.jit
        def step(*batch):
            value, grads = grad(*batch)
            return ops.depend(value, optimizer(ops.clip_by_global_norm(grads, 0.5)))

        return step, [Tensor(a) for a in self.batch()]
