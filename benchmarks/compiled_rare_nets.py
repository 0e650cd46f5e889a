"""Workloads of `compiled.py` whose steps differ from others: frozen weights with adapters, two towers that contrast, labels without places, Q-learning."""

import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax
from compiled_more_nets import batch_norm, convolve, dense, images, normed, shapes_of, trained
from compiled_nets import Workload, workload


@workload("lora")
class Adapters(Workload):
    """Three frozen layers of 2,048 in bfloat16 with trained products of rank 16 beside them; 4,096 rows, a head of 1,000, Adam of the trained ones."""

    count, width, rank, layers_, classes = 4096, 2048, 16, 3, 1000

    def batch(self):
        return images(self.count, self.width), np.zeros(self.count, np.int32)

    def by_hand(self):
        w, r = self.width, self.rank
        frozen = [jax.ShapeDtypeStruct((w, w), jnp.bfloat16)] * self.layers_
        params = shapes_of({"adapt": [{"a": (w, r), "b": (r, w)}] * self.layers_, "head": dense(w, self.classes)})
        optimizer = optax.adam(1e-4)

        def loss(p, frozen, x, y):
            x = x.astype(jnp.bfloat16)
            for base, q in zip(frozen, p["adapt"]):
                low = (x @ q["a"].astype(x.dtype)) @ q["b"].astype(x.dtype)
                x = jax.nn.relu(x @ base + 2 * low)
            return nets_jax.cross_entropy(nets_jax.linear(p["head"], x.astype(jnp.float32)), y)

        def update(state, x, y):
            p, inner, frozen = state
            value, grads = jax.value_and_grad(loss)(p, frozen, x, y)
            updates, inner = optimizer.update(grads, inner, p)
            return (optax.apply_updates(p, updates), inner, frozen), value

        return update, (params, jax.eval_shape(optimizer.init, params), frozen), self.batch()

    def msjax(self):
        import mindspore as ms
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer, w, r = self, self.width, self.rank

        class Adapted(nn.Cell):
            def __init__(self):
                super().__init__()
                self.base = Parameter(initializer("normal", (w, w), ms.bfloat16), requires_grad=False)
                self.a, self.b = Parameter(initializer("normal", (w, r))), Parameter(initializer("zeros", (r, w)))

            def construct(self, x):
                low = ops.matmul(ops.matmul(x, self.a.astype(x.dtype)), self.b.astype(x.dtype))
                return ops.relu(ops.matmul(x, self.base) + 2 * low)

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.layers = nn.SequentialCell([Adapted() for _ in range(outer.layers_)])
                self.head, self.loss = nn.Dense(w, outer.classes), nn.CrossEntropyLoss()

            def construct(self, x, y):
                return self.loss(self.head(self.layers(x.astype(ms.bfloat16)).astype(ms.float32)), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-4)), [Tensor(a) for a in self.batch()]


@workload("contrast")
class Contrast(Workload):
    """Two towers of three layers, vectors of length one, both cross entropies of all pairs, a trained temperature; 4,096 pairs, float32, Adam."""

    count, sizes, width = 4096, (512, 768), 512

    def batch(self):
        return [images(self.count, n) for n in self.sizes]

    def jax(self):
        w = self.width
        shapes = {"towers": [[dense(n, 1024), dense(1024, 1024), dense(1024, w)] for n in self.sizes], "scale": (1,)}

        def tower(stack, x):
            for q in stack[:-1]:
                x = jax.nn.gelu(nets_jax.linear(q, x), approximate=False)
            x = nets_jax.linear(stack[-1], x)
            return x * jax.lax.rsqrt(jnp.square(x).sum(-1, keepdims=True))

        def loss(p, *given):
            a, b = (tower(stack, x) for stack, x in zip(p["towers"], given))
            scores = jnp.exp(p["scale"]) * (a @ b.T)
            y = jnp.arange(self.count)
            return (nets_jax.cross_entropy(scores, y) + nets_jax.cross_entropy(scores.T, y)) / 2

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-4)

    def msjax(self):
        from mindspore import Parameter, Tensor, nn, ops

        outer, w = self, self.width

        def tower(n):
            act = nn.GELU(approximate=False)
            return nn.SequentialCell(nn.Dense(n, 1024), act, nn.Dense(1024, 1024), act, nn.Dense(1024, w))

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.first, self.second = (tower(n) for n in outer.sizes)
                self.scale = Parameter(Tensor([2.6592], "float32"), name="scale")
                self.normal, self.labels = ops.L2Normalize(-1), Tensor(np.arange(outer.count), "int32")

            def construct(self, x, y):
                a, b = self.normal(self.first(x)), self.normal(self.second(y))
                scores = ops.exp(self.scale) * ops.matmul(a, b.T)
                return (ops.cross_entropy(scores, self.labels) + ops.cross_entropy(scores.T, self.labels)) / 2

        return trained(Net(), lambda p: nn.Adam(p, 1e-4)), [Tensor(a) for a in self.batch()]


@workload("reader")
class Reader(Workload):
    """A reader of lines as CRNN: convolutions, an LSTM in both directions over 32 places, CTC; 32 images of 32 x 128, 37 signs, float32, Adam."""

    count, height, length, width, signs, labels = 32, 32, 128, 128, 37, 8

    def batch(self):
        return images(self.count, 1, self.height, self.length), np.ones((self.count, self.labels), np.int32)

    def jax(self):
        w = self.width
        shapes = {"convs": [normed(3, 1, 64), normed(3, 64, w), normed(3, w, w)]}
        one = {"w": (w, 4 * w), "u": (w, 4 * w), "b": (4 * w,)}
        shapes |= {"rows": dense(w * self.height // 8, w), "there": one, "back": one, "head": dense(2 * w, self.signs)}

        def run(q, x):
            mine = jnp.einsum("tbw,wg->tbg", x, q["w"]) + q["b"]

            def step(carry, row):
                h, c = carry
                i, f, g, o = jnp.split(row + h @ q["u"], 4, -1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            zero = jnp.zeros((x.shape[1], w))
            return jax.lax.scan(step, (zero, zero), mine)[1]

        def loss(p, x, y):
            for q, stride in zip(p["convs"], (2, 2, 1)):
                x = jax.nn.relu(batch_norm(q, convolve(x, q["w"])))
                shape = (1, 2, stride, 1)
                x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, shape, shape, "VALID")
            x = x.transpose(2, 0, 1, 3).reshape(x.shape[2], x.shape[0], -1)
            x = nets_jax.linear(p["rows"], x)
            h = jnp.concatenate([run(p["there"], x), run(p["back"], x[::-1])[::-1]], -1)
            out = nets_jax.linear(p["head"], h).transpose(1, 0, 2)
            none = jnp.zeros(out.shape[:2]), jnp.zeros(y.shape)
            return optax.ctc_loss(out, none[0], y, none[1], blank_id=self.signs - 1).mean()

        x, y = self.batch()
        return shapes_of(shapes), loss, (x.transpose(0, 2, 3, 1), y), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Tensor, nn, ops

        outer, w = self, self.width

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                layers = []
                for a, b, stride in ((1, 64, 2), (64, w, 2), (w, w, 1)):
                    layers += [nn.Conv2d(a, b, 3), nn.BatchNorm2d(b), nn.ReLU(), nn.MaxPool2d((2, stride), (2, stride))]
                self.convs, self.rows = nn.SequentialCell(layers), nn.Dense(w * outer.height // 8, w)
                self.lstm, self.head = nn.LSTM(w, w, bidirectional=True), nn.Dense(2 * w, outer.signs)
                self.loss = nn.CTCLoss(blank=outer.signs - 1, reduction="mean")
                steps = outer.length // 4
                self.steps = Tensor(np.full(outer.count, steps), "int32")
                self.many = Tensor(np.full(outer.count, outer.labels), "int32")

            def construct(self, x, y):
                x = self.convs(x)
                x = self.rows(x.transpose(3, 0, 1, 2).reshape(x.shape[3], x.shape[0], -1))
                out = ops.log_softmax(self.head(self.lstm(x)[0]), -1)
                return self.loss(out, y, self.steps, self.many)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("values")
class Values(Workload):
    """A step of deep Q-learning: a network and its copy from before, the largest value of the next state, Huber's loss; 4,096 x 84, Adam."""

    count, width, actions = 4096, 84, 18

    def batch(self):
        rng = np.random.RandomState(0)
        acts, ends = rng.randint(0, self.actions, (self.count, 1)).astype(np.int32), images(self.count)
        return images(self.count, self.width), acts, images(self.count), images(self.count, self.width), ends

    def by_hand(self):
        params = shapes_of([dense(self.width, 512), dense(512, 512), dense(512, self.actions)])
        optimizer = optax.chain(optax.clip_by_global_norm(10.0), optax.adam(1e-4))

        def net(stack, x):
            for q in stack[:-1]:
                x = jax.nn.relu(nets_jax.linear(q, x))
            return nets_jax.linear(stack[-1], x)

        def loss(p, old, x, acts, gain, after, ends):
            goal = gain + 0.99 * (1 - ends) * net(old, after).max(1)
            value = jnp.take_along_axis(net(p, x), acts, 1)[:, 0]
            return optax.huber_loss(value, jax.lax.stop_gradient(goal)).mean()

        def update(state, *batch):
            p, inner, old = state
            value, grads = jax.value_and_grad(loss)(p, old, *batch)
            updates, inner = optimizer.update(grads, inner, p)
            p = optax.apply_updates(p, updates)
            return (p, inner, optax.incremental_update(p, old, 0.005)), value

        return update, (params, jax.eval_shape(optimizer.init, params), params), self.batch()

    def msjax(self):
        import mindspore as ms
        from mindspore import Tensor, nn, ops

        outer = self

        def net():
            a, b = nn.Dense(outer.width, 512), nn.Dense(512, 512)
            return nn.SequentialCell(a, nn.ReLU(), b, nn.ReLU(), nn.Dense(512, outer.actions))

        class Step(nn.Cell):
            def __init__(self):
                super().__init__()
                self.net, self.old = net(), net()
                self.optimizer, self.huber = nn.Adam(self.net.trainable_params(), 1e-4), nn.HuberLoss()
                self.weights = ms.ParameterTuple(self.net.get_parameters())
                self.copies = ms.ParameterTuple(self.old.get_parameters())
                self.grad = ms.value_and_grad(self.loss, None, self.weights)

            def loss(self, x, acts, gain, after, ends):
                goal = gain + 0.99 * (1 - ends) * self.old(after).max(1)
                return self.huber(ops.gather_elements(self.net(x), 1, acts).squeeze(1), ops.stop_gradient(goal))

            def construct(self, *batch):
                value, grads = self.grad(*batch)
                value = ops.depend(value, self.optimizer(ops.clip_by_global_norm(grads, 10.0)))
                for new, old in zip(self.weights, self.copies):
                    ops.assign(old, 0.005 * new + 0.995 * old)
                return value

        return Step().set_train(), [Tensor(a) for a in self.batch()]
