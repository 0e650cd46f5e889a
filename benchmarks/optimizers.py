"""The update of 10 M float32 parameters in 200 Tensors: msjax against hand-written optax (jitted, donated) and MindSpore.

    python benchmarks/optimizers.py [--mindspore-python PYTHON] [--only adam,momentum,lamb,adam_weight_decay]
                                    [--bursts 9] [--starts 1]

Every contender has a process of its own and they run in turn; ratios are medians over pairs of bursts.
"""

import numpy as np
from contenders import main, mindspore_of

WORKLOADS = ("adam", "momentum", "lamb", "adam_weight_decay")
TENSORS, SHAPE = 200, (200, 250)
STEPS = 20


def arrays(seed):
    rng = np.random.RandomState(seed)
    return [rng.randn(*SHAPE).astype(np.float32) for _ in range(TENSORS)]


def optax_step(workload):
    """The update as one writes it with optax."""
    import jax
    import optax

    transformation = {
        "adam": lambda: optax.adam(1e-3),
        "momentum": lambda: optax.sgd(1e-3, 0.9),
        "lamb": lambda: optax.lamb(1e-3, weight_decay=0.01),
        "adam_weight_decay": lambda: optax.adamw(1e-3, weight_decay=0.01),
    }[workload]()
    params = [jax.numpy.asarray(a) for a in arrays(0)]
    gradients = [jax.numpy.asarray(a) for a in arrays(1)]
    state = transformation.init(params)

    def update(params, state, gradients):
        updates, state = transformation.update(gradients, state, params)
        return optax.apply_updates(params, updates), state

    compiled = jax.jit(update, donate_argnums=(0, 1))

    def step(wait):
        nonlocal params, state
        params, state = compiled(params, state, gradients)
        if wait:
            jax.block_until_ready(params)

    return step


def mindspore_step(workload, worker):
    """The same with `mindspore.nn`, real or ours."""
    ms = mindspore_of(worker)
    from mindspore import Parameter, Tensor, nn

    ms.set_context(mode=ms.PYNATIVE_MODE if "PYNATIVE" in worker else ms.GRAPH_MODE)
    params = [Parameter(Tensor(a), name=f"weight{i}") for i, a in enumerate(arrays(0))]
    gradients = tuple(Tensor(a) for a in arrays(1))
    optimizer = {
        "adam": lambda: nn.Adam(params, 1e-3),
        "momentum": lambda: nn.Momentum(params, 1e-3, 0.9),
        "lamb": lambda: nn.Lamb(params, 1e-3, weight_decay=0.01),
        "adam_weight_decay": lambda: nn.AdamWeightDecay(params, 1e-3, weight_decay=0.01),
    }[workload]()

    def step(wait):
        optimizer(gradients)
        if wait and worker.startswith("msjax"):  # MindSpore has finished when it returns
            import jax

            jax.block_until_ready([param.value() for param in params])

    return step


def build(worker, workload):
    return lambda: optax_step(workload) if worker == "optax" else mindspore_step(workload, worker)


if __name__ == "__main__":
    ours = ("optax", "msjax GRAPH", "msjax PYNATIVE")
    main(__file__, __doc__, dict.fromkeys(WORKLOADS, STEPS), build, here=ours, real=("MindSpore GRAPH",))
