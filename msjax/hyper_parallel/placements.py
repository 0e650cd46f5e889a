"""How a Tensor lies along one axis of a mesh: split (Shard), whole everywhere (Replicate), or as terms of a reduction (Partial)."""

__all__ = ["Partial", "Placement", "Replicate", "Shard"]


class Placement:
    """Base class of all placements."""

    def is_shard(self, dim: int | None = None):
        """Whether the Tensor is split, along `dim` if it is given."""
        return False

    def is_replicate(self):
        """Whether the Tensor is whole on each device."""
        return False

    def is_partial(self, reduce_op: str | None = None):
        """Whether each device holds a term of a reduction (of `reduce_op`, if it is given)."""
        return False

    def __repr__(self):
        return f"{type(self).__name__}()"


class Shard(Placement):
    """Each device of the mesh axis holds a part along axis `dim` of the Tensor.

    Example:
        >>> from msjax.hyper_parallel import Shard
        >>> Shard(0)
        Shard(dim=0)
    """

    def __init__(self, dim: int):
        self._dim = dim

    @property
    def dim(self):
        """The axis of the Tensor."""
        return self._dim

    def is_shard(self, dim: int | None = None):
        """Whether `dim` is the axis that is split; True without `dim`."""
        return dim is None or dim == self._dim

    def __eq__(self, other):
        return isinstance(other, Shard) and other.dim == self._dim

    def __hash__(self):
        return hash(("shard", self._dim))

    def __repr__(self):
        return f"{type(self).__name__}(dim={self._dim})"

    def __str__(self):
        return f"S({self._dim})"


class Replicate(Placement):
    """Each device of the mesh axis holds the whole Tensor."""

    def is_replicate(self):
        """True."""
        return True

    def __eq__(self, other):
        return type(other) is type(self)

    def __hash__(self):
        return hash("replicate")

    def __str__(self):
        return "R"


class Partial(Placement):
    """Each device of the mesh axis holds a term; the Tensor is the reduction of the terms by `reduce_op` ("sum", "avg",
    "max", "min", "prod", "all").
    """

    def __init__(self, reduce_op: str = "sum"):
        self._reduce_op = reduce_op

    @property
    def reduce_op(self):
        """Name of the reduction."""
        return self._reduce_op

    def is_partial(self, reduce_op: str | None = None):
        """Whether `reduce_op` is the reduction; True without it."""
        return reduce_op is None or reduce_op == self._reduce_op

    def __eq__(self, other):
        return isinstance(other, Partial) and other.reduce_op == self._reduce_op

    def __hash__(self):
        return hash(("partial", self._reduce_op))

    def __repr__(self):
        return f"{type(self).__name__}(reduce_op='{self._reduce_op}')"

    def __str__(self):
        return "P"
