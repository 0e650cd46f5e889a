"""A fault of XLA's CPU compiler, found in each compiled program before it first runs: an array that is overwritten while it is still read.

A fusion may write its result over an operand that it reads element by element and that nobody reads later. XLA looks at that operand
alone. If the fusion reads the same memory a second time, through a reshape (a `bitcast`) that is an operand of its own, it reads what it
has already overwritten. The second operand appears where a fusion is so large that XLA leaves the reshape outside: after maxima over
windows of five or more elements, for example. All versions from JAX 0.8 to 0.12 do it, at every optimization level; `docs/compiler_bugs.md`
has the smallest program.

A program with such a fusion is compiled again without fusions: slower, and right. https://openxla.org/xla/architecture tells of the passes.
"""

import math
import re

import jax

from ... import log
from ..settings.context import present_device

_NO_FUSION = {"xla_disable_hlo_passes": "fusion"}
_LINE = re.compile(r"^\s+(?:ROOT )?%([^\s=]+) = (.*?) ([a-z][\w\-]*)\((.*)$")
_COMPUTATION = re.compile(r"^(?:ENTRY )?%?\S+ \(.*\{$")
_OPERAND = re.compile(r"%([^\s,(){}]+)")
_ARRAY = re.compile(r"([a-z]+)(\d*)\[([\d,]*)\]")
_VIEWS = ("bitcast", "reshape")  # of the memory of their operand
_GIVEN = ("parameter", "constant")  # memory that a fusion never writes over


def program(fn, donate=()):
    """`jax.jit(fn, donate_argnums=donate)`, compiled without fusions where one would overwrite what it reads."""
    return _Program(fn, donate) if present_device() == "CPU" else jax.jit(fn, donate_argnums=donate)


class _Program:
    """A function of `jax.jit` for arguments of one signature; the first call looks at what was compiled."""

    __slots__ = ("__wrapped__", "_donate", "_jitted", "_run")

    def __init__(self, fn, donate):
        self.__wrapped__, self._donate, self._run = fn, donate, None
        self._jitted = jax.jit(fn, donate_argnums=donate)

    @property
    def lower(self):
        return self._jitted.lower

    @property
    def trace(self):
        return self._jitted.trace

    def __call__(self, *given):
        run = self._run
        if run is None:
            self._check(given)
            run = self._run = self._jitted
        return run(*given)

    def _check(self, given):
        # The call that follows uses the program that is compiled here.
        found = overwritten(self.lower(*given).compile().as_text() or "")
        if found:
            name = self.__wrapped__.__name__
            log.info(f"{found[0]} would overwrite what it reads: '{name}' is compiled without fusions.")
            self._jitted = jax.jit(self.__wrapped__, donate_argnums=self._donate, compiler_options=_NO_FUSION)


def overwritten(text):
    """Names of the fusions of a compiled program that may write over memory that they read twice.

    Args:
        text: The program after all passes, in the order in which it runs (`Compiled.as_text()`).
    """
    found = []
    for lines in _computations(text):
        found += _of_computation(lines)
    return found


def _computations(text):
    """The instructions of each computation: (name, type, operation, the names of its operands)."""
    lines = None
    for line in text.splitlines():
        if lines is None:
            if _COMPUTATION.match(line):
                lines = []
        elif line.startswith("}"):
            yield lines
            lines = None
        elif parts := _LINE.match(line):
            name, kind, operation, rest = parts.groups()
            lines.append((name, kind, operation, _OPERAND.findall(_arguments(rest))))


def _arguments(rest):
    """What stands between the brackets that an instruction's operands begin with."""
    depth = 1
    for i, c in enumerate(rest):
        depth += (c in "([{") - (c in ")]}")
        if not depth:
            return rest[:i]
    return rest


def _of_computation(lines):
    memory, sizes, operations, last = {}, {}, {}, {}
    for at, (name, kind, operation, operands) in enumerate(lines):
        memory[name] = memory.get(operands[0], operands[0]) if operation in _VIEWS and operands else name
        sizes[name], operations[name] = _bytes(kind), operation
        for operand in operands:
            last[memory.get(operand, operand)] = at
    for at, (name, _, operation, operands) in enumerate(lines):
        if operation != "fusion":
            continue
        roots = [memory.get(operand, operand) for operand in operands]
        for root in {r for r in roots if roots.count(r) > 1}:
            ends_here = last[root] == at and operations.get(root) not in _GIVEN
            if ends_here and set(sizes[name]) & set(sizes.get(root, ())):
                yield name
                break


def _bytes(kind):
    """Sizes of the arrays of a type, in bits."""
    return [
        int(bits or 8) * math.prod(int(n) for n in shape.split(",") if n) for _, bits, shape in _ARRAY.findall(kind)
    ]
