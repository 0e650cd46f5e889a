"""Small runs with each callback: what is printed, what lies in the folder, what was changed. Shared by the tests and by the script that
records MindSpore's answers.
"""

import contextlib
import io
import os
import re
import signal
import tempfile

import numpy as np

STEPS = 5  # of an epoch


def _masked(text):
    """Without times; numbers with six digits."""
    text = re.sub(r"\d+\.\d+ ms", "# ms", text)
    text = re.sub(r"([mh]fu):\d+\.\d+%", r"\1:#%", text)
    return re.sub(r"\d+\.\d+(e[+-]?\d+)?", lambda found: f"{float(found.group()):.6g}", text)


def _plain(value):
    """A value as JSON has it: numbers with six digits, the type's name where there is no other form."""
    if isinstance(value, (bool, int, str, type(None))):
        return value
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.6g}"
    return type(value).__name__


def runs(ms, mode, chosen=lambda name: True):
    """name -> [printed lines, files, what was returned or the name of the error], of the chosen names."""
    ms.set_context(mode=mode)
    nn, ds, train = ms.nn, ms.dataset, ms.train
    notes = {}

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")

        def construct(self, x):
            return self.fc(x)

    class Metric(train.Metric):
        """Gives the next of some values at each evaluation."""

        def __init__(self, *values):
            super().__init__()
            self.values, self.evaluated = values, 0

        def clear(self):
            pass

        def update(self, *inputs):
            pass

        def eval(self):
            self.evaluated += 1
            return self.values[(self.evaluated - 1) % len(self.values)]

    def data(rows=2 * STEPS, times=1):
        made = [(np.full((3,), i % 3 * times, np.float32), np.full((2,), i % 2, np.float32)) for i in range(rows)]
        return ds.GeneratorDataset(made, ["x", "y"], shuffle=False).batch(2, drop_remainder=True)

    def model(rate=0.0625, metrics=None, momentum=0.5, **kwargs):
        net = Net()
        optimizer = nn.Momentum(net.trainable_params(), rate, momentum)
        return train.Model(net, nn.MSELoss(), optimizer, metrics=metrics, **kwargs)

    def content(path):
        if not path.endswith((".ckpt", ".safetensors")):
            return None
        options = {"format": "safetensors"} if path.endswith(".safetensors") else {}
        loaded = ms.load_checkpoint(path, **options)
        return {
            name: value
            if isinstance(value, str)
            else f"{value.dtype}{tuple(value.shape)}" + (f" {value.asnumpy()}" if name.endswith("_num") else "")
            for name, value in sorted(loaded.items())
        }

    def run(name, action):
        if not chosen(name):
            return
        printed, result = io.StringIO(), None
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
            before = os.getcwd()
            try:
                result = action(folder)
            except Exception as error:
                result = f"raises {type(error).__name__}"
            finally:
                os.chdir(before)
            files = {}
            for base, _, names in os.walk(folder):
                for file in names:
                    path = os.path.join(base, file)
                    with contextlib.suppress(Exception):
                        files[os.path.relpath(path, folder)] = content(path)
        files = dict(sorted(files.items()))
        weights = [file for file in files if files[file]]  # the last says enough
        files = {file: about if file in weights[-1:] else None for file, about in files.items()}
        notes[name] = [_masked(printed.getvalue()).splitlines(), files, _plain(result)]

    # --- the monitors
    def monitored(callbacks, epochs=2, *, fit=False, model=model, options=None, dataset=data, metrics=("mae",)):
        def action(folder):
            made = model(metrics=set(metrics) or None)
            listed = callbacks()
            if fit:
                made.fit(epochs, dataset(), dataset(4), callbacks=listed, **(options or {}))
            else:
                made.train(epochs, dataset(), callbacks=listed, **(options or {}))

        return action

    for times in (0, 1, 2, 4, 5, 7):
        run(f"loss every {times}", monitored(lambda times=times: train.LossMonitor(times)))
    run("loss in fit", monitored(lambda: [train.LossMonitor(3)], fit=True))
    run("loss, sunk", monitored(lambda: train.LossMonitor(2), options={"dataset_sink_mode": True}))
    run("loss, sunk 3", monitored(lambda: train.LossMonitor(), options={"dataset_sink_mode": True, "sink_size": 3}))
    run("loss from epoch 2", monitored(lambda: train.LossMonitor(2), 3, options={"initial_epoch": 1}))
    run("loss of huge data", monitored(lambda: train.LossMonitor(), dataset=lambda: data(times=1e30)))

    def scaled(metrics):
        return model(metrics=metrics, loss_scale_manager=ms.FixedLossScaleManager(64.0, False))

    run("loss, fixed scale", monitored(lambda: train.LossMonitor(2), model=scaled))

    def again(folder):
        monitor, made, dataset = train.LossMonitor(4), model(), data()
        made.train(2, dataset, callbacks=monitor)
        made.train(1, dataset, callbacks=monitor)
        made.train(2, dataset, callbacks=monitor)

    run("loss in three runs", again)
    run("time", monitored(lambda: [train.TimeMonitor(), train.LossMonitor(5)]))
    run("time of data", monitored(lambda: train.TimeMonitor(7, True)))
    run("time in fit", monitored(lambda: train.TimeMonitor(), fit=True))
    run("time in eval", lambda _: model(metrics={"mae"}).eval(data(), callbacks=train.TimeMonitor(3)))
    run("time, sunk", monitored(lambda: train.TimeMonitor(), options={"dataset_sink_mode": True}))

    # --- operations
    class Convolutions(nn.Cell):
        """Strides, a layer that is computed again."""

        def __init__(self):
            super().__init__()
            self.first, self.again = nn.Conv2d(3, 4, 3, pad_mode="valid"), nn.Conv2d(4, 6, 3, stride=2)
            self.dense, self.last = nn.Dense(6 * 3 * 3, 5), nn.Dense(5, 2)
            self.dense.recompute()

        def construct(self, x):
            x = ms.ops.relu(self.again(ms.ops.relu(self.first(x))))
            return self.last(self.dense(x.reshape(x.shape[0], -1)))

    def counted(how="train", net=Net, shape=(3,), train_options=None, data_size=2, **options):
        def action(folder):
            os.chdir(folder)
            made, collector = net(), train.FlopsUtilizationCollector(data_size, **options)
            rows = {"x": np.ones((8, *shape), np.float32), "y": np.zeros((8, 2), np.float32)}
            dataset = ds.NumpySlicesDataset(rows, shuffle=False).batch(2)
            optimizer = nn.Momentum(made.trainable_params(), 0.001, 0.5)
            m = train.Model(made, nn.MSELoss(), optimizer, metrics={"mae"})
            if how == "train":
                m.train(1, dataset, callbacks=[collector], **(train_options or {}))
            elif how == "fit":
                m.fit(1, dataset, dataset, callbacks=[collector])
            else:
                m.eval(dataset, callbacks=[collector])
            names = "full_model_flops full_hardware_flops shard_model_flops shard_hardware_flops".split()
            return [getattr(collector, n) for n in names], collector.mfu_calculated, collector.batch_step_size

        return action

    run("operations", counted())
    run("operations in eval", counted("eval"))
    run("operations in fit", counted("fit", data_size=3))
    run("operations, sunk", counted(train_options={"dataset_sink_mode": True}))
    run("operations of convolutions", counted(net=Convolutions, shape=(3, 8, 8), computility=1e9))
    run("operations of convolutions in eval", counted("eval", net=Convolutions, shape=(3, 8, 8)))
    run("operations, shard", counted(full_flops=False, computility=1e6))
    run("operations in files", counted(enable_ma_collector=True))
    run("operations in files and printed", counted(enable_ma_collector=True, computility=1e6))
    for number, wrong in enumerate(
        ({"data_size": 0}, {"data_size": 1.5}, {"full_flops": 1}, {"enable_ma_collector": "x"})
    ):
        run(f"operations, wrong {number}", counted(**wrong))

    # --- watching an evaluation
    def watched(make, *values, name="m", rate=0.0625, read=None, epochs=None):
        def action(folder):
            metric = Metric(*values)
            made = model(rate, {name: metric})
            rates = []

            class Rates(train.Callback):
                def on_train_epoch_end(self, run_context):
                    rate = run_context.original_args().optimizer.learning_rate
                    rates.append(float(rate.asnumpy()) if hasattr(rate, "asnumpy") else None)

            watcher = make()
            made.fit(epochs or len(values), data(), data(4), callbacks=[watcher, Rates()])
            weight = made.train_network.network._backbone.fc.weight.asnumpy().sum()
            return metric.evaluated, rates, float(weight), *([] if read is None else read(watcher))

        return action

    stop, plateau = train.EarlyStopping, train.ReduceLROnPlateau
    for number, (options, values) in enumerate(
        [
            ({}, (3, 2, 1, 4)),
            ({}, (3, 2, 0, 0, 0, 5)),
            ({"patience": 2}, (3, 0, 0, 0, 4)),
            ({"patience": 2, "verbose": True}, (3.0, 1.0, 2.0, 2.0, 1.5)),
            ({"patience": 2, "verbose": True, "restore_best_weights": True}, (3.0, 1.0, 2.0, 2.0, 1.5)),
            ({"patience": 1, "min_delta": -1, "mode": "min"}, (3.0, 2.5, 2.0, 1.0)),
            ({"patience": 2, "baseline": 2.0, "mode": "max"}, (1.0, 1.5, 1.7, 3.0)),
            ({"patience": 3, "baseline": 0.0}, (1.0, 1.5, 1.7, 3.0)),
            ({"mode": "auto", "patience": 1}, (np.float32(1), np.float32(2), np.float32(0.5))),
        ]
    ):

        def read(watcher):
            return watcher.wait, watcher.stopped_epoch, float(watcher.best)

        run(f"early stopping {number}", watched(lambda o=options: stop("m", **o), *values, read=read))
        run(f"early stopping of mae {number}", watched(lambda o=options: stop("mae", **o), *values, name="mae"))
    run("early stopping of the loss", watched(lambda: stop("loss", patience=1, verbose=True), 1, 2, 3, 4, 5))
    run("early stopping of eval_loss", watched(lambda: stop(patience=1, verbose=True), 1, 2, 3, 4, 5))
    run("early stopping of nothing", watched(lambda: stop("other"), 1, 2))
    run("early stopping of an array", watched(lambda: stop("m"), np.ones(2), np.ones(2)))
    run("early stopping of a Tensor", watched(lambda: stop("m"), ms.Tensor(2.0), ms.Tensor(1.0), ms.Tensor(3.0)))
    for number, (options, values) in enumerate(
        [
            ({"patience": 1}, (3.0, 2.0, 2.0, 2.0, 1.0)),
            ({"patience": 1, "verbose": True}, (3.0, 4.0, 4.0, 4.0, 5.0)),
            ({"patience": 2, "factor": 0.5, "verbose": True, "mode": "min"}, (3.0, 3.0, 3.0, 3.0, 3.0, 3.0)),
            ({"patience": 1, "cooldown": 1, "verbose": True, "mode": "max"}, (3.0, 3.0, 3.0, 3.0, 3.0, 3.0)),
            ({"patience": 1, "cooldown": 2, "min_lr": 0.01, "verbose": True}, (3.0, 2.0, 2.0, 2.0, 1.0, 1.0)),
            ({"patience": 0, "min_lr": 0.05, "verbose": True}, (3.0, 2.0, 2.0)),
            ({"patience": 1, "min_delta": 0.6, "mode": "min", "factor": 0.25}, (3.0, 2.5, 2.2, 1.5, 1.4)),
            ({"patience": 1}, (0, 0, 0)),
        ]
    ):
        run(f"plateau {number}", watched(lambda o=options: plateau("m", **o), *values))
        run(f"plateau of loss {number}", watched(lambda o=options: plateau("loss", **o), *values))
    run("plateau of a schedule", watched(lambda: plateau("m"), 1, 2, rate=[0.1] * 20))
    run("plateau of nothing", watched(lambda: plateau("other"), 1, 2))

    def scheduled(function, rate=0.0625):
        return watched(lambda: train.LearningRateScheduler(function), 1, 2, 3, rate=rate)

    run("scheduler halves", scheduled(lambda rate, step: rate * 0.5 if step % 3 == 0 else rate))
    run("scheduler by the step", scheduled(lambda rate, step: 0.125 / step))
    run("scheduler of a list", scheduled(lambda rate, step: rate, [0.1] * 20))
    run("scheduler gives text", scheduled(lambda rate, step: "a"))

    # --- History, LambdaCallback
    def remembered(folder, fit=True):
        history, made = train.History(), model(metrics={"m": Metric(1, 2.5, 3), "mae": nn.MAE()})
        if fit:
            made.fit(3, data(), data(4), 2, callbacks=history)
        else:
            made.train(2, data(), callbacks=history)
            made.train(1, data(), callbacks=history)
        return history.epoch, history.history

    run("history of fit", remembered)
    run("history of two runs", lambda folder: remembered(folder, False))

    def called(folder):
        moments = [f"on_{k}_{w}" for k in ("train", "eval") for w in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")]  # fmt: skip
        seen = []
        callback = train.LambdaCallback(**{m: lambda _, m=m: seen.append(m) for m in moments})
        model(metrics={"mae"}).fit(2, data(4), data(2), callbacks=[callback])
        return seen

    run("lambda", called)
    run("lambda with a wrong name", lambda _: train.LambdaCallback(on_begin=print))

    # --- recovery
    def backed_up(epochs, stop_at=None, **options):
        def action(folder):
            class Crash(train.Callback):
                def on_train_epoch_begin(self, run_context):
                    if run_context.original_args().cur_epoch_num == stop_at:
                        raise KeyError

            made = model()
            callbacks = [train.BackupAndRestore(os.path.join(folder, "b"), **options), Crash()]
            made.train(epochs, data(), callbacks=callbacks)

        return action

    run("backup", backed_up(3))
    run("backup, kept", backed_up(3, delete_checkpoint=False))
    run("backup, every 2", backed_up(3, save_freq=2, delete_checkpoint=False))
    run("backup, crash", backed_up(5, 4))
    run("backup, crash at once", backed_up(5, 1))
    run("backup, wrong", backed_up(2, save_freq=1.5))

    def left(**options):
        def action(folder):
            steps = []

            class Ask(train.Callback):
                def on_train_step_begin(self, run_context):
                    steps.append(run_context.original_args().cur_step_num)
                    if steps[-1] == 7:
                        os.kill(os.getpid(), signal.SIGUSR1)

                def on_eval_step_begin(self, run_context):
                    os.kill(os.getpid(), signal.SIGUSR1)

            before = signal.getsignal(signal.SIGUSR1)
            exit = train.OnRequestExit(directory=folder, sig=signal.SIGUSR1, **options)
            made = model(metrics={"mae"})
            try:
                made.train(3, data(), callbacks=[Ask(), exit])
                made.eval(data(), callbacks=[Ask(), exit])
            finally:
                signal.signal(signal.SIGUSR1, before)
            return steps

        return action

    run("exit", left())
    run("exit, named", left(file_name="LeNet", save_mindir=False))
    run("exit, nothing saved", left(save_ckpt=False, save_mindir=False))

    # --- ModelCheckpoint
    class Stop(train.Callback):
        def __init__(self, step):
            super().__init__()
            self.step = step

        def on_train_step_begin(self, run_context):
            if run_context.original_args().cur_step_num == self.step:
                raise KeyError("stopped")

    def saved(prefix="net", epochs=3, runs=1, fail=None, before=(), train_options=None, alone=False, **config):
        def action(folder):
            for name in before:
                with open(os.path.join(folder, name), "w"):
                    pass
            for _ in range(runs):
                made = model()
                callback = train.ModelCheckpoint(prefix, folder, train.CheckpointConfig(**config))
                callbacks = callback if alone else [callback, *([] if fail is None else [Stop(fail)])]
                error = None
                try:
                    made.train(epochs, data(), callbacks=callbacks, **(train_options or {}))
                except Exception as raised:
                    error = type(raised).__name__
            return os.path.basename(callback.latest_ckpt_file_name), error

        return action

    run("checkpoints", saved())
    run("checkpoints, alone", saved(alone=True))

    def in_the_folder(folder):
        os.chdir(folder)
        model().train(1, data(), callbacks=train.ModelCheckpoint(directory="a/b"))

    run("checkpoints, defaults of the class", in_the_folder)
    run("checkpoints, every 2", saved(save_checkpoint_steps=2))
    run("checkpoints, every 4, keep 2", saved(save_checkpoint_steps=4, keep_checkpoint_max=2))
    run("checkpoints, every 7", saved(save_checkpoint_steps=7, keep_checkpoint_max=10))
    run("checkpoints, every 100", saved(save_checkpoint_steps=100))
    run("checkpoints, keep 0", saved(save_checkpoint_steps=2, keep_checkpoint_max=0))
    run("checkpoints, keep 0, none a minute", saved(keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=0))
    run("checkpoints, keep None", saved(save_checkpoint_steps=2, keep_checkpoint_max=None))
    run("checkpoints, one a minute", saved(save_checkpoint_steps=2, keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=1))  # fmt: skip
    run("checkpoints, minutes and number", saved(keep_checkpoint_max=3, keep_checkpoint_per_n_minutes=1))
    run("checkpoints, seconds", saved(save_checkpoint_steps=0, save_checkpoint_seconds=100))
    run("checkpoints, steps None, seconds", saved(save_checkpoint_steps=None, save_checkpoint_seconds=1000))
    run("checkpoints, neither steps nor seconds", saved(save_checkpoint_steps=0))
    run("checkpoints, two runs", saved(runs=2, save_checkpoint_steps=5))
    run("checkpoints, three runs", saved(runs=3, save_checkpoint_steps=5, keep_checkpoint_max=1))
    run("checkpoints beside others", saved(before=["net-9_9.ckpt", "net_4-1_1.ckpt", "nets-1_1.ckpt"], epochs=1))
    run("checkpoints beside others of safetensors", saved(before=["net-9_9.safetensors"], epochs=1))
    run("checkpoints beside a breakpoint", saved(before=["net-9_9_breakpoint.ckpt"], epochs=1))
    run("checkpoints beside longer names", saved(before=["net_a-1_1.ckpt", "netb-1_1.ckpt", "net.ckpt"], epochs=1))
    run("checkpoints with a dash", saved("my-net", before=["my-net-1_1.ckpt"], epochs=1))
    run("checkpoints, sunk", saved(save_checkpoint_steps=4, train_options={"dataset_sink_mode": True}))
    run("checkpoints, sunk 3", saved(save_checkpoint_steps=4, train_options={"dataset_sink_mode": True, "sink_size": 3}))  # fmt: skip
    run("checkpoints from epoch 1", saved(save_checkpoint_steps=4, train_options={"initial_epoch": 1}))
    for number, info in enumerate(
        [
            ["epoch_num"],
            ["step_num", "epoch_num"],
            [{"a": 1, "b": 2.5, "c": True, "d": "text"}],
            ["step_num", {"step_num": 100, "t": ms.Tensor([1.0, 2.0])}],
            [{"epoch_num": 7}],
            [{"p": ms.Parameter(ms.Tensor(1.5), name="q")}],
            [],
            ["other"],
            [3],
            "epoch_num",
            ("epoch_num",),
            [{"a": 1}, {"b": 1}],
            [{1: 1}],
            [{"a": [1]}],
            {"a": 1},
        ]
    ):
        run(f"checkpoints with information {number}", saved(epochs=1, save_checkpoint_steps=3, append_info=info))
    run("checkpoints, exception", saved(exception_save=True, fail=8, save_checkpoint_steps=5))
    run("checkpoints, exception, information", saved(exception_save=True, fail=8, append_info=["epoch_num", "step_num"]))  # fmt: skip
    run("checkpoints, two exceptions", saved(exception_save=True, fail=8, save_checkpoint_steps=20, runs=2))
    run("checkpoints, exception in the first step", saved(exception_save=True, fail=1))
    run("checkpoints, exception, not saved", saved(fail=8, save_checkpoint_steps=5))
    run("checkpoints, exception, no int", saved(exception_save=1))
    run("checkpoints of safetensors", saved(format="safetensors", epochs=1, save_checkpoint_steps=2))
    run("checkpoints of safetensors, crc", saved(format="safetensors", crc_check=True))
    run("checkpoints of safetensors, exception", saved(format="safetensors", exception_save=True))
    run("checkpoints of safetensors, information", saved(format="safetensors", append_info=["epoch_num"], epochs=1))
    run("checkpoints of another format", saved(format="npz"))
    run("checkpoints, crc", saved(crc_check=True, epochs=1))
    run("checkpoints, in the background", saved(async_save=True, epochs=1))
    run("checkpoints, by a thread", saved(async_save="thread", epochs=1))
    run("checkpoints, by nothing", saved(async_save="fork"))
    run("checkpoints, without redundancy", saved(remove_redundancy=True))
    run("checkpoints of another net", saved(saved_network=nn.Dense(2, 1), epochs=1))
    run("checkpoints of no net", saved(saved_network=3))
    run("checkpoints of a named function", saved(lambda p: f"f{p.cur_epoch_num}", save_checkpoint_steps=2))
    run("checkpoints of one name", saved(lambda p: "same", save_checkpoint_steps=2, keep_checkpoint_max=2))
    run("checkpoints of a function with /", saved(lambda p: "a/b"))
    run("checkpoints of a function of numbers", saved(lambda p: 3))
    run("checkpoints, / in the prefix", saved("a/b"))
    run("checkpoints, no prefix", saved(None))
    run("checkpoints, number for a prefix", saved(3))
    run("checkpoints, empty prefix", saved("", epochs=1))

    def folders(directory):
        def action(folder):
            callback = train.ModelCheckpoint("n", directory(folder), train.CheckpointConfig(save_checkpoint_steps=4))
            model().train(2, data(), callbacks=callback)
            return os.path.relpath(callback.latest_ckpt_file_name, folder)

        return action

    run("checkpoints in a folder of a function", folders(lambda folder: lambda p: f"{folder}/e{p.cur_epoch_num}"))
    run("checkpoints in new folders", folders(lambda folder: f"{folder}/x/y"))
    run("checkpoints in a number", folders(lambda folder: 3))

    # --- callbacks of one's own that replace inner members, as MindPet's and mindformers' do
    class OnlyTrained(train.ModelCheckpoint):
        def _save_ckpt(self, cb_params, force_to_save=False):
            if cb_params.cur_step_num == self._last_triggered_step or not self._check_save_ckpt(
                cb_params, force_to_save
            ):
                return
            self._manager.update_ckpoint_filelist(self._directory, self._prefix)
            if self._config.keep_checkpoint_max <= self._manager.ckpoint_num:
                self._manager.remove_oldest_ckpoint_file()
            self._append_dict_content(cb_params.cur_epoch_num, cb_params.cur_step_num)
            self._last_triggered_step = self._get_last_trigger_step + self._get_save_checkpoint_steps
            path = os.path.join(
                self._directory, f"{self._prefix}-{cb_params.cur_epoch_num}_{cb_params.cur_step_num}.ckpt"
            )
            rows = [{"name": p.name, "data": p} for p in cb_params.network.trainable_params()]
            ms.save_checkpoint(rows, path, append_dict=self._append_dict)
            self._latest_ckpt_file_name = path

    class AtSevens(train.ModelCheckpoint):
        def _check_save_ckpt(self, cb_params, force_to_save):
            print(cb_params.cur_step_num, force_to_save, self._last_triggered_step, self._append_dict)
            return cb_params.cur_step_num % 7 == 0

    def own(kind, **options):
        def action(folder):
            callback = kind("own", folder, train.CheckpointConfig(**options))
            model().train(3, data(), callbacks=callback)
            return os.path.basename(callback.latest_ckpt_file_name), callback._prefix, callback._append_step_num

        return action

    run("checkpoints of one's own", own(OnlyTrained, save_checkpoint_steps=4, keep_checkpoint_max=2))
    run("checkpoints at own steps", own(AtSevens, append_info=["step_num", {"epoch_num": 3}]))

    class Watched(train.EarlyStopping):
        def _get_monitor_value(self, cb_params):
            return np.array(cb_params.cur_epoch_num % 3)

    run("early stopping, own value", monitored(lambda: Watched(patience=2, mode="max", verbose=True), 6, fit=True))

    run("checkpoints, only made", lambda folder: (train.ModelCheckpoint("n", f"{folder}/x"), os.listdir(folder))[1])
    run("checkpoints, wrong config", lambda folder: train.ModelCheckpoint("n", folder, {}))

    def settings(**options):
        def action(_):
            config = train.CheckpointConfig(**options)
            names = """save_checkpoint_steps save_checkpoint_seconds keep_checkpoint_max keep_checkpoint_per_n_minutes
            integrated_save async_save saved_network append_dict enc_key enc_mode crc_check format map_param_inc exception_save
            remove_redundancy""".split()
            return {name: getattr(config, name) for name in names} | config.get_checkpoint_policy()

        return action

    for number, options in enumerate(
        [
            {},
            {"save_checkpoint_steps": 0, "save_checkpoint_seconds": 3},
            {"save_checkpoint_steps": 2, "save_checkpoint_seconds": 3, "keep_checkpoint_max": 0},
            {"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 2},
            {"keep_checkpoint_max": 3, "keep_checkpoint_per_n_minutes": 2},
            {"save_checkpoint_steps": 0, "keep_checkpoint_max": 0},
            {"save_checkpoint_steps": None, "save_checkpoint_seconds": None, "keep_checkpoint_max": None},
            {"save_checkpoint_steps": -1},
            {"save_checkpoint_steps": 1.5},
            {"save_checkpoint_steps": True},
            {"keep_checkpoint_max": "5"},
            {"integrated_save": 1},
            {"async_save": 1},
            {"enc_key": "text"},
            {"enc_mode": 3},
            {"crc_check": 1},
            {"format": 1},
            {"remove_redundancy": None},
            {"append_info": ["epoch_num"], "incremental": True},
            {"format": "safetensors", "enc_mode": "AES-CBC"},
            {"format": "safetensors", "incremental": True},
            {"async_save": "process"},
            {"other": 1},
        ]
    ):
        run(f"settings {number}", settings(**options))
    return notes
