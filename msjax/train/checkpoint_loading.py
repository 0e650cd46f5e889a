"""Loading checkpoints, and giving their values to the Parameters of a Cell."""

import io
import math
import os
from collections.abc import Callable
from typing import Any

import jax

from .. import log
from ..core.hints import nearest
from ..core.settings.context import present_device
from ..core.settings.execution_state import here
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, Like
from ..core.values import dtype as mstype
from ..core.values.deferred import SHAPES, Deferred
from ..core.values.filled import Filled, filler
from ..core.values.ownership import keep, put
from ..core.values.parameter import Parameter
from ..core.values.tensor import converted, on_device, wrap
from ..nn.cell.cell import Cell
from ..parallel import group_size
from ..parallel.own_parts import of_own_part
from . import checkpoint_format as files
from . import safetensors_format
from .checkpoint_saving import FORMATS, check_defaults, finish_writing
from .stored_arrays import may_stay_open

READ_LATER = (
    1 << 20 if hasattr(os, "preadv") else math.inf
)  # bytes; Windows can not replace or remove a file that is open


@checked
def load_checkpoint(
    ckpt_file_name: Like[str],
    net: Like[Cell | None] = None,
    strict_load: Like[bool] = False,
    filter_prefix: Any = None,
    dec_key: AsValue[bytes | None] = None,
    dec_mode: AsValue[str] = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Like[Callable | None] = None,
    crc_check: AsValue[bool] = False,
    remove_redundancy: AsValue[bool] = False,
    format: Like[str] = "ckpt",
) -> dict[str, Parameter]:
    """Read a checkpoint file.

    Besides MindSpore's own files it reads those of PyTorch (`.pth`, `.pt`, `.bin`), `.npz`, an index of shards (`.index.json`), and folders of
    Hugging Face or Orbax; with `net`, a `.safetensors` that another framework wrote, too. Their weights get the names of `net` where one is
    given (`msjax.train.weights.match_network`), else those that MindSpore's layers give them.

    With an accelerator or several devices a large array is read when its values are asked for, and each part of it alone. Till then the
    file stays open, and may be replaced or removed: what was opened is read. If it is written over in place, reading raises ValueError.

    Args:
        ckpt_file_name: path of the file.
        net: load into this Cell too.
        strict_load: dtypes must agree.
        filter_prefix, specify_prefix: str or list of str: names to leave out, names to take.
        choice_func: function of a name.
        dec_key, dec_mode: decrypt.
        crc_check: check the checksum.
        remove_redundancy: accepted; files here are whole.

    Returns:
        dict from name to Parameter (str for strings)

    Raises:
        ValueError: no such file, or a damaged one: nothing is changed then; or nothing is left after filtering. TypeError: wrong kinds.
    """
    finish_writing()
    take = _chooser(filter_prefix, specify_prefix, choice_func if format == "safetensors" else _chosen(choice_func))
    check_defaults("load_checkpoint", format, dec_key=dec_key, dec_mode=dec_mode)
    if _is_foreign(ckpt_file_name) or net is not None and _has_names_of_another(ckpt_file_name, net):
        return _load_foreign(os.fspath(ckpt_file_name), net, strict_load, take)
    path = existing_file(ckpt_file_name, format)
    if format == "safetensors":
        found = safetensors_format.stored_safetensors(path, crc_check)[0]
    else:
        found = files.stored(path, crc_check, dec_key, dec_mode)
    waits = dec_key is None and _may_wait()
    parameters = {
        name: value if kind in (files.STRING, files.MAP) else _parameter(name, value, waits)
        for name, value, kind in found
        if take is None or take(name)
    }
    if not parameters:
        raise ValueError(
            "The loaded parameter dict is empty after filter or specify, please check whether 'filter_prefix' or "
            "'specify_prefix' are set correctly."
        )
    if net is not None:
        load_param_into_net(net, parameters, strict_load, remove_redundancy)
    return parameters


def _is_foreign(name):
    """Whether a file is of a kind that MindSpore does not know."""
    return isinstance(name, (str, os.PathLike)) and (
        os.path.isdir(name) or os.fspath(name).endswith((".pth", ".pt", ".bin", ".npz", ".index.json"))
    )


def _has_names_of_another(name, net):
    """Whether a .safetensors file says that another framework wrote it, and it knows few of the network's names."""
    if (
        not isinstance(name, (str, os.PathLike))
        or not os.fspath(name).endswith(".safetensors")
        or not os.path.isfile(name)
    ):
        return False
    framework, names = safetensors_format.written_by(name)
    params = [p.name for p in net.get_parameters()] if hasattr(net, "get_parameters") else []
    return framework not in ("ms", "") and 2 * sum(n in names for n in params) < len(params)


def _load_foreign(path, net, strict_load, take):
    """The Parameters of a file of another library, under the names of the network or of MindSpore's layers."""
    from . import weights  # NumPy and SciPy code that most programs never need

    entries = weights.open_weights(path)
    if net is not None:
        pairs = weights.match_network(net, entries)
        _tell_unused(path, weights.unmatched(pairs, net, entries)[1])
        entries = weights.matched(pairs, net, entries)
    else:
        entries = weights.torch_to_mindspore(entries)
    waits = _may_wait()
    parameters = {name: _parameter(name, entry, waits) for name, entry in entries.items() if take is None or take(name)}
    if net is not None:
        load_param_into_net(net, parameters, strict_load)
    return parameters


def _tell_unused(path, names):
    if names:
        log.warning(
            f"For 'load_checkpoint', {len(names)} weights in '{path}' are not used, because no Parameter of the 'net' was found for them: "
            f"{', '.join(names[:10])}{', ...' * (len(names) > 10)}."
        )


def _may_wait():
    """Whether arrays are better read late: not for the only CPU, which keeps them in the memory that they are read into."""
    apart = present_device() != "CPU" or jax.device_count() > 1 or here().contents is SHAPES
    return apart and may_stay_open()


def _parameter(name, stored, waits):
    """A Parameter of an array in a file. A large one is read when its values are asked for, or when it is known where its parts are to lie."""
    parameter = Parameter(0, name=name)
    if waits and stored.nbytes >= READ_LATER:
        put(parameter, Deferred(stored.shape, stored.dtype, stored))
    else:
        keep(parameter, on_device(stored.read()))  # an array that nobody else holds
    return parameter


def existing_file(name: str, format: str):
    if format not in FORMATS:
        raise ValueError(f"For 'load_checkpoint', the 'format' must be 'ckpt' or 'safetensors', but got {format!r}.")
    if isinstance(name, io.BytesIO):
        if format == "ckpt":
            raise TypeError("For 'load_checkpoint', a BytesIO must have the format 'safetensors', not 'ckpt'.")
        return name
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"For 'load_checkpoint', the argument 'ckpt_file_name' must be string, but got {type(name)}.")
    name = os.fspath(name)
    if not name.endswith(format):
        other = next((f for f in FORMATS if name.endswith(f)), None)
        raise ValueError(
            f"For 'load_checkpoint', the name of the file must end as its 'format' says, but got file name '{name}' and format "
            f"'{format}'." + (f" Use format='{other}'." if other else "")
        )
    if not os.path.exists(name):
        folder = os.path.dirname(os.path.abspath(name))
        beside = nearest(os.path.basename(name), os.listdir(folder)) if os.path.isdir(folder) else None
        hint = f" There is '{beside}' beside it." if beside else ""
        raise ValueError(
            f"For 'load_checkpoint', the checkpoint file: {name} does not exist, please check whether the 'ckpt_file_name' is correct.{hint}"
        )
    if os.path.getsize(name) == 0:
        raise ValueError(f"For 'load_checkpoint', the checkpoint file {name} is empty: it was not written to the end.")
    return name


def _prefixes(value, what):
    if value is None:
        return None
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(v, str) for v in items):
        raise TypeError(
            f"For 'load_checkpoint', the type of '{what}' must be string, list[string] or tuple[string], but got {value!r}."
        )
    if not items or "" in items:
        raise ValueError(f"For 'load_checkpoint', the argument '{what}' can't be empty, nor can its elements.")
    return tuple(items)


def _chooser(filter_prefix, specify_prefix, choice_func):
    leave, only = _prefixes(filter_prefix, "filter_prefix"), _prefixes(specify_prefix, "specify_prefix")
    if leave is None and only is None:
        return choice_func  # prefixes, where they are given, decide alone

    def take(name):
        return (only is None or name.startswith(only)) and (leave is None or not name.startswith(leave))

    return take


def _chosen(choice_func):
    """`choice_func`, whose errors are ValueErrors of `load_checkpoint`, as MindSpore's of its own format."""
    if choice_func is None:
        return None

    def take(name):
        try:
            return choice_func(name)
        except Exception as error:
            raise ValueError(f"{error}\nFor 'load_checkpoint', 'choice_func' failed for the name '{name}'.") from error

    return take


def load_checkpoint_async(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: Any = None,
    dec_key: bytes | None = None,
    dec_mode: Any = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Callable | None = None,
):
    """As `load_checkpoint`, in the background: a ParamDictFuture, whose `result()` is the dict."""
    from concurrent.futures import ThreadPoolExecutor  # only for this rare call

    pool = ThreadPoolExecutor(1, thread_name_prefix="load_checkpoint")
    options = (net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
    future = pool.submit(load_checkpoint, ckpt_file_name, *options, format=format_of(ckpt_file_name))
    return ParamDictFuture(pool, future)


def format_of(file_name: str):
    return "safetensors" if str(file_name).endswith(".safetensors") else "ckpt"


class ParamDictFuture:
    """The result of `load_checkpoint_async`: `result()` waits for the file and returns its dict, or raises the error of
    reading.

    Args:
        executor: pool of threads, shut down with the result. param_dict_future: the future to wait for.
    """

    def __init__(self, executor: Any, param_dict_future: Any):
        self.executor, self.param_dict_future = executor, param_dict_future

    def result(self):
        """The dict from names to Parameters."""
        try:
            return self.param_dict_future.result()
        finally:
            self.executor.shutdown(wait=False)


@checked
def load_param_into_net(
    net: Cell, parameter_dict: dict, strict_load: bool = False, remove_redundancy: AsValue[bool] = False
):
    """Give a Cell's Parameters the values of a dict. If one does not fit, nothing is changed.

    Args:
        net: Cell.
        parameter_dict: dict from name to Parameter.
        strict_load: dtypes must agree.
        remove_redundancy: accepted.

    Returns:
        (names of the Cell's Parameters that got no value, names of the dict that were not used)

    Raises:
        TypeError: arguments of the wrong kind. RuntimeError: shapes differ, or dtypes that do not convert.
    """
    for key, value in parameter_dict.items():
        if not isinstance(key, str) or not isinstance(value, (Parameter, str, list)):
            raise TypeError(
                f"For 'load_param_into_net', the element in the argument 'parameter_dict' should be a 'str' and 'Parameter' , "
                f"but got {type(key)} and {type(value)}."
            )
    if remove_redundancy and group_size() == 1:
        raise TypeError(
            "The deduplication feature for loading checkpoint can only be used in parallel scenarios, but got stand_alone."
        )
    plan, missing, unused = [], [], dict.fromkeys(parameter_dict)
    for param in net.get_parameters():
        given = parameter_dict.get(param.name)
        if isinstance(given, Parameter):
            plan.append((param, _converted(param, given, strict_load)))
            unused.pop(param.name, None)
        elif given is None and not param.name.startswith("accu_grads"):
            missing.append(param)
    if not strict_load:
        found = _behind_prefixes(missing, parameter_dict)
        plan += [(p, _converted(p, value, strict_load)) for p, value in found]
        loaded = {id(p) for p, _ in found}
        missing = [p for p in missing if id(p) not in loaded]
    for param, value in plan:
        param.set_data(value)
    if missing:
        log.warning(
            f"For 'load_param_into_net', {len(missing)} parameters in the 'net' are not loaded, because they are not in the "
            "'parameter_dict', please check whether the network structure is consistent when training and loading checkpoint."
            + _nearest_names(missing, unused)
        )
    return [p.name for p in missing], list(unused)


def _nearest_names(missing, unused):
    """For the first Parameters without a value: the unused name of the dict that is nearest."""
    lines = []
    for param in missing[:10]:
        near = nearest(param.name, unused)
        lines.append(f"\n  {param.name}" + (f" (the nearest name in the file is {near})" if near else ""))
    return "".join(lines) + (f"\n  ... and {len(missing) - 10} more" if len(missing) > 10 else "")


def _common_prefix(missing, given):
    """The prefix of a missing Parameter's name in the dict, if any."""
    for param in missing:
        for name in given:
            if name.endswith(param.name) and name != param.name:
                return name[: -len(param.name)]
    return ""


def _behind_prefixes(missing, given):
    """(Parameter, its value) of the missing Parameters that the dict has behind a prefix; a warning names each prefix."""
    found, left = [], list(missing)
    while prefix := _common_prefix(left, given):
        log.warning(f"For 'load_param_into_net', remove parameter prefix name: {prefix}, continue to load.")
        found += [(param, given[prefix + param.name]) for param in left if prefix + param.name in given]
        left = [param for param in left if prefix + param.name not in given]
    return found


# The parts of `load_param_into_net` that loading functions of projects are made of.
def _update_param(param, new_param, strict_load=False):  # MindSpore 1.x gave no third
    param.set_data(_converted(param, new_param, strict_load))


def _load_dismatch_prefix_params(net, parameter_dict, param_not_load, strict_load):
    """Load entries of the dict with a common prefix, and remove them from the list of names `param_not_load`."""
    missing = [param for param in net.get_parameters() if param.name in param_not_load]
    for param, value in _behind_prefixes(missing, parameter_dict):
        _update_param(param, value, strict_load)
        param_not_load.remove(param.name)


def _converted(param, value, strict_load):
    """The value of one Parameter, in its shape and dtype; RuntimeError where it does not fit. What waits in a file goes on to wait."""
    held = value._raw if isinstance(value, Parameter) else None
    if type(held) is not Deferred or held.fill is None and held.shape != param.shape:
        held = (
            value.jax_array
        )  # arrays do not change: sharing one is not a copy, and a step that is to overwrite it makes its own
    if held.shape != param.shape and type(param._raw) is not Deferred:
        place = param._made()
        if not place.is_fully_addressable:  # a slice that this rank has saved
            fill = of_own_part(held.shape, filler(held), place.sharding, param.shape)
            held = held if fill is None else Deferred(param.shape, place.dtype, Filled(fill))
    if held.shape != param.shape:
        extra = held.shape[len(param.shape) :]
        if held.shape[: len(param.shape)] == param.shape and extra and all(n == 1 for n in extra):
            held = _without_last(held, len(extra))
        else:
            raise RuntimeError(
                f"For 'load_param_into_net', {param.name} in the argument 'net' should have the same shape as {param.name} in the "
                f"argument 'parameter_dict'. But got its shape {param.shape} in the argument 'net' and shape {held.shape} in the "
                "argument 'parameter_dict'. May you need to check whether the checkpoint you loaded is correct or the batch size "
                "and so on in the 'net' and 'parameter_dict' are same."
            )
    given = mstype.from_numpy(held.dtype)
    if given != param.dtype:
        floats, integers = mstype.float_type, mstype.int_type
        converts = not strict_load and (
            given in floats and param.dtype in floats or given in integers and param.dtype in integers
        )
        if not converts:
            raise RuntimeError(
                f"For 'load_param_into_net', {param.name} in the argument 'net' should have the same type as {param.name} in the "
                f"argument 'parameter_dict'. but got its type {param.dtype} in the argument 'net' and type {given} in the "
                "argument 'parameter_dict'. May you need to check whether the checkpoint you loaded is correct."
            )
        held = held.astype(mstype.to_numpy(param.dtype)) if isinstance(held, Deferred) else converted(held, param.dtype)
    if not isinstance(held, Deferred):
        return wrap(held)
    box = Parameter(0)
    put(box, held)
    return box


def _without_last(held, count):
    """An array, or content that waits, without its last axes, which are of length 1."""
    shape, ones = held.shape[:-count], (slice(0, 1),) * count
    if not isinstance(held, Deferred):
        return held.reshape(shape)

    def fill(target, index):
        held.fill(target.reshape(*target.shape, *[1] * count), (*index, *ones))

    return Deferred(shape, held.dtype, Filled(fill))
