"""A batch without an element goes through every layer, and its gradient is empty, too."""

import mindspore as ms
import pytest
from mindspore import Tensor, mint, nn, ops


def zeros(*shape):
    return ops.zeros(shape, ms.float32)


def first(layer):
    """What gives the first result of a layer."""
    return lambda x: layer(x)[0]


unpool = nn.MaxUnpool2d(2)


def unpooled(x):
    return unpool(x, ops.zeros((0, 2, 2, 2), ms.int64))


# name -> (what makes the layer, shape of its input, shape of its result)
LAYERS = {
    "Conv1d": (lambda: nn.Conv1d(2, 3, 2), (0, 2, 5), (0, 3, 5)),
    "Conv2d": (lambda: nn.Conv2d(2, 3, 2), (0, 2, 5, 5), (0, 3, 5, 5)),
    "Conv2d 1x1": (lambda: nn.Conv2d(2, 3, 1), (0, 2, 5, 5), (0, 3, 5, 5)),
    "Conv2d strided": (lambda: nn.Conv2d(2, 3, 2, stride=2, pad_mode="valid"), (0, 2, 5, 5), (0, 3, 2, 2)),
    "Conv3d": (lambda: nn.Conv3d(2, 3, 2), (0, 2, 5, 5, 5), (0, 3, 5, 5, 5)),
    "Conv2dTranspose": (lambda: nn.Conv2dTranspose(2, 3, 2), (0, 2, 5, 5), (0, 3, 5, 5)),
    "MaxPool3d": (lambda: nn.MaxPool3d(2, 1), (0, 2, 5, 5, 5), (0, 2, 4, 4, 4)),
    "MaxPool2d dilated": (
        lambda: nn.MaxPool2d(3, 2, pad_mode="pad", padding=1, dilation=2),
        (0, 2, 7, 7),
        (0, 2, 3, 3),
    ),
    "MaxPool2d with places": (
        lambda: first(nn.MaxPool2d(2, 2, pad_mode="pad", return_indices=True)),
        (0, 2, 4, 4),
        (0, 2, 2, 2),
    ),
    "MaxUnpool2d": (lambda: unpooled, (0, 2, 2, 2), (0, 2, 4, 4)),
    "AdaptiveMaxPool2d": (lambda: nn.AdaptiveMaxPool2d(2), (0, 2, 5, 5), (0, 2, 2, 2)),
    "AdaptiveMaxPool3d": (lambda: nn.AdaptiveMaxPool3d(2), (0, 2, 5, 5, 5), (0, 2, 2, 2, 2)),
    "LSTM": (lambda: first(nn.LSTM(3, 2)), (4, 0, 3), (4, 0, 2)),
    "GRU": (lambda: first(nn.GRU(3, 2, batch_first=True, bidirectional=True)), (0, 4, 3), (0, 4, 4)),
    "RNN": (lambda: first(nn.RNN(3, 2)), (4, 0, 3), (4, 0, 2)),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), (0, 4, 3, 3), (0, 4, 3, 3)),
    "attention": (lambda: lambda x: ops.flash_attention_score(x, x, x, 2, input_layout="BSH"), (0, 3, 4), (0, 3, 4)),
    "unfold": (lambda: lambda x: ops.unfold(x, 2), (0, 2, 4, 4), (0, 8, 9)),
    "fold": (lambda: lambda x: ops.fold(x, Tensor([4, 4], ms.int32), 2), (0, 8, 9), (0, 2, 4, 4)),
    "mint.unfold": (lambda: lambda x: mint.nn.functional.unfold(x, 2), (0, 2, 4, 4), (0, 8, 9)),
    "grid_sample": (lambda: lambda x: ops.grid_sample(x, zeros(0, 3, 3, 2)), (0, 2, 4, 4), (0, 2, 3, 3)),
    "deformable": (
        lambda: (
            lambda x: ops.deformable_conv2d(
                x, zeros(3, 2, 3, 3), zeros(0, 27, 3, 3), (3, 3), (1, 1, 1, 1), (0, 0, 0, 0)
            )
        ),
        (0, 2, 5, 5),
        (0, 3, 3, 3),
    ),
}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("compiled", [False, True])
def test_an_empty_batch(layer, compiled):
    make, shape, expected = LAYERS[layer]
    layer = make()

    def total(x):
        return layer(x).sum()

    run, gradient = (ms.jit(lambda x: layer(x)), ms.jit(ms.grad(total))) if compiled else (layer, ms.grad(total))
    assert run(zeros(*shape)).shape == expected
    assert gradient(zeros(*shape)).shape == shape


@pytest.mark.parametrize("shape", [(0, 3, 2, 2), (2, 3, 0, 2)])
@pytest.mark.parametrize("make", [nn.BatchNorm2d, mint.nn.BatchNorm2d, nn.InstanceNorm2d])
def test_moving_statistics_go_towards_zero_and_do_not_become_nan(make, shape):
    layer = make(3).set_train()
    grads = ms.grad(layer, None, layer.trainable_params())(zeros(*shape))
    assert all((g.asnumpy() == 0).all() for g in grads)
    mean, variance = (p for p in layer.get_parameters() if not p.requires_grad and p.shape == (3,))
    assert variance.asnumpy() == pytest.approx([0.9] * 3)
    assert mean.asnumpy() == pytest.approx([0] * 3)
