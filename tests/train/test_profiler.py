"""Profiler: traces where they are asked for, the table of times, schedules, marks, the callback."""

import csv
import glob
import json
from xml.etree import ElementTree

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import Tensor, nn, profiler
from mindspore.profiler import DynamicProfilerMonitor, mstx, schedule, tensorboard_trace_handler
from mindspore.profiler.schedule import ProfilerAction

from msjax.cli import main as cli
from msjax.train import profile_analysis


def traces(folder):
    return glob.glob(f"{folder}/**/*.xplane.pb", recursive=True)


def table(path):
    return list(csv.DictReader(path.read_text().splitlines()))


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(64, 64), nn.Dense(64, 64)])

    def construct(self, x):
        for layer in self.layers:
            x = ms.ops.relu(layer(x))
        return x


def test_operators_have_mindspores_names(tmp_path, mode):
    """Paths of MindSpore's graphs; in eager code, where it has none, the operators."""
    net = nn.SequentialCell(nn.Conv2d(1, 4, 3), Block(), nn.Flatten(), nn.Dense(4 * 64 * 64, 3))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    batch = Tensor(np.ones((2, 1, 64, 64), np.float32)), Tensor(np.zeros(2, np.int32))
    step(*batch).asnumpy()
    another = nn.SequentialCell(nn.Flatten(), nn.Dense(64 * 64, 3))  # whose step has the same name
    unused = nn.TrainOneStepCell(nn.WithLossCell(another, loss), nn.Momentum(another.trainable_params(), 0.1, 0.9))
    unused(*batch).asnumpy()  # has ended before the trace begins
    prof = ms.Profiler(output_path=str(tmp_path))
    for _ in range(3):
        step(*batch)
    prof.analyse()
    (run,) = tmp_path.iterdir()
    rows = table(run / "FRAMEWORK" / "cpu_op_detail_info_0.csv")
    names = {row["full_op_name"] for row in rows}
    kinds = {row["op_type"] for row in rows}
    assert {"Conv2D", "Conv2DGrad", "Dense", "DenseGrad", "Momentum"} <= kinds, kinds
    assert sum(float(row["total_proportion"]) for row in rows if row["op_type"][0].islower()) < 0.1, rows
    if mode == "graph":
        within = "network-WithLossCell/_backbone-SequentialCell"
        assert f"Default/{within}/0-Conv2d/Conv2D-op0" in names
        assert f"Default/{within}/1-Block/layers.1-Dense/Dense-op0" in names
        assert f"Gradients/Default/{within}/3-Dense/Grad_Dense/DenseGrad-op0" in names
        assert "Default/optimizer-Momentum/Momentum-op0" in names
    timeline = json.loads((run / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text())
    assert names == {event["name"] for event in timeline if event["ph"] == "X"}
    picture = ElementTree.parse(run / "flame.svg").getroot()
    assert profile_analysis.steps_of(profile_analysis.events_of(str(run))) == 3
    titles = [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0].startswith("a step: ") and any(title.startswith("Conv2D: ") for title in titles)
    assert not cli.main(["plot", str(tmp_path), "-o", str(tmp_path / "again.svg")])
    assert (tmp_path / "again.svg").read_text() == (run / "flame.svg").read_text()
    with pytest.raises(RuntimeError, match="<Conv9D> is not found"):
        prof.op_analyse("Conv9D")


def test_layers_that_run_one_program_are_one_step(tmp_path, mode):
    """Two layers of one shape run one eager program twice a step; an optimizer runs once."""
    net = nn.SequentialCell(nn.Dense(64, 64), nn.ReLU(), nn.Dense(64, 64))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    batch = Tensor(np.ones((8, 64), np.float32)), Tensor(np.zeros((8, 64), np.float32))
    step(*batch).asnumpy()
    prof = ms.Profiler(output_path=str(tmp_path))
    for _ in range(3):
        step(*batch)
    prof.analyse()
    (run,) = tmp_path.iterdir()
    assert profile_analysis.steps_of(profile_analysis.events_of(str(run))) == 3


def work():
    return ms.ops.matmul(Tensor(np.ones((64, 64), np.float32)), Tensor(np.ones((64, 64), np.float32))).asnumpy()


def test_profiler_records_and_analyses(tmp_path):
    prof = ms.Profiler(output_path=str(tmp_path), profiler_level=profiler.ProfilerLevel.Level0)
    prof.add_metadata("run", "7")
    prof.add_metadata_json("sizes", "[1, 2]")
    span = mstx.range_start("my span")
    work()
    mstx.range_end(span)
    mstx.mark("here")
    prof.analyse()
    assert len(traces(tmp_path)) == 1
    (run,) = tmp_path.iterdir()
    assert run.name.endswith("_ascend_ms")
    row = {row["op_type"]: row for row in table(run / "FRAMEWORK" / "cpu_op_type_info_0.csv")}["MatMul"]
    assert int(row["type_occurrences"]) == 1 and float(row["total_compute_time"]) > 0 and float(row["percent"]) > 0
    told = json.loads(prof.op_analyse(["MatMul"]))
    assert told["MatMul"][0]["op_occurrences"] == 1 and told["device_id"] == "0"
    assert json.loads((run / "profiler_metadata.json").read_text()) == {"run": "7", "sizes": [1, 2]}


def test_schedule_chooses_steps():
    plan = schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    names = [plan(step).name for step in range(11)]
    once = ["NONE", "WARM_UP", "RECORD", "RECORD_AND_SAVE"]
    assert names == ["NONE", *once, *once, "NONE", "NONE"] and plan.to_dict()["skip_first"] == 1
    assert plan(2) is ProfilerAction.WARM_UP
    with pytest.raises(ValueError, match="not less than 0"):
        plan(-1)


def test_profile_follows_a_schedule(tmp_path):
    ready = []
    handler = tensorboard_trace_handler(str(tmp_path))

    def on_trace_ready(prof):
        ready.append(prof.step_num)
        handler(prof)

    on_trace_ready.folder = handler.folder
    with profiler.profile(schedule=schedule(wait=1, active=1, repeat=2), on_trace_ready=on_trace_ready) as prof:
        for _ in range(5):
            work()
            prof.step()
    assert ready == [1, 3] and len(glob.glob(f"{tmp_path}/*_ascend_ms/flame.svg")) == 2


def test_dynamic_monitor_profiles_the_steps_of_the_file(tmp_path):
    monitor = DynamicProfilerMonitor(str(tmp_path), str(tmp_path / "out"), poll_interval=0)
    config = tmp_path / "profiler_config.json"
    assert json.loads(config.read_text()) == {"start_step": -1, "stop_step": -1}
    config.write_text('{"start_step": 2, "stop_step": 2}')
    net = nn.Dense(2, 1)
    data = ds.NumpySlicesDataset((np.ones((6, 2), np.float32), np.ones((6, 1), np.float32)), ["x", "y"]).batch(2)
    ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(1, data, callbacks=[monitor])
    assert len(traces(tmp_path / "out" / "step_2_2")) == 1


def test_wrong_arguments(tmp_path):
    with pytest.raises(TypeError, match="output_path"):
        ms.Profiler(output_path=1)
    with pytest.raises(TypeError, match="op_name"):
        ms.Profiler(output_path=str(tmp_path), start_profile=False).op_analyse(3)
    assert mstx.range_start("") == 0
