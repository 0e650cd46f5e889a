"""Random networks that are graphs: several inputs and results (tuples, dicts, None, numbers), shared Cells of several results, state, writes.

A case is a dict like those of training.py; the operations are in graphs_texts.txt. A generator runs each statement as it draws it, so that shapes and
dtypes are known, and leaves out what raises or becomes large. Compared are the results, gradients of inputs and weights, three steps of some kind,
Parameters and the state of the optimizer.
"""

import contextlib
import re
import textwrap
import zlib

import mindspore as ms
import networks
import numpy as np
import training
import uses
from mindspore import Parameter, Tensor, mint, nn, ops
from seeded import Seeded
from texts import tables_of

LIMIT, BLOCK, ALLOWED = training.LIMIT, training.BLOCK, training.ALLOWED
LARGE, MANY = 30, 600  # of a number, of numbers in a value
TEXTS = tables_of("graphs_texts.txt")
TABLES = {name: TEXTS[name][0].split("\n") for name in ("layers", "two", "one", "writes")}
SHAPES = ((2, 3, 4, 5), (1, 2, 5, 4), (3, 4, 6), (2, 1, 5), (4, 6), (3, 2), (2, 5), (1, 3), (2, 2, 3, 4, 3), (5,), ())


class Scope:
    """The body of a `construct` that grows: lines of `__init__`, lines, and the values that names have."""

    def __init__(self, generator, given, depth=0):
        self.generator, self.random, self.depth = generator, generator.random, depth
        self.made, self.lines = [], []
        self.values = dict(given)  # {name: Tensor}
        self.used = set()  # names that a line takes
        self.cell = type("Self", (), {})()
        self.environment = {
            "ms": ms,
            "np": np,
            "nn": nn,
            "ops": ops,
            "mint": mint,
            "Tensor": Tensor,
            "Parameter": Parameter,
        }
        self.environment |= {"draw": drawn, "self": self.cell, **self.values}

    def name(self):
        self.generator.count += 1
        return f"v{self.generator.count}"

    def candidates(self, operand, first=None):
        """Names of values that fit an operand of graphs_texts.txt."""
        kind, ranks = operand[0], operand[1:].rstrip("=~")
        found = []
        for name, value in self.values.items():
            dtype = str(value.dtype)
            right = {
                "F": dtype == "Float32",
                "f": "Float" in dtype,
                "i": "Int" in dtype,
                "b": dtype == "Bool",
                "n": True,
            }[kind]
            rank = str(value.ndim) in ranks if ranks not in ("", "*") else True
            like = (
                first is None
                or ("=" in operand and value.shape == first.shape)
                or ("~" in operand and joins(value.shape, first.shape))
            )
            if right and rank and (like or not operand.endswith(("=", "~"))):
                found.append(name)
        return found

    def operation(self):
        """(lines of `__init__`, lines) of an operation of the values, or None."""
        r = self.random
        table = r.choices(("layers", "two", "one", "writes"), (5, 4, 6, 0.8))[0]
        operands, cell, line = re.split(r"\s*;\s*", r.choice(TABLES[table]), maxsplit=2)
        taken = []
        for operand in operands.split():
            found = self.candidates(operand, self.values[taken[0]] if taken else None)
            if not found:
                return None
            fresh = [n for n in found if n not in self.used]
            taken.append(r.choice(fresh[-4:] if fresh and r.random() < 0.6 else found[-6:]))
        shapes = [self.values[n].shape for n in taken]
        fill = self.filler(shapes)
        number = self.generator.number()
        names = dict(zip("ABC", taken))
        put = lambda text: re.sub(r"\b[ABC]\b", lambda m: names.get(m[0], m[0]), text)  # noqa: E731
        cell, line = put(fill(cell)) if table == "writes" else fill(cell), put(fill(line))
        if table == "writes":
            result = self.name()
            return [], [re.sub(r"\bW\b", result, text) for text in (cell, line)]
        made = [f"self.c{number} = {cell}"] if cell else []
        result = self.name()
        if "SUM_OF_CELLS" in line:
            return made, [
                f"{result} = {taken[0]}",
                f"for cell in self.c{number}:",
                f"    {result} = {result} + ops.tanh(cell({result}))",
            ]
        return made, [f"{result} = {line.replace('CELL', f'self.c{number}')}"]

    def filler(self, shapes):
        """A function that fills the `{...}` of a text, see graphs_texts.txt."""
        r = self.random
        names = dict(zip("abc", shapes)) | {
            "n": self.generator.count,
            "pick": lambda *options: r.choice(options),
            "axis": lambda s: r.randrange(-len(s), len(s)) if s else r.choice((0, -1)),
            "some": lambda s: (
                tuple(i - r.choice((0, len(s))) for i in sorted(r.sample(range(len(s)), r.randint(1, len(s)))))
                if s
                else ()
            ),
            "part": lambda n: r.choice([k for k in range(1, n + 1) if n % k == 0]),
            "order": lambda s: r.sample(range(len(s)), len(s)),
            "key": lambda s: key(r, s),
        }
        return lambda text: re.sub(r"\{([^{}]*)\}", lambda m: str(eval(m[1], names)), text)

    def tried(self, made, lines):
        """Whether the lines run and give values that are neither large nor many; then they are part of the body."""
        before = set(self.environment)
        environment = dict(self.environment)
        with contextlib.suppress(Exception):
            exec("\n".join(made), environment)
            for cell in vars(self.cell).values():
                if isinstance(cell, nn.Cell):
                    cell.set_train(self.generator.training)
            if made:
                networks_fill(self.cell, made)
            exec("\n".join(lines), environment)
            fresh = {n: v for n, v in environment.items() if n not in before and re.fullmatch(r"v\d+", n)}
            parts = {}
            for name, value in list(fresh.items()):
                if isinstance(value, (tuple, list)):
                    names = [self.name() for _ in value]
                    lines = [*lines, f"{', '.join(names)}{',' * (len(names) == 1)} = {name}"]
                    parts |= dict(zip(names, value))
                    del fresh[name]
                    environment.pop(name)
            fresh |= parts
            if not fresh or not all(isinstance(v, Tensor) and fits(v) for v in fresh.values()):
                return False
            self.made += [m for m in made if m]
            self.lines += lines
            self.used |= {n for n in before if re.search(rf"\b{n}\b", "\n".join(lines))}
            self.environment = environment | fresh
            self.values |= fresh
            return True
        return False

    def grow(self):
        r = self.random
        way = r.choices(
            ("operation", "loop", "branch", "state", "inner", "list"), (12, 0.6, 0.8, 0.6, 1.0 * (self.depth == 0), 0.4)
        )[0]
        if way == "operation":
            found = self.operation()
            return bool(found) and self.tried(*found)
        return getattr(self, "_" + way)()

    def _loop(self):
        """An operation that keeps the shape, some times."""
        r, found = self.random, self.operation()
        if found is None or len(found[1]) != 1:
            return False
        made, (line,) = found
        result, _, text = line.partition(" = ")
        operands = [n for n in self.values if re.search(rf"\b{n}\b", text)]
        if not operands:
            return False
        start = operands[0]
        text = re.sub(rf"\b{start}\b", result, text)
        head = r.choice(
            (
                "for i in range(2):",
                "for i in range(k):",
                "for scale in (1.0, 0.5):",
                "i = 0\nwhile i < k:",
                "for i in range(3, 0, -1):",
            )
        )
        body = [f"    {result} = {text}{r.choice(('', '', ' * 0.5', ' * scale' if 'scale' in head else ' * (i + 1)'))}"]
        if "while" in head:
            body.append("    i += 1")
        if r.random() < 0.2:
            body.append(
                f"    if {r.choice(('i == 1', 'k > 1'))}:\n        {r.choice(('break', 'continue'))}"
                if "scale" not in head and "while" not in head
                else ""
            )
        lines = [f"{result} = {start}", *head.split("\n"), *(b for b in body if b)]
        self.environment.setdefault("k", self.generator.k)
        return self.tried(made, "\n".join(lines).split("\n"))

    def _branch(self):
        """One of two operations of one shape, or an operation or nothing."""
        r, found = self.random, self.operation()
        if found is None or len(found[1]) != 1:
            return False
        made, (line,) = found
        result, _, text = line.partition(" = ")
        operands = [n for n in self.values if re.search(rf"\b{n}\b", text)]
        if not operands:
            return False
        other = operands[0]
        condition = r.choice((f"{other}.sum() > 0", "k > 1", "flag", "not flag", "self.training",
                              f"{other}.shape[0] > 2" if self.values[other].ndim else "flag",
                              f"{other}.mean() < 0.1 and flag", f"{other}.ndim == 2", "k is None", f"{other}.max() > {other}.min()"))  # fmt: skip
        if "Float" not in str(self.values[other].dtype):
            condition = r.choice(("flag", "k > 1"))
        self.cell.training = self.generator.training
        self.environment |= {"k": self.generator.k, "flag": self.generator.flag}
        either = r.choice(
            (f"{other} * 0.5", other, f"-{other}" if "Bool" not in str(self.values[other].dtype) else other)
        )
        if r.random() < 0.4:
            lines = [f"{result} = {text} if {condition} else {either}"]
        else:
            lines = [f"if {condition}:", f"    {result} = {text}", "else:", f"    {result} = {either}"]
        # both ways have one shape: MindSpore's compiler asks for it
        with contextlib.suppress(Exception):
            environment = dict(self.environment)
            exec("\n".join(made), environment)
            one, two = eval(text, environment), eval(either, environment)
            if one.shape == two.shape and one.dtype == two.dtype:
                return self.tried(made, lines)
        return False

    def _state(self):
        """Something that is kept between calls."""
        r = self.random
        found = self.candidates("F1234")
        if not found:
            return False
        a, number, result = r.choice(found[-5:]), self.generator.number(), self.name()
        shape = self.values[a].shape
        text = r.choice(TEXTS["states"])
        made, _, lines = text.partition("\n---\n")

        def put(text):
            named = re.sub(r"\bA\b", a, text.replace("CELL", f"self.c{number}"))
            return self.filler([shape])(re.sub(r"\bR\b", result, named))

        return self.tried(put(made).split("\n"), put(lines).split("\n"))

    def _list(self):
        """Values collected in a list or dict."""
        r = self.random
        found = self.candidates("F*")
        if not found:
            return False
        a = r.choice(found)
        alike = [n for n in self.candidates("F*=", self.values[a])]
        b, result, kept = r.choice(alike), self.name(), f"l{self.generator.number()}"
        lines = r.choice((
            [f"{kept} = []", f"for each in ({a}, {b}):", f"    {kept}.append(ops.tanh(each))", f"{result} = ops.stack({kept})"],
            [f"{kept} = [{a}, {b}]", f"{kept}[0] = {kept}[1] * 2", f"{result} = {kept}[0] + {kept}[-1]"],
            [f"{kept} = {{'p': {a}}}", f"{kept}['q'] = {b} * 0.5", f"{result} = sum({kept}.values())"],
            [f"{kept} = [each * i for i, each in enumerate(({a}, {b}, {a}))]", f"{result} = {kept}[1] - {kept}[2]"],
            [f"{kept} = ({a},) + ({b},) * 2", f"{result} = ops.cat({kept}[1:], 0)"],
            [f"{kept} = {{'p': {a}, 'q': {b}}}", f"{result} = 0", f"for key in {kept}:", f"    {result} = {result} + {kept}[key]"],
            [f"{kept} = list(zip(({a}, {b}), (0.5, 2.0)))", f"{result} = sum([u * w for u, w in {kept}])"],
            [f"{kept} = [{a}]", f"{kept}.extend([{b}, {a}])", f"{kept}.insert(0, {b})", f"u = {kept}.pop()", f"{result} = u + {kept}[0] * len({kept})"],
            [f"{kept}, *rest = {a}, {b}, {a}", f"{result} = {kept} + rest[-1]"],
        ))  # fmt: skip
        return self.tried([], lines)

    def _inner(self):
        """A Cell of several values that gives several; some are used twice."""
        r = self.random
        names = r.sample(list(self.values), min(len(self.values), r.choice((1, 2, 2, 3))))
        inside = [f"p{i}" for i in range(len(names))]
        scope = Scope(self.generator, {p: self.values[n] for p, n in zip(inside, names)}, self.depth + 1)
        scope.environment |= {"k": self.generator.k, "flag": self.generator.flag}
        for _ in range(r.choice((3, 5, 7))):
            scope.grow()
        fresh = [n for n in scope.values if n not in inside]
        if not fresh or not scope.made and r.random() < 0.7:
            return False
        out = r.sample(fresh, min(len(fresh), r.choice((1, 2, 3))))
        title = f"Inner{self.generator.number()}"
        way = r.choice(("tuple", "dict", "list", "nested"))
        given = ", ".join([*inside, "k=2", "*, flag=True"])
        returned = {
            "tuple": f"({', '.join(out)},)", "list": f"[{', '.join(out)}]", "dict": "{" + ", ".join(f"'{n}': {n}" for n in out) + "}",
            "nested": f"({out[0]}, ({', '.join(out[1:])}{',' * (len(out) == 2)}), None)",
        }[way]  # fmt: skip
        self.generator.classes.append(class_of(title, scope, given, [f"return {returned}"]))
        number = self.generator.number()
        self.made.append(f"self.c{number} = {title}()")
        calls = 2 if r.random() < 0.35 else 1
        for _ in range(calls):
            kept = f"s{self.generator.number()}"
            more = r.choice((", k, flag=flag", ", k=k, flag=flag"))
            self.lines.append(f"{kept} = self.c{number}({', '.join(names)}{more})")
            for i, n in enumerate(out):
                result = self.name()
                path = {
                    "tuple": f"[{i}]",
                    "list": f"[{i - len(out)}]",
                    "dict": f"['{n}']",
                    "nested": "[0]" if not i else f"[1][{i - 1}]",
                }[way]
                self.lines.append(f"{result} = {kept}{path}")
                self.values[result] = self.environment[result] = scope.values[n]
        return True


def networks_fill(cell, made):
    """Parameters get numbers as in the program: large weights would make large values."""
    for line in made:
        name = line.partition(" = ")[0].removeprefix("self.").strip()
        part = getattr(cell, name, None)
        if isinstance(part, nn.Cell):
            for parameter in part.get_parameters():
                if parameter.requires_grad:
                    networks.fill(parameter, 0)


def drawn(name, shape):
    return networks.values(name, "float32", shape)


def fits(value):
    numbers = value.asnumpy() if value.size else np.zeros(1)
    return (
        0 < value.size <= MANY
        and value.ndim < 6
        and np.isfinite(numbers).all()
        and np.abs(numbers.astype(np.float64)).max() <= LARGE
    )


def joins(a, b):
    """Whether two shapes broadcast."""
    with contextlib.suppress(ValueError):
        return bool(np.broadcast_shapes(a, b)) or not a and not b
    return False


def key(r, shape):
    """A random index of a shape as text."""
    items = []
    for length in shape[: r.randint(1, max(1, len(shape)))]:
        items.append(r.choice((
            "0", "-1", ":", "::2", "1:", ":-1", "None", "0:1", "-2:", "[0, -1]", "Tensor([0])", "Tensor([[0, -1]])", "True", "...",
            f"{length - 1}", f"slice(0, {length})", f"[{', '.join(r.choice(('True', 'False')) for _ in range(length - 1))}{', ' * (length > 1)}True]",
            f"Tensor({r.randrange(length)})", f"[{r.randrange(length)}]", f"Tensor([{', '.join(['True'] * length)}])",
        )))  # fmt: skip
    while items.count("...") > 1:
        items[items.index("...")] = ":"
    return ", ".join(items) or "..."


def class_of(title, scope, given, end):
    made, body = (textwrap.indent("\n".join(part), " " * 8) for part in (scope.made, [*scope.lines, *end]))
    return f"class {title}(nn.Cell):\n    def __init__(self):\n        super().__init__()\n{made}\n\n    def construct(self, {given}):\n{body}\n"


_TRAINED = re.compile(r"Parameter\((?!.*requires_grad=False)|Dense|Conv|Linear|LSTM|GRU|RNN|Embedding")


def is_float(value):
    """Whether a Tensor is of floats."""
    return "Float" in str(value.dtype)


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        while (case := self.program()) is None:
            pass
        return case

    def number(self):
        self.count += 1
        return self.count

    def program(self):
        """A case, or None for a network that nothing trains. The order of the draws is part of a seed."""
        r = self.random
        ms.set_context(mode=ms.PYNATIVE_MODE)
        self.count, self.classes = 0, []
        self.k, self.flag, self.training = r.choice((1, 2, 2, 3)), r.random() < 0.6, r.random() < 0.7
        made, values = self.inputs()
        whole = list(values)
        scope = self.grown(values)
        fresh = [n for n in scope.values if n not in whole and is_float(scope.values[n])]
        if not fresh or not any(_TRAINED.search(m) for m in scope.made):
            return None
        last = [n for n in fresh if n not in scope.used]
        out = list(dict.fromkeys([fresh[-1], *last[-3:], *r.sample(fresh, min(len(fresh), r.choice((0, 1, 2))))]))
        more = [n for n in scope.values if n not in whole and n not in out]
        returned, paths = self.results(out, r.choice(more) if more and r.random() < 0.4 else None)
        given, call, inside = self.signature(whole)
        scope.lines = inside + scope.lines
        constants, defaults = self.constants()
        net = class_of("Net", scope, given + defaults, [f"return {returned}"])
        call += constants
        names = ", ".join(whole)
        auxiliary, loss = self.loss(call, [path for path, name in paths if name in out])
        floats = [i for i, value in enumerate(values.values()) if is_float(value)]
        main = self.main(made, names, call, auxiliary, floats)
        source = [TEXTS["top"][0], *self.classes, net, LOSS.format(names=names, body=loss), main]
        return {
            "source": "\n\n".join(source),
            "flags": {},
            "old": False,
            "modes": [r.choice(("pynative", "pynative", "graph"))],
        }

    def inputs(self):
        """(texts that make the inputs, {name: value}): one to three of floats, sometimes positions and a mask."""
        r = self.random
        shapes = [r.choice(SHAPES) for _ in range(r.choice((1, 2, 2, 3)))]
        if len(shapes) > 1 and r.random() < 0.4:
            shapes[1] = shapes[0]
        made = [f"tensor('x{i}' + s, {shape})" for i, shape in enumerate(shapes)]
        values = {f"x{i}": Tensor(drawn(f"x{i}", shape)) for i, shape in enumerate(shapes)}
        if r.random() < 0.5:
            shape = r.choice(((3,), (2, 3), (4, 1), (2,)))
            made.append(f"tensor('ids' + s, {shape}, 7)")
            values["ids"] = Tensor(networks.values("ids", "int32", shape, 7))
        if r.random() < 0.4:
            shape = r.choice(shapes)
            made.append(f"tensor('mask' + s, {shape}) > 0")
            values["mask"] = Tensor(drawn("mask", shape) > 0)
        return made, values

    def grown(self, values):
        """The body of `construct`, of 4 to 12 statements."""
        scope = Scope(self, values)
        scope.environment |= {"k": self.k, "flag": self.flag}
        grown, wanted = 0, self.random.choice((4, 6, 8, 10, 12))
        for _ in range(5 * wanted):
            grown += bool(scope.grow())
            if grown >= wanted:
                break
        return scope

    def signature(self, whole):
        """(parameters of `construct`, arguments of a call, first lines): inputs alone, two of them as a tuple or list, or all as a dict."""
        way = self.random.choice(("plain", "plain", "plain", "pair", "dict", "list")) if len(whole) > 1 else "plain"
        if way == "plain":
            return ", ".join(whole), ", ".join(whole), []
        if way == "dict":
            batch = "{" + ", ".join(f"'{n}': {n}" for n in whole) + "}"
            return "batch", batch, [f"{n} = batch['{n}']" for n in whole]
        first, rest = ", ".join(whole[:2]), "".join(f", {n}" for n in whole[2:])
        pair = f"({first})" if way == "pair" else f"[{first}]"
        return f"pair{rest}", f"{pair}{rest}", [f"{first} = pair"]

    def constants(self):
        """(further arguments of a call, further parameters of `construct`): numbers and flags that are no inputs of the program."""
        r = self.random
        given = r.choice(
            (
                "",
                f", {self.k}, {self.flag}",
                f", k={self.k}, flag={self.flag}",
                f", {self.k}, flag={self.flag}, unused=None",
            )
        )
        if given:
            return given, f", k={r.choice((1, 2))}, flag=True, unused=None"
        return given, f", k={self.k}, flag={self.flag}, unused=None"

    def loss(self, call, paths):
        """(whether it gives the outputs, too; body of the loss): a sum of terms, one for each path into the outputs."""
        r = self.random
        terms = [
            r.choice((
                "({}).astype(ms.float32).mean()", "ops.tanh({}).astype(ms.float32).sum()", "({} ** 2).astype(ms.float32).sum() * 0.1",
                "ops.abs({}).mean().astype(ms.float32)", "ops.sigmoid({}.astype(ms.float32)).mean() * 2",
            )).format(f"out{path}") for path in paths
        ]  # fmt: skip
        auxiliary = r.random() < 0.3
        total = r.choice((" + ", " + 0.5 * ")).join(terms)
        lines = f"out = self.net({call})\nloss = {total}\nreturn {'loss, out' if auxiliary else 'loss'}"
        return auxiliary, textwrap.indent(lines, " " * 8)

    def main(self, made, names, call, auxiliary, floats):
        """The text of `inputs` and `main`: what is looked at, and a few steps of an optimizer."""
        choose = lambda table: training.Generator.fill(self, self.random.choice(TEXTS[table]))  # noqa: E731
        steps = choose("steps")
        of_cells = any(name in steps for name in ("TrainOneStepCell", "Model(", "build_train_network"))
        optimizer = self.random.choice([o for o in networks.OPTIMIZERS if o.startswith("nn.") or not of_cells])
        comma = "," * (len(made) == 1)
        return (
            f"def inputs(s=''):\n    return {', '.join(made)}{comma}\n\n\n"
            f"def main(seen):\n    net = Net()\n    fill(net)\n    net.set_train({self.training})\n    {names}{comma} = inputs()\n"
            "    seen('names', [f'{p.name} {p.dtype} {p.shape}' for p in net.get_parameters()])\n"
            f"    seen('result', flat(net({call})))\n    fill(net)\n"
            f"    loss, AUX = Loss(net), {auxiliary}\n    loss.set_train({self.training})\n    weights = net.trainable_params()\n    floats = {tuple(floats)}\n"
            + training._indented(choose("uses"), 4)
            + f"    fill(net)\n    P = list(weights)\n    opt = {optimizer}\n"
            + training._indented(steps, 4)
            + "    seen('Parameters', [p.value() for p in net.get_parameters()])\n"
        )

    def results(self, out, more):
        """(text of what `construct` gives, [(path of an item, its name)])."""
        r = self.random
        way = r.choice(("tuple", "tuple", "dict", "list", "nested", "mixed", "single"))
        if way == "single" or len(out) == 1 and r.random() < 0.3:
            return out[0], [("", out[0])]
        if way == "dict":
            return "{" + ", ".join(f"'{n}': {n}" for n in out) + "}", [(f"['{n}']", n) for n in out]
        if way == "nested":
            rest = ", ".join(out[1:]) + ("," if len(out) == 2 else "")
            return f"{out[0]}, {{'rest': ({rest})}}, {more or 'None'}", [
                ("[0]", out[0]),
                *((f"[1]['rest'][{i}]", n) for i, n in enumerate(out[1:])),
            ]
        items = [*out, more] if more else out
        if way == "mixed":
            return f"None, {', '.join(items)}, k", [(f"[{i + 1}]", n) for i, n in enumerate(out)]
        text = ", ".join(items)
        return (f"[{text}]" if way == "list" else f"({text},)"), [(f"[{i}]", n) for i, n in enumerate(out)]


LOSS = """\
class Loss(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, {names}):
{body}
"""


def run(case):
    """{mode: [[stage, result], ...]} as plain data."""
    return networks.in_all_modes(case, uses._run, zlib.crc32(case["source"].encode()))


def judge(case, theirs, ours, same):
    """The worst of all comparisons, with the modes and the stage that it is about."""
    nudged = lambda: uses._run({**case, "nudge": networks.NUDGE}, "pynative")  # noqa: E731
    twice = "class Step(" in case["source"] and any(w in case["source"] for w in ("BatchNorm", "requires_grad=False"))
    return networks.judge_modes(theirs, ours, training.low_of(case["source"]), nudged, () if twice else networks.PAIRS)


again = uses.again
