"""Samplers: the rows of an epoch, and their order, for a source with random access."""

import copy
import enum
import itertools
import numbers
from collections.abc import Iterable
from typing import Annotated

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Raises, That, Within
from .. import config
from ..check import check, check_rows, is_iterable
from ..recorded import Recorded
from ..twister import MersenneTwister
from .draw import Draw
from .user_error import of_user

__all__ = [
    "BuiltinSampler",
    "DistributedSampler",
    "IterSampler",
    "PKSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Shuffle",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
    "select_sampler",
]


class Shuffle(str, enum.Enum):  # noqa: UP042 (str(Shuffle.GLOBAL) is not "global" in MindSpore)
    """The unit of shuffling: nothing, all rows, rows within parts, the order of files, or the rows within files."""

    FALSE: str = "false"
    ADAPTIVE: str = "adaptive"
    GLOBAL: str = "global"
    PARTIAL: str = "partial"
    FILES: str = "files"
    INFILE: str = "infile"


Whole = int | bool  # True counts as 1, as in Python
SampleCount = Annotated[Whole, Within("[0, 9223372036854775807]")]
Weight = int | float | bool | complex | np.number
IsMode = That("a Shuffle but FALSE", lambda mode: mode in tuple(Shuffle) and mode != Shuffle.FALSE, is_type=True)
IsAnyMode = That("a Shuffle", lambda mode: mode in tuple(Shuffle), is_type=True)
NO_STRING = That("but no str", lambda value: not isinstance(value, str), is_type=True)


class BuiltinSampler(Recorded):
    """Base class of the samplers; a child sampler chooses first, and this one chooses among the child's rows.

    A subclass defines `choose(size, draw)` and `chosen(size)`.

    Args:
        num_samples (int, optional): at most so many rows; None: no limit.
    """

    def __init__(self, num_samples: int | None = None):
        self.child_sampler = None
        self.num_samples = num_samples

    def __copy__(self):
        # What a sampler holds (weights, a user's data) is shared, the chain is not: it changes by add_sampler().
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.child_sampler = copy.copy(self.child_sampler)
        return new

    def choose(self, size: int, draw: Draw):
        """Positions among `size` rows in the order of this epoch, an int64 array."""
        raise NotImplementedError(f"{type(self).__name__} has to implement choose().")

    def chosen(self, size: int, source: object = None):
        """How many rows `choose` gives."""
        return self._limit(size)

    def _limit(self, count):
        return min(count, self.num_samples) if self.num_samples else count

    def sample(self, size: int, draw: Draw):
        """The row numbers of this epoch, in order, of a source with `size` rows."""
        if self.child_sampler is None:
            return self.choose(size, draw)
        below = self.child_sampler.sample(size, draw)
        # The rows that a user's sampler was counted to give; in an epoch it may give more, or fewer.
        wanted = self.child_sampler.count(size) if isinstance(self.child_sampler, Sampler) else len(below)
        places = self.choose(wanted, draw)
        check(
            (places < len(below)).all(),
            f"Invalid data, {type(self.child_sampler).__name__} was counted to give {wanted} rows, but it gave {len(below)}.",
            RuntimeError,
        )
        return below[places]

    def count(self, size: int, source: object = None):
        """How many rows `sample` gives."""
        return self.chosen(size if self.child_sampler is None else self.child_sampler.count(size, source), source)

    def add_child(self, sampler: object):
        """Makes `sampler` choose before this one."""
        check(self.child_sampler is None, "Cannot add child sampler, this sampler already has a child.", RuntimeError)
        check(
            sampler is None or sampler.get_shuffle_mode() != Shuffle.PARTIAL,
            "When multiple samplers are used, ensure that the shuffle of the input sampler must not be "
            "Shuffle.PARTIAL.",
            RuntimeError,
        )
        check(
            self.get_shuffle_mode() in (Shuffle.GLOBAL, Shuffle.FALSE),
            "When multiple samplers are used, ensure that the shuffle of the current sampler must be Shuffle.FALSE "
            f"or Shuffle.GLOBAL, but got: {self.get_shuffle_mode()}.",
            RuntimeError,
        )
        self.child_sampler = sampler

    def get_child(self):
        """The sampler that chooses before this one."""
        return self.child_sampler

    def parse_child(self):
        """`parse()` of the sampler that chooses before this one, or None."""
        return None if self.child_sampler is None else self.child_sampler.parse()

    parse_child_for_minddataset = parse_child

    def parse_for_minddataset(self):
        """The same as `parse()`."""
        return self.parse()

    def get_num_samples(self):
        """The limit on rows that this sampler and its children set, or None."""
        child = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        limits = [limit for limit in (self.num_samples, child) if limit is not None]
        return min(limits) if limits else None

    def get_shuffle_mode(self):
        """How rows are shuffled, a Shuffle."""
        return Shuffle.FALSE

    def is_shuffled(self):
        """Whether the rows are in random order."""
        return self.child_sampler is not None and self.child_sampler.is_shuffled()

    def is_sharded(self):
        """Whether this is one of several shards."""
        return self.child_sampler is not None and self.child_sampler.is_sharded()


class SequentialSampler(BuiltinSampler):
    """Rows in order.

    Args:
        start_index (int, optional): the first row; None: 0.
        num_samples (int, optional): at most so many rows.
    """

    @checked
    def __init__(self, start_index: Whole | None = None, num_samples: SampleCount | None = None):
        super().__init__(num_samples)
        self.start_index = start_index

    def chosen(self, size: int, source: object = None):
        start = self.start_index or 0
        check(
            0 <= start < max(size, 1),
            f"Invalid parameter, start_index must be non-negative and less than the number of rows {size}, "
            f"but got start_index: {start}.",
            RuntimeError,
        )
        return self._limit(size - start)

    def choose(self, size: int, draw: Draw):
        start = self.start_index or 0
        return np.arange(start, start + self.chosen(size), dtype=np.int64)


class RandomSampler(BuiltinSampler):
    """Rows in random order.

    Args:
        replacement (bool): whether a row may come more than once.
        num_samples (int, optional): at most so many rows.
        shuffle (Shuffle): GLOBAL; other modes are for MindDataset.
    """

    @checked
    def __init__(
        self,
        replacement: bool = False,
        num_samples: SampleCount | None = None,
        shuffle: Annotated[str, IsMode] = Shuffle.GLOBAL,
    ):
        super().__init__(num_samples)
        self.deterministic = False
        self.replacement = replacement
        self.reshuffle_each_epoch = True
        self.shuffle = shuffle

    def chosen(self, size: int, source: object = None):
        endless = self.replacement and getattr(getattr(source, "_draws", None), "endless", False)
        return self.num_samples if endless and self.num_samples else self._limit(size)

    def choose(self, size: int, draw: Draw):
        count = self.chosen(size, draw.source)
        if not self.reshuffle_each_epoch:
            draw = type(draw)(draw.run, 0, draw.source)
        return draw.drawn(size, count) if self.replacement else draw.shuffled(self, range(size))[:count]

    def is_shuffled(self):
        return True

    def get_shuffle_mode(self):
        return self.shuffle


class DistributedSampler(BuiltinSampler):
    """Every `num_shards`-th row; all shards shuffle alike, and wrap around so that they are of one length.

    Args:
        num_shards (int): number of shards.
        shard_id (int): which one, from 0.
        shuffle (Union[bool, Shuffle]): whether rows are shuffled first.
        num_samples (int, optional): at most so many rows.
        offset (int): shard that the first row goes to; then shards may differ in length by one row. -1: shard 0, equal
            lengths.
    """

    @checked
    def __init__(
        self,
        num_shards: Whole,
        shard_id: Whole,
        shuffle: bool | Annotated[str, IsAnyMode] = True,
        num_samples: SampleCount | None = None,
        offset: Whole = -1,
    ):
        super().__init__(num_samples)
        if isinstance(shuffle, bool):
            shuffle = Shuffle.GLOBAL if shuffle else Shuffle.FALSE
        self.num_shards, self.shard_id, self.shuffle, self.offset = num_shards, shard_id, shuffle, offset
        self.seed = config.get_seed()  # the same in all processes, also without set_seed(): shards must not overlap

    def _check(self):
        check(
            0 <= self.shard_id < self.num_shards,
            f"Invalid parameter, shard_id must be less than num_shards {self.num_shards}, but got: {self.shard_id}.",
            RuntimeError,
        )
        check(
            self.offset <= self.num_shards,
            f"DistributedSampler: offset must be no more than num_shards({self.num_shards}), but got: {self.offset}.",
            RuntimeError,
        )

    def parse(self):
        self._check()
        return super().parse()

    def chosen(self, size: int, source: object = None):
        self._check()
        if self.offset == -1:
            return self._limit(-(-size // self.num_shards))
        count, rest = divmod(size + self.offset, self.num_shards)
        return self._limit(count + (self.shard_id < rest) - (self.shard_id < self.offset))

    def choose(self, size: int, draw: Draw):
        offset = max(self.offset, 0)
        first = self.num_shards * (self.shard_id < offset) + self.shard_id - offset
        places = (first + self.num_shards * np.arange(self.chosen(size), dtype=np.int64)) % max(size, 1)
        if self.shuffle == Shuffle.FALSE:
            return places
        return draw.shuffled(self, range(size), seed=self.seed + 1)[places]

    def set_offset(self, offset: int):
        """Sets the shard that gets the first row."""
        self.offset = offset
        return self

    def is_shuffled(self):
        return self.shuffle != Shuffle.FALSE if self.child_sampler is None else self.child_sampler.is_shuffled()

    def is_sharded(self):
        return self.num_shards > 1 if self.child_sampler is None else self.child_sampler.is_sharded()

    def get_shuffle_mode(self):
        return self.shuffle


class PKSampler(BuiltinSampler):
    """K rows of each of P classes.

    Args:
        num_val (int): rows of each class.
        num_class (int, optional): only None: all classes.
        shuffle (bool): whether the classes come in random order.
        class_column (str): for MindDataset: the column of labels.
        num_samples (int, optional): at most so many rows.
    """

    @checked
    def __init__(
        self,
        num_val: Whole,
        num_class: Annotated[None, Raises(NotImplementedError)] = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: SampleCount | None = None,
    ):
        super().__init__(num_samples)
        self.num_val, self.shuffle, self.class_column = num_val, shuffle, class_column

    def chosen(self, size: int, source: object = None):
        check(source is not None, "PKSampler needs a source with labels.", RuntimeError)
        return self._limit(self.num_val * len(np.unique(source.class_labels())))

    def choose(self, size: int, draw: Draw):
        check(
            self.num_val > 0,
            f"Invalid parameter, num_val must be greater than 0, but got: {self.num_val}.",
            RuntimeError,
        )
        labels = draw.source.class_labels()
        members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
        twister = MersenneTwister(draw.run.seed + draw.epoch)
        order = list(range(len(members)))
        if self.shuffle:  # once: later epochs keep the order of the classes
            order = draw.run.remember(self, lambda: order, "order")
            if draw.epoch == 0:
                twister.shuffle(order)
        chosen = [members[c][twister.below(len(members[c]))] for c in order for _ in range(self.num_val)]
        return np.array(chosen[: self._limit(len(chosen))], np.int64)

    def is_shuffled(self):
        return self.shuffle if self.child_sampler is None else self.child_sampler.is_shuffled()


class SubsetSampler(BuiltinSampler):
    """The rows at given indices, in that order.

    Args:
        indices (Iterable[int]): the rows.
        num_samples (int, optional): at most so many.
    """

    @checked
    def __init__(self, indices: Annotated[int | bool | Iterable, NO_STRING], num_samples: SampleCount | None = None):
        if isinstance(indices, int):
            indices = [indices]
        indices = (
            list(indices) if num_samples is None else [i for i, _ in zip(indices, range(num_samples), strict=False)]
        )
        for i, item in enumerate(indices):
            check(
                isinstance(item, (int, np.integer)),
                f"SubsetSampler: Type of indices element must be int, but got list[{i}]: {item}, type: {type(item)}.",
                TypeError,
            )
        super().__init__(num_samples)
        self.indices = indices

    def _checked(self, size):
        for i in self.indices:
            check(
                0 <= i < size,
                f"Invalid data, indices are out of bounds: the dataset has {size} rows, but got index {i}.",
                RuntimeError,
            )
        return np.array(self.indices, np.int64)

    def chosen(self, size: int, source: object = None):
        return self._limit(len(self.indices))

    def choose(self, size: int, draw: Draw):
        return self._checked(size)[: self.chosen(size)]

    def get_num_samples(self):
        limit = super().get_num_samples()
        return len(self.indices) if limit is None else min(len(self.indices), limit)


class SubsetRandomSampler(SubsetSampler):
    """The rows at given indices in random order; see SubsetSampler."""

    def choose(self, size: int, draw: Draw):
        return draw.shuffled(self, self._checked(size), step=0)[: self.chosen(size)]

    def is_shuffled(self):
        return True

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL


class WeightedRandomSampler(BuiltinSampler):
    """Random rows, each with its own weight.

    Args:
        weights (list[Union[int, float]]): one for each row; they need not sum up to 1.
        num_samples (int, optional): how many rows; None: as many as there are weights.
        replacement (bool): whether a row may come more than once.
    """

    @checked
    def __init__(
        self, weights: Weight | list[Weight], num_samples: SampleCount | None = None, replacement: bool = True
    ):
        weights = weights if isinstance(weights, list) else [weights]
        super().__init__(num_samples)
        self.weights, self.replacement = weights, replacement

    def chosen(self, size: int, source: object = None):
        return self.num_samples or size

    def choose(self, size: int, draw: Draw):
        weights = np.array(self.weights, np.float64)
        check(
            len(weights) <= size,
            f"Invalid parameter, size of weights must not be greater than the number of rows {size}, but got {len(weights)}.",
            RuntimeError,
        )
        check(
            np.isfinite(weights).all() and (weights >= 0).all(),
            "Invalid parameter, weights must not contain negative, infinite or nan values.",
            RuntimeError,
        )
        check(weights.sum() > 0, "Invalid parameter, weights must not all be 0.", RuntimeError)
        count = self.chosen(size)
        twister = draw.twister()
        if self.replacement:
            bounds = np.cumsum(weights / weights.sum())
            bounds[-1] = 1.0
            return np.searchsorted(bounds, np.array([twister.uniform() for _ in range(count)]))
        check(
            count <= np.count_nonzero(weights),
            "Invalid parameter, without replacement num_samples must not be more "
            f"than the rows with a weight above 0, but got: {count}.",
            RuntimeError,
        )
        # The largest of u ** (1 / weight) are a weighted sample without replacement (Efraimidis and Spirakis 2006).
        times = -np.log1p(-np.array([twister.uniform() for _ in weights]))
        with np.errstate(divide="ignore", invalid="ignore"):
            keys = np.where(weights > 0, times / weights, np.inf)
        return np.argsort(keys, kind="stable")[:count]

    def is_shuffled(self):
        return True

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL


class Sampler(BuiltinSampler):
    """Base of samplers written by users: a subclass defines `__iter__`, which gives indices (or lists of them).

    `self.dataset_size` is the number of rows to choose from.

    Args:
        num_samples (int, optional): at most so many rows; None: what `__len__` says, if there is one.

    Example:
        >>> import msjax.dataset as ds
        >>> class Reverse(ds.Sampler):
        ...     def __iter__(self):
        ...         yield from range(self.dataset_size - 1, -1, -1)
        >>> data = ds.NumpySlicesDataset([1, 2, 3], sampler=Reverse())
        >>> [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [3, 2, 1]
    """

    def __init__(self, num_samples: int | None = None):
        super().__init__(num_samples)
        self.dataset_size = 0
        self.batch_sizes = []
        if num_samples is None and hasattr(self, "__len__"):
            self.num_samples = len(self)

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} has to implement __iter__().")

    def reset(self):
        """Called before each epoch but the first."""

    def get_indices(self):
        """The indices of an epoch as an array; sizes of batches, where `__iter__` gives lists, go to `batch_sizes`."""
        indices, sizes = [], []
        with of_user(f"the sampler {type(self).__name__}"):
            for n, item in enumerate(self):
                one = isinstance(item, numbers.Number)
                indices.extend([item] if one else item)
                sizes.append(0 if one else len(item))
                if self.num_samples is not None and n + 1 >= self.num_samples:
                    break
        self.batch_sizes.append(sizes)
        array = np.array(indices)
        check(array.dtype != object, "Fetched indices can not be converted to a valid ndarray.", RuntimeError)
        return array

    def _own_copy(self):
        # Whatever an iterator or a question for the size draws from a generator that the sampler holds, the next one finds it as
        # the user made it. What cannot be copied (a file, a lock) is shared.
        try:
            return copy.deepcopy(self)
        except Exception:
            return copy.copy(self)

    def drawn(self, size: int, draw: Draw):
        """(indices, which may be any numbers, sizes of the lists they came in) of an epoch; a size is 0 for a single index."""
        own, done = draw.run.memory.get((id(self), "own"), (None, 0))
        if own is None or done > draw.epoch:
            own, done = self._own_copy(), 0
        own.dataset_size, own.batch_sizes = size, []
        for epoch in range(done, draw.epoch + 1):  # also those that an earlier run had: the sampler may go on from them
            if epoch:
                own.reset()
            indices = own.get_indices()
        draw.run.memory[id(self), "own"] = (own, draw.epoch + 1)
        check(
            indices.dtype.kind in "iu",
            f"Python sampler should return index of type integer, but got: {indices.dtype}",
            RuntimeError,
        )
        return indices.astype(np.int64), own.batch_sizes.pop()

    def choose(self, size: int, draw: Draw):
        indices = self.drawn(size, draw)[0]
        check_rows(indices, 0, size)
        return indices

    def chosen(self, size: int, source: object = None):
        if self.num_samples is not None:
            return self.num_samples
        trial = self._own_copy()
        trial.dataset_size, trial.batch_sizes = size, []
        indices = trial.get_indices()
        return len(trial.batch_sizes[-1]) if any(trial.batch_sizes[-1]) else len(indices)

    def add_child(self, sampler: object):
        self.child_sampler = sampler

    def get_num_samples(self):
        if self.num_samples is not None:
            return self.num_samples
        trial = self._own_copy()
        trial.batch_sizes = []
        trial.get_indices()
        return len(trial.batch_sizes[-1])


class IterSampler(Sampler):
    """An iterable of indices as a sampler."""

    def __init__(self, sampler: Iterable, num_samples: int | None = None):
        if hasattr(sampler, "__next__"):  # can be run through once only, but is needed for each epoch and for the size
            sampler = list(itertools.islice(sampler, num_samples))
        if num_samples is None and hasattr(sampler, "__len__"):
            num_samples = len(sampler)
        super().__init__(num_samples)
        self.sampler = sampler

    def __iter__(self):
        return iter(self.sampler)


def select_sampler(num_samples: int | None, input_sampler: object, shuffle: bool | Shuffle | None, num_shards: int | None, shard_id: int | None):  # fmt: skip
    """The sampler that a source's arguments ask for."""
    if input_sampler is not None:
        if isinstance(input_sampler, BuiltinSampler):
            check(
                all(value is None for value in (num_shards, shard_id, shuffle, num_samples)),
                f"Conflicting arguments during sampler assignments. num_samples: {num_samples}, num_shards: "
                f"{num_shards}, shard_id: {shard_id}, shuffle: {shuffle}.",
            )
            return input_sampler
        if isinstance(input_sampler, (np.ndarray, list, tuple)):
            return SubsetSampler(input_sampler, num_samples)
        if not isinstance(input_sampler, str) and is_iterable(input_sampler):
            return IterSampler(input_sampler, num_samples)
        if isinstance(input_sampler, int):
            return SubsetSampler([input_sampler])
        raise TypeError(f"Unsupported sampler object of type ({type(input_sampler)})")
    check(shuffle in tuple(Shuffle), f"The input parameter shuffle: {shuffle} is not valid.", RuntimeError)
    if num_shards is not None:
        return DistributedSampler(num_shards, shard_id, shuffle=shuffle, num_samples=num_samples)
    if shuffle is Shuffle.FALSE:
        return SequentialSampler(num_samples=num_samples)
    return RandomSampler(replacement=num_samples is not None, num_samples=num_samples, shuffle=shuffle)


SamplerLike = BuiltinSampler | Iterable  # what datasets take: a sampler, or the row numbers themselves
