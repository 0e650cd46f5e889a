"""Which rows come in which order: files that are shuffled with a seed, and samplers that users write. A name to a function without arguments.

The same code runs on MindSpore (record_dataset_orders.py) and on msjax (tests/dataset/test_orders.py). Epochs are told as text.
"""

import os
import tempfile

import mindspore.dataset as ds
import numpy as np
from source_files import example, tfrecord

CASES = {}
SIZES = {"b": 5, "a": 3, "c": 4, "e": 1, "d": 7}
FILES = ("b", "bac", "bacde")


def epochs(data, count=3):
    """The first column of each epoch, one text an epoch; the name of an exception instead."""
    try:
        iterator = data.create_tuple_iterator(num_epochs=count, output_numpy=True)
        return [" ".join(str(np.asarray(row[0]).reshape(-1)[0]) for row in iterator) for _ in range(count)]
    except Exception as error:
        return type(error).__name__


def sized(data):
    try:
        return data.get_dataset_size()
    except Exception as error:
        return type(error).__name__


# --- files ------------------------------------------------------------------------------------------------------------


def written(folder):
    for name, rows in SIZES.items():
        for end, line in (
            ("txt", "{0}{1}"),
            ("csv", "{0}{1},1"),
            ("json", '{{"label":"1","sentence1":"{0}{1}","sentence2":"-"}}'),
        ):
            with open(os.path.join(folder, f"{name}.{end}"), "w") as file:
                file.writelines(line.format(name, i) + "\n" for i in range(rows))
        with open(os.path.join(folder, f"{name}.tfrecord"), "wb") as file:
            file.write(tfrecord(*(example(x=ord(name) * 100 + i) for i in range(rows))))


SOURCES = {
    "TextFileDataset": ("txt", ds.TextFileDataset, {}),
    "CSVDataset": ("csv", ds.CSVDataset, {"column_names": ["x", "y"]}),
    "CLUEDataset": (
        "json",
        lambda *files, **options: ds.CLUEDataset(*files, **options).project("sentence1"),
        {"task": "AFQMC"},
    ),
    "TFRecordDataset": ("tfrecord", ds.TFRecordDataset, {}),
}


def of_files(kind, names, shuffle, shards):
    """Epochs for two seeds, one and two workers, with and without num_samples and repeat, of each shard."""
    end, make, options = SOURCES[kind]
    told = []
    with tempfile.TemporaryDirectory() as folder:
        written(folder)
        files = [os.path.join(folder, f"{name}.{end}") for name in names]
        for seed in (0, 135):
            ds.config.set_seed(seed)
            for workers in (1, 2):
                further = {**options, "shuffle": shuffle, "num_parallel_workers": workers}
                if shards == 1:
                    told.append(epochs(make(files, **further)))
                    told.append(epochs(make(files, num_samples=4, **further)))
                    told.append(epochs(make(files, **further).repeat(2), 2))
                for shard in range(shards if shards > 1 else 0):
                    part = {"num_shards": shards, "shard_id": shard}
                    told.append(epochs(make(files, **part, **further)))
                    told.append(epochs(make(files, num_samples=2, **part, **further), 2))
    return told


for _kind in SOURCES:
    for _names in FILES:
        for _shuffle in (ds.Shuffle.FILES, ds.Shuffle.GLOBAL):
            for _shards in (1, 2, 3):
                if _kind != "TFRecordDataset" or _shards <= len(_names):  # it needs a file for each shard
                    CASES[f"{_kind} of {_names} {_shuffle.name} {_shards}"] = (
                        lambda kind=_kind, names=_names, shuffle=_shuffle, shards=_shards: of_files(
                            kind, names, shuffle, shards
                        )
                    )


def of_many_lines(shuffle, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.txt")
        with open(path, "w") as file:
            file.writelines(f"{i}\n" for i in range(12000))
        ds.config.set_seed(3)
        data = ds.TextFileDataset(path, shuffle=shuffle, num_parallel_workers=1, **options)
        return [epoch.split()[::400] for epoch in epochs(data, 2)]


CASES["a file longer than the buffer"] = lambda: of_many_lines(True)
CASES["a file longer than the buffer, num_samples"] = lambda: of_many_lines(True, num_samples=2000)


# --- samplers that users write ----------------------------------------------------------------------------------------


class Numbers:
    """Ten rows, their own numbers."""

    def __getitem__(self, i):
        return np.array(int(i))

    def __len__(self):
        return 10


class Counted(ds.Sampler):
    def __init__(self, num_samples=None, rows=10):
        super().__init__(num_samples)
        self.rows = rows

    def __iter__(self):
        yield from range(self.rows)


class WithLength(ds.Sampler):
    def __init__(self, length):
        self.length = length
        super().__init__()

    def __iter__(self):
        yield from range(10)

    def __len__(self):
        return self.length


class NoSampler:
    def __init__(self, length):
        self.length = length

    def __iter__(self):
        yield from range(10)

    def __len__(self):
        return self.length


class Drawing(ds.Sampler):
    """Draws from a generator of its own, which no question for the size and no other iterator may move."""

    def __init__(self, num_samples=None):
        super().__init__(num_samples)
        self.generator = np.random.default_rng(0)

    def __iter__(self):
        return iter(self.generator.permutation(self.generator.integers(1, 11)).tolist())


class DrawingToo:
    def __init__(self):
        self.generator = np.random.default_rng(0)

    def __iter__(self):
        return iter(self.generator.permutation(self.generator.integers(1, 11)).tolist())


class Reset(ds.Sampler):
    def __init__(self):
        super().__init__()
        self.first = 0

    def reset(self):
        self.first += 1

    def __iter__(self):
        yield from range(self.first, 6)


class Growing(ds.Sampler):
    def __init__(self):
        super().__init__()
        self.rows = 0

    def __iter__(self):
        self.rows += 1
        yield from range(self.rows)


class Backwards(ds.Sampler):
    def __iter__(self):
        yield from range(self.dataset_size - 1, -1, -2)


class Lists(ds.Sampler):
    def __init__(self, num_samples=None):
        super().__init__(num_samples)

    def __iter__(self):
        yield from ([0, 1, 2], [3, 4], [9])


class Listed(ds.Sampler):
    def __init__(self, indices):
        super().__init__()
        self.indices = indices

    def __iter__(self):
        yield from self.indices


SAMPLERS = {
    **{
        f"Counted({n}, {rows})": lambda n=n, rows=rows: Counted(n, rows)
        for n in (None, 0, 5, 10, 15)
        for rows in (10, 7)
    },
    **{
        f"{kind.__name__}({n})": lambda kind=kind, n=n: kind(n) for kind in (WithLength, NoSampler) for n in (5, 10, 15)
    },
    **{kind.__name__: kind for kind in (Drawing, DrawingToo, Reset, Growing, Backwards, Lists)},
    "Drawing(4)": lambda: Drawing(4),
    "Lists(2)": lambda: Lists(2),
    "Listed([1, 1, 2])": lambda: Listed([1, 1, 2]),
    "Listed(int32)": lambda: Listed(np.array([3, 1, 2], np.int32)),
    "Listed([1.0])": lambda: Listed([1.0, 2.0]),
    "range": lambda: range(2, 9, 3),
    "set": lambda: {1, 2, 3},
    "list": lambda: [3, 1],
    "tuple": lambda: (4, 2),
    "array": lambda: np.array([5, 6]),
    "int": lambda: 3,
    "str": lambda: "12",
}


def above(sampler, child):
    sampler.add_child(child)
    return sampler


def numbers(**options):
    return ds.GeneratorDataset(Numbers(), ["x"], **options)


def asked(make):
    """The size, the rows of two iterators, and the size again."""
    try:
        data = make()
    except Exception as error:
        return type(error).__name__
    return [sized(data), epochs(data, 2), epochs(data, 2), sized(data)]


USES = {
    "GeneratorDataset": lambda make: numbers(sampler=make()),
    "NumpySlicesDataset": lambda make: ds.NumpySlicesDataset(list(range(10)), ["x"], sampler=make()),
    "num_samples": lambda make: numbers(sampler=make(), num_samples=3),
    "batch_sampler": lambda make: numbers(batch_sampler=make()),
    "batch and repeat": lambda make: numbers(sampler=make()).batch(4, drop_remainder=True).repeat(2),
    "a child": lambda make: numbers(sampler=above(make(), ds.SequentialSampler(2, 6))),
    "a parent": lambda make: numbers(sampler=above(ds.SequentialSampler(1, 3), make())),
}
# What differs on purpose: NumpySlicesDataset takes lists of rows, a child's size is that of the child's rows, and a sampler that starts
# behind the last row raises when its size is asked, too.
LEFT = {
    *(("NumpySlicesDataset", name) for name in ("Lists", "Lists(2)")),
    *(("a parent", name) for name in ("Counted(0, 10)", "Counted(0, 7)", "Growing")),
    ("a child", "Backwards"),
}
for _use, _make in USES.items():
    for _name, _sampler in SAMPLERS.items():
        if (_use, _name) not in LEFT:
            CASES[f"{_name} in {_use}"] = lambda make=_make, sampler=_sampler: asked(lambda: make(sampler))
for _offset in (-1, 0, 1, 3, 4, 5):
    CASES[f"DistributedSampler offset {_offset}"] = lambda offset=_offset: asked(
        lambda: numbers(sampler=ds.DistributedSampler(4, 0, False, None, offset))
    )


# --- from a later step on ---------------------------------------------------------------------------------------------


def later(step, fast):
    before = ds.config.get_fast_recovery()
    ds.config.set_fast_recovery(fast)
    ds.config.set_seed(7)
    try:
        images = np.arange(9 * 6 * 6 * 3).reshape(9, 6, 6, 3).astype(np.uint8)
        data = (
            ds.NumpySlicesDataset(images, ["image"], shuffle=True)
            .map(ds.vision.RandomCrop(3), num_parallel_workers=1)
            .batch(2)
        )
        data.set_init_step(step)
        return epochs(data, 3 - step // 5)
    finally:
        ds.config.set_fast_recovery(before)


for _step in (0, 2, 5, 8):
    CASES[f"set_init_step({_step}), not fast"] = lambda step=_step: later(step, False)


# --- concatenated datasets with a sampler -----------------------------------------------------------------------------


def joined(kinds, sampler):
    """Three datasets, of a generator (g) or with random access (n), joined and sampled."""
    ds.config.set_seed(9)
    parts = [
        ds.GeneratorDataset(lambda rows=rows: ((np.array(i),) for i in rows), ["x"], shuffle=False)
        if kind == "g"
        else ds.NumpySlicesDataset(list(rows), ["x"], shuffle=False)
        for kind, rows in zip(kinds, (range(3), range(3, 10), range(10, 20)))
    ]
    data = parts[0].concat(parts[1:])
    data.use_sampler(sampler)
    return [sized(data), epochs(data)]


for _kinds in ("gg", "nn", "gn", "ng", "ggn", "gng", "ngn", "nng", "ngg", "gnn", "nnn"):
    CASES[f"{_kinds} mixed"] = lambda kinds=_kinds: joined(kinds, ds.RandomSampler())
    for _shard in range(3):
        CASES[f"{_kinds} shard {_shard}"] = lambda kinds=_kinds, shard=_shard: joined(
            kinds, ds.DistributedSampler(3, shard, shuffle=False)
        )


# --- rows that replace failed ones, columns that have the name of others ----------------------------------------------


def replaced(pattern, passes=1, repeat=1, workers=1):
    """A row a letter; those of an e fail, and earlier ones replace them."""

    def work(x):
        if pattern[int(x)] == "e":
            raise ZeroDivisionError
        return x

    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.REPLACE)
    try:
        data = ds.GeneratorDataset(
            lambda: ((np.array(i), np.array(-i)) for i in range(len(pattern))), ["x", "y"], shuffle=False
        )
        return epochs(data.map(work, ["x"], num_parallel_workers=workers).repeat(repeat), passes)
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


for _pattern in (
    "e",
    "ge",
    "eeeg",
    "gegg",
    "gg" + "e" * 9,
    "ggg" + "e" * 12,
    "gee" * 12,
    "e" + "g" * 16,
    "g" * 18 + "ege",
):
    for _passes, _repeat, _workers in ((1, 1, 1), (7, 1, 2), (2, 3, 1)):
        CASES[f"{_pattern} replaced, {_passes} {_repeat} {_workers}"] = (
            lambda pattern=_pattern, rest=(_passes, _repeat, _workers): replaced(pattern, *rest)
        )


def renamed(made, batched):
    """An operation on the first of three columns."""

    def work(x, info=None):
        return tuple(np.array(x) * 10 + i for i in range(len(made))) if len(made) > 1 else np.array(x) * 10

    rows = ((np.array(i), np.array(i + 5), np.array(i + 7)) for i in range(2))
    data = ds.GeneratorDataset(lambda: rows, ["x", "y", "z"], shuffle=False)
    try:
        if batched:
            data = data.batch(
                2, per_batch_map=lambda x, info: work(x[0]), input_columns=["x"], output_columns=list(made)
            ).project(list(made))
        else:
            data = data.map(work, ["x"], list(made), num_parallel_workers=1)
        return [data.get_col_names(), epochs(data, 1)]
    except RuntimeError:
        return "RuntimeError"


for _made in ("y", "w", "xy", "yx", "wy", "yzw", "xwy", "wv"):
    CASES[f"x to {_made}"] = lambda made=_made: renamed(made, False)
    CASES[f"x to {_made} by batch"] = lambda made=_made: renamed(made, True)
