"""How many floating-point operations a step takes, and what share of the device's peak is reached."""

import time

from ...core.operators.check import check_bool, check_positive_int
from ...core.settings import context
from ...core.trace.call_structure import split
from ..dataset_helper import as_inputs
from .base import Callback


class FlopsUtilizationCollector(Callback):
    """Prints the operations of a step as XLA counts them, and with each step its time and the share of the peak.

    Args:
        data_size: print every so many steps. computility: operations a second of the device at its peak.
        full_flops: the operations of all devices; one process here, so the same number.
        enable_ma_collector: write the figures to `ma_collector.txt` in the current folder too.

    Raises:
        ValueError: `data_size` is not positive; the network runs eagerly, or its data is sunk (the operations of one
            step are not known then).
    """

    def __init__(self, data_size, computility=1, full_flops=True, enable_ma_collector=False):
        super().__init__()
        name = "FlopsUtilizationCollector"
        self.data_size = check_positive_int(data_size, "data_size", name)
        self.computility = computility
        self.full_flops = check_bool(full_flops, "full_flops", name)
        self.enable_ma_collector = check_bool(enable_ma_collector, "enable_ma_collector", name)
        self.full_model_flops = self.shard_model_flops = None
        self.step_time = time.time()

    def step_begin(self, run_context):
        """Note the time."""
        self.step_time = time.time()

    def step_end(self, run_context):
        """Count the operations at the first step; print."""
        params = run_context.original_args()
        _wait(params.net_outputs)
        seconds = time.time() - self.step_time
        if self.full_model_flops is None:
            self._count(params)
        if params.cur_step_num % self.data_size == 0:
            share = 100 * self.full_model_flops / self.computility / seconds
            self._say(f"{params.mode.title()} per step time: {1000 * seconds:5.3f} ms mfu:{share:.2f}%")

    def _count(self, params):
        if context.get_context("mode") != context.GRAPH_MODE:
            raise ValueError("FlopsUtilizationCollector now only support graph mode: set_context(mode=GRAPH_MODE).")
        if params.dataset_sink_mode:
            raise ValueError("FlopsUtilizationCollector counts one step: use dataset_sink_mode=False.")
        network = params.train_network if params.mode == "train" else params.eval_network
        inputs = as_inputs(params.train_dataset_element)
        try:
            lowered = lowered_step(network, inputs)
        except RuntimeError as reason:
            raise ValueError(f"FlopsUtilizationCollector is not supported because {reason}") from None
        self.full_model_flops = self.shard_model_flops = float(lowered.cost_analysis()["flops"])
        scope = f"Full model flops is {self.full_model_flops}, " if self.full_flops else ""
        self._say(f"{scope}Shard model flops is {self.shard_model_flops}.")

    def _say(self, text):
        print(text, flush=True)
        if self.enable_ma_collector:
            with open("ma_collector.txt", "a", encoding="utf-8") as file:
                file.write(text + "\n")


def lowered_step(network, inputs):
    """What the call of a network was compiled from, a `jax.stages.Lowered`.

    Raises:
        RuntimeError: the network runs eagerly.
    """
    entry = network.entry_for(*inputs)
    if entry.fallback:
        raise RuntimeError(f"the network runs eagerly: {entry.reason}")
    boxes = [[box.jax_array for box in some] for some in (entry.mut, entry.ro, split(inputs, {})[0])]
    return entry.executable.lower(*boxes, tuple(slot.read() for slot in entry.numbers))


def _wait(outputs):
    for output in outputs if isinstance(outputs, (tuple, list)) else [outputs]:
        if hasattr(output, "asnumpy"):
            output.asnumpy()
