"""The loss around the path that training took through the space of weights."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from ...core.spec.checking import checked, compare
from ...core.spec.rules import Length, Within
from ...core.values.tensor import Tensor
from ..checkpoint_loading import load_checkpoint
from ..metrics import Loss
from ..summary.summary_record import SummaryRecord

_DEFAULT = {
    "landscape_size": 40,
    "unit": "step",
    "num_samples": 2048,
    "create_landscape": {"train": True, "result": True},
    "intervals": None,
}


_SETTINGS = {
    "landscape_size": Annotated[int, Within("[3, 256]")],
    "unit": Literal["step", "epoch"],
    "num_samples": int,
    "create_landscape": dict[Literal["train", "result"], bool],
    "intervals": list[Annotated[list[int | bool], Length(at_least=3)]],
}


def checked_landscape(given: dict, owner: str):
    """The settings of a landscape with defaults filled in, or None.

    Raises:
        TypeError, ValueError: a setting that does not exist, or of the wrong kind.
    """
    if not given:
        return None
    compare(owner, "collect_landscape", given, dict)
    unknown = set(given) - set(_DEFAULT)
    if unknown:
        raise ValueError(
            f'For "{owner}", the keys {unknown} of `collect_landscape` are unsupported, expect the follow '
            f"keys: {list(_DEFAULT)}"
        )
    made = {**_DEFAULT, **given}
    for name, allowed in _SETTINGS.items():
        compare(owner, name, made[name], allowed)
    return made


class SummaryLandscape:
    """Computes the loss on a plane through the weights that `SummaryCollector(collect_landscape=…)` saved.

    The plane is spanned by the two main directions of the path (principal components,
    https://arxiv.org/abs/1712.09913).

    Args:
        summary_dir: the folder of the SummaryCollector.

    Example:
        >>> from mindspore.train import SummaryLandscape
        >>> landscape = SummaryLandscape("summary")
        >>> # after a training: landscape.gen_landscapes_with_multi_process(make_model, device_ids=[0])
    """

    @checked
    def __init__(self, summary_dir: str):
        self._summary_dir = os.path.realpath(summary_dir)
        self._folder = os.path.join(self._summary_dir, "ckpt_dir")

    def gen_landscapes_with_multi_process(
        self,
        callback_fn: Callable,
        collect_landscape: dict | None = None,
        device_ids: Sequence[int] | None = None,
        output: Any = None,
    ):
        """Compute and write the landscapes: Tensors `landscape_<interval>/x`, `/y`, `/loss` and `/path`.

        Args:
            callback_fn: function that gives (Model, network, dataset, metrics), metrics a dict with a Loss.
            collect_landscape: dict that changes the settings of the training run.
            device_ids: accepted; the work runs in this process.
            output: folder for the result; None: the folder of the SummaryCollector.

        Raises:
            TypeError, ValueError: arguments of the wrong kind; nothing was saved by a SummaryCollector.
        """
        path = os.path.join(self._folder, "train_metadata.json")
        if collect_landscape is not None:
            checked_landscape({"intervals": [], **collect_landscape}, "SummaryLandscape")
        if not os.path.exists(path):
            raise (ValueError if collect_landscape is None else FileNotFoundError)(
                f'For "SummaryLandscape", there is no {path}: train with SummaryCollector and its "collect_landscape" '
                "first."
            )
        saved = self._saved(path)
        settings = {key: saved[key] for key in _DEFAULT if key in saved}
        settings["intervals"] = list(saved["epoch_group"].values())
        settings = checked_landscape({**settings, **(collect_landscape or {})}, "SummaryLandscape")
        model, network, dataset, metrics = callback_fn()
        names = [name for name, metric in metrics.items() if isinstance(metric, Loss)]
        if not names:
            raise ValueError("For 'SummaryLandscape', the metrics that 'callback_fn' gives must hold a Loss.")
        dataset = dataset.take(max(1, settings["num_samples"] // dataset.get_batch_size()))
        with SummaryRecord(output or self._summary_dir) as record:
            for number, interval in enumerate(settings["intervals"]):
                files = [
                    saved["model_params_file_map"][str(n)] for n in interval if str(n) in saved["model_params_file_map"]
                ]
                for name, values in _landscape(
                    model, network, dataset, names[0], files, settings["landscape_size"]
                ).items():
                    record.add_value("tensor", f"landscape_{number}/{name}", Tensor(values.astype(np.float32)))
            record.record(0)

    @staticmethod
    def _saved(path):
        """The notes of SummaryCollector; ValueError if they are damaged."""
        try:
            with open(path, encoding="utf-8") as file:
                saved = json.load(file)
            groups, files = saved["epoch_group"], saved["model_params_file_map"]
            if not all(isinstance(group, list) for group in groups.values()) or not all(
                isinstance(name, str) for name in files.values()
            ):
                raise TypeError("its groups are not lists, or its file names are not text")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f'For "SummaryLandscape", {path} is damaged: {error!r}.') from error
        return saved

    def clean_ckpt(self):
        """Remove the saved weights."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _landscape(model, network, dataset, metric, files, size):
    parameters = list(network.trainable_params())
    states = [load_checkpoint(file) for file in files]
    points = np.stack([np.concatenate([s[p.name].asnumpy().ravel() for p in parameters]) for s in states]).astype(
        np.float64
    )
    centre = points[-1]
    offsets = points - centre
    _, _, directions = np.linalg.svd(offsets, full_matrices=False)
    directions = directions[:2]
    path = offsets @ directions.T
    axes = [_axis(path[:, i], size) for i in range(2)]
    before = [np.array(p.asnumpy()) for p in parameters]
    loss = np.empty((size, size))
    try:
        for row, y in enumerate(axes[1]):
            for column, x in enumerate(axes[0]):
                _put(parameters, centre + np.array([x, y]) @ directions)
                loss[row, column] = model.eval(dataset)[metric]
    finally:
        _put(parameters, np.concatenate([b.ravel() for b in before]))
    return {"x": axes[0], "y": axes[1], "loss": loss, "path": path}


def _axis(along, size):
    margin = 0.2 * (along.max() - along.min()) or 1.0
    return np.linspace(along.min() - margin, along.max() + margin, size)


def _put(parameters, flat):
    start = 0
    for parameter in parameters:
        parameter.set_data(Tensor(flat[start : start + parameter.size].reshape(parameter.shape), parameter.dtype))
        start += parameter.size
