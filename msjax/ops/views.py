"""Which operators give views of their first argument, and how a view is written back (see `core/operators/views.py`)."""

from ..core.operators import views
from ..core.operators.record import op, records
from ..core.spec import Array, Operand

# what MindSpore 2.10 gives without a copy; not among them: ops.flatten, broadcast_to, flip, tile, and what looks up positions
for name in (
    "reshape transpose reversed_axes matrix_transpose swapaxes t moveaxis expand_dims squeeze ravel "
    "diagonal narrow split prim_split chunk unstack tensor_split hsplit vsplit dsplit strided_slice slice_ select_index "
    "atleast_2d_one atleast_3d_one"
).split():
    records[name].view = True


@op(ops=False, writes=(0,))
def put_positions(x: Array, value: Operand, where: Operand):
    """x with the elements at flat positions replaced."""
    return x.reshape(-1).at[where.reshape(-1)].set(value.reshape(-1).astype(x.dtype)).reshape(x.shape)


def _put_back(view, box):
    if view.record.name == "getitem":
        records["setitem"](view.parent, box, *view.args)
    else:
        records["put_positions"](view.parent, box, views.wrap(views.positions(view)))


views.put_back = _put_back
