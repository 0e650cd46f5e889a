"""Profiler: traces where they are asked for, the table of times, schedules, marks, the callback."""

import csv
import glob
import json

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import Tensor, nn, profiler
from mindspore.profiler import DynamicProfilerMonitor, mstx, schedule, tensorboard_trace_handler
from mindspore.profiler.schedule import ProfilerAction


def traces(folder):
    return glob.glob(f"{folder}/**/*.xplane.pb", recursive=True)


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
    rows = list(csv.DictReader((tmp_path / "op_summary.csv").read_text().splitlines()))
    assert rows and all(float(r["total_us"]) >= float(r["average_us"]) for r in rows)
    assert [float(r["total_us"]) for r in rows] == sorted((float(r["total_us"]) for r in rows), reverse=True)
    assert json.loads(prof.op_analyse(rows[0]["name"]))[rows[0]["name"]]["count"] == int(rows[0]["count"])
    assert json.loads((tmp_path / "profiler_metadata.json").read_text()) == {"run": "7", "sizes": [1, 2]}


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
    assert ready == [1, 3] and (tmp_path / "op_summary.csv").exists()


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
