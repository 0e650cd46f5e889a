"""Random programs of plain JAX, compiled and operator by operator: what differs is a fault of the compiler. msjax is not in it, but its look is.

python tests/fuzz/compilers.py --count 3000 --seed 1 --out faults.jsonl

A program is a text of a function of an array of floats, one of integers, one of bools and one of bfloat16: parts, writes at a place that is an
argument, windows, sorts, gathers and scatters, sums along an axis, branches and loops around some of it. Its numbers are multiples of 1/8 and
what is done to them is exact in float32, so that a rounding can not explain a difference; a third of the programs round (`SOFT`), and have a
wider bound and nothing that makes a step of a rounding.

For each difference the file has the text, how far off it is, and whether `overwritten` of `msjax/core/operators/shared_buffers.py` sees
it: then msjax compiles such a program otherwise. What it does not see is a fault of a new class. `unneeded` counts programs that are right
and that it compiles otherwise. Exit code 1: a difference that is not seen.
"""

import argparse
import collections
import json
import math
import pathlib
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]
from seeded import Seeded  # noqa: E402

SHAPES = ((24,), (4, 6), (6, 4), (2, 3, 4), (2, 12))  # few, so that single operators are compiled once
SOFT = ("tanh", "sigmoid", "softmax", "bfloat16")  # they round, bfloat16 in a fusion less often than alone
CUTS = (
    "int8",
    "argsort",
    "num_keys",
    "where(v",
    "where(x",
    "where(y",
    "> 0.25",
    "jax.grad",
)  # what makes a step of a rounding
NAMES = {"jax": jax, "jnp": jnp, "lax": lax, "np": np}


class Generator(Seeded):
    """Texts of functions `f(x, k, m, h)` of arrays of float32 (4, 6), one int32, bool (4, 6) and bfloat16 (2, 12)."""

    def __next__(self):
        r = self.random
        self.shapes, self.count = {"x": (4, 6)}, 0
        self.avoided = r.choice((SOFT, SOFT, CUTS))  # a program rounds or cuts, not both
        lines = []
        for _ in range(r.choice((4, 6, 8, 10, 12))):
            roll = r.random()
            if roll < 0.12:
                lines += self._branch()
            elif roll < 0.24:
                lines += self._loop()
            else:
                lines.append(self._line())
        last = list(self.shapes)[-4:]
        body = "\n".join(f"    {line}" for line in lines)
        return f"def f(x, k, m, h):\n{body}\n    return {', '.join(last)},\n"

    def _pick(self):
        names = list(self.shapes)
        name = self.random.choice(names[-3:] if self.random.random() < 0.7 else names)
        return name, self.shapes[name]

    def _new(self, shape):
        name = f"v{self.count}"
        self.count += 1
        self.shapes[name] = tuple(shape)
        return name

    def _line(self):
        text, shape = self._expression(*self._pick())
        return f"{self._new(shape)} = {text}"

    def _branch(self):
        """Two forms of one array, of which `k` chooses."""
        name, shape = self._pick()
        texts = [self._of_same_shape("y", shape) for _ in range(2)]
        new = self._new(shape)
        choice = (
            "k > 2"
            if self.avoided is CUTS
            else self.random.choice(("k > 2", f"{name}.sum() > 0", f"{name}.reshape(-1)[k] > 0.25"))
        )
        return [f"{new} = lax.cond({choice}, lambda y: {texts[0]}, lambda y: {texts[1]}, {name})"]

    def _loop(self):
        """A loop that writes a part of its array each time."""
        r = self.random
        name, shape = self._pick()
        text = self._of_same_shape("y", shape)
        new = self._new(shape)
        more = r.choice(
            ("y", f"jnp.minimum(jnp.maximum({text}, -8), 8)", f"lax.fori_loop(0, 2, lambda j, y: {text} * 0.5, y)")
        )
        written = self._written("y", shape, "i")
        kind = r.choice(("fori", "scan", "while"))
        if kind == "scan":
            return [f"{new} = lax.scan(lambda y, i: ({written} * 0.5 + {more} * 0.5, None), {name}, jnp.arange(3))[0]"]
        if kind == "while":
            step = f"lambda c: (c[0] + 1, (lambda y, i: {written} * 0.5 + {more} * 0.5)(c[1], c[0]))"
            return [f"{new} = lax.while_loop(lambda c: c[0] < k, {step}, (jnp.int32(0), {name}))[1]"]
        return [f"{new} = lax.fori_loop(0, 3, lambda i, y: {written} * 0.5 + {more} * 0.5, {name})"]

    def _of_same_shape(self, name, shape):
        """An expression of an array that has its shape."""
        for _ in range(50):
            text, found = self._expression(name, shape)
            if tuple(found) == tuple(shape):
                return text
        return f"{name} * 0.5"

    def _written(self, name, shape, place):
        """An array with a part written at a place that is computed."""
        r = self.random
        flat = math.prod(shape)
        size = r.choice((1, 2, 3, flat // 2, 3 * flat // 4))
        source = r.choice(
            (
                f"{name}.reshape(-1)[:{size}]",
                f"{name}.T.reshape(-1)[{flat - size}:]",
                f"{name}.reshape(-1)[::-1][:{size}]",
            )
        )
        form = r.choice((f"{source} * 0.5", f"-{source}", f"jnp.cumsum({source}) * 0.125", source))
        how = r.choice(
            (
                f"lax.dynamic_update_slice({name}.reshape(-1), {form}, ({place},))",
                f"{name}.reshape(-1).at[{place}:{place}+1].set(({form})[:1])"
                if place.isdigit()
                else f"{name}.reshape(-1).at[{place}].add(({form})[0])",
                f"{name}.reshape(-1).at[jnp.arange({size}) + {place} % 2].{r.choice(('set', 'add', 'max'))}({form}, mode='drop')",
            )
        )
        return f"({how}).reshape({tuple(shape)})"

    def _expression(self, name, shape):
        """(text, shape) of something made of one array, and perhaps another."""
        r, rank, total = self.random, len(shape), math.prod(shape)
        axis = r.randrange(rank)
        other = r.choice([s for s in SHAPES if math.prod(s) == total] or [(total,)])
        order = tuple(r.sample(range(rank), rank))
        partner = r.choice([n for n, s in self.shapes.items() if s == tuple(shape)] or [name]) if name != "y" else name
        n = shape[axis]
        window = tuple(min(3, n) if i == axis else 1 for i in range(rank))
        ones = (1,) * rank
        half = tuple(length - length // 2 if i == axis else length for i, length in enumerate(shape))
        reduced = r.choice(("sum", "max", "min"))
        rows = f"jnp.array({[r.randrange(-n, n) for _ in range(n)]})"
        bool_part = f"(m.reshape(-1)[:{total}].reshape({shape}) if {total} <= 24 else {name} > 0)"
        forms = [
            (f"lax.rev({name}, ({axis},))", shape),
            (f"{name}.reshape({other})", other),
            (f"jnp.transpose({name}, {order})", tuple(shape[i] for i in order)),
            (f"{name} * 0.5 + {partner}.reshape({shape})", shape),
            (f"jnp.maximum({name}, lax.rev({partner}, ({axis},)))", shape),
            (f"jnp.where({name} > {partner}, {name} - 1, {partner} * 0.5)", shape),
            (f"jnp.where({bool_part}, {name}, -{name})", shape),
            (f"jnp.cumsum({name}, {axis}) * 0.125", shape),
            (f"lax.cummax({name}, {axis}, reverse={r.random() < 0.5})", shape),
            (f"jnp.sort({name}, {axis})", shape),
            (f"jnp.argsort({name}, {axis}, stable=True).astype(jnp.float32) * 0.125", shape),
            (f"lax.sort(({name}, {partner}), dimension={axis}, num_keys=1)[1]", shape),
            (f"lax.reduce_window({name}, np.float32(-np.inf), lax.max, {window}, {ones}, 'SAME')", shape),
            (f"lax.reduce_window({name}, np.float32(0), lax.add, {window}, {ones}, 'SAME') * 0.25", shape),
            (f"lax.pad({name}, jnp.float32(0.5), {[(1, -1, 0) if i == axis else (0, 0, 0) for i in range(rank)]})", shape),
            (f"jnp.roll({name}, {r.choice(('k', '1', '-2'))}, {axis})", shape),
            (f"jnp.take({name}, {rows}, {axis})", shape),
            (f"{name}.at[(slice(None),) * {axis} + ({rows},)].{r.choice(('add', 'max', 'min'))}({partner} * 0.5)", shape),
            (self._written(name, shape, r.choice(("k", "k - 1", "3"))), shape),
            (f"lax.dynamic_slice({name}, [k] * {rank}, {half})", half),
            (f"jnp.broadcast_to({name}.{reduced}({axis}, keepdims=True), {shape}) * 0.125", shape),
            (f"jnp.concatenate([{name}, {partner}], {axis})[(slice(None),) * {axis} + (slice({n // 2}, {n // 2 + n}),)]", shape),
            (f"jnp.stack([{name}, {partner} * 2], {axis}).{reduced}({axis})", shape),
            (f"jax.grad(lambda a: (lax.reduce_window(a, np.float32(-np.inf), lax.max, {window}, {window}, 'VALID') * 0.5).sum())({name})", shape),
            (f"jax.grad(lambda a: (jnp.sort(a, {axis}) * {partner}).sum())({name})", shape),
            (f"jax.grad(lambda a: (jnp.maximum(a, 0.25) * lax.rev(a, ({axis},))).sum())({name})", shape),
            (f"(({name} * 8).astype(jnp.int8) // 2).astype(jnp.float32) * 0.25", shape),
            (f"({name} * 8).astype(jnp.int8).{reduced}({axis}, keepdims=True).astype(jnp.float32) * 0.03125 + {name} * 0", shape),
            (f"({name} > 0.25).{r.choice(('any', 'all'))}({axis}, keepdims=True) * {name}", shape),
            (f"jnp.tanh({name})", shape),
            (f"jax.nn.sigmoid({name}) * {partner}", shape),
            (f"jax.nn.softmax({name}, {axis})", shape),
            (f"{name}.astype(jnp.bfloat16).T.astype(jnp.float32).reshape({other})", other),
            (f"({name}.astype(jnp.bfloat16) + h.reshape(-1)[0]).astype(jnp.float32)", shape),
        ]  # fmt: skip
        if rank > 1:
            forms.append((f"jnp.clip(({name} @ jnp.swapaxes({name}, -1, -2)) * 0.125, -4, 4) @ {name} * 0.125", shape))
        return r.choice([form for form in forms if not any(word in form[0] for word in self.avoided)])


def given(seed):
    """The arguments, multiples of 1/8."""
    r = np.random.RandomState(seed)
    return (
        jnp.array(r.randint(-16, 17, (4, 6)) / 8, jnp.float32),
        jnp.int32(r.randint(0, 5)),
        jnp.array(r.randint(0, 2, (4, 6)), bool),
        jnp.array(r.randint(-16, 17, (2, 12)) / 8, jnp.bfloat16),
    )


def difference(source, seed=0):
    """(largest difference of the compiled results from those of single operators, relative to the largest number; whether msjax sees it)."""
    from msjax.core.operators.shared_buffers import overwritten

    space = dict(NAMES)
    exec(source, space)
    arguments = given(seed)
    with jax.disable_jit():
        right = [np.asarray(v, np.float64) for v in space["f"](*arguments)]
    compiled = jax.jit(space["f"]).lower(*arguments).compile()
    found = [np.asarray(v, np.float64) for v in compiled(*arguments)]
    far = 0.0
    for a, b in zip(right, found):
        finite = np.isfinite(a) & np.isfinite(b)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            return math.inf, bool(overwritten(compiled.as_text()))
        size = max(1.0, np.abs(a[finite]).max(initial=0))
        far = max(far, np.abs(a - b)[finite].max(initial=0) / size)
    return far, bool(overwritten(compiled.as_text()))


def bound(source):
    """How far off rounding may be."""
    return 5e-2 if any(word in source for word in SOFT) else 1e-4


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1", help="a number or a word")
    parser.add_argument("--out", help="file that gets a JSON line for each difference")
    options = parser.parse_args()
    counts, start, out = collections.Counter(), time.time(), open(options.out, "a") if options.out else sys.stdout
    for number in range(options.count):
        source = next(Generator(f"{options.seed} {number}"))
        try:
            far, seen = difference(source)
        except (TypeError, ValueError, IndexError) as error:  # a program that does not fit together
            counts["no program"] += 1
            if counts["no program"] < 4:
                print(source, repr(error)[:300], file=sys.stderr)
            continue
        wrong = far > bound(source)
        counts["equal" if not wrong and not seen else "unneeded" if not wrong else "seen" if seen else "not seen"] += 1
        if wrong:
            out.write(json.dumps({"number": number, "off": far, "seen": seen, "source": source}) + "\n")
            out.flush()
        if number % 20 == 19:
            print(number + 1, dict(counts), f"{time.time() - start:.0f} s", file=sys.stderr)
            jax.clear_caches() if number % 1000 == 999 else None
    return int(counts["not seen"] > 0)


if __name__ == "__main__":
    sys.exit(main())
