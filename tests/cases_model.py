"""Runs of Model whose callbacks note what they see. Shared by the tests and by the script that records them."""

import os

import numpy as np

SEEDS = 40 if os.environ.get("MSJAX_TEST_ALL") else 0  # random runs


def runs(ms, mode):
    """name -> [what each callback call saw, ..., what was returned or raised, modes of the networks afterwards]."""
    ms.set_context(mode=mode)
    nn, ds, train = ms.nn, ms.dataset, ms.train
    notes = {}

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(3, 2, weight_init="ones")
            self.drop = nn.Dropout(p=0.5)

        def construct(self, x):
            return self.drop(self.fc(x))

    def data(rows=6, columns=2):
        made = [(np.full((3,), i, np.float32), *[np.zeros((2,), np.float32)] * (columns - 1)) for i in range(rows)]
        return ds.GeneratorDataset(made, ["x", "y", "z"][:columns], shuffle=False).batch(2, drop_remainder=True)

    class DatasetLike:
        """What Model asks of a dataset, and no more."""

        def __init__(self, restarts):
            self.restarts, self.given = restarts, 0

        def get_dataset_size(self):
            return 2

        def create_tuple_iterator(self, num_epochs=-1, do_copy=True):
            return self

        def __next__(self):
            self.given += 1
            if self.given % 3 == 0 or not self.restarts and self.given > 3:
                raise StopIteration
            return ms.Tensor(np.ones((2, 3), np.float32)), ms.Tensor(np.ones((2, 2), np.float32))

        def reset(self):
            pass

    class Note(train.Callback):
        def __init__(self, net, stop=None):
            super().__init__()
            self.net, self.stop, self.seen = net, stop, []

    def moment(name):
        def note(self, run_context):
            p = run_context.original_args()
            if name == self.stop:
                run_context.request_stop()
            element = p.get("train_dataset_element")
            numbers = [p.get(k) for k in ("cur_epoch_num", "cur_step_num", "batch_num", "epoch_num", "mode")]
            self.seen.append(
                [
                    name,
                    *numbers,
                    bool(p.get("dataset_sink_mode")),
                    None if element is None else [type(element).__name__, *[list(e.shape) for e in element]],
                    "eval_dataset_element" in p,
                    type(p.get("net_outputs")).__name__,
                    self.net.training,
                    sorted(p.get("metrics") or ()),
                    sorted(p.get("eval_results") or ()),
                ]
            )

        return note

    for kind in ("train", "eval"):
        for when in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):
            setattr(Note, f"on_{kind}_{when}", moment(f"on_{kind}_{when}"))

    class OldMoments(train.Callback):
        def step_end(self, run_context):
            pass

    def run(name, action, stop=None):
        net = Net()
        model = train.Model(
            net,
            nn.MSELoss(),
            nn.SGD(net.trainable_params(), 0.01),
            metrics={"loss": nn.Loss(), "mae": nn.MAE(), "mse": nn.MSE()},
        )
        note = Note(net, stop)
        try:
            result = action(model, note)
            result = sorted(result) if isinstance(result, dict) else None
        except Exception as error:
            result = type(error).__name__
        cells = (net, net.drop, model.train_network, model.eval_network, model.predict_network)
        notes[name] = [*note.seen, result, [cell.training for cell in cells]]

    def start_at(step):
        dataset = data()
        dataset.set_init_step(step)
        return dataset

    def twice(model, note):
        dataset = data()
        model.train(1, dataset)
        model.train(1, dataset, callbacks=note)
        other = Net()
        train.Model(other, nn.MSELoss(), nn.SGD(other.trainable_params(), 0.01)).train(1, dataset)

    def evaluate_between(model, note):
        model.train(1, data(), callbacks=note)
        model.eval(data(), callbacks=[note])
        model.train(1, data(), callbacks=[note])

    run("eval", lambda m, c: m.eval(data(), callbacks=c))
    run("eval, sunk", lambda m, c: m.eval(data(), callbacks=c, dataset_sink_mode=True))
    run("eval, stopped", lambda m, c: m.eval(data(), callbacks=c), stop="on_eval_step_end")
    run("train", lambda m, c: m.train(2, data(), callbacks=c))
    run("train, sunk", lambda m, c: m.train(2, data(), callbacks=c, dataset_sink_mode=True))
    run("train, sink_size", lambda m, c: m.train(2, data(), callbacks=c, dataset_sink_mode=True, sink_size=2))
    run("train, sink_size but not sunk", lambda m, c: m.train(1, data(), callbacks=c, sink_size=2))
    run("train, initial_epoch", lambda m, c: m.train(3, data(), callbacks=c, initial_epoch=1))
    run("train, stopped", lambda m, c: m.train(3, data(), callbacks=c), stop="on_train_step_end")
    run("train from step 1", lambda m, c: m.train(2, start_at(1), callbacks=c))
    run("train from step 4", lambda m, c: m.train(3, start_at(4), callbacks=c, initial_epoch=1))
    run("train, then past the last epoch", lambda m, c: m.train(3, start_at(4), callbacks=c))
    run("fit", lambda m, c: m.fit(2, data(), data(4), callbacks=c))
    run("fit, epochs", lambda m, c: m.fit(3, data(), data(4), valid_frequency=[2], callbacks=c))
    run("fit, sunk", lambda m, c: m.fit(1, data(), data(4), 1, c, True, True))
    run("fit, stopped in evaluation", lambda m, c: m.fit(2, data(), data(), callbacks=c), stop="on_eval_step_end")
    run("train, eval, train", evaluate_between)
    run("predict", lambda m, c: m.predict(ms.Tensor(np.ones((2, 3), np.float32))) * 0)
    run("predict an array", lambda m, c: m.predict(np.ones((2, 3), np.float32)))
    run("predict nothing", lambda m, c: m.predict(ms.Tensor(np.ones((0, 3), np.float32))))
    run("dataset of another model", twice)
    run("like a dataset", lambda m, c: m.train(2, DatasetLike(True), callbacks=c))
    run("like a dataset, once", lambda m, c: m.train(2, DatasetLike(False), callbacks=c))
    run("like a dataset, eval", lambda m, c: m.eval(DatasetLike(False), callbacks=c))
    run("three columns", lambda m, c: m.train(1, data(columns=3), callbacks=c))
    run("no batch", lambda m, c: m.train(1, data(1), callbacks=c))
    run("no batch, eval", lambda m, c: m.eval(data(1), callbacks=c))
    run("frequency", lambda m, c: m.fit(1, data(), data(), valid_frequency=(1,)))
    run("old moments, train", lambda m, c: m.train(1, data(), callbacks=[OldMoments(), c]))
    run("old moments, fit", lambda m, c: m.fit(1, data(), data(), callbacks=[OldMoments(), c]))

    # --- random runs: what each step sees and gives, after training and evaluation in one Model
    class WithLoss(nn.Cell):
        def __init__(self, net):
            super().__init__()
            self.net, self.loss = net, nn.MSELoss()

        def construct(self, x, y):
            return self.loss(self.net(x), y)

    class EvalNet(nn.Cell):
        def __init__(self, net):
            super().__init__()
            self.net, self.loss = net, nn.MSELoss()

        def construct(self, x, y):
            out = self.net(x)
            return y, self.loss(out, y), out

    class Steps(train.Callback):
        def __init__(self, stop):
            super().__init__()
            self.seen, self.stop, self.left = [], stop, stop

        def on_train_step_end(self, run_context):
            p = run_context.original_args()
            self.seen.append([p.cur_epoch_num, p.cur_step_num, p.batch_num, number(p.net_outputs)])
            self.left -= 1
            if not self.left:
                run_context.request_stop()

        def on_train_epoch_end(self, run_context):
            p = run_context.original_args()
            self.seen.append(["end", p.cur_epoch_num, p.cur_step_num, sorted(p.get("metrics") or {})])

        def on_eval_step_end(self, run_context):
            p = run_context.original_args()
            self.seen.append(["eval", p.cur_step_num, p.batch_num])

    def number(outputs):
        while isinstance(outputs, (tuple, list)):
            outputs = outputs[0]
        return f"{float(outputs.asnumpy().mean()):.4g}"

    def random_run(seed):
        rng = np.random.RandomState(seed)

        def pick(*choices):
            return choices[rng.randint(len(choices))]

        def rows():
            made = [
                (np.full((3,), (i % 5) / 4, np.float32), np.full((2,), (i % 3) / 2, np.float32))
                for i in range(pick(4, 7, 9))
            ]
            dataset = ds.GeneratorDataset(made, ["x", "y"], shuffle=False)
            return dataset.batch(2, drop_remainder=pick(True, False)).repeat(pick(1, 1, 2))

        net = nn.SequentialCell(
            nn.Dense(3, 4, weight_init="ones", bias_init="zeros"),
            nn.ReLU(),
            nn.Dense(4, 2, weight_init=0.25, bias_init="zeros"),
        )
        optimizer = pick(nn.SGD, nn.Momentum, nn.Adam)
        optimizer = optimizer(net.trainable_params(), 0.0625, *([0.5] if optimizer is nn.Momentum else []))
        form = pick("both", "both", "loss inside", "step inside", "eval network", "eval indexes")
        metrics = {"mae": nn.MAE(), "loss": nn.Loss()}
        if form == "both":
            model = train.Model(net, nn.MSELoss(), optimizer, metrics)
        elif form == "loss inside":
            model = train.Model(WithLoss(net), None, optimizer)
        elif form == "step inside":
            model = train.Model(nn.TrainOneStepCell(WithLoss(net), optimizer))
        elif form == "eval network":
            model = train.Model(
                net, nn.MSELoss(), optimizer, {"mae": nn.MAE()}, nn.WithEvalCell(net, nn.MSELoss()), [0, 1, 2]
            )
        else:
            model = train.Model(WithLoss(net), None, optimizer, metrics, EvalNet(net), [1, 2, 0])
        two, whole = form in ("loss inside", "step inside", "eval indexes"), form not in ("loss inside", "step inside")
        dataset, seen = rows(), [form]
        for _ in range(pick(1, 1, 2)):
            steps = Steps(pick(-1, -1, -1, 2, 5))
            epochs = int(rng.randint(1, 4))
            options = {
                "initial_epoch": int(rng.randint(epochs)),
                "dataset_sink_mode": bool(pick(True, False)),
                "sink_size": pick(-1, -1, 1, 2, 3, 5),
            }
            if pick(True, False, False):
                dataset.set_init_step(pick(1, 2, 5))
            try:
                if not whole or pick(True, False):
                    model.train(epochs, dataset, callbacks=steps, **options)
                else:
                    model.fit(epochs, dataset, rows(), pick(1, 2, [1, 3]), callbacks=[steps], **options)
                if whole:
                    seen.append({k: f"{float(v):.4g}" for k, v in sorted(model.eval(rows()).items())})
            except Exception as error:
                seen.append(type(error).__name__)
            seen += steps.seen
        out = model.predict(*[ms.Tensor(np.ones((2, n), np.float32)) for n in ((3, 2) if two else (3,))])
        return seen + [number(out)]

    for seed in range(SEEDS):
        notes[f"random {seed}"] = random_run(seed)
    run("layout", lambda m, c: m.infer_predict_layout(ms.Tensor(np.ones((2, 3), np.float32))))
    run("training layout", lambda m, c: m.infer_train_layout(data()))
    return notes
