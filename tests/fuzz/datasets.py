"""Random dataset pipelines: sources, transforms, batches, and what is asked of them; rows, sizes, shapes and types are compared.

A case is a dict: `source` (the text of a module that makes `data`) and `steps` (texts that are asked of it, see QUESTIONS).
"""

import random

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import transforms, vision
from seeded import Seeded

BLOCK = 100  # cases of one seed
ALLOWED = ("equal", "raise", "beyond")
NAMES = {"ms": ms, "np": np, "random": random, "ds": ds, "transforms": transforms, "vision": vision}
QUESTIONS = (
    "[list(row) for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]",
    "[dict(row) for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]",
    "[dict(row) for row in data.create_dict_iterator(num_epochs=1)]",
    "data.get_dataset_size()",
    "data.get_batch_size()",
    "data.get_repeat_count()",
    "data.get_col_names()",
    "data.output_shapes()",
    "data.output_types()",
    "data.num_classes()",
    "two_epochs(data)",
    "[next(data.create_dict_iterator(num_epochs=1, output_numpy=True))]",
)
HELPERS = """
def two_epochs(data):
    iterator = data.create_tuple_iterator(output_numpy=True, num_epochs=2)
    return [[list(row) for row in iterator] for _ in range(2)]


class Rows:
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return np.array(i, np.int32), np.arange(i % 3 + 1, dtype=np.float32)


def rows():
    for i in range(5):
        yield np.array([i, i * i], np.int64), np.array(i / 2, np.float32)

"""
IMAGES = """
images = np.random.RandomState(0).randint(0, 256, (11, 14, 15, 3)).astype(np.uint8)


class Images:
    def __init__(self, change=None):
        self.change = change

    def __len__(self):
        return len(images)

    def __getitem__(self, i):
        return (self.change(images[i]) if self.change else images[i]), np.int32(i)


def told(row):
    weights = np.arange(row[0].size) % 97 + 1
    return [list(row[0].shape), int(row[0].sum(dtype=np.int64)), int(row[0].ravel().astype(np.int64) @ weights), np.ravel(row[1]).tolist()]


def three_epochs(data):
    iterator = data.create_tuple_iterator(output_numpy=True, num_epochs=3)
    rows = [[told(row) for row in iterator] for _ in range(3)]
    return [rows, round(random.random(), 6), round(float(np.random.rand()), 6)]

"""
AUGMENTATIONS = (  # exact ones: OpenCV's versions round the others differently
    "vision.RandomCrop(12)",
    "vision.RandomCrop((9, 13), padding=2)",
    "vision.RandomHorizontalFlip()",
    "vision.RandomVerticalFlip(0.3)",
    "vision.RandomPosterize((2, 7))",
    "vision.RandomSolarize((10, 200))",
    "vision.RandomInvert(0.4)",
    "vision.CutOut(4, 2)",
    "vision.RandomResizedCrop(10, interpolation=vision.Inter.NEAREST)",
    "vision.RandomRotation(40)",
    "vision.RandomAffine(20, (-0.1, 0.1))",
    "vision.RandomEqualize(0.5)",
    "transforms.RandomApply([vision.RandomVerticalFlip(), vision.Invert()], 0.6)",
    "transforms.RandomChoice([vision.RandomHorizontalFlip(), vision.RandomPosterize((1, 5)), vision.Invert()])",
    "transforms.Compose([vision.RandomHorizontalFlip(), vision.RandomInvert(0.5)])",
    "vision.UniformAugment([vision.RandomHorizontalFlip(), vision.RandomVerticalFlip(), vision.Invert()], 2)",
    "vision.RandomSelectSubpolicy([[(vision.RandomHorizontalFlip(), 0.5)], [(vision.RandomPosterize((1, 7)), 0.8)]])",
    "vision.Invert()",
    "vision.HorizontalFlip()",
    "lambda v: v",
    "lambda v: 255 - v",
)
TYPES = ("int8", "uint8", "int16", "int32", "int64", "uint32", "float16", "float32", "float64", "bool_")


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        if r.random() < 0.25:
            return self._augmented()
        lines, columns = self._source("data")
        for _ in range(r.randint(1, 5)):
            text = self._step(columns)
            if text is not None:
                lines.append(text)
        steps = [r.choice(QUESTIONS[:3]), *r.sample(QUESTIONS, r.randint(1, 3))]
        return {"source": HELPERS + "\n".join(lines) + "\n", "steps": steps}

    def _augmented(self):
        """A case of random operations with a seed."""
        r = self.random
        shuffle = r.choice((True, False))
        source = r.choice(
            (
                f"ds.GeneratorDataset(Images(), ['image', 'label'], shuffle={shuffle}, num_parallel_workers={r.choice((1, 1, 2))})",
                f"ds.GeneratorDataset(Images({r.choice(AUGMENTATIONS[:8])}), ['image', 'label'], shuffle={shuffle})",
                f"ds.NumpySlicesDataset({{'image': images, 'label': np.arange(11)}}, shuffle={shuffle})",
                "ds.GeneratorDataset(Images(), ['image', 'label'], sampler=ds.RandomSampler(num_samples=7))",
                f"ds.NumpySlicesDataset((images, np.arange(11)), ['image', 'label'], sampler=ds.DistributedSampler(2, 1, {shuffle}))",
            )
        )
        lines = [f"ds.config.set_seed({r.randint(1, 10**6)})", f"data = {source}"]
        for _ in range(r.randint(1, 4)):
            chosen = ", ".join(r.sample(AUGMENTATIONS, r.randint(1, 3)))
            workers = r.choice(("", ", num_parallel_workers=1", ", num_parallel_workers=2", ", num_parallel_workers=2"))
            processes = ", python_multiprocessing=True" if r.random() < 0.1 else ""
            step = r.choice((f"map([{chosen}], ['image']{workers}{processes})",) * 4 + (f"shuffle({r.randint(2, 6)})",
                             "repeat(2)", f"take({r.randint(2, 9)})", "skip(2)", "filter(lambda v: v % 3 != 0, ['label'])"))  # fmt: skip
            lines.append(f"data = data.{step}")
        if r.random() < 0.4:
            lines.append(f"data = data.batch({r.randint(1, 4)}, drop_remainder={shuffle})")
        return {"source": HELPERS + IMAGES + "\n".join(lines) + "\n", "steps": ["three_epochs(data)"]}

    def _source(self, name):
        """(lines that make a dataset, {column: rank of its rows, or None for rows of different lengths})"""
        r = self.random
        n = r.choice((1, 4, 5, 6, 7))
        roll = r.random()
        options = r.choice(("", "", "", ", num_samples=3", ", num_shards=2, shard_id=1", ", sampler=ds.SequentialSampler(1, 3)",
                            ", sampler=ds.SubsetSampler([2, 0])", ", num_parallel_workers=1",
                            ", sampler=ds.DistributedSampler(2, 0, shuffle=False)", ", sampler=[1, 0, 0]"))  # fmt: skip
        shuffle = "" if "sampler" in options else ", shuffle=False"
        if roll < 0.3:
            a = f"np.arange({n}, dtype=np.{r.choice(TYPES[:-1])})"
            b = f"np.arange({2 * n}, dtype=np.{r.choice(TYPES[:-1])}).reshape({n}, 2) % 5"
            return [f"{name} = ds.NumpySlicesDataset({{'a': {a}, 'b': {b}}}{shuffle}{options})"], {"a": 0, "b": 1}
        if roll < 0.5:
            rows = r.choice(
                (
                    f"([{', '.join(str(i) for i in range(n))}], [[i, i + 1.5] for i in range({n})])",
                    f"(np.arange({n}), np.ones(({n}, 2), np.float32))",
                )
            )
            return [f"{name} = ds.NumpySlicesDataset({rows}, column_names=['a', 'b']{shuffle}{options})"], {
                "a": 0,
                "b": 1,
            }
        if roll < 0.8:
            return [f"{name} = ds.GeneratorDataset(Rows({n}), ['a', 'b']{shuffle}{options})"], {"a": 0, "b": None}
        if roll < 0.95:
            return [
                f"{name} = ds.GeneratorDataset(rows, ['a', 'b'], shuffle=False{r.choice(('', '', ', num_samples=3'))})"
            ], {"a": 1, "b": 0}
        shuffle = ", shuffle=False"
        words = ["'x'", "'yy'", "'x'", "'zz z'", "''"][:n]
        return [f"{name} = ds.NumpySlicesDataset({{'a': np.array([{', '.join(words)}])}}{shuffle})"], {"a": 0}

    def _step(self, columns):
        r = self.random
        column = r.choice(list(columns))
        rank = columns[column]
        kinds = {self._map: 8, self._batch: 7, self._order: 6, self._columns: 4, self._join: 3, self._filter: 3}
        return r.choices(list(kinds), kinds.values())[0](columns, column, rank)

    def _map(self, columns, column, rank):
        r = self.random
        found = [
            f"transforms.TypeCast(ms.{r.choice(TYPES)})",
            "transforms.Duplicate()",
            "lambda v: v + v.dtype.type(1)",
            "lambda v: (v, v + v)",
            "lambda v: np.stack([v, v])",
            "transforms.Fill(3)",
            "lambda v: v.astype(np.float32) / np.float32(2)",
            "transforms.OneHot(8)",
            "transforms.Mask(transforms.Relational.GT, 2)",
        ]
        if rank != 0:
            found += [
                "transforms.Slice(slice(0, 1))",
                "transforms.PadEnd([4], 7)",
                "transforms.Concatenate(0, np.array([1], np.float32))",
                "transforms.Slice([0])",
                "transforms.Unique()",
                "transforms.Slice(...)",
            ]
        chosen = r.choice(found)
        if r.random() < 0.25:
            chosen = f"{chosen}, transforms.TypeCast(ms.{r.choice(TYPES)})" if "Duplicate" not in chosen else chosen
        names = {"(v, v + v)": 2, "Duplicate": 2, "Unique": 3}
        outputs = next((count for word, count in names.items() if word in chosen), 1)
        more = ""
        if outputs > 1:
            new = [f"{column}{k}" for k in range(outputs)]
            more = f", output_columns={new}"
            del columns[column]
            columns.update(dict.fromkeys(new, rank))
        elif "np.stack" in chosen or "OneHot" in chosen:
            columns[column] = None if rank is None else rank + 1
        if r.random() < 0.1:
            more += ", num_parallel_workers=2"
        if outputs == 1 and r.random() < 0.1:
            more += f", output_columns=['new_{column}']"
            columns[f"new_{column}"] = columns.pop(column)
        return f"data = data.map([{chosen}], input_columns=['{column}']{more})"

    def _batch(self, columns, column, rank):
        r = self.random
        if r.random() < 0.2:
            fill = r.choice(("None", f"{{'{column}': ([3], 7)}}", f"{{'{column}': ([None], -1)}}", "{}"))
            more = r.choice(("", ", drop_remainder=True"))
            return f"data = data.padded_batch({r.randint(1, 3)}, pad_info={fill}{more})"
        more = r.choice(("", "", ", drop_remainder=True", ", drop_remainder=False", ", num_parallel_workers=1"))
        if r.random() < 0.15:
            more += f", per_batch_map=lambda col, info: ([v + v.dtype.type(info.get_batch_num()) for v in col],), input_columns=['{column}']"
        elif r.random() < 0.1:
            more += (
                f", per_batch_map=lambda col, info: ([np.resize(v, (2,)) for v in col],), input_columns=['{column}']"
            )
        size = r.choice(("1", "2", "3", "4", "9", "lambda info: info.get_batch_num() + 1"))
        if "per_batch_map" not in more:
            for name in columns:
                columns[name] = None if columns[name] is None else columns[name] + 1
        return f"data = data.batch({size}{more})"

    def _order(self, columns, column, rank):
        r = self.random
        return "data = data." + r.choice(
            ("repeat(2)", "repeat(1)", "take(2)", "take(9)", "take(-1)", "skip(1)", "skip(3)", "skip(9)", "repeat(3)",
             "take(1)", "split([2, 1], randomize=False)[0]", "split([0.5, 0.5], randomize=False)[1]", "shuffle(1)", "skip(0)",
             "repeat()" if r.random() < 0.05 else "repeat(2)", "to_device()" if r.random() < 0.02 else "take(3)")
        )  # fmt: skip

    def _columns(self, columns, column, rank):
        r = self.random
        if r.random() < 0.5:
            new = f"{column}_"
            columns[new] = columns.pop(column)
            return f"data = data.rename(['{column}'], ['{new}'])"
        kept = r.sample(list(columns), r.randint(1, len(columns)))
        ranks = {k: columns[k] for k in kept}
        columns.clear()
        columns.update(ranks)
        return f"data = data.project({kept})"

    def _join(self, columns, column, rank):
        r = self.random
        lines, other = self._source("other")
        if r.random() < 0.5:
            names = {k: f"o_{k}" for k in other}
            columns.update({f"o_{k}": v for k, v in other.items()})
            lines += [f"other = other.rename({list(names)}, {list(names.values())})", "data = ds.zip((data, other))"]
        else:
            lines.append(r.choice(("data = data + other", "data = data.concat(other)", "data = data.concat([other])")))
        return "\n".join(lines)

    def _filter(self, columns, column, rank):
        r = self.random
        test = r.choice(("v.sum() % 2 == 0", "v.size > 1", "bool((v > 1).all())", "True", "v.ndim == 1"))
        return f"data = data.filter(lambda v: {test}, input_columns=['{column}'])"


def run(case):
    """[answer of each step] as plain data; an exception is an answer."""
    names = dict(NAMES, __name__="pipeline")
    try:
        exec(case["source"], names)
    except Exception as error:
        return [_raised(error)]
    found = []
    for step in case["steps"]:
        try:
            found.append(plain(eval(step, names)))
        except Exception as error:
            found.append(_raised(error))
    return found


def _raised(error):
    kind = next(t for t in type(error).__mro__ if t.__module__ == "builtins")
    return ["!", kind.__name__, str(error)[:300]]


def plain(value):
    """An answer as plain data."""
    if isinstance(value, dict):
        return ["dict", [["tuple", [["str", repr(k)], plain(v)]] for k, v in value.items()]]
    if isinstance(value, (tuple, list)):
        return ["list", [plain(v) for v in value]]
    if isinstance(value, ms.Tensor):
        return ["Tensor", list(value.shape), [str(value.dtype), value.asnumpy().reshape(-1).tolist()]]
    if isinstance(value, np.ndarray):
        kind = str(value.dtype).capitalize() if value.dtype.kind in "fc" else str(value.dtype)
        return [kind, list(value.shape), value.reshape(-1).tolist()]
    return [type(value).__name__, str(value)]


def judge(case, theirs, ours, same):
    """The worst answer: "raises other" where the types of the exceptions differ."""
    if theirs[0] == "!" or ours[0] == "!":  # a side died
        return same(theirs, ours)
    if len(theirs) != len(ours):
        return "refused" if len(ours) < len(theirs) else "beyond"
    verdicts = []
    for a, b in zip(theirs, ours):
        verdict = same(a, b)
        verdicts.append("raises other" if verdict == "raise" and a[1] != b[1] else verdict)
    return max(verdicts, key=lambda v: (v not in ALLOWED, ALLOWED.index(v) if v in ALLOWED else 0))
