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
