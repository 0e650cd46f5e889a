"""Checkpoints in parts, by Orbax (`pip install 'msjax[orbax]'`): each process writes and reads only its own parts.

A Parameter comes back as it is to lie now, on however many devices, whatever it lay on when it was written.
"""

import os

import jax
from jax.sharding import NamedSharding, PartitionSpec

from ..core.values.ownership import keep
from ..core.values.parameter import Parameter
from ..nn.cell.cell import Cell
from ..parallel.launch import to_mesh
from ..parallel.places import mesh_of_all
from ..parallel.processes import world

__all__ = ["load_sharded", "save_sharded"]


def _orbax():
    try:
        import orbax.checkpoint  # an extra, and heavy
    except ImportError as error:
        raise ImportError(
            "Checkpoints in parts need the package orbax-checkpoint: pip install 'msjax[orbax]'."
        ) from error
    return orbax.checkpoint


def _arrays(net):
    """{name: array}: of several processes arrays of the mesh of all."""
    if not isinstance(net, Cell):
        raise TypeError(f"a checkpoint in parts is of a Cell, but got {type(net).__name__}.")
    found = {p.name: p.jax_array for p in net.get_parameters() if isinstance(p, Parameter)}
    if world().size > 1:
        whole = NamedSharding(mesh_of_all(), PartitionSpec())
        found = {name: to_mesh(array, whole) if array.is_fully_addressable else array for name, array in found.items()}
    return found


def save_sharded(net: Cell, folder: str):
    """Write the Parameters of a Cell (a network, or a whole train step with its optimizer) to a new folder; all processes call it.

    Raises:
        TypeError: no Cell. ValueError: the folder is there. ImportError: there is no Orbax.

    Example:
        >>> from msjax.train.sharded_checkpoint import save_sharded
        >>> save_sharded(net, "checkpoints/100")  # doctest: +SKIP
    """
    orbax = _orbax()
    with orbax.StandardCheckpointer() as writer:
        writer.save(os.path.abspath(folder), _arrays(net))


def load_sharded(net: Cell, folder: str):
    """Give the Parameters of a Cell their values from a folder, laid out as they lie now; all processes call it.

    Raises:
        TypeError: no Cell. ValueError: the folder is not there, or is of other Parameters. ImportError: there is no Orbax.
    """
    orbax, held = _orbax(), _arrays(net)
    if not os.path.isdir(folder):
        raise ValueError(f"There is no folder {folder}.")
    like = {name: jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=a.sharding) for name, a in held.items()}
    with orbax.StandardCheckpointer() as reader:
        found = reader.restore(os.path.abspath(folder), like)
    for parameter in net.get_parameters():
        array = found[parameter.name]
        local = world().size > 1 and parameter._made().is_fully_addressable
        keep(parameter, array.addressable_data(0) if local else array)
