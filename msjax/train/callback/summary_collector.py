"""SummaryCollector: a callback that records loss, input images, weights and settings of a training run."""

import json
import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import log
from ...core.spec.checking import checked, compare
from ...core.spec.rules import PositiveInt
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...nn.loss.loss import LossBase
from ...nn.optim.optimizer import Optimizer
from ..checkpoint_saving import save_checkpoint
from ..summary.checks import make_folder
from ..summary.summary_record import ExportOptions, SummaryRecord
from .base import Callback
from .checkpoint import ModelCheckpoint
from .landscape import checked_landscape
from .monitor import loss_value

if TYPE_CHECKING:
    from .base import RunContext

_FLAGS = (
    "collect_metric",
    "collect_graph",
    "collect_train_lineage",
    "collect_eval_lineage",
    "collect_input_data",
    "collect_dataset_graph",
)
_DEFAULT = dict.fromkeys(_FLAGS, True) | {
    "histogram_regular": None,
    "collect_landscape": {
        "landscape_size": 40,
        "unit": "step",
        "num_samples": 2048,
        "create_landscape": {"train": True, "result": True},
        "intervals": [list(range(1, 10)), list(range(10, 20))],
    },
}
_TENSORS_OF_A_RUN = 20  # how often Tensors are recorded if `collect_tensor_freq` is None


class SummaryCollector(Callback):
    """Records a training run for TensorBoard: `tensorboard --logdir <summary_dir>`.

    Args:
        summary_dir: folder; it is made. collect_freq: record every so many steps (sunk data: epochs).
        num_process: accepted. collect_specified_data: dict that chooses what is recorded: "collect_metric" (the loss),
            "collect_graph" (the layers), "collect_train_lineage", "collect_eval_lineage" (settings and results),
            "collect_input_data" (images), "collect_dataset_graph" (the dataset's operations): bool each;
            "histogram_regular": regular expression of the names of the weights (None: the first five);
            "collect_landscape": dict, saves weights for `SummaryLandscape` (by default of the first 19 steps); None: none.
        keep_default_action: what the dict does not name is recorded. custom_lineage_data: dict of settings to note.
        collect_tensor_freq: record Tensors every so many steps; None: 20 times in all. max_file_size, export_options:
            as for `SummaryRecord`.

    Raises:
        TypeError, ValueError: arguments of the wrong kind; two SummaryCollectors in one run.

    Example:
        >>> from mindspore.train import SummaryCollector
        >>> model.train(2, dataset, callbacks=[SummaryCollector("summary")])
    """

    _DEFAULT_SPECIFIED_DATA = _DEFAULT

    @checked
    def __init__(
        self,
        summary_dir: str,
        collect_freq: PositiveInt = 10,
        num_process: Any = 32,
        collect_specified_data: dict[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: dict[str, int | str | float] | None = None,
        collect_tensor_freq: PositiveInt | None = None,
        max_file_size: PositiveInt | None = None,
        export_options: ExportOptions | None = None,
    ):
        super().__init__()
        self._summary_dir = make_folder(summary_dir, "summary_dir")
        self._collect_freq = collect_freq
        self._tensor_freq = collect_tensor_freq
        self._max_file_size = max_file_size
        self._export_options = export_options
        self._wanted = _specified(collect_specified_data, keep_default_action)
        self._landscape = checked_landscape(self._wanted.get("collect_landscape"), "SummaryCollector")
        self._saved_weights = {}
        self._custom = dict(custom_lineage_data or {})
        self._record = None
        self._first_step = True

    def __enter__(self):
        self._record = SummaryRecord(
            self._summary_dir, max_file_size=self._max_file_size, export_options=self._export_options
        )
        self._first_step = True
        return self

    def __exit__(self, *error):
        self._record.close()

    def begin(self, run_context: "RunContext"):
        """Check that there is no other SummaryCollector."""
        params = run_context.original_args()
        if sum(isinstance(c, SummaryCollector) for c in params.list_callback) > 1:
            raise ValueError(
                "There are more than one SummaryCollector instance in callback list,but expected only one "
                "SummaryCollector instance."
            )
        self._record.set_mode(params.mode)

    def step_end(self, run_context: "RunContext"):
        """Record the values that are due."""
        params = run_context.original_args()
        if params.mode != "train":
            return
        if self._first_step:
            self._collect_once(params)
        if not params.dataset_sink_mode:
            self._collect(params, params.cur_step_num)
        self._save_weights(params, "step", params.cur_step_num)

    def epoch_end(self, run_context: "RunContext"):
        """Record the values that are due; write to the disk."""
        params = run_context.original_args()
        if params.mode == "train":
            if params.dataset_sink_mode:
                self._collect(params, params.cur_epoch_num)
            self._save_weights(params, "epoch", params.cur_epoch_num)
        self._record.flush()

    def end(self, run_context: "RunContext"):
        """Record settings and results."""
        params = run_context.original_args()
        if params.mode == "train":
            if self._wanted.get("collect_train_lineage"):
                self._record.add_value("train_lineage", "train_lineage", _train_lineage(params))
        elif self._wanted.get("collect_eval_lineage"):
            self._record.add_value(
                "eval_lineage",
                "eval_lineage",
                {"metrics": params.get("metrics"), **_dataset_lineage(params.valid_dataset)},
            )
        self._record.set_mode("eval")
        self._record.record(0)
        if params.mode == "train" and self._landscape:
            self._save_landscape_settings(params.batch_num)

    # --- what is recorded
    def _collect_once(self, params):
        if self._wanted.get("collect_graph"):
            layers = f"    {params.network}".replace("\n", "\n    ")
            self._record.add_value("graph", "train_network/auto", layers)
        if self._wanted.get("collect_dataset_graph"):
            self._record.add_value("dataset_graph", "train_dataset", _dataset_operations(params.train_dataset))
        if self._custom:
            self._record.add_value("custom_lineage_data", "custom_lineage_data", self._custom)

    def _collect(self, params, now):
        steps = params.epoch_num * (1 if params.dataset_sink_mode else params.batch_num)
        due = now % self._collect_freq == 0
        tensors = now % (self._tensor_freq or max(self._collect_freq, steps // (_TENSORS_OF_A_RUN - 1))) == 0
        if self._first_step:
            self._first_step, due, tensors = False, True, True
        if not due and not tensors:
            return
        if due:
            self._collect_values(params)
        self._record.record(params.cur_step_num, plugin_filter=lambda plugin: tensors if plugin == "tensor" else due)

    def _collect_values(self, params):
        inputs = params.get("train_dataset_element")
        first = inputs[0] if isinstance(inputs, (tuple, list)) and inputs else inputs
        if self._wanted.get("collect_input_data") and isinstance(first, Tensor):
            if first.ndim == 4 and first.shape[1] in (1, 3) and first.size:
                self._record.add_value("image", "input_data/auto", first)
            else:
                log.warning("The input data of network are not image, so will not collect by SummaryCollector.")
                self._wanted["collect_input_data"] = False
        if self._wanted.get("collect_metric"):
            loss = loss_value(params.net_outputs)
            if isinstance(loss, float):
                self._record.add_value("scalar", "loss/auto", Tensor(np.float32(loss)))
            else:
                log.warning("The output of network is not a scalar, so SummaryCollector will not collect loss.")
                self._wanted["collect_metric"] = False
        optimizer = _optimizer(params)
        if "histogram_regular" in self._wanted and optimizer is not None:
            pattern = self._wanted["histogram_regular"]
            weights = list(optimizer.parameters)
            chosen = weights[:5] if pattern is None else [p for p in weights if re.match(pattern, p.name)]
            for parameter in chosen:
                if parameter.ndim:
                    self._record.add_value("histogram", f"{parameter.name}/auto", parameter)

    # --- weights for SummaryLandscape
    def _save_weights(self, params, unit, number):
        settings = self._landscape
        if settings and settings["unit"] == unit and any(number in interval for interval in settings["intervals"]):
            network = params.network
            name = f"{type(network).__name__}_{number}_{unit}.ckpt"
            path = os.path.join(make_folder(os.path.join(self._summary_dir, "ckpt_dir"), "ckpt_dir"), name)
            save_checkpoint(network, path)
            self._saved_weights[str(number)] = path

    def _save_landscape_settings(self, steps):
        settings = {key: value for key, value in self._landscape.items() if key != "intervals"}
        groups = dict(enumerate(self._landscape["intervals"]))
        folder = make_folder(os.path.join(self._summary_dir, "ckpt_dir"), "ckpt_dir")
        with open(os.path.join(folder, "train_metadata.json"), "w", encoding="utf-8") as file:
            json.dump(
                {
                    "epoch_group": groups,
                    "model_params_file_map": self._saved_weights,
                    "step_per_epoch": steps,
                    **settings,
                },
                file,
            )


def _specified(given, keep_default_action):
    given = given or {}
    unknown = set(given) - set(_DEFAULT)
    if unknown:
        raise ValueError(
            f'For "SummaryCollector", the keys {unknown} of `collect_specified_data` are unsupported, '
            f"expect the follow keys: {list(_DEFAULT)}"
        )
    for name in _FLAGS:
        if name in given:
            compare("SummaryCollector", name, given[name], bool)
    pattern = given.get("histogram_regular")
    compare("SummaryCollector", "histogram_regular", pattern, str | None)
    if pattern is not None:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(
                "For `collect_specified_data`, the value of `histogram_regular` is not a valid regular "
                f"expression. Detail: {error}."
            ) from None
    return {**(_DEFAULT if keep_default_action else {}), **given}


def _optimizer(params):
    if isinstance(params.optimizer, Optimizer):
        return params.optimizer
    return next((c for _, c in params.train_network.cells_and_names() if isinstance(c, Optimizer)), None)


def _train_lineage(params):
    optimizer = _optimizer(params)
    rate = getattr(optimizer, "learning_rate", None)
    loss_fn = params.loss_fn or next(
        (c for _, c in params.train_network.cells_and_names() if isinstance(c, LossBase)), None
    )
    saved = [c.latest_ckpt_file_name for c in params.list_callback if isinstance(c, ModelCheckpoint)]
    saved = saved[-1] if saved and saved[-1] else None
    return {
        "train_network": type(params.network).__name__,
        "loss_function": type(loss_fn).__name__ if loss_fn else None,
        "loss": loss_value(params.net_outputs),
        "optimizer": type(optimizer).__name__ if optimizer else None,
        "learning_rate": float(rate.asnumpy()) if isinstance(rate, Parameter) else None,
        "epoch": params.epoch_num,
        "step_num": params.cur_step_num,
        "parallel_mode": params.parallel_mode,
        "device_num": params.device_number,
        "model_ckpt": saved,
        "model_size": os.path.getsize(saved) if saved else 0,
        **_dataset_lineage(params.train_dataset),
    }


def _dataset_lineage(dataset):
    batch, count = dataset.get_batch_size(), dataset.get_dataset_size()
    return {"batch_size": batch, "dataset_size": batch * count}


def _dataset_operations(dataset):
    """The dataset's operations, the source last, one a line."""
    lines = []
    while dataset is not None:
        lines.append(f"    {type(dataset).__name__}")
        children = getattr(dataset, "children", None) or [None]
        dataset = children[0]
    return "\n".join(lines)
