"""A GRAPH_MODE training step against hand-written JAX (jitted, donated, optax) and, if they are there, MindSpore and eager torch.

    python benchmarks/train_step.py [--mindspore-python PYTHON] [--torch-python PYTHON] [--only mlp,lenet] [--bursts 9] [--starts 3]

Every contender has a process of its own and they run in turn; ratios are medians over pairs of bursts. First call: trace, compile, run.
"""

import numpy as np
from contenders import main, mindspore_of

STEPS = {"mlp": 200, "mlp_sgd": 200, "lenet": 60, "chain": 40, "lenet_loss_scale": 60, "resnet18": 1, "gpt": 4}
MLP = ("mlp", "mlp_sgd")
GPT = dict(vocabulary=1000, width=128, layers=4, heads=4, length=128, causal=True)
RESNET18 = dict(blocks=(2, 2, 2, 2), bottleneck=False, classes=10, small=True)


def data(workload):
    rng = np.random.RandomState(0)
    if workload == "gpt":
        tokens = rng.randint(0, GPT["vocabulary"], (8, GPT["length"] + 1)).astype(np.int32)
        return tokens[:, :-1], tokens[:, 1:]
    if workload == "resnet18":
        return rng.randn(32, 3, 32, 32).astype(np.float32), rng.randint(0, 10, 32).astype(np.int32)
    if workload in MLP:
        return rng.randn(32, 784).astype(np.float32), rng.randint(0, 10, 32).astype(np.int32)
    if workload == "chain":
        return rng.randn(32, 32).astype(np.float32), rng.randint(0, 32, 32).astype(np.int32)
    return rng.randn(32, 1, 32, 32).astype(np.float32), rng.randint(0, 10, 32).astype(np.int32)


# --- hand-written JAX
def jax_step(workload, feed=False):
    """A step on the same batch each time; with `feed` on the batch that it is given."""
    import jax
    import jax.numpy as jnp
    import optax

    if workload in ("gpt", "resnet18"):
        import nets_jax

        made = nets_jax.transformer(**GPT) if workload == "gpt" else nets_jax.resnet(**RESNET18)
        fed = nets_jax.training(*made, optax.adam(1e-3) if workload == "gpt" else optax.sgd(0.01, momentum=0.9))
        return fed if feed else repeating(fed, *map(jnp.asarray, data(workload)))

    rng = np.random.RandomState(1)

    def dense(n_in, n_out):
        return jnp.asarray(rng.randn(n_out, n_in) / n_in**0.5, jnp.float32), jnp.zeros(n_out, jnp.float32)

    def conv(c_in, c_out):
        return jnp.asarray(rng.randn(c_out, c_in, 5, 5) / (25 * c_in) ** 0.5, jnp.float32)

    def pool(x):
        return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

    def convolve(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW"))

    if workload in (*MLP, "chain"):
        sizes = [784, 512, 512, 10] if workload in MLP else [32] * 301
        params = [dense(a, b) for a, b in zip(sizes, sizes[1:])]

        def forward(params, x):
            for i, (w, b) in enumerate(params):
                x = x @ w.T + b
                if i < len(params) - 1:
                    x = jax.nn.relu(x)
            return x
    else:
        params = [conv(1, 6), conv(6, 16), dense(400, 120), dense(120, 84), dense(84, 10)]

        def forward(params, x):
            c1, c2, *fc = params
            x = pool(jax.nn.relu(convolve(x, c1)))
            x = pool(jax.nn.relu(convolve(x, c2))).reshape(x.shape[0], -1)
            for i, (w, b) in enumerate(fc):
                x = x @ w.T + b
                if i < 2:
                    x = jax.nn.relu(x)
            return x

    def loss_of(params, x, y):
        return optax.softmax_cross_entropy_with_integer_labels(forward(params, x), y).mean()

    optimizer = optax.sgd(0.01, momentum=None if workload == "mlp_sgd" else 0.9)
    if workload != "lenet_loss_scale":

        def update(state, x, y):
            params, inner = state
            loss, grads = jax.value_and_grad(loss_of)(params, x, y)
            updates, inner = optimizer.update(grads, inner)
            return (optax.apply_updates(params, updates), inner), loss

        state = params, optimizer.init(params)
    else:

        def update(state, x, y):
            params, inner, scale, good = state
            loss, grads = jax.value_and_grad(lambda p: loss_of(p, x, y) * scale)(params)
            grads = jax.tree.map(lambda g: g / scale, grads)
            finite = jnp.all(jnp.stack([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))

            def apply(_):
                updates, new = optimizer.update(grads, inner)
                return optax.apply_updates(params, updates), new

            params, inner = jax.lax.cond(finite, apply, lambda _: (params, inner), None)
            grow = good + 1 >= 1000
            scale = jnp.where(finite, jnp.where(grow, scale * 2, scale), jnp.maximum(scale / 2, 1))
            return (params, inner, scale, jnp.where(finite & ~grow, good + 1, 0)), loss / scale

        state = params, optimizer.init(params), jnp.float32(4096), jnp.int32(0)
    jitted = jax.jit(update, donate_argnums=0)
    x, y = map(jnp.asarray, data(workload))

    def fed(x, y):
        nonlocal state
        state, loss = jitted(state, x, y)
        return loss

    return fed if feed else repeating(fed, x, y)


def repeating(fed, x, y):
    """The step of a worker: always the same batch."""

    def step(wait):
        loss = fed(x, y)
        if wait:
            loss.block_until_ready()

    return step


# --- MindSpore's API
def mindspore_step(worker, workload):
    ms = mindspore_of(worker)
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    train, (x, y) = train_cell(workload)

    def step(wait):
        out = train(x, y)
        if wait:  # the loss is read when it is to be waited for
            (out[0] if isinstance(out, tuple) else out).asnumpy()

    return step


def train_cell(workload):
    """The step as a Cell, and its inputs, always the same batch, as Tensors."""
    from mindspore import Tensor, nn

    inputs = [Tensor(a) for a in data(workload)]

    class Chain(nn.Cell):
        def __init__(self, sizes):
            super().__init__()
            layers = []
            for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
                layers.append(nn.Dense(a, b))
                if i < len(sizes) - 2:
                    layers.append(nn.ReLU())
            self.layers = nn.SequentialCell(layers)

        def construct(self, x):
            return self.layers(x)

    class LeNet(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
            self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
            self.pool, self.relu, self.flatten = nn.MaxPool2d(2, 2), nn.ReLU(), nn.Flatten()
            self.fc1, self.fc2, self.fc3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, 10)

        def construct(self, x):
            x = self.pool(self.relu(self.conv1(x)))
            x = self.pool(self.relu(self.conv2(x)))
            x = self.flatten(x)
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    if workload in ("gpt", "resnet18"):
        import nets_mindspore as nets

        net = nets.Transformer(**GPT) if workload == "gpt" else nets.ResNet(**RESNET18)
        if workload == "gpt":
            return nets.training(net, lambda p: nn.Adam(p, 1e-3)), inputs
        return nets.training(net, lambda p: nn.Momentum(p, 0.01, 0.9)), inputs

    net = Chain([784, 512, 512, 10]) if workload in MLP else Chain([32] * 301) if workload == "chain" else LeNet()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    params = net.trainable_params()
    optimizer = nn.SGD(params, 0.01) if workload == "mlp_sgd" else nn.Momentum(params, 0.01, 0.9)
    network = nn.WithLossCell(net, loss)
    if workload == "lenet_loss_scale":
        train = nn.TrainOneStepWithLossScaleCell(network, optimizer, nn.DynamicLossScaleUpdateCell(4096, 2, 1000))
    else:
        train = nn.TrainOneStepCell(network, optimizer)
    return train.set_train(), inputs


# --- torch
def torch_step(workload):
    import nets_torch
    import torch
    from torch import nn

    if workload in ("gpt", "resnet18"):
        net = nets_torch.Transformer(**GPT) if workload == "gpt" else nets_torch.ResNet(**RESNET18)
    else:
        sizes = [784, 512, 512, 10] if workload in MLP else [32] * 301 if workload == "chain" else [400, 120, 84, 10]
        layers = [] if workload in (*MLP, "chain") else [
            nn.Conv2d(1, 6, 5, bias=False), nn.ReLU(), nn.MaxPool2d(2, 2),
            nn.Conv2d(6, 16, 5, bias=False), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
        ]  # fmt: skip
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        net = nets_torch.WithLoss(nn.Sequential(*layers[:-1]))
    if workload == "gpt":
        optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    else:
        optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.0 if workload == "mlp_sgd" else 0.9)
    step = nets_torch.training(net, optimizer)
    x, y = (torch.from_numpy(np.ascontiguousarray(a)) for a in data(workload))
    return lambda wait: float(step(x, y)) if wait else step(x, y)


def build(contender, workload):
    if contender == "torch" and workload == "lenet_loss_scale":
        raise SystemExit("loss scales of torch are those of a GPU")
    own = {"jax": jax_step, "torch": torch_step}
    return lambda: own[contender](workload) if contender in own else mindspore_step(contender, workload)


if __name__ == "__main__":
    main(__file__, __doc__, STEPS, build, torch=True)
