"""Settings of MindSpore's runtime, rewrite, utils: recorded, or refused with what to do instead."""

import functools
import os

import mindspore as ms
import pytest
from mindspore import nn, utils

from msjax.core.settings import context


def test_limits_are_recorded():
    stream = ms.runtime.Stream()
    none = {"cube_core_num": -1, "vector_core_num": -1}
    assert ms.runtime.get_stream_limit(stream) == none
    with ms.runtime.StreamLimitCtx(stream, 4, 8):
        assert ms.runtime.get_stream_limit(stream) == {"cube_core_num": 4, "vector_core_num": 8}
    assert ms.runtime.get_stream_limit(stream) == none
    ms.runtime.set_device_limit(0, 2)
    assert ms.runtime.get_device_limit(0)["cube_core_num"] == 2
    ms.runtime.set_device_limit(0)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not bind threads to cores")
def test_cores():
    before = os.sched_getaffinity(0)
    try:
        ms.runtime.set_cpu_affinity(True, ["0"])
        assert os.sched_getaffinity(0) == {0}
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize(
    ("setting", "argument", "right", "wrong", "error"),
    [  # module and function, its parameter
        ("gpu.op_tuning.conv_fprop_algo", "mode", "fft", "algo_3", ValueError),
        ("gpu.op_tuning.conv_wgrad_algo", "mode", "algo_3", 3, ValueError),
        ("gpu.op_tuning.conv_dgrad_algo", "mode", "winograd", "gemm", ValueError),
        ("ascend.op_precision.precision_mode", "mode", "force_fp32", "fp32", ValueError),
        ("ascend.op_precision.op_precision_mode", "path", "rounding.ini", 1, TypeError),
        ("ascend.op_precision.matmul_allow_hf32", "value", True, 1, ValueError),
        ("ascend.op_precision.conv_allow_hf32", "value", False, "x", ValueError),
        ("ascend.op_tuning.op_compile", "value", True, 1, TypeError),
        ("ascend.op_tuning.aoe_tune_mode", "tune_mode", "online", "on", ValueError),
        ("ascend.op_tuning.aoe_job_type", "config", "1", 1, ValueError),
        ("ascend.op_debug.execute_timeout", "op_timeout", 3, True, TypeError),
        ("ascend.op_debug.execute_timeout", "op_timeout", 0, -1, ValueError),
        ("ascend.op_debug.debug_option", "option_value", "oom", "x", ValueError),
    ],
)
def test_settings_of_chips_take_their_argument_by_name_too(setting, argument, right, wrong, error):
    function = functools.reduce(getattr, setting.split("."), ms.device_context)
    function(right)
    function(**{argument: right})
    with pytest.raises(error, match=argument):
        function(wrong)


def test_device_context_puts_the_device_back():
    before = ms.get_context("device_target")
    with ms.DeviceCtx("CPU", 0):
        assert ms.get_context("device_target") == "CPU" and float(ms.Tensor(1.0) + 1) == 2
    assert ms.get_context("device_target") == before


def test_devices_and_memory_are_told_as_by_mindspore():
    hal = ms.hal
    assert hal.device_count() == hal.device_count("CPU") == hal.device_count(device_target="CPU") >= 1
    assert hal.get_device_name(0) == "CPU" and hal.get_device_properties(0) is None and hal.get_arch_list() is None
    assert hal.memory_allocated() == hal.max_memory_reserved("CPU") == 0, "of a processor nothing is counted"
    lines = hal.memory_summary().splitlines()
    assert lines[1] == f"|{'Memory summary':^45}|" and lines[5] == "| Reserved memory      |      0 B             |"
    tensor = ms.Tensor([1.0]) + 1
    assert hal.is_initialized("CPU") and not hal.is_initialized("Ascend")
    del tensor


def test_streams_and_events():
    stream, event, other = ms.hal.Stream(), ms.hal.Event(enable_timing=True), ms.hal.Event(enable_timing=True)
    assert repr(stream) == "Stream(device_name=CPU, device_id:0, stream id:0)" and stream == ms.hal.current_stream()
    assert repr(event) == "Event(enable_timing=1, blocking:0, is_created:0, event:0)"
    with pytest.raises(RuntimeError, match="has not been recorded yet, event is created:0"):
        event.elapsed_time(other)
    stream.record_event(event), other.record(), other.wait(), stream.wait_event(other)
    assert event.elapsed_time(other) >= 0 and event.query() and stream.query()
    with ms.hal.StreamCtx(stream):
        ms.hal.set_cur_stream(stream)


def test_dump_is_said(capfd):
    net = nn.Dense(1, 1)
    ms.set_dump(net)
    assert "ops.TensorDump" in capfd.readouterr().err


def test_multiprocessing_is_pythons():
    assert ms.multiprocessing.cpu_count() == os.cpu_count() and ms.multiprocessing.Queue


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: ms.runtime.PluggableAllocator("a", "b", "c"), RuntimeError, "JAX manages"),
        (lambda: ms.runtime.memory_replay("x"), RuntimeError, "JAX manages"),
        (lambda: ms.DeviceCtx("TPU9"), ValueError, "name"),
        (lambda: ms.DeviceCtx(1), TypeError, "name"),
        (lambda: ms.runtime.set_kernel_launch_group(0), ValueError, "thread_num"),
        (lambda: ms.runtime.set_cpu_affinity(1), TypeError, "enable_affinity"),
        (lambda: ms.runtime.set_cpu_affinity(True, ["a-b"]), ValueError, "range"),
        (lambda: ms.runtime.get_stream_limit(1), TypeError, "Stream"),
        (lambda: ms.set_dump(1), ValueError, "Cell or Primitive"),
        (lambda: ms.hal.device_count("x"), ValueError, r"must be one of \['CPU', 'GPU', 'Ascend'\], but got x"),
        (lambda: ms.hal.device_count(3), TypeError, "must be str, but got 3"),
        (lambda: ms.hal.is_available("x"), ValueError, "For 'hal.is_available'"),
        (lambda: ms.hal.is_initialized(3), ValueError, "For 'hal.is_initialized'"),
        (lambda: ms.hal.get_device_name(99), ValueError, "must be less than device count"),
        (lambda: ms.hal.get_device_name(-1), ValueError, "should not be negative, but got -1"),
        (lambda: ms.hal.get_device_name("a"), TypeError, "must be int, but got a"),
        (lambda: ms.hal.memory_stats("x"), ValueError, "must be one of"),
        (lambda: ms.hal.Stream("a"), TypeError, "the 'priority' must be an int"),
        (lambda: ms.hal.Stream() == "a", TypeError, "For '__eq__', the argument 'other' should be Stream"),
        (lambda: ms.hal.Stream().wait_event(3), TypeError, "the 'event' must be an Event"),
        (lambda: ms.hal.Event(1), TypeError, "'enable_timing' must be a bool, but got int"),
        (lambda: ms.hal.Event().elapsed_time(3), TypeError, "the 'end_event' must be an Event"),
        (lambda: ms.hal.StreamCtx(3), TypeError, "the 'ctx_stream' must be a Stream"),
        (lambda: utils.stress_detect("x"), ValueError, "detect_type"),
        (lambda: utils.comm_exec_order_check("x"), ValueError, "action"),
        (lambda: utils.RSCPluginHandle().start(), RuntimeError, "OnRequestExit"),
    ],
)
def test_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize(
    "name, told",
    [  # as MindSpore 2.10 tells them
        ("enable_ge", False),
        ("jit_compile", ""),
        ("precision_mode", ""),
        ("matmul_allow_hf32", ""),
    ],
)
def test_what_can_only_be_read_is_told(name, told):
    assert ms.get_context(name) == told
    with pytest.raises(ValueError, match="not recognized"):
        ms.set_context(**{name: told})


@pytest.mark.parametrize(
    "name, told",
    [  # as MindSpore 2.10 tells them
        ("matmul_allow_tf32", False),
        ("conv_allow_tf32", True),
        ("dataset_broadcast_opt_level", 0),
        ("hccl_watchdog", True),
        ("need_ckpt", False),
        ("enable_grad_comm_opt", False),
        ("topo_order", ""),
    ],
)
def test_inner_settings_are_kept(name, told):
    assert ms.get_context(name) == told
    ms.set_context(**{name: told})
    assert ms.get_context(name) == told
    with pytest.raises(TypeError):
        ms.set_context(**{name: [1]})


@pytest.mark.parametrize(
    ("keyword", "wrong", "right"),
    [
        ("device_id", (-1, 4096), (0, 4095)),
        ("max_call_depth", (0, -1), (1, 1000)),
        ("op_timeout", (-1,), (0, 900)),
        ("runtime_num_threads", (-1,), (0, 30)),
        ("inter_op_parallel_num", (-1,), (0, 2)),
        ("jit_syntax_level", (-1, 3), (0, 1, 2)),
        ("debug_level", (-1, 2), (0, 1)),
        ("memory_optimize_level", ("O2", 0), ("O0", "O1")),
        ("save_graphs", (4,), (0, 3, True)),
        ("aoe_tune_mode", ("x",), ("online", "offline")),
        ("exec_order", ("gpto",), ("bfs", "dfs")),
        ("save_graphs_path", ("",), (".",)),
        ("deterministic", ("on", None), ("ON", "OFF")),
        ("mode", (2, None), (0, 1)),
    ],
)
def test_a_value_that_a_keyword_does_not_take_is_refused(keyword, wrong, right):
    before = ms.get_context(keyword)
    try:
        for value in right:
            ms.set_context(**{keyword: value})
            assert ms.get_context(keyword) == value
        for value in wrong:
            with pytest.raises(ValueError, match=f"'{keyword}' must be"):
                ms.set_context(**{keyword: value})
    finally:
        context.process.update({keyword: before})


def test_a_device_has_no_negative_number():
    with pytest.raises(ValueError, match="device_id"):
        ms.set_device("CPU", -1)


@pytest.mark.parametrize(
    ("wanted", "hccl", "compiler", "after"),  # recorded from MindSpore 2.10
    [
        (True, None, None, ("true", "1")),
        (True, "strict", "0", ("strict", "1")),
        (True, "false", "1", ("true", "1")),
        (True, "yes", "2", ("true", "1")),
        (False, None, None, (None, None)),
        (False, "strict", "1", (None, None)),
        (False, "true", "0", (None, "0")),
        (False, "false", "1", ("false", None)),
        (False, "yes", "2", (None, None)),
    ],
)
@pytest.mark.parametrize("face", ["set_context", "set_deterministic"])
def test_deterministic_is_told_in_the_environment(monkeypatch, face, wanted, hccl, compiler, after):
    names = ("HCCL_DETERMINISTIC", "TE_PARALLEL_COMPILER")
    before = ms.get_context("deterministic")
    for name, value in zip(names, (hccl, compiler), strict=True):
        monkeypatch.setenv(name, "")  # so that it is put back
        monkeypatch.delenv(name) if value is None else monkeypatch.setenv(name, value)
    try:
        if face == "set_context":
            ms.set_context(deterministic="ON" if wanted else "OFF")
        else:
            ms.set_deterministic(wanted)
        assert tuple(os.environ.get(name) for name in names) == after
    finally:
        context.process.update({"deterministic": before})


def test_the_file_of_speed_ups_is_told(tmp_path):
    file, before = tmp_path / "speed_up.json", ms.get_context("device_target")
    setting = {"parallel_speed_up_json_path": str(file)}
    try:
        ms.set_context(device_target="Ascend")
        file.write_text('{"dataset_broadcast_opt_level": 3, "grad_matmul_communication_overlap": true}')
        ms.set_context(ascend_config=setting)
        assert ms.get_context("dataset_broadcast_opt_level") == 3 and ms.get_context("matmul_grad_comm_overlap") is True
        for text in ('{"nothing": 1}', '{"dataset_broadcast_opt_level": "3"}', "{", "[1]"):
            file.write_text(text)
            with pytest.raises(ValueError, match="check whether 'speedup_config_path' is json file"):
                ms.set_context(ascend_config=setting)
        file.unlink()
        with pytest.raises(ValueError, match="does not exist"):
            ms.set_context(ascend_config=setting)
    finally:
        ms.set_context(ascend_config={}, device_target=before)
        for name in ("dataset_broadcast_opt_level", "matmul_grad_comm_overlap"):
            context.settings().values.pop(name, None)
