"""Which operators give views of their first argument, and how a view is written back (see `core/operators/views.py`)."""

import jax.numpy as jnp

from ..core.above import above
from ..core.operators import views
from ..core.operators.record import op, records
from ..core.spec import Array, Operand

# what MindSpore 2.10 gives without a copy; not among them: ops.flatten (Tensor.flatten is), flip, tile, and what looks up positions
for name in (
    "reshape transpose reversed_axes matrix_transpose swapaxes t moveaxis expand_dims squeeze ravel "
    "diagonal narrow split prim_split chunk unstack tensor_split hsplit vsplit dsplit strided_slice slice_ select_index "
    "atleast_1d_one atleast_2d_one atleast_3d_one broadcast_to"
).split():
    records[name].view = True
records["cast"].view = lambda x, out: records["identity"] if x.dtype == out.dtype else None


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
