"""The cache of embedding rows that live elsewhere, and the parameter server that would hold them."""

import math
from typing import Any

import numpy as np

from ..core.operators.primitive import Primitive
from ..core.operators.record import composite
from ..core.operators.rows import Prim
from ..core.values.tensor import Tensor, host_array

_GOLDEN = 0.6180339
_KEY, _VALUE, _STEP, _DISTANCE = range(4)  # an entry of the map; distance 0: free, n: n - 1 places behind its own


def _home(key, length):
    """The place of a key (multiplicative hashing)."""
    part = _GOLDEN * key
    return int((part - math.floor(part)) * length)


def _full(length):
    return RuntimeError(f"For 'MapCacheIdx', the 'hashmap' with {length} entries is full: make it larger.")


def _find(table, key):
    """The place of a key, or the free place where it belongs, and the distance from its own place, from 1."""
    length = len(table)
    place = _home(key, length)
    for distance in range(1, length + 1):
        if table[place, _DISTANCE] == 0 or table[place, _KEY] == key:
            return place, distance
        place = (place + 1) % length
    raise _full(length)


def _free(table, hole):
    """Free an entry, and move those behind it forward that are not at their own place."""
    length = len(table)
    table[hole, _DISTANCE] = 0
    place, step = (hole + 1) % length, 1
    while table[place, _DISTANCE] != 0:
        if table[place, _DISTANCE] > step:
            table[hole] = table[place]
            table[hole, _DISTANCE] -= step
            table[place, _DISTANCE] = 0
            hole, step = place, 0
        place, step = (place + 1) % length, step + 1


def _exchange(table, keys, step, most):
    """(cache rows, old keys, new keys, rows that change hands) of a batch; `table` is changed."""
    length, rows, missing = len(table), np.full(keys.shape, -1, keys.dtype), []
    for i, key in enumerate(keys):
        if not 0 <= key < most:
            continue
        place, _ = _find(table, key)
        if table[place, _DISTANCE] == 0:
            missing.append(i)
        else:
            rows[i] = table[place, _VALUE]
            table[place, _STEP] = step
    old = []
    for i in missing:
        place, distance = _find_free(table, keys[i])
        table[place, _KEY], table[place, _STEP], table[place, _DISTANCE] = keys[i], step, distance
        victim = (place + 1) % length
        for _ in range(length):
            if table[victim, _DISTANCE] != 0 and table[victim, _STEP] < step - 1:
                break
            victim = (victim + 1) % length
        else:
            raise _full(length)
        rows[i] = table[place, _VALUE] = table[victim, _VALUE]
        old.append(table[victim, _KEY])
        _free(table, victim)
    return rows, np.array(old, keys.dtype), keys[missing], rows[missing]


def _find_free(table, key):
    """The first free place for a key (it may be in the map already: a batch can ask for a missing key twice), and its distance."""
    length = len(table)
    place = _home(key, length)
    for distance in range(1, length + 1):
        if table[place, _DISTANCE] == 0:
            return place, distance
        place = (place + 1) % length
    raise _full(length)


@composite(prim=Prim("MapCacheIdx"), ops=False, name="map_cache_idx")
def map_cache_idx(hashmap: Any, indices: Any, step: Any, emb_max_num: Any, cache_max_num: Any):
    """Rows of a cache that hold the given embeddings; rows not used since the step before last are given to embeddings that are missing.

    Args:
        hashmap: Parameter (entries, 4) of ints: key, cache row, last step, distance from its own place + 1 (0: free); written.
        indices: numbers of embeddings.
        step: number of this step.
        emb_max_num: those below it belong to this cache.
        cache_max_num: the number of the first of them: it is subtracted (MindSpore's kernel names it so).

    Returns:
        (cache row of each index, -1 for those of another cache; embeddings that left the cache; those that came; their rows)

    Raises:
        ValueError: `hashmap` has another shape. TypeError: other dtypes than one of ints. RuntimeError: no row is old enough to be given
            away.

    Example:
        >>> hashmap = Parameter(Tensor([[5, 0, 0, 1], [10, 1, 0, 1], [0, 0, 0, 0], [15, 2, 0, 1]]), name="hashmap")
        >>> rows, old, new, changed = ops.MapCacheIdx()(
        ...     hashmap, Tensor([10, 2]), Tensor([3]), Tensor([25]), Tensor([0])
        ... )
        >>> rows.asnumpy(), old.asnumpy(), new.asnumpy(), changed.asnumpy()
        (array([1, 2]), array([15]), array([2]), array([2]))
    """
    if hashmap.ndim != 2 or hashmap.shape[1] != 4:
        raise ValueError(f"For 'MapCacheIdx', the 'hashmap' must have the shape (entries, 4), but got {hashmap.shape}.")
    table, keys = np.array(host_array(hashmap.jax_array)), np.array(host_array(indices.jax_array))
    if table.dtype != keys.dtype or table.dtype not in (np.int32, np.int64):
        raise TypeError(
            f"For 'MapCacheIdx', 'hashmap' and 'indices' must be of one type of ints, but got {hashmap.dtype} and {indices.dtype}."
        )
    now, most, first = (
        int(np.asarray(host_array(v.jax_array) if isinstance(v, Tensor) else v).reshape(-1)[0])
        for v in (step, emb_max_num, cache_max_num)
    )
    found = _exchange(table, (keys - first).astype(keys.dtype).reshape(-1), now, most)
    hashmap.assign_value(Tensor(table))
    return tuple(Tensor(np.reshape(a, indices.shape) if i == 0 else a) for i, a in enumerate(found))


def _no_server(name):
    return RuntimeError(
        f"For '{name}', there is no parameter server: weights and optimizer are in this process, so update them here."
    )


class Push(Primitive):
    """Would send the inputs of an optimizer to a parameter server, which does not exist here: a call raises RuntimeError.

    Args:
        optim_type: name of the optimizer's operator. only_shape_indices: inputs of which only the shape would be sent.
    """

    def __init__(self, optim_type: str = "ApplyMomentum", only_shape_indices: Any = None):
        super().__init__()
        self.add_prim_attr("optim_type", optim_type)
        self.add_prim_attr("only_shape_indices", only_shape_indices)

    def __call__(self, optim_inputs: Any, optim_input_shapes: Any):
        raise _no_server("Push")


class Pull(Primitive):
    """Would fetch a weight from a parameter server, which does not exist here: a call raises RuntimeError."""

    def __init__(self):
        super().__init__()

    def __call__(self, key: Any, weight: Any):
        raise _no_server("Pull")
