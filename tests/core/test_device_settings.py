"""Settings of MindSpore's runtime, rewrite, utils: recorded, or refused with what to do instead."""

import os

import mindspore as ms
import pytest
from mindspore import nn, utils


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


def test_device_context_puts_the_device_back():
    before = ms.get_context("device_target")
    with ms.DeviceCtx("CPU", 0):
        assert ms.get_context("device_target") == "CPU" and float(ms.Tensor(1.0) + 1) == 2
    assert ms.get_context("device_target") == before


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
        (lambda: utils.stress_detect("x"), ValueError, "detect_type"),
        (lambda: utils.comm_exec_order_check("x"), ValueError, "action"),
        (lambda: utils.RSCPluginHandle().start(), RuntimeError, "OnRequestExit"),
    ],
)
def test_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()
