"""Pipelines and transforms whose results MindSpore itself recorded: a name to a function without arguments.

The same code runs on MindSpore (record_dataset_engine.py) and on msjax (tests/dataset/test_engine_goldens.py).
"""

import atexit
import copy
import shutil
import struct
import tempfile
from pathlib import Path

import mindspore.dataset as ds
import mindspore.dataset.transforms as T
import numpy as np
from mindspore.common import dtype as ms
from mindspore.dataset.transforms import Relational as R

CASES = {}


def case(name):
    return lambda function: CASES.setdefault(name, function) and function


def rows(data, epochs=1):
    """All rows of a pipeline, as lists of arrays."""
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [row for _ in range(epochs) for row in iterator]


def seeded(data, epochs=1, seed=58):
    ds.config.set_seed(seed)
    return rows(data() if callable(data) else data, epochs)


def seeded_row(source, index, **options):
    ds.config.set_seed(4)
    return list(ds.GeneratorDataset(source, ["a"], **options)[index].reshape(-1))


def ordered(data, names):
    return ds.GeneratorDataset(data, names, shuffle=False)


def pair(count=4):
    """Two int64 columns of shape (1,)."""
    return ordered([(np.array([i]), np.array([i * 10])) for i in range(count)], ["a", "b"])


def ragged(count=3, period=100):
    return ordered([np.arange(i % period + 1) for i in range(count)], ["a"])


def facts(data):
    return [
        data.get_col_names(),
        data.get_dataset_size(),
        data.get_batch_size(),
        data.get_repeat_count(),
        [list(shape) for shape in data.output_shapes()],
        [str(dtype) for dtype in data.output_types()],
    ]


# --- pipelines --------------------------------------------------------------------------------------------------------


def pipelines():
    add = CASES.__setitem__
    add("map first column", lambda: rows(pair().map(lambda x: x + 1)))
    add("map one to two", lambda: facts(d := pair().map(lambda x: (x, x + 1), ["b"], ["c", "d"])) + rows(d))
    add("map two to one", lambda: facts(d := pair().map(lambda x, y: x + y, ["a", "b"], ["c"])) + rows(d))
    add("map onto another column", lambda: rows(pair().map(lambda x: x - 1, ["a"], ["b"])))
    add("map count mismatch", lambda: rows(pair().map(lambda x: (x, x), ["b"])))
    add("map missing column", lambda: rows(pair().map(lambda x: x, ["zz"])))
    add("map gives None", lambda: rows(pair().map(lambda x: None, ["a"])))
    add("map raises", lambda: rows(pair().map(lambda x: 1 / 0, ["a"])))
    add("map gives list", lambda: rows(pair().map(lambda x: [1, 2, 3], ["a"])))
    add("map gives number", lambda: rows(pair().map(lambda x: 3, ["a"])))
    add("map gives str", lambda: rows(pair().map(lambda x: "abc", ["a"])))
    add("map gives dict", lambda: rows(pair().map(lambda x: {"q": x}, ["a"])))
    add("map class", lambda: pair().map(T.Duplicate, ["a"]))
    add("map chain", lambda: rows(pair().map([lambda x: x * 2, T.TypeCast(ms.float32), lambda x: x + 0.5], ["a"])))
    add("map duplicate", lambda: rows(pair().map(T.Duplicate(), ["a"], ["c", "d"])))
    add("batch dicts", lambda: rows(pair().map(lambda x: {"q": x}, ["a"]).batch(2)))
    add("batch", lambda: facts(d := pair(5).batch(2)) + rows(d))
    add("batch drop", lambda: facts(d := pair(5).batch(2, drop_remainder=True)) + rows(d))
    add("batch map", lambda: rows(pair().batch(2, per_batch_map=lambda a, b, info: (np.stack(a) * 2, b))))
    add(
        "batch map one",
        lambda: rows(pair().batch(2, per_batch_map=lambda a, info: ([x + 1 for x in a],), input_columns=["a"])),
    )
    add(
        "batch map no tuple",
        lambda: rows(pair().batch(2, per_batch_map=lambda a, info: [x + 1 for x in a], input_columns=["a"])),
    )
    add(
        "batch map names",
        lambda: (
            facts(
                d := pair().batch(
                    2, per_batch_map=lambda a, info: (a, a), input_columns=["a"], output_columns=["x", "y"]
                )
            )
            + rows(d)
        ),
    )
    add(
        "batch map info",
        lambda: rows(
            pair(6).batch(
                2,
                per_batch_map=lambda a, info: ([x * 0 + info.get_batch_num() + 100 * info.get_epoch_num() for x in a],),
                input_columns=["a"],
            ),
            epochs=2,
        ),
    )
    add("batch shapes differ", lambda: rows(ragged().batch(2)))
    add("batch types differ", lambda: rows(ordered([np.zeros(1), np.zeros(1, np.int32)], ["a"]).batch(2)))
    add("batch size function", lambda: rows(pair(6).batch(lambda info: info.get_batch_num() + 1)))
    add("batch size function drop", lambda: rows(pair(5).batch(lambda info: info.get_batch_num() + 1, True)))
    add("batch strings", lambda: rows(ordered([np.array("a"), np.array("bcd")], ["a"]).batch(2)))
    add("string rows", lambda: rows(ordered([np.array("a"), np.array("bcd")], ["a"])))
    add("bytes rows", lambda: rows(ordered([np.array(b"a"), np.array(b"bcd")], ["a"])))
    add("pad all", lambda: rows(ragged().padded_batch(2, pad_info={})))
    add("pad shape", lambda: rows(ragged().padded_batch(2, pad_info={"a": ([4], -1)})))
    add("pad smaller", lambda: rows(ragged().padded_batch(2, pad_info={"a": ([2], -1)})))
    add("pad value only", lambda: rows(ragged().padded_batch(2, pad_info={"a": (None, 7)})))
    add(
        "pad one axis",
        lambda: rows(
            ordered([np.ones((i + 1, 2)) for i in range(3)], ["a"]).padded_batch(2, pad_info={"a": ([None, 3], -1)})
        ),
    )
    add("pad nothing", lambda: rows(ragged().padded_batch(2)))
    add("pad missing column", lambda: rows(ragged().padded_batch(2, pad_info={"b": ([2], -1)})))
    add("bucket", lambda: rows(ragged(11, 5).bucket_batch_by_length(["a"], [3, 5], [2, 2, 1])))
    add(
        "bucket boundary",
        lambda: rows(
            ragged(11, 5).bucket_batch_by_length(
                ["a"], [3, 7], [2, 2, 1], pad_info={"a": ([None], 9)}, pad_to_bucket_boundary=True
            )
        ),
    )
    add(
        "bucket boundary without pad_info",
        lambda: rows(ragged(11, 5).bucket_batch_by_length(["a"], [3, 7], [2, 2, 1], pad_to_bucket_boundary=True)),
    )
    add(
        "bucket drop",
        lambda: (
            facts(
                d := ragged(11, 5).bucket_batch_by_length(
                    ["a"], [3, 5], [2, 2, 1], drop_remainder=True, pad_info={"a": ([6], 9)}
                )
            )
            + rows(d)
        ),
    )
    add(
        "bucket function",
        lambda: rows(ragged(11, 5).bucket_batch_by_length(["a"], [2], [2, 3], lambda x: x.shape[0] - 1)),
    )
    add("facts", lambda: facts(pair().batch(2).repeat(3)))
    add("facts of a source", lambda: facts(pair()))
    add("facts of zip", lambda: facts(ds.zip((pair(), ordered(list(range(2)), ["z"])))))
    add("facts of concat", lambda: facts(pair() + pair(2)))
    add("facts of take and skip", lambda: facts(pair(9).skip(2).take(5).repeat(2)))
    add("filter", lambda: facts(d := pair().filter(lambda a: a[0] > 1, ["a"])) + rows(d))
    add("filter all columns", lambda: rows(pair().filter(lambda a, b: b[0] < 20)))
    add("take more", lambda: rows(pair().take(9)))
    add("skip all", lambda: rows(pair().skip(9)))
    add("zip", lambda: rows(ds.zip((pair(), ordered(list(range(2)), ["z"])))))
    add("zip duplicate", lambda: rows(ds.zip((pair(), pair()))))
    add("concat", lambda: rows(pair() + pair(2)))
    add("concat names differ", lambda: rows(pair() + pair().rename(["a", "b"], ["c", "d"])))
    add("concat types differ", lambda: rows(pair() + ordered([(np.zeros(1, np.float32), np.zeros(1))], ["a", "b"])))
    add("rename", lambda: facts(pair().rename(["a"], ["c"])))
    add("rename missing", lambda: rows(pair().rename("q", "z")))
    add("rename existing", lambda: rows(pair().rename("a", "b")))
    add("project", lambda: rows(pair().project(["b", "a"])))
    add("project missing", lambda: rows(pair().project(["q"])))
    add("split", lambda: [seeded(part) for part in pair(6).split([2, 4])])
    add("split fractions", lambda: [rows(part) for part in pair(5).split([0.5, 0.5], randomize=False)])
    add("split not mappable", lambda: [seeded(part) for part in pair(7).skip(1).split([4, 2])])
    add("split epochs", lambda: [seeded(part, 2) for part in pair(6).split([0.5, 0.5])])
    add("split wrong sum", lambda: pair().split([1, 1]))
    add(
        "flat_map",
        lambda: rows(
            ds.NumpySlicesDataset([[0, 1], [2, 3]], shuffle=False).flat_map(
                lambda x: ds.NumpySlicesDataset(x, shuffle=False).repeat(2)
            )
        ),
    )
    add("apply", lambda: rows(pair().apply(lambda d: d.batch(4))))
    add("column count", lambda: rows(ordered([(1, 2)], ["a"])))
    add("past the last epoch", lambda: (it := pair().create_tuple_iterator(num_epochs=1), list(it), list(it))[0])
    add("repeat", lambda: rows(pair(2).repeat(2), 2))
    add("slices of dict", lambda: facts(ds.NumpySlicesDataset({"x": [1, 2], "y": [0.5, 1]}, shuffle=False)))
    add("slices of tuple", lambda: rows(ds.NumpySlicesDataset((np.eye(2, dtype=np.float32), [1, 2]), shuffle=False)))
    add("slices of list", lambda: facts(d := ds.NumpySlicesDataset([[1, 2], [3, 4]], shuffle=False)) + rows(d))
    add("slices of str", lambda: rows(ds.NumpySlicesDataset(["a", "bcd"], shuffle=False)))
    add(
        "slices of bool and float16",
        lambda: facts(ds.NumpySlicesDataset(([True, False], np.ones((2, 3), np.float16)), shuffle=False)),
    )
    add("slices lengths differ", lambda: ds.NumpySlicesDataset(([1, 2], [1]), shuffle=False))
    add(
        "padded dataset",
        lambda: rows(ordered([np.zeros(1, np.uint8)], ["x"]) + ds.PaddedDataset([{"x": np.ones(1, np.uint8)}])),
    )
    add(
        "generator function",
        lambda: (
            facts(d := ds.GeneratorDataset(lambda: ((np.array(i), i * 0.5) for i in range(3)), ["a", "b"])) + rows(d)
        ),
    )
    add("generator num_samples", lambda: rows(ds.GeneratorDataset(lambda: iter(range(10)), ["a"], num_samples=4)))
    add("generator object twice", lambda: rows(ds.GeneratorDataset((i for i in range(3)), ["a"]), 2))
    add("batch_sampler", lambda: rows(ds.GeneratorDataset(list(range(6)), ["a"], batch_sampler=[[0, 1], [5, 2, 3]])))
    add(
        "collate_fn",
        lambda: rows(
            ds.GeneratorDataset(
                list(range(6)), ["a"], batch_sampler=[[0, 1], [5, 2]], collate_fn=lambda a: (np.stack(a) + 1,)
            )
        ),
    )
    add("iterable with shards", lambda: ds.GeneratorDataset(lambda: iter([1]), ["a"], num_shards=2, shard_id=0))
    tens = [np.array(i) for i in range(10)]
    for name, options in {
        "as shuffled": {},
        "sampler": {"sampler": [3, 1]},
        "shard": {"num_shards": 2, "shard_id": 1, "shuffle": False},
        "random": {"shuffle": True, "num_samples": 4},
    }.items():
        for index in (1, 5):
            add(f"row {index} {name}", lambda o=options, i=index: seeded_row(tens, i, **o))
    for sampler in (
        "SubsetSampler([0, 2, 3])",
        "SubsetSampler([0, 2, 3], 2)",
        "SubsetRandomSampler([0, 2, 3])",
        "SequentialSampler(1, 5)",
        "RandomSampler(num_samples=4)",
        "DistributedSampler(4, 1)",
        "DistributedSampler(4, 1, num_samples=3)",
        "PKSampler(3)",
        "WeightedRandomSampler([0.1, 0.9], 3)",
    ):
        add(f"size of {sampler}", lambda s=sampler: eval(f"ds.{s}").get_num_samples())
    add("zip method", lambda: rows(pair().zip(ordered([np.array(i) for i in range(4)], ["c"]))))
    add("copy", lambda: facts(copy.deepcopy(pair().batch(2))))
    add("row negative", lambda: seeded_row(tens, -1))
    schema = ds.Schema()
    schema.add_column("a", "int64", [])
    add("schema", lambda: rows(ds.GeneratorDataset([1, 2], schema=schema, shuffle=False)))
    add("schema of another type", lambda: rows(ds.GeneratorDataset([1.5, 2.5], schema=schema, shuffle=False)))
    add("column types", lambda: rows(ds.GeneratorDataset([(1, 2.5)], ["a", "b"], [ms.int64, ms.float64])))
    add("column types too few", lambda: rows(ds.GeneratorDataset([(1, 2.5)], ["a", "b"], [ms.int64])))
    add("sampler and shuffle", lambda: ds.GeneratorDataset([1], ["a"], shuffle=True, sampler=ds.SequentialSampler()))
    add("python types", lambda: facts(ordered([(1, 2.5, True, "x", np.float32(1))], list("abcde"))))
    add("select columns", lambda: [row for row in pair().create_tuple_iterator(["b"], num_epochs=1, output_numpy=True)])


# --- order ------------------------------------------------------------------------------------------------------------


def many(**kwargs):
    return lambda: ds.GeneratorDataset(list(range(kwargs.pop("count", 10))), ["a"], **kwargs)


class Backwards(ds.Sampler):
    def __iter__(self):
        yield from range(self.dataset_size - 1, -1, -1)


class These(ds.Sampler):
    def __init__(self, indices):
        super().__init__(len(indices))
        self.indices = indices

    def __iter__(self):
        return iter(self.indices)


class Asked:
    """Three rows, each of which says what it was asked for: the index, and whether it is NumPy's int64."""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return np.array([index, isinstance(index, np.int64)])


def orders():
    add = CASES.__setitem__
    for count in (1, 2, 3, 10, 11, 1000):
        add(f"order shuffle {count}", lambda count=count: seeded(many(count=count), 3))
    add("order of 70000", lambda: [np.array([int(row[0]) for row in seeded(many(count=70000))])[::1000]])
    add("order replacement", lambda: seeded(many(num_samples=6), 2))
    for shard in (0, 1, 2):
        add(f"order shards {shard}", lambda shard=shard: seeded(many(num_shards=3, shard_id=shard), 3))
        add(
            f"order shards sequential {shard}",
            lambda shard=shard: rows(many(num_shards=3, shard_id=shard, shuffle=False)()),
        )
        add(
            f"order shards offset {shard}",
            lambda shard=shard: rows(many(sampler=ds.DistributedSampler(3, shard, shuffle=False, offset=1))()),
        )
        add(
            f"order shards num_samples {shard}",
            lambda shard=shard: seeded(many(num_shards=3, shard_id=shard, num_samples=2)),
        )
    add("order without a seed in shards", lambda: (ds.config.set_seed(5489), rows(many(num_shards=2, shard_id=1)()))[1])
    add("order subset random", lambda: seeded(lambda: many(sampler=ds.SubsetRandomSampler([1, 3, 5, 7, 9]))(), 3))
    add("order subset", lambda: rows(many(sampler=ds.SubsetSampler([1, 3, 3, 0]))()))
    add("order subset out of range", lambda: rows(many(sampler=ds.SubsetSampler([11]))()))
    add("order list sampler", lambda: rows(many(sampler=[4, 2, 2])()))
    add("order sequential", lambda: rows(many(sampler=ds.SequentialSampler(3, 4))()))
    add("order sequential past the end", lambda: rows(many(sampler=ds.SequentialSampler(8, 9))()))
    add("order sequential start too large", lambda: rows(many(sampler=ds.SequentialSampler(11))()))
    add("order own sampler", lambda: rows(many(sampler=Backwards())(), 2))
    add("order own sampler num_samples", lambda: rows(many(sampler=Backwards(3))()))
    for name, indices in {
        "past the end": [0, 7, -1],
        "lists of one": [[1], [2]],
        "floats": [0.0, 1.0],
        "bools": [True, False],
        "texts": ["a"],
        "nothing": [],
    }.items():
        add(
            f"asked by own sampler, {name}",
            lambda i=indices: rows(ds.GeneratorDataset(Asked(), ["a"], sampler=These(i))),
        )
    for name, options in {
        "in order": {"shuffle": False},
        "by two workers": {"shuffle": False, "num_parallel_workers": 2},
        "by a list": {"sampler": [2, 0]},
        "by batch_sampler": {"batch_sampler": [[2, 0], [1]]},
    }.items():
        add(f"asked {name}", lambda o=options: rows(ds.GeneratorDataset(Asked(), ["a"], **o)))
    add("order iterable sampler", lambda: rows(many(sampler=iter([3, 1, 4]))()))
    weights = [1, 3, 5, 7, 9, 0.5, 1, 1, 1, 1]
    add("order weighted", lambda: seeded(lambda: many(sampler=ds.WeightedRandomSampler(weights, 6))(), 3))
    add("order weighted all", lambda: seeded(lambda: many(sampler=ds.WeightedRandomSampler(weights))()))
    add(
        "order weighted no replacement",
        lambda: seeded(lambda: many(sampler=ds.WeightedRandomSampler(weights, 5, replacement=False))(), 2),
    )
    add("order random sampler", lambda: seeded(lambda: many(sampler=ds.RandomSampler(num_samples=4))(), 2))
    add("order random replacement", lambda: seeded(lambda: many(sampler=ds.RandomSampler(True, 4))(), 2))

    def chained(child, parent):
        def run():
            ds.config.set_seed(58)
            sampler = parent()
            sampler.add_child(child())
            return rows(ds.GeneratorDataset(list(range(10)), ["a"], sampler=sampler), 2)

        return run

    add("order chain sequential of random", chained(ds.RandomSampler, lambda: ds.SequentialSampler(2, 5)))
    add(
        "order chain distributed of subset",
        chained(lambda: ds.SubsetSampler([1, 4, 6, 8]), lambda: ds.DistributedSampler(2, 0, shuffle=False)),
    )
    add("order chain random of sequential", chained(lambda: ds.SequentialSampler(5), ds.RandomSampler))
    for size in (2, 4, 10, 64):
        add(f"order buffer {size}", lambda size=size: seeded(many(count=100, shuffle=False)().shuffle(size), 3))
    add("order buffer repeat", lambda: seeded(many(shuffle=False)().shuffle(10).repeat(3)))
    add("order two buffers", lambda: seeded(many(shuffle=False)().shuffle(4).batch(2).shuffle(3)))
    add("order buffer take", lambda: seeded(many(shuffle=False)().shuffle(4).take(5), 2))

    def use(sampler):
        data = many(shuffle=False)()
        data.use_sampler(sampler)
        return data

    add("order use_sampler", lambda: facts(d := use(ds.SubsetSampler([5, 6]))) + rows(d))
    add(
        "order add_sampler", lambda: (d := many(shuffle=False)(), d.add_sampler(ds.SequentialSampler(4, 3)), rows(d))[2]
    )

    def concat_sampler(sampler):
        data = pair(5) + pair(4)
        data.use_sampler(sampler)
        return data

    add(
        "order concat distributed",
        lambda: facts(d := concat_sampler(ds.DistributedSampler(2, 1, shuffle=False))) + rows(d),
    )

    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    for prefix, count in (("train", 7), ("t10k", 3)):
        pixels = np.arange(count * 28 * 28, dtype=np.uint32).astype(np.uint8)
        labels = np.array([3, 1, 3, 0, 1, 3, 3][:count], np.uint8)
        (folder / f"{prefix}-images-idx3-ubyte").write_bytes(struct.pack(">4I", 2051, count, 28, 28) + pixels.tobytes())
        (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 2049, count) + labels.tobytes())

    def digits(*args, epochs=1, **kwargs):
        data = ds.MnistDataset(str(folder), *args, **kwargs)
        return [
            data.get_dataset_size(),
            data.num_classes(),
            [list(s) for s in data.output_shapes()],
            [str(t) for t in data.output_types()],
            [[row[0][0, :2, 0], row[0][27, 27], row[1]] for row in seeded(data, epochs)],
        ]

    add("mnist all", lambda: digits(shuffle=False))
    add("mnist train", lambda: digits("train", shuffle=False))
    add("mnist test", lambda: digits("test"))
    add("mnist shard", lambda: digits("train", num_shards=2, shard_id=1, shuffle=False))
    add("mnist of each class", lambda: digits("train", epochs=3, sampler=ds.PKSampler(2)))
    add("mnist of each class shuffled", lambda: digits("train", epochs=3, sampler=ds.PKSampler(3, shuffle=True)))
    add("mnist of each class limited", lambda: digits("train", sampler=ds.PKSampler(3, num_samples=4)))
    add("mnist folder missing", lambda: ds.MnistDataset("/does/not/exist"))
    add("mnist usage", lambda: ds.MnistDataset(str(folder), "valid"))


# --- transforms -------------------------------------------------------------------------------------------------------


def transforms():
    def a(*values, d=None):
        return np.array(values, d)

    def add(name, function):
        CASES["transform " + name] = function

    for axis in (0, -1, 1):
        add(f"concatenate axis {axis}", lambda axis=axis: T.Concatenate(axis, a(1, 2), a(9))(a(3, 4)))
    add("concatenate types", lambda: T.Concatenate(0, a(1.0, 2))(a(3, 4)))
    add("concatenate strings", lambda: T.Concatenate(0, a("a"), a("zzz"))(a("q", "rr")))
    add("concatenate nothing", lambda: T.Concatenate()(a(3, 4)))
    add("concatenate columns", lambda: T.Concatenate(0, a(1), a(2))(a(3, 4), a(5)))
    add("concatenate scalar", lambda: T.Concatenate(0, a(1), a(2))(np.array(3)))
    add("concatenate prepend matrix", lambda: T.Concatenate(0, np.ones((1, 2)))(np.ones(2)))
    add("concatenate axis type", lambda: T.Concatenate("a"))
    add("duplicate", lambda: T.Duplicate()(a(1, 2)))
    add("duplicate two", lambda: T.Duplicate()(a(1, 2), a(2)))
    add("fill float", lambda: T.Fill(5)(a(1.5, 2)))
    add("fill uint8", lambda: T.Fill(5.7)(a(1, 2, d=np.uint8)))
    add("fill negative", lambda: T.Fill(-1)(a(1, 2, d=np.uint8)))
    add("fill string", lambda: T.Fill("x")(a("aa", "b")))
    add("fill number by string", lambda: T.Fill("x")(a(1, 2)))
    add("fill string by number", lambda: T.Fill(1)(a("aa", "b")))
    add("fill bool", lambda: T.Fill(True)(a(1, 2)))
    add("fill array", lambda: T.Fill(a(1, 2))(a(1, 2)))
    for relation in R:
        add(f"mask {relation.name}", lambda relation=relation: T.Mask(relation, 3)(a(1, 3, 5)))
    add("mask float", lambda: T.Mask(R.GT, 2.5)(a(1, 3, 5)))
    add("mask uint8", lambda: T.Mask(R.LE, 300)(a(1, 3, 5, d=np.uint8)))
    add("mask type", lambda: T.Mask(R.NE, 3, ms.float32)(a(1.0, 3, 5)))
    add("mask string", lambda: T.Mask(R.EQ, "a")(a("a", "b")))
    add("mask string less", lambda: T.Mask(R.LT, "b")(a("a", "b")))
    add("mask string by number", lambda: T.Mask(R.EQ, 1)(a("a", "b")))
    add("mask to string", lambda: T.Mask(R.EQ, 1, ms.string)(a(1, 2)))
    add("mask operator", lambda: T.Mask(1, 2))
    add("mask constant", lambda: T.Mask(R.EQ, [1]))
    for dtype in ("int8", "int32", "int64", "uint8", "uint32", "uint64"):
        add(f"one hot {dtype}", lambda dtype=dtype: T.OneHot(4)(np.array(2, dtype)))
    add("one hot vector", lambda: T.OneHot(4)(np.array([0, 3], np.uint32)))
    add("one hot of one", lambda: T.OneHot(4)(np.array([3], np.uint32)))
    add("one hot matrix", lambda: T.OneHot(4)(np.array([[0, 3]])))
    add("one hot square", lambda: T.OneHot(4)(np.array([[0, 3], [1, 2]])))
    for labels in (0, [0], [0, 0]):
        add(f"one hot of one class {labels}", lambda labels=labels: T.OneHot(1)(np.array(labels)))
    add("one hot too large", lambda: T.OneHot(4)(np.array(4)))
    add("one hot float", lambda: T.OneHot(4)(np.array(1.0)))
    add("one hot smooth", lambda: T.OneHot(4, 0.1)(np.array([1], np.uint8)))
    add("one hot columns", lambda: T.OneHot(4)(np.array(1), np.array(2)))
    add("one hot in a pipeline", lambda: rows(ordered(list(range(8)), ["a"]).map(T.OneHot(8), "a").batch(8)))
    for bad in (0, "a"):
        add(f"one hot classes {bad}", lambda bad=bad: T.OneHot(bad))
    add("one hot rate", lambda: T.OneHot(3, 2.0))
    add("pad", lambda: T.PadEnd([4], -1)(a(1, 2, 3)))
    add("pad cut", lambda: T.PadEnd([2])(a(1, 2, 3)))
    add("pad rank", lambda: T.PadEnd([2, 2])(a(1, 2, 3)))
    add("pad string", lambda: T.PadEnd([3], "zz")(a("a", "b")))
    add("pad string by nothing", lambda: T.PadEnd([3])(a("a", "b")))
    add("pad string by number", lambda: T.PadEnd([3], 1)(a("a", "b")))
    add("pad number by string", lambda: T.PadEnd([3], "1")(a(1)))
    add("pad int by float", lambda: T.PadEnd([3], 1.7)(a(1)))
    add("pad scalar", lambda: T.PadEnd([], 1)(np.array(1)))
    add("pad shape type", lambda: T.PadEnd(3))
    add("pad shape negative", lambda: T.PadEnd([-3]))
    grid = np.arange(12).reshape(3, 4)
    for i, item in enumerate(
        [
            (0,),
            (slice(1, 3),),
            ([0, 2],),
            (None,),
            (...,),
            (True,),
            (slice(None, None, -1),),
            (-1,),
            (slice(0, 2), slice(1, 3)),
            (slice(0, 2), [0, -1]),
            (..., [0]),
            ([],),
            ([7],),
            (0, 0, 0),
            ([0, 0],),
            (False,),
            (1.5,),
            (),
            (slice(0, 4, 2), slice(3)),
            (slice(-2, None),),
        ]
    ):
        add(f"slice {i} {item}", lambda item=item: T.Slice(*item)(grid))
    add("slice string", lambda: T.Slice([0, 2])(a("a", "b", "c")))
    for target in (ms.int8, ms.int32, ms.int64, ms.uint8, ms.float16, ms.float32, ms.float64, ms.bool_):
        add(f"cast float64 to {target}", lambda target=target: T.TypeCast(target)(a(1.7, -1.7, 0.0, 100.2)))
        add(f"cast int64 to {target}", lambda target=target: T.TypeCast(target)(a(1, -1, 0, 300)))
    add("cast to numpy type", lambda: T.TypeCast(np.uint8)(a(1, 2)))
    add("cast to name", lambda: T.TypeCast("int32")(a(0.5, 0)))
    add("cast string", lambda: T.TypeCast(ms.int32)(a("12")))
    add("cast overflow", lambda: T.TypeCast(ms.float16)(a(1e9, 1)))
    add("cast columns", lambda: T.TypeCast(ms.int32)(a(0.5, 0), a(1.0)))
    add("cast list", lambda: T.TypeCast(ms.int32)([1.5, 2]))
    add("cast dict", lambda: T.TypeCast(ms.int32)({1: 2}))
    add("unique", lambda: T.Unique()(np.array([[3, 1], [3, 2]], np.float32)))
    add("unique vector", lambda: T.Unique()(a(3, 1)))
    add("unique string", lambda: T.Unique()(a("a")))
    add("compose", lambda: T.Compose([lambda x: x + 1, T.TypeCast(ms.float32)])(a(1)))
    add("compose two columns", lambda: T.Compose([T.Duplicate(), lambda x, y: x + y])(a(1)))
    add("compose nothing", lambda: T.Compose([]))
    add("compose number", lambda: T.Compose([1]))
    add("compose no list", lambda: T.Compose(T.Unique()))
    add("random apply always", lambda: T.RandomApply([lambda x: x + 1], prob=1.0)(a(1)))
    add("random apply never", lambda: T.RandomApply([lambda x: x + 1], prob=0.0)(a(1)))
    add("random apply prob", lambda: T.RandomApply([lambda x: x], prob=2.0))
    add("random choice", lambda: T.RandomChoice([lambda x: x + 1])(a(1)))
    add("random order", lambda: T.RandomOrder([lambda x: x + 1, lambda x: x + 2])(a(1)))
    add("bytes", lambda: T.Duplicate()(np.array(b"abc")))


pipelines()
orders()
transforms()


def encode(value):
    """A result as JSON: arrays as [dtype, shape, values], rows of one int64 each as one array, tuples as lists."""
    if (
        isinstance(value, list)
        and len(value) > 3
        and all(
            isinstance(row, list)
            and len(row) == 1
            and getattr(row[0], "shape", None) == ()
            and getattr(row[0], "dtype", None) == np.int64
            for row in value
        )
    ):
        value = np.array([int(row[0]) for row in value])
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        kind = value.dtype.kind
        content = np.char.decode(value).tolist() if kind == "S" else value.tolist()
        return [kind if kind in "US" else str(value.dtype), list(value.shape), content]
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


def outcome(function):
    """What a case gives: its encoded result, or the type of its error."""
    try:
        return {"gives": encode(function())}
    except Exception as err:
        kind = next(base.__name__ for base in type(err).__mro__ if base.__module__ == "builtins")
        return {"raises": kind}
