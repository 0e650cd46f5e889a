"""Gradients that are not those of an optimizer's Parameters: what MindSpore 2.10 raises for them, in both modes."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn
from mindspore.experimental import optim as experimental


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


LAYERS = (
    "Adam AdamWeightDecay AdaMax Adagrad SGD Momentum RMSProp LARS FTRL LazyAdam ProximalAdagrad AdamOffload".split()
)
OTHERS = "Adam AdamW SGD Adagrad Adadelta Adamax NAdam RAdam RMSprop Rprop".split()
COMPOSED = (
    "experimental AdamW",
    "experimental NAdam",
    "experimental RAdam",
    "experimental RMSprop",
    "experimental Rprop",
)
ALL = [*LAYERS, *(f"experimental {name}" for name in OTHERS)]
CASES = {
    "fewer": (ones(2, 3),),
    "swapped": (ones(2), ones(2, 3)),
    "transposed": (ones(3, 2), ones(2)),
    "to be broadcast": (ones(3), ones(1)),
    "float64": (ones(2, 3, dtype=np.float64), ones(2, dtype=np.float64)),
}


def made(name):
    parameters = nn.Dense(3, 2).trainable_params()
    if name == "LARS":
        return nn.LARS(nn.Momentum(parameters, 0.1, 0.9))
    kind = getattr(experimental, name.split()[1]) if " " in name else getattr(nn, name)
    more = {"Momentum": (0.1, 0.9), "experimental SGD": (0.1,)}.get(name, ())
    return kind(parameters, *more)


def recorded(name, case):
    """The exception in MindSpore, or None."""
    if case == "fewer":
        return RuntimeError
    if case == "float64":
        return None if name == "AdamWeightDecay" else TypeError
    if case == "to be broadcast" and name in COMPOSED:
        return None
    return RuntimeError if name.endswith("SGD") else ValueError


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ALL)
def test_gradients_that_do_not_fit(name, case):
    wanted, optimizer = recorded(name, case), made(name)
    before = [p.asnumpy().copy() for p in optimizer.parameters]
    if wanted is None:
        optimizer(CASES[case])
        return
    with pytest.raises(
        wanted, match=f"For '{name.split()[-1] if name != 'LARS' else '(LARS|Momentum)'}', the gradient"
    ):
        optimizer(CASES[case])
    for p, value in zip(optimizer.parameters, before):
        np.testing.assert_array_equal(p.asnumpy(), value)


@pytest.mark.parametrize("name", ("Adam", "SGD", "experimental Adam"))
def test_what_is_no_tuple_of_tensors(name):
    own = ValueError if " " in name else RuntimeError
    with pytest.raises(own, match="a tuple of Tensors, one for each Parameter, but got a Tensor"):
        made(name)(ones(2, 3))
    with pytest.raises(TypeError, match="gradient 1 must be a Tensor, but got None: no gradient was computed"):
        made(name)((ones(2, 3), None))


def test_compiled_steps_look_too():
    optimizer = made("Adam")
    with pytest.raises(RuntimeError, match="as many as the Parameters, but got 3 and 2"):
        ms.jit(lambda *gradients: optimizer(gradients))(ones(2, 3), ones(2), ones(2))


def test_a_learning_rate_that_is_a_text():
    with pytest.raises(ValueError, match="'learning_rate' must be a number, a list of numbers"):
        nn.Adam(nn.Dense(3, 2).trainable_params(), "a")


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda: nn.BCELoss()(ones(2) * 2, ones(2)).asnumpy(), RuntimeError, "probabilities outside of 0 to 1"),
        (lambda: nn.BCELoss()(ones(2), ones(2, dtype=np.int32)), TypeError, "must have one type"),
        (
            lambda: nn.SoftmaxCrossEntropyWithLogits()(ones(2, 3), ones(2, dtype=np.int32)),
            TypeError,
            "same as 'logits'",
        ),
        (lambda: Tensor([[1, 2], [3]]), TypeError, "unequal lengths"),
        (lambda: ms.ops.linspace(0, 1, -2), ValueError, "'steps' must be positive"),
    ],
)
def test_mistakes_of_beginners(call, kind, text):
    with pytest.raises(kind, match=text):
        call()
