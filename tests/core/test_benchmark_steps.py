"""The train steps of benchmarks/accelerator.py, small: what they lower to, and counts that do not depend on the machine."""

import pathlib
import re
import sys

import jax
import mindspore as ms
import numpy as np
import pytest
from test_lowering import wide

import msjax
from msjax.core.trace import lowering

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks"))
import accelerator  # noqa: E402
import train_step  # noqa: E402

SIZES = accelerator.TINY
PRODUCTS = ("dot_general", "convolution")


@pytest.fixture(autouse=True)
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def compiled():
    """The names of the programs that are compiled within the test."""
    events = []

    def note(event, duration, **options):
        if event == "/jax/core/compile/backend_compile_duration":
            events.append(options.get("fun_name"))

    jax.monitoring.register_event_duration_secs_listener(note)
    yield events
    jax.monitoring.unregister_event_duration_listener(note)


@pytest.mark.parametrize(
    "workload", [*SIZES, *(name for name in train_step.STEPS if name != "chain")]
)  # 300 layers: 20 s
def test_for_other_devices(workload):
    step, inputs = (
        accelerator.train_cell(workload, SIZES[workload]) if workload in SIZES else train_step.train_cell(workload)
    )
    for part in msjax.lower(step, *inputs).split("// platform: ")[1:]:
        called = re.findall(r"custom_call @(\w+)", part)
        assert wide(part) == set() and "callback" not in part
        if part.startswith("tpu") and workload in ("gpt2", "bert", "gpt"):
            assert set(called) == {"tpu_custom_call"} and len(called) >= 3  # forward, and two for the gradient
        else:
            assert called == []


def hand_written(workload):
    """The lowered step in JAX alone, without the 64-bit types of msjax."""
    with jax.enable_x64(False):
        import jax.numpy as jnp
        import nets_jax
        import optax

        sizes = SIZES[workload]
        options = accelerator.net_of(workload, sizes)
        x, y = accelerator.batch_of(workload, sizes)
        if workload == "resnet50":
            made, x = nets_jax.resnet(**options, layout="NHWC", dtype=jnp.bfloat16), x.transpose(0, 2, 3, 1)
        elif workload == "lstm":
            made = nets_jax.lstm(**options)
        else:
            made = nets_jax.transformer(**options, dtype=jnp.bfloat16)
        step = nets_jax.training(*made, optax.sgd(0.01, momentum=0.9))
        return step.lowered(jnp.asarray(x), jnp.asarray(y), lowering_platforms=("cuda",)).as_text()


@pytest.mark.parametrize("workload", ["gpt2", "resnet50"])
def test_products_and_transposes_are_those_of_hand_written_jax(workload):
    step, inputs = accelerator.train_cell(workload, SIZES[workload])
    ours, theirs = msjax.lower(step, *inputs, platforms="cuda"), hand_written(workload)
    for kind in PRODUCTS:
        assert ours.count(f"stablehlo.{kind}") <= theirs.count(f"stablehlo.{kind}"), kind
    if workload == "resnet50":
        # of images and features; those of a weight's own axes are free
        assert len(re.findall(r"stablehlo.transpose.*tensor<\d+x\d+x\d+x\d+x\w+>", ours)) <= 1 + len(
            re.findall(r"stablehlo.transpose.*tensor<\d+x\d+x\d+x\d+x\w+>", theirs)
        )


@pytest.mark.parametrize("workload", ["gpt2", "lstm"])
def test_a_step_compiles_once(workload, compiled):
    step, inputs = accelerator.train_cell(workload, SIZES[workload])
    del compiled[:]
    first = float(step(*inputs).asnumpy())
    programs = compiled[:]  # the step, and perhaps a number that JAX puts on the device while it traces
    assert len(programs) <= 2 and sum("TrainOneStepCell" in name for name in programs) == 1, programs
    losses = [float(step(*inputs).asnumpy()) for _ in range(3)]
    assert compiled == programs
    assert len(step._compiled_form().history) == 1
    assert all(np.isfinite(losses)) and losses[-1] < first
    if workload == "lstm":
        (bytes_of_a_step,) = msjax.explain(step).memory()
        state = sum(p.asnumpy().nbytes for p in step.get_parameters())
        assert state < bytes_of_a_step < 20 * state + 1e6  # written in place, beside the activations


def test_an_eager_step_compiles_nothing_the_second_time(compiled):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    step, inputs = accelerator.train_cell("lstm", SIZES["lstm"])
    step(*inputs), step(*inputs)
    first = len(compiled)
    step(*inputs).asnumpy()
    assert len(compiled) == first, compiled[first:]
    assert first < 40, compiled


def test_floating_point_operations_of_a_step():
    step, inputs = accelerator.train_cell("gpt2", SIZES["gpt2"])
    ours = lowering._lowered(step, inputs, {}, "cpu").cost_analysis()["flops"]
    _, _, products = accelerator.work("gpt2", SIZES["gpt2"])
    assert products < ours < 2.2 * products  # elementwise work is as much in a net this small
