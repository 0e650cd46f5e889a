"""Messages that say what to write instead: names of other frameworks, misspelt words, classes in place of instances."""

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn, ops


def x(*shape):
    return Tensor(np.ones(shape, np.float32))


class Forward(nn.Cell):
    def forward(self, x):
        return x


class Misspelt(nn.Cell):
    def contruct(self, x):
        return x


class Called(nn.Cell):
    def __init__(self, width, depth=1):
        super().__init__()


def model(**options):
    net = nn.Dense(5, 4)
    return ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), **options)


def batches():
    return ms.dataset.NumpySlicesDataset((np.ones((4, 5), np.float32), np.ones((4, 4), np.float32))).batch(2)


# what is done | type of the error | what its text says
CASES = [
    (lambda: nn.Dense(3, 4)(x(2, 5)), ValueError, "must have 3 elements on its last axis, as the weight has on its, but got 5"),
    (lambda: ops.matmul(x(2, 5), x(2, 5)), RuntimeError, "For 'matmul', the columns of the first factor"),
    (lambda: x(2, 5) @ x(2), ValueError, "For 'matmul', the columns of the first factor"),
    (lambda: x(3) @ x(2), ValueError, "For 'matmul', the columns of the first factor"),
    (lambda: x(2, 5) + x(3, 4), ValueError, r"For 'Add', the shapes \(2, 5\), \(3, 4\) cannot be broadcast to one\."),
    (lambda: nn.LSTM(3, 4)(x(2, 2, 5)), ValueError, "axes that are multiplied must have one length, but they have 5 and 3"),
    (lambda: model().train(1, batches(), callbacks=[ms.train.LossMonitor]), TypeError, r"an instance of it, LossMonitor\(\)"),
    (lambda: model().train(1, batches(), callbacks=ms.train.LossMonitor), TypeError, r"an instance of it, LossMonitor\(\)"),
    (lambda: x(2).cuda(), AttributeError, "has no attribute 'cuda'. In MindSpore: there is no device of its own"),
    (lambda: x(2).backward(), AttributeError, "gradients come from a function: mindspore.value_and_grad"),
    (lambda: x(2).reshap(2), AttributeError, "Did you mean 'reshape'?"),
    (lambda: nn.ReLU().cuda(), AttributeError, "The 'ReLU' object has no attribute 'cuda'. In MindSpore: "),
    (lambda: nn.ReLU().eval(), AttributeError, r"use set_train\(False\)"),
    (lambda: nn.SGD(nn.Dense(2, 2).trainable_params()).zero_grad(), AttributeError, "nothing is kept between steps"),
    (lambda: Forward()(x(2)), AttributeError, "'construct' is not defined.*Its method 'forward' must be called 'construct'"),
    (lambda: Misspelt()(x(2)), AttributeError, "Its method 'contruct' must be called 'construct'"),
    (lambda: nn.Conv2d(3, 4, kernal_size=3), TypeError, "keyword argument 'kernal_size'; did you mean 'kernel_size'?"),
    (lambda: nn.Dense(3, 4, bias=False), TypeError, "'bias'; did you mean 'has_bias'?"),
    (lambda: Called(widht=3), TypeError, r"Called.__init__\(\) got .*; did you mean 'width'\? It takes \(width, depth\)"),
    (lambda: ops.softmax(x(2), axs=0), TypeError, r"softmax\(\) got .* 'axs'; did you mean 'axis'\?"),
    (lambda: ops.ReduceSum(keep_dim=True), TypeError, "'keep_dim'; did you mean 'keep_dims'?"),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(CASES)))
def test_message(case):
    call, kind, text = CASES[case]
    with pytest.raises(kind, match=text) as caught:
        call()
    assert type(caught.value).__name__ == kind.__name__
