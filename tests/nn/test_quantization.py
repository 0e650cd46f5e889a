"""Quantization aware training as MindSpore 1.x documents it: results that its pages print, and the formulas of its kernels."""

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn, ops
from msjax.core.values.dtype import QuantDtype
from msjax.nn.quantization import (
    OptimizeOption,
    QuantizationAwareTraining,
    cal_quantization_params,
    compute_kl_threshold,
    create_quant_config,
    fold_batchnorm,
    get_quant_min_max,
    load_nonquant_param_into_quant_net,
    query_quant_layers,
    weight2int,
    without_fold_batchnorm,
)

X = Tensor([[1.0, 2.0, 1.0], [-2.0, 0.0, -1.0]])
IMAGE = Tensor([[[[1.0, 0, 3], [1, 4, 7], [2, 5, 2]]]])
SUMS = [[[[5.9296875, 13.8359375], [11.859375, 17.78125]]]]  # printed by a device that rounds products to float16
CONFIG = create_quant_config()


def convolution(kind):
    return kind(1, 1, (2, 2), (1, 1), "valid", weight_init="ones", quant_config=CONFIG)


DOCUMENTED = {
    "FakeQuantWithMinMaxObserver": (
        lambda: nn.FakeQuantWithMinMaxObserver()(X),
        [[0.9882355, 1.9764705, 0.9882355], [-1.9764705, 0, -0.9882355]],
    ),
    "Conv2dBnFoldQuantOneConv": (lambda: convolution(nn.Conv2dBnFoldQuantOneConv)(IMAGE), SUMS),
    "Conv2dBnFoldQuant": (lambda: convolution(nn.Conv2dBnFoldQuant)(IMAGE), SUMS),
    "Conv2dBnWithoutFoldQuant": (
        lambda: convolution(nn.Conv2dBnWithoutFoldQuant)(IMAGE),
        [[[[5.929658, 13.835868], [11.859316, 17.78116]]]],
    ),
    "Conv2dQuant": (lambda: convolution(nn.Conv2dQuant)(IMAGE), SUMS),
    "DenseQuant": (
        lambda: nn.DenseQuant(2, 1, "ones", quant_config=CONFIG)(Tensor([[1.0, 5], [3, 4]])),
        [[5.929413], [6.9176483]],
    ),
    "ActQuant": (
        lambda: nn.ActQuant(nn.ReLU(), quant_config=CONFIG)(Tensor([[1.0, 2, -1], [-2, 0, -1]])),
        [[0.9882355, 1.9764705, 0], [0, 0, 0]],
    ),
    "TensorAddQuant": (
        lambda: nn.TensorAddQuant(quant_config=CONFIG)(X, ops.ones_like(X)),
        [[1.9764705, 3.011765, 1.9764705], [-0.9882355, 0.9882355, 0]],
    ),
    "MulQuant": (
        lambda: nn.MulQuant(quant_config=CONFIG)(X, ops.ones_like(X) * 2),
        [[1.9764705, 4.0000005, 1.9764705], [-4, 0, -1.9764705]],
    ),
}


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("name", DOCUMENTED)
def test_documented(name, mode):
    ms.set_context(mode=mode)
    make, wanted = DOCUMENTED[name]
    np.testing.assert_allclose(make().asnumpy(), wanted, rtol=5e-4 if "Conv2d" in name else 3e-7, atol=1e-7)


def test_gradient_is_0_where_rounding_clips():
    x, (low, high) = Tensor([-7.0, -1.0, 0.0, 0.3, 1.9, 2.5]), (Tensor([-1.0]), Tensor([2.0]))
    fake = ops.FakeQuantPerLayer(num_bits=4, symmetric=True)  # -8 to 7 steps of 4 / 15, by one higher for 0 to be one
    step = np.float32(4 / 15)
    steps = np.clip(np.floor(x.asnumpy() / step + 0.5), -7, 8)
    np.testing.assert_allclose(fake(x, low, high).asnumpy(), steps * step, rtol=1e-6, atol=1e-6)
    slope = ms.grad(lambda v: (fake(v, low, high) * Tensor(np.arange(6.0), ms.float32)).sum())(x)
    np.testing.assert_array_equal(slope.asnumpy(), [0, 1, 2, 3, 4, 0])
    whole = ops.FakeQuantPerLayer(num_bits=2)
    ends = ms.grad(lambda v: whole(v, Tensor([0.0]), Tensor([3.0])).sum())(Tensor([-1.0, 0.0, 3.0, 4.0]))
    np.testing.assert_array_equal(ends.asnumpy(), [0, 1, 1, 0])


@pytest.mark.parametrize("truncated", [False, True])
def test_learned_range(truncated):
    """Halves go up; outside the range the range has all of the gradient, within it the error of rounding."""
    x, alpha, last = np.float32([-3, -1.2, -0.25, 0.25, 0.6, 1.2, 3]), np.float32([2]), np.float32([4])
    fake = ops.FakeLearnedScaleQuantPerLayer(neg_trunc=truncated)
    out, (to_x, to_alpha) = ms.value_and_grad(lambda v, a: fake(v, a, Tensor(last)).sum(), (0, 1))(
        Tensor(x), Tensor(alpha)
    )
    ratio, lowest = x / alpha, 0 if truncated else -1
    kept = np.floor(np.clip(ratio, lowest, 1) * last + 0.5) / last
    outside = np.where(ratio > 1, 1, np.where(ratio < lowest, -1, 0))
    np.testing.assert_allclose(out.asnumpy(), (kept * alpha).sum(), rtol=1e-6)
    np.testing.assert_array_equal(to_x.asnumpy(), outside == 0)
    np.testing.assert_allclose(to_alpha.asnumpy(), [np.where(outside, outside, kept - ratio).sum()], rtol=1e-5)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_folding_without_rounding_is_batch_normalization(mode):
    """Until the statistics are frozen; then it is what an evaluation gives."""
    ms.set_context(mode=mode)
    rng = np.random.default_rng(1)
    weight, gamma, x = (rng.normal(size=s).astype(np.float32) for s in ((4, 3, 3, 3), 4, (2, 3, 5, 5)))
    plain = nn.SequentialCell(
        nn.Conv2d(3, 4, 3, weight_init=Tensor(weight)), nn.BatchNorm2d(4, momentum=0.9, gamma_init=Tensor(gamma))
    )
    options = {"weight_init": Tensor(weight), "gamma_init": Tensor(gamma), "momentum": 0.9, "fake": False}
    folded = nn.Conv2dBnFoldQuant(3, 4, 3, **options, freeze_bn=2)
    loss = lambda y: y**3  # noqa: E731

    def gradients(net):
        trained = [p for p in net.trainable_params() if p.ndim == 4 or p.name.endswith(("gamma", "beta"))]
        step = ms.value_and_grad(lambda v: loss(net(v)).sum(), None, trained)
        return step(Tensor(x))

    for net in (plain, folded):
        net.set_train()
    for _ in range(2):
        (value, wanted), (other, found) = gradients(plain), gradients(folded)
        np.testing.assert_allclose(other.asnumpy(), value.asnumpy(), rtol=1e-3)
        for a, b in zip(wanted, found):
            np.testing.assert_allclose(b.asnumpy(), a.asnumpy(), rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(folded.moving_mean.asnumpy(), plain[1].moving_mean.asnumpy(), rtol=1e-4)
    np.testing.assert_allclose(folded.moving_variance.asnumpy(), plain[1].moving_variance.asnumpy(), rtol=1e-4)
    frozen = folded(Tensor(x)).asnumpy()
    assert folded.step.asnumpy() == 3
    folded.set_train(False)
    np.testing.assert_allclose(frozen, folded(Tensor(x)).asnumpy(), rtol=1e-5, atol=1e-5)


class LeNet5(nn.Cell):
    """As documented, with a normalization and a sum."""

    def __init__(self, has_bn=False):
        super().__init__()
        self.conv1 = nn.Conv2dBnAct(1, 6, 5, pad_mode="valid", has_bn=has_bn, activation="relu")
        self.conv2 = nn.Conv2dBnAct(6, 16, 5, pad_mode="valid", activation="relu")
        self.fc1 = nn.DenseBnAct(16 * 5 * 5, 20, activation="relu")
        self.fc2 = nn.DenseBnAct(20, 10, activation="leakyrelu")
        self.fc3 = nn.DenseBnAct(10, 10)
        self.add = ops.Add()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.max_pool2d(self.conv1(x))
        x = self.max_pool2d(self.conv2(x))
        return self.add(self.fc3(self.fc2(self.fc1(self.flatten(x)))), 0.25)


LAYERS = (
    "conv1.conv.fake_quant_weight conv1.activation.fake_quant_act conv2.conv.fake_quant_weight conv2.activation.fake_quant_act "
    "fc1.dense.fake_quant_weight fc1.activation.fake_quant_act fc2.dense.fake_quant_weight "
    "fc2.activation.fake_quant_act_before fc2.activation.fake_quant_act fc3.dense.fake_quant_weight "
    "fc3.activation.fake_quant_act add.fake_quant_act"
).split()
LEARNED = {"optimize_option": OptimizeOption.LEARNED_SCALE, "symmetric": True, "narrow_range": True, "freeze_bn": 0}
WAYS = {
    "not folded": (
        {"bn_fold": False, "per_channel": [True, False], "symmetric": [True, False]},
        "Conv2dBnWithoutFoldQuant",
    ),
    "one convolution": ({}, "Conv2dBnFoldQuantOneConv"),
    "two convolutions": ({"one_conv_fold": False, "quant_delay": 1}, "Conv2dBnFoldQuant"),
    "learned": (LEARNED, "Conv2dBnFoldQuantOneConv"),
}


@pytest.mark.parametrize("way, mode", [("not folded", ms.GRAPH_MODE), *((way, ms.PYNATIVE_MODE) for way in WAYS)])
def test_training(way, mode, capsys, tmp_path):
    ms.set_context(mode=mode)
    ms.set_seed(1)
    options, kind = WAYS[way]
    rng, net = np.random.default_rng(0), LeNet5(has_bn=True)
    for p in net.trainable_params():
        if p.ndim > 1:  # MindSpore 1.x starts with numbers that 8 bits cannot tell from 0
            p.set_data(Tensor(rng.normal(size=p.shape, scale=(2 / np.prod(p.shape[1:])) ** 0.5).astype(np.float32)))
    net = QuantizationAwareTraining(**options).quantize(net)
    assert type(net.conv1.conv).__name__ == kind
    query_quant_layers(net)
    printed = capsys.readouterr().out.splitlines()
    assert printed == [f"{name:60}\tINT8      " for name in LAYERS]
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.02, 0.9))
    step.set_train()
    images, labels = Tensor(rng.normal(size=(8, 1, 32, 32)).astype(np.float32)), Tensor(np.arange(8), ms.int32)
    losses = [float(step(images, labels)) for _ in range(8)]
    assert losses[-1] < 0.8 * losses[0]
    net.set_train(False)
    before = net(images).asnumpy()
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path)
    again = QuantizationAwareTraining(**options).quantize(LeNet5(has_bn=True))
    assert ms.load_param_into_net(again, ms.load_checkpoint(path)) == ([], [])
    again.set_train(False)
    np.testing.assert_allclose(again(images).asnumpy(), before, atol=1e-6)
    steps = before / (before.max() - before.min())  # of 256 numbers in the range that was seen
    assert len(np.unique(steps.round(6))) < 256


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_delay(mode):
    ms.set_context(mode=mode)
    observer = nn.FakeQuantWithMinMaxObserver(quant_dtype=QuantDtype.INT2, quant_delay=2)
    observer.set_train()
    results = [observer(X).asnumpy() for _ in range(4)]
    assert [np.array_equal(r, X.asnumpy()) for r in results] == [True, True, False, False]
    assert (observer.minq.asnumpy(), observer.maxq.asnumpy()) == (-2, 2)
    assert [p.name for p in observer.get_parameters()] == ["quant_min", "quant_max"]


def test_bits_of_each_layer():
    quantizer = QuantizationAwareTraining(**LEARNED)
    net = quantizer._set_mixed_bits(quantizer.quantize(LeNet5()), [[8], [6], [4], [8], [2]])
    assert [int(cell.fake_quant_weight.quant_max.asnumpy()[0]) for cell in (net.conv1.conv, net.fc3.dense)] == [127, 1]
    with pytest.raises(ValueError, match="dimension"):
        quantizer._set_mixed_bits(net, [[8]])


def test_loading_what_was_not_quantized(capsys):
    plain, net = LeNet5(), QuantizationAwareTraining(**LEARNED).quantize(LeNet5())
    load_nonquant_param_into_quant_net(net, {p.name: p for p in plain.get_parameters()}, ["minq", "maxq", "quant_max"])
    np.testing.assert_array_equal(net.fc3.dense.weight.asnumpy(), plain.fc3.dense.weight.asnumpy())
    assert "init model param conv1.conv.weight with checkpoint param conv1.conv.weight" in capsys.readouterr().out


def test_from_float():
    conv, norm = nn.Conv2d(3, 4, 3, has_bias=True), nn.Conv2dBnAct(3, 4, 3, has_bn=True, eps=1e-3)
    assert nn.Conv2dQuant.from_float(conv, CONFIG).bias.shape == (4,)
    assert nn.Conv2dBnFoldQuantOneConv.from_float(norm, CONFIG).eps == 1e-3
    assert nn.Conv2dBnFoldQuant.from_float(norm, CONFIG, {"freeze_bn": 7}).freeze_bn == 7
    assert abs(nn.Conv2dBnWithoutFoldQuant.from_float(norm, CONFIG).batchnorm.momentum - 0.003) < 1e-6
    dense = nn.Dense(3, 2, activation="relu")
    np.testing.assert_array_equal(nn.DenseQuant.from_float(dense, CONFIG).weight.asnumpy(), dense.weight.asnumpy())


# given by MindSpore 1.9
THRESHOLDS = {
    (QuantDtype.INT4, (30, 40), 4): 2.608025550842285,
    (QuantDtype.INT2, (20, 10), 2): 1.5563130378723145,
    (QuantDtype.INT8, (400,), 8): 3.2339019775390625,
    (QuantDtype.INT8, (300, 300), 8): 4.290063858032227,
    (QuantDtype.INT6, (100, 100), 6): 3.520632743835449,
}


def test_ranges():
    for (kind, shape, seed), wanted in THRESHOLDS.items():
        data = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
        assert compute_kl_threshold(data, kind) == pytest.approx(wanted, rel=1e-6)
    assert get_quant_min_max(np.int8, 8, True) == (-127, 127)
    assert get_quant_min_max(np.uint8, 4) == (0, 15)
    lows, highs = np.array([[-1.5], [-0.2], [0.0]]), np.array([[3.0], [0.1], [2.0]])
    signed = [cal_quantization_params(low, high, -128, 127, np.int8) for low, high in zip(lows, highs)]
    np.testing.assert_allclose(signed, [[[3 / 170], [-43]], [[1 / 850], [42]], [[2 / 255], [-128]]])
    scale, zero = cal_quantization_params(lows[:, 0], highs[:, 0], -127, 127, np.int8, symmetric=True)
    np.testing.assert_allclose(scale, [3 / 127, 0.2 / 127, 2 / 127])
    assert not zero.any()
    weight = np.sin(np.arange(6.0)).reshape(3, 2)
    integers = weight2int(weight, np.array([0.01, 0.02, 0.005]), np.array([1.0, 0, -3]), -128, 127)
    assert integers.tolist() == [[1, 85], [45, 7], [-128, -128]]


def test_weights_with_their_normalization():
    folded, apart = nn.Conv2dBnFoldQuant(2, 3, 1, fake=False), nn.Conv2dBnWithoutFoldQuant(2, 3, 1)
    for norm in (folded, apart.batchnorm):
        norm.moving_mean.set_data(Tensor([1.0, 2.0, 3.0]))
        norm.moving_variance.set_data(Tensor([4.0, 1.0, 9.0]))
    x, weight = np.float32([[[[1.0]], [[2.0]]]]), folded.weight.asnumpy()
    whole, bias = fold_batchnorm(weight, folded)
    np.testing.assert_allclose(
        folded(Tensor(x)).asnumpy().ravel(), whole.reshape(3, 2) @ x.ravel() + bias, rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(without_fold_batchnorm(weight, apart)[0], whole, rtol=1e-6)


def test_wrong_options():
    with pytest.raises(ValueError, match="must be greater"):
        nn.FakeQuantWithMinMaxObserver(6, -6)
    with pytest.raises(ValueError, match="symmetric"):
        nn.FakeQuantWithMinMaxObserver(mode="LEARNED_SCALE")
    with pytest.raises(ValueError, match="narrow_range"):
        nn.FakeQuantWithMinMaxObserver(mode="LEARNED_SCALE", symmetric=True)
    with pytest.raises(ValueError, match="mode"):
        nn.FakeQuantWithMinMaxObserver(mode="other")
    with pytest.raises(TypeError, match="min_init"):
        nn.FakeQuantWithMinMaxObserver(min_init="a")
    with pytest.raises(ValueError, match="per_channel"):
        create_quant_config(per_channel=(False, True))
    with pytest.raises(ValueError, match="freeze_bn"):
        QuantizationAwareTraining(**{**LEARNED, "freeze_bn": 3})
    with pytest.raises(TypeError, match="bn fold"):
        QuantizationAwareTraining(bn_fold=1)
    with pytest.raises(ValueError, match="activation"):
        QuantizationAwareTraining().quantize(nn.SequentialCell(nn.DenseBnAct(2, 2, activation="tanh")))


def test_kinds():
    assert (QuantDtype.UINT4.num_bits, QuantDtype.is_signed(QuantDtype.UINT4)) == (4, False)
    assert QuantDtype.switch_signed(QuantDtype.INT3) is QuantDtype.UINT3
    assert nn.FakeQuantWithMinMaxObserver.min_max_map[QuantDtype.UINT5] == (0, 31)
