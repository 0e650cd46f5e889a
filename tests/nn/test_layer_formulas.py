"""Layers of which MindSpore's CPU build has no kernel: against their formulas in float64."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, nn

RANDOM = np.random.RandomState(5)


def data(*shape):
    return RANDOM.uniform(0.1, 1.0, shape).astype(np.float32)


def assert_same(found, expected):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_psnr(mode):
    a, b = data(2, 1, 5, 6), data(2, 1, 5, 6)
    error = ((a.astype(np.float64) - b) ** 2).mean((1, 2, 3))
    assert_same(nn.PSNR(max_val=2.0)(Tensor(a), Tensor(b)), 10 * np.log10(4.0 / error))


def test_ms_ssim_of_equal_images_is_one(mode):
    x = Tensor(data(1, 1, 24, 24))
    assert_same(nn.MSSSIM(power_factors=(0.4, 0.6), filter_size=5)(x, x), [1.0])


def test_instance_norm_3d(mode):
    net, x = nn.InstanceNorm3d(2).set_train(), data(2, 2, 3, 4, 4)
    net.gamma.set_data(Tensor([0.5, 2.0], ms.float32))
    z = x.astype(np.float64)
    mean, variance = z.mean((2, 3, 4), keepdims=True), z.var((2, 3, 4), keepdims=True)
    assert_same(net(Tensor(x)), (z - mean) / np.sqrt(variance + 1e-5) * np.array([0.5, 2.0]).reshape(1, 2, 1, 1, 1))


def test_batch_norm_3d_of_mint(mode):
    net, x = mint.nn.BatchNorm3d(2).set_train(), data(3, 2, 2, 3, 2)
    z = x.astype(np.float64)
    mean, variance = z.mean((0, 2, 3, 4), keepdims=True), z.var((0, 2, 3, 4), keepdims=True)
    assert_same(net(Tensor(x)), (z - mean) / np.sqrt(variance + 1e-5))
    assert_same(net.running_mean, 0.1 * mean.ravel())
    assert_same(net.running_var, 0.9 + 0.1 * z.transpose(1, 0, 2, 3, 4).reshape(2, -1).var(1, ddof=1))


def test_multilabel_margin_loss(mode):
    x, target = data(2, 4), np.array([[1, 2, -1, 0], [3, -1, 1, 0]], np.int32)
    expected = np.zeros(2)
    for n, labels in enumerate(([1, 2], [3])):
        for j in labels:
            expected[n] += sum(max(0.0, 1 - (x[n, j] - x[n, i])) for i in range(4) if i not in labels) / 4
    assert_same(nn.MultilabelMarginLoss(reduction="none")(Tensor(x), Tensor(target)), expected)


def test_fold_adds_what_unfold_copies(mode):
    x = data(1, 2, 4, 6)
    columns = mint.nn.Unfold(2)(Tensor(x))
    times = np.ones((4, 6))
    times[1:-1] *= 2
    times[:, 1:-1] *= 2
    assert_same(mint.nn.Fold((4, 6), 2)(columns), x * times)


def test_bilinear_upsampling_with_aligned_corners(mode):
    x = data(1, 1, 3, 4)
    rows, columns = np.linspace(0, 2, 5), np.linspace(0, 3, 7)
    down, left = np.minimum(rows.astype(int), 1), np.minimum(columns.astype(int), 2)
    v, u = (rows - down)[:, None], columns - left
    top, bottom = (x[0, 0][d][:, left] * (1 - u) + x[0, 0][d][:, left + 1] * u for d in (down, down + 1))
    assert_same(mint.nn.UpsamplingBilinear2d(size=(5, 7))(Tensor(x))[0, 0], top * (1 - v) + bottom * v)


@pytest.mark.parametrize("masked, alibi", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_flash_attention_of_old_releases(mode, masked, alibi):
    """MindSpore has it for Ascend devices only: compared with its formula."""
    from mindspore.nn.layer.flash_attention import FlashAttention

    ms.set_context(mode=mode)
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((2, 4, 16, 8)).astype(np.float32) for _ in range(3))
    hidden = np.triu(np.ones((1, 16, 16), np.float32), 1) if masked else np.zeros((1, 16, 16), np.float32)
    shift = rng.standard_normal((2, 4, 1, 16)).astype(np.float32) if alibi else np.zeros((2, 4, 1, 16), np.float32)
    scores = np.where(hidden[:, None] == 1, -np.inf, np.einsum("bnqd,bnkd->bnqk", q, k) / np.sqrt(8) + shift)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    expected = np.einsum("bnqk,bnkd->bnqd", weights / weights.sum(-1, keepdims=True), v)
    net = FlashAttention(8, 4, alibi=alibi)
    rest = (Tensor(hidden) if masked else None, Tensor(shift) if alibi else None)
    np.testing.assert_allclose(net(Tensor(q), Tensor(k), Tensor(v), *rest).asnumpy(), expected, rtol=1e-5, atol=1e-5)
    assert not net.trainable_params()
    with pytest.raises(ValueError, match="multiple of 16"):
        net(Tensor(q[:, :, :8]), Tensor(k), Tensor(v))
