"""The whole state of a training run in one file, so that a run that was killed goes on bit for bit.

The file is a checkpoint, which MindSpore reads, too: Parameters under their own names, beside entries whose names begin with
`msjax.run.`: the states of the random generators, and one string with the rest.
"""

import json
import os
import random as python_random
import types
from typing import Any

import numpy as np

from ..core.operators import random
from ..core.settings import seed
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from ..dataset.engine.lanes import check_states
from ..nn.cell.cell import Cell
from . import checkpoint_format as files
from .loss_scale_manager import LossScaleManager
from .model import Model

__all__ = ["load_run", "save_run"]

_OWN = "msjax.run."


def save_run(path: Any, *objects, dataset: Any = None, step: Any = None, **notes):
    """Write everything that the next step of a training run depends on. The file is replaced at once: a crash leaves the old one.

    Args:
        path: the file.
        objects: Models, Cells (the network, the optimizer, a training step), loss scale managers, and other objects whose numbers count, such as
            learning rate schedulers.
        dataset: what the steps are fed from; that of `Model.train` is known.
        step: batches taken from it since its first epoch began; `Model.train` counts them itself.
        notes: numbers and strings to keep.

    Raises:
        TypeError: no such objects. ValueError: two Parameters have one name; a `dataset` without `step`.

    Example:
        >>> class Saving(train.Callback):
        ...     def on_train_epoch_end(self, run_context):
        ...         msjax.save_run("run.ckpt", model)
        >>> model.train(1, dataset, callbacks=Saving())
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)  # or a step of one's own
        >>> msjax.save_run("run.ckpt", step, dataset=dataset, step=0)
    """
    state = {"epoch": None, "step": step, "notes": notes}
    for model in (o for o in objects if isinstance(o, Model)):
        dataset, progress = model._progress()
        state.update(progress)
    if dataset is not None:
        if state["step"] is None:
            raise ValueError("For 'save_run', a 'dataset' needs the 'step': how many batches were taken from it.")
        state.update(data_seed=dataset.last_run_seed, batches=dataset.get_dataset_size())
        if state["epoch"] is None:
            state["epoch"] = state["step"] // state["batches"]
        taken = state.get("data_step", state["step"])  # the next iterator begins with the epoch of this batch
        state["data_draws"] = (dataset.last_run_draws or {}).get(taken // state["batches"])
    boxes, others = _parts(objects)
    state["others"] = [_plain(vars(o)) for o in others]
    state["python_random"] = python_random.getstate()
    name, keys, *rest = np.random.get_state()
    state["numpy_random"] = [name, *rest]
    state["global_seed"] = [seed.get_seed(), seed.initializers_seeded()]
    streams = [(own, stream) for own, stream in random.streams().by_seeds.items() if stream.parameter is not None]
    state["streams"] = [[own, stream.seed] for own, stream in streams]
    arrays = {name: np.asarray(box._made()) for name, box in boxes.items()}
    arrays[f"{_OWN}numpy"] = np.asarray(keys)
    arrays |= {f"{_OWN}stream.{i}": stream.get_state() for i, (_, stream) in enumerate(streams)}
    entries = [(name, array, files.type_name(array)) for name, array in arrays.items()]
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    files.write(path, [*entries, (f"{_OWN}state", json.dumps(state), files.STRING)], crc_check=True)


def load_run(path: Any, *objects, dataset: Any = None):
    """Go on with the run of a file of `save_run`: everything is as it was after the step that it was written at.

    Args:
        path: the file.
        objects, dataset: as they were given to `save_run`, made anew. The next iterator of the dataset begins at the batch after the last one; one
            iterator must serve all epochs, as it does in `Model.train`.

    Returns:
        object with `epoch` (whole epochs that are done), `step` and the notes as attributes; None where there is no such file, so that a
        script begins and goes on with the same lines.

    Raises:
        ValueError: the file is damaged, or is of other objects; nothing is changed then.

    Example:
        >>> run = msjax.load_run("run.ckpt", model, dataset=dataset)
        >>> model.train(2, dataset, initial_epoch=run.epoch if run else 0)
    """
    if not os.path.exists(path):
        return None
    content = files.read(path, crc_check=True)
    if f"{_OWN}state" not in content:
        raise ValueError(f"For 'load_run', the file {path} is a checkpoint, but was not written by save_run.")
    boxes, others = _parts(objects)
    try:
        state = json.loads(content[f"{_OWN}state"][0])
        _check_state(state, content)
        notes = types.SimpleNamespace(**{"epoch": state["epoch"], "step": state["step"], **state["notes"]})
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"For 'load_run', the file {path} is damaged: {error!r}.") from error
    _check(path, boxes, others, content, state)
    for name, box in boxes.items():
        box.set_data(Tensor(content[name][0]))
    for other, saved in zip(others, state["others"]):
        vars(other).update(saved)
    version, numbers, gauss = state["python_random"]
    python_random.setstate((version, tuple(numbers), gauss))
    name, *rest = state["numpy_random"]
    np.random.set_state((name, content[f"{_OWN}numpy"][0], *rest))
    seed.restore(*state["global_seed"])
    for i, (own, start) in enumerate(state["streams"]):
        stream = random.streams().get(tuple(own))
        stream.seed = start
        stream.set_state(content[f"{_OWN}stream.{i}"][0])
    for model in (o for o in objects if isinstance(o, Model)):
        model._first_step = state["step"]
    if dataset is not None:
        dataset.set_init_step(state.get("data_step", state["step"]))
        dataset.next_run_seed, dataset.next_run_draws = state.get("data_seed"), state.get("data_draws")
    return notes


def _check_state(state, content):
    """Raise unless everything that will be set can be: on generators of our own first, so that a damaged file changes nothing."""
    version, numbers, gauss = state["python_random"]
    python_random.Random().setstate((version, tuple(numbers), gauss))
    name, *rest = state["numpy_random"]
    np.random.RandomState().set_state((name, content[f"{_OWN}numpy"][0], *rest))
    if state.get("data_draws") is not None:
        check_states(state["data_draws"])
    first, taken = state["global_seed"]
    counts = [
        taken,
        *(state[name] for name in ("epoch", "step", "data_step", "data_seed") if state.get(name) is not None),
    ]
    counts += [] if first is None else [first]
    for i, (own, start) in enumerate(state["streams"]):
        counts += [*own, start]
        found = content[f"{_OWN}stream.{i}"][0]
        if not isinstance(found, np.ndarray) or found.dtype != np.uint32 or found.shape != (3,):
            raise TypeError(f"the state of random stream {i} must be an array of 3 uint32 numbers")
    if not all(isinstance(count, int) for count in counts):
        raise TypeError(f"the counts of a run must be ints, but got {counts}")
    if not all(isinstance(saved, dict) for saved in state["others"]):
        raise TypeError("the attributes of the objects are not dicts")


def _parts(objects):
    """(Parameters by name, other objects with numeric state) of a run."""
    boxes, others = {}, []
    for thing in objects:
        if isinstance(thing, Model):
            cells = [thing.train_network]
            if isinstance(thing._loss_scale_manager, LossScaleManager):
                others.append(thing._loss_scale_manager)
        elif isinstance(thing, Cell):
            cells = [thing]
        elif hasattr(thing, "__dict__") and not callable(thing):
            others.append(thing)
            continue
        else:
            raise TypeError(
                f"A run is made of Models, Cells and objects with attributes, but got {type(thing).__name__}."
            )
        for cell in cells:
            named = [(p.name, p) for p in cell.get_parameters()] + [
                (n, b) for n, b in cell.named_buffers() if b is not None
            ]
            for name, box in named:
                if boxes.setdefault(name, box) is not box:
                    raise ValueError(f"Two Parameters of the run have the name '{name}'. Set their `name`.")
    for other in others:  # the Parameters of schedulers
        for value in vars(other).values():
            for box in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(box, Parameter):
                    boxes.setdefault(box.name, box)
    return boxes, others


def _plain(attributes):
    """The attributes that are numbers, strings, or lists and dicts of them."""
    kept = {}
    for name, value in attributes.items():
        try:
            if json.loads(json.dumps(value)) == value:
                kept[name] = value
        except (TypeError, ValueError):
            continue
    return kept


def _check(path, boxes, others, content, state):
    """ValueError unless the content is that of these objects."""
    there = {name for name in content if not name.startswith(_OWN)}
    if there != boxes.keys() or len(others) != len(state["others"]):
        missing, unknown = sorted(boxes.keys() - there)[:5], sorted(there - boxes.keys())[:5]
        raise ValueError(
            f"For 'load_run', the file {path} is of other objects: it lacks {missing}, and has {unknown} that they do not have."
        )
    for other, saved in zip(others, state["others"]):
        if unknown := sorted(saved.keys() - vars(other).keys())[:5]:
            raise ValueError(
                f"For 'load_run', the file {path} is of other objects: {type(other).__name__} has no attributes {unknown}."
            )
    for name, box in boxes.items():
        array = content[name][0]
        if array.shape != box.shape or array.dtype != box._raw.dtype:
            raise ValueError(
                f"For 'load_run', '{name}' is {array.dtype}{list(array.shape)} in the file {path}, but "
                f"{box._raw.dtype}{list(box.shape)} here."
            )
