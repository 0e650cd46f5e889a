"""The programs inside of equations: one description for calls, branches, loops, maps and solvers."""

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax

from ..compat import scan_counts
from .primitives import family_of, meaning_of, name_of

if TYPE_CHECKING:
    import jax.extend

# primitive -> the parameters that hold its programs, where the name does not follow from the family
_HELD = {
    "closed_call": ("call_jaxpr",),
    "call": ("call_jaxpr",),
    "custom_jvp_call": ("call_jaxpr", "fun_jaxpr"),
    "custom_vjp_call": ("call_jaxpr", "fun_jaxpr"),
    "custom_vmap_call": ("call",),
    "linear_call": ("callee",),
    "pmap": ("call_jaxpr",),
    "custom_partitioning": ("call",),
}


@dataclasses.dataclass(frozen=True)
class Part:
    """A program inside an equation.

    role: "call" (run once on all inputs), "branch", "body", "condition", "map" (run by each device on its part), or "solver".
    takes: which inputs of the equation it takes, as a list of positions. times: how often it runs; None: not known.
    """

    role: str
    jaxpr: object
    consts: tuple
    takes: tuple = ()
    times: int | None = 1


def opened(program: "jax.extend.core.ClosedJaxpr | jax.extend.core.Jaxpr"):
    """(jaxpr, its constants) of a program, closed or not."""
    return (program.jaxpr, program.consts) if hasattr(program, "consts") else (program, ())


def is_program(value: Any):
    """Whether a parameter of an equation is a program, closed or not."""
    return hasattr(getattr(value, "jaxpr", value), "eqns")


def called(eqn: "jax.extend.core.JaxprEqn"):
    """The program that an equation calls once on all of its inputs; None if it is not such a call."""
    name = name_of(eqn)
    if family_of(name) == "own":
        return _written_out(name, tuple(eqn.params.items()), tuple(v.aval for v in eqn.invars))
    if family_of(name) != "calls":
        return None
    for key in _HELD.get(name, ("jaxpr",)):
        program = eqn.params.get(key)
        if is_program(program) and len(opened(program)[0].invars) == len(eqn.invars):
            return program
    return None


def without_calls(eqn: "jax.extend.core.JaxprEqn"):
    """Yield an equation, or those of the program that it calls once on all of its inputs, and so on."""
    program = called(eqn)
    if program is None:
        yield eqn
    else:
        for inner in opened(program)[0].eqns:
            yield from without_calls(inner)


@functools.lru_cache(maxsize=256)
def _written_out(name, params, avals):
    return jax.make_jaxpr(functools.partial(meaning_of(name), **dict(params)))(*avals)


def parts(eqn: "jax.extend.core.JaxprEqn"):
    """The programs inside an equation, as a list of Parts; [] for opaque equations (kernels, exported programs).

    Example:
        >>> import jax
        >>> from msjax.core.program.parts import parts
        >>> loop = jax.make_jaxpr(lambda x: jax.lax.fori_loop(0, 3, lambda i, y: y * 2, x))(1.0).eqns[0]
        >>> [(part.role, part.times) for part in parts(loop)]
        [('body', 3)]
    """
    name, params = name_of(eqn), eqn.params
    family, every = family_of(name), tuple(range(len(eqn.invars)))
    if name == "cond":
        return [_part("branch", branch, every[1:], None) for branch in params["branches"]]
    if name == "scan":
        return [_part("body", params["jaxpr"], every, params["length"])]
    if name == "while":
        at = params["cond_nconsts"]
        start = at + params["body_nconsts"]
        return [
            _part("condition", params["cond_jaxpr"], (*every[:at], *every[start:]), None),
            _part("body", params["body_jaxpr"], every[at:], None),
        ]
    program = called(eqn)
    if program is not None:
        return [_part("call", program, every)]
    if family in ("opaque", "kernels", "reducing", "windows", "indexing") and name not in _HELD:
        return []  # kernels are not looked into; the others hold how two numbers are combined
    role = {"mapped": "map", "solvers": "solver", "calls": "call"}.get(family, "call")
    found = []
    for key in _HELD.get(name, params):
        value = params.get(key)
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if is_program(one):
                found.append(_part(role, one, every if len(opened(one)[0].invars) == len(every) else ()))
    return found


RULED = ("custom_jvp_call", "custom_vjp_call")  # equations that hold rules of derivatives, which are functions


def holds(eqn: "jax.extend.core.JaxprEqn", *names: str):
    """Whether an equation, or one inside it at any depth, is one of these.

    Example:
        >>> import jax
        >>> from msjax.core.program.parts import holds
        >>> holds(jax.make_jaxpr(jax.jit(jax.numpy.sin))(1.0).eqns[0], "sin")
        True
    """
    return name_of(eqn) in names or any(holds(inner, *names) for part in parts(eqn) for inner in part.jaxpr.eqns)


def _part(role, program, takes, times=1):
    jaxpr, consts = opened(program)
    return Part(role, jaxpr, tuple(consts), takes, times)


@dataclasses.dataclass(frozen=True)
class Scan:
    """How a scan's inputs and outputs are arranged: constants, carried values, rows; carried values, rows."""

    body: object
    constants: int
    carried: int

    def inputs(self, values: Sequence):
        """(constants, carried values, rows) of a list with a value for each input."""
        end = self.constants + self.carried
        return list(values[: self.constants]), list(values[self.constants : end]), list(values[end:])

    def outputs(self, values: Sequence):
        """(carried values, rows) of a list with a value for each output."""
        return list(values[: self.carried]), list(values[self.carried :])


def scan_of(params: Mapping):
    """The arrangement of a scan, from its parameters."""
    return Scan(params["jaxpr"], *scan_counts(params))


@dataclasses.dataclass(frozen=True)
class While:
    """The layout of a while loop's inputs: constants of the condition, constants of the body, carried values."""

    condition: object
    body: object
    for_condition: int
    for_body: int

    def inputs(self, values: Sequence):
        """(constants of the condition, constants of the body, carried values) of a list with a value for each input."""
        end = self.for_condition + self.for_body
        return list(values[: self.for_condition]), list(values[self.for_condition : end]), list(values[end:])


def while_of(params: Mapping):
    """The arrangement of a while loop, from its parameters."""
    return While(params["cond_jaxpr"], params["body_jaxpr"], params["cond_nconsts"], params["body_nconsts"])
