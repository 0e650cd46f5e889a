"""SummaryRecord: numbers, images, Tensors and distributions of a training run, for TensorBoard."""

import atexit
import json
import os
import platform
import re
import time
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from ... import log
from ...core.keywords import old_keywords
from ...core.settings import context
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Raises, That
from ...core.values.tensor import Tensor
from ...nn.cell.cell import Cell
from ...ops.host_output import take_summaries
from . import event_file
from .checks import make_folder

_DATA = ("tensor", "scalar", "image", "histogram")
_TEXTS = ("train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data", "graph")
_NAME = re.compile(r"[\w.\-]*")
FilePart = Annotated[str, That("of letters, digits, '_', '-' and '.'", _NAME.fullmatch)]
ExportOptions: TypeAlias = Annotated[dict[Literal["tensor_format"], Literal["npy"] | None], Raises(item=ValueError)]


class SummaryRecord:
    """Writes TensorBoard event files: `tensorboard --logdir <log_dir>` shows them.

    Values come from `add_value`, and from `ops.ScalarSummary`, `ImageSummary`, `TensorSummary` and `HistogramSummary`
    in networks; `record` writes them.

    Args:
        log_dir: folder; it is made. file_prefix, file_suffix: begin and end of the file's name. num_process: accepted.
        network: its layers are written once, as a text. max_file_size: stop writing at so many bytes.
        raise_exception: raise what goes wrong while writing, instead of saying it in the log.
        export_options: {"tensor_format": "npy"} saves Tensors as `export_<time>/tensor/<tag>_<step>.npy` too.

    Raises:
        TypeError, ValueError: arguments of the wrong kind. RuntimeError: another SummaryRecord is open.

    Example:
        >>> from mindspore.train import SummaryRecord
        >>> with SummaryRecord("summary") as record:
        ...     record.add_value("scalar", "loss", Tensor(0.5))
        ...     record.record(1)
    """

    count = 0

    @old_keywords(queue_max_size=None, flush_time=None)
    @checked
    def __init__(
        self,
        log_dir: Any,
        file_prefix: FilePart = "events",
        file_suffix: FilePart = "_MS",
        num_process: Any = 32,
        network: Cell | None = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: ExportOptions | None = None,
    ):
        if SummaryRecord.count > 0:
            raise RuntimeError(
                "For 'SummaryRecord', only one instance is supported in a training process, you are trying to create "
                f"a new one when the existing instance number is {SummaryRecord.count}. Please check your scripts."
            )
        self._export = (export_options or {}).get("tensor_format") == "npy"
        if max_file_size is not None and max_file_size < 0:
            log.warning(
                f"For 'SummaryRecord', the 'max_file_size' should be greater than 0. but got value {max_file_size}."
            )
            max_file_size = None
        self.base_log_dir = make_folder(log_dir, "log_dir")
        self.network, self.max_file_size, self.raise_exception = network, max_file_size, raise_exception
        self._mode, self._values = "train", {}
        second = int(time.time())
        # TensorBoard looks for "tfevents" in the name
        name = f"{file_prefix}.out.tfevents.{second}.{context.get_context('device_id')}.{platform.node()}{file_suffix}"
        self._path = os.path.join(self.base_log_dir, name)
        self._export_folder = os.path.join(self.base_log_dir, f"export_{second}", "tensor")
        self._file = open(self._path, "ab")
        self._closed = self._full = False
        self._write(event_file.version_event())
        take_summaries()  # what an earlier run left
        SummaryRecord.count += 1
        atexit.register(self.close)

    def __enter__(self):
        if self._closed:
            raise ValueError(
                'For "SummaryRecord", SummaryRecord has been closed, please check if close() method is called'
            )
        return self

    def __exit__(self, *error):
        self.close()

    @property
    def log_dir(self):
        """Full path of the event file."""
        return self._path

    @checked
    def set_mode(self, mode: AsValue[Literal["train", "eval"]]):
        """Either "train" or "eval": in training `record` writes the values of the network's summary operators.

        Raises:
            ValueError: another mode.
        """
        self._mode = mode

    def add_value(self, plugin: Any, name: str, value: Any):
        """Note a value for the next `record`; of several with one name the last counts.

        Args:
            plugin: "scalar", "image" (N, C, H, W), "tensor", "histogram": `value` is a Tensor; "train_lineage", "eval_lineage",
                "custom_lineage_data", "dataset_graph", "graph": a dict or a text, written as a text.
            name: the tag.

        Raises:
            TypeError, ValueError: a value or plugin of the wrong kind.
        """
        if plugin in _TEXTS:
            if not isinstance(value, (dict, str)):
                raise TypeError(
                    f'For "SummaryRecord.add_value", the value of "{plugin}" must be dict or str, but got '
                    f"{type(value).__name__}."
                )
            self._values["text", name] = value if isinstance(value, str) else _listing(value)
            return
        if plugin not in _DATA:
            raise ValueError(
                f'For "SummaryRecord.add_value", no such "plugin" of {plugin!r}, expect value is one of '
                f"{[*_DATA, *_TEXTS]}"
            )
        if not name or not isinstance(name, str):
            raise ValueError(f'For "SummaryRecord", the parameter "name" type should be str, but got {type(name)}.')
        if not isinstance(value, Tensor):
            raise TypeError(
                f'For "SummaryRecord", the parameter "value" expect to be Tensor, but got {type(value).__name__}'
            )
        if (plugin, name) in self._values:
            log.warning(
                f'For "SummaryRecord.add_value", {name + "/" + plugin!r} has duplicate values. Only the newest one '
                "will be recorded."
            )
        self._values[plugin, name] = _checked(plugin, np.array(value.asnumpy()))

    @checked
    def record(self, step: int, train_network: Cell | None = None, plugin_filter: Any = None):
        """Write all values that were noted since the last call.

        Args:
            step: int: the number of the step.
            train_network: accepted.
            plugin_filter: function of a plugin's name: whether to write it.

        Returns:
            Whether they were written.

        Raises:
            TypeError: arguments of the wrong kind.
        """
        if self._closed:
            log.error("For 'SummaryRecord', The record writer is closed, please check if close() method is called")
            return False
        if self._mode == "train":
            for plugin, name, array in take_summaries():
                self._values[plugin, name] = array
        if self.network is not None:
            self._values["text", "network"] = f"    {self.network}".replace("\n", "\n    ")
            self.network = None
        values, self._values = self._values, {}
        messages = []
        for (plugin, name), value in values.items():
            if plugin_filter is not None and not plugin_filter(plugin):
                continue
            try:
                messages.append(event_file.ENCODERS[plugin](name, value))
                if plugin == "tensor" and self._export:
                    os.makedirs(self._export_folder, exist_ok=True)
                    np.save(os.path.join(self._export_folder, f"{name.replace('/', '_')}_{step}.npy"), value)
            except (TypeError, ValueError, OSError) as error:
                if self.raise_exception:
                    raise
                log.error(f"The summary {name!r} is left out: {error}")
        if messages:
            self._write(event_file.summary_event(step, messages))
        return True

    def _write(self, event):
        data = event_file.record(event)
        if self.max_file_size is not None and self._file.tell() + len(data) > self.max_file_size:
            if not self._full:  # said, never raised, whatever raise_exception is: the run goes on without its summary
                log.warning(
                    f"The summary file {self._path} has reached 'max_file_size', {self.max_file_size} bytes; nothing "
                    "more is written."
                )
            self._full = True
            return
        self._file.write(data)

    def flush(self):
        """Write buffered data to the disk."""
        if self._closed:
            log.error(
                "For 'SummaryRecord', the record writer is closed and can not flush, please check if close() method "
                "is called"
            )
        else:
            self._file.flush()

    def close(self):
        """Close the file."""
        if self._closed:
            return
        self._closed = True
        self._file.close()
        atexit.unregister(self.close)
        SummaryRecord.count -= 1


def _get_summary_tensor_data():
    """{"tag[:Tensor]": Tensor} of the networks' summary operators since the last call; projects import it to read inner
    activations.
    """
    return {f"{tag}[:{kind.capitalize()}]": Tensor(array) for kind, tag, array in take_summaries()}


def _checked(plugin, array):
    if plugin == "scalar" and array.size != 1:
        raise ValueError(f"For 'SummaryRecord', a scalar must have one element, but got the shape {array.shape}.")
    if plugin == "image" and (array.ndim != 4 or array.shape[1] not in (1, 3) or array.size == 0):
        raise ValueError(
            f"For 'SummaryRecord', an image must have the shape (N, 1, H, W) or (N, 3, H, W), but got {array.shape}."
        )
    if plugin in ("tensor", "histogram") and (array.ndim < 1 or array.size == 0):
        raise ValueError(
            f"For 'SummaryRecord', a {plugin} must have one axis or more and not be empty, but got the shape "
            f"{array.shape}."
        )
    return array


def _listing(values):
    """A dict as a Markdown table."""
    rows = [f"| {key} | {json.dumps(value, default=str)} |" for key, value in values.items()]
    return "\n".join(["| | |", "|-|-|", *rows])
