"""Packages beside MindSpore that msjax gives where nobody has installed them: `hyper_parallel`.

One row: a module path, and who serves it, as in `paths.py`. Old and new places of a name are both there.
"""

from importlib.machinery import PathFinder

_HERE = "msjax.hyper_parallel"


def _of(*names):
    return tuple(f"{_HERE}.{name}" for name in names)


_DTENSOR = _of("dtensor", "layout", "mesh", "placements", "platform")
_CHECKPOINT = _of("checkpoint")
_PIPELINE = _of("pipeline", "schedules")
_SHARD = _of("sharded_cells", "local_map", "styles")

ROWS = {
    "hyper_parallel": _HERE,
    "hyper_parallel.collectives": _of("collectives"),
    "hyper_parallel.collectives.cc": f"{_HERE}.collectives",
    "hyper_parallel.core": (_HERE,),
    "hyper_parallel.core.activation_checkpoint": _of("activation_checkpoint"),
    "hyper_parallel.core.activation_checkpoint.activation_checkpoint": f"{_HERE}.activation_checkpoint",
    "hyper_parallel.core.activation_checkpoint.swap": f"{_HERE}.activation_checkpoint",
    "hyper_parallel.core.checkpoint": _CHECKPOINT,
    "hyper_parallel.core.checkpoint.api": _CHECKPOINT,
    "hyper_parallel.core.checkpoint.layout": _CHECKPOINT,
    "hyper_parallel.core.checkpoint.loader": _CHECKPOINT,
    "hyper_parallel.core.checkpoint.reshard": _CHECKPOINT,
    "hyper_parallel.core.checkpoint.saver": _CHECKPOINT,
    "hyper_parallel.core.device_mesh": f"{_HERE}.mesh",
    "hyper_parallel.core.distributed_checkpoint": _CHECKPOINT,
    "hyper_parallel.core.distributed_checkpoint.layout": _CHECKPOINT,
    "hyper_parallel.core.dtensor": _DTENSOR,
    "hyper_parallel.core.dtensor.device_mesh": f"{_HERE}.mesh",
    "hyper_parallel.core.dtensor.dtensor": f"{_HERE}.dtensor",
    "hyper_parallel.core.dtensor.layout": _of("layout", "mesh", "checkpoint"),
    "hyper_parallel.core.dtensor.parameter_init": f"{_HERE}.parameters",
    "hyper_parallel.core.dtensor.placement_types": f"{_HERE}.placements",
    "hyper_parallel.core.fully_shard": _of("fully_shard"),
    "hyper_parallel.core.fully_shard.api": f"{_HERE}.fully_shard",
    "hyper_parallel.core.fully_shard.utils": f"{_HERE}.fully_shard",
    "hyper_parallel.core.hsdp": _of("fully_shard"),
    "hyper_parallel.core.hsdp.api": f"{_HERE}.fully_shard",
    "hyper_parallel.core.layout": _of("layout", "mesh"),
    "hyper_parallel.core.parameter_init": f"{_HERE}.parameters",
    "hyper_parallel.core.pipeline_parallel": _PIPELINE,
    "hyper_parallel.core.pipeline_parallel.scheduler": _PIPELINE,
    "hyper_parallel.core.pipeline_parallel.stage": _PIPELINE,
    "hyper_parallel.core.pipeline_parallel.utils": _PIPELINE,
    "hyper_parallel.core.placement_types": f"{_HERE}.placements",
    "hyper_parallel.core.shard": _SHARD,
    "hyper_parallel.core.shard.api": _SHARD,
    "hyper_parallel.core.shard.local_func": _SHARD,
    "hyper_parallel.core.shard.sharding_plan": _SHARD,
    "hyper_parallel.core.tensor_parallel": _SHARD,
    "hyper_parallel.core.tensor_parallel.api": _SHARD,
    "hyper_parallel.core.tensor_parallel.style": _SHARD,
    "hyper_parallel.core.utils": _DTENSOR,
    "hyper_parallel.platform": _of("platform"),
    "hyper_parallel.platform.platform": f"{_HERE}.platform",
    "hyper_parallel.platform.mindspore": _of("platform"),
    "hyper_parallel.platform.mindspore.platform": f"{_HERE}.platform",
}
NAMES = tuple(path for path in ROWS if "." not in path)
_installed = {}


def is_ours(path: str):
    """Whether a module path belongs to a package that msjax gives: no finder has one of that name."""
    name = path.partition(".")[0]
    if name not in NAMES:
        return False
    if name not in _installed:
        found = PathFinder.find_spec(name)
        _installed[name] = found is not None and found.origin is not None  # a folder of that name is not a package
    return not _installed[name]
