"""Two faults of XLA's CPU compiler, found in each compiled program before it first runs: an array is overwritten while it is still read.

A fusion may write its result over an operand that it reads element by element and that nobody reads later. XLA looks at that operand
alone. If the fusion reads the same memory a second time, through a reshape (a `bitcast`) that is an operand of its own, it reads what it
has already overwritten. The second operand appears where a fusion is so large that XLA leaves the reshape outside: after maxima over
windows of five or more elements, for example.

A fusion that ends with a write into a part of an array (`dynamic-update-slice`, `scatter`) writes in place. XLA takes no other reader
of that array into the fusion, but does not see one that reads it through a reshape: `y[i:i+18] = 2 * y.reshape(4, 6)[:3].reshape(-1)`.
What it reads may be written already.

All versions from JAX 0.8 to 0.12 do it, at every optimization level; `docs/compiler_bugs.md`
has the smallest program.

Fusions that a library computes (`__ynn_fusion`) read an array twice where it is an operand twice, as a softmax does for its maximum and its
exponential. XLA asks whether the first of the two is read element by element; where a reduction reads it, the result has memory of its own.

A program with such a fusion is compiled again without fusions: slower, and right. https://openxla.org/xla/architecture tells of the passes.
"""

import collections
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import jax

from ... import log
from ..program.sites import sites
from ..settings.context import present_device

_NO_FUSION = {"xla_disable_hlo_passes": "fusion,dot-library-rewriter"}  # XLA's own, and those of a library
_FEW = 6  # operations: a fusion that goes wrong has more in it
_LINE = re.compile(r"^\s+(?:ROOT )?%([^\s=]+) = (.*?) ([a-z][\w\-]*)\((.*)$")
_COMPUTATION = re.compile(r"^(?:ENTRY )?%?(\S+) \(.*\{$")
_OPERAND = re.compile(r"%([^\s,(){}]+)")
_ARRAY = re.compile(r"([a-z]+)(\d*)\[([\d,]*)\]")
_CALLS = re.compile(r"calls=%(\S+?)(?:,|$)")
_BOUNDS = re.compile(r"slice=\{(.*?)\}")
_FIRST = re.compile(r"\[(\d+):")
_VIEWS = ("bitcast", "reshape")  # of the memory of their operand
_IN_PLACE = ("dynamic-update-slice", "scatter")  # their result takes the place of their first operand
# operations that make an element of those at the same place
_EACH = frozenset(
    (
        "abs", "add", "and", "cbrt", "ceil", "clamp", "compare", "convert", "cosine", "divide", "erf", "exponential", "exponential-minus-one", "floor",
        "is-finite", "log", "log-plus-one", "logistic", "maximum", "minimum", "multiply", "negate", "not", "or", "power", "remainder", "round-nearest-even",
        "rsqrt", "select", "sign", "sine", "sqrt", "subtract", "tan", "tanh", "xor",
    )
)  # fmt: skip
_GIVEN = ("parameter", "constant")  # memory that a fusion never writes over
_MIXING = ("reduce", "reduce-window")  # an element of their result is made of many


def program(fn: Callable, donate: tuple = (), **options):
    """`jax.jit(fn, donate_argnums=donate, **options)`, compiled without fusions if a fusion would overwrite an input
    that it still reads.

    It is for arguments of one signature.
    """
    options = {"donate_argnums": donate, **options}
    return _Program(fn, options) if present_device() == "CPU" else jax.jit(fn, **options)


def unfused(traced: Any, lower: Callable, options: Mapping | Sequence = ()):
    """The additional compiler options that a program needs, or None if it is right without.

    traced: what `jax.jit(f, compiler_options=options).trace(*arrays)` gave, on the CPU. lower: gives what it is lowered to. Programs of few
    operations are right.
    """
    if sum(1 for _ in itertools.islice(sites(traced.jaxpr), _FEW)) < _FEW:
        return None
    lowered = lower()
    if not overwritten(lowered.compile().as_text() or ""):
        return None
    other = {**dict(options or ()), **_NO_FUSION}
    _look_again(lowered.compile(compiler_options=other), "an operator")
    return other


def _look_again(compiled, name):
    """A program that was compiled without fusions must be right.

    Raises:
        RuntimeError: it would still overwrite what it reads.
    """
    found = overwritten(compiled.as_text() or "")
    if found:
        raise RuntimeError(
            f"XLA would overwrite memory that '{name}' still reads, also without fusions (in {found[0]}), so the result would be wrong. "
            "Run it in PYNATIVE_MODE, or with another version of JAX, and report it: docs/compiler_bugs.md tells of this fault."
        )


class _Program:
    """A `jax.jit` function for arguments of one signature; the first call checks the compiled program for overwritten
    inputs.
    """

    __slots__ = ("__wrapped__", "_options", "_jitted", "_run")

    def __init__(self, fn, options):
        self.__wrapped__, self._options, self._run = fn, options, None
        self._jitted = jax.jit(fn, **options)

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
            log.info(f"{found[0]} would overwrite an input that it still reads: '{name}' is compiled without fusions.")
            self._jitted = jax.jit(self.__wrapped__, **self._options, compiler_options=_NO_FUSION)
            _look_again(self.lower(*given).compile(), name)


def overwritten(text: str):
    """Names of the fusions of a compiled program that may write over memory that they still read.

    Args:
        text: The program after all passes, in the order in which it runs (`Compiled.as_text()`).
    """
    computations = dict(_computations(text))
    unsafe = {name for name, lines in computations.items() if _reads_beside_its_writes(lines)}
    found = []
    for lines in computations.values():
        found += _of_computation(lines, computations)
        found += [line.name for line in lines if line.operation == "fusion" and line.calls in unsafe]
    return found


class _Instruction(NamedTuple):
    name: str
    kind: str  # its type
    operation: str
    operands: list  # their names
    literal: str  # of a constant
    more: str  # what follows the operands

    @property
    def calls(self):
        """The computation of a fusion."""
        found = _CALLS.search(self.more)
        return found and found[1]


def _computations(text):
    """(name, instructions) of each computation."""
    lines = None
    for line in text.splitlines():
        if lines is None:
            if head := _COMPUTATION.match(line):
                name, lines = head[1], []
        elif line.startswith("}"):
            yield name, lines
            lines = None
        elif parts := _LINE.match(line):
            of, kind, operation, rest = parts.groups()
            given = _arguments(rest)
            lines.append(_Instruction(of, kind, operation, _OPERAND.findall(given), given, rest[len(given) :]))


def _arguments(rest):
    """The text between the brackets of an instruction's operand list."""
    depth = 1
    for i, c in enumerate(rest):
        depth += (c in "([{") - (c in ")]}")
        if not depth:
            return rest[:i]
    return rest


# --- operands in the same memory
def _of_computation(lines, computations):
    memory, sizes, operations, last = {}, {}, {}, {}
    for at, line in enumerate(lines):
        name, operands = line.name, line.operands
        memory[name] = memory.get(operands[0], operands[0]) if line.operation in _VIEWS and operands else name
        sizes[name], operations[name] = _bits(line.kind), line.operation
        for operand in operands:
            last[memory.get(operand, operand)] = at
    for at, line in enumerate(lines):
        if line.operation != "fusion":
            continue
        roots = [memory.get(operand, operand) for operand in line.operands]
        for root in {r for r in roots if roots.count(r) > 1}:
            ends_here = last[root] == at and operations.get(root) not in _GIVEN
            same = line.operands.count(root) == roots.count(root)  # and no view of it
            if (
                ends_here
                and not (same and _keeps(line, root, computations))
                and set(sizes[line.name]) & set(sizes.get(root, ()))
            ):
                yield line.name
                break


def _keeps(line, root, computations):
    """Whether a fusion of a library, of which an array is an operand twice, surely leaves the array alone."""
    if "kind=kCustom" not in line.more or root not in line.operands:
        return False
    inner = computations.get(line.calls, ())
    number = str(line.operands.index(root))
    first = next((i.name for i in inner if i.operation == "parameter" and i.literal == number), None)
    return any(first in i.operands and i.operation in _MIXING for i in inner)


def _bits(kind):
    """Sizes of the arrays of a type, in bits."""
    return [int(bits or 8) * math.prod(_shape(shape)) for _, bits, shape in _ARRAY.findall(kind)]


def _shape(text):
    return [int(n) for n in text.split(",") if n]


# --- writes in place
def _reads_beside_its_writes(lines):
    """Whether the computation of a fusion writes a part of one of its parameters in place, and reads that parameter elsewhere, too."""
    known, users = {line.name: line for line in lines}, collections.defaultdict(list)
    for line in lines:
        for operand in line.operands:
            users[operand].append(line)
    for write in _writes(lines[-1], known) if lines else ():
        steps, base = [], write
        while base.operation in (*_VIEWS, *_IN_PLACE):
            steps.append(base)
            base = known[base.operands[0]]
        if base.operation != "parameter":
            continue
        parts = _parts([base, *steps], users)
        names = {part.name for part in parts}
        if any(name in names for line in steps for name in line.operands[1:]):
            return True
        if any(
            user not in steps and not _at_the_same_place(user, write, known, users)
            for part in parts
            for user in users[part.name]
            if user.operation not in (*_VIEWS, "tuple")
        ):
            return True
    return False


def _writes(root, known):
    """The instructions among the makers of the results that write in place."""
    if root.operation in _IN_PLACE:
        return [root]
    if root.operation in (*_VIEWS, "tuple"):
        return [write for name in root.operands for write in _writes(known[name], known)]
    return []


def _parts(found, users):
    """`found` and all views of the same memory."""
    found = list(found)
    for line in found:
        found += [user for user in users[line.name] if user.operation in _VIEWS and user not in found]
    return found


def _at_the_same_place(read, write, known, users):
    """Whether each element is read only to compute the value written in its place, as in `x[i] += v`."""
    if write.operation != "dynamic-update-slice" or read.operation not in ("dynamic-slice", "slice"):
        return False
    if _kind(known[read.operands[0]]) != _kind(known[write.operands[0]]):
        return False
    if _kind(read) != _kind(known[write.operands[1]]) or _start(read, known) != _start(write, known):
        return False
    for line in (reached := [read]):
        for user in users[line.name]:
            if user is write and line.name not in write.operands[2:]:
                continue
            if user.operation not in _EACH or _shape_of(user) != _shape_of(read):
                return False
            if user not in reached:
                reached.append(user)
    return True


def _start(line, known):
    """The start of a slice: numbers, and names of values known at run time."""
    if line.operation == "slice":
        return [int(n) for n in _FIRST.findall(_BOUNDS.search(line.more)[1])]
    names = line.operands[2 if line.operation == "dynamic-update-slice" else 1 :]
    return [int(known[n].literal) if known[n].operation == "constant" else n for n in names]


def _kind(line):
    return _ARRAY.findall(line.kind)


def _shape_of(line):
    return [shape for _, _, shape in _kind(line)]
