"""MapParameter: a table from integer keys to values that grows as keys are asked for."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.values import dtype as mstype
from ..core.values.initializer import initializer
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, host_array, is_tracing

if TYPE_CHECKING:
    from ..core.values.dtype import Type

__all__ = ["MapParameter"]


class MapParameter(Parameter):
    """A Parameter that maps keys to values of one shape. The table is on the host, so it is used outside compiled
    functions.

    Args:
        key_dtype, value_dtype, value_shape: of keys (int32) and values (float32, (1,)). key_tensor, value_tensor:
        first content.
        default_value: number or initializer name for keys that are new. permit_filter_value: a new key is kept from
        so many requests on.
        evict_filter_value: accepted; nothing is evicted. name, requires_grad: as for Parameter.

    Raises:
        ValueError: dtypes or shapes that contradict each other. KeyError: a key that is not there and shall not be
        made.

    Example:
        >>> from mindspore.experimental import MapParameter
        >>> table = MapParameter(mindspore.int32, mindspore.float32, value_shape=3, default_value="zeros")
        >>> print(table.put(Tensor([1, 2], mindspore.int32), Tensor([[1, 1, 1], [2, 2, 2]], mindspore.float32)))
        MapParameter(key_dtype=Int32, value_dtype=Float32, value_shape=(3,), size=2)
        >>> print(table.get(Tensor([1, 5], mindspore.int32)))
        [[1. 1. 1.]
         [0. 0. 0.]]
    """

    def __init__(
        self,
        key_dtype: "Type | None" = None,
        value_dtype: "Type | None" = None,
        value_shape: int | Sequence[int] | None = None,
        key_tensor: Tensor | None = None,
        value_tensor: Tensor | None = None,
        default_value: str = "normal",
        permit_filter_value: int = 1,
        evict_filter_value: Any = sys.maxsize,
        name: str | None = None,
        requires_grad: bool = True,
    ):
        value_shape = (
            (value_shape,)
            if isinstance(value_shape, int)
            else value_shape
            if value_shape is None
            else tuple(value_shape)
        )
        row = None if value_tensor is None else tuple(value_tensor.shape[1:])
        for what, given, found in (
            ("key_dtype", key_dtype, key_tensor is not None and key_tensor.dtype),
            ("value_dtype", value_dtype, value_tensor is not None and value_tensor.dtype),
        ):
            if given is not None and found is not False and given != found:
                raise ValueError(
                    f"When initializing a MapParameter, '{what}' and '{what.replace('dtype', 'tensor')}.dtype' should "
                    "be set the same."
                )
        if value_shape is not None and row is not None and value_shape != row:
            raise ValueError(
                "When initializing a map_parameter, 'value_shape' and 'value_tensor.shape' should be set the same."
            )
        self.key_dtype = key_tensor.dtype if key_tensor is not None else key_dtype or mstype.int32
        self.value_dtype = value_tensor.dtype if value_tensor is not None else value_dtype or mstype.float32
        self.value_shape = row if row is not None else value_shape or (1,)
        self.default_value = default_value
        self.permit_filter_value, self.evict_filter_value = permit_filter_value, evict_filter_value
        super().__init__(
            Tensor(np.zeros(self.value_shape, mstype.to_numpy(self.value_dtype))),
            name=name,
            requires_grad=requires_grad,
        )
        self._table, self._requests, self._changed_keys, self._erased = {}, {}, set(), set()
        if key_tensor is not None and value_tensor is not None:
            self.put(key_tensor, value_tensor)

    def _keys(self, key_tensor):
        if is_tracing(key_tensor):
            raise RuntimeError(
                "A MapParameter is a table on the host: use it outside compiled functions, or use nn.Embedding."
            )
        return host_array(key_tensor.jax_array).reshape(-1).tolist()

    def _default(self):
        made = initializer(self.default_value, self.value_shape, self.value_dtype)
        return host_array((made.init_data() if made.has_init else made).jax_array)

    def get(self, key_tensor: Tensor, insert_default_value: bool = True):
        """Values of keys, one row for each; new keys get the default value, and are kept with
        `insert_default_value`.
        """
        rows = []
        for key in self._keys(key_tensor):
            if key not in self._table:
                if not insert_default_value:
                    raise KeyError(f"For 'MapParameter', the key {key} is not there.")
                value, count = self._default(), self._requests.get(key, 0) + 1
                self._requests[key] = count
                if count >= self.permit_filter_value:
                    self._set(key, value)
                rows.append(value)
            else:
                rows.append(self._table[key])
        return Tensor(np.array(rows, mstype.to_numpy(self.value_dtype)).reshape(-1, *self.value_shape))

    def _set(self, key, value):
        self._table[key] = value
        self._changed_keys.add(key)
        self._erased.discard(key)

    def put(self, key_tensor: Tensor, value_tensor: Tensor):
        """Set the values of keys; returns the MapParameter."""
        for key, value in zip(
            self._keys(key_tensor), host_array(value_tensor.jax_array).reshape(-1, *self.value_shape)
        ):
            self._set(key, np.array(value))
        return self

    def erase(self, key_tensor: Tensor):
        """Remove keys; returns the MapParameter."""
        for key in self._keys(key_tensor):
            if self._table.pop(key, None) is not None:
                self._changed_keys.discard(key)
                self._erased.add(key)
        return self

    def get_keys(self):
        """Tensor of the keys."""
        return Tensor(np.array(list(self._table), mstype.to_numpy(self.key_dtype)))

    def get_values(self):
        """Tensor of the values, in the order of `get_keys`."""
        rows = np.array(list(self._table.values()), mstype.to_numpy(self.value_dtype))
        return Tensor(rows.reshape(-1, *self.value_shape))

    def get_data(self):
        """(keys, values)"""
        return self.get_keys(), self.get_values()

    def export_data(self, incremental: bool = False):
        """NumPy arrays (keys, values, status) of all entries, or of those changed since the last export. Status 1:
        changed, 2: erased, 0: neither.
        """
        keys = [k for k in self._table if not incremental or k in self._changed_keys]
        rows = [self._table[k] for k in keys]
        status = [int(k in self._changed_keys) for k in keys]
        if incremental:
            gone = sorted(self._erased)
            keys, rows, status = keys + gone, rows + [np.zeros(self.value_shape)] * len(gone), status + [2] * len(gone)
        self._changed_keys, self._erased = set(), set()
        values = np.array(rows, mstype.to_numpy(self.value_dtype)).reshape(-1, *self.value_shape)
        return np.array(keys, mstype.to_numpy(self.key_dtype)), values, np.array(status, np.int32)

    def export_bytes(self, incremental: bool = False):
        """`export_data` as three byte strings."""
        return tuple(part.tobytes() for part in self.export_data(incremental))

    def export_slice_data(self, incremental: bool = False):
        """(keys, values, status, whether this is the last slice): the table is one slice."""
        return (*self.export_data(incremental), True)

    def import_data(self, data: Any):
        """Take in the arrays of `export_data`."""
        for key, value, status in zip(*data[:3]):
            if status == 2:
                self._table.pop(int(key), None)
            else:
                self._table[int(key)] = np.array(value)

    def clone(self, init: Any = "same"):
        """An empty MapParameter like this one; `init` other than "same" is its default value."""
        return MapParameter(
            self.key_dtype,
            self.value_dtype,
            self.value_shape,
            default_value=self.default_value if init == "same" else init,
            permit_filter_value=self.permit_filter_value,
            evict_filter_value=self.evict_filter_value,
            name=self.name,
            requires_grad=self.requires_grad,
        )

    def __getitem__(self, key_tensor):
        return self.get(key_tensor, True)

    def __setitem__(self, key_tensor, value_tensor):
        self.put(key_tensor, value_tensor)

    def __str__(self):
        return (
            f"MapParameter(key_dtype={self.key_dtype}, value_dtype={self.value_dtype}, "
            f"value_shape={self.value_shape}, size={len(self._table)})"
        )

    __repr__ = __str__
