"""A training step of a 2-layer LSTM and of a 4-layer Transformer encoder: both modes, hand-written JAX and MindSpore.

    python benchmarks/layers.py [--mindspore-python PYTHON] [--only lstm,encoder] [--bursts 9] [--starts 1]

LSTM: hidden 256, 64 steps, batch 32, Adam. Encoder: d_model 256, 4 heads, 1024 inside, 64 steps, batch 16, Adam, no
dropout. Every contender has a process of its own and they run in turn; the first one is what the others' ratios are of.
"""

import numpy as np
from contenders import main, mindspore_of

STEPS = {"lstm": 6, "encoder": 4}
TIME, BATCH, WIDTH, CLASSES = 64, {"lstm": 32, "encoder": 16}, 256, 10
HEADS, INSIDE, LAYERS = 4, 1024, {"lstm": 2, "encoder": 4}


def data(workload):
    rng = np.random.RandomState(0)
    batch = BATCH[workload]
    return rng.randn(TIME, batch, WIDTH).astype(np.float32), rng.randint(0, CLASSES, batch).astype(np.int32)


# --- hand-written JAX
def jax_step(workload):
    import jax
    import jax.numpy as jnp
    import optax

    rng = np.random.RandomState(1)

    def dense(n_in, n_out):
        return jnp.asarray(rng.randn(n_out, n_in) / n_in**0.5, jnp.float32), jnp.zeros(n_out, jnp.float32)

    def linear(p, x):
        return x @ p[0].T + p[1]

    def lstm(layer, x):
        (w_ih, b_ih), (w_hh, b_hh) = layer
        z = linear((w_ih, b_ih + b_hh), x)
        zeros = jnp.zeros((x.shape[1], WIDTH), x.dtype)

        def step(state, z):
            h, c = state
            i, f, g, o = jnp.split(z + h @ w_hh.T, 4, 1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        return jax.lax.scan(step, (zeros, zeros), z)[1]

    def norm(p, x):
        mean = x.mean(-1, keepdims=True)
        variance = jnp.square(x - mean).mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p[0] + p[1]

    def attention(p, x):
        def heads(t):
            return t.reshape(TIME, -1, HEADS, WIDTH // HEADS).transpose(1, 2, 0, 3)

        q, k, v = (heads(t) for t in jnp.split(linear(p[0], x), 3, -1))
        weights = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / (WIDTH // HEADS) ** 0.5)
        return linear(p[1], (weights @ v).transpose(2, 0, 1, 3).reshape(x.shape))

    def encoder(layer, x):
        x = norm(layer["norm1"], x + attention(layer["attention"], x))
        return norm(layer["norm2"], x + linear(layer["out"], jax.nn.relu(linear(layer["in"], x))))

    def scale():
        return jnp.ones(WIDTH, jnp.float32), jnp.zeros(WIDTH, jnp.float32)

    if workload == "lstm":
        layers = [(dense(WIDTH, 4 * WIDTH), dense(WIDTH, 4 * WIDTH)) for _ in range(LAYERS[workload])]
        apply = lstm
    else:
        layers = [
            {
                "attention": (dense(WIDTH, 3 * WIDTH), dense(WIDTH, WIDTH)),
                "norm1": scale(),
                "norm2": scale(),
                "in": dense(WIDTH, INSIDE),
                "out": dense(INSIDE, WIDTH),
            }
            for _ in range(LAYERS[workload])
        ]
        apply = encoder
    params = layers, dense(WIDTH, CLASSES)

    def loss_of(params, x, y):
        layers, head = params
        for layer in layers:
            x = apply(layer, x)
        return optax.softmax_cross_entropy_with_integer_labels(linear(head, x[-1]), y).mean()

    optimizer = optax.adam(1e-3)

    def update(state, x, y):
        params, inner = state
        loss, grads = jax.value_and_grad(loss_of)(params, x, y)
        updates, inner = optimizer.update(grads, inner)
        return (optax.apply_updates(params, updates), inner), loss

    jitted = jax.jit(update, donate_argnums=0)
    state = params, optimizer.init(params)
    x, y = map(jnp.asarray, data(workload))

    def step(wait):
        nonlocal state
        state, loss = jitted(state, x, y)
        if wait:
            jax.block_until_ready((state, loss))

    return step


# --- MindSpore's API
def mindspore_step(worker, workload):
    ms = mindspore_of(worker)
    from mindspore import Tensor, nn

    ms.set_context(mode=ms.PYNATIVE_MODE if worker.endswith("pynative") else ms.GRAPH_MODE, device_target="CPU")

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            if workload == "lstm":
                self.body = nn.LSTM(WIDTH, WIDTH, LAYERS[workload])
            else:
                layer = nn.TransformerEncoderLayer(WIDTH, HEADS, INSIDE, dropout=0.0)
                self.body = nn.TransformerEncoder(layer, LAYERS[workload])
            self.head = nn.Dense(WIDTH, CLASSES)
            self.recurrent = workload == "lstm"

        def construct(self, x):
            x = self.body(x)
            x = x[0] if self.recurrent else x
            return self.head(x[-1])

    net = Net()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    train = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Adam(net.trainable_params(), 1e-3)).set_train()
    x, y = map(Tensor, data(workload))

    def step(wait):
        out = train(x, y)
        if wait:
            out.asnumpy()
            for param in net.trainable_params():  # in PYNATIVE the loss is there before the gradients and the update
                param.asnumpy()

    return step


def build(worker, workload):
    return lambda: jax_step(workload) if worker == "jax" else mindspore_step(worker, workload)


if __name__ == "__main__":
    ours, theirs = ("jax", "msjax", "msjax pynative"), ("mindspore", "mindspore pynative")
    main(__file__, __doc__, STEPS, build, here=ours, real=theirs, real_first=True)
