"""Which operators give views of their first argument, and how a view is written back (see `core/operators/views.py`)."""

from collections.abc import Callable

import jax.numpy as jnp

from ..core.above import above
from ..core.operators import views
from ..core.operators.record import op, records
from ..core.spec import Array, Operand
from ..core.values.tensor import Tensor

# what MindSpore 2.10 gives without a copy; not among them: ops.flatten (Tensor.flatten is), flip, tile, and what looks up positions
for name in (
    "reshape transpose reversed_axes matrix_transpose swapaxes transpose_ext t moveaxis expand_dims squeeze ravel "
    "diagonal narrow split prim_split chunk unstack tensor_split hsplit vsplit dsplit strided_slice slice_ select_index "
    "atleast_1d_one atleast_2d_one atleast_3d_one broadcast_to"
).split():
    records[name].view = True


def itself_or_new(test: Callable):
    """For `Record.view`: args[0] is the result itself where a test of the arguments and the result holds, else it shares nothing."""
    return lambda args, out: args[0] if isinstance(args[0], Tensor) and test(args, out) else None


def _itself_or_view(test):
    return lambda args, out: args[0] if isinstance(args[0], Tensor) and test(args, out) else out


def _same_axis(args, out):
    return not (args[1] - args[2]) % max(out.ndim, 1)


def _same_rank(args, out):
    return args[0].ndim == out.ndim


# what MindSpore 2.10 gives as it is
records["cast"].view = itself_or_new(lambda args, out: args[0].dtype == out.dtype)
records["positive"].view = itself_or_new(lambda args, out: True)
for name in "dropout dropout1d dropout2d dropout3d".split():
    records[name].view = itself_or_new(lambda args, out: args[2] is False)
records["swapaxes"].view = _itself_or_view(_same_axis)
for name in "reversed_axes t".split():
    records[name].view = _itself_or_view(lambda args, out: out.ndim < 2)
for name in "atleast_1d_one atleast_2d_one atleast_3d_one".split():
    records[name].view = _itself_or_view(_same_rank)
records["addn"].view = lambda args, out: args[0][0] if len(args[0]) == 1 and isinstance(args[0][0], Tensor) else None


@op(ops=False, writes=(0,))
def put_positions(x: Array, value: Operand, where: Operand):
    """x with the elements at flat positions replaced."""
    return x.reshape(-1).at[where.reshape(-1)].set(value.reshape(-1).astype(x.dtype)).reshape(x.shape)


@op(ops=False, writes=(0,))
def put_repeated(x: Array, value: Operand, where: Operand):
    """x with those elements replaced that differ at one of the places where `value` repeats them."""
    flat, where, value = x.reshape(-1), where.reshape(-1), value.reshape(-1)
    old = flat[where]
    same = (old == value) | (old != old) & (value != value)
    return flat.at[jnp.where(same, flat.size, where)].set(value, mode="drop").reshape(x.shape)


def _put_back(view, box):
    if view.by_index:
        records["setitem"](view.parent, box, *view.args)
    elif view.repeats:
        records["put_repeated"](view.parent, box, views.wrap(views.positions(view)))
    else:
        records["put_positions"](view.parent, box, views.wrap(views.positions(view)))


def _sharing(parameter):
    return views.share(records["identity"], (parameter,), parameter.value())


def _sharer(box):
    links = views.links_of(box)
    view = None if links is None else links.view
    return view.parent if view is not None and view.record.name == "identity" and view.parent._through_frames else None


def _replaced(box):
    if not views.copies():
        views.replaced(box)


above.write_back, above.sharing, above.sharer, above.replaced = _put_back, _sharing, _sharer, _replaced
