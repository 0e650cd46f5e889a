"""Texts of random programs: a function, Cells with state, and the steps that call them.

Variables have one of these types: "f" and "m" (float32 Tensors of shapes (3,) and (2, 3)), "s" (a float32 scalar), "i" and "c"
(int32 Tensors of shapes (3,) and ()), "n" (a Python int), "q" (a Python float), "F" (a list of "f") and "D" (a dict of "f").
"""

import re

from forms import (
    BASE,
    CHILDREN,
    CONDITIONS,
    EAGER_FORMS,
    EAGER_PIECES,
    FORMS,
    FUNCTION_STEPS,
    NET_CHANGES,
    NET_STEPS,
    PIECES,
    SUM,
    TENSORS,
)
from seeded import Seeded


class Body:
    """Statements of one function: `lines` grows as `block` is called.

    Args:
        random: the generator of random numbers.
        types: {variable: type}.
        calls: [(type, text)], more expressions that may be used.
        state: {attribute: type} of the Cell, or None in a function.

    All `return` statements give the types `kinds`: MindSpore's compiler wants them alike.
    """

    eager = False  # whether the program runs in PYNATIVE_MODE alone

    def __init__(self, random, types, calls=(), state=None):
        self.random, self.types, self.calls, self.state = random, dict(types), list(calls), state
        self.lines, self.count, self.loops, self.children = [], 0, 0, ()
        self.kinds = random.choice(("f", "f", "s", "s", "fs", "mi", "fn", "F", "D", "fsc"))

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def value(self, kind, depth=0):
        """Text of a variable or expression of this type."""
        r = self.random
        known = [n for n, t in self.types.items() if t == kind]
        if kind in BASE and r.random() < 0.4:
            return r.choice(BASE[kind])
        if known and (depth > 1 or r.random() < (0.55 if depth else 0.1)):
            return r.choice(known[-4:] if r.random() < 0.6 else known)
        calls = [text for t, text in self.calls if t == kind]
        if calls and depth < 2 and r.random() < 0.25:
            return self.fill(r.choice(calls), depth + 1)
        if depth > 2:
            return {
                "f": "Tensor([0.5, -1.0, 2.0], ms.float32)",
                "m": "ops.ones((2, 3), ms.float32)",
                "s": "Tensor(0.5, ms.float32)",
                "i": "Tensor([1, 2, 3], ms.int32)",
                "c": "Tensor(2, ms.int32)",
                "n": "2",
                "q": "0.5",
                "F": f"[{self.value('f', 2)}]",
                "D": f"{{'a': {self.value('f', 2)}}}",
            }[kind]
        forms = FORMS[kind] if not self.eager or r.random() < 0.8 else EAGER_FORMS.get(kind, FORMS[kind])
        text = self.fill(r.choice(forms), depth + 1)
        return f"({text})" if depth else text

    def fill(self, form, depth):
        """The form with each {type} replaced by a value of it, each {k3} by a number below 3."""
        r = self.random
        pick = lambda k: str(r.randrange(int(k[1:]))) if k[0] == "k" else self.value(k, depth)  # noqa: E731
        return re.sub(r"\{(k\d|[fmsicnqFD])\}", lambda found: pick(found[1]), form)

    def say(self, indent, form):
        self.lines.append("    " * indent + self.fill(form, 1))

    def block(self, indent, size):
        """`size` statements; names that are made inside stay inside."""
        outside = dict(self.types)
        before = len(self.lines)
        for _ in range(size):
            self.statement(indent)
        if len(self.lines) == before:
            self.lines.append("    " * indent + "pass")
        self.types = outside

    def statement(self, indent):
        """One statement, and what belongs to it."""
        r = self.random
        kinds = {
            self.new: 30,
            self.again: 22,
            self.place: 9,
            self.collect: 10,
            self.attribute: 16 if self.state else 0,
            self.condition: 16,
            self.loop: 9,
            self.endless: 6,
            self.leave: 3,
            self.inner: 3,
            self.odd: 6,
            self.linked: 4,
            self.guarded: 4 if self.eager else 0,
        }
        if indent > 4:
            kinds = {self.new: 2, self.again: 3}
        r.choices(list(kinds), kinds.values())[0](indent)

    def new(self, indent):
        kind = self.random.choice((*TENSORS, "n", "q", "F", "D"))
        text, name = self.value(kind), self.name()
        self.lines.append("    " * indent + f"{name} = {text}")
        self.types[name] = kind

    def known(self, kinds):
        found = [(n, t) for n, t in self.types.items() if t in kinds]
        return self.random.choice(found) if found else (None, None)

    def again(self, indent):
        """A variable gets a new value of the same type."""
        name, kind = self.known(("f", "m", "s", "i", "c", "n", "q"))
        if name is None:
            return self.new(indent)
        if self.random.random() < 0.3:
            if kind in TENSORS:  # compiled by MindSpore, it would change the Tensor in place: see the deviations
                self.lines.append("    " * indent + f"{name} = {name} * 1")
            return self.say(indent, f"{name} {self.random.choice('+-')}= {{{kind}}}")
        return self.say(indent, f"{name} = {{{kind}}}")

    def place(self, indent):
        """A part of a Tensor is assigned."""
        name, kind = self.known(("f", "m", "i"))
        if name is None:
            return
        if name in ("x", "y", "z") or self.random.random() < 0.5:
            self.say(indent, f"{name} = {name} * 1")
        forms = {
            "f": ("{v}[{k3}] = {s}", "{v}[{k3}] = {q}", "{v}[:2] = {q}", "{v}[1:] += {s}", "{v}[{v} > {q}] = 0.0",
                  "{v}[Tensor([0, 2])] = {q}", "{v}[:] = {f}", "{v}[-1] *= 2"),
            "m": ("{v}[{k2}] = {f}", "{v}[:, {k3}] = {s}", "{v}[{k2}, {k3}] += {q}", "{v}[..., 1:] = {q}", "{v}[{k2}][{k3}] = {q}"),
            "i": ("{v}[{k3}] = {n}", "{v}[1:] = {c}", "{v}[{k3}] += 1"),
        }[kind]  # fmt: skip
        self.say(indent, self.random.choice(forms).replace("{v}", name))

    def collect(self, indent):
        """Lists and dicts change."""
        name, kind = self.known(("F", "D"))
        if name is None:
            return self.new(indent)
        forms = {
            "F": ("{v}.pop()", "{v}.append({v}.pop(0))", "{v} = {v}[:1]", "{v} = {v} * 2", "del {v}[0]", "{v}[:1] = [{f}]",
                  "{v}.append({f})", "{v}[0] = {f}", "{v} += [{f}]", "{v}.insert(0, {f})", "{v}.extend({F})",
                  "{v} = {v} + [{f}]", "{v}[-1] += {f}", "{v}.reverse()"),
            "D": ("{v}.setdefault('c', {f})", "{v}['b'] = {v}.pop('a')\n" + "    " * indent + "{v}['a'] = {f}", "{v} = {**{v}, 'c': {f}}",
                  "{v}['a'] = {f}", "{v}['c'] = {f}", "{v}.update({D})", "{v}['a'] += {f}", "{v}['a'] = {v}.get('b', {f})"),
        }[kind]  # fmt: skip
        self.say(indent, self.random.choice(forms).replace("{v}", name))

    def attribute(self, indent):
        """The state of the Cell changes."""
        forms = [
            "self.w[{k3}] = {s}" if self.random.random() < 0.5 else "ops.assign(self.w, {f})",
            "self.w += {f}",
            "self.w = {f} * 1",
            "ops.assign_add(self.w, {f})",
            "ops.assign(self.b, {s})",
            "self.b += 1",
            "self.w.set_data({f} * 1)",
        ]
        for name, kind in self.state.items():
            forms += {
                "n": (f"self.{name} += 1", f"self.{name} = {{n}}", f"self.{name} = self.{name} * 2 % 7"),
                "q": (f"self.{name} = {{q}}", f"self.{name} *= 0.5"),
                "f": (f"self.{name} = {{f}}", f"self.{name} = self.{name} * 0.5 + {{f}}"),
                "F": (f"self.{name}.append({{f}})", f"self.{name}[0] = {{f}}", f"self.{name} = [{{f}}, {{f}}]"),
                "D": (f"self.{name}['a'] = {{f}}", f"self.{name}['c'] = {{f}}"),
                "N": (f"self.{name}.append({{n}})", f"self.{name}[0] += 1"),
            }[kind]
        for name, kind, _, _ in self.children:
            if kind.startswith("Small"):
                forms += [
                    f"self.{name}.n += 1",
                    f"self.{name}.w = {{f}} * 1",
                    f"self.{name}.b += {{q}}",
                    f"self.{name}.k = {{n}}",
                ]
        self.say(indent, self.random.choice(forms))

    def condition(self, indent):
        r = self.random
        self.say(indent, f"if {r.choice(CONDITIONS)}:")
        self.branch(indent + 1)
        if r.random() < 0.25:
            self.say(indent, f"elif {r.choice(CONDITIONS)}:")
            self.branch(indent + 1)
        if r.random() < 0.6:
            self.lines.append("    " * indent + "else:")
            self.branch(indent + 1)

    def branch(self, indent):
        """The body of a condition or loop; inside a loop it may leave it."""
        r = self.random
        self.block(indent, r.randint(1, 2))
        roll = r.random()
        if self.loops and roll < 0.2:
            self.lines.append("    " * indent + r.choice(("break", "continue")))
        elif roll > 0.95:
            self.result(indent)

    def loop(self, indent):
        r = self.random
        name = self.name()
        head, types = r.choice(
            (
                (f"for {name} in range({{n}}):", {name: "n"}),
                (f"for {name} in range(2):", {name: "n"}),
                (f"for {name} in {{F}}:", {name: "f"}),
                (f"for {name} in {{m}}:", {name: "f"}),
                (f"for {name}_k, {name} in {{D}}.items():", {name: "f"}),
                (f"for {name}_i, {name} in enumerate({{F}}):", {name: "f", f"{name}_i": "n"}),
                (f"for {name}_a, {name} in zip({{F}}, {{F}}):", {name: "f", f"{name}_a": "f"}),
                (f"for {name} in (1, 2):", {name: "n"}),
            )
        )
        self.say(indent, head)
        outside = dict(self.types)
        self.types.update(types)
        self.loops += 1
        self.branch(indent + 1)
        self.loops -= 1
        self.types = outside

    def endless(self, indent):
        """A `while` with a counter that ends it."""
        r = self.random
        name = self.name()
        traced = r.random() < 0.6
        self.lines.append("    " * indent + f"{name} = {'Tensor(0, ms.int32)' if traced else '0'}")
        more = f" and {r.choice(CONDITIONS)}" if r.random() < 0.3 else ""
        self.say(indent, f"while {name} < {r.randint(1, 3)}{more}:")
        self.lines.append(
            "    " * (indent + 1) + f"{name} += 1"
            if r.random() < 0.5
            else "    " * (indent + 1) + f"{name} = {name} + 1"
        )
        self.types[name] = "c" if traced else "n"
        self.loops += 1
        held = self.types.pop(name)
        self.branch(indent + 1)
        self.types[name] = held
        self.loops -= 1

    def leave(self, indent):
        """An early return."""
        self.say(indent, f"if {self.random.choice(CONDITIONS)}:")
        self.result(indent + 1)

    def inner(self, indent):
        """A function within the function."""
        r = self.random
        name, kind = f"g{self.count}", r.choice("fms")
        self.count += 1
        if r.random() < 0.4:
            self.say(indent, f"{name} = lambda a: a * {{q}} + {{s}}")
        else:
            self.lines.append("    " * indent + f"def {name}(a, k=2):")
            self.say(
                indent + 1,
                r.choice(
                    ("return a * k + {s}", "return a - {q} * k", "b = a * k\n" + "    " * (indent + 1) + "return b * b")
                ),
            )
        self.calls.append((kind, f"{name}({{{kind}}})"))
        self.new(indent)
        self.calls.pop()

    def number(self):
        """`{name}` of a number, for an f-string."""
        found = [n for n, t in self.types.items() if t == "n"]
        return "{" + (self.random.choice(found) if found else "2") + "}"

    def linked(self, indent):
        """A part of a Tensor is named and written: a slice, since MindSpore copies what is reshaped under a gradient."""
        name, kind = self.known(("f", "m"))
        if name is None:
            return
        forms = {
            "f": ("{p} = {v}[1:]", "{p} = {v}[:2]", "{p} = {v}"),
            "m": ("{p} = {v}[{k2}]", "{p} = {v}[:, 1:]", "{p} = {v}[1:]"),
        }[kind]
        part = self.name()
        self.lines.append("    " * indent + f"{name} = {name} * 1")
        self.say(indent, self.random.choice(forms).replace("{v}", name).replace("{p}", part))
        self.say(
            indent,
            self.random.choice(("{p}[0] = {q}", "{p}[0] = {s}", "{p}[-1] *= 2", "{p}[:1] = {n}")).replace("{p}", part),
        )

    def guarded(self, indent):
        """A `try` whose exception is certain, or does not happen."""
        r = self.random
        name, kind = self.known(("f", "m", "s", "i", "c"))
        if name is None:
            return
        pad = "    " * indent
        error, raises = r.choice(
            (
                ("ValueError", "raise ValueError('no')"),
                ("KeyError", "{'a': 1}['z']"),
                ("IndexError", "[1][3]"),
                ("ZeroDivisionError", "1 // 0"),
            )
        )
        self.lines.append(f"{pad}try:")
        self.say(indent + 1, f"{name} = {{{kind}}}")
        if r.random() < 0.6:
            self.say(indent + 1, "if {n} > 2:" if r.random() < 0.5 else f"if {r.choice(CONDITIONS)}:")
            self.lines.append(f"{pad}        {raises}")
        self.lines.append(f"{pad}except {error}{' as error' if r.random() < 0.3 else ''}:")
        self.say(indent + 1, f"{name} = {{{kind}}}")
        if r.random() < 0.3:
            self.lines.append(f"{pad}finally:")
            self.say(indent + 1, f"{name} = {name} + 1")

    def odd(self, indent):
        """Statements that do little."""
        name, other = self.known(("f",))[0], self.known(("f",))[0]
        forms = [
            "print('seen')",
            "assert {n} < 1000, 'never'",
            "_, *rest = {F}",
            f"label = f'{self.number()} of it'",
            "{D}.items()",
        ]
        if self.state is not None:
            forms += [
                "setattr(self, 'n', {n})" if "n" in self.state else "getattr(self, 'w')",
                "if hasattr(self, 'q'):\n" + "    " * (indent + 1) + "self.b += 1",
                "getattr(self, 'nothing', {n})",
                "for p in self.trainable_params():\n" + "    " * (indent + 1) + "print(p.name)",
            ]
        if name and other:
            forms += [
                f"{name}, {other} = {other}, {name}",
                f"print({name})",
                f"{name} = {name} if {{n}} > 1 else {other}",
            ]
        self.say(indent, self.random.choice(forms))

    def result(self, indent):
        """The last statement."""
        found = []
        for kind in self.kinds:
            known = [n for n, t in self.types.items() if t == kind and n.startswith("v")]
            found.append(self.random.choice(known) if known and self.random.random() < 0.6 else self.value(kind))
        if self.kinds == "s":  # what was computed shall be seen
            found[0] += "".join(f" + {n}.sum()" for n, t in self.types.items() if t in ("f", "m", "s") and "." not in n)
        self.lines.append("    " * indent + "return " + ", ".join(found))


def helpers(r):
    """(text, calls) of module-level functions."""
    lines, calls = [], []
    if r.random() < 0.3:
        body = Body(r, {"a": "f", "k": "n"})
        body.kinds = "f"
        body.block(1, r.randint(1, 3))
        body.say(1, "return {f}")
        lines += ["def helper(a, k=1):", *body.lines, ""]
        calls += [("f", "helper({f})"), ("f", "helper({f}, k={n})"), ("f", "helper({f}, {n})")]
    if r.random() < 0.15:
        stop = r.choice(("n <= 0", "n <= 0", "a.sum() > 9"))
        step = r.choice(("power(a * 0.5, n - 1) + a", "a * power(a, n - 1)", "power(a + n, n - 1)"))
        lines += ["def power(a, n):", f"    if {stop}:", "        return a", f"    return {step}", ""]
        calls.append(("f", "power({f}, {k3})"))
    if r.random() < 0.15:
        lines += ["def twice(fn, a):", "    return fn(fn(a))", ""]
        calls.append(("f", "twice(lambda t: ops.tanh(t) * {q}, {f})"))
    if r.random() < 0.1:
        lines += ["def slope(a):", "    return ms.grad(lambda t: (t * t * t).sum())(a)", ""]
        calls.append(("f", "slope({f})"))
    pieces = PIECES + EAGER_PIECES if Body.eager else PIECES
    for piece in r.sample(pieces, r.choice((0, 0, 1, 1, 2))):
        lines += [*piece[:-1], ""]
        calls += piece[-1]
    return lines, calls


def small(r, calls):
    """Lines of the class of an inner Cell."""
    state = {"n": "n"}
    body = Body(r, {"x": "f", "self.n": "n", "self.w": "f", "self.b": "s"}, calls, state)
    body.kinds = "f"
    body.block(2, r.randint(1, 3))
    body.say(2, "return {f} * self.k")
    return [
        "class Small(nn.Cell):",
        "    def __init__(self, k=1):",
        "        super().__init__()",
        "        self.k, self.n = k, 0",
        "        self.w = Parameter(Tensor([0.5, -0.5, 1.5], ms.float32), name='w')",
        "        self.b = Parameter(Tensor(0.25, ms.float32), name='b')",
        "",
        "    def construct(self, x):",
        *body.lines,
        "",
    ]


def network(r, calls):
    """Lines of the class Net, and whether it has BatchNorm or the like to switch."""
    lines, state, types = [], {}, {"x": "f", "y": "m"}
    children = [(f"c{i}", *r.choice(CHILDREN)) for i in range(r.choice((0, 0, 1, 1, 2)))]
    if any("run_all" in c[3] for c in children):
        lines += ["def run_all(cells, a):", "    for cell in cells:", "        a = cell(a)", "    return a", ""]
    if any("Small" in c[1] for c in children):
        lines += small(r, calls)
    lines += ["class Net(nn.Cell):", "    def __init__(self):", "        super().__init__()"]
    lines += [
        "        self.w = Parameter(Tensor([1.0, -2.0, 0.5], ms.float32), name='w')",
        "        self.b = Parameter(Tensor(0.5, ms.float32), name='b'"
        + r.choice(("", "", ", requires_grad=False"))
        + ")",
    ]
    for name, kind, text in (
        ("n", "n", "1"),
        ("q", "q", "0.5"),
        ("t", "f", "Tensor([0.1, 0.2, 0.3], ms.float32)"),
        ("seen", "N", "[1, 2]"),
        ("kept", "F", "[Tensor([1.0, 1.0, 1.0], ms.float32)]"),
        ("d", "D", "{'a': Tensor([2.0, 0.0, 1.0], ms.float32)}"),
    ):
        if r.random() < 0.4:
            state[name] = kind
            lines.append(f"        self.{name} = {text}")
            if kind != "N":
                types[f"self.{name}"] = kind
    inside = list(calls)
    for name, text, kind, form in children:
        lines.append(f"        self.{name} = {text}")
        inside.append((kind, form.format(c=name)))
    if r.random() < 0.3:
        body = Body(r, {**types, "self.w": "f", "self.b": "s", "a": "f"}, inside, state)
        del body.types["x"], body.types["y"]
        body.kinds = "f"
        body.block(2, r.randint(1, 3))
        body.say(2, "return {f}")
        method = [*r.choice(([], [], ["    @ms.jit"])), "    def part(self, a):", *body.lines, ""]
        inside.append(("f", "self.part({f})"))
    else:
        method = []
    body = Body(r, {**types, "self.w": "f", "self.b": "s"}, inside, state)
    body.children = children
    size = r.randint(2, 6)
    for _ in range(size):
        body.statement(2)
    body.result(2)
    return [*lines, "", *method, "    def construct(self, x, y):", *body.lines, ""]


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        Body.eager = r.random() < 0.5
        lines, calls = helpers(r)
        lines += SUM
        steps = []
        if r.random() < 0.6:
            lines += network(r, calls)
            lines += ["def loss(a, b):", "    return add(net(a, b))", ""]
            lines += ["def with_first(a, b):", "    return loss(a, b), a", ""]
            before, choice, changes = ["net = Net()"], NET_STEPS, NET_CHANGES
            if r.random() < 0.3:
                before.append("net.set_train()")
        else:
            body = Body(r, {"x": "f", "y": "m"}, calls)
            for _ in range(r.randint(2, 7)):
                body.statement(1)
            body.result(1)
            lines += [
                "def f(x, y):",
                *body.lines,
                "",
                "def total(a, b):",
                "    return add(f(a, b))",
                "",
                "def with_second(a, b):",
                "    return total(a, b), b",
                "",
                "def slope_of_second(a, b):",
                "    return ms.grad(total, 1)(a, b)",
                "",
                "jitted = ms.jit(f)",
            ]
            before, choice, changes = [], FUNCTION_STEPS, ("x[0] = 5.0", "z += 1")
        if Body.eager:
            choice = [step for step in choice if "jit" not in step]
        steps = [r.choice(choice[:3]), r.choice(choice), *(r.choice(choice) for _ in range(r.choice((0, 0, 1))))]
        if r.random() < 0.35:
            steps.insert(r.randrange(1, len(steps)), r.choice(changes))
        lines += [
            "x = Tensor([0.5, -1.25, 2.0], ms.float32)",
            "z = Tensor([1.5, 0.25, -0.75], ms.float32)",
            "y = Tensor([[0.1, 0.9, -0.4], [1.1, -0.6, 0.7]], ms.float32)",
            *before,
        ]
        case = {"source": "\n".join(lines) + "\n", "steps": steps}
        return {**case, "modes": ["pynative"]} if Body.eager else case
