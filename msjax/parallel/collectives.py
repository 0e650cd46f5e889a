"""Communication operators: `ops.AllReduce`, `ops.AllGather`, `ops.Send`, …, eager, compiled, and with MindSpore's gradients.

With one process a group has one member, and each operator gives what it gives for that: its input. (The functions that write into
given Tensors are in `process_groups.py`.)
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import jax
import jax.numpy as jnp

from ..core.compat import Tracer
from ..core.operators.arguments import plain
from ..core.operators.primitive import Primitive
from ..core.operators.record import composite, op, records
from ..core.operators.rows import Face, Prim, args
from ..core.settings.execution_state import here
from ..core.spec import Array, Ints, MaybeArray, Operand, Shown, Static
from ..core.spec.rules import OfType, Raises, That
from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor
from . import exchange, open_parts
from .layout import Layout
from .places import place_of
from .shardings import relay

if TYPE_CHECKING:
    from .places import Place

_WORLD = "hccl_world_group"
_RUN = {
    "dynamic": True,
    "residuals": True,
}  # not in a `jax.jit` of its own: `exchange` compiles for all processes of the group


class ReduceOp:
    """Names of the reductions."""

    SUM, MAX, MIN, PROD = "sum", "max", "min", "prod"


REDUCTIONS = (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD)


def _reduction(name, op):
    if not isinstance(op, str):
        raise TypeError(f"For '{name}', the 'op' must be str, but got {type(op).__name__}.")
    if op not in REDUCTIONS:
        raise ValueError(f"For '{name}', the 'op' must be one of sum, max, min, prod, but got {op}.")


def _member(name, what, rank, place):
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise TypeError(f"For '{name}', the '{what}' must be int, but got {type(rank).__name__}.")
    if not 0 <= rank < place.size:
        raise ValueError(
            f"For '{name}', the '{what}' must be a process of the group, which has {place.size}, but got {rank}."
        )


@op(ops=False, prim=Prim("AllReduce", inputs=("input_x",)), name="all_reduce_prim", **_RUN)
def all_reduce(input_x: Array, op: str = "sum", group: str = _WORLD) -> Array:
    """Reduction of the Tensors of all processes of a group."""
    _reduction("AllReduce", op)
    return exchange.all_reduce(input_x, op, place_of("AllReduce", group))


@op(ops=False, prim=Prim("ReduceScatter", inputs=("input_x",)), name="reduce_scatter_prim", **_RUN)
def reduce_scatter(input_x: Array, op: str = "sum", group: str = _WORLD) -> Array:
    """Reduction of the Tensors of all processes, of which each process keeps its slice of the first axis."""
    _reduction("ReduceScatter", op)
    return exchange.reduce_scatter(input_x, op, place_of("ReduceScatter", group))


@op(ops=False, prim=Prim("Reduce", inputs=("input_x",)), name="reduce_prim", **_RUN)
def reduce(input_x: Array, dest_rank: int, op: str = "sum", group: str = _WORLD) -> Array:
    """Reduction of the Tensors of all processes, for one of them; the other processes get a zero of shape (1,)."""
    _reduction("Reduce", op)
    place = place_of("Reduce", group)
    return (
        input_x
        if place.size == 1
        else exchange.reduce(input_x, op, place.index_of("Reduce", "dest_rank", dest_rank), place)
    )


@op(ops=False, prim=Prim("AllGather", inputs=("input_x",)), name="all_gather_prim", **_RUN)
def all_gather(input_x: Array, group: str = _WORLD) -> Array:
    """Tensors of all processes, joined along the first axis."""
    return exchange.all_gather(input_x, place_of("AllGather", group))


@op(ops=False, prim=Prim("CollectiveGather", inputs=("input_x",)), name="collective_gather", **_RUN)
def collective_gather(input_x: Array, dest_rank: int, group: str = _WORLD) -> Array:
    """Tensors of all processes for one of them, joined along the first axis; the other processes get a zero of shape
    (1,).
    """
    place = place_of("CollectiveGather", group)
    if place.size == 1:
        return input_x
    return exchange.gather(input_x, place.index_of("CollectiveGather", "dest_rank", dest_rank), place)


@op(ops=False, prim=Prim("CollectiveScatter", inputs=("input_x",)), name="collective_scatter", **_RUN)
def collective_scatter(input_x: Array, src_rank: int = 0, group: str = _WORLD) -> Array:
    """For each process its slice of the first axis of the Tensor of one of them."""
    place = place_of("CollectiveScatter", group)
    if place.size == 1:
        return input_x
    return exchange.scatter(input_x, place.index_of("CollectiveScatter", "src_rank", src_rank), place)


@op(
    ops=False,
    prim=Prim("Broadcast", init=args("root_rank", group="hccl_world_group"), call=args("input_x")),
    name="broadcast_prim",
    **_RUN,
)
def broadcast(
    input_x: Annotated[Array, Shown("Tensor | Sequence[Tensor]")], root_rank: int = 0, group: str = _WORLD
) -> Any:
    """Tensors (a tuple) of one process, for all."""
    place = place_of("Broadcast", group)
    if place.size == 1:
        return input_x
    root = place.index_of("Broadcast", "root_rank", root_rank)
    if isinstance(input_x, (tuple, list)):
        return tuple(exchange.broadcast(x, root, place) for x in input_x)
    return exchange.broadcast(input_x, root, place)


@op(ops=False, prim=Prim("AlltoAll", inputs=("input_x",)), name="all_to_all_prim", **_RUN)
def all_to_all(input_x: Array, split_count: int, split_dim: int, concat_dim: int, group: str = _WORLD) -> Array:
    """Exchange of slices along one axis, joined along another."""
    place = place_of("AlltoAll", group)
    if split_count != place.size:
        raise ValueError(
            f"For 'AlltoAll', the 'split_count' must be the number of processes, {place.size}, but got {split_count}."
        )
    split, concat = (axis % input_x.ndim for axis in (split_dim, concat_dim))
    if input_x.shape[split] % split_count:
        raise ValueError(
            f"For 'AlltoAll', the length {input_x.shape[split]} of the axis {split_dim} must be divisible by {split_count}."
        )
    return exchange.all_to_all(input_x, split, concat, place)


class Barrier(Primitive):
    """Waits for all processes of a group."""

    def __init__(self, group: str = _WORLD):
        super().__init__()
        self.place = place_of("Barrier", group)
        self.group = group

    def __call__(self):
        return records["barrier_prim"](Tensor(0, mstype.int32), self.place)


@op(ops=False, name="barrier_prim", **_RUN)
def _barrier(zero: Array, place: Operand):
    return exchange.all_reduce(zero, "sum", place)


# --- pieces of different lengths
def _flat(name, input_x):
    if input_x.ndim != 1:
        raise ValueError(
            f"For '{name}', the 'input_x' must have one axis (flatten it first), but got the shape {input_x.shape}."
        )


def _counts(name, what, sizes):
    """Flat tuple of ints from a number, a list, or nested lists (a matrix)."""
    if isinstance(sizes, (tuple, list)):
        return tuple(n for v in sizes for n in _counts(name, what, v))
    if isinstance(sizes, bool) or not isinstance(sizes, int):
        raise TypeError(f"For '{name}', the '{what}' must hold ints, but got {type(sizes).__name__}.")
    return (sizes,)


def _sizes(name, what, given, count, total=None, unit=1, own=None):
    """The sizes of all pieces in elements, checked: their number, and their sum or the one of this process."""
    sizes = _counts(name, what, given)
    if len(sizes) != count:
        raise ValueError(
            f"For '{name}', the '{what}' must have one number for each process of the group, {count}, but got {sizes}."
        )
    sizes = tuple(n * unit for n in sizes)
    says = sum(sizes) if own is None else sizes[own]
    if total is not None and says != total:
        whose = "the only process keeps all" if count == 1 else "this process has"
        raise ValueError(f"For '{name}', {whose} {total} elements, but '{what}' says {says}.")
    return sizes


def _or_nothing(x):
    """The array; an empty result is a scalar without meaning, as documented."""
    return x if x.size else jnp.zeros((), x.dtype)


@op(ops=False, prim=Prim("AllGatherV", inputs=("input_x", "output_split_sizes")), name="all_gather_v", **_RUN)
def all_gather_v(input_x: Array, output_split_sizes: Static[Ints], group: str = _WORLD) -> Array:
    """One-dimensional Tensors of all processes, with `output_split_sizes` elements each, joined.

    Raises:
        ValueError: `input_x` has several axes; the sizes are not those of the group.

    Example:
        >>> print(ops.AllGatherV()(Tensor([0, 1, 2]), [3]))
        [0 1 2]
    """
    place = place_of("AllGatherV", group)
    _flat("AllGatherV", input_x)
    own = exchange.member(place)
    sizes = _sizes("AllGatherV", "output_split_sizes", output_split_sizes, place.size, input_x.size, own=own)
    return _or_nothing(exchange.all_gather_pieces(input_x, sizes, place))


@op(ops=False, prim=Prim("ReduceScatterV", inputs=("input_x", "input_split_sizes")), name="reduce_scatter_v", **_RUN)
def reduce_scatter_v(input_x: Array, input_split_sizes: Static[Ints], op: str = "sum", group: str = _WORLD) -> Array:
    """Reduction of the one-dimensional Tensors of all processes, of which each keeps its `input_split_sizes` elements.

    Raises:
        ValueError: `op` is not one of sum, max, min; `input_x` has several axes; the sizes are not those of the group.

    Example:
        >>> print(ops.ReduceScatterV()(Tensor([0.0, 1.0]), [2]))
        [0. 1.]
    """
    place = place_of("ReduceScatterV", group)
    _reduction("ReduceScatterV", op)
    if op == ReduceOp.PROD:
        raise ValueError("For 'ReduceScatterV', the 'op' must be one of sum, max, min, but got prod.")
    _flat("ReduceScatterV", input_x)
    sizes = _sizes("ReduceScatterV", "input_split_sizes", input_split_sizes, place.size, input_x.size)
    return _or_nothing(exchange.reduce_scatter_pieces(input_x, sizes, op, place))


def dealt(x: Any, send: Any, receive: Any, place: "Place"):
    """Send pieces of a one-dimensional array, `send` elements to each member; returns the received pieces of `receive`
    elements.
    """
    me, ends = exchange.member(place), [sum(send[:i]) for i in range(place.size + 1)]
    out = [(me, i, (n,)) for i, n in enumerate(send) if n]
    plan = out + [(i, me, (n,)) for i, n in enumerate(receive) if n and i != me]
    sent = tuple(x[ends[i] : ends[i] + n] for i, n in enumerate(send) if n)
    came = exchange.exchange(sent, tuple((s, t, shape, x.dtype) for s, t, shape in plan), place)
    order = sorted(range(len(came)), key=[s for s, t, _ in plan if t == me].__getitem__)
    return jnp.concatenate([came[i] for i in order]) if came else jnp.zeros((0,), x.dtype)


def _block(name, block_size):
    if isinstance(block_size, bool) or not isinstance(block_size, int):
        raise TypeError(f"For '{name}', the 'block_size' must be int, but got {type(block_size).__name__}.")


@op(
    ops=False,
    prim=Prim("AlltoAllV", inputs=("input_x", "send_numel_list", "recv_numel_list")),
    name="all_to_all_v",
    **_RUN,
)
def all_to_all_v(
    input_x: Array,
    send_numel_list: jax.Array | Ints,
    recv_numel_list: jax.Array | Ints,
    group: str = _WORLD,
    block_size: int = 1,
) -> Array:
    """Exchange of pieces of a one-dimensional Tensor: `send_numel_list` and `recv_numel_list` count blocks for and from each process.

    Raises:
        ValueError: `input_x` has several axes; the counts are not those of the group. TypeError: `block_size` is not an int.

    Example:
        >>> print(ops.AlltoAllV()(Tensor([0.0, 1.0, 2.0]), [3], [3]))
        [0. 1. 2.]
    """
    _block("AlltoAllV", block_size)
    place = place_of("AlltoAllV", group)
    _flat("AlltoAllV", input_x)
    if place.size == 1 and isinstance(send_numel_list, Tracer):
        return _or_nothing(input_x)  # all stays here, whatever the counts will be
    if place.inside and isinstance(send_numel_list, Tracer):
        exchanges = getattr(here().bound_groups, "exchanges", None)
        if exchanges is None:
            raise open_parts.Opens
        return exchanges.run(input_x, send_numel_list, recv_numel_list, place, block_size)
    send_numel_list, recv_numel_list = plain(send_numel_list), plain(recv_numel_list)
    send = _sizes("AlltoAllV", "send_numel_list", send_numel_list, place.size, input_x.size, block_size)
    total = input_x.size if place.size == 1 else None
    receive = _sizes("AlltoAllV", "recv_numel_list", recv_numel_list, place.size, total, block_size)
    return _or_nothing(dealt(input_x, send, receive, place))


def of_matrix(name: str, matrix: Any, place: "Place", transpose: bool = False):
    """(counts that this process sends, counts that it receives) of a matrix of counts of all pairs, flat or nested."""
    counts, n, me = _counts(name, "send_count_matrix", matrix), place.size, exchange.member(place)
    if len(counts) != n * n:
        raise ValueError(
            f"For '{name}', the 'send_count_matrix' must have one number for each pair of processes of the group, {n * n}, but got {counts}."
        )
    rows = [counts[i * n : (i + 1) * n] for i in range(n)]
    send, receive = rows[me], tuple(row[me] for row in rows)
    return (receive, send) if transpose else (send, receive)


@op(ops=False, prim=Prim("AlltoAllVC", inputs=("input_x", "send_count_matrix")), name="all_to_all_vc", **_RUN)
def all_to_all_vc(
    input_x: Array, send_count_matrix: Static[Ints], group: str = _WORLD, block_size: int = 1, transpose: bool = False
) -> Array:
    """As `AlltoAllV`, with the counts of all pairs of processes in one matrix (flat or nested; `transpose`: of the way back).

    Raises:
        ValueError: `input_x` has several axes; the matrix is not that of the group. TypeError: `block_size` is not an int.

    Example:
        >>> print(ops.AlltoAllVC()(Tensor([0.0, 1.0, 2.0]), [3]))
        [0. 1. 2.]
    """
    _block("AlltoAllVC", block_size)
    place = place_of("AlltoAllVC", group)
    _flat("AlltoAllVC", input_x)
    send, receive = of_matrix("AlltoAllVC", send_count_matrix, place, transpose)
    send = _sizes("AlltoAllVC", "send_count_matrix", send, place.size, input_x.size, block_size)
    return _or_nothing(dealt(input_x, send, tuple(n * block_size for n in receive), place))


# --- with a matrix product
def _fused(name, input, x2, group, world_size, bias, comm_turn, trans_input, trans_x2):
    """(the second factor, the group), after the checks that both fused operators share."""
    place = place_of(name, group)
    for what, value, only in (
        ("world_size", world_size, place.size),
        ("bias", bias, None),
        ("comm_turn", comm_turn, 0),
        ("trans_input", trans_input, False),
    ):
        if (value is not None) if only is None else (value != only):
            why = (
                f"the group has {'one process' if place.size == 1 else f'{place.size} processes'}: it"
                if what == "world_size"
                else f"'{what}'"
            )
            raise RuntimeError(f"For '{name}', {why} can only be {only!r}, but got {what}={value!r}.")
    if input.ndim != 2 or x2.ndim != 2:
        raise RuntimeError(
            f"For '{name}', the 'input' and 'x2' must have two axes, but got the shapes {input.shape} and {x2.shape}."
        )
    if input.dtype != x2.dtype:
        raise RuntimeError(
            f"For '{name}', the 'input' and 'x2' must have the same dtype, but got {input.dtype} and {x2.dtype}."
        )
    x2 = x2.T if trans_x2 else x2
    if input.shape[1] != x2.shape[0]:
        raise RuntimeError(
            f"For '{name}', the inner lengths must be equal, but got {input.shape[1]} and {x2.shape[0]}."
        )
    return x2, place


@op(
    ops=Face(
        "all_gather_matmul",
        args("input", "x2", "group", "world_size").only(
            bias=None, gather_index=0, gather_output=True, comm_turn=0, trans_input=False, trans_x2=False
        ),
    ),
    prim=Prim("AllGatherMatmul"),
    **_RUN,
)
def all_gather_matmul(
    input: Array,
    x2: Array,
    group: Static[str],
    world_size: Static[int],
    bias: MaybeArray = None,
    gather_index: Annotated[Literal[0], Raises(RuntimeError, RuntimeError, RuntimeError)] = 0,
    gather_output: bool = True,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
):
    """(allgather(input) @ x2, allgather(input)): (m * world_size, n) and (m * world_size, k) of `input` (m, k) and `x2` (k, n).

    Without `gather_output` the second is empty. `trans_x2`: `x2` is (n, k). The other settings have one value only.

    Raises:
        RuntimeError: shapes or dtypes that do not fit; `world_size` is not that of the group; a setting that the kernel lacks.

    Example:
        >>> x, w = Tensor(np.ones((2, 3)), mindspore.float16), Tensor(np.ones((3, 4)), mindspore.float16)
        >>> ops.all_gather_matmul(x, w, "hccl_world_group", 1)[0].shape
        (2, 4)
    """
    x2, place = _fused("all_gather_matmul", input, x2, group, world_size, bias, comm_turn, trans_input, trans_x2)
    whole = exchange.all_gather(input, place)
    return whole @ x2, whole if gather_output else jnp.zeros((0,), input.dtype)


@op(
    ops=Face(
        "matmul_reduce_scatter",
        args("input", "x2", "group", "world_size").only(
            reduce_op="sum", bias=None, comm_turn=0, trans_input=False, trans_x2=False
        ),
    ),
    prim=Prim("MatmulReduceScatter"),
    **_RUN,
)
def matmul_reduce_scatter(
    input: Array,
    x2: Array,
    group: Static[str],
    world_size: Static[int],
    reduce_op: Annotated[str, That("'sum'", lambda kind: kind == ReduceOp.SUM), Raises(value=RuntimeError)] = "sum",
    bias: MaybeArray = None,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
):
    """reducescatter(input @ x2): this process's rows (m / world_size, n) of the sum of the products of all.

    Raises:
        RuntimeError: shapes or dtypes that do not fit; `world_size` is not that of the group; a setting that the kernel lacks.

    Example:
        >>> x, w = Tensor(np.ones((2, 3)), mindspore.float16), Tensor(np.ones((3, 4)), mindspore.float16)
        >>> ops.matmul_reduce_scatter(x, w, "hccl_world_group", 1).shape
        (2, 4)
    """
    x2, place = _fused("matmul_reduce_scatter", input, x2, group, world_size, bias, comm_turn, trans_input, trans_x2)
    return exchange.reduce_scatter(input @ x2, reduce_op, place)


# --- layouts
class Reshard(Primitive):
    """The Tensor in the layout `out_layout`: its place on the devices changes, not its content.

    Args:
        in_layout, out_layout: the same tuple of Layouts. in_strategy: the strategy that follows from them.

    Raises:
        TypeError: a layout is not a tuple of Layouts (or of tuples of ints).

    Example:
        >>> layout = (mindspore.Layout((1, 1), ("dp", "mp"))("dp", "mp"),)
        >>> print(ops.Reshard(layout, layout, ((1, 1),))(Tensor([[1.0]])))
        [[1.]]
    """

    def __init__(self, in_layout: Any, out_layout: Any, in_strategy: Any):
        super().__init__()
        for what, layouts in (("in_layout", in_layout), ("out_layout", out_layout)):
            if not isinstance(layouts, tuple) or not all(isinstance(v, (tuple, Layout)) for v in layouts):
                raise TypeError(f"For 'Reshard', the '{what}' must be a tuple of Layouts, but got {layouts!r}.")
        self.in_layout, self.out_layout, self.in_strategy = in_layout, out_layout, in_strategy

    def __call__(self, tensor: Tensor):
        return relay(tensor, self.out_layout[0]) if self.out_layout else tensor


@composite(ops=True)
def reshard(tensor: Array, layout: OfType[Layout]) -> Array:
    """The Tensor in this layout on the devices of a compiled program: its place changes, not its content.

    Raises:
        TypeError: `layout` is not a Layout.

    Example:
        >>> print(ops.reshard(Tensor([[1.0]]), mindspore.Layout((1, 1), ("dp", "mp"))("dp", "mp")))
        [[1.]]
    """
    return relay(tensor, layout)
