"""Saving checkpoints of Cells, Parameters and dicts, at once or in the background."""

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Literal, TypedDict, Unpack

import jax
import numpy as np

from ..core.operators.check import check_isinstance
from ..core.settings.execution_state import change, here
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue
from ..core.values import ranges
from ..core.values.deferred import SHAPES
from ..core.values.ownership import holds
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, device_array, host_array
from ..nn.cell.cell import Cell
from . import checkpoint_format as files
from . import safetensors_format
from .saved_arrays import SavedArray, saved

FORMATS = ("ckpt", "safetensors")
AsyncSave = bool | Literal["process", "thread"]  # the words: in the background
_running = weakref.WeakSet()  # the threads that write now: of the whole process, as files are


class SaveOptions(TypedDict, total=False):
    """Further keywords of `save_checkpoint`."""

    incremental: bool
    global_step_num: int | None
    remove_redundancy: bool | None


@checked
def save_checkpoint(
    save_obj: Cell | list | dict,
    ckpt_file_name: str | os.PathLike,
    integrated_save: bool = True,
    async_save: AsyncSave = False,
    append_dict: Any = None,
    enc_key: AsValue[bytes | None] = None,
    enc_mode: AsValue[str] = "AES-GCM",
    choice_func: Callable | None = None,
    crc_check: AsValue[bool] = False,
    format: AsValue[Literal["ckpt", "safetensors"]] = "ckpt",
    **kwargs: Unpack[SaveOptions],
) -> None:
    """Write Parameters to a file. It is written under another name first, so a crash leaves the old file as it was.

    Args:
        save_obj: Cell, list of Parameters or of {"name": …, "data": …}, or dict from name to Parameter, Tensor, array or str.
        ckpt_file_name: path; `.ckpt` (or `.safetensors`) is added where it is missing. Folders are made.
        async_save: True (or "thread", "process"): write in the background.
        append_dict: further numbers, strings and Tensors.
        enc_key, enc_mode: encrypt.
        choice_func: function of a name that tells whether to save it.
        crc_check: add a checksum.
        format: "ckpt" or "safetensors".
        integrated_save: False: of Parameters that lie in parts on several processes only the part of this one; else they are put together, for which
            all processes must save.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore import save_checkpoint
        >>> save_checkpoint(net, "net.ckpt", append_dict={"epoch": 3})
    """
    path = _path(ckpt_file_name, format)
    remove_redundancy = check_isinstance("remove_redundancy", kwargs.get("remove_redundancy"), (type(None), bool))
    kept = {name: kwargs.get(name) or None for name in ("incremental", "global_step_num")}
    check_defaults("save_checkpoint", format, enc_key=enc_key, enc_mode=enc_mode, **kept)
    entries = [
        _entry(name, data, integrated_save, bool(async_save)) for name, data in _named_data(save_obj, choice_func)
    ]
    entries += [_entry(name, data) for name, data in _checked_append(append_dict).items()]
    if ranges.pending():
        ranges.look(wait=True)  # the errors of earlier operators
    left = _Left(entries)
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)

    def write():
        if format == "safetensors":
            safetensors_format.write_safetensors(
                path, entries, crc_check=crc_check, remove_redundancy=remove_redundancy, written=left.written
            )
        else:
            files.write(path, entries, crc_check=crc_check, enc_key=enc_key, enc_mode=enc_mode, written=left.written)

    finish_writing()
    if async_save:
        _write_in_background(write)
    else:
        write()


def _path(name, format):
    name = os.fspath(name)
    if not name or os.path.isdir(name):
        raise IsADirectoryError(
            f"For 'save_checkpoint', the parameter 'ckpt_file_name': {name} is a directory, it must be a file name."
        )
    return name if name.endswith(format) else f"{name}.{format}"


def check_defaults(where: Any, format: str, **options):
    """ValueError for options that safetensors files do not have, such as encryption."""
    for name, value in options.items():
        if format == "safetensors" and value not in (None, "AES-GCM"):
            raise ValueError(
                f"For '{where}', when format is 'safetensors', the parameter '{name}' must be set to its default value, "
                f"but got {value!r}."
            )


def _named_data(save_obj, choice_func):
    """Pairs (name, Parameter, Tensor, array or str) of anything that can be saved."""
    wanted = choice_func or (lambda name: True)
    if isinstance(save_obj, Cell):
        pairs = [(p.name, p) for p in save_obj.get_parameters()]
    elif isinstance(save_obj, dict):
        pairs = list(save_obj.items())
        for key, value in pairs:
            if not isinstance(key, str) or not isinstance(value, (Tensor, np.ndarray, str)):
                raise TypeError(
                    "For save_checkpoint, when save_obj is made up by dict, the key should be str and value should be Parameter, "
                    f"but got the type of key is {type(key)} and the type of value is {type(value)}"
                )
    else:
        pairs = [_list_item(item) for item in save_obj]
        other = [item for item in save_obj if isinstance(item, dict) != isinstance(save_obj[0], dict)]
        if other:
            raise TypeError(
                f"For save_checkpoint, save_obj should be a list of Parameter or a list of dict items, but got {type(save_obj[0])} "
                f"and {type(other[0])}."
            )
    return [(name, value) for name, value in OrderedDict(pairs).items() if wanted(name)]


def _list_item(item):
    if isinstance(item, Parameter):
        return item.name, item
    if isinstance(item, dict) and "name" in item and "data" in item:
        if not isinstance(item["name"], str):
            raise TypeError(
                "For save_checkpoint, when save_obj is a list of dict items, the name in dict should be string, "
                f"but got {type(item['name'])}."
            )
        if not isinstance(item["data"], Tensor):
            raise TypeError(
                "For save_checkpoint, when save_obj is a list of dict items, the data in dict should be parameter, "
                f"but got {type(item['data'])}."
            )
        return item["name"], item["data"]
    raise TypeError(
        "For save_checkpoint, save_obj should be a list of Parameter or of dict items with the keys 'name' and 'data', "
        f"but got {type(item)}."
    )


def _checked_append(append_dict):
    if append_dict is None:
        return {}
    if not isinstance(append_dict, dict):
        raise TypeError(f"For 'save_checkpoint', the argument 'append_dict' must be dict, but got {type(append_dict)}.")
    for key, value in append_dict.items():
        if (
            not isinstance(key, str)
            or not isinstance(value, (int, float, bool, str, Tensor))
            and not hasattr(value, "get_state")
        ):
            raise TypeError(
                "For 'save_checkpoint', the type of dict 'append_info' must be key: string, value: int, float, bool, str, Tensor "
                f"or Generator, but got {key!r}: {type(value)}."
            )
    return append_dict


def _entry(name, data, whole=True, later=False):
    """The entry for `checkpoint_format.write`: (name, SavedArray or str, type name). later: it is written while the program goes on."""
    if isinstance(data, str):
        return name, data, files.STRING
    if hasattr(data, "get_state"):
        data = data.get_state()
    content = _content(data)
    array = saved(content, own=not whole)
    if later and isinstance(content, jax.Array) and whole and not content.is_fully_addressable:
        values = array.whole()  # all processes put it together, which is done in the order of the program
        array = SavedArray(array.shape, array.dtype, lambda: values)
    return name, array, files.type_name(array)


def _content(data):
    """What a Parameter or Tensor holds as it is, for a reader that lets go of it (or is a holder, see `ownership`)."""
    if isinstance(data, Parameter) and here().recorder is None and here().contents is not SHAPES:
        return data._raw
    content = (data if isinstance(data, Tensor) else Tensor(data))._lent
    return content if isinstance(content, jax.Array) else device_array(host_array(content))


class _Left:
    """What is not written yet, and so must not be overwritten: no copy of all of it is made, a step copies what it is about to change."""

    def __init__(self, entries):
        self._arrays = {name: array.held for name, array, _ in entries if isinstance(array, SavedArray)}
        holds(self)

    def arrays(self):
        """The arrays."""
        return [array for held in list(self._arrays.values()) for array in held]

    def written(self, name):
        """An entry is in the file."""
        self._arrays.pop(name, None)


class _Writer(threading.Thread):
    """Writes in the background, and keeps the error for whoever waits."""

    def __init__(self, write):
        super().__init__(name="asyn_save_ckpt")
        self.write, self.error = write, None

    def run(self):
        try:
            self.write()
        except BaseException as error:  # raised again in the main thread
            self.error = error


def _write_in_background(write):
    writer = _Writer(write)
    _running.add(writer)
    change(writer=writer)
    writer.start()


def finish_writing():
    """Wait for all running saves; raises the error of a save that this thread started."""
    for writer in list(_running):
        writer.join()
    _running.clear()
    writer = here().writer
    if writer is not None:
        change(writer=None)
        writer.join()
        if writer.error is not None:
            raise writer.error


def async_ckpt_thread_status():
    """Whether a checkpoint is being written in the background."""
    return any(writer.is_alive() for writer in list(_running))
