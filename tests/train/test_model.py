"""Model: training, evaluation, callbacks, checkpoints, data sinking."""

import os

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import Tensor, nn
from mindspore.train import Accuracy, Callback, CheckpointConfig, LossMonitor, Model, ModelCheckpoint, TimeMonitor

import msjax.train.model
from msjax.core.settings import context

dataset_helper = msjax.train.model.dataset_helper  # in the package the name is MindSpore's module


def rows(count=40, seed=0):
    rng = np.random.RandomState(seed)
    x = rng.randn(count, 8).astype(np.float32)
    return x, (x[:, :3].argmax(1)).astype(np.int32)


def data(count=40, batch=8, seed=0):
    return ds.NumpySlicesDataset(rows(count, seed), ["data", "label"], shuffle=False).batch(batch)


def model(**kwargs):
    ms.set_seed(0)
    net = nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.Dense(16, 3))
    return net, Model(
        net,
        nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
        nn.Adam(net.trainable_params(), 0.01),
        **kwargs,
    )


class Record(Callback):
    def __init__(self):
        super().__init__()
        self.calls, self.losses = [], []

    def begin(self, run_context):
        self.calls.append("begin")

    def epoch_begin(self, run_context):
        self.calls.append("epoch_begin")

    def step_end(self, run_context):
        params = run_context.original_args()
        self.calls.append((params.cur_epoch_num, params.cur_step_num))
        self.losses.append(float(params.net_outputs))

    def epoch_end(self, run_context):
        self.calls.append("epoch_end")

    def end(self, run_context):
        self.calls.append("end")


def test_training_lowers_the_loss_and_calls_back_in_order(mode):
    _, m = model(metrics={"accuracy": Accuracy(), "loss": nn.Loss()})
    record = Record()
    m.train(30, data(), callbacks=record)
    assert record.losses[-1] < 0.3 * record.losses[0]
    assert (
        record.calls[:8] == ["begin", "epoch_begin", (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), "epoch_end"]
        and record.calls[-1] == "end"
    )
    result = m.eval(data(seed=0))
    assert result["accuracy"] > 0.9 and result["loss"] < 0.5
    out = m.predict(Tensor(rows()[0]))
    assert out.shape == (40, 3)


@pytest.mark.parametrize("scan", [False, True])
def test_sunk_steps_give_the_numbers_of_single_steps(scan, monkeypatch):
    monkeypatch.setattr(dataset_helper, "sinks", lambda: scan)
    monkeypatch.setattr(dataset_helper, "_CHUNK_STEPS", 4)
    ms.set_context(mode=ms.GRAPH_MODE)
    weights = []
    for sink in (False, True):
        net, m = model()
        m.train(3, data(), dataset_sink_mode=sink)
        weights.append(net[0].weight.asnumpy())
    np.testing.assert_allclose(weights[0], weights[1], rtol=1e-5, atol=1e-6)


def test_sink_size_counts_steps_as_epochs(mode, monkeypatch):
    """On an accelerator: a call a sink in GRAPH_MODE, a call a step in PYNATIVE_MODE; an epoch goes on where the last one stopped."""
    monkeypatch.setattr(dataset_helper, "sinks", lambda: True)
    _, m = model()
    record = Record()
    m.train(3, data(), callbacks=record, dataset_sink_mode=True, sink_size=7)
    calls = [c for c in record.calls if isinstance(c, tuple)]
    if mode == "graph":
        assert calls == [(1, 7), (2, 14), (3, 21)]
    else:
        assert calls == [(1 + (n - 1) // 7, n) for n in range(1, 22)]


def test_a_script_for_ascend_sinks_on_a_cpu(monkeypatch):
    """Else it would train a whole epoch for each sink, and its learning rate would be over long before."""
    ms.set_context(mode=ms.GRAPH_MODE)
    _, m = model()
    for target, steps in (("Ascend", 6), ("CPU", 15)):
        monkeypatch.setitem(context.process.values, "device_target", target)
        record = Record()
        m.train(3, data(), callbacks=record, dataset_sink_mode=True, sink_size=2)
        assert [c for c in record.calls if isinstance(c, tuple)][-1] == (3, steps)


def test_chunks_cover_all_steps_with_few_lengths():
    for steps in (1, 5, 64, 100, 1000, 1875, 127):
        chunks = dataset_helper._chunks(steps, 1 << 10)
        assert sum(chunks) == steps and max(chunks) <= 64 and len(set(chunks)) <= 2


def test_a_sunk_step_takes_numbers_that_changed():
    class Settings:
        rate = 1.0

    class Sum(nn.Cell):
        def __init__(self):
            super().__init__()
            self.total, self.settings = ms.Parameter(Tensor([0.0]), name="total"), Settings()

        def construct(self, x):
            self.total += x.sum() * self.settings.rate
            return self.total + 0

    ms.set_context(mode=ms.GRAPH_MODE)
    net, found = Sum(), []
    for net.settings.rate in (1.0, 2.0, 3.0):
        found.append(dataset_helper.run_steps(net, [(np.ones(4, np.float32),)] * 2).asnumpy().item())
    assert found == [8, 24, 48] and len(net._compiled_form().history) == 2


def test_request_stop():
    class Stop(Callback):
        def step_end(self, run_context):
            if run_context.original_args().cur_step_num == 3:
                run_context.request_stop()

    _, m = model()
    record = Record()
    m.train(5, data(), callbacks=[Stop(), record])
    assert [c for c in record.calls if isinstance(c, tuple)] == [(1, 1), (1, 2), (1, 3)] and record.calls[-1] == "end"


def test_monitors_print(capsys):
    _, m = model()
    m.train(1, data(), callbacks=[LossMonitor(2), TimeMonitor()])
    out = capsys.readouterr().out
    assert "epoch: 1 step: 2, loss is" in out and "epoch: 1 step: 4, loss is" in out and "step: 3," not in out
    assert "Train epoch time:" in out and "per step time:" in out


def test_a_time_monitor_whose_subclass_does_not_call_our_init(capsys):
    class Evaluates(TimeMonitor):  # as in MindSpore 1's time
        def __init__(self, network):
            self.network = network

        def epoch_begin(self, run_context):
            self.network.set_train()

    net, m = model()
    m.train(1, data(), callbacks=[Evaluates(net)])
    assert "per step time:" in capsys.readouterr().out


def test_loss_monitor_stops_at_nan():
    net, m = model()
    net[0].weight.set_data(Tensor(np.full((16, 8), np.nan, np.float32)))
    with pytest.raises(ValueError, match="loss is NAN or INF"):
        m.train(1, data(), callbacks=LossMonitor())


def test_checkpoints_are_written_kept_and_loaded(tmp_path):
    net, m = model()
    config = CheckpointConfig(save_checkpoint_steps=2, keep_checkpoint_max=2, append_info=["epoch_num", {"note": "x"}])
    callback = ModelCheckpoint("net", str(tmp_path), config)
    m.train(2, data(), callbacks=callback)
    names = sorted(f for f in os.listdir(tmp_path))
    assert names == ["net-2_3.ckpt", "net-2_5.ckpt"]
    content = ms.load_checkpoint(callback.latest_ckpt_file_name)
    assert int(content["epoch_num"]) == 2 and content["note"] == "x"
    fresh, other = model()
    missing, unused = ms.load_param_into_net(fresh, content)
    assert missing == [] and "epoch_num" in unused
    assert np.array_equal(fresh[2].weight.asnumpy(), net[2].weight.asnumpy())


def test_a_second_run_takes_another_prefix(tmp_path):
    for _ in range(2):
        _, m = model()
        m.train(1, data(), callbacks=ModelCheckpoint("net", str(tmp_path), CheckpointConfig(5)))
    assert sorted(os.listdir(tmp_path)) == ["net-1_5.ckpt", "net_1-1_5.ckpt"]


def test_a_crash_while_saving_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    net, _ = model()
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path)
    before = (tmp_path / "net.ckpt").read_bytes()
    net[0].weight.set_data(Tensor(np.zeros((16, 8), np.float32)))
    monkeypatch.setattr(os, "replace", lambda *a: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        ms.save_checkpoint(net, path)
    assert (tmp_path / "net.ckpt").read_bytes() == before


def test_a_checkpoint_that_does_not_fit_changes_nothing(tmp_path):
    net, _ = model()
    before = net[0].weight.asnumpy()
    wrong = {p.name: p for p in nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.Dense(16, 4)).get_parameters()}
    with pytest.raises(RuntimeError, match="should have the same shape"):
        ms.load_param_into_net(net, wrong)
    assert np.array_equal(net[0].weight.asnumpy(), before)


def test_missing_names_are_told_with_the_nearest(capsys):
    net, _ = model()
    missing, _ = ms.load_param_into_net(net, {"0.weigth": ms.Parameter(net[0].weight, name="0.weigth")})
    assert "0.weight" in missing


def test_prefixes_are_removed():
    net, _ = model()
    given = {
        f"backbone.{p.name}": ms.Parameter(Tensor(np.ones(p.shape, np.float32)), name=f"backbone.{p.name}")
        for p in net.get_parameters()
    }
    missing, _ = ms.load_param_into_net(net, given)
    assert missing == [] and net[0].bias.asnumpy().tolist() == [1.0] * 16


@pytest.mark.parametrize(
    "wrong, error",
    [
        ({"epoch": 0}, ValueError),
        ({"epoch": 1, "sink_size": 0}, ValueError),
        ({"epoch": "1"}, TypeError),
        ({"epoch": 1, "dataset_sink_mode": 1}, TypeError),
        ({"epoch": 1, "initial_epoch": 1}, ValueError),
    ],
)
def test_wrong_arguments(wrong, error):
    _, m = model()
    with pytest.raises(error):
        m.train(train_dataset=data(), **wrong)


def test_metrics_need_a_loss():
    with pytest.raises(ValueError, match="metrics"):
        Model(nn.Dense(2, 2), metrics={"accuracy"})


def test_fit_evaluates_between_epochs(capsys):
    _, m = model(metrics={"accuracy"})
    m.fit(2, data(), data(), callbacks=LossMonitor(5))
    assert capsys.readouterr().out.count("Eval result: epoch") == 2


def test_prediction_leaves_a_mode_that_the_user_chose(mode):
    """As in MindSpore: Model remembers the mode that it set itself; here a callback went back to training after an evaluation."""
    net = nn.SequentialCell(nn.Dense(3, 1), nn.Dropout(p=0.5))
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.001), metrics={"mae"})
    data = ds.NumpySlicesDataset((np.ones((4, 3), np.float32), np.ones((4, 1), np.float32)), shuffle=False).batch(2)
    model.predict(Tensor(np.ones((2, 3), np.float32)))
    assert not net.training
    net.set_train()
    model.predict(Tensor(np.ones((2, 3), np.float32)))
    assert net.training
    model.eval(data)
    assert not net.training


class Empty(nn.Cell):
    def construct(self, x):
        return x


ROW = np.ones((2, 3), np.float32)
WRONG = [  # the kinds of error are those of MindSpore 2.10
    ({"loss_fn": 3}, AttributeError, "'loss_fn' must be a Cell or a function"),
    ({"loss_fn": "mse"}, AttributeError, "got 'mse' of type str"),
    ({"loss_fn": nn.MSELoss}, TypeError, "the class MSELoss: make one"),
    ({"optimizer": 3}, TypeError, "'optimizer' must be a Cell or a function"),
    ({"optimizer": nn.Adam}, TypeError, "the class Adam: make one"),
    ({"metrics": ["mae"]}, TypeError, "must be None, dict or set"),
    ({"metrics": ("mae",)}, TypeError, "must be None, dict or set"),
    ({"metrics": "mae"}, TypeError, "must be None, dict or set"),
    ({"metrics": {"foo"}}, KeyError, "foo"),
    ({"amp_level": 2}, ValueError, "'amp_level' must be one of"),
    ({"amp_level": "O5"}, ValueError, "'amp_level' must be one of"),
    ({"boost_level": "O3"}, ValueError, "'boost_level' must be one of"),
    ({"boost_level": 1}, ValueError, "'boost_level' must be one of"),
    ({"keep_batchnorm_fp32": "yes"}, TypeError, "keep_batchnorm_fp32"),
]


@pytest.mark.parametrize("options, error, text", WRONG)
def test_wrong_parts_of_a_model(options, error, text):
    net = nn.Dense(3, 2)
    given = {"loss_fn": nn.MSELoss(), "optimizer": nn.SGD(net.trainable_params(), 0.1), **options}
    with pytest.raises(error, match=text):
        Model(net, **given)


@pytest.mark.parametrize("dataset", [3, None, "data", ROW, ms.Tensor(ROW), iter([(ROW, ROW)])])
def test_what_is_no_dataset(dataset):
    net = nn.Dense(3, 2)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
    for run in (lambda: model.train(1, dataset), lambda: model.eval(dataset), lambda: model.fit(1, dataset)):
        with pytest.raises(AttributeError, match="The dataset must be one of mindspore.dataset"):
            run()


@pytest.mark.parametrize(
    "given, error",
    [((3,), TypeError), (([1, 2],), TypeError), ((ROW,), TypeError), ((ms.Tensor(ROW[:0]),), ValueError)],
)
def test_what_cannot_be_predicted(given, error, mode):
    with pytest.raises(error):
        Model(nn.Dense(3, 2)).predict(*given)


def test_what_else_can_be_predicted(mode):
    assert Model(Empty()).predict(3) == 3
    first, (second, text) = Model(Empty()).predict((ms.Tensor(ROW), [ms.Tensor(ROW), "a"]))
    assert first.shape == second.shape == (2, 3) and text == "a"
    with pytest.raises(TypeError, match="types of input data"):
        Model(Empty()).predict((ms.Tensor(ROW), {"a": ROW}))
