"""PYNATIVE_MODE: one operator against `jnp.add`, a gradient and a train step against un-jitted JAX, and all against MindSpore and torch.

    python benchmarks/eager.py [--mindspore-python PYTHON] [--torch-python PYTHON] [--only operator,gradient,mlp] [--bursts 9]

Every contender has a process of its own and they run in turn; ratios are medians over pairs of bursts.
"""

import numpy as np
from contenders import main, mindspore_of

STEPS = {"operator": 3000, "gradient": 100, "mlp": 30}


def jax_step(workload):
    import jax
    import jax.numpy as jnp
    import optax

    x = jnp.asarray(np.ones((8, 8), np.float32))
    if workload == "operator":

        def step(wait):
            out = jnp.add(x, x)
            if wait:
                out.block_until_ready()

        return step
    if workload == "gradient":
        gradient = jax.grad(lambda x: (jnp.tanh(x * x) + x).sum())

        def step(wait):
            out = gradient(x)
            if wait:
                out.block_until_ready()

        return step
    rng = np.random.RandomState(0)
    sizes = [784, 512, 512, 10]
    params = [
        (jnp.asarray(rng.randn(b, a) / a**0.5, jnp.float32), jnp.zeros(b, jnp.float32))
        for a, b in zip(sizes, sizes[1:])
    ]
    optimizer = optax.sgd(0.01, momentum=0.9)
    state = optimizer.init(params)
    x, y = jnp.asarray(rng.randn(32, 784), jnp.float32), jnp.asarray(rng.randint(0, 10, 32), jnp.int32)

    def loss_of(params):
        h = x
        for i, (w, b) in enumerate(params):
            h = h @ w.T + b
            if i < 2:
                h = jax.nn.relu(h)
        return optax.softmax_cross_entropy_with_integer_labels(h, y).mean()

    def step(wait):
        nonlocal params, state
        loss, grads = jax.value_and_grad(loss_of)(params)
        updates, state = optimizer.update(grads, state)
        params = optax.apply_updates(params, updates)
        if wait:
            loss.block_until_ready()

    return step


def mindspore_step(worker, workload):
    ms = mindspore_of(worker)
    from mindspore import Tensor, nn, ops

    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
    x = Tensor(np.ones((8, 8), np.float32))
    if workload in ("operator", "gradient"):
        gradient = ops.grad(lambda x: (ops.tanh(x * x) + x).sum())
        run = (lambda: ops.add(x, x)) if workload == "operator" else (lambda: gradient(x))

        def step(wait):
            out = run()
            if wait:
                out.asnumpy()

        return step
    rng = np.random.RandomState(0)
    net = nn.SequentialCell(nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10))
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    gradient = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    x, y = Tensor(rng.randn(32, 784).astype(np.float32)), Tensor(rng.randint(0, 10, 32).astype(np.int32))
    net.set_train()

    def step(wait):
        loss, grads = gradient(x, y)
        optimizer(grads)
        if wait:
            loss.asnumpy()

    return step


def torch_step(workload):
    import torch

    x = torch.ones(8, 8)
    if workload == "operator":
        return lambda wait: torch.add(x, x)
    if workload == "gradient":
        x.requires_grad_()

        def step(wait):
            return torch.autograd.grad((torch.tanh(x * x) + x).sum(), x)

        return step
    import train_step

    return train_step.torch_step("mlp")


def build(contender, workload):
    own = {"jax": jax_step, "torch": torch_step}
    return lambda: own[contender](workload) if contender in own else mindspore_step(contender, workload)


if __name__ == "__main__":
    main(__file__, __doc__, STEPS, build, torch=True)
