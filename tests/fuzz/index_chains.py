"""Random chains of reads and writes by keys of all kinds, parts, and the functions that gather, scatter, fill, select and segment: see chains.py."""

import chains
import numpy as np
from chain_verdicts import ALLOWED, AS_NUMPY, judge
from chains import BLOCK, LIMIT, Drawn, dtype_of, run
from texts import tables_of
from views import fits

__all__ = ["ALLOWED", "BLOCK", "LIMIT", "Generator", "judge", "run"]
NUMBERS = {
    "bool": ("True", "False", "1"),
    "uint8": ("3", "200", "True"),
    "int32": ("5", "-2", "2.0", "True"),
    "int64": ("5", "-2"),
}
LENGTHS = ((2,), (2,), (3,), (1,), (), (2, 2), (0,))  # of Tensors of places
ITEMS = {
    "number": 20, "slice": 26, "places": 18, "list": 8, "tuple": 2, "range": 0.3, "array": 0.6, "mask": 4, "nested": 3, "bools": 2,
}  # fmt: skip


class Generator(chains.Chain):
    """Cases of one seed: `next(generator)`."""

    SHAPES = (
        (),
        (0,),
        (1,),
        (4,),
        (5,),
        (3, 4),
        (2, 3),
        (4, 5),
        (5, 3),
        (1, 3),
        (2, 0),
        (2, 3, 4),
        (3, 2, 2),
        (2, 1, 3, 2),
    )
    DTYPES = ("float32", "float32", "float32", "float16", "int32", "int64", "bool", "uint8")
    TEXTS = tables_of("index_chains_texts.txt")
    WEIGHTS = {"read": 4, "write": 5, "function": 8, "view": 2, "inplace": 0.7}

    # --- operands
    def num(self):
        return self.r.choice(NUMBERS.get(self.d, ("5", "-2.5", "0.5", "True")))

    def _tensor(self, dtype, shape, values, inline=0.25):
        if self.r.random() < inline and len(values) and len(shape) < 2:
            return f"Tensor({values if shape else values[0]}, ms.{dtype})".replace("ms.bool", "ms.bool_")
        name = f"T{len(self.tensors) - 2}"
        self._given(name, dtype, shape, values)
        return name

    def ints(self, high, shape=None, low=None):
        """A Tensor of places below `high`."""
        r, shape = self.r, self.r.choice(LENGTHS) if shape is None else tuple(shape)
        count = int(np.prod(shape))
        if high <= 0 and count:
            raise Drawn
        low = (-high if r.random() < 0.15 else 0) if low is None else low
        return self._tensor(
            r.choice(("int32", "int64", "int64")), shape, [r.randrange(low, high) for _ in range(count)]
        )

    def places(self):
        """A Tensor of places for gather and scatter along the axis, elsewhere not larger than the operand; `src()` then has its shape."""
        r = self.r
        self.taken = [r.randint(1, max(1, n)) if r.random() < 0.4 else n for n in self.s]
        if self.s:
            self.taken[self.axis] = r.randint(1, max(1, self.n))
        return self.ints(self.n, self.taken, 0)

    def pairs(self, depth=None):
        """Places as rows of indices, for gather_nd and tensor_scatter; `src()` then has the shape of what they take."""
        r, depth = self.r, self.r.randint(1, max(1, self.rank)) if depth is None else depth
        if not self.s or 0 in self.s[:depth]:
            raise Drawn
        count = r.randint(1, 3)
        self.taken = [count, *self.s[depth:]]
        values = [r.randrange(n) for _ in range(count) for n in self.s[:depth]]
        return self._tensor(r.choice(("int32", "int64")), (count, depth), values)

    def src(self, shape=None):
        """A Tensor of the dtype of v."""
        shape = list(self.taken if shape is None else shape)
        names = [k for k in self.known if list(self.space[k].shape) == shape and dtype_of(self.space[k]) == self.d]
        if names and self.r.random() < 0.5:
            return self.r.choice(names)
        return self._tensor(self.d, tuple(shape), self._numbers(self.d, shape), 0)

    def like(self):
        return self.src(self.s)

    def cut(self, size):
        """The shape of v with another length along the axis."""
        return [*self.s[: self.axis], size, *self.s[self.axis + 1 :]]

    def less(self):
        return [*self.s[: self.axis], *self.s[self.axis + 1 :]]

    def mask(self, shape=None):
        shape = tuple(self.s if shape is None else shape)
        return self._tensor("bool", shape, self._numbers("bool", shape))

    # --- keys
    def key(self, shape=None):
        r, shape = self.r, self.s if shape is None else shape
        if shape and r.random() < 0.08:
            return self.mask(shape[: r.randint(1, len(shape))])
        items = []
        for n in shape:
            roll = r.random()
            if items and roll < 0.35:
                break
            if roll < 0.08:
                items.append(r.choice(("None",) * 8 + ("True", "False")))
            if roll > 0.95:
                items.append("...")
                break
            items.append(self._item(n))
        if r.random() < 0.02:
            items.append("0")  # one too many, if all axes have theirs
        return ", ".join(items) if items else r.choice(("...", "None", "()", "..."))

    def _item(self, n):
        r = self.r
        kind = r.choices(list(ITEMS), ITEMS.values())[0] if n else "slice"
        if kind == "slice":
            ends = (str(r.randrange(-n - 1, n + 2)) if r.random() < 0.5 else "" for _ in range(2))
            return ":".join(ends) + r.choice(("",) * 6 + (":2", ":2", ":3", ":-1", ":1"))
        if kind == "places":
            dtype, shape = (
                r.choices(("int32", "int64", "int8", "int16", "uint8"), (4, 6, 0.4, 0.4, 0.4))[0],
                r.choice(LENGTHS),
            )
            return self._tensor(dtype, shape, [r.randrange(n) for _ in range(int(np.prod(shape)))])
        if kind == "mask":
            return self.mask((n,))
        draw = lambda count: [r.randrange(-n, n) for _ in range(count)]  # noqa: E731
        return {
            "number": lambda: str(draw(1)[0] if r.random() < 0.97 else n),
            "list": lambda: str(draw(r.choice((1, 2, 2, 3)))),
            "nested": lambda: str([draw(2) for _ in range(r.choice((1, 2)))]),
            "tuple": lambda: str(tuple(draw(2))),
            "range": lambda: f"range({r.randrange(n + 1)})",
            "array": lambda: f"np.array({draw(2)})",
            "bools": lambda: str([r.random() < 0.5 for _ in range(n)]),
        }[kind]()

    # --- writes
    def store(self):
        return self._store(self.v, self.s)

    def chained(self):
        """A write by two keys."""
        key = self.key()
        return self._store(f"{self.v}[{key}]", list(self._part(self.s, key)))

    def _store(self, target, shape):
        key = self.key(shape)
        sign = self.r.choice(("=", "=", "=", "+=", "-=", "*=")) if self.d != "bool" else "="
        return f"{target}[{key}] {sign} {self._value(list(self._part(shape, key)))}"

    def _part(self, shape, key):
        """The shape of what a key takes."""
        arrays = {k: np.array(v).astype(d).reshape(s) for k, (d, v, s) in self.tensors.items() if d != "bfloat16"}
        try:
            return eval(f"a[{key}]", {**AS_NUMPY, **arrays, "a": np.zeros(shape)}).shape
        except Exception:
            return ()

    def _value(self, shape):
        """What is written: a number, a value that can be broadcast, a list, an array, or a Tensor of its own."""
        r, roll = self.r, self.r.random()
        if roll < 0.35:
            return self.num()
        if roll < 0.5:
            names = [k for k in self.known if fits(self.space[k].shape, shape)]
            if names:
                return r.choice(names)
        if shape and roll > 0.85:
            shape = shape[1:]
        if roll > 0.965:
            text = str(np.array(self._numbers(self.d, shape), object).reshape(shape).tolist())
            return text if roll > 0.97 else f"np.array({text}, '{self.d}')"
        return self.src(shape)
