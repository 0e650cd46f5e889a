"""Communication operators. With one process a group has one member, and each gives what it gives for that: its input.

Several processes run as one program over a mesh of all devices; there gradients are reduced by XLA. These operators, which a process calls
for itself, refuse then.
"""

import jax
import jax.numpy as jnp

from ..core.op import op
from ..core.primitive import Primitive
from ..core.tensor import Tensor

_WORLD = "hccl_world_group"


class ReduceOp:
    """Names of the reductions."""

    SUM, MAX, MIN, PROD = "sum", "max", "min", "prod"


def alone(name):
    """RuntimeError if there are other processes."""
    if jax.process_count() > 1:
        raise RuntimeError(
            f"For '{name}', {jax.process_count()} processes can not exchange Tensors one by one: run one process and let it use all devices."
        )


def _reduction(name, op):
    if not isinstance(op, str):
        raise TypeError(f"For '{name}', the 'op' must be str, but got {type(op).__name__}.")
    if op not in (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD):
        raise ValueError(f"For '{name}', the 'op' must be one of sum, max, min, prod, but got {op}.")


def _group(name, group):
    if not isinstance(group, str):
        raise TypeError(f"For '{name}', the 'group' must be str, but got {type(group).__name__}.")
    alone(name)


@op(ops=False, prim=f"AllReduce(op='sum', group='{_WORLD}')(input_x)", name="all_reduce_prim")
def all_reduce(input_x, op="sum", group=_WORLD):
    """Reduction of the Tensors of all processes of a group."""
    _reduction("AllReduce", op)
    _group("AllReduce", group)
    return input_x


@op(ops=False, prim=f"ReduceScatter(op='sum', group='{_WORLD}')(input_x)", name="reduce_scatter_prim")
def reduce_scatter(input_x, op="sum", group=_WORLD):
    """Reduction of the Tensors of all processes, of which each process keeps its slice of the first axis."""
    _reduction("ReduceScatter", op)
    _group("ReduceScatter", group)
    return input_x


@op(
    ops=False, prim=f"Reduce(dest_rank, op='sum', group='{_WORLD}')(input_x)", name="reduce_prim", operands=("input_x",)
)
def reduce(input_x, dest_rank, op="sum", group=_WORLD):
    """Reduction of the Tensors of all processes, for one of them."""
    _reduction("Reduce", op)
    _group("Reduce", group)
    return input_x


@op(ops=False, prim=f"AllGather(group='{_WORLD}')(input_x)", name="all_gather_prim")
def all_gather(input_x, group=_WORLD):
    """Tensors of all processes, joined along the first axis."""
    _group("AllGather", group)
    return input_x


@op(
    ops=False,
    prim=(
        f"CollectiveGather(dest_rank, group='{_WORLD}')(input_x)",
        f"CollectiveScatter(src_rank=0, group='{_WORLD}')(input_x)",
    ),
    name="collective_gather",
    operands=("input_x",),
)
def collective_gather(input_x, dest_rank=0, group=_WORLD):
    """Tensors of all processes for one of them, joined along the first axis; or the reverse."""
    _group("CollectiveGather", group)
    return input_x


@op(ops=False, prim=f"Broadcast(root_rank, group='{_WORLD}')(input_x)", name="broadcast_prim", operands=())
def broadcast(input_x, root_rank=0, group=_WORLD):
    """Tensors (a tuple) of one process, for all."""
    _group("Broadcast", group)
    return input_x


@op(
    ops=False,
    prim=f"AlltoAll(split_count, split_dim, concat_dim, group='{_WORLD}')(input_x)",
    name="all_to_all_prim",
    operands=("input_x",),
)
def all_to_all(input_x, split_count, split_dim, concat_dim, group=_WORLD):
    """Exchange of slices along one axis, joined along another."""
    _group("AlltoAll", group)
    if split_count != 1:
        raise ValueError(
            f"For 'AlltoAll', the 'split_count' must be the number of processes, 1, but got {split_count}."
        )
    return jnp.concatenate(jnp.split(input_x, 1, split_dim), concat_dim)


class Barrier(Primitive):
    """Waits for all processes of a group: with one there is nobody to wait for."""

    def __init__(self, group=_WORLD):
        super().__init__()
        _group("Barrier", group)
        self.group = group

    def __call__(self):
        return Tensor(0)
