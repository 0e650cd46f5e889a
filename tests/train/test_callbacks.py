"""Callbacks: what they change and print, at which moment; recovery after interruption."""

import os
import signal

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import nn, train
from mindspore.train import Callback, InternalCallbackParam, Model, RunContext


def rows(count=24):
    rng = np.random.RandomState(0)
    x = rng.randn(count, 8).astype(np.float32)
    return x, x[:, :3].argmax(1).astype(np.int32)


def data(batch=8):
    return ds.NumpySlicesDataset(rows(), ["data", "label"], shuffle=False).batch(batch)


def model(rate=0.01, **kwargs):
    ms.set_seed(0)
    net = nn.Dense(8, 3)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return net, Model(net, loss, nn.Momentum(net.trainable_params(), rate, 0.9), **kwargs)


class Evaluated(Callback):
    """Gives the other callbacks made-up results of an evaluation, an epoch each."""

    def __init__(self, *values, name="eval_loss"):
        super().__init__()
        self.values, self.name = values, name

    def on_train_epoch_end(self, run_context):
        params = run_context.original_args()
        params.eval_results = {self.name: self.values[params.cur_epoch_num - 1]}


class Rates(Callback):
    def __init__(self):
        super().__init__()
        self.rates, self.epochs = [], 0

    def on_train_epoch_end(self, run_context):
        self.rates.append(round(float(run_context.original_args().optimizer.learning_rate.asnumpy()), 6))
        self.epochs += 1


@pytest.mark.parametrize(
    "kwargs, values, epochs",
    [
        ({}, (3, 2, 1, 0), 4),
        ({}, (3, 2, 2, 0), 3),
        ({"patience": 1}, (3, 2, 2.5, 1), 3),
        ({"patience": 2}, (3, 2, 2.5, 2.4, 1), 4),
        ({"patience": 1, "min_delta": 0.5}, (3, 2.4, 2.0, 1), 3),
        ({"patience": 2, "baseline": 1.0}, (3, 2, 1.5, 0), 2),
        ({"patience": 1, "mode": "max"}, (3, 4, 3, 5), 3),
        ({"patience": 1, "monitor": "acc"}, (0.1, 0.2, 0.2, 0.3), 3),
    ],
)
def test_early_stopping(kwargs, values, epochs):
    count = Rates()
    stopping = train.EarlyStopping(**kwargs)
    model()[1].train(len(values), data(), [Evaluated(*values, name=stopping.monitor), stopping, count])
    assert count.epochs == epochs


def test_early_stopping_puts_the_best_weights_back(capsys):
    weights = []

    class Keep(Callback):
        def on_train_epoch_end(self, run_context):
            weights.append(net.weight.asnumpy().copy())

    net, m = model()
    m.train(
        5,
        data(),
        [Keep(), Evaluated(3, 1, 2, 2, 2), train.EarlyStopping(patience=2, restore_best_weights=True, verbose=True)],
    )
    assert len(weights) == 4 and not (weights[1] == weights[3]).all()
    np.testing.assert_array_equal(net.weight.asnumpy(), weights[1])
    assert (
        capsys.readouterr().out
        == "Restoring model weights from the end of the best epoch.\nEpoch 00004: early stopping\n"
    )


def test_early_stopping_in_fit_sees_loss_and_metrics(capsys):
    _, m = model(metrics={"acc"})
    seen = []
    see = train.LambdaCallback(on_train_epoch_end=lambda c: seen.append(dict(c.original_args().eval_results)))
    m.fit(3, data(), data(), callbacks=[train.LossMonitor(100), see, train.EarlyStopping("acc", patience=5)])
    assert [set(s) for s in seen] == [{"acc", "eval_loss"}] * 3 and seen[2]["eval_loss"] < seen[0]["eval_loss"]
    assert capsys.readouterr().out.startswith("Eval result: epoch 1, metrics: {'acc': ")


def test_nothing_to_watch_is_said_once_an_epoch(capfd):
    count = Rates()
    model()[1].train(2, data(), [train.EarlyStopping("f1"), count])
    assert count.epochs == 2 and capfd.readouterr().err.count("conditioned on f1, which is not available") == 2


@pytest.mark.parametrize(
    "kwargs, rates",
    [
        ({"patience": 1}, [0.01, 0.01, 0.001, 0.0001]),
        ({"patience": 2, "factor": 0.5}, [0.01, 0.01, 0.01, 0.005]),
        ({"patience": 1, "cooldown": 1}, [0.01, 0.01, 0.001, 0.0001]),
        ({"patience": 1, "cooldown": 2}, [0.01, 0.01, 0.001, 0.001]),
        ({"patience": 1, "min_lr": 0.004}, [0.01, 0.01, 0.004, 0.004]),
        ({"patience": 1, "mode": "max"}, [0.01, 0.001, 0.001, 0.001]),
    ],
)
def test_reduce_lr_on_plateau(kwargs, rates):
    seen = Rates()
    values = (3, 2, 2, 2.5) if kwargs.get("mode") != "max" else (3, 2, 4, 5)
    model()[1].train(4, data(), [Evaluated(*values), train.ReduceLROnPlateau(**kwargs), seen])
    assert seen.rates == rates


def test_reduce_lr_refuses_a_schedule():
    _, m = model([0.1] * 10)
    with pytest.raises(ValueError, match="dynamic learning rate"):
        m.train(1, data(), train.ReduceLROnPlateau("loss"))


def test_learning_rate_scheduler_changes_the_rate():
    seen = Rates()
    schedule = train.LearningRateScheduler(lambda rate, step: rate * 0.5 if step % 3 == 0 else rate)
    model(0.1)[1].train(3, data(), [schedule, seen])
    assert seen.rates == [0.05, 0.025, 0.0125]


def test_history_keeps_outputs_and_metrics():
    history = train.History()
    model(metrics={"acc"})[1].fit(3, data(), data(), callbacks=[history])
    assert len(history.history["net_output"]) == len(history.history["acc"]) == 3 and history.epoch == {
        "epoch": [1, 2, 3]
    }
    assert history.history["net_output"][2] < history.history["net_output"][0]


def test_lambda_callback_calls_every_moment():
    moments = [
        f"on_{kind}_{when}"
        for kind in ("train", "eval")
        for when in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")
    ]
    called = []
    callback = train.LambdaCallback(**{moment: lambda _, moment=moment: called.append(moment) for moment in moments})
    _, m = model(metrics={"acc"})
    m.train(1, data(24), callback)
    m.eval(data(24), callback)
    assert called == moments


def test_backup_and_restore(tmp_path):
    class Crash(Callback):
        def on_train_epoch_begin(self, run_context):
            if run_context.original_args().cur_epoch_num == 3:
                raise KeyboardInterrupt

    net, m = model()
    with pytest.raises(KeyboardInterrupt):
        m.train(5, data(), [train.BackupAndRestore(str(tmp_path)), Crash()])
    assert os.listdir(tmp_path) == ["backup.ckpt"]
    again, m = model()
    started = []
    look = train.LambdaCallback(on_train_begin=lambda _: started.append(again.weight.asnumpy().copy()))
    m.train(1, data(), [train.BackupAndRestore(str(tmp_path), 1), look])
    np.testing.assert_array_equal(started[0], net.weight.asnumpy())
    assert os.listdir(tmp_path) == []


def request(how, tmp_path, step):
    config = tmp_path / "exit.json"

    def ask(context):
        if context.original_args().cur_step_num == step:
            if how == "signal":
                os.kill(os.getpid(), signal.SIGUSR1)
            else:
                config.write_text('{"GracefulExit": 1}')

    return str(config), ask


@pytest.mark.parametrize("how", ["signal", "file"])
def test_on_request_exit_stops_and_saves(how, tmp_path):
    before = signal.getsignal(signal.SIGUSR1)
    config, ask = request(how, tmp_path, 2)
    net, m = model()
    steps = []
    count = train.LambdaCallback(
        on_train_step_end=lambda c: steps.append(c.original_args().cur_step_num), on_train_step_begin=ask
    )
    leave = train.OnRequestExit(
        save_mindir=False, file_name="net", directory=str(tmp_path), config_file=config, sig=signal.SIGUSR1
    )
    m.train(4, data(), [count, leave])
    assert steps == [1, 2] and signal.getsignal(signal.SIGUSR1) is before
    saved = ms.load_checkpoint(f"{tmp_path}/rank_0/net_train.ckpt")
    np.testing.assert_array_equal(saved["weight"].asnumpy(), net.weight.asnumpy())


def test_fault_tolerance_saves_what_the_last_good_step_left(tmp_path):
    def fail(context):
        if context.original_args().cur_step_num == 5:
            raise RuntimeError("the device is gone")

    net, m = model()
    with pytest.raises(RuntimeError, match="gone"):
        m.train(4, data(), [train.TrainFaultTolerance(str(tmp_path)), train.LambdaCallback(on_train_step_begin=fail)])
    saved = ms.load_checkpoint(str(tmp_path / "ttp_rank_0-2_4.ckpt"))
    assert int(saved["step_num"].asnumpy()) == 4
    np.testing.assert_array_equal(saved["weight"].asnumpy(), net.weight.asnumpy())
    m.train(1, data(), train.TrainFaultTolerance(str(tmp_path)))
    assert len(os.listdir(tmp_path)) == 1


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: train.EarlyStopping(patience=-1), ValueError, "patience"),
        (lambda: train.EarlyStopping(mode="up"), ValueError, "'mode' must be one of"),
        (lambda: train.EarlyStopping(monitor=1), TypeError, "monitor"),
        (lambda: train.ReduceLROnPlateau(factor=1.0), ValueError, "factor"),
        (lambda: train.ReduceLROnPlateau(factor=1), TypeError, "factor"),
        (lambda: train.BackupAndRestore("b", save_freq=0), ValueError, "save_freq"),
        (lambda: train.OnRequestExit(sig=signal.SIGKILL), ValueError, "SIGKILL"),
        (lambda: train.LearningRateScheduler(0.1), TypeError, "function"),
        (lambda: train.TrainFaultTolerance(), ValueError, "ckpt_save_path"),
        (lambda: train.FlopsUtilizationCollector(0), ValueError, "data_size"),
    ],
)
def test_wrong_arguments(make, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=text):
        make()


def test_monitor_must_be_a_number():
    context = RunContext(InternalCallbackParam(eval_results={"f1": np.ones(3)}, cur_epoch_num=1))
    with pytest.raises(ValueError, match="only supports scalar"):
        train.EarlyStopping("f1").on_train_epoch_end(context)


def test_a_lowered_rate_is_printed_as_float32(capsys):
    """Texts recorded from MindSpore; a rate that is `min_lr` is printed as it was given."""
    columns = np.ones((4, 3), np.float32), np.ones((4, 1), np.float32)
    for rate, factor, least in ((0.05, 0.5, 0), (0.01, 0.1, 0.005), (0.3, 1 / 3, 0)):
        net, data = nn.Dense(3, 1), ds.NumpySlicesDataset(columns, shuffle=False).batch(2)
        model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), rate), metrics={"mae"})
        options = {"patience": 1, "min_delta": 1e9, "factor": factor, "min_lr": least, "verbose": True}
        model.fit(4, data, data, callbacks=[train.ReduceLROnPlateau("mae", **options)])
    rates = [line.split(" rate to ")[1] for line in capsys.readouterr().out.splitlines()]
    assert rates == ["0.025.", "0.0125.", "0.00625.", "0.005.", "0.10000001.", "0.03333334.", "0.011111113."]
