"""Yet more workloads of `compiled.py`: a factorization machine with the norm of its tables, Fourier layers, a step with a dynamic loss scale."""

import jax
import jax.numpy as jnp
import nets_jax
import numpy as np
import optax
from compiled_more_nets import dense, images, shapes_of, trained
from compiled_nets import Workload, workload


@workload("deepfm")
class DeepFm(Workload):
    """DeepFM: 26 fields of 1,024 rows, tables of 184,965 rows of 1 and 16, their norms in the loss, three layers, Adam with a loss scale."""

    count, fields, vocabulary, width, widths = 1024, 26, 184965, 16, (256, 128, 1)

    def batch(self):
        shape = (self.count, self.fields)
        return np.ones(shape, np.int32), np.ones(shape, np.float32), np.ones((self.count, 1), np.float32)

    def jax(self):
        n = (self.fields * self.width, *self.widths)
        shapes = {"w": (self.vocabulary, 1), "v": (self.vocabulary, self.width)}
        shapes["layers"] = [dense(a, b) for a, b in zip(n, n[1:])]

        def loss(p, ids, values, y):
            values = values[..., None]
            first, rows = (p["w"][ids] * values).sum(1), p["v"][ids] * values
            pairs = 0.5 * (jnp.square(rows.sum(1)) - jnp.square(rows).sum(1)).sum(1, keepdims=True)
            h = rows.reshape(len(ids), -1)
            for q in p["layers"][:-1]:
                h = jax.nn.relu(nets_jax.linear(q, h))
            out = first + pairs + nets_jax.linear(p["layers"][-1], h)
            norms = jnp.square(p["v"]).sum() + jnp.square(p["w"]).sum()
            return optax.sigmoid_binary_cross_entropy(out, y).mean() + 8e-5 * 0.5 * norms

        return shapes_of(shapes), loss, self.batch(), optax.adam(5e-4, eps=5e-8)

    def msjax(self):
        from mindspore import Parameter, Tensor, nn, ops
        from mindspore.common.initializer import initializer

        outer = self

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.w = Parameter(initializer("normal", (outer.vocabulary, 1)), name="w")
                self.v = Parameter(initializer("normal", (outer.vocabulary, outer.width)), name="v")
                n = (outer.fields * outer.width, *outer.widths)
                acts = (*["relu"] * (len(n) - 2), None)
                self.layers = nn.SequentialCell(*[nn.Dense(a, b, activation=f) for a, b, f in zip(n, n[1:], acts)])
                self.gather, self.mul, self.square, self.mean = ops.Gather(), ops.Mul(), ops.Square(), ops.ReduceMean()
                self.sum, self.kept = ops.ReduceSum(keep_dims=False), ops.ReduceSum(keep_dims=True)
                self.loss = ops.SigmoidCrossEntropyWithLogits()

            def construct(self, ids, values, y):
                values = values.reshape(outer.count, outer.fields, 1)
                first = self.sum(self.mul(self.gather(self.w, ids, 0), values), 1)
                rows = self.mul(self.gather(self.v, ids, 0), values)
                pairs = 0.5 * self.kept(self.square(self.sum(rows, 1)) - self.sum(self.square(rows), 1), 1)
                out = first + pairs + self.layers(rows.reshape(-1, outer.fields * outer.width))
                norms = self.sum(self.square(self.v)) + self.sum(self.square(self.w))
                return self.mean(self.loss(out, y)) + 8e-5 * 0.5 * norms

        net = Net()
        optimizer = nn.Adam(net.trainable_params(), 5e-4, eps=5e-8, loss_scale=1024.0)
        return nn.TrainOneStepCell(net, optimizer, sens=1024.0).set_train(), [Tensor(a) for a in self.batch()]


@workload("fourier")
class Fourier(Workload):
    """A Fourier neural operator: two layers that keep 16 modes of 256 points, 16 x 256 x 32, float32, Adam."""

    count, size, width, modes = 16, 256, 32, 16

    def batch(self):
        return images(self.count, self.size, 2), images(self.count, self.size, 1)

    def jax(self):
        w, m = self.width, self.modes
        layer = {"real": (w, w, m), "imaginary": (w, w, m), "skip": dense(w, w)}
        shapes = {"lift": dense(2, w), "layers": [layer] * 2, "up": dense(w, 128), "out": dense(128, 1)}

        def loss(p, x, y):
            x = nets_jax.linear(p["lift"], x)
            for q in p["layers"]:
                low = jnp.fft.rfft(x, axis=1)[:, :m]
                low = jnp.einsum("bmi,iom->bmo", low, jax.lax.complex(q["real"], q["imaginary"]))
                low = jnp.pad(low, ((0, 0), (0, self.size // 2 + 1 - m), (0, 0)))
                x = jax.nn.gelu(jnp.fft.irfft(low, self.size, axis=1) + nets_jax.linear(q["skip"], x))
            out = nets_jax.linear(p["out"], jax.nn.gelu(nets_jax.linear(p["up"], x)))
            return jnp.square(out - y).mean()

        return shapes_of(shapes), loss, self.batch(), optax.adam(1e-3)

    def msjax(self):
        from mindspore import Parameter, Tensor, nn, ops

        outer, w, m = self, self.width, self.modes

        class Layer(nn.Cell):
            """As scripts write it: products of the real and the imaginary parts."""

            def __init__(self):
                super().__init__()
                self.real = Parameter(Tensor(np.zeros((w, w, m), np.float32)), name="real")
                self.imaginary = Parameter(Tensor(np.zeros((w, w, m), np.float32)), name="imaginary")
                self.skip, self.complex = nn.Dense(w, w), ops.Complex()

            def construct(self, x):
                low = ops.rfft(x, None, 1)[:, :m]
                a, b = ops.real(low).transpose(1, 0, 2), ops.imag(low).transpose(1, 0, 2)
                c, d = self.real.transpose(2, 0, 1), self.imaginary.transpose(2, 0, 1)
                low = self.complex(ops.bmm(a, c) - ops.bmm(b, d), ops.bmm(a, d) + ops.bmm(b, c)).transpose(1, 0, 2)
                rest = ops.zeros((x.shape[0], outer.size // 2 + 1 - m, w), low.dtype)
                x = ops.irfft(ops.cat((low, rest), 1), outer.size, 1) + self.skip(x)
                return ops.gelu(x, approximate="tanh")

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.lift, self.layers = nn.Dense(2, w), nn.SequentialCell(Layer(), Layer())
                self.up, self.out, self.loss = nn.Dense(w, 128), nn.Dense(128, 1), nn.MSELoss()

            def construct(self, x, y):
                x = self.layers(self.lift(x))
                return self.loss(self.out(ops.gelu(self.up(x), approximate="tanh")), y)

        return trained(Net(), lambda p: nn.Adam(p, 1e-3)), [Tensor(a) for a in self.batch()]


@workload("scaled")
class Scaled(Workload):
    """Ten products of 2,048 with ReLU, 256 rows, Adam, a dynamic loss scale: a step whose gradients overflow is left out; float32."""

    width, count, rows = 2048, 10, 256

    def batch(self):
        return images(self.rows, self.width), images(self.rows, self.width)

    def by_hand(self):
        optimizer = optax.adam(1e-3)
        params = shapes_of([dense(self.width, self.width) for _ in range(self.count)])

        def loss(params, x, y):
            for layer in params:
                x = jax.nn.relu(nets_jax.linear(layer, x))
            return jnp.square(x - y).mean()

        def update(state, x, y):
            params, inner, scale, good = state
            value, grads = jax.value_and_grad(lambda p: loss(p, x, y) * scale)(params)
            grads = jax.tree_util.tree_map(lambda g: g / scale, grads)
            fine = jnp.stack([jnp.isfinite(g).all() for g in jax.tree_util.tree_leaves(grads)]).all()
            updates, new = optimizer.update(grads, inner, params)
            new = optax.apply_updates(params, updates), new
            new = jax.tree_util.tree_map(lambda a, b: jnp.where(fine, a, b), new, (params, inner))
            good = jnp.where(fine, good + 1, 0)
            scale = jnp.where(fine, jnp.where(good >= 1000, scale * 2, scale), scale / 2)
            return (*new, scale, good % 1000), (value / scale, fine)

        counters = jax.ShapeDtypeStruct((), jnp.float32), jax.ShapeDtypeStruct((), jnp.int32)
        return update, (params, jax.eval_shape(optimizer.init, params), *counters), self.batch()

    def msjax(self):
        from mindspore import Tensor, nn

        layers = [nn.Dense(self.width, self.width, activation="relu") for _ in range(self.count)]
        net = nn.WithLossCell(nn.SequentialCell(*layers), nn.MSELoss())
        manager = nn.DynamicLossScaleUpdateCell(2.0**16, 2, 1000)
        step = nn.TrainOneStepWithLossScaleCell(net, nn.Adam(net.trainable_params(), 1e-3), manager)
        return step.set_train(), [Tensor(a) for a in self.batch()]
