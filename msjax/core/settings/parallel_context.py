"""`set_auto_parallel_context` and its relatives: how a script runs on several devices. Checked and remembered; `msjax.parallel` reads it."""

import copy
import os
from collections.abc import Sequence
from typing import Any

from ... import log
from ..hints import nearest
from ..process import shared


class ParallelMode:
    """Names of the ways to run on several devices."""

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]


GLOBAL_MODES = (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)  # one program over all devices


_FUSION = {name: {"mode": "auto", "config": None} for name in ("allreduce", "allgather", "reducescatter")}
# keyword -> (default, type)
SETTINGS = {
    "device_num": (1, int),
    "global_rank": (0, int),
    "gradients_mean": (False, bool),
    "gradient_fp32_sync": (True, bool),
    "loss_repeated_mean": (True, bool),
    "parallel_mode": (ParallelMode.STAND_ALONE, str),
    "search_mode": ("recursive_programming", str),
    "auto_parallel_search_mode": ("recursive_programming", str),
    "sharding_propagation": (False, bool),
    "parameter_broadcast": (False, bool),
    "strategy_ckpt_load_file": ("", str),
    "strategy_ckpt_save_file": ("", str),
    "strategy_ckpt_config": ({"load_file": "", "save_file": "", "only_trainable_params": True}, dict),
    "group_ckpt_save_file": ("", str),
    "full_batch": (False, bool),
    "dataset_strategy": ("data_parallel", (str, tuple)),
    "enable_parallel_optimizer": (False, bool),
    "parallel_optimizer_config": ({}, dict),
    "optimizer_weight_shard_size": (-1, int),
    "optimizer_weight_shard_aggregated_save": (False, bool),
    "force_fp32_communication": (False, bool),
    "enable_alltoall": (False, bool),
    "all_reduce_fusion_config": ([], list),
    "comm_fusion": ({"openstate": True, **_FUSION}, dict),
    "communi_parallel_mode": ("all_group_parallel", str),
    "pipeline_stages": (1, int),
    "pipeline_segments": (1, int),
    "pipeline_config": ({}, dict),
    "pipeline_result_broadcast": (False, bool),
    "auto_pipeline": (False, bool),
    "grad_accumulation_step": (1, int),
    "dump_local_norm": (False, (bool, int)),
    "dump_local_norm_path": ("", str),
    "dump_device_local_norm": (False, bool),
    "auto_parallel_new_interface": (False, bool),
    "init_param_in_compile": (True, bool),
    "fusion_threshold": (64, int),
}
# other words for a setting: those of MindSpore 1.0, and those of its inner object
_SAME = {
    "mirror_mean": "gradients_mean",
    "cast_before_mirror": "gradient_fp32_sync",
    "auto_parallel_search_mode": "search_mode",
    "strategy_search_mode": "search_mode",
    "all_reduce_fusion_split_indices": "all_reduce_fusion_config",
}
_DERIVED = {
    "full_batch_is_set": lambda: "full_batch" in _values,
    "pipeline_interleave": lambda: get("pipeline_config").get("pipeline_interleave", False),
    "pipeline_scheduler": lambda: get("pipeline_config").get("pipeline_scheduler", "1f1b"),
    "enable_fold_pipeline": lambda: get("pipeline_segments") > 1,
}
_values = {}
_fusions = {}  # what MindSpore's compiler would fuse: kept


def snapshot():
    """The values of these settings that a compiled function depends on."""
    return tuple(_values.items())


def kept():
    """The settings that were made, and their values."""
    return dict(_values)


def get(name: str):
    """Value of a setting, by its name or by its other spelling."""
    name = _SAME.get(name, name)
    return _DERIVED[name]() if name in _DERIVED else copy.deepcopy(_values.get(name, SETTINGS[name][0]))


# --- what a value must be, besides its type: functions of the value, which give other settings that follow from it
def _of(*allowed, said):
    def check(value):
        if value not in allowed:
            raise ValueError(said.format(value))

    return check


def _at_least_one(name, short):
    def check(value):
        if isinstance(value, bool):
            raise TypeError(
                f"For 'set_auto_parallel_context', the argument '{name}' must be int, but got the type : {type(value)}."
            )
        if value < 1:
            raise ValueError(
                f"For 'set_auto_parallel_context', the argument '{name}' should be greater or equal 1, "
                f"but got the value of {short} : {value}."
            )

    return check


def _device_num(value):
    if value < 1:
        raise ValueError(
            "The context configuration parameter 'device_num' must be a positive integer, "
            f"but got the value of device_num : {value}."
        )


def _global_rank(value):
    if not 0 <= value <= 4095:
        raise ValueError(
            "The context configuration parameter 'global_rank' must be in [0, 4095], "
            f"but got the value of global_rank : {value}."
        )


def _grad_accumulation_step(value):
    if value > 1:
        raise ValueError(
            "The interface is deprecated. To use gradient accumulation, please use GradAccumulationCell in "
            "mindspore.nn.wrap.cell_wrapper."
        )
    _positive("grad_accumulation_step", value)


def _positive(name, value, least=1):
    if not isinstance(value, int) or value < least:
        sign = "> 0" if least else ">= 0"
        raise ValueError(
            f"For '{name}', the input value must be int and must {sign}, but got '{value}' with type '{type(value).__name__}'."
        )


def _bool(name, value):
    if not isinstance(value, bool):
        raise TypeError(f"For '{name}', the '{name}' must be a bool, but got {type(value).__name__}.")


def _known(given, names):
    for name in given:
        if name not in names:
            raise ValueError(f"Unknown config: {[name]}")


def _dataset_strategy(value):
    if isinstance(value, str):
        if value not in ("full_batch", "data_parallel"):
            raise ValueError(
                "For 'set_auto_parallel_context', the argument 'dataset_strategy' must be 'full_batch' or "
                f"'data_parallel', but got the value : {value}."
            )
        return {"full_batch": value == "full_batch"}
    if value and hasattr(value[0], "to_dict"):  # Layouts
        for layout in value:
            if not hasattr(layout, "to_dict"):
                raise TypeError(f"All the dataset_strategy elements should be Layout, but got {type(layout)}")
            if layout.to_dict()["interleaved_parallel"]:
                raise ValueError("For dataset_strategy, layout does not support interleaved_parallel")
        return None
    words = "For 'set_auto_parallel_context', the element of argument 'dataset_strategy' must be"
    for part in value:
        if not isinstance(part, tuple):
            raise TypeError(f"{words} tuple, but got the type : {type(part)} .")
        for parts in part:
            if not isinstance(parts, int):
                raise TypeError(f"{words} int type, but got the type : {type(parts)} .")
    return {"dataset_strategy": [list(part) for part in value]}  # as it is given back


def check_full_batch():
    """RuntimeError if whole batches are set in a mode in which each device has a part of its own."""
    if get("full_batch") and get("parallel_mode") not in GLOBAL_MODES:
        raise RuntimeError("full_batch could only be used under semi_auto_parallel or auto_parallel.")


def _full_batch(value):
    return {"dataset_strategy": "full_batch" if value else "data_parallel"}


_SHARD, _THRESHOLD, _LEVEL = "gradient_accumulation_shard", "parallel_optimizer_threshold", "optimizer_level"


def _parallel_optimizer_config(value):
    size = "optimizer_weight_shard_size"
    _known(value, (_SHARD, _THRESHOLD, size, _LEVEL))
    level = value.get(_LEVEL)
    if _SHARD in value:
        _bool(_SHARD, value[_SHARD])
        if level not in (None, "level2"):
            raise ValueError(f"The optimizer_level is set as {level}, thus cannot set grad_accumulation_shard as True.")
    if _THRESHOLD in value:
        _positive(_THRESHOLD, value[_THRESHOLD], 0)
    follows = {}
    if value.get(size, -1) != -1:
        _positive(size, value[size])
        follows[size] = value[size]
    if _LEVEL in value:
        if level not in ("level1", "level2", "level3"):
            raise ValueError(f"Optimizer level should in ['level1', 'level2', 'level3'], but got {level}")
        if level != "level2" and get("parallel_optimizer_config").get(_SHARD):
            raise ValueError("The grad_accumulation shard is set, thus cannot set optimizer_level != 'level2'")
    sharded = {_SHARD: True} if level == "level2" else {}
    return {**follows, "parallel_optimizer_config": {**get("parallel_optimizer_config"), **value, **sharded}}


_SCHEDULERS = ["1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v"]


def _pipeline_config(value):
    _known(value, ("pipeline_interleave", "pipeline_scheduler"))
    interleave, scheduler = value["pipeline_interleave"], value["pipeline_scheduler"]
    _bool("pipeline_interleave", interleave)
    if scheduler not in _SCHEDULERS:
        raise ValueError(f"The 'parameter' must be str and must be in '{_SCHEDULERS}', but got '{scheduler}'.")
    if not interleave and scheduler != "1f1b":
        raise TypeError(f"When pipeline_interleave is False, {scheduler!r} is not supported, only '1f1b' is allowed.")


def _all_reduce_fusion_config(value):
    words = "For 'set_auto_parallel_context().set_all_reduce_fusion_split_indices', the"
    if not value:
        raise ValueError(f"{words} argument 'indices' can not be empty")
    if not isinstance(value, list):
        raise TypeError(f"{words} argument 'indices' must be list, but got the type : {type(value)} .")
    for index in value:
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(f"{words} argument 'index' must be int, but got the type : {type(index)} .")
    if len(set(value)) != len(value):
        raise ValueError("The indices has duplicate elements")
    if sorted(value) != value:
        raise ValueError(f"{words} elements in argument 'indices' must be sorted in ascending order")


def _optimizer_weight_shard_size(value):
    if isinstance(value, bool):
        raise TypeError(f"The type of optimizer_weight_shard_size must be int, but got {type(value)}.")
    if value <= 1:
        log.warning("The setting 'optimizer_weight_shard_size' is invalid. Please use the integer larger than 1.")
        return {"optimizer_weight_shard_size": get("optimizer_weight_shard_size")}
    return None


def _strategy_ckpt_config(value):
    kinds = {"load_file": str, "save_file": str, "only_trainable_params": bool}
    _known(value, kinds)
    for name, kind in kinds.items():
        if name in value and not isinstance(value[name], kind):
            raise TypeError(
                f"For 'set_auto_parallel_context().set_strategy_ckpt_config', the argument '{name}' must be {kind.__name__}, "
                f"but got the type : {type(value[name])} ."
            )
    files = {f"strategy_ckpt_{name}": value[name] for name in ("load_file", "save_file") if name in value}
    return {**files, "strategy_ckpt_config": {**get("strategy_ckpt_config"), **value}}


def _file(kind):
    """A file whose folder is made; the configuration of strategies names it too."""

    def check(value):
        if os.path.dirname(value) and kind != "load_file":
            os.makedirs(os.path.dirname(value), mode=0o700, exist_ok=True)
        return {} if kind is None else {"strategy_ckpt_config": {**get("strategy_ckpt_config"), kind: value}}

    return check


def _comm_fusion(value):
    follows = {}
    for kind, config in value.items():
        if kind == "openstate":
            if not isinstance(config, bool):
                raise TypeError(f"For 'comm_fusion', the 'openstate' must be bool, but got the type : {type(config)}.")
            if not config:
                _fusions.update(dict.fromkeys(_FUSION, False))
            continue
        if kind not in _FUSION:
            raise KeyError(f"comm fusion type must be openstate,allreduce, allgather or reducescatter, but got {kind}")
        _fusions[kind] = True
        if not isinstance(config, dict):
            what = f"the '{kind}'" if kind == "allreduce" else kind
            raise TypeError(f"For 'comm_fusion', {what} config must be dict, but got the type : {type(config)}.")
        for key in ("mode", "config"):
            if key not in config:
                raise KeyError(f"For 'comm_fusion', the key '{key}' should be contained.")
        modes = ("auto", "index", "size") if kind == "allreduce" else ("auto", "size")
        mode, size = config["mode"], config["config"]
        if mode not in modes:
            raise KeyError(f"fusion method mode must be {', '.join(modes[:-1])} or {modes[-1]}, but got {mode}")
        if mode == "index":
            _all_reduce_fusion_config(size)
            follows["all_reduce_fusion_config"] = size
        elif mode == "size" and size < 0:
            raise ValueError(f"fusion threshold must be larger than 0, but got {size}")
    return {**follows, "comm_fusion": {**get("comm_fusion"), "openstate": True, **value}}


_SEARCH_MODES = ("recursive_programming", "dynamic_programming", "sharding_propagation")
_SEARCH = (
    "The context configuration parameter '{}' only support 'recursive_programming', 'dynamic_programming' and "
    "'sharding_propagation', but got the value: {{}}."
)
_RULES = {
    "device_num": _device_num,
    "global_rank": _global_rank,
    "parallel_mode": _of(
        *ParallelMode.MODE_LIST,
        said="The context configuration parameter 'parallel_mode' only support 'stand_alone', 'data_parallel', "
        "'hybrid_parallel', 'semi_auto_parallel' and 'auto_parallel', but got the value : {}.",
    ),
    "search_mode": _of(*_SEARCH_MODES, said=_SEARCH.format("auto_parallel_search_mode")),
    "auto_parallel_search_mode": _of(*_SEARCH_MODES, said=_SEARCH.format("search_mode")),
    "communi_parallel_mode": _of(
        "all_group_parallel",
        "same_server_group_parallel",
        "no_group_parallel",
        said="For 'set_auto_parallel_context().set_communi_parallel_mode', the argument 'communi_parallel_mode' only support "
        "'ALL_GROUP_PARALLEL', 'SAME_SEVER_GROUP_PARALLEL' and 'NO_GROUP_PARALLEL', but got the value : {}.",
    ),
    "pipeline_stages": _at_least_one("pipeline_stages", "stages"),
    "pipeline_segments": _at_least_one("pipeline_segments", "segments"),
    "grad_accumulation_step": _grad_accumulation_step,
    "dataset_strategy": _dataset_strategy,
    "full_batch": _full_batch,
    "parallel_optimizer_config": _parallel_optimizer_config,
    "pipeline_config": _pipeline_config,
    "all_reduce_fusion_config": _all_reduce_fusion_config,
    "optimizer_weight_shard_size": _optimizer_weight_shard_size,
    "strategy_ckpt_config": _strategy_ckpt_config,
    "strategy_ckpt_load_file": _file("load_file"),
    "strategy_ckpt_save_file": _file("save_file"),
    "group_ckpt_save_file": _file(None),
    "comm_fusion": _comm_fusion,
}


def put(name: str, value: Any):
    """Set a setting by its name, or by another word for it.

    Raises:
        TypeError, ValueError, KeyError: MindSpore's, for a value that it does not take.
    """
    plain = _SAME.get(name, name)
    kind = SETTINGS[plain][1]
    if not isinstance(value, kind):
        if name == "dataset_strategy":
            raise TypeError(
                "For 'set_auto_parallel_context', the argument 'dataset_strategy' must be str or tuple type, "
                f"but got the type : {type(value)}."
            )
        raise TypeError(f"The parameter '{name}' must be {kind}, but got {type(value)}")
    rule = _RULES.get(name) or _RULES.get(plain)
    follows = rule(value) if rule else None
    _values.update({plain: value, **(follows or {})})
    shared.touch()


def set_auto_parallel_context(**kwargs):
    """Set how scripts run on several devices. Checked and remembered; `msjax.parallel` reads it.

    Raises:
        ValueError: an unknown keyword, or a value that does not exist, as of the parallel mode.
        TypeError: a value of the wrong type. KeyError: of the keys of `comm_fusion` or `pipeline_config` one is wrong or missing.
    """
    for name, value in kwargs.items():
        if _SAME.get(name, name) not in SETTINGS:
            near = nearest(name, SETTINGS)
            hint = f" Did you mean '{near}'?" if near else ""
            raise ValueError(f"Set context keyword {name} is not recognized!{hint}")
        put(name, value)


def get_auto_parallel_context(attr_key: str):
    """Value of one keyword of `set_auto_parallel_context`; ValueError for one that does not exist."""
    if _SAME.get(attr_key, attr_key) not in SETTINGS and attr_key not in _DERIVED:
        raise ValueError(f"Get context keyword {attr_key} is not recognized!")
    return get(attr_key)


def reset_auto_parallel_context():
    """Back to the defaults of `set_auto_parallel_context`."""
    _values.clear()
    _fusions.clear()
    shared.touch()


# --- the object behind it, which libraries and tests ask too


class AutoParallelContext:
    """MindSpore's inner object of these settings: `set_x(value)`, `get_x()`, and for some `get_x_is_set()`.

    Example:
        >>> from mindspore.parallel._auto_parallel_context import auto_parallel_context
        >>> auto_parallel_context().get_device_num()
        1
    """

    def __getattr__(self, name):
        verb, _, key = name.partition("_")
        plain = _SAME.get(key, key)
        if verb == "set" and plain in SETTINGS:
            return lambda value, *group, **kwargs: put(key, value)
        if verb == "get" and (plain in SETTINGS or plain in _DERIVED):
            return lambda *group, **kwargs: get(key)
        if verb == "get" and key.endswith("_is_set") and key.removesuffix("_is_set") in SETTINGS:
            return lambda: key.removesuffix("_is_set") in _values
        raise AttributeError(f"The context of parallel training has no '{name}'.", name=name)

    reset = staticmethod(reset_auto_parallel_context)

    def get_grad_accumulation_shard(self):
        """Whether accumulated gradients are spread over processes."""
        return get("parallel_optimizer_config").get(_SHARD, False)

    def get_parallel_optimizer_threshold(self):
        """KB from which on a Parameter is spread; -1 while it was not set."""
        return get("parallel_optimizer_config").get(_THRESHOLD, -1)

    def set_all_reduce_fusion_split_sizes(self, sizes: Sequence[int], group: str = ""):
        """Record the sizes by which gradients are fused; XLA fuses by its own rules."""
        if not isinstance(sizes, list) or any(not isinstance(s, int) or isinstance(s, bool) for s in sizes):
            wrong = next((s for s in sizes if not isinstance(s, int)), sizes) if isinstance(sizes, list) else sizes
            raise TypeError(
                "For 'set_auto_parallel_context().set_all_reduce_fusion_split_sizes', the argument 'sizes' must be "
                f"{'int' if isinstance(sizes, list) else 'list'}, but got the type : {type(wrong)}."
            )
        _fusions["sizes"] = sizes

    def get_all_reduce_fusion_split_sizes(self, group: str = ""):
        """Those sizes."""
        return _fusions.get("sizes", [])

    def set_fusion_threshold_mb(self, fusion_threshold: int = 64, comm_type: str = "allreduce"):
        """MB in which messages of a kind go together."""
        put("comm_fusion", {comm_type: {"mode": "size", "config": fusion_threshold}})

    def fusion_threshold_mb(self, kind: Any = "allreduce"):
        """MB in which gradients are put together."""
        config = get("comm_fusion")[kind]
        return config["config"] if config["mode"] == "size" else 64

    def allgather_fusion_threshold_mb(self):
        """MB in which gathered weights are put together."""
        return self.fusion_threshold_mb("allgather")

    def reducescatter_fusion_threshold_mb(self):
        """MB in which scattered gradients are put together."""
        return self.fusion_threshold_mb("reducescatter")


def _enabled(kind, word):
    """`set_enable_..._fusion` and `get_enable_..._fusion`: also on once the fusion of this kind was told how."""

    def put_one(self, *values, **named):
        (enable,) = (*values, *named.values())
        if not isinstance(enable, bool):
            raise TypeError(
                f"For 'set_auto_parallel_context().set_enable_{word}_fusion', the argument 'enable_{word}_fusion' must be bool, "
                f"but got the type : {type(enable)}."
            )
        _fusions[kind] = enable

    def get_one(self):
        return _fusions.get(kind, kind == "allreduce" and "all_reduce_fusion_config" in _values)

    put_one.__doc__, get_one.__doc__ = f"Fuse {word} or not: kept.", f"Whether {word} is fused."
    setattr(AutoParallelContext, f"set_enable_{word}_fusion", put_one)
    setattr(AutoParallelContext, f"get_enable_{word}_fusion", get_one)


for _kind, _word in (("allreduce", "all_reduce"), ("allgather", "all_gather"), ("reducescatter", "reduce_scatter")):
    _enabled(_kind, _word)
