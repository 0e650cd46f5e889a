"""All equations of a program, those of nested programs too: how often each runs, and where in the user's code it comes from."""

import dataclasses
import re
import traceback
from typing import TYPE_CHECKING, Any

from .interpreter import scope_of
from .parts import holds, opened, parts
from .primitives import name_of

if TYPE_CHECKING:
    import jax
    import jax.extend

# the name that JAX gives to what `jax.checkpoint` computes once more for the gradient
_COMPUTED_AGAIN = "rematted_computation"
_NOT_THE_USERS = re.compile(r"[/\\](msjax|site-packages|dist-packages|importlib|lib[/\\]python3[^/\\]*)[/\\]|^<frozen ")


@dataclasses.dataclass(frozen=True)
class Site:
    """An equation with its place in the program.

    times: how often it runs in one run of the program; a loop of unknown length counts once, and then `certain` is False, as it is in
    the branches of a condition. scope: its name stack, with those of the equations that it is in.
    """

    eqn: object
    times: int
    certain: bool
    around: str

    @property
    def name(self):
        """The name of the primitive."""
        return name_of(self.eqn)

    @property
    def scope(self):
        """The name stack: Cells and operators, as `jax.named_scope` noted them."""
        return scope_of(self.around, self.eqn)

    @property
    def again(self):
        """Whether it is computed once more for a gradient."""
        return _COMPUTED_AGAIN in self.scope

    @property
    def backward(self):
        """Whether it belongs to a gradient."""
        return "transpose(" in self.scope

    def frames(self):
        """The stack of Python where it was traced, outermost first, as a list of `traceback.FrameSummary`."""
        found = self.eqn.source_info.traceback
        return [] if found is None else list(traceback.extract_tb(found.as_python_traceback()))

    def line(self):
        """(file, line) of the user's code that made it, or None: the innermost frame outside of libraries."""
        for frame in reversed(self.frames()):
            if not _NOT_THE_USERS.search(frame.filename):
                return frame.filename, frame.lineno
        return None


def sites(
    program: "jax.extend.core.ClosedJaxpr | jax.extend.core.Jaxpr",
    heavier: Any = None,
    times: int = 1,
    certain: bool = True,
    around: Any = "",
):
    """Yield a Site for each equation without nested programs, in the order of the program.

    heavier: a function of a branch's list of Sites; of the branches of a condition only the one for which it is largest is walked. None:
    all are.

    Example:
        >>> import jax
        >>> from msjax.core.program.sites import sites
        >>> program = jax.make_jaxpr(lambda x: jax.lax.fori_loop(0, 3, lambda i, y: y * 2, x))(1.0)
        >>> sorted((site.name, site.times) for site in sites(program))
        [('add', 3), ('mul', 3)]
    """
    for eqn in opened(program)[0].eqns:
        yield from sites_of(eqn, heavier, times, certain, around)


def sites_of(
    eqn: "jax.extend.core.JaxprEqn", heavier: Any = None, times: int = 1, certain: bool = True, around: Any = ""
):
    """Yield the Sites of one equation: itself, or those of the programs inside it; the arguments are those of `sites`."""
    inner = parts(eqn)
    if not inner:
        yield Site(eqn, times, certain, around)
        return
    scope, branches = scope_of(around, eqn), []
    for part in inner:
        known = part.times is not None
        found = sites(part.jaxpr, heavier, times * part.times if known else times, certain and known, scope)
        if part.role == "branch" and heavier is not None:
            branches.append(list(found))
        else:
            yield from found
    if branches:
        yield from max(branches, key=heavier)


def reverse_only(program: "jax.extend.core.ClosedJaxpr | jax.extend.core.Jaxpr"):
    """Whether a part of a program, at any depth, has a rule for reverse mode and so none for forward mode."""
    return any(holds(eqn, "custom_vjp_call") for eqn in opened(program)[0].eqns)
