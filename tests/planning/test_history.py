"""Counts of compiled programs are compared with those of before: what became 2 % worse is named with the operator that grew."""

import importlib
import pathlib

import pytest

import msjax
from msjax.planning.measure import planning
from msjax.planning.topology import Topology

BENCHMARKS = pathlib.Path(msjax.__file__).parents[1] / "benchmarks"


@pytest.fixture
def compiled(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("compiled")


def test_a_program_that_is_worse_is_named(compiled):
    before = {"operations": 100, "bytes": 1000, "peak": 50, "by_operator": {"matmul": 600, "Cast": 400}}
    now = {"operations": 101, "bytes": 1300, "peak": 50, "by_operator": {"matmul": 600, "Cast": 700}}
    told = compiled.worse("net", now, before)
    assert told[0] == "net: bytes 1000 -> 1300 (1.300 x)" and "Cast" in told[1] and "matmul" not in told[1]
    assert compiled.worse("net", before, now) == []
    same = {"operations": 100, "bytes": 1000, "held": 50, "by_operator": {}}
    assert compiled.worse("net", {**same, "peak": 80}, {**same, "peak": 50}) == []  # what lies in the chip's own memory


def test_a_workload_is_counted_beside_jax(compiled):
    """The whole way of the benchmark, by the compiler of the CPU."""
    topology = Topology("cpu")
    workload = compiled.nets.WORKLOADS["mlp"]()
    with planning(topology):
        step, inputs = workload.msjax()
    ours = compiled.counted(compiled.measure(step, inputs, topology))
    theirs = compiled.counted(compiled.by_hand(workload, topology))
    products = 2 * 64 * (784 * 512 + 512 * 512 + 512 * 10)
    # forward and twice backward, but for the gradient of the first inputs
    assert 2.3 * products < theirs["operations"] < 3.2 * products
    assert ours["operations"] <= 1.02 * theirs["operations"] and ours["held"] <= ours["peak"]


def test_a_step_of_its_own_reads_its_input_once(compiled):
    """`loss = net(x)` beside the gradient of `net` at x: XLA joins equal operations, but not the two loops of an LSTM."""
    topology = Topology("cpu")
    workload = compiled.nets.WORKLOADS["lstmlm"]()
    workload.shape, workload.width, workload.vocabulary = (7, 4), 32, 50
    with planning(topology):
        step, inputs = workload.msjax()
    ours = compiled.measure(step, inputs, topology)
    theirs = compiled.by_hand(workload, topology)
    loops = [
        sum(i.opcode == "while" and made.program.trips(i) > 1 for i, _ in made.program.running())
        for made in (ours, theirs)
    ]
    assert loops == [4, 4]
