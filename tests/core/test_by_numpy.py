"""What NumPy computes instead of a compiled program: the same bits, few calls only, and programs that need more are left to XLA."""

import concurrent.futures
import threading

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops

from msjax.core.operators import by_numpy, eager_jit, eager_options
from msjax.ops.conv.kernels import convolve

SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40, -1e-40, 1.2e-38, 3e38, 1.0, -1.0, 2.5]


def sample(shape, dtype, seed):
    rng = np.random.RandomState(seed)
    if np.dtype(dtype).kind == "b":
        return rng.rand(*shape) < 0.5
    if np.dtype(dtype).kind in "iu":
        return rng.randint(0 if np.dtype(dtype).kind == "u" else -50, 50, shape).astype(dtype)
    x = (rng.randn(*shape) * 10.0 ** rng.uniform(-4, 4, shape)).astype(dtype)
    special = rng.rand(*shape) < 0.3
    x[special] = rng.choice(SPECIAL, special.sum())
    return x


MOVES = {
    "transpose": lambda x, y: jnp.transpose(x, (2, 0, 1)),
    "reshape": lambda x, y: x.reshape(-1, 3),
    "broadcast": lambda x, y: jnp.broadcast_to(x[:, :1], x.shape),
    "concatenate": lambda x, y: jnp.concatenate([x, y], 1),
    "stack": lambda x, y: jnp.stack([x, y], 1),
    "split": lambda x, y: jax.lax.split(x, (1, 4), 1),
    "flip": lambda x, y: jnp.flip(x, (0, 2)),
    "pad": lambda x, y: jnp.pad(x, ((0, 1), (2, 0), (0, 0))),
    "strides": lambda x, y: x[1:, ::2],
    "row": lambda x, y: x[1],
    "where": lambda x, y: jnp.where(x > y, x, y),
    "squeeze": lambda x, y: x[:, None].squeeze(1),
    "arange": lambda x, y: jnp.arange(x.shape[2]) + jnp.zeros(x.shape, "int64"),
}
COMPUTES = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "square": lambda x, y: jnp.square(x),
    "scaled": lambda x, y: x * x.dtype.type(3),
    "maximum": jnp.maximum,
    "minimum": jnp.minimum,
    "relu": lambda x, y: jnp.maximum(x, 0),
    "relu_grad": lambda x, y: jnp.where(x <= 0, 0, y).astype(x.dtype),
    "compare": lambda x, y: (x == y, x != y, x < y, x >= y),
    "two products": lambda x, y: (x * y, -(y * y)),
    "biased": lambda x, y: x + y[0, 0],
    "wide": lambda x, y: x.astype(jnp.float64),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("name", [*MOVES, *COMPUTES])
def test_the_bits_are_those_of_the_program(name, dtype):
    function = {**MOVES, **COMPUTES}[name]
    for options in (None, eager_options.cheap()):
        jitted = jax.jit(function, compiler_options=options)
        arrays = [sample((4, 5, 6), dtype, seed) for seed in range(2)]
        if name == "where":  # XLA makes a maximum of it, which takes denormal numbers for zeros
            arrays = [np.where(np.abs(a) < 1e-37, 0, a).astype(dtype) for a in arrays]
        arrays = [jnp.asarray(a) for a in arrays]
        run = by_numpy.plan(jitted.trace(*arrays))
        assert run is not None
        for ours, theirs in zip(jax.tree.leaves(run(*arrays)), jax.tree.leaves(jitted(*arrays))):
            assert ours.dtype == theirs.dtype
            ours, theirs = np.asarray(ours), np.asarray(theirs)
            np.testing.assert_array_equal(ours, theirs)
            if ours.dtype.kind == "f":  # zeros have signs
                known = ~np.isnan(ours)
                np.testing.assert_array_equal(np.signbit(ours)[known], np.signbit(theirs)[known])


CONVOLUTIONS = [
    dict(window_strides=(1, 1), padding="SAME"),
    dict(window_strides=(2, 2), padding="SAME"),
    dict(window_strides=(2, 1), padding=((0, 2), (1, 0))),
    dict(window_strides=(1, 1), padding="VALID", rhs_dilation=(2, 2)),
    dict(window_strides=(1, 1), padding=((2, 1), (2, 1)), lhs_dilation=(2, 2)),
]


@pytest.mark.parametrize("kernel", [1, 3])
@pytest.mark.parametrize("options", CONVOLUTIONS)
@pytest.mark.parametrize("channels", [(3, 8), (16, 16), (32, 5)])
def test_convolutions_and_their_gradients(options, channels, kernel):
    rng = np.random.RandomState(0)
    x, weight = (
        rng.randn(2, channels[0], 13, 9).astype("f"),
        rng.randn(channels[1], channels[0], kernel, kernel).astype("f"),
    )
    bias = rng.randn(channels[1], 1, 1).astype("f")

    def forward(x, weight, bias):
        return jax.lax.conv_general_dilated(x, weight, **options) + bias

    def both(x, weight, g):
        return jax.vjp(lambda x, w: jax.lax.conv_general_dilated(x, w, **options), x, weight)[1](g)

    out = jax.jit(forward, compiler_options=eager_options.cheap())(x, weight, bias)
    for function, arrays in ((forward, (x, weight, bias)), (both, (x, weight, np.asarray(out)))):
        jitted = jax.jit(function, compiler_options=eager_options.cheap())
        run = by_numpy.plan(jitted.trace(*arrays))
        for ours, theirs in zip(jax.tree.leaves(run(*arrays)), jax.tree.leaves(jitted(*arrays))):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("shape", [(2, 40), (60,)])
def test_rows_of_a_table_and_their_gradient(shape):
    rng = np.random.RandomState(0)
    table, at = rng.randn(7, 3).astype("f"), rng.randint(-9, 9, shape)
    rows = rng.randn(*shape, 3).astype("f")
    for function in (lambda t, at, g: t.at[at].get(mode="fill", fill_value=0), lambda t, at, g: t.at[at].add(g)):
        jitted = jax.jit(function, compiler_options=eager_options.whole())
        run = by_numpy.plan(jitted.trace(table, at, rows))
        np.testing.assert_array_equal(run(table, at, rows), jitted(table, at, rows))


@pytest.mark.parametrize("rows, depth, columns", [(4, 16, 5), (33, 7, 64), (64, 128, 96), (5, 3000, 4), (100, 4, 4)])
def test_products(rows, depth, columns):
    rng = np.random.RandomState(0)
    x, weight, bias = (rng.randn(*s).astype("f") for s in ((rows, depth), (columns, depth), (columns,)))
    jitted = jax.jit(lambda x, w, b: x @ w.T + b, compiler_options=eager_options.cheap())
    run = by_numpy.plan(jitted.trace(x, weight, bias))
    assert (run is not None) == eager_options.emitters_are_off()
    if (
        run is not None
    ):  # on some processors XLA adds the terms of a product in another order beside the bias than alone
        np.testing.assert_allclose(run(x, weight, bias), jitted(x, weight, bias), rtol=1e-4, atol=1e-4)


def test_large_convolutions():
    rng = np.random.RandomState(0)
    x, weight = rng.randn(3, 16, 18, 15).astype("f"), rng.randn(17, 16, 3, 3).astype("f")

    def convolution(x, weight):
        return convolve(x, weight, (1, 1), [(1, 1), (1, 1)], (1, 1), 1)

    def both(x, weight, g):
        return jax.vjp(convolution, x, weight)[1](g)

    g = convolution(x, weight)
    jitted = jax.jit(both, compiler_options=eager_options.cheap())
    run = by_numpy.plan(jitted.trace(x, weight, g))
    assert (run is not None) == eager_options.emitters_are_off()  # the gradient of the weight is a product
    if run is not None:
        for ours, theirs in zip(run(x, weight, g), jitted(x, weight, g)):
            np.testing.assert_array_equal(ours, theirs)


def test_moves_take_any_type():
    for dtype in ("bool", "float16", "uint8", "complex64", jnp.bfloat16):
        x = jnp.asarray(np.arange(24).reshape(2, 3, 4) % 2).astype(dtype)
        run = by_numpy.plan(jax.jit(MOVES["transpose"]).trace(x, x))
        np.testing.assert_array_equal(run(x, x), np.transpose(np.asarray(x), (2, 0, 1)))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * x + x,  # one rounding in the program, two in NumPy
        lambda x: x * 3 * 5,
        lambda x: x / 3,
        lambda x: x / x[0, 0],
        lambda x: jnp.exp(x),
        lambda x: x.sum(0),
        lambda x: x.astype(jnp.int32),
        lambda x: x.astype(jnp.float16) + 1,
        lambda x: jnp.zeros_like(x).at[:, jnp.array([0, 0])].add(1),
        lambda x: jax.lax.sort(x),
        lambda x: (x[:1] @ x).T + x[:, :1],
    ],
)
def test_what_is_rounded_otherwise_is_left_to_the_program(function):
    assert by_numpy.plan(jax.jit(function).trace(jnp.ones((4, 4), jnp.float32))) is None


def test_large_arrays_are_left_to_the_program():
    small, large = jnp.ones(8), jax.ShapeDtypeStruct((by_numpy.MOST_ELEMENTS + 1,), jnp.float32)
    assert by_numpy.plan(jax.jit(jnp.negative).trace(small)) is not None
    assert by_numpy.plan(jax.jit(jnp.negative).trace(large)) is None


def test_results_are_memory_of_their_own():
    x = jnp.arange(12.0).reshape(3, 4)
    for function in (lambda x: x.reshape(4, 3), lambda x: x[:2]):
        out = by_numpy.plan(jax.jit(function).trace(x))(x)
        assert not np.shares_memory(np.asarray(out), np.asarray(x))


def test_new_shapes_compile_nothing(compiled):
    ops.relu(Tensor(np.ones((2, 3), np.float32)))  # the operators' options, asked once
    table = Tensor(np.random.RandomState(0).randn(7, 4).astype(np.float32))

    def net(x, table):
        x = ops.relu(ops.gather(table, x, 0).swapaxes(0, 1)).reshape(-1, 4)
        return ops.concat((x, x * 2), 0)

    gradient = ms.vjp(net, Tensor(np.zeros((2, 2), np.int32)), table)[0]
    assert gradient.shape == (8, 4)
    del compiled[:]
    for n in range(3, 8):
        x = Tensor(np.arange(2 * n, dtype=np.int32).reshape(2, n) % 7)
        assert net(x, table).shape == (4 * n, 4)
        ops.relu(Tensor(np.ones((n, 3), np.float32)))
    assert compiled == []


def test_a_shape_that_stays_is_compiled_once_beside(compiled):
    x = Tensor(np.linspace(-1, 1, 77, dtype=np.float32))
    twice = [ops.relu(x).asnumpy() for _ in range(eager_jit.CALLS_BY_NUMPY)]
    names = [name for name, _ in compiled if "relu" in name]
    assert names == []
    eager_jit.finish_compiling()
    for _ in range(100):
        twice.append(ops.relu(x).asnumpy())
        eager_jit.finish_compiling()
    relus = [thread for name, thread in compiled if "relu" in name]
    assert len(relus) == 1 and relus[0].startswith("msjax-compile")
    for out in twice:
        np.testing.assert_array_equal(out, np.maximum(np.linspace(-1, 1, 77, dtype=np.float32), 0))


def test_tensors_of_new_shapes_compile_nothing(compiled):
    for n in range(3, 9):
        given = np.arange(n, dtype=np.float32)
        x = Tensor(given)
        given[:] = 0
        np.testing.assert_array_equal(x.asnumpy(), np.arange(n))
    assert compiled == []


def test_threads_compile_a_program_once(monkeypatch):
    begun = []

    class Compilers:
        def submit(self, function):
            begun.append(function)
            return concurrent.futures.Future()  # never done: NumPy goes on

    monkeypatch.setattr(eager_jit, "_compilers", lambda: Compilers())
    call = eager_jit.eager_jit(lambda x: x + x, heavy=False)
    x = jnp.asarray(np.ones((3, 5), "f"))
    call(x)
    every = threading.Barrier(6)

    def calls():
        every.wait()
        return [np.asarray(call(x)) for _ in range(40)]

    with concurrent.futures.ThreadPoolExecutor(6) as threads:
        found = [f.result() for f in [threads.submit(calls) for _ in range(6)]]
    assert len(begun) == 1
    assert all((value == 2).all() for values in found for value in values)
