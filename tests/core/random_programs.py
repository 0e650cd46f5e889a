"""Random functions with control flow on Tensors: `program(seed)` gives the source of one.

Every function takes Tensors `a`, `b` (float32) and `m` (int32) of one element and the Parameter `p`, and returns all
its state. A Tensor is copied before it is changed in place where it might have a second name: which of two Tensors a
name means after a branch cannot depend on a condition, only what the name holds.
"""

import random

_HEAD = """\
import contextlib
import mindspore as ms
from mindspore import ops


class Holder:
    def __init__(self, v):
        self.v = v
        self.count = 0

    def step(self, by):
        if by > self.v:
            self.v = self.v + by * 0.25
            return self.v
        self.count += 1
        return by - 1


def halve(t, limit=2):
    while t > limit:
        t = t * 0.5 - 1
    return t


def difference(t, u):
    if t > u:
        return t - u
    u = u * 0.5
    return u


def main(a, b, m, p):
    c = a * 0.25
    n, k, flag = 0, 0, True
    d = {"k": b + 1}
    l = [a + 2, b - 1]
    h = Holder(a - b)

    def bump(by):
        nonlocal n, c
        n = n + 1
        if by > c:
            c = c + by * 0.5
        return c

"""
_RESULT = 'return a, b, c, n, k, l, d["k"], h.v, h.count, p * 1'


class _Program:
    def __init__(self, seed):
        self.random, self.lines, self.count = random.Random(seed), [], 0

    def pick(self, *makers):
        return self.random.choice(makers)()

    def emit(self, indent, text):
        self.lines.append("    " * indent + text)

    def tensor(self):
        return self.random.choice(["a", "b", "c", 'd["k"]', "l[0]", "l[1]", "h.v", "p"])

    def number(self):
        return self.random.randint(-2, 3)

    def value(self):
        t = self.tensor
        return self.pick(
            lambda: f"{t()} + {t()} * 0.5",
            lambda: f"-{t()}",
            lambda: f"{t()} * 0.5 + {self.number()}",
            lambda: f"{t()} - n",
            lambda: f"difference({t()}, {t()})",
            lambda: f"({t()} if {self.condition()} else {t()} + 1)",
            lambda: f"halve({t()}, limit={self.number()} + 2)",
            lambda: f"max({t()}, {t()}, {t()})",
            lambda: f"h.step({t()})",
            lambda: f"bump({t()})",
            lambda: "sum([v if v > 0 else v * 0.5 for v in l])",
            lambda: f"list(map(lambda v: v - 1 if v > {self.number()} else v, l))[{self.random.randint(0, 1)}]",
        )

    def condition(self, depth=0):
        t = self.tensor
        makers = [
            lambda: f"{t()} > {self.number()}",
            lambda: f"{t()} < {t()}",
            lambda: f"n > {self.number()}",
            lambda: f"k == {self.number()}",
            lambda: f"-1 < {t()} < 2",
            lambda: "flag",
        ]
        if depth < 2:
            makers += [
                lambda: f"({self.condition(depth + 1)} and {self.condition(depth + 1)})",
                lambda: f"({self.condition(depth + 1)} or {self.condition(depth + 1)})",
                lambda: f"not {self.condition(depth + 1)}",
            ]
        return self.pick(*makers)

    def simple(self, indent):
        name = self.random.choice(["a", "b", "c", "h.v", "l[0]", 'd["k"]'])
        text = self.pick(
            lambda: f"{name} = {self.value()}",
            lambda: f"{name} = {self.value()}",
            lambda: f"{name} = {self.tensor()} * 1.0; {name} += {self.number()}",
            lambda: "n += 1",
            lambda: "k = 1",
            lambda: f"flag = {self.condition()}",
            lambda: "a, b = b * 1.0, a * 1.0",
            lambda: f"l[0], c = c * 1.0, {self.value()} * 1.0",
            lambda: f"l = [l[1] * 1.0, {self.value()} * 1.0]",
            lambda: f'd = {{"k": {self.value()} * 1.0}}',
            lambda: f"p.set_data({self.value()} * 1.0)",
            lambda: f"h.v, (c, *l) = {self.value()} * 1.0, (a * 1.0, b * 1.0, c * 1.0)",
        )
        for part in text.split("; "):
            self.emit(indent, part)

    def block(self, indent, depth, loop):
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, depth, loop)

    def jump(self, indent, loop):
        self.emit(indent, self.random.choice([*(["break", "continue"] if loop else []), _RESULT]))

    def statement(self, indent, depth, loop):
        chance = self.random.random()
        if depth == 3 or chance < 0.45:
            self.simple(indent)
        elif chance < 0.72:
            self.branches(indent, depth, loop)
        elif chance < 0.92:
            self.loop(indent, depth)
        else:
            self.emit(indent, self.random.choice(["with contextlib.nullcontext():", "try:"]))
            guarded = self.lines[-1].endswith("try:")
            self.block(indent + 1, depth + 1, loop)
            if guarded:
                self.emit(indent, self.random.choice(["finally:", "except ZeroDivisionError:"]))
                self.emit(indent + 1, "k = k + 1")

    def branches(self, indent, depth, loop):
        for keyword, likely in (("if", 1), ("elif", 0.3), ("else", 0.5)):
            if self.random.random() < likely:
                self.emit(indent, f"{keyword}:" if keyword == "else" else f"{keyword} {self.condition()}:")
                self.block(indent + 1, depth + 1, loop)
                if self.random.random() < 0.25:
                    self.jump(indent + 1, loop)

    def loop(self, indent, depth):
        self.count += 1
        i = f"i{self.count}"
        kind = self.random.choice(["range", "while", "true", "items"])
        if kind == "range":
            self.emit(indent, f"for {i} in range({self.random.choice(['2', '3', 'm'])}):")
        elif kind == "items":
            self.emit(indent, f"for {i}, c in enumerate([v * 1.0 for v in l]):")
        else:
            self.emit(indent, f"{i} = 0")
            self.emit(indent, f"while {i} < 3 and {self.condition()}:" if kind == "while" else "while True:")
            self.emit(indent + 1, f"{i} += 1")
            if kind == "true":  # a `continue` must not make it endless
                self.emit(indent + 1, f"if {i} > 3:")
                self.emit(indent + 2, "break")
        self.block(indent + 1, depth + 1, True)
        if kind == "true":
            self.emit(indent + 1, f"if {i} > 2 or {self.condition()}:")
            self.emit(indent + 2, "break")
        elif self.random.random() < 0.5:
            self.emit(indent + 1, f"if {self.condition()}:")
            self.jump(indent + 2, True)
            self.simple(indent + 1)
        if self.random.random() < 0.15:
            self.emit(indent, "else:")
            self.simple(indent + 1)


def program(seed):
    """Source of a module with a function `main(a, b, m, p)`."""
    made = _Program(seed)
    for _ in range(made.random.randint(2, 5)):
        made.statement(1, 0, False)
    made.emit(1, _RESULT)
    return _HEAD + "\n".join(made.lines) + "\n"
