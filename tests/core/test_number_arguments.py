"""Numbers that are mathematically operands: new values do not compile, and mean what they mean as settings."""

import importlib.util
import pathlib

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, ops

from msjax.core.operators.record import records

_BENCHMARK = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "number_arguments.py"
_spec = importlib.util.spec_from_file_location("number_arguments", _BENCHMARK)
benchmark = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(benchmark)

CALLS = benchmark.arguments()
OFTEN = (
    *("mint.add alpha", "ops.addmm beta", "ops.hardtanh bounds", "F.softplus beta", "ops.logit eps", "ops.dropout p"),
    *(
        "ops.layer_norm eps",
        "F.group_norm eps",
        "ops.cdist p",
        "ops.cross_entropy label_smoothing",
        "ops.huber_loss delta",
    ),
    *("gradient of mint.add alpha", "gradient of ops.leaky_relu alpha"),
)
X = Tensor(np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4))
Y = Tensor(np.linspace(0.5, 3, 12, dtype=np.float32).reshape(3, 4))


def forget():
    """Let all operators be without compiled variants."""
    for record in records.values():
        record.forget()


@pytest.mark.parametrize("name", OFTEN)
def test_new_values_compile_at_most_twice(name):
    forget()
    count, _ = benchmark.measure(CALLS[name], [0.3, 0.45, 0.2, 0.71, 0.9])
    assert count <= (4 if name.startswith("gradient") else 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda n: mint.add(X, Y, alpha=n),
        lambda n: mint.sub(X.astype(ms.float16), Y.astype(ms.float16), alpha=n),
        lambda n: mint.add(X.astype(ms.float64), Y.astype(ms.float64), alpha=n),
        lambda n: ops.hardtanh(X, -n, n),
        lambda n: ops.leaky_relu(X, n),
        lambda n: ops.layer_norm(X, (4,), eps=n),
        lambda n: ops.cdist(X, Y, n),
        lambda n: ops.huber_loss(X, Y, delta=n),
        lambda n: ops.isclose(X, Y, n, n),
        lambda n: ops.addmm(Y, X, Tensor(np.eye(4, dtype=np.float32)), alpha=n, beta=2),
        lambda n: ms.grad(lambda x: ops.celu(x, n).sum())(X),
        lambda n: ms.jit(lambda x: ops.celu(x, n))(X),
    ],
)
def test_the_values_of_operands_give_what_they_give_as_settings(call):
    values = (0.1, 0.7, 2.0, 1.0, 1.3, np.float64(0.3))
    forget()
    together = [call(v) for v in values]
    for value, found in zip(values, together):
        forget()
        alone = call(value)
        assert (found.dtype, found.shape) == (alone.dtype, alone.shape)
        np.testing.assert_allclose(found.asnumpy(), alone.asnumpy(), rtol=3e-6, atol=1e-6)


def test_a_float64_operand_is_exact():
    one = Tensor(np.ones(1), ms.float64)
    found = [mint.add(one, one, alpha=a).asnumpy()[0] for a in (0.1, 1 / 3, 1e-300, 0.7)]
    assert found == [1 + 0.1, 1 + 1 / 3, 1.0, 1.7]


def test_what_an_operator_refuses_it_refuses_after_any_values():
    for p in (0.2, 0.3, 0.4):
        ops.dropout(X, p)
    for p in (-0.1, 1.5):
        with pytest.raises(ValueError, match=r"the 'p' must be in range of \[0, 1\]"):
            ops.dropout(X, p)
    assert ops.dropout(X, 1.0).asnumpy().tolist() == np.zeros((3, 4)).tolist()
    assert ops.dropout(X, 0.0).asnumpy().tolist() == X.asnumpy().tolist()
    assert np.isin((ops.dropout(Y, 0.5) / Y).asnumpy(), (0, 2)).all()


def test_numbers_that_decide_shapes_stay_settings():
    assert [ops.full((2,), v).shape for v in (1, 2, 3)] == [(2,)] * 3
    assert [ops.tile(X, (n, 1)).shape for n in (1, 2, 3)] == [(3 * n, 4) for n in (1, 2, 3)]
    assert [ops.cumsum(X, axis).shape for axis in (0, 1)] == [(3, 4)] * 2


def test_whole_numbers_and_floats_keep_their_types():
    whole = Tensor([1, 2, 3])
    assert [mint.add(whole, whole, alpha=a).asnumpy().tolist() for a in (2, 3, 4)] == [
        [3, 6, 9],
        [4, 8, 12],
        [5, 10, 15],
    ]
    for alpha in (0.5, 0.25):
        with pytest.raises((TypeError, RuntimeError, ValueError)):
            mint.add(whole, whole, alpha=alpha)


def test_the_variants_of_an_operator_are_bounded(monkeypatch):
    from msjax.core.operators import record

    monkeypatch.setattr(record, "_MOST_VARIANTS", 4)
    record.records["tile"].forget()
    for n in range(1, 8):
        ops.tile(X, (n, 1))
    assert len(record.records["tile"]._forward) == 4


@pytest.mark.filterwarnings("ignore:.*runs eagerly")
@pytest.mark.parametrize(
    "call",
    [
        lambda n: ops.sort(X, n)[1],
        lambda n: ops.concat((X, Y), n),
        lambda n: ops.norm(X, dim=n),
        lambda n: ops.logsumexp(X, n),
        lambda n: ops.unstack(X, n)[0],
        lambda n: ops.diff(X, axis=n),
        lambda n: ops.diagonal(X, n),
        lambda n: ops.median(X, n)[0],
        lambda n: ops.trapz(X, dim=n),
        lambda n: ops.flatten(X, start_dim=n),
        lambda n: ops.count_nonzero(X, axis=n),
        lambda n: ops.renorm(X, 2, n, 1.0),
        lambda n: ops.ifftshift(X, n),
        lambda n: ops.fftshift(X, (n,)),
    ],
    ids="sort concat norm logsumexp unstack diff diagonal median trapz flatten count_nonzero renorm ifftshift fftshift".split(),
)
def test_an_axis_may_be_a_number_of_the_program(call):
    """Where a Python value is needed, the function runs eagerly."""
    expected = call(1)
    given = ms.jit(call)(ms.mutable(1))
    assert given.dtype == expected.dtype and np.array_equal(given.asnumpy(), expected.asnumpy())
