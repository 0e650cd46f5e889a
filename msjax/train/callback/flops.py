"""Floating-point operations of a step, and their share of the device's peak."""

import math
import os
import time
from typing import TYPE_CHECKING, Any

import jax

from ... import log
from ...core.host import wide
from ...core.lowered import lowered
from ...core.program.counting import operations
from ...core.settings import context
from ...core.spec.checking import checked
from ...core.spec.rules import Like, PositiveInt
from ...core.trace.call_structure import split
from ...parallel.communication import get_rank
from ..dataset_helper import as_inputs
from .base import Callback

if TYPE_CHECKING:
    from ...nn.cell.cell import Cell
    from .base import RunContext


class FlopsUtilizationCollector(Callback):
    """Prints the operations of a step, and with steps their time and the share of the device's peak: for the model's
    operations (mfu) and for all executed ones, with those that `recompute` repeats (hfu).

    Products of matrices and convolutions are counted, forward and backward.

    Args:
        data_size: steps whose number is not a multiple of it print their time. computility: operations a second of the device at its
            peak. full_flops: print the operations of the whole model too; one program computes it here, so the same number.
        enable_ma_collector: write the operations to `flops_rank_<rank>.txt` and the time of the last step to
            `time_step_rank_<rank>.txt`, in the folder that MA_LOG_DIR names or the current one; with `computility=1`
            in place of printing.

    Raises:
        TypeError, ValueError: arguments of the wrong kind; the network runs eagerly (nothing is raised where nothing is printed).
    """

    @checked
    def __init__(
        self,
        data_size: PositiveInt,
        computility: Like[int | float] = 1,
        full_flops: bool = True,
        enable_ma_collector: bool = False,
    ):
        super().__init__()
        self.full_flops, self.ma = full_flops, enable_ma_collector
        self.data_size, self.computility = data_size, computility
        self.verbose = not (computility == 1 and enable_ma_collector)
        self.full_model_flops = self.full_hardware_flops = 0.0
        self.shard_model_flops = self.shard_hardware_flops = 0.0
        self.full_mfu = self.full_hfu = self.shard_mfu = self.shard_hfu = 0.0
        self.mfu_calculated = False
        self.batch_step_size = None
        self.step_time = time.time()

    def step_begin(self, run_context: "RunContext"):
        """Note the time."""
        if self.batch_step_size is None:
            batches = run_context.original_args().get("batch_num")
            self.batch_step_size = batches if isinstance(batches, int) and batches > 0 else self.data_size
        self.step_time = time.time()

    def step_end(self, run_context: "RunContext"):
        """Count the operations at the first step; print."""
        params = run_context.original_args()
        _wait(params.net_outputs)
        milliseconds = 1000 * (time.time() - self.step_time)
        if not self.mfu_calculated and not self._count(params):
            return
        if params.dataset_sink_mode:
            milliseconds /= self.batch_step_size
        if self.ma:
            told = f'time_monitor{{type="per_step_time", rank_id="{_rank()}"}} {milliseconds} {_now()}\n'
            _write("time_step", told)
        if self.verbose and params.cur_step_num % self.data_size:
            shares = (self.full_mfu, self.full_hfu) if self.full_flops else (self.shard_mfu, self.shard_hfu)
            mfu, hfu = (math.floor(1e4 * 1000 * share / milliseconds) / 100 for share in shares)
            print(
                f"{params.mode.title()} per step time: {milliseconds:5.3f} ms mfu:{mfu:.2f}% hfu:{hfu:.2f}%", flush=True
            )

    def _count(self, params):
        """Count, note and print the operations; returns whether it can be done."""
        try:
            model, done = _operations(params)
        except ValueError as reason:
            if self.verbose:
                raise
            log.info(str(reason))
            return False
        self.full_model_flops = self.shard_model_flops = float(model)
        self.full_hardware_flops = self.shard_hardware_flops = float(done)
        self.full_mfu = self.shard_mfu = model / self.computility
        self.full_hfu = self.shard_hfu = done / self.computility
        self.mfu_calculated = True
        if self.ma:
            kinds = (("model", self.shard_model_flops), ("hardware", self.shard_hardware_flops))
            _write("flops", "".join(f'flops{{type="{k}_flops", rank_id="{_rank()}"}} {n} {_now()}\n' for k, n in kinds))
        if self.verbose:
            full = f"Full model flops is {self.full_model_flops}, Full hardware flops is {self.full_hardware_flops}, "
            print(
                f"{full if self.full_flops else ''}Shard model flops is {self.shard_model_flops}, "
                f"Shard hardware flops is {self.shard_hardware_flops}.",
                flush=True,
            )
        return True


@wide
def _operations(params):
    if not context.is_graph_mode():
        raise ValueError("FlopsUtilizationCollector now only support graph mode: set_context(mode=GRAPH_MODE).")
    try:
        entry, boxes = _entry(*step_call(params))
    except RuntimeError as reason:
        raise ValueError(f"FlopsUtilizationCollector is not supported because {reason}") from None
    return operations(jax.make_jaxpr(entry.program.pure)(*boxes))


def step_call(params: Any):
    """(the network that makes the step of a run, the inputs of the last step)"""
    training = params.mode == "train"
    network = params.train_network if training else params.eval_network
    if training and params.dataset_sink_mode:
        return network.network, as_inputs(params.dataset_helper.last_batch())
    return network, as_inputs(params.train_dataset_element if training else params.eval_dataset_element)


def _entry(network, inputs):
    """The compiled entry of a network's call, and its input arrays."""
    entry = network.entry_for(*inputs)
    if entry.fallback:
        raise RuntimeError(f"the network runs eagerly: {entry.reason}")
    boxes = [[box.jax_array for box in some] for some in (entry.state.written, entry.state.read, split(inputs, {})[0])]
    return entry, (*boxes, tuple(slot.read() for slot in entry.state.numbers))


def lowered_step(network: "Cell", inputs: Any):
    """The lowered program of a network's call, a `jax.stages.Lowered`.

    Raises:
        RuntimeError: the network runs eagerly, or as a pipeline of several programs.
    """
    entry, boxes = _entry(network, inputs)
    if not hasattr(entry.program.run, "lower"):
        raise RuntimeError("the network is a pipeline whose stages are separate programs")
    state = boxes[:2] if entry.state.packings is None else entry.state.shapes()  # there the program takes stacks
    return lowered(entry.program.run, *state, *boxes[2:])


def _rank():
    return get_rank() if context.get_auto_parallel_context("parallel_mode") != "stand_alone" else 0


def _now():
    return round(1000 * time.time())


def _write(what, text):
    folder = os.path.realpath(os.environ.get("MA_LOG_DIR", "."))
    with open(os.path.join(folder, f"{what}_rank_{_rank()}.txt"), "w", encoding="utf-8") as file:
        file.write(text)


def _wait(outputs):
    for output in outputs if isinstance(outputs, (tuple, list)) else [outputs]:
        if hasattr(output, "asnumpy"):
            output.asnumpy()
