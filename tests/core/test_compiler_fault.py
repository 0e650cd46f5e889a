"""A fusion that XLA's CPU compiler lets overwrite an array that it still reads: found in compiled programs, and compiled otherwise."""

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from jax import lax
from mindspore import nn, ops

from msjax.core.compat import shares_compilation
from msjax.core.operators import shared_buffers
from msjax.core.operators.eager_jit import CALLS_BY_NUMPY, eager_jit
from msjax.core.operators.shared_buffers import overwritten, program

N, K = 8, 5


def by_windows(x, w):
    """The gradient of maxima over windows of five, through a sigmoid and a product: the smallest program that goes wrong."""
    y = jax.nn.sigmoid(x @ w)
    windows = y.reshape(1, N, 1, K)
    taps = [lax.slice(windows, (0, 0, 0, j), (1, N, 1, j + 1), (1, 1, 1, K)) for j in range(K)]
    best, winner = taps[0], jnp.zeros(taps[0].shape, jnp.uint8)
    for i in range(1, K):
        more = (taps[i] > best) | (taps[i] != taps[i])
        best, winner = jnp.where(more, taps[i], best), jnp.where(more, jnp.uint8(i), winner)
    one, zero = jnp.ones((1, N, 1, 1), jnp.float32), jnp.float32(0)
    row = [jnp.where(winner == i, one, zero) for i in range(K)]
    gradient = jnp.stack([jnp.stack(row, axis=-1)], axis=3).reshape(1, N, 1, K).reshape(N, K)
    return (gradient * y * (1 - y)) @ w.T


def given():
    random = np.random.RandomState(1)
    return jnp.array(random.randn(N, 2), jnp.float32), jnp.array(random.randn(2, K), jnp.float32)


def test_the_fault_is_found_where_it_is():
    """When a JAX comes that compiles this rightly, `overwritten` finds nothing: then docs/compiler_bugs.md is to be changed."""
    x, w = given()
    with jax.disable_jit():
        right = by_windows(x, w)
    compiled = jax.jit(by_windows)
    wrong = float(jnp.abs(compiled(x, w) - right).max()) > 1e-3
    assert bool(overwritten(compiled.lower(x, w).compile().as_text())) == wrong
    np.testing.assert_allclose(program(by_windows)(x, w), right, atol=1e-6)


def test_fusions_that_read_an_array_twice():
    lines = [
        "ENTRY %main (x: f32[8,2]) -> f32[8,5] {",
        "  %x = f32[8,2]{1,0} parameter(0)",
        "  %y = f32[8,5]{1,0} fusion(%x), kind=kLoop, calls=%made",
        "  %view = f32[1,8,1,5]{3,2,1,0} bitcast(%y)",
        "  %both = f32[8,5]{1,0} fusion(%y, %view), kind=kLoop, calls=%read",
        "  ROOT %end = f32[8,5]{1,0} fusion(%both), kind=kLoop, calls=%last",
        "}",
    ]
    assert overwritten("\n".join(lines)) == ["both"]
    later = [*lines[:5], "  ROOT %end = f32[8,5]{1,0} fusion(%both, %y), kind=kLoop, calls=%last", "}"]
    assert overwritten("\n".join(later)) == [], "y is read later: it is not overwritten"
    smaller = [line.replace("%both = f32[8,5]", "%both = f32[8,1]") for line in lines]
    assert overwritten("\n".join(smaller)) == [], "the result does not fit the memory of y"
    of_inputs = [
        line.replace("bitcast(%y)", "bitcast(%x)").replace("fusion(%y, %view)", "fusion(%x, %view)") for line in lines
    ]
    assert overwritten("\n".join(of_inputs)) == [], "inputs are not overwritten"


def test_a_library_that_reads_an_array_twice():
    """A softmax reads for its maximum first: XLA gives the result memory of its own. It was refused, since it stays without fusions."""
    inner = [
        "%read (a: f32[8,5], b: f32[8,5]) -> f32[8,5] {",
        "  %b = f32[8,5]{1,0} parameter(1)",
        "  %a = f32[8,5]{1,0} parameter(0)",
        "  %top = f32[8]{0} reduce(%a, %low), dimensions={1}, to_apply=%larger",
        "  %tops = f32[8,5]{1,0} broadcast(%top), dimensions={0}",
        "  ROOT %less = f32[8,5]{1,0} subtract(%b, %tops)",
        "}",
    ]
    entry = [
        "ENTRY %main (x: f32[8,2]) -> f32[8,5] {",
        "  %x = f32[8,2]{1,0} parameter(0)",
        "  %y = f32[8,5]{1,0} fusion(%x), kind=kLoop, calls=%made",
        "  %both = f32[8,5]{1,0} fusion(%y, %y), kind=kCustom, calls=%read",
        "  ROOT %end = f32[8,5]{1,0} fusion(%both), kind=kLoop, calls=%last",
        "}",
    ]
    assert overwritten("\n".join([*inner, *entry])) == []
    turned = [line.replace("parameter(0)", "parameter(2)").replace("parameter(1)", "parameter(0)") for line in inner]
    assert overwritten("\n".join([*turned, *entry])) == ["both"], "the first is read element by element"


def test_a_softmax_of_a_product_runs_in_compiled_code():
    def probabilities(x, w):
        y = jnp.einsum("oc,ncl->nol", w, x)
        e = jnp.exp(y - lax.stop_gradient(y.max(1, keepdims=True)))
        return e / e.sum(1, keepdims=True)

    random = np.random.RandomState(0)
    x, w = (jnp.array(random.randn(*shape), jnp.float32) for shape in ((2, 32, 256), (256, 32)))
    np.testing.assert_allclose(program(probabilities)(x, w), jax.nn.softmax(w @ x, 1), atol=1e-5)


def in_a_branch(x, k):
    """A part of an array is written with what another part of it holds; the array is read through a reshape: the second fault."""

    def shifted(y):
        return lax.dynamic_update_slice(y.reshape(24), (y[:3] * 0.5).reshape(18), (k,))

    return lax.cond(k > 2, shifted, lambda y: y.reshape(24), x.reshape(4, 6) * 2 - 1)


def test_a_write_in_place_beside_a_read_is_found():
    """As the first test: when a JAX compiles this rightly, docs/compiler_bugs.md is to be changed."""
    x, k = jnp.array(np.random.RandomState(0).randn(24), jnp.float32), jnp.int32(3)
    right = (x * 2 - 1).at[3:21].set((x * 2 - 1)[:18] * 0.5)
    compiled = jax.jit(in_a_branch)
    wrong = float(jnp.abs(compiled(x, k) - right).max()) > 1e-3
    assert bool(overwritten(compiled.lower(x, k).compile().as_text())) == wrong
    np.testing.assert_allclose(program(in_a_branch)(x, k), right, atol=1e-6)


@pytest.mark.skipif(not shares_compilation(), reason="before JAX 0.10 each look would compile the program twice")
def test_programs_of_single_operators_are_looked_at():
    x, k = jnp.array(np.random.RandomState(0).randn(24), jnp.float32), jnp.int32(3)
    right = (x * 2 - 1).at[3:21].set((x * 2 - 1)[:18] * 0.5)
    run = eager_jit(in_a_branch, heavy=False)
    for _ in range(CALLS_BY_NUMPY + 2):
        np.testing.assert_allclose(run(x, k), right, atol=1e-6)


def test_what_is_wrong_without_fusions_too_does_not_run(monkeypatch):
    """The program that is compiled without fusions is looked at, as the first one was."""
    looks = []
    monkeypatch.setattr(shared_buffers, "overwritten", lambda text: looks.append(text) or ["made"])
    run = program(by_windows)
    with pytest.raises(RuntimeError, match="also without fusions"):
        run(*given())
    assert len(looks) == 2 and looks[0] != looks[1]
    with pytest.raises(RuntimeError, match="also without fusions"):
        run(*given())
    jitted = jax.jit(by_windows)
    with pytest.raises(RuntimeError, match="also without fusions"):
        shared_buffers.unfused(jitted.trace(*given()), lambda: jitted.lower(*given()))


def writing(*body):
    """A program of one fusion that has these lines, of an array p of 4 x 6 and a place i."""
    return "\n".join(
        [
            "%made (p: f32[4,6], i: s32[]) -> f32[24] {",
            "  %p = f32[4,6]{1,0} parameter(0)",
            "  %i = s32[] parameter(1)",
            "  %flat = f32[24]{0} bitcast(%p)",
            *(f"  {line}" for line in body),
            "}",
            "",
            "ENTRY %main (x: f32[4,6], k: s32[]) -> f32[24] {",
            "  %x = f32[4,6]{1,0} parameter(0)",
            "  %k = s32[] parameter(1)",
            "  ROOT %end = f32[24]{0} fusion(%x, %k), kind=kLoop, calls=%made",
            "}",
        ]
    )


WRITE = "ROOT %written = f32[24]{0} dynamic-update-slice(%flat, %new, %i)"


@pytest.mark.parametrize(
    "body, found",
    [
        (("%part = f32[3,6]{1,0} slice(%p), slice={[0:3], [0:6]}", "%new = f32[18]{0} bitcast(%part)", WRITE), True),
        (("%new = f32[5]{0} dynamic-slice(%flat, %i), dynamic_slice_sizes={5}", WRITE), False),
        (("%old = f32[5]{0} dynamic-slice(%flat, %i), dynamic_slice_sizes={5}", "%new = f32[5]{0} tanh(%old)", WRITE), False),
        (("%old = f32[5]{0} dynamic-slice(%flat, %i), dynamic_slice_sizes={5}", "%new = f32[5]{0} reverse(%old), dimensions={0}", WRITE), True),
        (("%j = s32[] constant(2)", "%new = f32[5]{0} dynamic-slice(%flat, %j), dynamic_slice_sizes={5}", WRITE), True),
        (
            (
                "%j = s32[] constant(2)",
                "%new = f32[5]{0} slice(%flat), slice={[2:7]}",
                WRITE.replace("%i", "%j"),
            ),
            False,
        ),
        (("%new = f32[5]{0} broadcast(%i), dimensions={}", WRITE), False),
        (
            (
                "%new = f32[5]{0} broadcast(%i), dimensions={}",
                WRITE.removeprefix("ROOT "),
                "ROOT %both = (f32[24]{0}, f32[4,6]{1,0}) tuple(%written, %p)",
            ),
            False,
        ),
        (
            ("%where = s32[5]{0} broadcast(%i), dimensions={}", "%new = f32[5]{0} slice(%flat), slice={[0:5]}",
             "ROOT %written = f32[24]{0} scatter(%flat, %where, %new), to_apply=%second"),
            True,
        ),
    ],
)  # fmt: skip
def test_writes_in_place_that_read_elsewhere(body, found):
    assert overwritten(writing(*body)) == ["end"] * found


class Net(nn.Cell):
    def __init__(self, activation, window, conv):
        super().__init__()
        self.first = (
            nn.Conv1d(3, 4, 3, pad_mode="pad", padding=1, has_bias=True) if conv else nn.Dense(2 * window, 2 * window)
        )
        self.act, self.window, self.conv = activation(), window, conv
        self.pool = nn.MaxPool2d((1, window), (1, window)) if not conv else nn.MaxPool1d(window, window)
        self.last = nn.Dense(2, 3)

    def construct(self, x):
        y = self.act(self.first(x))
        y = self.pool(y) if self.conv else self.pool(y.reshape(1, 1, y.shape[0], -1)).reshape(y.shape[0], -1)
        return (ops.log_softmax(self.last(y), -1) ** 2).sum()


@pytest.mark.parametrize("conv", [False, True])
@pytest.mark.parametrize("window", [2, 5])
@pytest.mark.parametrize("activation", [nn.Sigmoid, nn.HSwish])
def test_both_modes_give_the_same_gradients(activation, window, conv):
    found = {}
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        ms.set_seed(3)
        net = Net(activation, window, conv)
        x = ms.Tensor(
            np.random.RandomState(2).randn(*((4, 3, 2 * window) if conv else (4, 2 * window))).astype(np.float32)
        )
        gradient = ms.grad(net, 0, net.trainable_params())
        given, weights = (ms.jit(gradient) if mode == ms.GRAPH_MODE else gradient)(x)
        found[mode] = [g.asnumpy() for g in (given, *weights)]
    for eager, compiled in zip(*found.values()):
        np.testing.assert_allclose(compiled, eager, rtol=1e-4, atol=1e-5)


def test_masks_hide_no_fault():
    """XLA makes `x * convert(mask)` a choice, in which NaN * False is 0; the first assert fails where a newer XLA does not."""
    x, mask = jnp.array([jnp.nan, jnp.inf, 2.0], jnp.float32), jnp.array([False, False, True])
    found = jax.jit(lambda x, mask: x * mask.astype(jnp.float32))(x, mask)
    assert found.tolist() == [0.0, 0.0, 2.0], "XLA multiplies now: `promote.cast` can convert bools again"
    tensor, chosen = ms.Tensor(x), ms.Tensor(mask)
    forms = {
        "cast": lambda x, m: x * m.astype(ms.float32),
        "promoted": lambda x, m: x * m,
        "compared": lambda x, m: (x == 2) * x,
        "half": lambda x, m: x.astype(ms.float16) * ops.cast(m, ms.float16),
    }
    for name, form in forms.items():
        for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
            ms.set_context(mode=mode)
            found = (ms.jit(form) if mode == ms.GRAPH_MODE else form)(tensor, chosen).asnumpy()
            assert np.isnan(found[:2]).all() and found[2] == 2, (name, mode, found)
