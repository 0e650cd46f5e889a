"""The API of hyper_parallel on meshes of JAX devices: DTensor, meshes, sharded Cells, pipelines.

`import hyper_parallel` gives it where no package of that name is installed.
"""

from .collectives import destroy_process_group, get_backend, get_process_group_ranks, init_process_group, split_group
from .dtensor import DTensor, SkipDTensorDispatch, distribute_tensor
from .fully_shard import HSDPCell, HSDPModule, fully_shard, hsdp, hsdp_sync_stream
from .layout import Layout
from .local_map import custom_shard
from .mesh import DeviceMesh, init_device_mesh
from .parameters import init_parameters
from .pipeline import PipelineStage, Schedule1F1B, ScheduleGPipe, ScheduleInterleaved1F1B
from .placements import Partial, Placement, Replicate, Shard
from .platform import get_platform
from .schedules import BatchDimSpec, MetaStep, MetaStepType
from .sharded_cells import ShardingPlan, parallelize_value_and_grad, shard_module
from .styles import (
    ColwiseParallel,
    ParallelStyle,
    PrepareModuleInput,
    PrepareModuleOutput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)

__all__ = [
    "BatchDimSpec",
    "ColwiseParallel",
    "DTensor",
    "DeviceMesh",
    "HSDPCell",
    "HSDPModule",
    "Layout",
    "MetaStep",
    "MetaStepType",
    "ParallelStyle",
    "Partial",
    "PipelineStage",
    "Placement",
    "PrepareModuleInput",
    "PrepareModuleOutput",
    "Replicate",
    "RowwiseParallel",
    "Schedule1F1B",
    "ScheduleGPipe",
    "ScheduleInterleaved1F1B",
    "SequenceParallel",
    "Shard",
    "ShardingPlan",
    "SkipDTensorDispatch",
    "custom_shard",
    "destroy_process_group",
    "distribute_tensor",
    "fully_shard",
    "get_backend",
    "get_platform",
    "get_process_group_ranks",
    "hsdp",
    "hsdp_sync_stream",
    "init_device_mesh",
    "init_parameters",
    "init_process_group",
    "parallelize_module",
    "parallelize_value_and_grad",
    "shard_module",
    "split_group",
]
