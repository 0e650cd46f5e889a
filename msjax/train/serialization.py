"""Saving and loading: checkpoints of Cells, Parameters and dicts, in MindSpore's own file formats."""

import difflib
import io
import os
import re
import threading
import weakref
from collections import OrderedDict

import jax
import numpy as np

from .. import log
from ..core.operators.check import check_bool, check_isinstance, check_positive_int
from ..core.settings.execution_state import change, here
from ..core.values import dtype as mstype
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, host_array, wrap
from ..nn.cell.cell import Cell
from ..parallel import group_size
from . import checkpoint_format as files

__all__ = [
    "async_ckpt_thread_status",
    "check_checkpoint",
    "ckpt_to_safetensors",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "parse_print",
    "safetensors_to_ckpt",
    "save_checkpoint",
]

_FORMATS = ("ckpt", "safetensors")
_running = weakref.WeakSet()  # the threads that write now: of the whole process, as files are


# --- saving
def save_checkpoint(
    save_obj,
    ckpt_file_name,
    integrated_save=True,
    async_save=False,
    append_dict=None,
    enc_key=None,
    enc_mode="AES-GCM",
    choice_func=None,
    crc_check=False,
    format="ckpt",
    **kwargs,
):
    """Write Parameters to a file. It is written under another name first, so a crash leaves the old file as it was.

    Args:
        save_obj: Cell, list of Parameters or of {"name": …, "data": …}, or dict from name to Parameter, Tensor, array or str.
        ckpt_file_name: path; `.ckpt` (or `.safetensors`) is added where it is missing. Folders are made.
        async_save: True (or "thread", "process"): write in the background. append_dict: further numbers, strings and Tensors.
        enc_key, enc_mode: encrypt. choice_func: function of a name that tells whether to save it. crc_check: add a checksum.
        format: "ckpt" or "safetensors". integrated_save: False: of Parameters that lie in parts on several processes only the part of
            this one; else they are put together, for which all processes must save.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore import save_checkpoint
        >>> save_checkpoint(net, "net.ckpt", append_dict={"epoch": 3})
    """
    if not isinstance(save_obj, (Cell, list, dict)):
        raise TypeError(
            f"For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, but got {type(save_obj)}."
        )
    path = _path(ckpt_file_name, format)
    check_bool(integrated_save, "integrated_save", "save_checkpoint")
    checked_async_save(async_save, "save_checkpoint")
    check_isinstance("enc_key", enc_key, (type(None), bytes))
    check_isinstance("enc_mode", enc_mode, str)
    check_isinstance("crc_check", crc_check, bool)
    remove_redundancy = check_isinstance("remove_redundancy", kwargs.get("remove_redundancy"), (type(None), bool))
    kept = {name: kwargs.get(name) or None for name in ("incremental", "global_step_num")}
    _check_defaults("save_checkpoint", format, enc_key=enc_key, enc_mode=enc_mode, **kept)
    entries = [_entry(name, data, integrated_save) for name, data in _named_data(save_obj, choice_func)]
    entries += [_entry(name, data) for name, data in _checked_append(append_dict).items()]
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)

    def write():
        if format == "safetensors":
            files.write_safetensors(path, entries, crc_check=crc_check, remove_redundancy=remove_redundancy)
        else:
            files.write(path, entries, crc_check=crc_check, enc_key=enc_key, enc_mode=enc_mode)

    finish_writing()
    if async_save:
        _write_in_background(write)
    else:
        write()


def checked_async_save(value, where):
    """`async_save`: a bool, "thread" or "process"."""
    if not isinstance(value, (bool, str)):
        raise TypeError(f"For '{where}', the 'async_save' must be bool or str, but got {value!r}.")
    if isinstance(value, str) and value not in ("process", "thread"):
        raise ValueError(f"For '{where}', the 'async_save' can only be 'process' or 'thread', but got {value!r}.")
    return value


def _path(name, format):
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"For 'save_checkpoint', the parameter 'ckpt_file_name' must be string, but got {type(name)}.")
    if format not in _FORMATS:
        raise ValueError(f"For 'save_checkpoint', the format must be 'ckpt' or 'safetensors', but got {format!r}.")
    name = os.fspath(name)
    if not name or os.path.isdir(name):
        raise IsADirectoryError(
            f"For 'save_checkpoint', the parameter 'ckpt_file_name': {name} is a directory, it must be a file name."
        )
    return name if name.endswith(format) else f"{name}.{format}"


def _check_defaults(where, format, **options):
    """ValueError for options that safetensors have not, such as encryption."""
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


def _entry(name, data, whole=True):
    """What `checkpoint_format.write` takes: (name, array or str, type name)."""
    if isinstance(data, str):
        return name, data, files.STRING
    if hasattr(data, "get_state"):
        data = data.get_state()
    # A view: what is written later must not change, and jax does not reuse memory that NumPy looks at.
    array = (data if isinstance(data, Tensor) else Tensor(data)).jax_array
    array = host_array(array) if whole or array.is_fully_addressable else np.asarray(array.addressable_data(0))
    return name, array, files.type_name(array)


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
    """Wait for all saves that are under way; raises the error of the one that was started here."""
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


# --- loading
def load_checkpoint(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
    crc_check=False,
    remove_redundancy=False,
    format="ckpt",
):
    """Read a checkpoint file.

    Args:
        ckpt_file_name: path of a `.ckpt` or `.safetensors` file. net: load into this Cell too. strict_load: dtypes must agree.
        filter_prefix, specify_prefix: str or list of str: names to leave out, names to take. choice_func: function of a name.
        dec_key, dec_mode: decrypt. crc_check: check the checksum. remove_redundancy: accepted; files here are whole.

    Returns:
        dict from name to Parameter (str for strings)

    Raises:
        ValueError: no such file, or a damaged one: nothing is changed then; or nothing is left after filtering. TypeError: wrong kinds.
    """
    finish_writing()
    take = _chooser(filter_prefix, specify_prefix, choice_func)
    check_isinstance("dec_key", dec_key, (type(None), bytes))
    check_isinstance("dec_mode", dec_mode, str)
    check_isinstance("crc_check", crc_check, bool)
    check_isinstance("remove_redundancy", remove_redundancy, bool)
    _check_defaults("load_checkpoint", format, dec_key=dec_key, dec_mode=dec_mode)
    path = _existing(ckpt_file_name, format)
    parameters = {}

    def keep(name, data, kind):
        parameters[name] = data if kind in (files.STRING, files.MAP) else _parameter(name, data)

    if format == "safetensors":
        files.read_safetensors(path, crc_check=crc_check, choose=take, keep=keep)
    else:
        files.read(path, crc_check=crc_check, dec_key=dec_key, dec_mode=dec_mode, choose=take, keep=keep)
    if not parameters:
        raise ValueError(
            "The loaded parameter dict is empty after filter or specify, please check whether 'filter_prefix' or "
            "'specify_prefix' are set correctly."
        )
    if net is not None:
        load_param_into_net(net, parameters, strict_load, remove_redundancy)
    return parameters


def _parameter(name, array):
    """A Parameter of an array that nobody else holds: it is taken over, not copied, where the device allows it."""
    parameter = Parameter(0, name=name)
    parameter._rebind_raw(jax.device_put(array), None)
    return parameter


def _existing(name, format):
    if format not in _FORMATS:
        raise ValueError(f"For 'load_checkpoint', the 'format' must be 'ckpt' or 'safetensors', but got {format!r}.")
    if isinstance(name, io.BytesIO):
        if format == "ckpt":
            raise TypeError("For 'load_checkpoint', a BytesIO must have the format 'safetensors', not 'ckpt'.")
        return name
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"For 'load_checkpoint', the argument 'ckpt_file_name' must be string, but got {type(name)}.")
    name = os.fspath(name)
    if not name.endswith(format):
        other = next((f for f in _FORMATS if name.endswith(f)), None)
        raise ValueError(
            f"For 'load_checkpoint', the name of the file must end as its 'format' says, but got file name '{name}' and format "
            f"'{format}'." + (f" Use format='{other}'." if other else "")
        )
    if not os.path.exists(name):
        folder = os.path.dirname(os.path.abspath(name))
        beside = (
            difflib.get_close_matches(os.path.basename(name), os.listdir(folder), 1) if os.path.isdir(folder) else []
        )
        hint = f" There is '{beside[0]}' beside it." if beside else ""
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


def load_checkpoint_async(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
):
    """As `load_checkpoint`, in the background: a ParamDictFuture, whose `result()` is the dict."""
    from concurrent.futures import ThreadPoolExecutor  # only for this rare call

    pool = ThreadPoolExecutor(1, thread_name_prefix="load_checkpoint")
    options = (net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
    future = pool.submit(load_checkpoint, ckpt_file_name, *options, format=_format_of(ckpt_file_name))
    return ParamDictFuture(pool, future)


def _format_of(file_name):
    return "safetensors" if str(file_name).endswith(".safetensors") else "ckpt"


class ParamDictFuture:
    """What `load_checkpoint_async` gives: `result()` waits for the file and gives its dict, or raises what reading it raised.

    Args:
        executor: pool of threads, shut down with the result. param_dict_future: the future to wait for.
    """

    def __init__(self, executor, param_dict_future):
        self.executor, self.param_dict_future = executor, param_dict_future

    def result(self):
        """The dict from names to Parameters."""
        try:
            return self.param_dict_future.result()
        finally:
            self.executor.shutdown(wait=False)


def init_ckpt_file_system(fs):
    """Set how checkpoint files are opened on a file system object: by Python's own `open`."""
    fs.create, fs.create_args, fs.open, fs.open_args = open, ("ab",), open, ("rb",)


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Give a Cell's Parameters the values of a dict. If one does not fit, nothing is changed.

    Args:
        net: Cell. parameter_dict: dict from name to Parameter. strict_load: dtypes must agree. remove_redundancy: accepted.

    Returns:
        (names of the Cell's Parameters that got no value, names of the dict that were not used)

    Raises:
        TypeError: arguments of the wrong kind. RuntimeError: shapes differ, or dtypes that do not convert.
    """
    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(
            f"For 'load_param_into_net', the argument 'parameter_dict' should be a dict, but got {type(parameter_dict)}."
        )
    for key, value in parameter_dict.items():
        if not isinstance(key, str) or not isinstance(value, (Parameter, str, list)):
            raise TypeError(
                f"For 'load_param_into_net', the element in the argument 'parameter_dict' should be a 'str' and 'Parameter' , "
                f"but got {type(key)} and {type(value)}."
            )
    check_bool(strict_load, "strict_load", "load_param_into_net")
    check_isinstance("remove_redundancy", remove_redundancy, bool)
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
        near = difflib.get_close_matches(param.name, list(unused), 1)
        lines.append(f"\n  {param.name}" + (f" (the nearest name in the file is {near[0]})" if near else ""))
    return "".join(lines) + (f"\n  ... and {len(missing) - 10} more" if len(missing) > 10 else "")


def _common_prefix(missing, given):
    """What stands before a missing Parameter's name in the dict, if anything."""
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
def _update_param(param, new_param, strict_load):
    param.set_data(_converted(param, new_param, strict_load))


def _load_dismatch_prefix_params(net, parameter_dict, param_not_load, strict_load):
    """Load what lies in the dict behind a common prefix, and strike it from the list of names `param_not_load`."""
    missing = [param for param in net.get_parameters() if param.name in param_not_load]
    for param, value in _behind_prefixes(missing, parameter_dict):
        _update_param(param, value, strict_load)
        param_not_load.remove(param.name)


def _converted(param, value, strict_load):
    """The value of one Parameter, in its shape and dtype; RuntimeError where it does not fit."""
    data = wrap(
        value.jax_array
    )  # arrays do not change: sharing one is no copy, and a step that is to overwrite it makes its own
    if data.shape != param.shape:
        extra = data.shape[len(param.shape) :]
        if data.shape[: len(param.shape)] == param.shape and extra and all(n == 1 for n in extra):
            data = Tensor(data.asnumpy().reshape(param.shape))
        else:
            raise RuntimeError(
                f"For 'load_param_into_net', {param.name} in the argument 'net' should have the same shape as {param.name} in the "
                f"argument 'parameter_dict'. But got its shape {param.shape} in the argument 'net' and shape {data.shape} in the "
                "argument 'parameter_dict'. May you need to check whether the checkpoint you loaded is correct or the batch size "
                "and so on in the 'net' and 'parameter_dict' are same."
            )
    if data.dtype != param.dtype:
        floats, integers = mstype.float_type, mstype.int_type
        converts = not strict_load and (
            data.dtype in floats and param.dtype in floats or data.dtype in integers and param.dtype in integers
        )
        if not converts:
            raise RuntimeError(
                f"For 'load_param_into_net', {param.name} in the argument 'net' should have the same type as {param.name} in the "
                f"argument 'parameter_dict'. but got its type {param.dtype} in the argument 'net' and type {data.dtype} in the "
                "argument 'parameter_dict'. May you need to check whether the checkpoint you loaded is correct."
            )
        data = data.astype(param.dtype)
    return data


# --- other files
def check_checkpoint(ckpt_file_name):
    """Whether a file can be read as a checkpoint."""
    try:
        path = _existing(ckpt_file_name, _format_of(ckpt_file_name))
        (files.read_safetensors if path.endswith("safetensors") else files.read)(path)
    except ValueError:
        return False
    return True


def ckpt_to_safetensors(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Convert a `.ckpt` file, or those in the folders `rank_*` of a folder, to `.safetensors`, beside them or in `save_path`.

    Args:
        name_map: dict that renames Parameters. file_name_regex: which files. processes_num: accepted; it is done in this process.

    Raises:
        ValueError: no such file or folder, arguments of the wrong kind, no file whose name matches.
    """
    check_positive_int(processes_num, "processes_num", "ckpt_to_safetensors")
    _convert_files("ckpt_to_safetensors", file_path, save_path, name_map, file_name_regex, "ckpt", "safetensors")


def safetensors_to_ckpt(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """As `ckpt_to_safetensors`, the other way."""
    check_positive_int(processes_num, "processes_num", "safetensors_to_ckpt")
    _convert_files("safetensors_to_ckpt", file_path, save_path, name_map, file_name_regex, "safetensors", "ckpt")


def _convert_files(where, source, target, name_map, pattern, old, new):
    if not isinstance(source, (str, os.PathLike)) or not os.path.exists(source):
        raise ValueError(f"For {where}, the input path must be a valid path or file, but got {source}")
    if target and os.path.splitext(target)[1]:
        raise ValueError(f"For {where}, the save_path must be a directory, but got '{target}'")
    if name_map is not None and not isinstance(name_map, dict):
        raise ValueError(f"For {where}, the type of 'name_map' must be a dict, but got {type(name_map)}")
    wanted = re.compile(pattern or "")
    if os.path.isfile(source):
        if not source.endswith(f".{old}"):
            raise ValueError(f"For {where}, the input file must be a .{old} file, but got {source}")
        if not wanted.search(source):
            raise ValueError(f"For {where}, the input file does not match the regular expression.")
        found = [(source, target or os.path.dirname(source))]
    else:
        ranks = sorted(d for d in os.listdir(source) if d.startswith("rank") and os.path.isdir(os.path.join(source, d)))
        if not ranks:
            raise ValueError(f"For {where}, no directories starting with 'rank' found in {source}.")
        found = [
            (os.path.join(source, rank, name), os.path.join(target or source, rank))
            for rank in ranks
            for name in sorted(os.listdir(os.path.join(source, rank)))
            if name.endswith(f".{old}") and wanted.search(name)
        ]
    for file, folder in found:
        content = load_checkpoint(file, format=old)
        renamed = {(name_map or {}).get(k, k): v for k, v in content.items()}
        name = os.path.basename(file)[: -len(old)] + new
        save_checkpoint(renamed, os.path.join(folder, name), format=new)


def parse_print(print_file_name):
    """Content of a file that `ops.Print` wrote: printing goes to the standard output here, so there is no such file to read."""
    raise ValueError(
        f"The file {print_file_name} can not be read: ops.Print writes to the standard output here. Redirect that to a file instead."
    )


# --- names of types in files, for scripts that read them themselves
tensor_to_ms_type = {name: mstype.from_numpy(kind) for name, kind in files.NUMPY_TYPES.items() if name != "Int4"}


def tensor_to_np_type(tensor_type_str):
    """NumPy dtype of a type name in a checkpoint ("Float32"), or None."""
    return "U" if tensor_type_str == files.STRING else files.NUMPY_TYPES.get(tensor_type_str)
