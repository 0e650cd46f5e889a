"""Mixed precision: types at every level as MindSpore's, training in float16 and bfloat16, loss scales on the device."""

import jax
import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, amp, nn, ops

from msjax.core.trace.control_flow import staging


class Probe(nn.Cell):
    """Notes the float type after each of its operators."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, pad_mode="pad", padding=1)
        self.bn, self.norm, self.flatten = nn.BatchNorm2d(2), nn.LayerNorm((32,)), nn.Flatten()
        self.matmul, self.exp = ops.MatMul(), ops.Exp()
        self.types = {}

    def construct(self, x):
        for name in ("conv", "bn", "flatten", "norm", "exp"):
            x = getattr(self, name)(x)
            self.types[name] = str(x.dtype)
        x = self.matmul(x, x.swapaxes(0, 1))
        self.types["matmul"] = str(x.dtype)
        return x


F16, F32 = "Float16", "Float32"
# level: types after conv, bn, flatten, norm, exp, matmul and of the result; recorded from MindSpore 2.10
TYPES = {
    "O0": [F32] * 7,
    "O1": [F32] * 7,
    "O2": [F16] * 6 + [F32],
    "O3": [F16] * 6 + [F32],
    "auto": [F16, F32, F32, F32, F32, F16, F16],
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("level", TYPES)
def test_types(level, dtype):
    probe = Probe()
    names = [p.name for p in probe.get_parameters()]
    net = amp.auto_mixed_precision(probe, level, getattr(ms, dtype))
    out = net(Tensor(np.ones((2, 1, 4, 4), np.float32)))
    wanted = [t if t == F32 else str(getattr(ms, dtype)) for t in TYPES[level]]
    assert [*probe.types.values(), str(out.dtype)] == wanted
    assert [p.name for p in net.get_parameters()] == names and probe.conv.weight.dtype == ms.float32


def test_operators_of_the_white_list_compute_low():
    """float16 keeps 11 bits: 2049 * 1 rounds to 2048 inside, and comes back as float32."""

    class Net(nn.Cell):
        def construct(self, x):
            return ops.matmul(x, ops.ones((1, 1), ms.float32)), ops.MatMul()(x, ops.ones((1, 1), ms.float32))

    net = amp.custom_mixed_precision(Net(), white_list=[ops.MatMul])
    plain, low = net(Tensor([[2049.0]], ms.float32))
    assert float(low) == 2048 and low.dtype == ms.float32 and plain.dtype == ms.float32


def lenet():
    return nn.SequentialCell(
        nn.Conv2d(1, 4, 3, pad_mode="valid"),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Dense(36, 16),
        nn.ReLU(),
        nn.Dense(16, 3),
    )


def batch():
    rng = np.random.RandomState(0)
    y = np.arange(24) % 3
    x = rng.randn(24, 1, 8, 8).astype(np.float32) * 0.3
    x[np.arange(24), 0, y * 2] += 1
    return Tensor(x), Tensor(y, ms.int32)


BUILDS = [
    ("O2", {}),
    ("O3", {}),
    ("auto", {}),
    ("O1", {}),
    ("O0", {"cast_model_type": ms.float16}),
    ("O2", {"loss_scale_manager": ms.FixedLossScaleManager(128.0, True)}),
    ("O3", {"loss_scale_manager": ms.DynamicLossScaleManager(2**10, 2, 4), "keep_batchnorm_fp32": True}),
]


@pytest.mark.parametrize("level, options", BUILDS, ids=[f"{level}-{'-'.join(o)}" for level, o in BUILDS])
def test_training_in_mixed_precision(level, options, mode):
    net = lenet()
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(True, "mean")
    step = amp.build_train_network(net, optimizer, loss, level=level, **options)
    x, y = batch()
    outs = [step(x, y) for _ in range(24)]  # O2 starts from a scale of 2 ** 24, which must fall first
    losses = [out[0] if isinstance(out, tuple) else out for out in outs]
    assert losses[0].dtype == ms.float32 and all(p.dtype == ms.float32 for p in optimizer.parameters)
    assert float(losses[-1]) < 0.6 * float(losses[0])


def test_bfloat16_trains(mode):
    net = amp.auto_mixed_precision(lenet(), "O2", ms.bfloat16)
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    x, y = batch()
    losses = [float(step(x, y)) for _ in range(10)]
    assert losses[-1] < 0.6 * losses[0]


def scaled_step(scale, window=2):
    net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    manager = nn.DynamicLossScaleUpdateCell(scale, 2, window)
    loss = nn.WithLossCell(net, nn.MSELoss())
    return net, nn.TrainOneStepWithLossScaleCell(loss, nn.SGD(net.trainable_params(), 0.1), manager).set_train()


def test_overflow_leaves_the_step_out(mode):
    net, step = scaled_step(2.0**8)
    good, target = Tensor(np.ones((4, 2), np.float32)), Tensor(np.zeros((4, 1), np.float32))
    bad = Tensor(np.full((4, 2), 1e30, np.float32))
    trail = []
    for x in (good, bad, good, good, good):
        before = net.weight.asnumpy()
        _, overflow, scale = step(x, target)
        trail.append((bool(overflow), float(scale), bool((net.weight.asnumpy() != before).any())))
    # the scale is halved at the overflow, and doubled when two steps have gone well since
    assert trail == [(False, 256, True), (True, 128, False), (False, 128, True), (False, 256, True), (False, 256, True)]


def test_an_accelerator_selects_small_weights(monkeypatch):
    """Its compiler fetches what a condition reads again; a NaN among the gradients does not reach the weights."""
    ms.set_context(mode=ms.GRAPH_MODE)
    monkeypatch.setattr(staging, "present_device", lambda: "TPU")
    monkeypatch.setattr(staging.lax, "cond", None)
    net, step = scaled_step(2.0**8)
    target = Tensor(np.zeros((4, 1), np.float32))
    for value, changed in ((1, True), (1e30, False), (1, True)):
        before = net.weight.asnumpy()
        step(Tensor(np.full((4, 2), value, np.float32)), target)
        assert (net.weight.asnumpy() != before).any() == changed and np.isfinite(net.weight.asnumpy()).all()


def test_overflow_is_decided_on_the_device():
    ms.set_context(mode=ms.GRAPH_MODE)
    _, step = scaled_step(256.0)
    x, target = Tensor(np.ones((4, 2), np.float32)), Tensor(np.zeros((4, 1), np.float32))
    entry = step.entry_for(x, target)
    arrays = [[box._data for box in boxes] for boxes in (entry.state.written, entry.state.read, (x, target))]
    text = str(jax.make_jaxpr(entry.program.pure)(*arrays))
    assert "cond[" in text and "callback" not in text and "f64" not in text


def test_scalers():
    scaler = amp.DynamicLossScaler(16.0, 2, 2)
    seen = []
    for finite in (True, True, True, False, False, True, True):
        scaler.adjust(Tensor(finite))
        seen.append((float(scaler.scale_value), int(scaler.counter)))
    assert seen == [(16, 1), (32, 0), (32, 1), (16, 0), (8, 0), (8, 1), (16, 0)]
    assert float(scaler.scale(Tensor(2.0))) == 32 and float(scaler.unscale((Tensor(32.0),))[0]) == 2
    fixed = amp.StaticLossScaler(4.0)
    assert fixed.adjust(Tensor(False)) is False and float(fixed.unscale(fixed.scale(Tensor(3.0)))) == 3
    assert bool(amp.all_finite((Tensor([1.0, 2.0]), Tensor([3.0])))) and not bool(amp.all_finite([Tensor([np.nan])]))


def test_scales_that_float16_does_not_hold():
    """65504 is the largest number of float16; the inverse of a larger scale is one."""
    for scale in (2.0**17, 2.0**24):
        inverse = amp.StaticLossScaler(scale).unscale(Tensor([256.0, np.inf], ms.float16))
        np.testing.assert_array_equal(inverse.asnumpy(), np.array([256 / scale, np.inf], np.float16))
    weights = []
    for scale in (1.0, 2.0**17):
        net = nn.Dense(2, 1, weight_init="ones")
        net.weight.set_dtype(ms.float16)
        loss = nn.SequentialCell(net.to_float(ms.float16), nn.Cell())
        loss[1].construct = lambda y: y.astype(ms.float32).sum() / 1024
        step = nn.TrainOneStepWithLossScaleCell(loss, nn.SGD(net.trainable_params(), 1024.0), Tensor(scale))
        step(Tensor([[1 / 64, 1 / 32]], ms.float16))
        weights.append(net.weight.asnumpy())
    np.testing.assert_array_equal(weights, np.array([[[1 - 1 / 64, 1 - 1 / 32]]] * 2, np.float16))


def test_managers():
    manager = ms.DynamicLossScaleManager(16, 2, 2)
    scales = []
    for overflow in (False, False, True, False, False, False):
        manager.update_loss_scale(overflow)
        scales.append(manager.get_loss_scale())
    assert scales == [16, 32, 16.0, 16.0, 32.0, 32.0]
    cell, scale = nn.DynamicLossScaleUpdateCell(16, 2, 2), Parameter(Tensor(16.0, ms.float32), name="s")
    seen = []
    for overflow in (False, False, True, True, False, False, False):
        cell(scale, Tensor(overflow))
        seen.append((float(scale), int(cell.cur_iter), int(cell.last_overflow_iter)))
    assert seen == [(16, 2, 0), (32, 3, 2), (16, 4, 3), (8, 5, 4), (8, 6, 4), (16, 7, 6), (16, 8, 6)]


@pytest.mark.parametrize("make", [nn.GradAccumulationCell, nn.PipelineCell])
def test_accumulated_gradients_are_those_of_the_batch(make, mode):
    x, y = Tensor(np.random.RandomState(1).randn(6, 3).astype(np.float32)), Tensor(np.ones((6, 2), np.float32))
    weights = []
    for parts in (1, 3):
        net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        loss = nn.WithLossCell(net, nn.MSELoss())
        loss = loss if parts == 1 else make(loss, parts)
        step = amp.build_train_network(loss, nn.SGD(net.trainable_params(), 0.1))
        for _ in range(2):
            step(x, y)
        weights.append(net.weight.asnumpy())
    np.testing.assert_allclose(weights[1], weights[0], rtol=1e-5)
    with pytest.raises(ValueError, match="must be divided by"):
        make(net, 4)(x)


def test_batches_by_queue_name():
    import mindspore.dataset as ds

    queue = ds.NumpySlicesDataset({"x": np.arange(4)}, shuffle=False).batch(2).device_que(queue_name="numbers")
    queue.send()
    get_next = nn.GetNextSingleOp([ms.int64], [(2,)], "numbers")
    assert [get_next()[0].asnumpy().tolist() for _ in range(2)] == [[0, 1], [2, 3]]
    with pytest.raises(RuntimeError, match="no dataset is sunk under the queue name 'none'"):
        nn.GetNextSingleOp([ms.int64], [(2,)], "none")()


def build(**options):
    net = nn.Dense(1, 1)
    return amp.build_train_network(net, nn.SGD(net.trainable_params()), **options)


WRONG = [
    (lambda: amp.auto_mixed_precision(1, "O2"), TypeError, "should be Cell"),
    (lambda: amp.auto_mixed_precision(nn.ReLU(), "O9"), ValueError, "O9 is not supported"),
    (lambda: amp.auto_mixed_precision(nn.ReLU(), "O1", ms.float64), ValueError, "float16, mstype.bfloat16"),
    (lambda: amp.custom_mixed_precision(nn.ReLU()), ValueError, "must be provided"),
    (lambda: amp.custom_mixed_precision(nn.ReLU(), white_list=[1]), TypeError, "should be a class"),
    (lambda: build(level="O5"), ValueError, "O5"),
    (lambda: build(foo=1), ValueError, "Unsupported arg"),
    (lambda: amp.DynamicLossScaler(0.5, 2, 2), ValueError, "scale_value"),
    (lambda: ms.DynamicLossScaleManager(0.1), ValueError, "init_loss_scale"),
    (lambda: ms.FixedLossScaleManager(0.5), ValueError, "loss_scale"),
    (lambda: nn.GradAccumulationCell(nn.ReLU(), 0), ValueError, "micro_size"),
    (lambda: nn.PipelineCell(nn.ReLU(), 2, {"none": 1}), KeyError, "stage_config"),
]


@pytest.mark.parametrize("call, kind, text", WRONG, ids=range(len(WRONG)))
def test_wrong_arguments(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_strategy_by_its_inner_names(mode):
    """`_c_expression.amp`, as libraries use it: a level, a dtype and lists of operators, on a Cell or around a block."""
    from mindspore._c_expression.amp import AmpLevel, create_amp_strategy, get_curr_amp_strategy
    from mindspore.train.amp import AmpDecorator

    x, net = Tensor(np.ones((2, 4), np.float32)), nn.Dense(4, 3)
    assert net(x).dtype == ms.float32 and not hasattr(net, "amp_strategy")
    net.amp_strategy = create_amp_strategy(AmpLevel.AmpO3, ms.float16, [], [])
    assert net(x).dtype == ms.float16 and net.amp_strategy.get_amp_level() == AmpLevel.AmpO3
    with AmpDecorator(AmpLevel.AmpAuto, ms.bfloat16, [("MatMul", [])], []):
        assert ops.matmul(x, x.T).dtype == ms.bfloat16 and ops.exp(x).dtype == ms.float32
        assert get_curr_amp_strategy().get_amp_dtype() == ms.bfloat16
    assert ops.matmul(x, x.T).dtype == ms.float32 and get_curr_amp_strategy() is None


@pytest.mark.parametrize(
    "layer, shape",
    [
        ("nn.Dense(4, 3)", (2, 4)),
        ("nn.Dense(4, 3, activation='relu')", (2, 5, 4)),
        ("nn.Conv1d(4, 3, 1, has_bias=True)", (1, 4, 2)),
        ("nn.Conv2d(4, 3, 1, has_bias=True)", (1, 4, 2, 2)),
        ("nn.Conv2dTranspose(4, 3, 1, has_bias=True)", (1, 4, 2, 2)),
        ("nn.Conv3d(4, 3, 1, has_bias=True)", (1, 4, 2, 2, 2)),
    ],
)
def test_auto_adds_biases_in_float32(layer, shape, mode):
    """As MindSpore: the layer's product computes in float16, the bias is an operator of its own; without a bias the result is float16."""
    x = Tensor(np.linspace(-1, 1, int(np.prod(shape))).reshape(shape), ms.float32)
    plain = (
        layer.replace(", has_bias=True", "")
        .replace("4, 3)", "4, 3, has_bias=False)")
        .replace("3, act", "3, has_bias=False, act")
    )
    assert ms.amp.auto_mixed_precision(eval(layer), "auto")(x).dtype == ms.float32
    assert ms.amp.auto_mixed_precision(eval(plain), "auto")(x).dtype == ms.float16


def test_the_cells_that_cast_are_printed_as_in_mindspore():
    """Recorded from MindSpore 2.10."""
    net = ms.amp.auto_mixed_precision(nn.SequentialCell(nn.ReLU(), nn.BatchNorm2d(2)), "O2")
    text = str(net)
    assert text.startswith("_OutputTo32(\n  (_backbone): SequentialCell(\n    (0): ReLU()\n    (1): _OutputTo16(\n")
    net = nn.SequentialCell(nn.ReLU())
    step = ms.Model(net, nn.MSELoss(), amp_level="O3", optimizer=nn.SGD([Parameter(Tensor([1.0]), name="w")]))
    assert str(step.train_network).startswith("TrainOneStepCell(\n  (network): WithLossCell(\n    (_backbone): ")


def test_level_o1_leaves_names_and_paths():
    """Recorded from MindSpore 2.10: checkpoints of a network within another keep their keys."""
    net = nn.SequentialCell(nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2)))
    whole = nn.WithLossCell(ms.amp.auto_mixed_precision(net, "O1"), nn.MSELoss())
    outer = nn.SequentialCell([whole])
    paths = ["0._backbone.0.0.weight", "0._backbone.0.0.bias"]
    assert [p.name for p in outer.trainable_params()][:2] == paths
    assert [path for path, _ in outer.parameters_and_names()][:2] == paths
